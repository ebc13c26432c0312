"""Which sentence of one side keeps the fact of a sentence of the other side (SPEC §8)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from math import log

from agentops_dream.facts.reading import Sentence


@dataclass(frozen=True, eq=False)
class Pairing:
    """The sentences of one side, ready to be looked up."""

    sentences: tuple[Sentence, ...]
    weights: dict[str, float] = field(default_factory=dict)
    _where: dict[str, list[int]] = field(default_factory=dict)

    def best(self, tokens: Iterable[str], count: int = 3) -> list[tuple[float, Sentence]]:
        """Return up to ``count`` sentences with the share of ``tokens`` that stands in them, best first.

        Rare tokens weigh more; a token that stands nowhere weighs as much as one that is unique.
        """
        wanted = frozenset(tokens)
        whole = sum(self.weights.get(token, 1.0) for token in wanted)
        if not whole:
            return []
        scores: dict[int, float] = defaultdict(float)
        for token in wanted:
            weight = self.weights.get(token, 1.0)
            for number in self._where.get(token, ()):
                scores[number] += weight
        # Rounded, because the order in which a set is summed up must not decide.
        least = min(nlargest(count, scores.values()), default=0.0) - whole * 1e-8
        shares = ((round(score / whole, 9), number) for number, score in scores.items() if score >= least)
        ranked = sorted(shares, key=lambda item: (-item[0], item[1]))[:count]
        return [(share, self.sentences[number]) for share, number in ranked]

    def covered(self, tokens: frozenset[str], count: int = 3) -> float:
        """Return the share of ``tokens`` in the best ``count`` sentences taken together."""
        found: set[str] = set()
        for _, sentence in self.best(tokens, count):
            found |= sentence.tokens & tokens
        whole = sum(self.weights.get(token, 1.0) for token in tokens)
        return sum(self.weights.get(token, 1.0) for token in found) / whole if whole else 1.0


def pair(sentences: Sequence[Sentence]) -> Pairing:
    """Return ``sentences`` ready to be looked up by their tokens."""
    where: dict[str, list[int]] = defaultdict(list)
    for number, sentence in enumerate(sentences):
        for token in sentence.tokens:
            where[token].append(number)
    counts = Counter({token: len(numbers) for token, numbers in where.items()})
    weights = {token: 1.0 / (1.0 + log(count)) for token, count in counts.items()}
    return Pairing(tuple(sentences), weights, dict(where))
