"""How old an entry is: a checkout resets file times, and the oldest change must still go first."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from agentops_dream.light.age import changed_at
from agentops_dream.models import Entry


def entry(path: str = "a.md", **fields: Any) -> Entry:
    return Entry(path, "a", b"", "", "a", "", "project", "", fields, (), 1.0)


def day(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (entry(metadata={"modified": "2026-07-30T17:50:02.540Z"}), day("2026-07-30T17:50:02.540")),
        (entry(modified="2026-02-03", created="2020-01-01"), day("2026-02-03")),
        (entry(created="2026-01-02"), day("2026-01-02")),
        (entry("notes/2026-11-24_sensor.md"), day("2026-11-24")),
        (entry("2026-13-45.md"), 1.0),
        (entry(modified="yesterday"), 1.0),
        (entry(modified=["2026-02-03"]), 1.0),
        (entry(), 1.0),
    ],
)
def test_the_entry_speaks_before_the_file(found: Entry, expected: float) -> None:
    assert changed_at(found) == expected
