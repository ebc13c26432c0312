"""``dream.log``: one line per event, for a person with ``tail`` (SPEC §2, §13)."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime, timezone
from pathlib import Path

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
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_size > LARGEST:
                os.replace(path, path.with_name(path.name + ".1"))
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, f"{moment} {flat}\n".encode("utf-8", "replace"))
        finally:
            os.close(handle)
