"""Values: what a literal states, whatever its spelling, and which values could stand in one place (SPEC §8, "swap")."""

from __future__ import annotations

from agentops_dream.facts.literal import Literal
from agentops_dream.facts.literals import FAMILY
from agentops_dream.facts.reading import Sentence

_MANY = 60
"""A sentence with more values is a table of data that was flattened; nearness says nothing there."""

Mark = tuple[str, str, str]
"""``(family, key, unit)``: one value, whatever its spelling."""


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


def noun_of(sentence: Sentence, literal: Literal) -> str:
    """Return the stem of what a bare number counts, ``""`` if it counts nothing: "16 beds", "port 443"."""
    if literal.kind != "number" or literal.unit:
        return ""
    return next((word.stem for word in sentence.words if 0 <= word.start - literal.end <= 1 and _joined(sentence, literal.end, word.start)), "")


def _joined(sentence: Sentence, end: int, start: int) -> bool:
    return sentence.text[end - sentence.start : start - sentence.start] in ("", " ", "-")


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


def _shape(key: str) -> str:
    """What a value looks like: a path does not take the place of a command."""
    return next((sign for sign in (" ", "=", "/", ".") if sign in key), "-" if key[:1] == "-" else "")
