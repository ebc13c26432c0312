"""Dates as facts: one key for every spelling, relative dates, and an entry's own end date (SPEC §8).

``2026-11-20``, ``Nov 20, 2026``, ``20 November 2026``, ``2026年11月20日`` and ``2026년 11월 20일`` are one
fact. A date worked out from "yesterday" is supported only if the entry itself holds the anchor.
"""



from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from agentops_dream.facts.clean import clean
from agentops_dream.patterns import late

MONTHS = {
    name[:length]: number
    for number, name in enumerate(
        "january february march april may june july august september october november december".split(), 1
    )
    for length in (3, 4, len(name))
    if length == 3 or length == len(name) or (name == "september" and length == 4)
}
_MONTH = r"(?P<mon>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_DAY = r"(?P<d>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?P<y>(?:19|20)\d\d)"
_R = r"(?![A-Za-z0-9_])"

_MONTHS = frozenset(MONTHS)
_B = r"(?<![A-Za-z0-9_.\-/][0-9])"
"""Looked at after the first digit: that lets the engine skip to digits."""
_TABLE: tuple[tuple[str, frozenset[str]], ...] = (
    (
        rf"(?P<y>[12]{_B}(?:(?<=1)9|(?<=2)0)[0-9]{{2}})-(?P<m>0[1-9]|1[0-2])-(?P<d>3[01]|[12][0-9]|0[1-9])"
        rf"(?:T[0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}})?)?{_R}",
        frozenset("-"),
    ),
    (
        rf"(?P<y>[12]{_B}(?:(?<=1)9|(?<=2)0)[0-9]{{2}})/(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12][0-9]|0?[1-9]){_R}",
        frozenset("/"),
    ),
    (rf"(?P<y>[12]{_B}(?:(?<=1)9|(?<=2)0)[0-9]{{2}})-(?P<m>0[1-9]|1[0-2])(?![A-Za-z0-9_-])", frozenset("-")),
    (
        r"(?P<y>[12](?<![0-9][0-9])(?:(?<=1)9|(?<=2)0)[0-9]{2}) ?[年년] ?(?P<m>1[0-2]|0?[1-9]) ?[月월](?: ?(?P<d>3[01]|[12][0-9]|0?[1-9]) ?[日号일])?",
        frozenset("年년"),
    ),
    (r"(?P<m>[0-9](?<![0-9][0-9])[0-2]?) ?[月월] ?(?P<d>3[01]|[12][0-9]|0?[1-9]) ?[日号일]", frozenset("月월")),
    (r"(?P<m>[0-9](?<![0-9][0-9])[0-2]?) ?[月월]", frozenset("月월")),
    (
        rf"(?:(?P<d0>[0-9]{_B}[0-9]?) ?(?:-|to|and|until|through) ?)?(?P<d>[0-9](?<![A-Za-z0-9_./][0-9])[0-9]?)(?:st|nd|rd|th)?"
        rf" (?:of )?{_MONTH}\.?(?:,? {_YEAR})?{_R}",
        _MONTHS,
    ),
    (rf"(?<![A-Za-z0-9_.\-/]){_MONTH}\.? {_DAY}(?:,? {_YEAR})?{_R}", _MONTHS),
    (rf"(?<![A-Za-z0-9_.\-/]){_MONTH}\.?,? {_YEAR}{_R}", _MONTHS),
    (rf"{_YEAR}(?<![A-Za-z0-9_.\-/][0-9]{{4}}) {_MONTH}{_R}", _MONTHS),
    (
        r"(?<![A-Za-z0-9_.\-/])(?P<mon>January|February|April|June|July|August|September|October|November|December)(?![A-Za-z0-9_])",
        _MONTHS,
    ),
    (r"(?<=[Ii]n )(?P<mon>March|May)(?![A-Za-z0-9_])", frozenset({"march", "may"})),
    (rf"(?P<d>[0-9]{_B}[0-9]?)\.(?P<m>1[0-2]|0?[1-9])\.{_YEAR}{_R}", frozenset(".")),
)
DATE_PATTERNS: tuple[re.Pattern[str], ...] = tuple(late(pattern) for pattern, _ in _TABLE)
NEEDS: tuple[frozenset[str], ...] = tuple(needs for _, needs in _TABLE)
"""For each pattern: traits (characters or words) of which a text must have one to match."""


@dataclass(frozen=True, order=True)
class Day:
    """A date as far as a text gives it; 0 stands for a part that is not given."""

    year: int = 0
    month: int = 0
    day: int = 0

    def within(self, other: Day) -> bool:
        """Return whether ``self`` says nothing that ``other`` does not say too."""
        return all(
            mine in (0, theirs)
            for mine, theirs in zip((self.year, self.month, self.day), (other.year, other.month, other.day))
        )

    @property
    def full(self) -> date | None:
        """The calendar date, or ``None`` if a part is missing or it does not exist."""
        try:
            return date(self.year, self.month, self.day)
        except ValueError:
            return None

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"


def parse_key(key: str) -> Day:
    """Return the day behind ``str(Day)``."""
    year, month, day = key.split("-")
    return Day(int(year), int(month), int(day))


def read_match(match: re.Match[str]) -> Day | None:
    """Return the day that a match of one of ``DATE_PATTERNS`` states; ``None`` if no calendar has it."""
    groups = match.groupdict()
    month = MONTHS[groups["mon"].lower()] if groups.get("mon") else int(groups["m"])
    day = int(groups.get("d") or 0)
    return Day(int(groups.get("y") or 0), month, day) if 1 <= month <= 12 and day <= 31 else None


def find_dates(text: str) -> Iterator[tuple[int, int, Day]]:
    """Yield ``(start, end, day)`` for the dates of a cleaned text, in no particular order."""
    taken = bytearray(len(text))
    for pattern in DATE_PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span()
            day = read_match(match)
            if day is not None and not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                yield start, end, day


_COMPACT = re.compile(r"(?<!\d)(20\d\d)([-_]?)(0[1-9]|1[0-2])(?:\2(0[1-9]|[12]\d|3[01]))?(?!\d)")


def compact_dates(text: str) -> tuple[Day, ...]:
    """Return the dates written as ``202609``, ``20260917`` or ``2026-09-17_x``, as in file names."""
    return tuple(Day(int(y), int(m), int(d or 0)) for y, _, m, d in _COMPACT.findall(text))


# ------------------------------------------------------------------ relative dates

_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday".split(),
    "月火水木金土日",
    "一二三四五六日",
    "월화수목금토일",
)
RELATIVE = late(
    r"""(?ix)
    (?<![A-Za-z])(?P<en>
        the\ day\ before\ yesterday | the\ day\ after\ tomorrow | yesterday | today | tonight | tomorrow
      | (?:last|next|this)\ (?:week|month|year|quarter|sprint|spring|summer|autumn|fall|winter|night
            |monday|tuesday|wednesday|thursday|friday|saturday|sunday)
      | (?:\d{1,3}|one|a|two|three|four|five|six)\ (?:day|week|month|year)s?\ (?:ago|from\ now)
      | in\ (?:\d{1,3}|one|a|two|three|four|five|six)\ (?:day|week|month|year)s?(?=\W|$)
      | (?:a\ few|some|several)\ (?:day|week|month|year)s\ ago | recently | the\ other\ day
    )(?![A-Za-z])
    | (?P<cjk>
        一昨日 | おととい | 昨日 | きのう | 今日 | 本日 | 明日 | 明後日 | あさって
      | [先今来]週の?[月火水木金土日]曜日? | 先週 | 今週 | 来週 | 先月 | 今月 | 来月 | 昨年 | 去年 | 今年 | 来年 | 先日 | 最近 | 昨晩
      | (?<!\d)\d{1,3}\ ?(?:日|週間|か月|ヶ月|年)(?:前|後)
      | 前天 | 昨天 | 今天 | 明天 | 后天 | 上周[一二三四五六日]? | 上个?月 | 本周 | 本月 | 下周[一二三四五六日]? | 下个?月 | 明年
      | (?<!\d)\d{1,3}\ ?(?:天|周|个月|年)(?:前|后)
      | 그저께 | 어제 | 오늘 | 내일 | 모레 | 지난\ ?주 | 이번\ ?주 | 다음\ ?주 | 지난\ ?달 | 이번\ ?달 | 다음\ ?달 | 작년 | 올해 | 내년
      | (?<!\d)\d{1,3}\ ?(?:일|주|개월|년)\ ?(?:전|후)
    )"""
)
RELATIVE_NEEDS = frozenset(
    """yesterday today tonight tomorrow last next this ago now in recently other 昨 今 本 明 先 来 去 最 お き あ 前 後 后 上 下
    어 오 내 모 지 이 다 작 올 그 전 후""".split()
)
VAGUE = frozenset("today tonight recently 最近 今日 本日 今天 오늘 先日".split())
"""Relative dates that often mean no day at all: they need not be kept."""
_SHIFTS = {
    "the day before yesterday": -2, "yesterday": -1, "today": 0, "tonight": 0, "last night": -1, "tomorrow": 1,
    "the day after tomorrow": 2, "一昨日": -2, "おととい": -2, "昨日": -1, "きのう": -1, "昨晩": -1, "今日": 0, "本日": 0,
    "明日": 1, "明後日": 2, "あさって": 2, "前天": -2, "昨天": -1, "今天": 0, "明天": 1, "后天": 2, "그저께": -2, "어제": -1,
    "오늘": 0, "내일": 1, "모레": 2,
}  # fmt: skip
_MONTH_SHIFTS = {
    "last month": -1, "this month": 0, "next month": 1, "先月": -1, "今月": 0, "来月": 1, "上月": -1, "上个月": -1,
    "本月": 0, "下月": 1, "下个月": 1, "지난달": -1, "이번달": 0, "다음달": 1,
}  # fmt: skip
_YEAR_SHIFTS = {
    "last year": -1, "this year": 0, "next year": 1, "昨年": -1, "去年": -1, "今年": 0, "来年": 1, "明年": 1, "작년": -1,
    "올해": 0, "내년": 1,
}  # fmt: skip
_COUNT = {"one": 1, "a": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_STEP = re.compile(
    r"(?i)(?:in )?(\d{1,3}|one|a|two|three|four|five|six) ?"
    r"(?:(days?|日|天|일)|(weeks?|週間|周|주)|(months?|か月|ヶ月|个月|개월)|(years?|年|년)) ?(ago|前|전)?"
)


@dataclass(frozen=True)
class Relative:
    """A relative date as it stands in a text."""

    text: str
    start: int
    end: int

    def resolve(self, anchor: date) -> Day | None:
        """Return the day it means if it was written on ``anchor``; ``None`` if that is not one day."""
        words = self.text.lower().replace(" ", "") if not self.text.isascii() else self.text.lower()
        if words in _SHIFTS:
            return _day(anchor + timedelta(days=_SHIFTS[words]))
        if words in _MONTH_SHIFTS:
            return _month(anchor, _MONTH_SHIFTS[words])
        if words in _YEAR_SHIFTS:
            return Day(anchor.year + _YEAR_SHIFTS[words])
        if step := _STEP.fullmatch(words):
            return _stepped(step, anchor)
        return _weekday(words, anchor)


def _day(when: date) -> Day:
    return Day(when.year, when.month, when.day)


def _month(anchor: date, shift: int) -> Day:
    months = anchor.year * 12 + anchor.month - 1 + shift
    return Day(months // 12, months % 12 + 1)


def _stepped(step: re.Match[str], anchor: date) -> Day | None:
    count = _COUNT.get(step[1]) or int(step[1])
    sign = -1 if step[6] else 1
    if step[2] or step[3]:
        try:
            return _day(anchor + timedelta(days=sign * count * (7 if step[3] else 1)))
        except OverflowError:
            return None
    if step[4]:
        return _month(anchor, sign * count)
    return Day(anchor.year + sign * count)


_JAPANESE_WEEK = late(r"([先今来])週の?([月火水木金土日])曜日?")


def _weekday(words: str, anchor: date) -> Day | None:
    head, _, name = words.partition(" ")
    if name in _WEEKDAYS[0] and head in ("last", "next"):
        wanted, back = _WEEKDAYS[0].index(name), head == "last"
    elif words[:2] in ("上周", "下周") and words[2:] in tuple(_WEEKDAYS[2]):
        monday = anchor - timedelta(days=anchor.weekday())
        week = -7 if words[0] == "上" else 7
        return _day(monday + timedelta(days=week + _WEEKDAYS[2].index(words[2:])))
    elif found := _JAPANESE_WEEK.fullmatch(words):
        monday = anchor - timedelta(days=anchor.weekday())
        return _day(monday + timedelta(days={"先": -7, "今": 0, "来": 7}[found[1]] + _WEEKDAYS[1].index(found[2])))
    else:
        return None
    gap = (anchor.weekday() - wanted) % 7 or 7
    return _day(anchor - timedelta(days=gap) if back else anchor + timedelta(days=(wanted - anchor.weekday()) % 7 or 7))


_HINT = re.compile(
    r"(?i)\b(?:yesterday|today|tonight|tomorrow|last|next|this|ago|from now|in (?:\d|one|a|two|three|four|five|six)|recently|other day)\b|[^\x00-\x7f]"
)


@lru_cache(maxsize=256)
def find_relative(text: str) -> tuple[Relative, ...]:
    """Return the relative dates of a cleaned text, in order."""
    if _HINT.search(text) is None:
        return ()
    return tuple(Relative(m.group(), m.start(), m.end()) for m in RELATIVE.finditer(text))


def relative_dates(text: str) -> tuple[str, ...]:
    """Return the relative dates of ``text`` ("yesterday", "先月", "2 weeks ago"), in order."""
    return tuple(found.text for found in find_relative(clean(text)))
