"""One side of a comparison: its sentences, and what stands beside each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from agentops_dream.facts.index import Index
from agentops_dream.facts.pairing import Pairing, pair
from agentops_dream.facts.reading import Sentence
from agentops_dream.patterns import late

_POINTS = late(r"(?i)\b(?:it|this|that|these|those|them|they|he|she|him|her|here|there|exceptions?)\b|例外|これ|それ|その|ここ|この|此|它|이것|그것|이를")
_HEAD = 40
"""Characters at the head of a sentence in which it points back."""


@dataclass(frozen=True)
class Side:
    """Sentences of one side, their neighbours in the same block, and how to look them up."""

    sentences: tuple[Sentence, ...]
    around: dict[int, tuple[Sentence, ...]]
    texts: frozenset[str]
    common: frozenset[str]

    def pointing(self, sentence: Sentence) -> Iterator[Sentence]:
        """Yield the next sentence if it points back: "It is never run by hand." """
        near = self.around[id(sentence)]
        yield from (other for other in near if other.start > sentence.start and _POINTS.search(other.text[:_HEAD]))

    def of_block(self, sentence: Sentence) -> Iterator[Sentence]:
        """Yield the sentences of its block; the items of one list are one block."""
        at = next(number for number, other in enumerate(self.sentences) if other is sentence)
        for step in (-1, 1):
            number = at + step
            while 0 <= number < len(self.sentences) and self.sentences[number].together(sentence):
                yield self.sentences[number]
                number += step

    @cached_property
    def pairs(self) -> Pairing:
        """The sentences, ready to be looked up."""
        return pair(self.sentences)

    def resembling(self, sentence: Sentence) -> list[tuple[float, Sentence]]:
        """Return the sentences that one of the other side resembles most, best first."""
        if id(sentence) not in self._resembling:
            self._resembling[id(sentence)] = self.pairs.best(sentence.tokens, 6)
        return self._resembling[id(sentence)]

    @cached_property
    def _resembling(self) -> dict[int, list[tuple[float, Sentence]]]:
        return {}


def side(index: Index) -> Side:
    """Return the sentences of an index as a side; headings are over them, not among them."""
    sentences = tuple(s for s in index.sentences if s.kind not in ("heading",))
    around: dict[int, tuple[Sentence, ...]] = {}
    for at, sentence in enumerate(sentences):
        near = (sentences[i] for i in (at - 1, at + 1) if 0 <= i < len(sentences))
        around[id(sentence)] = tuple(other for other in near if other.together(sentence))
    return Side(sentences, around, frozenset(s.plain for s in sentences), index.common)
