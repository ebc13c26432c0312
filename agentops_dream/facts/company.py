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

from agentops_dream.facts.index import Index
from agentops_dream.facts.literal import Literal
from agentops_dream.facts.literals import FAMILY
from agentops_dream.facts.reading import Reading, Sentence, token

CLAUSE, ALONE, OVER, SENTENCE, ENTRY, NEAR, ANOTHERS = 1.0, 0.9, 0.8, 0.6, 0.5, 0.5, 0.2
_WORDING = 0.25
"""What a word weighs that stands in one sentence only: it may be mere wording."""
_MANY = 60
"""A sentence with more values is a table of data that was flattened; nearness says nothing there."""
_CHANGE = re.compile(
    r"(?i)[\s`'\"*(),]*(?:(?P<on>to|->|→|=>|now|から|へ|에서|到|至|改为|变为|ではなく|じゃなく|でなく|대신|(?:이|가)? ?아니라)"
    r"|(?P<back>instead of|rather than|(?:and |but )?not|(?:it )?was|from|before(?: that)?(?: at)?|previously|formerly|代替|而不是|而非))"
    r"[\s`'\"*(),]*"
)
"""What stands between an old value and a new one, or, turned round, between the new and the old."""
_WAS = re.compile(
    r"(?i)\b(?:before (?:that|then)|until then|previously|formerly)\b[^.;\d]{0,24}$|\bbefore \d{4}-\d\d(?:-\d\d)?[\s|:,(]{0,6}$"
    r"|(?:以前|それまで|その前|従来|당시|之前)[はの]?[^。]{0,12}$"
)
"""What stands before a value that held before."""
_DENIED_BEHIND = re.compile(r"[)）\s`]*[^\s、。\d]{0,3}?(?:では|じゃ|で)な[いくか]")
_DENIED_BEFORE = re.compile(
    r"(?i)\b(?:not|never|instead of|rather than|unlike) (?:(?:at|by|in|on|to|from|with) )?[`(\"']*$"
    r"|[,;(—–] ?(?:and |but )?not (?:at|by|in|on|to|from|with) [^,;.]{0,40}$"
)
"""What stands behind, or before, a value that it is not."""
_PART = re.compile(r";|\b(?:while|whereas)\b|一方|而(?=[^且])|반면")
_COLON = re.compile(r":(?=[\s`\"*]|[^\x00-\x7f])")

Mark = tuple[str, str, str]
"""``(family, key, unit)``: one value, whatever its spelling."""


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


def mark(literal: Literal) -> Mark:
    """Return the value that a literal states."""
    family = FAMILY.get(literal.kind, literal.kind)
    if literal.kind in ("version", "relative"):
        family = literal.kind
    elif literal.kind == "subject":
        family = "name"
    unit = literal.unit if literal.kind == "number" else ""
    key = literal.key.lstrip("vV") if family in ("number", "version") else literal.key
    return family, key, unit


def values(sentence: Sentence) -> list[Literal]:
    """Return the literals of a sentence that state something, unless there are too many to tell apart."""
    found = [literal for literal in sentence.literals if literal.kind not in ("link", "quote") and not literal.soft]
    return found if len(found) <= _MANY else []


def around(sentence: Sentence, literal: Literal, near: frozenset[str] = frozenset()) -> dict[str, float]:
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
    mine, noun = mark(literal), _noun(sentence, literal)
    return frozenset(
        number
        for value, other, number in _standing(sentence)
        if number is not None and same_job(value, mine) and one_noun(noun, other)
    )


@lru_cache(maxsize=4096)
def _standing(sentence: Sentence) -> tuple[tuple[Mark, str, int | None], ...]:
    """Return each value of a sentence, what it counts, and the clause in which it stands."""
    return tuple((mark(lit), _noun(sentence, lit), sentence.clause_at(lit.start)) for lit in values(sentence))


def _noun(sentence: Sentence, literal: Literal) -> str:
    """Return the stem of what a bare number counts, ``""`` if it counts nothing: "16 beds", "port 443"."""
    if literal.kind != "number" or literal.unit:
        return ""
    return next((word.stem for word in sentence.words if 0 <= word.start - literal.end <= 1), "")


def one_noun(one: str, other: str) -> bool:
    """Return whether two numbers may count the same."""
    return not one or not other or one == other


def same_job(one: Mark, other: Mark) -> bool:
    """Return whether two different values could stand in one place: same family, unit and shape."""
    if one == other or one[0] != other[0] or one[2] != other[2]:
        return False
    return one[0] in ("number", "version", "date", "time") or _shape(one[1]) == _shape(other[1])


def job(value: Mark) -> tuple[str, str]:
    """Return what values must have in common to stand in one another's place: family and unit."""
    return value[0], value[2]


def learn(inputs: Index, jobs: Collection[tuple[str, str]]) -> Company:
    """Return the company of every value of the inputs that does one of these jobs."""
    company = Company()
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
                company.homes[value].add(len(company.entries) - 1)
                company.sentences[value].add(id(sentence))
                company.nouns[value].add(_noun(sentence, literal))
                known = company.of.setdefault(value, {})
                for stem, weight in around(sentence, literal, _near(reading, place, literal)).items():
                    if weight > known.get(stem, 0.0):
                        known[stem] = weight
            company.changes.update(changes_in(sentence))
    for value, tokens in company.of.items():
        for stem in tokens:
            company.values_with[stem].add(value)
    return company


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


def changes_in(sentence: Sentence) -> list[tuple[Mark, Mark]]:
    """Return the pairs ``(old, new)`` that a sentence puts side by side: "from 8 s to 12 s", "12 s (was 8 s)",
    "12 s; before that it was 8 s", "12 s, not 8 s".
    """
    found = []
    standing = values(sentence)
    for first, second in zip(standing, standing[1:]):
        between = _CHANGE.fullmatch(sentence.text[first.end - sentence.start : second.start - sentence.start])
        if between and FAMILY.get(first.kind) == FAMILY.get(second.kind):
            pair = (mark(first), mark(second))
            found.append(pair if between["on"] else pair[::-1])
    for old in standing:
        others = [new for new in standing if same_job(mark(old), mark(new)) and not _denied(sentence, new)]
        if _denied(sentence, old):
            found += [(mark(old), mark(new)) for new in others if new is not old]
        elif was(sentence, old):
            found += [(mark(old), mark(new)) for new in others if new.start < old.start][-1:]
    return found


def was(sentence: Sentence, literal: Literal) -> bool:
    """Return whether a value is said to have held before: "before that it was 8 s", "| before 2026-02-02 | 8 s |"."""
    return literal.kind not in ("date", "time", "weekday") and bool(_WAS.search(sentence.text, 0, literal.start - sentence.start))


def _denied(sentence: Sentence, literal: Literal) -> bool:
    """Return whether a value is only named to say that it is not this one: "at 6:30, not at 0:00"."""
    at = literal.start - sentence.start
    return bool(
        _DENIED_BEHIND.match(sentence.text, literal.end - sentence.start)
        or _DENIED_BEFORE.search(sentence.text, max(0, at - 60), at)
    )


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


def _shape(key: str) -> str:
    """What a value looks like: a path does not take the place of a command."""
    return next((sign for sign in (" ", "=", "/", ".") if sign in key), "-" if key[:1] == "-" else "")
