"""Words that have changed partners (SPEC §8, "swap").

"For receiving it is added, for transmitting subtracted" holds no literal that could be compared by its
company. What gives the exchange away is that two parts of a text that ran in parallel are still there,
word for word, and each has taken the other's end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from agentops_dream.facts.index import Index
from agentops_dream.facts.reading import Sentence, token

_MOST = 6
"""Tokens that tell two parts apart; where there are more, the parts are not parallel."""
_KEPT = 0.8
_LONG = 12
"""Tokens of an item or row that may be one part of a pair."""


class _Part(NamedTuple):
    tokens: frozenset[str]
    sentence: Sentence
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.sentence.text[self.start - self.sentence.start : self.end - self.sentence.start].strip()

    @property
    def places(self) -> dict[str, int]:
        """Where each token stands first."""
        found: dict[str, int] = {}
        for word in self.sentence.words:
            if self.start <= word.start < self.end:
                found.setdefault(word.stem, word.start)
        for literal in self.sentence.literals:
            if self.start <= literal.start < self.end and literal.kind != "link":
                found.setdefault(token(literal), literal.start)
        return found


class _Pair(NamedTuple):
    one: _Part
    other: _Part

    @property
    def mine(self) -> frozenset[str]:
        return self.one.tokens - self.other.tokens

    @property
    def theirs(self) -> frozenset[str]:
        return self.other.tokens - self.one.tokens


def crossed(inputs: Index, outputs: Index) -> Iterator[str]:
    """Yield the places of the outputs where two parallel parts have exchanged their ends."""
    before = [pair for pair in _pairs(inputs.sentences, frozenset()) if 2 <= len(pair.mine) <= _MOST and 2 <= len(pair.theirs) <= _MOST]
    if not before:
        return
    where: dict[str, list[int]] = defaultdict(list)
    held = {tokens for sentence in inputs.sentences for tokens in (*sentence.clause_tokens, sentence.tokens)}
    after = [pair for pair in _pairs(outputs.sentences, inputs.texts) if not (pair.one.tokens in held and pair.other.tokens in held)]
    for number, pair in enumerate(after):
        for word in pair.mine | pair.theirs:
            where[word].append(number)
    for pair in before:
        rarest = min(pair.mine, key=lambda word: (len(where.get(word, ())), word))
        for number in where.get(rarest, ()):
            found = after[number]
            if _crosses(pair, found) and not any(_straight(other, found) for other in before):
                yield f"{found.one.text} / {found.other.text}"
                break


def _pairs(sentences: tuple[Sentence, ...], known: frozenset[str]) -> Iterator[_Pair]:
    """Yield clauses of one sentence, two and two, and items or rows that stand one below the other."""
    last: list[Sentence] = []
    for sentence in sentences:
        if sentence.kind in ("item", "row") and len(sentence.tokens) <= _LONG:
            if sentence.plain not in known or any(other.plain not in known for other in last):
                yield from (_Pair(_whole(other), _whole(sentence)) for other in last)
            last = [*last[-3:], sentence]
        elif sentence.kind not in ("item", "row"):
            last = []
        if sentence.plain in known or sentence.kind == "heading" or len(sentence.clauses) < 2:
            continue
        parts = [part for part in _clauses(sentence) if part.tokens]
        for at, one in enumerate(parts):
            yield from (_Pair(one, other) for other in parts[at + 1 : at + 4])


def _whole(sentence: Sentence) -> _Part:
    return _Part(sentence.tokens, sentence, sentence.start, sentence.end)


def _clauses(sentence: Sentence) -> Iterator[_Part]:
    for (start, end), tokens in zip(sentence.clauses, sentence.clause_tokens):
        yield _Part(tokens, sentence, start, end)


def _crosses(pair: _Pair, found: _Pair) -> bool:
    """Return whether each part of ``found`` has the front of one part of ``pair`` and the end of the other."""
    mine, theirs = pair.mine, pair.theirs
    here, there = found.mine, found.theirs
    whole = mine | theirs
    if len(whole & (here | there)) < _KEPT * len(whole):
        return False
    own, strange, lost, kept = mine & here, theirs & here, mine & there, theirs & there
    if not (own and strange and lost and kept):
        return False
    if len(own) + len(lost) < len(mine) * _KEPT or len(strange) + len(kept) < len(theirs) * _KEPT:
        return False
    mine_first = _front(pair.one, own, lost)
    return mine_first is not None and mine_first != _front(pair.other, strange, kept)


def _front(part: _Part, some: frozenset[str], others: frozenset[str]) -> bool | None:
    """Return whether ``some`` words stand before all the ``others``, ``False`` for after; ``None``: mixed."""
    places = part.places
    first, second = [places[word] for word in some], [places[word] for word in others]
    if max(first) < min(second):
        return True
    return False if max(second) < min(first) else None


def _straight(pair: _Pair, found: _Pair) -> bool:
    """Return whether the inputs hold the same two parts as they stand in the outputs."""
    return all(
        len(old & new) >= _KEPT * len(new)
        for old, new in ((pair.mine, found.mine), (pair.theirs, found.theirs))
    ) or all(
        len(old & new) >= _KEPT * len(new)
        for old, new in ((pair.mine, found.theirs), (pair.theirs, found.mine))
    )
