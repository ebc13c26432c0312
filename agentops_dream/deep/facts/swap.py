"""Swaps: a value that has changed places (SPEC §8).

A literal keeps company: the names, identifiers and words of its clause, its sentence, the heading or
label over it, the entry it stands in. If what stands around it in the output is the company of
*another* literal of its kind in the inputs, and hardly its own, staging has got production's port.
Within one sentence that holds both values, order and nearness tell whose company is whose.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from rapidfuzz.distance import Indel

from agentops_dream.deep.facts.index import Index
from agentops_dream.deep.facts.literal import Literal, walk_parts
from agentops_dream.deep.facts.literals import FAMILY
from agentops_dream.deep.facts.reading import Reading, Sentence, token
from agentops_dream.deep.facts.supersede import Declared

CLAUSE, ALONE, OVER, SENTENCE, ENTRY, NEAR, ANOTHERS = 1.0, 0.9, 0.8, 0.6, 0.5, 0.5, 0.2
EDGE = 0.4
"""Smaller differences in closeness say nothing."""
WORDING = 0.25
"""What a word weighs that stands in one sentence only: it may be mere wording."""
LEAST = 0.2
"""Evidence that counts if the owner of the company has lost its place too: an exchange."""
ALONE_LEAST = 1.5
"""Evidence that counts by itself."""
TIMES = 1.6
MANY = 60
"""A sentence with more values is a table of data that was flattened; nearness says nothing there."""

_CHANGE = re.compile(
    r"(?i)[\s`'\"*(),]*(?:to|->|→|=>|instead of|rather than|was|now|from|から|より|へ|ではなく|에서|으로|到|至|改为|变为|代替)[\s`'\"*(),]*"
)
"""What stands between an old value and a new one."""

_PART = re.compile(r";|\b(?:while|whereas)\b|一方|而(?=[^且])|반면")
_COLON = re.compile(r":(?=[\s`\"*]|[^\x00-\x7f])")

Mark = tuple[str, str, str]
"""``(family, key, unit)``: one value, whatever its spelling."""


@dataclass(frozen=True)
class Swapped:
    """A value in the company of another."""

    literal: Literal
    sentence: str
    owner: str
    """The literal whose company it is."""


@dataclass(eq=False)
class _Company:
    """What each value of the inputs stands with."""

    of: dict[Mark, dict[str, float]] = field(default_factory=dict)
    text: dict[Mark, str] = field(default_factory=dict)
    values_with: dict[str, set[Mark]] = field(default_factory=lambda: defaultdict(set))
    changes: set[tuple[Mark, Mark]] = field(default_factory=set)
    entries: list[frozenset[str]] = field(default_factory=list)
    """What each entry is about."""
    nouns: dict[Mark, set[str]] = field(default_factory=lambda: defaultdict(set))
    """What each bare number counts."""
    homes: dict[Mark, set[int]] = field(default_factory=lambda: defaultdict(set))
    """In which entries each value stands."""
    reach: Counter[str] = field(default_factory=Counter)
    """In how many sentences of the inputs a token stands, or over how many."""
    subjects: set[str] = field(default_factory=set)
    """Words of ids, and names: what a sentence is about."""

    def apart(self, value: Mark, rival: Mark) -> tuple[frozenset[str], frozenset[str]]:
        """What the entries of each are about; nothing, if one entry holds both: it says nothing then."""
        if self.homes[value] & self.homes[rival]:
            return frozenset(), frozenset()
        mine = frozenset().union(*(self.entries[n] for n in self.homes[value]))
        theirs = frozenset().union(*(self.entries[n] for n in self.homes[rival]))
        return mine, theirs

    def grip(self, stem: str) -> float:
        """How much a token says about whose company this is."""
        if self.reach[stem] > 1 or stem in self.subjects or ":" in stem or " " in stem:
            return 1.0
        return WORDING if stem.isascii() else WORDING / 2  # a word without spaces is several pairs


def mark(literal: Literal) -> Mark:
    """Return the value that a literal states."""
    family = FAMILY.get(literal.kind, literal.kind)
    if literal.kind in ("version", "relative"):
        family = literal.kind
    unit = literal.unit if literal.kind == "number" else ""
    key = literal.key.lstrip("vV") if family in ("number", "version") else literal.key
    return family, key, unit


def _values(sentence: Sentence) -> list[Literal]:
    found = [literal for literal in sentence.literals if literal.kind not in ("link", "quote", "subject") and not literal.soft]
    return found if len(found) <= MANY else []


def _around(sentence: Sentence, literal: Literal, near: frozenset[str]) -> dict[str, float]:
    """Return token -> how closely it accompanies a literal."""
    found = dict.fromkeys(near, NEAR)
    for stem in sentence.over:
        found[stem] = OVER
    own = _own_clauses(sentence, literal)
    others = _clauses_of_others(sentence, literal)
    label = _label_clauses(sentence)
    rest = SENTENCE if others else ALONE
    parts = _parts(sentence)
    part = parts[min(own)] if own else -1
    taken = {parts[number] for number in others} - {part}
    for number, tokens in enumerate(sentence.clause_tokens):
        if number in own:
            continue
        # What stands in the clause of another value of the same kind is that value's company.
        if number < label:
            weight = OVER
        elif number in others or parts[number] in taken:
            weight = ANOTHERS
        else:
            weight = ALONE if parts[number] == part and part >= 0 and taken else rest
        for stem in tokens:
            found[stem] = max(found.get(stem, 0.0), weight)
    for number in own:
        for stem in sentence.clause_tokens[number]:
            found[stem] = CLAUSE
    found.pop(token(literal), None)
    return found


def _parts(sentence: Sentence) -> list[int]:
    """Return for each clause in which part of the sentence it stands; semicolons and "while" part it."""
    cuts = [sentence.start + match.start() for match in _PART.finditer(sentence.text)]
    return [sum(cut <= start for cut in cuts) for start, _ in sentence.clauses]


def _label_clauses(sentence: Sentence) -> int:
    """Return how many clauses stand before a colon at the head of the sentence: they rule all of it."""
    colon = _COLON.search(sentence.text, 0, 60)
    if colon is None:
        return 0
    return sum(1 for start, _ in sentence.clauses if start < sentence.start + colon.start())


def _own_clauses(sentence: Sentence, literal: Literal) -> frozenset[int]:
    """Return the clause in which a literal stands, or what it belongs to if it stands there alone.

    After a label — "Role (staging): `app_ro`" — that is the whole label; in brackets, what is before them.
    """
    number = sentence.clause_at(literal.start)
    if number is None:
        return frozenset()
    tokens = sentence.clause_tokens
    if tokens[number] - {token(literal)}:
        return frozenset({number})
    before = sentence.text[: literal.start - sentence.start].rstrip(" `*\"'")
    if before.endswith(":"):
        return frozenset(range(number + 1))
    earlier = next((n for n in range(number - 1, -1, -1) if tokens[n]), number)
    return frozenset({number, earlier})


def _clauses_of_others(sentence: Sentence, literal: Literal) -> frozenset[int]:
    mine = _noun(sentence, literal)
    others = (
        lit for lit in _values(sentence) if _same_job(mark(lit), mark(literal)) and _one_noun(mine, _noun(sentence, lit))
    )
    return frozenset(number for lit in others if (number := sentence.clause_at(lit.start)) is not None)


def _noun(sentence: Sentence, literal: Literal) -> str:
    """Return the stem of what a bare number counts, ``""`` if it counts nothing: "16 beds", "port 443"."""
    if literal.kind != "number" or literal.unit:
        return ""
    return next((word.stem for word in sentence.words if 0 <= word.start - literal.end <= 1), "")


def _one_noun(one: str, other: str) -> bool:
    """Return whether two numbers may count the same."""
    return not one or not other or one == other


def _same_job(one: Mark, other: Mark) -> bool:
    """Return whether two different values could stand in one place: same family, unit and shape."""
    if one == other or one[0] != other[0] or one[2] != other[2]:
        return False
    return one[0] in ("number", "version", "date", "time") or _shape(one[1]) == _shape(other[1])


def _learn(inputs: Index) -> _Company:
    company = _Company()
    for reading in inputs.readings:
        entry = _subject(reading)
        company.entries.append(entry)
        company.subjects |= reading.ids
        for place, sentence in enumerate(reading.sentences):
            company.subjects.update(token(lit) for lit in sentence.literals if lit.kind == "name")
            if sentence.kind != "description":
                company.reach.update(sentence.tokens | sentence.over)
            values = _values(sentence)
            for literal in values:
                value = mark(literal)
                company.text.setdefault(value, literal.text)
                company.homes[value].add(len(company.entries) - 1)
                company.nouns[value].add(_noun(sentence, literal))
                known = company.of.setdefault(value, {})
                for stem, weight in _around(sentence, literal, _near(reading, place, literal)).items():
                    if weight > known.get(stem, 0.0):
                        known[stem] = weight
            _learn_changes(sentence, values, company)
    for value, tokens in company.of.items():
        for stem in tokens:
            company.values_with[stem].add(value)
    return company


def _near(reading: Reading, place: int, literal: Literal) -> frozenset[str]:
    """Tokens of the sentences before and after, in the same block, unless they hold a value of their own."""
    sentences = reading.sentences
    found: frozenset[str] = frozenset()
    for at in (place - 1, place + 1):
        if 0 <= at < len(sentences) and sentences[at].block == sentences[place].block:
            if not any(_same_job(mark(lit), mark(literal)) for lit in sentences[at].literals):
                found |= sentences[at].tokens
    return found


def _learn_changes(sentence: Sentence, values: list[Literal], company: _Company) -> None:
    """Remember pairs of values that a sentence puts one after the other: "from 8 s to 12 s"."""
    for first, second in zip(values, values[1:]):
        between = sentence.text[first.end - sentence.start : second.start - sentence.start]
        if mark(first)[0] == mark(second)[0] and _CHANGE.fullmatch(between):
            company.changes.add((mark(first), mark(second)))


def _subject(reading: Reading) -> frozenset[str]:
    """What an entry is about: its id, and what its description and its body both speak of."""
    said: frozenset[str] = frozenset()
    body: frozenset[str] = frozenset()
    for sentence in reading.sentences:
        if sentence.kind == "description":
            said |= sentence.stems
        else:
            body |= sentence.stems | sentence.over
    return reading.ids | (said & body)


def _alike(one: str, other: str) -> bool:
    """Return whether two values are built alike, as ``kv/orders/prod`` and ``kv/orders/staging`` are."""
    return Indel.normalized_similarity(one, other) >= 0.5


def _parallel(value: Mark, rival: Mark, company: _Company) -> bool:
    """Return whether two values do the same job: only then can one stand in the other's place."""
    family, key, unit = value
    if family == "date":
        return ("-00" in key) == ("-00" in rival[1]) and key[:5] != "0000-" and rival[1][:5] != "0000-"
    if family == "time" or unit:
        return True
    if family not in ("number", "version"):
        if key in rival[1] or rival[1] in key:
            return False
        if _alike(key, rival[1]):
            return True
    mine, theirs = company.of[value], company.of[rival]
    return any(weight == CLAUSE and theirs.get(stem) == CLAUSE and ":" not in stem for stem, weight in mine.items())


def _word_like(value: Mark) -> bool:
    return value[0] == "name" or (value[0] != "number" and value[1].isalpha())


def _shape(key: str) -> str:
    """What a value looks like: a path does not take the place of a command."""
    return next((sign for sign in (" ", "=", "/", ".") if sign in key), "-" if key[:1] == "-" else "")


def swapped(inputs: Index, outputs: Index, declared: Declared) -> Iterator[Swapped]:
    """Yield the values of the outputs that stand in another value's company."""
    company = _learn(inputs)
    unchanged = {(s.plain, s.over) for s in inputs.sentences}
    found: list[tuple[Mark, Mark, float, Swapped]] = []
    for reading in outputs.readings:
        for sentence in reading.sentences:
            if sentence.kind == "heading" or (sentence.plain, sentence.over) in unchanged:
                continue
            for literal in _values(sentence):
                owner, weight = _owner(literal, sentence, company, declared)
                if owner:
                    swap = Swapped(literal, sentence.text.strip(), company.text[owner])
                    found.append((mark(literal), owner, weight, swap))
    displaced = {value for value, _, _, _ in found}
    for value, owner, weight, swap in found:
        if owner in displaced or (weight >= ALONE_LEAST and not _word_like(value)):
            yield swap


def _owner(literal: Literal, sentence: Sentence, company: _Company, declared: Declared) -> tuple[Mark | None, float]:
    value = mark(literal)
    own = company.of.get(value)
    if own is None:
        return None, 0.0
    here = _around(sentence, literal, frozenset())
    best: float = 0.0
    owner: Mark | None = None
    for rival in _candidates(here, value, own, company):
        if not _rivals(value, rival, company, declared):
            continue
        theirs = company.of[rival]
        my_entry, their_entry = company.apart(value, rival)
        mine = other = 0.0
        for stem, weight in here.items():
            there = max(theirs.get(stem, 0.0), ENTRY if stem in their_entry else 0.0)
            home = max(own.get(stem, 0.0), ENTRY if stem in my_entry else 0.0)
            edge = (there - home) * company.grip(stem) if abs(there - home) >= EDGE else 0.0
            if edge > 0:
                other += weight * edge
            else:
                mine -= weight * edge
        if other >= LEAST and other >= TIMES * mine and other - mine > best:
            if not _in_order(literal, rival, sentence, own, theirs):
                best, owner = other - mine, rival
    return owner, best


def _candidates(here: dict[str, float], value: Mark, own: dict[str, float], company: _Company) -> set[Mark]:
    """Return the values in whose company the output's words stand more closely than in this value's."""
    found: set[Mark] = set()
    for stem, weight in here.items():
        if weight > own.get(stem, 0.0):
            found |= company.values_with.get(stem, set())
            for number, entry in enumerate(company.entries):
                if stem in entry and number not in company.homes[value]:
                    found |= {rival for rival, homes in company.homes.items() if number in homes}
    return found


def _rivals(value: Mark, rival: Mark, company: _Company, declared: Declared) -> bool:
    if not _same_job(value, rival):
        return False
    if not any(_one_noun(one, other) for one in company.nouns[value] for other in company.nouns[rival]):
        return False
    if (value, rival) in company.changes or (rival, value) in company.changes:
        return False
    if any(key == rival[1] for _, key, _ in declared.literals):
        return False
    return _parallel(value, rival, company)


def _in_order(literal: Literal, rival: Mark, sentence: Sentence, own: dict[str, float], theirs: dict[str, float]) -> bool:
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


__all__ = ["Swapped", "mark", "swapped", "walk_parts"]
