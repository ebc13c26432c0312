"""How often a memory directory may be dreamt over, and how long to keep away after a failure (SPEC §3, §5).

``rate.json`` is written here, under the lock, and read by the hook: ``dreams`` are the starts within
the last day, ``not_before`` the end of a back-off, ``failures`` how many have failed in a row, ``shrink``
how often the budget is to be halved, ``hold`` the digest of a delta that waits for a person.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from agentops_dream.journal import files

DAY = 86400.0
FIRST_WAIT = 900.0
"""Seconds of the first back-off; each further failure in a row doubles it, up to a day."""
MOST_SHRINK = 4


@dataclass(frozen=True)
class Rate:
    """What ``rate.json`` says; times in epoch seconds."""

    dreams: tuple[float, ...] = ()
    not_before: float = 0.0
    failures: int = 0
    shrink: int = 0
    hold: str = ""

    def allows(self, now: float, min_interval: float, max_per_day: int) -> bool:
        """Return whether an automatic dream may start; the hook asks the same (``dispatch``)."""
        dreams = self.within_a_day(now)
        early = any(now - start < min_interval for start in dreams)
        # A back-off is never longer than a day: one that seems to be was set by a clock that went wrong.
        kept_away = now < self.not_before <= now + DAY
        return not kept_away and not early and len(dreams) < max_per_day

    def within_a_day(self, now: float) -> tuple[float, ...]:
        return tuple(start for start in self.dreams if now - DAY < start <= now)

    def started(self, now: float) -> Rate:
        """Return the rate after a dream that starts at ``now``: counted whatever becomes of it."""
        return replace(self, dreams=(*self.within_a_day(now), now))

    def failed(self, now: float, *, smaller: bool) -> Rate:
        """Return the rate after that dream has failed."""
        wait = min(DAY, FIRST_WAIT * 2 ** min(self.failures, 16))
        return replace(
            self,
            failures=self.failures + 1,
            not_before=now + wait,
            shrink=min(MOST_SHRINK, self.shrink + 1) if smaller else self.shrink,
        )

    def succeeded(self) -> Rate:
        """Return the rate after a dream that came to its end."""
        return replace(self, failures=0, shrink=0, not_before=0.0)


def path_in(state: Path) -> Path:
    return state / "rate.json"


def load(state: Path) -> Rate:
    """Return the rate of a memory directory; a fresh one if the file is missing or broken."""
    data = files.read_object(path_in(state))
    try:
        return Rate(
            tuple(float(start) for start in data.get("dreams", ())),
            float(data.get("not_before", 0)),
            int(data.get("failures", 0)),
            min(MOST_SHRINK, max(0, int(data.get("shrink", 0)))),
            str(data.get("hold", "")),
        )
    except (TypeError, ValueError, OverflowError):
        return Rate()


def save(state: Path, rate: Rate) -> None:
    """Write the rate. Raises ``OSError``."""
    files.write_json(path_in(state), asdict(rate))
