"""The difference between two states of a file, exact to the byte (SPEC §13).

Unified, as git and patch read it: carriage returns stand in the lines, and a missing final newline
is said so. Applying it to the bytes before gives the bytes after.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator

NO_NEWLINE = "\\ No newline at end of file"
_QUOTED = {byte: chr(byte) for byte in range(32, 127)}
_QUOTED |= {ord('"'): '\\"', ord("\\"): "\\\\", 9: "\\t", 10: "\\n", 13: "\\r"}


def unified(before: bytes | None, after: bytes | None, label: str) -> str:
    """Return the difference; ``""`` if there is none. ``None`` stands for no file.

    Bytes that are no UTF-8 stand in it as lone surrogates (``surrogateescape``).
    """
    if before == after:
        return ""
    source = "/dev/null" if before is None else _name(f"a/{label}")
    target = "/dev/null" if after is None else _name(f"b/{label}")
    old, new = _lines(before), _lines(after)
    if old == new:  # an empty file made or removed: nothing but the names tells
        return f"--- {source}\n+++ {target}\n"
    return "".join(_closed(difflib.unified_diff(old, new, source, target)))


def _name(name: str) -> str:
    """Return a file name as git and patch write it: quoted if it has to be, a tab after spaces."""
    if re.search(r'[\x00-\x1f\x7f"\\\udc80-\udcff]', name):
        quoted = "".join(_QUOTED.get(byte, f"\\{byte:03o}") for byte in os.fsencode(name))
        return f'"{quoted}"'
    return f"{name}\t" if " " in name else name


def _lines(data: bytes | None) -> list[str]:
    # Only "\n" ends a line: splitlines() would also cut at a lone "\r" or U+2028 and lose which it was.
    text = (data or b"").decode("utf-8", "surrogateescape")
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _closed(rows: Iterator[str]) -> Iterator[str]:
    for row in rows:
        yield row if row.endswith("\n") else f"{row}\n{NO_NEWLINE}\n"
