"""How a match becomes a literal, for each kind in the list of :mod:`literals` (SPEC §8)."""

from __future__ import annotations

import re
from collections.abc import Callable

from agentops_dream.facts import dates, units
from agentops_dream.facts.literal import Literal, atoms, link_key, squeeze

Match = re.Match[str]
Reader = Callable[[Match, str], "Literal | None"]
"""Reads a match in the masked block; the second argument is the block before masking."""


def plain(kind: str, *, fold: bool = False, parts: bool = False) -> Reader:
    """Return a reader whose key is the text itself; ``fold``: without case."""

    def read(match: Match, block: str) -> Literal:
        text = match.group()
        key = text.casefold() if fold else text
        if key.endswith("()"):
            key = key[:-2]
        return Literal(kind, key, text, *match.span(), parts=atoms(text) if parts else ())

    return read


def code(match: Match, block: str) -> Literal | None:
    """A code span."""
    text = match["code"].strip()
    if not text:
        return None
    return Literal("code", squeeze(text), text, *match.span(), parts=atoms(text))


def link(match: Match, block: str) -> Literal:
    """A ``[[link]]``."""
    return Literal("link", link_key(match["target"]), match.group(), *match.span())


_TRAIL = re.compile(r"[.,;:!?)\]}'\"*]+$")
_OPEN = {")": "(", "]": "[", "}": "{"}


def url(match: Match, block: str) -> Literal | None:
    """An address with a scheme; punctuation of the sentence is no part of it."""
    text = match.group()
    trail = _TRAIL.search(text)
    if trail:
        cut = trail.start()
        # A bracket that was opened inside belongs to the address: /wiki/X_(Y), /{z}/{x}
        depth = {close: text.count(opened, 0, cut) - text.count(close, 0, cut) for close, opened in _OPEN.items()}
        while cut < len(text) and depth.get(text[cut], 0) > 0:
            depth[text[cut]] -= 1
            cut += 1
        text = text[:cut]
    end = match.start() + len(text)
    return Literal("url", text.rstrip("/"), text, match.start(), end, parts=atoms(text.partition("://")[2]))


def path(match: Match, block: str) -> Literal | None:
    """A path, or words joined by a slash; at least one letter."""
    text = match.group().rstrip(".,;:")
    if not any(c.isalpha() for c in text):
        return None
    end = match.start() + len(text)
    return Literal("path", text.rstrip("/") or text, text, match.start(), end, parts=atoms(text))


def quoted(match: Match, block: str) -> Literal | None:
    """A quotation, without its marks and case."""
    text = block[match.start() + 1 : match.end() - 1].strip()
    if not text:
        return None
    return Literal("quote", " ".join(text.casefold().split()).rstrip(".,"), text, *match.span(), parts=atoms(text))


def date(match: Match, block: str) -> Literal | None:
    """A date in any spelling."""
    day = dates.read_match(match)
    return Literal("date", str(day), match.group(), *match.span()) if day else None


_SOME = re.compile(r"^(?:a few|some|several)(?= )")
_SPELLED = re.compile(r"^(?:an?|one|two|three|four|five|six)(?= )")


def relative(match: Match, block: str) -> Literal | None:
    """ "yesterday", "2 週間前"; "in 3 weeks" may be a span as well, so that it is the number which counts."""
    text = match.group()
    key = text.casefold()
    if key.startswith("in "):
        return None
    key = _SPELLED.sub(lambda word: str(units.NUMBER_WORDS.get(word.group(), 1)), _SOME.sub("few", key)).replace(" ", "")
    return Literal("relative", key, text, *match.span(), soft=text.casefold() in dates.VAGUE)


_PM = ("pm", "午後", "下午", "오후")
_AM = ("am", "午前", "上午", "오전")


def time(match: Match, block: str) -> Literal | None:
    """A time of day, in 24 hours."""
    groups = match.groupdict()
    hour, minute = int(groups["h"]), int(groups.get("min") or 0)
    half = (groups.get("half") or groups.get("half2") or "").lower().replace(".", "")
    if hour > 24 or minute > 59:
        return None
    if half in _PM and hour < 12:
        hour += 12
    if half in _AM and hour == 12:
        hour = 0
    return Literal("time", f"{hour:02d}:{minute:02d}{groups.get('sec') or ''}", match.group(), *match.span())


def number(match: Match, block: str) -> Literal | None:
    """A number with its magnitude and hard unit."""
    groups = match.groupdict()
    key = units.number_key(groups["n"], groups.get("mag") or "")
    unit = groups.get("unit") or groups.get("pre") or ""
    if key.isdecimal() and not unit.isascii() and block[match.end() : match.end() + 1] in ("半", "반"):
        key += ".5"  # 1 時間半
    return Literal("number", key, match.group().strip(), *match.span(), units.CANON.get(unit.lower(), ""))


def odd_unit(match: Match, block: str) -> Literal:
    """A number with letters stuck to it that are no unit we know."""
    unit = match["unit"].lower()
    return Literal("number", match["n"], match.group(), *match.span(), "" if unit in _NO_UNIT else unit)


_NO_UNIT = frozenset("x st nd rd th".split())


def kanji(match: Match, block: str) -> Literal | None:
    """A number in kanji before a counter."""
    value = units.kanji_value(match["n"])
    if value is None:
        return None
    return Literal("number", str(value), match.group(), *match.span(), units.CANON.get(match["unit"], ""), soft=True)


def number_word(match: Match, block: str) -> Literal | None:
    """ "two", "twice"."""
    value = units.NUMBER_WORDS[match.group().lower()]
    return Literal("number", str(value), match.group(), *match.span(), soft=True)


_WEEKDAY = {
    name: str(index)
    for names in (
        "mon tue wed thu fri sat sun",
        "月曜 火曜 水曜 木曜 金曜 土曜 日曜",
        "周一 周二 周三 周四 周五 周六 周日",
        "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
        "월요일 화요일 수요일 목요일 금요일 토요일 일요일",
    )
    for index, name in enumerate(names.split())
}


def weekday(match: Match, block: str) -> Literal:
    """A day of the week; Monday is 0."""
    text = match.group()
    name = text[:3].lower() if text.isascii() else text
    return Literal("weekday", _WEEKDAY[name], text, *match.span())
