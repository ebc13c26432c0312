"""What a dream is asked to do, and the lock under which it does it (SPEC §5, §15)."""

from __future__ import annotations

import contextlib
import secrets as randomness
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

import portalocker

from agentops_dream.journal import files, log
from agentops_dream.places import Places
from agentops_dream.settings import Settings


class Busy(Exception):
    """Another dream holds this memory directory."""


class Nothing(Exception):
    """There is nothing to dream over; the message says why."""


class Stopped(Exception):
    """The dream cannot go on; nothing was changed. The message says why and what to do."""


def utc_now() -> datetime:
    return datetime.now(timezone.utc)


@dataclass(frozen=True)
class Order:
    """One dream to be had."""

    places: Places
    settings: Settings
    env: Mapping[str, str]
    trigger: str
    """``Stop``, ``SubagentStop``, ``SessionEnd``; ``manual``, ``demo``."""
    manual: bool = False
    """A person asked: no rate limit, every entry in focus."""
    again: bool = False
    """Also when nothing has changed since the last dream."""
    focus: Collection[str] | None = None
    """In a manual run, only these paths are in focus; ``None``: all."""
    clock: Callable[[], datetime] = utc_now
    draw: Callable[[], str] = lambda: randomness.token_hex(3)

    @property
    def state(self) -> Path:
        return Path(self.places.state)

    @property
    def staging(self) -> Path:
        return Path(self.places.staging)

    @property
    def memory(self) -> Path:
        return Path(self.places.memory)

    @property
    def project(self) -> Path:
        return Path(self.places.project)

    @property
    def mirror_record(self) -> Path:
        """Remembers which project this memory directory is mirrored into."""
        return self.state / "mirror.json"

    def note(self, text: str) -> None:
        """Write one line to ``dream.log``."""
        log.line(Path(self.places.log), f"{self.places.key} {text}", now=self.clock())


@contextlib.contextmanager
def lock(state: Path) -> Iterator[None]:
    """Hold the memory directory's lock, which dies with its process. Raises ``Busy``, ``OSError``.

    Waits a second: a hook that only looks whether the lock is free holds it for a moment.
    """
    files.make_private(state)
    try:
        with portalocker.Lock(
            state / "lock",
            "a",
            timeout=1,
            check_interval=0.05,
            flags=portalocker.LOCK_EX | portalocker.LOCK_NB,
        ):
            yield
    except (portalocker.AlreadyLocked, portalocker.LockException) as error:
        raise Busy("another dream of this memory directory is running") from error
