"""What a literal is, and how its spelling becomes a key (SPEC §8, "hard literals")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from agentops_dream.facts import dates, units

FILL = "\ue000"
"""Stands for each character of a literal that was taken out of a text."""


class Literal(NamedTuple):
    """One literal as it stands in a cleaned text."""

    kind: str
    key: str
    """The spelling under which honest rewritings of the same fact meet."""
    text: str
    start: int
    end: int
    unit: str = ""
    """Canonical hard unit of a number."""
    soft: bool = False
    """Supports, but need not be kept: number words, vague dates, words inside code."""
    parts: tuple[Literal, ...] = ()
    """What a compound (a command, a URL, a quotation) is made of."""


def walk_parts(literals: Iterable[Literal]) -> Iterator[Literal]:
    """Yield every literal and, after it, its parts."""
    for literal in literals:
        yield literal
        yield from literal.parts


_AROUND = re.compile(r"\s*([=:|])\s*")
_BLANK = re.compile(r"\s+")


def squeeze(text: str) -> str:
    """Return code as compared: single spaces, none around ``=``, no empty call brackets at the end."""
    text = _AROUND.sub(r"\1", _BLANK.sub(" ", text.strip()))
    return text[:-2] if text.endswith("()") else text


def link_key(target: str) -> str:
    """Return how a link target is compared: no heading, case and ``-``/``_``/space folded."""
    return re.sub(r"[-_\s]+", "-", target.split("#")[0].split("|")[0].strip().casefold())


_ATOM = re.compile(r"[^\s=/:;,|(){}\[\]<>\"'`@&?!+*]+")
_NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_WITH_UNIT = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)([A-Za-z%]{1,16})")
_ISO = re.compile(r"((?:19|20)\d\d)-(0[1-9]|1[0-2])-(3[01]|[12]\d|0[1-9])")


@lru_cache(maxsize=8192)
def atoms(text: str) -> tuple[Literal, ...]:
    """Return the parts of a compound literal: numbers, dates and names between separators."""
    found = []
    for match in _ATOM.finditer(text):
        atom = match.group().strip(".-")
        if not atom:
            continue
        where = match.span()
        if _NUMBER.fullmatch(atom):
            found.append(Literal("number", units.number_key(atom), atom, *where))
        elif both := _WITH_UNIT.fullmatch(atom):
            unit = units.CANON.get(both[2].lower(), both[2].lower())
            found.append(Literal("number", both[1], atom, *where, unit=unit))
        elif iso := _ISO.fullmatch(atom):
            day = dates.Day(int(iso[1]), int(iso[2]), int(iso[3]))
            found.append(Literal("date", str(day), atom, *where))
        else:
            found.append(Literal("word", atom.casefold(), atom, *where, soft=True))
    return tuple(found)
