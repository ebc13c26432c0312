"""``dream.log``: one line per event, for a person with ``tail`` (SPEC §2, §13)."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime, timezone
from pathlib import Path

import portalocker

from agentops_dream import secrets

LARGEST = 1_000_000
"""Bytes after which the log moves to ``dream.log.1``, replacing the one before."""

LONGEST = 600
"""Characters of one line: an error of another program can be a page long."""


def line(path: Path, text: str, *, now: datetime | None = None) -> None:
    """Append ``text`` to the log at ``path`` as one line, secrets redacted.

    A log that cannot be written is no reason for a dream to fail: ``OSError`` is swallowed.
    """
    moment = (now or datetime.now(timezone.utc)).strftime("%Y-%m-%dT%H:%M:%SZ")
    flat = " ".join(secrets.redact(text).split())
    flat = "".join(char if char.isprintable() else "?" for char in flat)[:LONGEST]
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _rotate(path)
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, f"{moment} {flat}\n".encode("utf-8", "replace"))
        finally:
            os.close(handle)


def _rotate(path: Path) -> None:
    """Move a log that has grown out of the way. Only one process does it: a second one would move the
    fresh log over the old."""
    if not _is_large(path):
        return
    with (
        contextlib.suppress(portalocker.LockException),
        portalocker.Lock(path.with_name(path.name + ".lock"), "a", timeout=0, fail_when_locked=True),
    ):
        if _is_large(path):
            os.replace(path, path.with_name(path.name + ".1"))


def _is_large(path: Path) -> bool:
    try:
        return path.stat().st_size > LARGEST
    except FileNotFoundError:
        return False
