"""Three-way merge of lines: what two sides did to the same file, put together (undo of one op, SPEC §9).

Own code because the library for it is under the GPL, which this package is not. Unlike ``diff3`` it lets
changes stand side by side: neighbouring lines of an index are different facts. Where both touch the same
line, or it cannot be told whose line comes first, there is no result: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True, order=True)
class _Edit:
    """``lines`` take the place of the lines from ``start`` to ``end`` of the base."""

    start: int
    end: int
    lines: tuple[bytes, ...]


def merge3(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Return ``base`` with the changes of both sides, ``None`` if they conflict.

    The order of the sides does not matter.
    """
    if ours == theirs or theirs == base:
        return ours
    if ours == base:
        return theirs
    lines = _LINE.findall(base)
    edits = sorted({*_edits(lines, _LINE.findall(ours)), *_edits(lines, _LINE.findall(theirs))})
    for one, two in pairwise(edits):
        if two.start < one.end or two.start == one.start:
            return None
    merged: list[bytes] = []
    at = 0
    for edit in edits:
        merged += [*lines[at : edit.start], *edit.lines]
        at = edit.end
    merged += lines[at:]
    # A side that took off the final line end and one that added lines behind it would make one line of two.
    if any(not line.endswith((b"\n", b"\r")) for line in merged[:-1]):
        return None
    return b"".join(merged)


def _edits(base: Sequence[bytes], side: Sequence[bytes]) -> list[_Edit]:
    matcher = SequenceMatcher(None, base, side, autojunk=False)
    return [
        _Edit(start, end, tuple(side[first:last]))
        for tag, start, end, first, last in matcher.get_opcodes()
        if tag != "equal"
    ]
