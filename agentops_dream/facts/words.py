"""Content words of a text, with or without spaces between them (SPEC §8).

Latin and other alphabets: words without function words, cut to a stem so that "retries" meets
"retry". Scripts without spaces and Korean, whose particles stick to the word: pairs of characters,
which need no dictionary and meet whenever a word stands in both texts.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from agentops_dream.facts import cjk
from agentops_dream.facts.literal import FILL
from agentops_dream.patterns import late

_STOP = frozenset(
    """
    a an the this that these those it its itself he she they them their his her him hers theirs we us our ours
    you your i me my mine one ones who whom whose which what when where why how is are was were be been being am
    do does did done doing have has had having will would shall should can could may might must of in on at by
    for from to into onto with without within about above below under over between through during before after
    since until till and or but nor so yet if then else than as because while though although unless whether
    also too very just even still already only not no never none nothing neither either both each every all any
    some such same other another own more most less least few much many there here up down out off again once
    per via s t d ll re ve m don doesn didn isn aren wasn weren won wouldn shouldn couldn can't cannot cant let
    lets get gets got go goes went gone come comes came make makes made take takes took taken use uses used
    using set put keep keeps kept see e g i.e e.g etc now der die das dem den des ein eine einer eines einem
    einen und oder aber ist sind war waren wird werden wurde wurden hat haben im am um zu zum zur von vom mit
    nach bei aus auf an ab bis seit für über unter vor hinter dabei dann dort hier sich es er sie wir ihr als
    wie wenn weil dass so auch noch nur schon sehr jede jeder jedes jeden le les l un une des du et ou est sont
    était à au aux en dans pour par sur avec ce cette ces il elle on nous vous qui que el la los las una unos
    unas de del al y o u es son era por para con en se lo su sus como que и в на с к по из за от до для это как
    что бы же или а но
    """.split()
)
_SUFFIXES = ("ations", "ation", "ings", "ing", "edly", "ies", "ied", "ers", "ed", "es", "er", "ly", "s", "e", "y")
_IRREGULAR = {
    form: base
    for base, forms in {
        "become": "became", "begin": "began begun", "bind": "bound", "break": "broke broken", "bring": "brought", "build": "built",
        "buy": "bought", "catch": "caught", "choose": "chose chosen", "draw": "drew drawn", "drive": "drove driven", "fall": "fell fallen",
        "find": "found", "fly": "flew flown", "freeze": "froze frozen", "give": "gave given", "grow": "grew grown", "hang": "hung",
        "hear": "heard", "hide": "hid hidden", "hold": "held", "know": "knew known", "lay": "laid", "lose": "lost", "mean": "meant",
        "meet": "met", "pay": "paid", "rise": "rose risen", "run": "ran", "say": "said", "see": "saw seen", "sell": "sold", "send": "sent",
        "shake": "shook shaken", "show": "shown", "sleep": "slept", "speak": "spoke spoken", "spend": "spent", "stand": "stood",
        "steal": "stole stolen", "stick": "stuck", "strike": "struck", "sweep": "swept", "teach": "taught", "tell": "told",
        "think": "thought", "throw": "threw thrown", "understand": "understood", "wake": "woke woken", "wear": "wore worn", "win": "won",
        "write": "wrote written",
    }.items()
    for form in forms.split()
}  # fmt: skip
"""Forms of verbs that no ending tells; without those that are words of their own ("left", "led")."""
_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]{1,2}(?![a-z]))?")
"""A run, in a text without :data:`_FOREIGN` letters."""
_FOREIGN = re.compile(f"[^\x00-\x7f{FILL}]")
_RUN = late(
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
    word = _IRREGULAR.get(word, word)
    if len(word) > 3:
        for suffix in _SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                word = word[: -len(suffix)]
                break
        if len(word) > 4 and word.endswith("er"):  # "ordered" meets "order", which has lost its ending
            word = word[:-2]
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
            word = word[:-1]
    return word[:6]


@lru_cache(maxsize=16384)
def _root(word: str) -> str:
    """Return the stem of an alphabetic word, ``""`` if it says nothing by itself."""
    return "" if is_stop(word) else stem(word)


def _letter(text: str, match: re.Match[str]) -> str:
    """Return a single capital that follows a word, as in "ward B": it tells two things apart."""
    before = text[max(0, match.start() - 2) : match.start()]
    return match.group() if match.group().isupper() and before[:1].isalnum() and before[1:] in (" ", "-") else ""


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
    end = len(text) if end is None else end
    if not _FOREIGN.search(text, start, end):
        for match in _WORD.finditer(text, start, end):
            run = match.group()
            root = _root(run) if len(run) > 1 else _letter(text, match)
            if root:
                found.append(Word(root, base + match.start(), base + match.end(), run))
        return found
    for match in _RUN.finditer(text, start, end):
        kind, run = match.lastgroup, match.group()
        if kind == "latin":
            root = _root(run) if len(run) > 1 else _letter(text, match)
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
