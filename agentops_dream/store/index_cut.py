"""What Claude Code loads of MEMORY.md, and what it cuts off (SPEC §10; facts "Auto memory").

The client takes frontmatter and HTML comments out, trims, takes the first 200 lines, then cuts at the last
line end within 25,000. It counts UTF-16 units; its documentation says bytes. Bytes are counted here: the
lines said to be loaded are loaded under either reading.
"""

from __future__ import annotations

from dataclasses import dataclass

from . import blocks

MAX_LINES = 200
MAX_BYTES = 25_000


@dataclass(frozen=True)
class LoadCut:
    """How much of an index is loaded."""

    lines: int
    """Lines that the client counts: without frontmatter, comments, and blank lines at either end."""
    size: int
    """Bytes of these."""
    first: int | None = None
    """First line of the file (from 0) that is not loaded, ``None`` if all are."""
    cut: tuple[str, ...] = ()
    """The lines that are not loaded."""

    @property
    def message(self) -> str:
        """A sentence for a person, ``""`` if nothing is cut off."""
        if self.first is None:
            return ""
        shown = next((line.strip() for line in self.cut if line.strip()), "")
        shown = shown if len(shown) <= 80 else shown[:79] + "…"
        return (
            f"MEMORY.md has {self.lines} lines and {self.size:,} bytes; Claude Code loads {MAX_LINES} lines "
            f"or {MAX_BYTES:,} bytes, so {len(self.cut)} lines from line {self.first + 1} on are not loaded "
            f'("{shown}"); shorten hooks or move detail into entries'
        )


def load_cut(index: bytes | None) -> LoadCut:
    """Return what is loaded of an index and what is cut off. Never raises."""
    text = (index or b"").decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    return cut_of(blocks.outline(text))


def cut_of(outline: blocks.Outline) -> LoadCut:
    """Return the same for an index that is already taken apart."""
    head = blocks.front_matter(outline.lines)
    kept = [n for n in range(head, len(outline.lines)) if n not in outline.comments]
    filled = [at for at, number in enumerate(kept) if outline.lines[number].strip()]
    kept = kept[filled[0] : filled[-1] + 1] if filled else []
    size, first = 0, None
    for count, number in enumerate(kept, start=1):
        line = outline.lines[number].encode("utf-8", "surrogateescape")
        if first is None and (count > MAX_LINES or size + len(line.rstrip(b"\r\n")) > MAX_BYTES):
            first = number
        size += len(line)
    if kept:
        size -= len(blocks.ending(outline.lines[kept[-1]]))
    if first is None:
        return LoadCut(len(kept), size)
    cut = tuple(outline.lines[n].rstrip("\r\n") for n in kept if n >= first)
    return LoadCut(len(kept), size, first, cut)


def loaded_above(outline: blocks.Outline) -> list[tuple[int, int]]:
    """Return for each line, and the end, how many lines and bytes count before it."""
    head = blocks.front_matter(outline.lines)
    above = [(0, 0)]
    for number, line in enumerate(outline.lines):
        lines, size = above[-1]
        if number >= head and number not in outline.comments:
            lines, size = lines + 1, size + len(line.encode("utf-8", "surrogateescape"))
        above.append((lines, size))
    return above
