"""Dates worked out from relative ones: supported only if the entry itself holds the anchor (SPEC §8)."""



from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from agentops_dream.facts.dates import Day, compact_dates, find_dates, find_relative
from agentops_dream.facts.reading import Reading

_SAYS_WHEN = re.compile(
    r"(?i)(?:\b(?:written|noted|recorded|updated|as of|dated?|on|today is|log(?:ged)?|entry)(?: on)?:? ?|記録|作成|記|更新|追記|記入|写于|记于|更新于|记录于|작성|기록)[ :(]*$"
)
_SAYS_AFTER = re.compile(
    r"^ ?(?:[:)]|に?(?:記録|作成|記す|記入|追記|更新|時点|現在)|(?:写|记录|更新)|작성|기록|기준|현재)"
)


@lru_cache(maxsize=512)
def worked_out(reading: Reading) -> frozenset[Day]:
    """Return the days that the entry's relative dates mean, by the anchors the entry holds."""
    relative = find_relative(reading.clean)
    if not relative:
        return frozenset()
    anchors = tuple(_anchors(reading))
    return frozenset(
        day for found in relative for anchor in anchors for day in [found.resolve(anchor)] if day is not None
    )


def _anchors(reading: Reading) -> Iterator[date]:
    """Yield the dates on which the entry says it was written; its only date, if it has just one."""
    said: list[date] = []
    every: set[date] = set()
    month: set[date] = set()
    text = reading.clean
    for start, end, day in find_dates(reading.clean):
        if (full := day.full) is None:
            continue
        every.add(full)
        line = text.rfind("\n", 0, start) + 1
        before, after = text[max(line, start - 24) : start], text[end : end + 8]
        if not before.strip(" #*_>-[(") or _SAYS_WHEN.search(before) or _SAYS_AFTER.match(after):
            said.append(full)
    for day in (*compact_dates(reading.text.id), *compact_dates(reading.clean)):
        if day.full:
            every.add(day.full)
            if day in compact_dates(reading.text.id):
                said.append(day.full)
        elif day.month:
            month.add(date(day.year, day.month, 28))
    if said:
        yield from said
    elif len(every) == 1:
        yield from every
    # A file named for a month was written at its end or in the next one: "last month" is that month.
    for end_of_month in month:
        yield date(end_of_month.year + end_of_month.month // 12, end_of_month.month % 12 + 1, 1)
