"""The company that values keep: what stands with a literal, and how closely (SPEC §8, "swap").

The names, identifiers and words of a literal's clause are its company, less so those of its sentence,
of the heading or label over it, of the sentences beside it. What stands in the clause of another value
of the same kind is that value's company.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache

from agentops_dream.facts.change import changes
from agentops_dream.facts.index import Index
from agentops_dream.facts.literal import Literal
from agentops_dream.facts.reading import Reading, Sentence, token
from agentops_dream.facts.value import Mark, job, mark, noun_of, one_noun, same_job, values

CLAUSE, ALONE, OVER, SENTENCE, ENTRY, NEAR, ANOTHERS = 1.0, 0.9, 0.8, 0.6, 0.5, 0.5, 0.2
_LABEL = 6
"""Headings and labels over a line have no more words."""
_WORDING = 0.25
"""What a word weighs that stands in one sentence only: it may be mere wording."""
_PART = re.compile(r";|\b(?:while|whereas)\b|一方|而(?=[^且])|반면")
_RULED = 14
"""Characters between a "never" and the value that it rules."""
_DENIES = re.compile(r"(?i)not|never|nor|neither|no|nothing")
_COLON = re.compile(r":(?=[\s`\"*]|[^\x00-\x7f])")

@dataclass(eq=False)
class Company:
    """What each value of the inputs stands with."""

    of: dict[Mark, dict[str, float]] = field(default_factory=dict)
    text: dict[Mark, str] = field(default_factory=dict)
    values_with: dict[str, set[Mark]] = field(default_factory=lambda: defaultdict(set))
    changes: set[tuple[Mark, Mark]] = field(default_factory=set)
    entries: list[frozenset[str]] = field(default_factory=list)
    """What each entry is about."""
    nouns: dict[Mark, set[str]] = field(default_factory=lambda: defaultdict(set))
    """What each bare number counts."""
    sentences: dict[Mark, set[int]] = field(default_factory=lambda: defaultdict(set))
    """In which sentences each value stands."""
    homes: dict[Mark, set[int]] = field(default_factory=lambda: defaultdict(set))
    """In which entries each value stands."""
    reach: Counter[str] = field(default_factory=Counter)
    """In how many sentences of the inputs a token stands, or over how many."""
    denied: set[Mark] = field(default_factory=set)
    """Values that are only named to say that it is not them: "never with QoS 0"."""
    subjects: set[str] = field(default_factory=set)
    """Words of ids, and names: what a sentence is about."""
    ids: list[str] = field(default_factory=list)
    """Id of each entry."""
    newer: frozenset[str] = frozenset()
    """Ids of entries whose values take the place of older ones, by a declaration that holds."""

    def follows(self, new: Mark, old: Mark) -> bool:
        """Return whether one value came after another, step by step: 2.4 went to 3.2, and 3.2 to 4.8."""
        seen, front = {old}, {old}
        while front:
            front = {after for before, after in self.changes if before in front} - seen
            seen |= front
        return new != old and new in seen

    def replaces(self, new: Mark, old: Mark) -> bool:
        """Return whether a value stands in newer entries only, and the other in an older one."""
        return all(self.ids[number] in self.newer for number in self.homes[new]) and not all(
            self.ids[number] in self.newer for number in self.homes[old]
        )

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
        # A word without spaces is several pairs of characters.
        return _WORDING / 2 if "\u3041" <= stem[0] <= "\u9fff" else _WORDING


def around(sentence: Sentence, literal: Literal, near: frozenset[str] = frozenset()) -> dict[str, float]:
    """Return token -> how closely it accompanies a literal."""
    found = dict.fromkeys(near, NEAR)
    for stem in sentence.over:
        # A whole sentence that opens a list is over all its items, and tells none from another.
        found[stem] = OVER if len(sentence.over) <= _LABEL else ANOTHERS
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
            weight = OVER if others else CLAUSE
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


@lru_cache(maxsize=4096)  # asked once for each value of a sentence
def _parts(sentence: Sentence) -> tuple[int, ...]:
    """Return for each clause in which part of the sentence it stands; semicolons and "while" part it."""
    cuts = [sentence.start + match.start() for match in _PART.finditer(sentence.text)]
    return tuple(sum(cut <= start for cut in cuts) for start, _ in sentence.clauses)


@lru_cache(maxsize=4096)
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
    mine, noun = mark(literal), noun_of(sentence, literal)
    return frozenset(
        number
        for value, other, number in _standing(sentence)
        if number is not None and same_job(value, mine) and one_noun(noun, other)
    )


@lru_cache(maxsize=4096)
def _standing(sentence: Sentence) -> tuple[tuple[Mark, str, int | None], ...]:
    """Return each value of a sentence, what it counts, and the clause in which it stands."""
    return tuple((mark(lit), noun_of(sentence, lit), sentence.clause_at(lit.start)) for lit in values(sentence))


def learn(inputs: Index, jobs: Collection[tuple[str, str]]) -> Company:
    """Return the company of every value of the inputs that does one of these jobs."""
    company = Company()
    told: dict[Mark, list[bool]] = {}
    for reading in inputs.readings:
        entry = _subject(reading)
        company.entries.append(entry)
        company.ids.append(reading.text.id)
        company.subjects |= reading.ids
        for place, sentence in enumerate(reading.sentences):
            company.subjects.update(token(lit) for lit in sentence.literals if lit.kind == "name")
            if sentence.kind != "description":
                company.reach.update(sentence.tokens | sentence.over)
            for literal in values(sentence):
                value = mark(literal)
                if job(value) not in jobs:
                    continue
                company.text.setdefault(value, literal.text)
                told.setdefault(value, []).append(_refused(sentence, literal))
                company.homes[value].add(len(company.entries) - 1)
                company.sentences[value].add(id(sentence))
                company.nouns[value].add(noun_of(sentence, literal))
                known = company.of.setdefault(value, {})
                for stem, weight in around(sentence, literal, _near(reading, place, literal)).items():
                    if weight > known.get(stem, 0.0):
                        known[stem] = weight
        company.changes.update(changes(reading.sentences))
    company.denied = {value for value, refused in told.items() if all(refused)}
    for value, tokens in company.of.items():
        for stem in tokens:
            company.values_with[stem].add(value)
    return company


def _refused(sentence: Sentence, literal: Literal) -> bool:
    at = sentence.clause_at(literal.start)
    before = [mark for mark in sentence.marks if 0 <= literal.start - mark.end <= _RULED and sentence.clause_at(mark.start) == at]
    return any(_DENIES.fullmatch(mark.text) for mark in before)


def _near(reading: Reading, place: int, literal: Literal) -> frozenset[str]:
    """Tokens of the sentences before and after, in the same block, unless they hold a value of their own."""
    sentences = reading.sentences
    found: frozenset[str] = frozenset()
    for at in (place - 1, place + 1):
        if not 0 <= at < len(sentences) or sentences[at].block != sentences[place].block:
            continue
        if not any(same_job(mark(lit), mark(literal)) for lit in sentences[at].literals):
            found |= sentences[at].tokens
    return found


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
