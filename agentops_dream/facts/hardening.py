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

from rapidfuzz.distance import LCSseq

from agentops_dream.facts.hardened import Hardened
from agentops_dream.facts.index import Index
from agentops_dream.facts.keeping import (
    COPY,
    FREE,
    HEDGES,
    NEGATIONS,
    as_in_the_body,
    kept,
    negates,
    other_way,
    repeated,
    same,
)
from agentops_dream.facts.marks import Mark
from agentops_dream.facts.negation import NEGATIVE, ruled
from agentops_dream.facts.reading import Sentence, token
from agentops_dream.facts.side import Side, side
from agentops_dream.patterns import late

KEEPS = 0.5
"""Share of what a mark rules that another sentence must hold to count as keeping its fact."""
SURE = 0.6
"""The same, where the words are others and the mark may be, too."""
WHOLE = 1.4
"""Closeness (share of its clause, and half of what is around it) from which on nothing is left to be said beside it."""
COPIED = 0.75
"""Share of it, in the same order, from which on a sentence is a copy."""
_JAPANESE = late("[\u3041-\u3096]")
_WEAK = late(r"(?i)may(?: be| not| only)?|should|will|はず|べき|したい|应该|应当|해야 할")
"""Hedges so often meant otherwise ("two people may swap shifts") that only a copy shows their loss."""


def hardened(inputs: Index, outputs: Index, *, declared: str = "") -> Iterator[Hardened]:
    """Yield the sentences of the inputs whose hedge or negation did not survive with their fact.

    ``declared``: plain text that may go.
    """
    source, target = side(inputs), side(outputs)
    for sentence in source.sentences:
        if not sentence.marks or sentence.plain in target.texts or sentence.plain in declared:
            continue
        yield from _gone(sentence, source, target)
    yield from _unbanned(source, target, declared)


def _gone(sentence: Sentence, source: Side, target: Side) -> Iterator[Hardened]:
    done: set[tuple[str, str]] = set()
    for mark in sentence.marks:
        kind = (mark.name, ruled(sentence, mark) if mark.name in NEGATIONS else "")
        if kind in done or mark.name not in HEDGES | NEGATIONS:
            continue
        done.add(kind)
        if mark.text.lower() == "may" and _denied(sentence, mark):
            continue  # "nobody may": the negation is what has to stay
        if repeated(mark, sentence, target):
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
            if found.copied >= COPIED
            and (_enough(wide) or found.sentence.ordered == sentence.ordered)
            and (sentence.kind != "description" or mark.name in HEDGES or _alike(found.sentence, sentence))
        ]
        # Where nothing became surer on the whole, which of two neighbours says so is wording.
        beside = mark.name in HEDGES and not _fewer(mark, source, target)
        if copies:
            speakers = [found.sentence for found in copies]
            speakers += [other for one in speakers for other in target.around[id(one)] if beside]
            is_kept = any(kept(mark, sentence, speaker, target, COPY) for speaker in speakers)
        elif sentence.kind == "description" and mark.name in NEGATIONS:
            continue  # it sums up; the rule itself is in the body
        elif _WEAK.fullmatch(mark.text) or near[0].own < SURE:
            continue
        else:
            apart = most < WHOLE
            speakers = [found.sentence for found in near if found.share >= most * (0.5 if apart else 0.85)]
            speakers += [other for one in speakers for other in target.around[id(one)] if beside or apart]
            is_kept = any(
                kept(mark, sentence, speaker, target, FREE) or other_way(mark, sentence, speaker)
                for speaker in speakers
            )
        if not is_kept and not as_in_the_body(sentence, near[0].sentence, source):
            yield Hardened(sentence.text.strip(), near[0].sentence.text.strip(), mark.text)


def _alike(one: Sentence, other: Sentence) -> bool:
    """Return whether two descriptions are about as long and speak of the same."""
    return len(one.tokens & other.tokens) * 2 >= len(one.tokens | other.tokens)


def _fewer(mark: Mark, source: Side, target: Side) -> bool:
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


def _from_here(found: Sentence, sentence: Sentence, own: Sequence[str], source: Side) -> bool:
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


def _near(sentence: Sentence, own: Sequence[str], wide: Sequence[str], target: Side) -> list[_Near]:
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
    there = {id(near.sentence) for near in found}
    for score, other in target.pairs.best(own, 8):  # a clause that is a sentence of its own now
        if score > 0.99 and id(other) not in there and other.kind == "text" and len(other.tokens) <= len(own) + 1:
            found.append(_Near(other, score, score, 0.0))
    if sentence.kind == "description":  # what the index shows is read alone
        found = [near for near in found if near.sentence.kind == "description"] or found
    return sorted(found, key=lambda near: -near.share)


def _unbanned(source: Side, target: Side, declared: str) -> Iterator[Hardened]:
    """Yield sentences whose command, path or identifier was under a ban and is so nowhere any more.

    That is sharper than comparing sentences: "never run X" cut in two still bans X.
    """
    banned: dict[tuple[int, int], tuple[Sentence, Mark, set[str]]] = {}
    free: set[str] = set()
    for sentence in source.sentences:
        for literal in sentence.literals:
            if literal.kind not in ("code", "identifier", "path", "flag", "url"):
                continue
            at = sentence.clause_at(literal.start)
            ruling = [m for m in sentence.marks if m.name in ("never", "not") and sentence.clause_at(m.start) == at]
            if ruling and at is not None:
                banned.setdefault((id(sentence), at), (sentence, ruling[0], set()))[2].add(token(literal))
            else:
                free.add(token(literal))
    for sentence, mark, held in banned.values():
        keys = held - free
        if not keys or sentence.plain in target.texts or sentence.plain in declared:
            continue
        holders = [other for other in target.sentences if keys & other.tokens and other.kind != "description"]
        if any(same(mark, sentence, holder) for holder in holders) or _denied_apart(sentence, mark, target):
            continue
        pointing = [near for holder in holders for near in target.pointing(holder)]
        if holders and not any(
            negates(holder, sentence) or holder.over_classes & NEGATIVE for holder in (*holders, *pointing)
        ):
            yield Hardened(sentence.text.strip(), holders[0].text.strip(), mark.text)


def _denied_apart(sentence: Sentence, mark: Mark, target: Side) -> bool:
    """Return whether what a Japanese negation denies, which is what stands before it, is denied in a sentence of the outputs."""
    at = sentence.clause_at(mark.start)
    if at is None or not _JAPANESE.search(mark.text):
        return False
    denied = frozenset(sentence.between(sentence.clauses[at][0], mark.start))
    return bool(denied) and any(
        denied <= other.tokens and any(found.name in ("never", "not") for found in other.marks) for other in target.sentences
    )


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
    return any(other.name in NEGATIONS and sentence.clause_at(other.start) == at for other in sentence.marks)


def _depth(sentence: Sentence, at: int) -> int:
    before = sentence.text[: at - sentence.start]
    return before.count("(") - before.count(")")
