"""Content words of a text, with or without spaces between them (SPEC §8).

Latin and other alphabets: words without function words, cut to a stem so that "retries" meets
"retry". Scripts without spaces and Korean, whose particles stick to the word: pairs of characters,
which need no dictionary and meet whenever a word stands in both texts.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from agentops_dream.deep.facts import cjk

_STOP = frozenset(
    """a an the this that these those it its itself he she they them their his her him hers theirs we us our ours you your
    i me my mine one ones who whom whose which what when where why how is are was were be been being am do does did done
    doing have has had having will would shall should can could may might must of in on at by for from to into onto with
    without within about above below under over between through during before after since until till and or but nor so
    yet if then else than as because while though although unless whether also too very just even still already only
    not no never none nothing neither either both each every all any some such same other another own more most less
    least few much many there here up down out off again once per via s t d ll re ve m don doesn didn isn aren wasn weren
    won wouldn shouldn couldn can't cannot cant let lets get gets got go goes went gone come comes came make makes made
    take takes took taken use uses used using set put keep keeps kept see e g i.e e.g etc now
    ja nein der die das und oder el la los las un una de y o""".split()
)
_SUFFIXES = ("ations", "ation", "ings", "ing", "edly", "ies", "ied", "ers", "ed", "es", "er", "ly", "s", "e", "y")
_RUN = re.compile(
    r"(?P<latin>[A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1eff]+(?:'[a-z]{1,2}(?![a-z]))?)"
    r"|(?P<han>[\u3400-\u9fff\uf900-\ufaff々]+)|(?P<kata>[\u30a1-\u30faー]+)|(?P<hira>[\u3041-\u3096]+)"
    r"|(?P<hangul>[\uac00-\ud7a3]+)|(?P<other>[\u0530-\u10ff\u1100-\u1cff]+)"
)


class Word(NamedTuple):
    """One content word: its stem, where it stands, and how it was written."""

    stem: str
    start: int
    end: int
    text: str


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Return the key under which the forms of an alphabetic word meet."""
    word = word.casefold()
    if "'" in word:
        word = word.partition("'")[0]
    if len(word) > 3:
        for suffix in _SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                word = word[: -len(suffix)]
                break
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
            word = word[:-1]
    return word[:6]


@lru_cache(maxsize=16384)
def _root(word: str) -> str:
    """Return the stem of an alphabetic word, ``""`` if it says nothing by itself."""
    return "" if is_stop(word) else stem(word)


def is_stop(word: str) -> bool:
    """Return whether an alphabetic word says nothing by itself."""
    word = word.casefold()
    return word in _STOP or (len(word) == 1) or word.partition("'")[0] in _STOP


def content_words(
    text: str, start: int = 0, end: int | None = None, *, chinese: bool = False, base: int = 0
) -> list[Word]:
    """Return the content words of ``text[start:end]`` in order of place.

    ``chinese``: the text has no kana, so that grammar stands in Han characters too. ``base`` is the
    offset of ``text``, which the places count from.
    """
    found: list[Word] = []
    for match in _RUN.finditer(text, start, len(text) if end is None else end):
        kind, run = match.lastgroup, match.group()
        if kind == "latin":
            root = _root(run)
            if root:
                found.append(Word(root, base + match.start(), base + match.end(), run))
        elif kind == "hira":
            continue
        elif kind == "other":
            found.append(Word(run[:5].casefold(), base + match.start(), base + match.end(), run))
        else:
            for unit, offset in cjk.units(str(kind), run, chinese):
                at = base + match.start() + offset
                found.append(Word(unit, at, at + len(unit), unit))
    return found
