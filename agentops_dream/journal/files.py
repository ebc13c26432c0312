"""Small JSON files of our own state: whole or not at all, and never in the way when broken."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

WINDOWS_BUSY = frozenset({5, 32, 33})
"""What Windows says for some milliseconds while a virus scanner or an indexer looks at a file."""
PATIENCE = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
"""Seconds between tries; two thirds of a second in all."""


def make_private(folder: Path) -> None:
    """Make ``folder`` and what is missing above it, readable by its owner only. Raises ``OSError``."""
    missing = []
    here = folder
    while not here.exists():
        missing.append(here)
        here = here.parent
    for path in reversed(missing):
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=0o700)


def write_json(path: Path, data: Any) -> None:
    """Replace ``path`` by ``data`` as JSON, mode 0600, durable. Raises ``OSError``, the old file intact.

    Who reads the file sees the old text or the new one, never a part.
    """
    text = json.dumps(data, ensure_ascii=True, indent=1, default=str) + "\n"
    make_private(path.parent)
    try:
        handle, fresh = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:  # nobody knows the name that it would have had for a moment
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        _replace(fresh, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(fresh)
        raise


def _replace(fresh: str, path: Path) -> None:
    for pause in PATIENCE:
        try:
            os.replace(fresh, path)
            return
        except PermissionError as error:
            if getattr(error, "winerror", None) not in WINDOWS_BUSY:
                raise
        time.sleep(pause)
    os.replace(fresh, path)


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in ``path``; ``{}`` if it is missing or broken.

    For files that only save work: a broken one costs a dream more or less, never a memory.
    """
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
