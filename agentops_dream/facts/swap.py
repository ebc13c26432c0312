"""Swaps: a value that has changed places (SPEC §8).

If what stands around a literal in the output is the company of *another* literal of its kind in the
inputs, and hardly its own, staging has got production's port. Honest rewriting moves words about, so
one misplaced value is no proof: the owner of the company must have lost its place as well (an
exchange, or a round of them), or the evidence must be strong. Within one sentence that holds both
values, their order tells whose company is whose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from agentops_dream.facts.change import changes, changes_in, was
from agentops_dream.facts.company import CLAUSE, ENTRY, Company, around, learn
from agentops_dream.facts.index import Index
from agentops_dream.facts.literal import Literal
from agentops_dream.facts.reading import Sentence, token
from agentops_dream.facts.supersede import Declared
from agentops_dream.facts.value import Mark, job, mark, one_noun, same_job, values

_EDGE = 0.4
"""Smaller differences in closeness say nothing."""
_LEAST = 0.2
"""Evidence that counts if the owner of the company has lost its place too: an exchange."""
_ALONE_LEAST = 1.7
"""Evidence that counts by itself."""
_TIMES = 1.35
"""How much more of the rival's company than of its own must stand around a value."""


_MEASURES = frozenset({"number", "version", "date", "time"})
"""What is written next to what it measures; a name, a command or a path may be told of from another side."""


_ROW = re.compile(r"(?i)[\s`]*(?:,|/|、|・|\band\b|\bor\b|と|や|及び|和|과|와)[\s`]*")


@dataclass(frozen=True)
class Swapped:
    """A value in the company of another."""

    literal: Literal
    sentence: str
    owner: str
    """The literal whose company it is."""


def swapped(inputs: Index, outputs: Index, declared: Declared) -> Iterator[Swapped]:
    """Yield the values of the outputs that stand in another value's company."""
    unchanged = {(sentence.plain, sentence.over) for sentence in inputs.sentences}
    changed = [
        sentence
        for sentence in outputs.sentences
        if sentence.kind != "heading" and (sentence.plain, sentence.over) not in unchanged and values(sentence)
    ]
    if not changed:
        return
    company = learn(inputs, {job(mark(literal)) for sentence in changed for literal in values(sentence)})
    company.newer = frozenset(reading.text.id for reading in declared.cited)
    found: list[tuple[Mark, Mark, float, Swapped]] = []
    yield from _turned(outputs, changed, company)
    for sentence in changed:
        for literal in values(sentence):
            if sentence.kind == "description" and _listed(literal, sentence):
                continue
            owner, weight = _owner(literal, sentence, company, declared)
            if sentence.kind == "description" and mark(literal)[0] == "date":
                weight = 0.0  # in one line, what holds since a day stands beside that day, whoever decided it on another
            if owner:
                swap = Swapped(literal, sentence.text.strip(), company.text[owner])
                found.append((mark(literal), owner, weight, swap))
    displaced = {value for value, _, _, _ in found}
    for value, owner, weight, swap in found:
        if owner in displaced or (weight >= _ALONE_LEAST and value[0] in _MEASURES):
            yield swap


def _listed(literal: Literal, sentence: Sentence) -> bool:
    """Return whether a value stands in a row with its like, as "limits of 30 and 10 days": nothing says whose it is."""
    standing = values(sentence)
    return any(
        other is not literal
        and mark(literal)[0] == mark(other)[0]
        and _ROW.fullmatch(sentence.text[first.end - sentence.start : second.start - sentence.start])
        for other in standing
        for first, second in [sorted((literal, other), key=lambda one: one.start)]
    )


def _turned(outputs: Index, changed: Sequence[Sentence], company: Company) -> Iterator[Swapped]:
    """Yield changes that run the other way now: "from 12 s to 8 s"; "before that it was 12 s"."""
    told = {change for reading in outputs.readings for change in changes(reading.sentences)}
    back = {new: old for old, new in sorted(told) if (new, old) in company.changes and (old, new) not in company.changes}
    replaced = {old for old, _ in company.changes}
    for sentence in changed:
        for literal in values(sentence):
            value = mark(literal)
            olds = [old for old, new in company.changes if new == value and new not in replaced]
            if value in back:
                yield Swapped(literal, sentence.text.strip(), company.text.get(back[value], back[value][1]))
            elif olds and was(sentence, literal) and not any(new == value for _, new in changes_in(sentence)):
                yield Swapped(literal, sentence.text.strip(), company.text[olds[0]])


def _owner(literal: Literal, sentence: Sentence, company: Company, declared: Declared) -> tuple[Mark | None, float]:
    value = mark(literal)
    own = company.of.get(value)
    if own is None:
        return None, 0.0
    here = around(sentence, literal)
    if sentence.kind == "description":  # a row of topics: each stands for itself
        here = {stem: weight for stem, weight in here.items() if weight >= CLAUSE} or here
    best: float = 0.0
    owner: Mark | None = None
    for rival in sorted(_candidates(here, value, own, company)):
        if not _rivals(value, rival, company, declared):
            continue
        theirs = company.of[rival]
        my_entry, their_entry = company.apart(value, rival)
        mine = other = 0.0
        for stem, weight in here.items():
            there = max(theirs.get(stem, 0.0), ENTRY if stem in their_entry else 0.0)
            home = max(own.get(stem, 0.0), ENTRY if stem in my_entry else 0.0)
            edge = (there - home) * company.grip(stem) if abs(there - home) >= _EDGE else 0.0
            if edge > 0:
                other += weight * edge
            else:
                mine -= weight * edge
        mine, other = round(mine, 6), round(other, 6)  # the order of summing must not decide
        enough = other >= _LEAST and other >= _TIMES * mine and other - mine > best
        if enough and not _in_order(literal, rival, sentence, own, theirs):
            best, owner = other - mine, rival
    return owner, best


def _candidates(here: dict[str, float], value: Mark, own: dict[str, float], company: Company) -> set[Mark]:
    """Return the values in whose company the output's words stand more closely than in this value's."""
    found: set[Mark] = set()
    for stem, weight in here.items():
        if weight > own.get(stem, 0.0):
            found |= company.values_with.get(stem, set())
            for number, entry in enumerate(company.entries):
                if stem in entry and number not in company.homes[value]:
                    found |= {rival for rival, homes in company.homes.items() if number in homes}
    return found


def _rivals(value: Mark, rival: Mark, company: Company, declared: Declared) -> bool:
    if not same_job(value, rival):
        return False
    if value[0] == "name" and company.text[value].isupper() != company.text[rival].isupper():
        return False  # an acronym and somebody
    if not any(one_noun(one, other) for one in company.nouns[value] for other in company.nouns[rival]):
        return False
    if rival in company.denied:
        return False
    if company.follows(value, rival) or company.follows(rival, value) or company.replaces(value, rival):
        return False
    if any(key == rival[1] for _, key, _ in declared.literals):
        return False
    return _parallel(value, rival, company)


def _in_order(
    literal: Literal, rival: Mark, sentence: Sentence, own: dict[str, float], theirs: dict[str, float]
) -> bool:
    """Return whether the sentence holds both values, each with its company in the same order."""
    there = [lit for lit in sentence.literals if mark(lit) == rival]
    if not there:
        return False
    values = {token(literal), *(token(lit) for lit in there)}
    places: dict[str, int] = {}
    for word in sentence.words:
        places.setdefault(word.stem, word.start)
    for lit in sentence.literals:
        places.setdefault(token(lit), lit.start)
    for value in values:
        places.pop(value, None)
    mine = [at for stem, at in places.items() if own.get(stem, 0.0) > theirs.get(stem, 0.0)]
    others = [at for stem, at in places.items() if theirs.get(stem, 0.0) > own.get(stem, 0.0)]
    if not mine or not others:
        # Only the rival's company is here, and so is the rival: it is the rival's, not this value's.
        return bool(others)
    return (literal.start < there[0].start) == (min(mine) < min(others))


def _alike(one: str, other: str) -> bool:
    """Return whether two values are built alike, as ``kv/orders/prod`` and ``kv/orders/staging`` are."""
    return Indel.normalized_similarity(one, other) >= 0.5


def _parallel(value: Mark, rival: Mark, company: Company) -> bool:
    """Return whether two values do the same job: only then can one stand in the other's place."""
    family, key, unit = value
    if family == "date":
        return ("-00" in key) == ("-00" in rival[1]) and key[:5] != "0000-" and rival[1][:5] != "0000-"
    if family in ("time", "name") or unit or company.sentences[value] & company.sentences[rival]:
        return True
    if family not in ("number", "version"):
        if key in rival[1] or rival[1] in key:
            return False
        if _alike(key, rival[1]):
            return True
    mine, theirs = company.of[value], company.of[rival]
    return any(weight == CLAUSE and theirs.get(stem) == CLAUSE and ":" not in stem for stem, weight in mine.items())

