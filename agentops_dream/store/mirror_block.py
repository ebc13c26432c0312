"""The text of the mirrored block: which entries, in which words, within how many bytes (SPEC §11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..models import Entry
from .markup import inline, one_line, shorten
from .names import fold, stem

START = "<!-- agentops:dreaming:start -->"
END = "<!-- agentops:dreaming:end -->"
HEADING = "## Project memory (managed by agentops dreaming — do not edit between markers)"

DURABLE = ("project", "reference")
_ROOMY = 16 * 1024
"""Up to here descriptions are not shortened below 300 characters."""
_MOST = 24 * 1024
"""The block never takes more, so that AGENTS.md files further down are still read."""


@dataclass(frozen=True)
class LeftOut:
    """A durable entry that is not in the block, and why."""

    path: str
    id: str
    reason: str


@dataclass(frozen=True)
class Block:
    text: str
    """From the start marker to the end marker, without a line end after it."""
    left_out: tuple[LeftOut, ...]


def durable(
    entries: Sequence[Entry], hold_back: Callable[[Entry], str]
) -> tuple[tuple[Entry, ...], tuple[LeftOut, ...]]:
    """Return the entries that may be mirrored, sorted, and the durable ones that may not.

    Sorted by id, then path: an edit of one entry moves no line but its own. Entries under ``team/`` belong
    to somebody else's store and are not ours to publish.
    """
    kept, held = [], []
    for entry in sorted(entries, key=lambda e: (fold(e.id), e.path)):
        if entry.type.casefold() not in DURABLE or entry.readonly == "team":
            continue
        reason = "private" if entry.private else "flagged" if entry.flagged else hold_back(entry)
        if reason:
            held.append(LeftOut(entry.path, entry.id, reason))
        else:
            kept.append(entry)
    return tuple(kept), tuple(held)


def build(entries: Sequence[Entry], newline: str, room: int) -> Block | None:
    """Return the fullest block of at most ``room`` bytes, ``None`` if not one entry fits.

    First descriptions get shorter, then entries are left out (the block says how many), at last the heading.
    """
    room = min(room, _MOST)
    for limit, most in ((300, min(room, _ROOMY)), (160, min(room, _ROOMY)), (80, room)):
        text = _render([_bullet(entry, limit) for entry in entries], (HEADING,), (), newline)
        if _size(text) <= most:
            return Block(text, ())
    for heading, limit, remark in (
        ((HEADING,), 80, "- … and {} more in the agent's memory: AGENTS.md is read up to 32 KiB only"),
        ((), 60, "- … and {} more"),
    ):
        block = _fill(entries, heading, limit, remark, newline, room)
        if block is not None:
            return block
    return None


def _fill(
    entries: Sequence[Entry], heading: tuple[str, ...], limit: int, remark: str, newline: str, room: int
) -> Block | None:
    spent = _size(_render([], heading, (remark.format(len(entries)),), newline))
    bullets, left_out = [], []
    for entry in entries:
        bullet = _bullet(entry, limit)
        size = _size(bullet + newline)
        if spent + size <= room:
            bullets.append(bullet)
            spent += size
        else:
            left_out.append(LeftOut(entry.path, entry.id, "no room: AGENTS.md is read up to 32 KiB only"))
    if not bullets:
        return None
    remarks = (remark.format(len(left_out)),) if left_out else ()
    return Block(_render(bullets, heading, remarks, newline), tuple(left_out))


def _render(bullets: Sequence[str], heading: tuple[str, ...], remarks: tuple[str, ...], newline: str) -> str:
    return newline.join([START, *heading, *bullets, *remarks, END])


def _bullet(entry: Entry, limit: int) -> str:
    description = one_line(entry.description) or one_line(entry.name) or stem(entry.path)
    return f"- **{inline(shorten(description, limit))}** ([[{link_text(entry)}]])"


def link_text(entry: Entry) -> str:
    """Return what stands between ``[[`` and ``]]``: the id, or the file's name if the id would break out."""
    for text in (entry.id, stem(entry.path)):
        if text == one_line(text) and not re.search(r"[\[\]|#<>`\\*@]|--", text):
            return text
    return re.sub(r"[\[\]|#<>`\\*@\s]+|--+", "-", one_line(stem(entry.path))) or "entry"


def _size(text: str) -> int:
    return len(text.encode("utf-8"))
