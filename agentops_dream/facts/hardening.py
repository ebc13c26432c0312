"""Hardening: a hedge or negation gone from, or added to, the sentence that keeps its fact (SPEC §8).

The tag of an unverified remark is ignored by those who read it later; its wording is what protects
them, so the wording must stay with the fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from agentops_dream.facts.index import Index
from agentops_dream.facts.literal import Literal
from agentops_dream.facts.marks import Mark
from agentops_dream.facts.pairing import Pairing, pair
from agentops_dream.facts.reading import Sentence, token

KEEPS = 0.5
"""Share of a sentence's tokens that another must have to count as keeping its fact."""
ADDED = 0.7
NEGATIVE = frozenset({"never", "not", "only", "other_neg"})

# hedge -> the classes of which one must stand in the sentence that keeps the fact
HEDGES: dict[str, frozenset[str]] = {
    "possible": frozenset({"possible", "allowed"}),
    "probable": frozenset({"probable", "possible"}),
    "reported": frozenset({"reported", "probable", "possible"}),
    "expected": frozenset({"expected", "probable", "possible", "must", "reported"}),
}


@dataclass(frozen=True)
class Hardened:
    """One sentence that became harder, or turned round."""

    before: str
    after: str
    mark: str


@dataclass(frozen=True)
class _Side:
    """Sentences of one side, their neighbours in the same block, and how to look them up."""

    sentences: tuple[Sentence, ...]
    around: dict[int, tuple[Sentence, ...]]
    texts: frozenset[str]

    @cached_property
    def pairs(self) -> Pairing:
        """The sentences, ready to be looked up."""
        return pair(self.sentences)


def _side(index: Index) -> _Side:
    sentences = tuple(s for s in index.sentences if s.kind not in ("heading",))
    around: dict[int, tuple[Sentence, ...]] = {}
    for at, sentence in enumerate(sentences):
        near = (sentences[i] for i in (at - 1, at + 1) if 0 <= i < len(sentences))
        around[id(sentence)] = tuple(
            other for other in near if other.block == sentence.block or {other.kind, sentence.kind} == {"item"}
        )
    return _Side(sentences, around, frozenset(s.plain for s in sentences))


def hardened(inputs: Index, outputs: Index, *, declared: str = "") -> Iterator[Hardened]:
    """Yield the sentences of the inputs whose hedge or negation did not survive with their fact."""
    source, target = _side(inputs), _side(outputs)
    for sentence in source.sentences:
        if not sentence.marks or sentence.plain in target.texts or sentence.plain in declared:
            continue
        yield from _gone(sentence, source, target)
    yield from _turned(source, target, declared)
    for sentence in target.sentences:
        if sentence.marks and sentence.kind != "description" and sentence.plain not in source.texts:
            yield from _added(sentence, source)


def _gone(sentence: Sentence, source: _Side, target: _Side) -> Iterator[Hardened]:
    done: set[str] = set()
    for mark in sentence.marks:
        if mark.name in done:
            continue
        done.add(mark.name)
        keepers = _keepers(sentence, *_scope(sentence, mark), target)
        if mark.name == "unverified":
            if not keepers:
                keepers = [
                    k for near in source.around[id(sentence)] for k in _keepers(near, near.tokens, near.tokens, target)
                ]
            lost = keepers and not any(_hedged(keeper, target) for keeper in keepers)
        elif mark.name in HEDGES:
            lost = keepers and not any(_hedge_kept(mark.name, sentence, keeper, target) for keeper in keepers)
        elif mark.name in ("never", "not", "only"):
            lost = keepers and not any(_negates(keeper, sentence) for keeper in keepers)
        else:
            continue
        if lost:
            yield Hardened(sentence.text.strip(), keepers[0].text.strip(), mark.text)


def _turned(source: _Side, target: _Side, declared: str) -> Iterator[Hardened]:
    """Yield sentences whose command, path or identifier was under a ban and is so nowhere any more.

    That is sharper than comparing sentences: "never run X" cut in two still bans X.
    """
    banned: dict[tuple[int, int], tuple[Sentence, str, set[str]]] = {}
    free: set[str] = set()
    for sentence in source.sentences:
        for literal in sentence.literals:
            if literal.kind not in ("code", "identifier", "path", "flag", "url"):
                continue
            marks = _ruling(sentence, literal)
            if marks:
                place = (id(sentence), sentence.clause_at(literal.start) or 0)
                banned.setdefault(place, (sentence, marks[0].text, set()))[2].add(token(literal))
            else:
                free.add(token(literal))
    for sentence, mark, keys in banned.values():
        if keys & free or sentence.plain in target.texts or sentence.plain in declared:
            continue
        holders = [other for other in target.sentences if keys & other.tokens and other.kind != "description"]
        if holders and not any(_negates(holder, sentence) or holder.over_classes & NEGATIVE for holder in holders):
            yield Hardened(sentence.text.strip(), holders[0].text.strip(), mark)


def _ruling(sentence: Sentence, literal: Literal) -> list[Mark]:
    """Return the bans and negations in the clause of a literal; a clause ends where the next begins to speak."""
    at = sentence.clause_at(literal.start)
    return [
        mark
        for mark in sentence.marks
        if mark.name in ("never", "not") and sentence.clause_at(mark.start) == at and at is not None
    ]


def _scope(sentence: Sentence, mark: Mark) -> tuple[frozenset[str], frozenset[str]]:
    """Return the tokens of the clause that a mark rules, and those with as much before it as says something."""
    clauses = sentence.clause_tokens or (sentence.tokens,)
    at = sentence.clause_at(mark.start) or 0
    first, last = at, at
    own = clauses[at]
    while not own and last + 1 < len(clauses):
        last += 1
        own = clauses[last]
    wide = own
    while len(wide) < 3 and first > 0:
        first -= 1
        wide |= clauses[first]
    return own or wide, wide


def _keepers(sentence: Sentence, own: frozenset[str], wide: frozenset[str], target: _Side) -> list[Sentence]:
    """Return the sentences that keep what a clause says, in the body unless it stood in a description."""
    scores = {id(found): (score, found) for score, found in target.pairs.best(wide, 8)}
    ranked = []
    for score, found in target.pairs.best(own, 8):
        if found.kind == "description" and sentence.kind != "description":
            continue
        around = scores.get(id(found), (0.0, found))[0]
        if score >= KEEPS and around >= KEEPS * 0.7:
            ranked.append((score + around / 2, found))
    if not ranked:
        return []
    most = max(score for score, _ in ranked)
    return [found for score, found in ranked if score >= most * 0.85]


def _negates(keeper: Sentence, sentence: Sentence) -> bool:
    """Return whether a sentence holds a negation; words like "stopped" count if the other has none such."""
    if keeper.classes & (NEGATIVE - {"other_neg"}):
        return True
    before = {mark.text.casefold()[:4] for mark in sentence.marks if mark.name == "other_neg"}
    return any(mark.name == "other_neg" and mark.text.casefold()[:4] not in before for mark in keeper.marks)


def _hedged(keeper: Sentence, side: _Side) -> bool:
    return "unverified" in keeper.classes | keeper.over_classes or any(
        "unverified" in near.classes for near in side.around[id(keeper)]
    )


def _hedge_kept(name: str, sentence: Sentence, keeper: Sentence, side: _Side) -> bool:
    if keeper.classes & HEDGES[name]:
        return True
    if name == "possible" and "probable" in keeper.classes - sentence.classes:
        return False
    return name != "expected" and ("unverified" in keeper.classes or "unverified" in keeper.over_classes)


def _added(sentence: Sentence, source: _Side) -> Iterator[Hardened]:
    for mark in sentence.marks:
        if mark.name not in ("never", "not"):
            continue
        _, wide = _scope(sentence, mark)
        ranked = source.pairs.best(wide, 3)
        if ranked and ranked[0][0] >= ADDED and not any(found.classes & NEGATIVE for _, found in ranked):
            yield Hardened(ranked[0][1].text.strip(), sentence.text.strip(), mark.text)
            return
