"""The difference between two states of a file, exact to the byte (SPEC §13).

Unified, as git and patch read it: carriage returns stand in the lines, and a missing final newline
is said so. Applying it to the bytes before gives the bytes after.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

NO_NEWLINE = "\\ No newline at end of file"


def unified(before: bytes | None, after: bytes | None, label: str) -> str:
    """Return the difference; ``""`` if there is none. ``None`` stands for no file."""
    if before == after:
        return ""
    old, new = _lines(before), _lines(after)
    source = "/dev/null" if before is None else f"a/{label}"
    target = "/dev/null" if after is None else f"b/{label}"
    return "".join(_closed(difflib.unified_diff(old, new, source, target)))


def _lines(data: bytes | None) -> list[str]:
    # Only "\n" ends a line: splitlines() would also cut at a lone "\r" or U+2028 and lose which it was.
    text = (data or b"").decode("utf-8", "surrogateescape")
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _closed(rows: Iterator[str]) -> Iterator[str]:
    for row in rows:
        yield row if row.endswith("\n") else f"{row}\n{NO_NEWLINE}\n"
