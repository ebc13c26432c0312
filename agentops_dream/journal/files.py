"""Small JSON files of our own state: whole or not at all, and never in the way when broken."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any


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
    """Replace ``path`` by ``data`` as JSON, mode 0600, durable. Raises ``OSError``, the old file intact."""
    text = json.dumps(data, ensure_ascii=True, indent=1, default=str) + "\n"
    make_private(path.parent)
    handle, fresh = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(fresh, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(fresh)
        raise


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in ``path``; ``{}`` if it is missing or broken.

    For files that only save work: a broken one costs a dream more or less, never a memory.
    """
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
