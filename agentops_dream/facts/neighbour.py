"""Exchanges that the comparison of like with like does not see (SPEC §8, "swap").

Two values of different kinds that have changed places ("`lwcook` 5 … format version 0.9.4"), and two
sentences without a subject of their own that have changed entries ("Backups run hourly.").
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from agentops_dream.facts.company import Company, learn
from agentops_dream.facts.index import Index
from agentops_dream.facts.literal import Literal
from agentops_dream.facts.reading import Reading, Sentence, token
from agentops_dream.facts.units import loose_key
from agentops_dream.facts.value import job, mark, same_job, values

CLOSE = 0.8
_SHARED = 0.3
"""Share of their literals that two entries about one thing have in common."""
_KINDS = frozenset({"number", "version", "time", "date", "issue"})
_Pairs = dict[str, set[str]]


def exchanged(inputs: Index, outputs: Index, *, succession: bool = False) -> Iterator[str]:
    """Yield the sentences of the outputs in which a value or a sentence stands in another's place.

    ``succession``: one entry tells what became of another, so that a sentence of either is about both.
    """
    yield from _values(inputs, outputs)
    if len(inputs.readings) > 1 and not succession:
        yield from _sentences(inputs.readings, outputs.readings)


# ---------------------------------------------------------------- values


def _values(inputs: Index, outputs: Index) -> Iterator[str]:
    owners: _Pairs = defaultdict(set)
    owned: _Pairs = defaultdict(set)
    for sentence in inputs.sentences:
        for owner, value, _ in _tight(sentence):
            owners[value].add(owner)
            owned[owner].add(value)
    known = {sentence.plain for sentence in inputs.sentences}
    found: list[tuple[str, str, tuple[str, str], Sentence]] = []
    for sentence in outputs.sentences:
        if sentence.plain in known:
            continue
        for owner, value, kind in _tight(sentence):
            if owner in owned and value in owners and value not in owned[owner]:
                found.append((owner, value, kind, sentence))
    for owner, value, kind, sentence in found:
        for other_owner, other_value, other_kind, _ in found:
            # Values of one kind are compared by their company: that bears other wordings.
            if kind != other_kind and other_value in owned[owner] and other_owner in owners[value]:
                yield sentence.text.strip()
                break


def _tight(sentence: Sentence) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """Yield ``(what stands right before it, value, its kind and unit)``."""
    marks = [(word.start, word.end, word.stem) for word in sentence.words]
    marks += [
        (literal.start, literal.end, token(literal))
        for literal in sentence.literals
        if literal.kind not in _KINDS and literal.kind != "link"
    ]
    marks.sort()
    for literal in sentence.literals:
        if literal.kind not in _KINDS:
            continue
        before = [mark for mark in marks if mark[1] <= literal.start]
        if before and _joined(sentence, before[-1][1], literal.start):
            yield before[-1][2], loose_key(literal.key.lstrip("vV#")), (literal.kind, literal.unit)


def _joined(sentence: Sentence, end: int, start: int) -> bool:
    between = sentence.text[end - sentence.start : start - sentence.start].strip(" `*\"'()=:#")
    return between.casefold() in ("", "v", "version", "is", "at", "of", "to", "の", "は", "が", "には", "では", "に", "で", "为", "是", "은", "는")


# ---------------------------------------------------------------- owners

_OWNS = 0.8
"""How closely an owner stands with its value: in its clause, or over it."""
_LISTED = re.compile(r"(?i)[\s`,、/]*(?:\b(?:and|or)\b|と|および|及び|か|和|与|와|과|및|[,、/&])[\s`]*")


def ownerless(inputs: Index, outputs: Index) -> Iterator[str]:
    """Yield lists of values of which nothing says any more which is whose: "ports 7101 and 7202"."""
    whole = outputs.sentences
    for at, sentence in enumerate(whole):
        if sentence.kind in ("heading", "description") or sentence.plain in inputs.texts:
            continue
        standing = values(sentence)
        for one, other in zip(standing, standing[1:]):
            between = sentence.text[one.end - sentence.start : other.start - sentence.start]
            if not same_job(mark(one), mark(other)) or not _LISTED.fullmatch(between):
                continue
            company = learn(inputs, {job(mark(one))})
            if company.sentences[mark(one)] & company.sentences[mark(other)]:
                continue
            near = frozenset().union(
                *(s.tokens | s.over for s in whole[max(0, at - 1) : at + 2] if s.block == sentence.block)
            )
            owners = (_owners(one, other, company), _owners(other, one, company))
            if all(owners) and not any(near & mine for mine in owners):
                yield sentence.text.strip()


def _owners(value: Literal, rival: Literal, company: Company) -> frozenset[str]:
    theirs = company.of.get(mark(rival), {})
    stems = company.of.get(mark(value), {}).items()
    return frozenset(stem for stem, weight in stems if weight >= _OWNS and stem in company.subjects and stem not in theirs)


# ---------------------------------------------------------------- sentences


def _sentences(inputs: Sequence[Reading], outputs: Sequence[Reading]) -> Iterator[str]:
    """Yield sentences that stand with the subject of another entry, if that entry's stand with theirs."""
    about = [reading.ids.union(*(s.stems for s in reading.sentences if s.kind == "description")) for reading in inputs]
    own = [
        words.difference(*(other for other in about if other is not words))
        | _heads(reading).difference(*(_all(other) for other in inputs if other is not reading))
        for words, reading in zip(about, inputs)
    ]
    moved: list[tuple[int, int, str]] = []
    for reading in outputs:
        for sentence in reading.sentences:
            if sentence.kind in ("description", "heading") or any(sentence.stems & words for words in own):
                continue
            homes = [n for n, source in enumerate(inputs) if _holds(source, sentence)]
            if len(homes) != 1 or not own[homes[0]]:
                continue
            company = frozenset().union(*(s.stems | s.over for s in reading.sentences if s.block == sentence.block))
            there = [n for n, words in enumerate(own) if words & company]
            if len(there) == 1 and there[0] != homes[0] and not _twins(inputs[there[0]], inputs[homes[0]]):
                moved.append((homes[0], there[0], sentence.text.strip()))
    pairs = {(home, there) for home, there, _ in moved}
    yield from (text for home, there, text in moved if (there, home) in pairs)


def _twins(one: Reading, other: Reading) -> bool:
    """Return whether two entries tell of one thing: they share a good part of their literals."""
    mine, theirs = ({token(literal) for literal in reading.literals if not literal.soft} for reading in (one, other))
    return len(mine & theirs) >= _SHARED * min(len(mine), len(theirs))


def _heads(reading: Reading) -> frozenset[str]:
    first = next((s for s in reading.sentences if s.kind not in ("description", "heading")), None)
    return first.stems if first else frozenset()


def _all(reading: Reading) -> frozenset[str]:
    return reading.stems | reading.ids


def _holds(source: Reading, sentence: Sentence) -> bool:
    wanted = sentence.tokens
    return bool(wanted) and any(
        len(wanted & s.tokens) >= CLOSE * len(wanted | s.tokens) for s in source.sentences if s.kind != "description"
    )
