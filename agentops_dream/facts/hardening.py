"""Hardening: a hedge or negation gone from the sentence that keeps its fact (SPEC §8).

The tag of an unverified remark is ignored by those who read it later; its wording is what protects
them, so the wording must stay with the fact.

How sure that is depends on how close the new sentence stays to the old one. What is copied word for
word but for its "never" has lost it. What is said in other words may say "never" in other words,
too: there, nothing near the fact may sound like it, or it counts as kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import LCSseq

from agentops_dream.facts import signs
from agentops_dream.facts.hardened import Hardened
from agentops_dream.facts.index import Index
from agentops_dream.facts.marks import Mark
from agentops_dream.facts.negation import NEGATIVE, ruled, says_no
from agentops_dream.facts.pairing import Pairing, pair
from agentops_dream.facts.reading import Sentence, token
from agentops_dream.patterns import late

KEEPS = 0.5
"""Share of what a mark rules that another sentence must hold to count as keeping its fact."""
SURE = 0.6
"""The same, where the words are others and the mark may be, too."""
WHOLE = 1.4
"""Closeness (share of its clause, and half of what is around it) from which on nothing is left to be said beside it."""
COPIED = 0.75
"""Share of it, in the same order, from which on a sentence is a copy."""
_BOUNDS = frozenset({"upper", "lower"})
_LIMITS = _BOUNDS | {"must"}
_NEGATIONS = frozenset({"never", "not", "only"})
_HEDGES = frozenset({"unverified", "possible", "probable", "expected"})

# What must stand with a copy, and what is enough where the words are others.
COPY: dict[str, frozenset[str]] = {
    "unverified": frozenset({"unverified"}),
    "possible": frozenset({"possible", "allowed", "unverified", "upper"}),
    "probable": frozenset({"probable", "possible", "unverified"}),
    "expected": frozenset({"expected", "probable", "possible", "must", "reported"}),
}
FREE: dict[str, frozenset[str]] = {
    "unverified": frozenset({"unverified", "reported", "probable"}),
    "possible": _HEDGES | {"reported", "allowed"},
    "probable": _HEDGES - {"expected"} | {"reported"},
    "expected": _HEDGES | {"reported", "must", "allowed"},
}
_WEAK = late(r"(?i)may|should|will|はず|べき|したい|应该|应当|해야 할")
"""Hedges so often meant otherwise ("two people may swap shifts") that only a copy shows their loss."""

_POINTS = late(r"(?i)\b(?:it|this|that|these|those|them|they|he|she|him|her|here|there)\b|これ|それ|その|ここ|この|此|它|이것|그것|이를")

_CONTRAST = late(r"ではな|じゃな|而不是|不是|아니")
_CHANGES = late(r"早ま|延び|変わ|から.+へ|から.+に|改め|改为|变为|바뀌|에서")

_CAPS = late(r"(?i)cap|limit")
"""Limits that are set by what the sentence tells of, and so may be what is only possible."""

_HEAD = 40
"""Characters at the head of a sentence in which it points back."""


@dataclass(frozen=True)
class _Side:
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
            while 0 <= number < len(self.sentences) and _together(self.sentences[number], sentence):
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


def _together(one: Sentence, other: Sentence) -> bool:
    return one.block == other.block or {one.kind, other.kind} == {"item"}


def _side(index: Index) -> _Side:
    sentences = tuple(s for s in index.sentences if s.kind not in ("heading",))
    around: dict[int, tuple[Sentence, ...]] = {}
    for at, sentence in enumerate(sentences):
        near = (sentences[i] for i in (at - 1, at + 1) if 0 <= i < len(sentences))
        around[id(sentence)] = tuple(other for other in near if _together(other, sentence))
    return _Side(sentences, around, frozenset(s.plain for s in sentences), index.common)


def hardened(inputs: Index, outputs: Index, *, declared: str = "") -> Iterator[Hardened]:
    """Yield the sentences of the inputs whose hedge or negation did not survive with their fact.

    ``declared``: plain text that may go.
    """
    source, target = _side(inputs), _side(outputs)
    for sentence in source.sentences:
        if not sentence.marks or sentence.plain in target.texts or sentence.plain in declared:
            continue
        yield from _gone(sentence, source, target)
    yield from _unbanned(source, target, declared)


def _gone(sentence: Sentence, source: _Side, target: _Side) -> Iterator[Hardened]:
    done: set[tuple[str, str]] = set()
    for mark in sentence.marks:
        kind = (mark.name, ruled(sentence, mark) if mark.name in _NEGATIONS else "")
        if kind in done or mark.name not in _HEDGES | _NEGATIONS:
            continue
        done.add(kind)
        if mark.text.lower() == "may" and _denied(sentence, mark):
            continue  # "nobody may": the negation is what has to stay
        if _repeated(mark, sentence, target):
            continue
        own, wide = _scope(sentence, mark, target.common)
        resembling = _near(sentence, own, wide, target)
        near = [found for found in resembling if _from_here(found.sentence, sentence, own, source)]
        if resembling and not near:
            continue
        if not near and mark.name == "unverified":
            # The tag may stand in a sentence of its own; what it marks is beside it.
            near = [
                found
                for other in source.around[id(sentence)]
                for found in _near(other, other.ordered, other.ordered, target)
            ]
        if not near:
            continue
        most = near[0].share
        best = [found for found in near if found.share >= most * 0.85]
        copies = [
            found
            for found in best
            if found.copied >= COPIED and (_enough(wide) or found.sentence.ordered == sentence.ordered)
        ]
        # Where nothing became surer on the whole, which of two neighbours says so is wording.
        beside = mark.name in _HEDGES and not _fewer(mark, source, target)
        if copies:
            speakers = [found.sentence for found in copies]
            speakers += [other for one in speakers for other in target.around[id(one)] if beside]
            kept = any(_kept(mark, sentence, speaker, target, COPY) for speaker in speakers)
        elif sentence.kind == "description" and mark.name in _NEGATIONS:
            continue  # it sums up; the rule itself is in the body
        elif _WEAK.fullmatch(mark.text) or near[0].own < SURE:
            continue
        else:
            apart = most < WHOLE
            speakers = [found.sentence for found in near if found.share >= most * (0.5 if apart else 0.85)]
            speakers += [other for one in speakers for other in target.around[id(one)] if beside or apart]
            kept = any(
                _kept(mark, sentence, speaker, target, FREE) or _other_way(mark, sentence, speaker)
                for speaker in speakers
            )
        if not kept and not _as_in_the_body(sentence, near[0].sentence, source):
            yield Hardened(sentence.text.strip(), near[0].sentence.text.strip(), mark.text)


def _repeated(mark: Mark, sentence: Sentence, target: _Side) -> bool:
    """Return whether the clause of a mark is kept with its mark: as a sentence of its own, or behind most of what stood before it.

    What stood behind it, too, may be in a list of its own now.
    """
    at = sentence.clause_at(mark.start)
    if at is None or not sentence.clause_tokens[at]:
        return False
    own, before = sentence.clause_tokens[at], frozenset().union(*sentence.clause_tokens[:at])
    for other in target.sentences:
        if other.kind == "description" or not own <= other.tokens:
            continue
        for found in other.marks:
            there = other.clause_at(found.start)
            if found.name != mark.name or there is None or not own <= other.clause_tokens[there]:
                continue
            alone = at > 0 and len(other.clause_tokens[there]) <= len(own) + 1
            if alone or (at and len(before & other.tokens) * 2 >= len(before)):
                return True
    return False


def _as_in_the_body(sentence: Sentence, found: Sentence, source: _Side) -> bool:
    """Return whether a new description has the doubt of the body that an old one summed up in another."""
    doubts = found.classes & _HEDGES
    if sentence.kind != "description" or found.kind != "description" or not doubts:
        return False
    return any(doubts & other.classes and len(other.tokens & found.tokens) > 1 for other in source.sentences if other.kind != "description")


def _fewer(mark: Mark, source: _Side, target: _Side) -> bool:
    """Return whether the outputs have fewer hedges of a class than the inputs have in different sentences."""
    before = {s.plain for s in source.sentences if mark.name in s.classes and s.kind != "description"}
    after = {s.plain for s in target.sentences if mark.name in s.classes and s.kind != "description"}
    return len(after) < len(before)


@dataclass(frozen=True)
class _Near:
    sentence: Sentence
    own: float
    """Share of what the mark rules that stands in the sentence."""
    share: float
    """The same, and half of what is around it."""
    copied: float
    """The same, as far as it stands there in the same order."""


def _from_here(found: Sentence, sentence: Sentence, own: Sequence[str], source: _Side) -> bool:
    """Return whether a sentence of the outputs comes from this one, and not rather from another that it also resembles.

    ``own``: what the mark rules; a clause that is made of it, and that no other sentence could have given, is enough.
    """
    if found.kind == "description":
        return True
    mine = frozenset(own)
    a_clause = any(mine <= clause and len(clause) <= len(mine) + 1 for clause in found.clause_tokens)
    if a_clause and not any(mine <= other.tokens for other in source.sentences if other is not sentence):
        return True
    ranked = source.resembling(found)
    here = next((score for score, other in ranked if other is sentence), 0.0)
    return not ranked or here >= ranked[0][0] * 0.5


def _enough(tokens: Sequence[str]) -> bool:
    """Return whether there is enough to tell a copy: two common words stand in many sentences."""
    return len(tokens) > 2 or any(":" in one for one in tokens)


def _near(sentence: Sentence, own: Sequence[str], wide: Sequence[str], target: _Side) -> list[_Near]:
    """Return the sentences that keep what a clause says, best first; in the body unless it stood in a description."""
    inner = {id(found): score for score, found in target.pairs.best(own, 8)}
    found = []
    for score, other in target.pairs.best(wide, 8):
        if other.kind == "description" and sentence.kind != "description":
            continue
        if inner.get(id(other), 0.0) >= KEEPS and score >= KEEPS * 0.7:
            copied = LCSseq.similarity(wide, other.ordered) / max(len(wide), 1)
            own_share = inner[id(other)]
            found.append(_Near(other, own_share, round(own_share + score / 2, 9), copied))
    if sentence.kind == "description":  # what the index shows is read alone
        found = [near for near in found if near.sentence.kind == "description"] or found
    return sorted(found, key=lambda near: -near.share)


def _unbanned(source: _Side, target: _Side, declared: str) -> Iterator[Hardened]:
    """Yield sentences whose command, path or identifier was under a ban and is so nowhere any more.

    That is sharper than comparing sentences: "never run X" cut in two still bans X.
    """
    banned: dict[tuple[int, int], tuple[Sentence, str, set[str]]] = {}
    free: set[str] = set()
    for sentence in source.sentences:
        for literal in sentence.literals:
            if literal.kind not in ("code", "identifier", "path", "flag", "url"):
                continue
            at = sentence.clause_at(literal.start)
            ruling = [m for m in sentence.marks if m.name in ("never", "not") and sentence.clause_at(m.start) == at]
            if ruling and at is not None:
                banned.setdefault((id(sentence), at), (sentence, ruling[0].text, set()))[2].add(token(literal))
            else:
                free.add(token(literal))
    for sentence, mark, held in banned.values():
        keys = held - free
        if not keys or sentence.plain in target.texts or sentence.plain in declared:
            continue
        holders = [other for other in target.sentences if keys & other.tokens and other.kind != "description"]
        pointing = [near for holder in holders for near in target.pointing(holder)]
        if holders and not any(
            _negates(holder, sentence) or holder.over_classes & NEGATIVE for holder in (*holders, *pointing)
        ):
            yield Hardened(sentence.text.strip(), holders[0].text.strip(), mark)


def _scope(sentence: Sentence, mark: Mark, common: frozenset[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the tokens of the clause that a mark rules, and those with as much before it as says something."""
    clauses = sentence.clauses or ((sentence.start, sentence.end),)
    tokens = sentence.clause_tokens or (sentence.tokens,)
    at = sentence.clause_at(mark.start) or 0
    if at and not tokens[at]:
        at -= 1  # "name and age, nothing else; …" is said of what stands before it
    first, last = at, at
    own = tokens[at]
    forward = mark.text.isascii()  # elsewhere what is denied stands before its "not"
    while len(own) < (2 if forward else 1) and last + 1 < len(clauses):
        last += 1
        own |= tokens[last]
    wide = own
    deep = _depth(sentence, clauses[at][0])
    while len(wide - common) < 3 and first > 0:
        first -= 1
        if _depth(sentence, clauses[first][0]) <= deep:  # what stands in brackets is said by the way
            wide |= tokens[first]
    whole = sentence.between(clauses[first][0], clauses[last][1])
    inner = sentence.between(clauses[at][0], clauses[last][1])
    return inner if len(inner) > 1 else whole, whole


def _denied(sentence: Sentence, mark: Mark) -> bool:
    at = sentence.clause_at(mark.start)
    return any(other.name in _NEGATIONS and sentence.clause_at(other.start) == at for other in sentence.marks)


def _depth(sentence: Sentence, at: int) -> int:
    before = sentence.text[: at - sentence.start]
    return before.count("(") - before.count(")")


def _kept(mark: Mark, sentence: Sentence, keeper: Sentence, side: _Side, enough: dict[str, frozenset[str]]) -> bool:
    """Return whether a sentence, or what stands over it, has a mark that does the work of ``mark``."""
    if mark.name in _NEGATIONS:
        if _CONTRAST.match(mark.text) and _CHANGES.search(keeper.text):
            return True
        gained = keeper.classes - sentence.classes
        if "must" in gained and signs.WITHOUT.search(sentence.text):
            return True  # not without a review: it must be reviewed
        if gained & _BOUNDS and _alike(sentence, keeper) and (mark.name == "only" or sentence.classes & _BOUNDS):
            return True  # limited to 5: at most 5; not above 5, too
        if mark.name == "only" and ("single" in keeper.classes or "must" in gained):
            return True  # by hand only: always by hand
        if keeper.over_classes & NEGATIVE or any(_negates(one, sentence) for one in side.pointing(keeper)):
            return True
        return _negates(keeper, sentence) and not (enough is COPY and _of_others(mark, sentence, keeper))
    # What stood over it before says nothing in the place of what it said itself.
    classes = keeper.classes | (keeper.over_classes - (sentence.over_classes if enough is COPY else frozenset()))
    if any(other.name == "upper" and _CAPS.match(other.text) for other in sentence.marks):
        classes -= {"upper"}  # "may be capped" is no permission, as "may be at most 40" is
    if mark.name == "possible" and enough is COPY and "probable" in keeper.classes - sentence.classes:
        classes -= {"unverified"}  # "probably" is more than "possibly"
    if classes & enough[mark.name]:
        return True
    # "Unverified." at its head is said of the whole paragraph.
    return mark.name == "unverified" and any("unverified" in other.classes for other in side.of_block(keeper))


def _of_others(mark: Mark, sentence: Sentence, keeper: Sentence) -> bool:
    """Return whether all that a copy still denies is what other negations of the sentence deny.

    "Never push by hand, nobody is there" that became "Push by hand, nobody is there" has a negation left.
    """
    if mark.name == "only":
        no = [sum(says_no(other) and other.name != "only" for other in one.marks) for one in (keeper, sentence)]
        return "only" not in keeper.classes and no[0] <= no[1]
    if _count(keeper, mark) >= _count(sentence, mark):
        return False
    mine = ruled(sentence, mark)
    others = {ruled(sentence, other) for other in sentence.marks if says_no(other) and other is not mark} - {mine}
    left = {ruled(keeper, other) for other in keeper.marks if says_no(other)}
    return bool(mine) and bool(left) and left <= others and mine in keeper.tokens


def _count(sentence: Sentence, mark: Mark) -> int:
    return sum(other.text.casefold() == mark.text.casefold() for other in sentence.marks)


def _other_way(mark: Mark, sentence: Sentence, speaker: Sentence) -> bool:
    """Return whether a rule may have been said the other way round: "not before X" is "after X"."""
    if mark.name not in _NEGATIONS:
        return False
    gained = {found.start for found in speaker.marks if found.name in _LIMITS - sentence.classes}
    clauses = {speaker.clause_at(at) for at in gained}
    if any(at is not None and speaker.clause_tokens[at] & sentence.tokens for at in clauses) and _alike(sentence, speaker):
        return True
    if signs.RESTRICTS.search(sentence.text):
        return False
    return bool(signs.WEAK.search(sentence.text) and signs.RESTRICTS.search(speaker.text))


def _alike(sentence: Sentence, other: Sentence) -> bool:
    """Return whether another sentence speaks of the same, and does not only stand beside it."""
    return len(sentence.tokens & other.tokens) * 2 >= min(len(sentence.tokens), len(other.tokens))


def _negates(keeper: Sentence, sentence: Sentence) -> bool:
    """Return whether a sentence holds a negation; words like "stopped" count if the other has none such."""
    if any(says_no(mark) and mark.name != "other_neg" for mark in keeper.marks):
        return True
    before = {mark.text.casefold()[:4] for mark in sentence.marks if mark.name == "other_neg"}
    return any(mark.name == "other_neg" and mark.text.casefold()[:4] not in before for mark in keeper.marks)
