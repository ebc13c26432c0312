"""An entry's own end date (SPEC §8, evidence for a delete).

A date in an entry is no end date. "Deploy freeze until 2026-10-30" is; "the token was valid until
May, since then …" is history, and "keep logs until the audit of 2026-10-30" is about something else.
So the date must close the entry's subject: it stands in the description, or in the first sentence,
and nothing in the entry is later.
"""



from __future__ import annotations

import calendar
import re
from datetime import date

from agentops_dream.facts.clean import clean
from agentops_dream.facts.dates import Day, find_dates

_BEFORE = re.compile(
    r"(?i)(?:\b(?:until|till|through|thru|ends?|ended|ending|expires?|expired|expiring|expiry|valid to|up to and including|no later than)"
    r"(?: (?:on|at|the end of|is|date|including|about))?:? *|至|截至|截止到?|到|~ ?|まで:? ?)$"
)
_RANGE = re.compile(r"(?i)\d ?(?:-|to|~|から|부터) ?$")
_AFTER = re.compile(
    r"(?i)^(?: ?(?:\((?:[月火水木金土日]|mon|tue|wed|thu|fri|sat|sun)[^)]*\)) ?)?"
    r" ?(?:末)? ?(?:まで|迄|に終了|で終了|をもって終了|까지|为止|截止|结束|到期|に期限切れ)"
)
_HISTORY = re.compile(
    r"(?i)\b(?:since then|then|now|before that|previous(?:ly)?|formerly|used to|was valid|no longer|later|afterwards|meanwhile|instead)\b|"
    r"それまで|以前|その後|現在|今は|从那以后|之后|现在|以前|이후|이전|현재|지금"
)
_FIRST = 240


def end_date_passed(text: str, today: date) -> date | None:
    """Return the entry's own end date if it has one and it lies before ``today``, else ``None``.

    ``text`` is the description, a line end, the body; either may be missing.
    """
    cleaned = clean(text).strip()
    found = sorted(find_dates(cleaned))
    if not found:
        return None
    head = _head(cleaned)
    ends = [_last_day(day) for start, end, day in found if start < head and _closes(cleaned, start, end)]
    ends = [end for end in ends if end is not None]
    if not ends or None in ends:
        return None
    end = max(e for e in ends if e is not None)
    if end >= today:
        return None
    for _, _, day in found:
        last = _last_day(day)
        if last is not None and last > end and not (day.day == 0 and day.within(Day(end.year, end.month, end.day))):
            return None
    return end


def _head(text: str) -> int:
    """Offset where the description and the first sentence of the body end."""
    description, gap, body = text.partition("\n")
    if not gap:
        return _sentence_end(text, 0)
    start = len(description) + 1
    return _sentence_end(text, start + len(body) - len(body.lstrip("\n# >*-")))


def _sentence_end(text: str, start: int) -> int:
    match = re.compile(r"[.。!?](?=\s|$|[^\x00-\x7f])|\n\n").search(text, start)
    return min(match.start() if match else len(text), start + _FIRST)


def _closes(text: str, start: int, end: int) -> bool:
    left = max(text.rfind("\n", 0, start), text.rfind(". ", 0, start), text.rfind("。", 0, start)) + 1
    right = min(
        (at for at in (text.find("\n", end), text.find(". ", end), text.find("。", end)) if at >= 0), default=len(text)
    )
    before, after = text[max(left, start - 40) : start], text[end : min(right, end + 16)]
    if _HISTORY.search(text[left:right]):
        return False
    return bool(_BEFORE.search(before) or _AFTER.match(after) or _RANGE.search(before))


def _last_day(day: Day) -> date | None:
    if not day.year or not day.month:
        return None
    return day.full or date(day.year, day.month, calendar.monthrange(day.year, day.month)[1])
