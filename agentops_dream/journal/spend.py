"""What was spent today, all memory directories together (SPEC §3 ``MAX_USD_PER_DAY``).

``spend.json``: ``{"YYYY-MM-DD": usd}``, days in UTC, so that a change of time zone opens no second day.
"""

from __future__ import annotations

import errno
import math
from datetime import datetime, timezone
from pathlib import Path

import portalocker

from agentops_dream.journal import files

KEPT_DAYS = 400


def day(now: float) -> str:
    """Return the day that ``now`` (epoch seconds) is booked on."""
    return datetime.fromtimestamp(now, timezone.utc).strftime("%Y-%m-%d")


def by_day(state_root: Path) -> dict[str, float]:
    """Return dollars per day; days whose figure is no number are left out."""
    data = files.read_object(state_root / "spend.json")
    return {
        str(key): float(value)
        for key, value in data.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < math.inf
    }


def left(state_root: Path, cap: float, now: float) -> float | None:
    """Return the dollars that may still be spent today; ``None`` if there is no cap (0)."""
    return None if cap <= 0 else max(0.0, cap - by_day(state_root).get(day(now), 0.0))


def add(state_root: Path, usd: float, now: float) -> None:
    """Book ``usd``. Dreams of several memory directories may do this at once. Raises ``OSError``."""
    if usd <= 0:
        return
    files.make_private(state_root)
    path = state_root / "spend.lock"
    try:
        with portalocker.Lock(path, "a", timeout=10):
            days = by_day(state_root)
            days[day(now)] = round(days.get(day(now), 0.0) + usd, 6)
            kept = dict(sorted(days.items())[-KEPT_DAYS:])
            files.write_json(state_root / "spend.json", kept)
    except portalocker.LockException as error:
        raise OSError(errno.EBUSY, "is held by another dream; the cost was not booked", str(path)) from error
