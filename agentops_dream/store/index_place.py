"""Where the line of a new entry goes in MEMORY.md (SPEC §10).

Beside its like: the section whose heading or whose entries are of its type, else the end of the main list.
Never where the load cut falls: a line that nobody loads is no line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..models import Entry
from . import blocks, index_line
from .index_cut import MAX_BYTES, MAX_LINES, cut_of, loaded_above
from .index_edit import Book, Line
from .index_names import Names

_LIMITS = (index_line.HOOK, 100, 60)
"""Longest hook of new lines, tried in turn until the index is within what is loaded."""

_ROUNDS = 4


@dataclass(frozen=True)
class _Section:
    heading: int | None
    """Line of its heading."""
    body: int
    """First line behind the heading."""
    end: int
    lines: tuple[Line, ...]
    """Bullets about living entries."""
    types: Counter[str]


@dataclass(frozen=True)
class _Slot:
    """A place for new lines: before line ``at``."""

    at: int
    indent: str = ""
    apart: bool = False
    """Not below another bullet: blank lines keep it from what is around."""
    closed: bool = False
    """A comment behind it keeps indented lines out of its list."""


def place(book: Book, entries: Sequence[Entry], names: Names) -> str:
    """Return the index with one line for each of ``entries``."""
    if not entries:
        return book.text
    text = book.text
    # Where there is too much already, no hook is short enough.
    limits = _LIMITS[-1:] if cut_of(book.outline).size > MAX_BYTES else _LIMITS
    for limit in limits:
        text = _place(book, entries, names, limit)
        if cut_of(blocks.outline(text)).size <= MAX_BYTES:
            return text
    return text


def _place(book: Book, entries: Sequence[Entry], names: Names, limit: int) -> str:
    sections = _sections(book, names)
    by_type = {kind: _slot(book, sections, kind) for kind in {entry.type.casefold() for entry in entries}}
    wanted = [(entry, by_type[entry.type.casefold()]) for entry in entries]
    rendered = {entry.path: index_line.render(entry, limit) for entry in entries}
    text = _insert(book, [(slot, rendered[entry.path]) for entry, slot in wanted])
    moved: set[str] = set()
    rounds = 0
    while late := _unloaded(text, rendered) - moved:
        rounds += 1
        # What moves up may push another new line down: a few times, then all go.
        moved |= late if rounds < _ROUNDS else rendered.keys()
        early = _early_slot(book, sections, [rendered[path] for path in sorted(moved)])
        placed = [(early if entry.path in moved else slot, rendered[entry.path]) for entry, slot in wanted]
        text = _insert(book, placed)
    # The place may be inside something that was never closed: nothing at the top is. And lines behind a new
    # bullet may become part of it if they are indented: a comment ends its list.
    top = blocks.front_matter(book.outline.lines)
    for slot in (_Slot(top, apart=True), _Slot(top, apart=True, closed=True)):
        if _is_intact(book, Book(text, names), rendered):
            break
        text = _insert(book, [(slot, line) for line in rendered.values()])
    return text


def _is_intact(old: Book, new: Book, rendered: Mapping[str, str]) -> bool:
    """Whether the new lines are links, and every other line is what it was: text, item, code or comment."""
    return new.listed >= rendered.keys() and new.roles(set(rendered.values())) == old.roles()


def _sections(book: Book, names: Names) -> list[_Section]:
    lines = book.outline.lines
    starts = [n for n in book.outline.headings if n not in book.outline.code]
    bounds = [(None, blocks.front_matter(lines)), *((n, n + 1) for n in starts)]
    ends = [*starts, len(lines)]
    living = [line for line in book.lines if _living(line, names)]
    numbers = [line.number for line in living]
    found = []
    for (heading, body), end in zip(bounds, ends, strict=True):
        own = living[bisect_left(numbers, body) : bisect_left(numbers, end)]
        types = Counter(names.after[str(line.refs[line.subject or 0][1])].type.casefold() for line in own)
        found.append(_Section(heading, body, end, tuple(own), types))
    return found


def _living(line: Line, names: Names) -> bool:
    return line.subject is not None and line.item is not None and names.living(line.refs[line.subject][1])


def _slot(book: Book, sections: Sequence[_Section], kind: str) -> _Slot:
    by_heading = [s for s in sections if s.heading is not None and _is_about(book, s.heading, kind)]
    for section in by_heading:
        if section.types[kind] or not section.lines:
            return _behind(book, section)
    alike = [s for s in sections if s.types[kind] * 2 > sum(s.types.values())]
    if alike and len(sections) > 1:
        return _behind(book, max(alike, key=lambda s: s.types[kind]))
    main = max(sections, key=lambda s: len(s.lines))
    if main.lines:
        return _behind(book, main)
    tables = [line.number for line in book.lines if line.text.lstrip().startswith("|") and line.refs]
    at = _after_table(book, tables[-1]) if tables else _end(book)
    return _Slot(at, apart=True)


def _is_about(book: Book, heading: int, kind: str) -> bool:
    words = re.findall(r"[^\W\d_]+", book.outline.lines[heading].casefold())
    return bool(words) and words[0] in (kind, kind + "s")


def _behind(book: Book, section: _Section) -> _Slot:
    """Behind the last bullet of the section's outermost list, or at its top if there is none."""
    if not section.lines:
        at = section.body
        if at < section.end and re.match(r" {0,3}(?:=+|-+)\s*$", book.outline.lines[at]):
            at += 1  # the underline of the heading
        return _Slot(at, apart=True)
    depth = min(line.item.depth for line in section.lines if line.item)
    last = [line for line in section.lines if line.item and line.item.depth == depth][-1]
    assert last.item is not None
    return _Slot(last.item.last + 1, re.match(r"[ \t]*", last.text)[0])  # type: ignore[index]


def _after_table(book: Book, at: int) -> int:
    lines = book.outline.lines
    while at < len(lines) and lines[at].lstrip().startswith("|"):
        at += 1
    return at


def _end(book: Book) -> int:
    """Behind the last line that is not blank."""
    lines = book.outline.lines
    at, head = len(lines), blocks.front_matter(lines)
    while at > head and not lines[at - 1].strip():
        at -= 1
    return at


def _unloaded(text: str, rendered: Mapping[str, str]) -> set[str]:
    """Paths of the new lines that are not loaded."""
    beyond = {line.strip() for line in cut_of(blocks.outline(text)).cut}
    return {path for path, line in rendered.items() if line in beyond}


def _early_slot(book: Book, sections: Sequence[_Section], rendered: Sequence[str]) -> _Slot:
    """The last place that keeps all new lines within what is loaded, else the first place of all."""
    slots = [_behind(book, section) for section in sections if section.lines]
    for section in sections:
        for line in section.lines:
            if line.item is not None and line.item.depth == 0:
                slots.append(_Slot(line.item.last + 1, re.match(r"[ \t]*", line.text)[0]))  # type: ignore[index]
    slots.append(_Slot(blocks.front_matter(book.outline.lines), apart=True))
    slots.sort(key=lambda slot: slot.at, reverse=True)
    size = sum(len(line.encode("utf-8", "surrogateescape")) + 2 for line in rendered)
    above = loaded_above(book.outline)
    for slot in slots:
        lines, bytes_above = above[slot.at]
        blanks = 2 if slot.apart else 0
        if bytes_above + size + blanks <= MAX_BYTES and lines + len(rendered) + blanks <= MAX_LINES:
            return slot
    return slots[-1]


def _insert(book: Book, new: Sequence[tuple[_Slot, str]]) -> str:
    lines = list(book.outline.lines)
    by_slot: dict[_Slot, list[str]] = {}
    for slot, line in new:
        by_slot.setdefault(slot, []).append(slot.indent + line)
    newline = blocks.newline(book.text)
    for slot in sorted(by_slot, key=lambda s: (s.at, s.apart), reverse=True):
        _insert_at(lines, slot, by_slot[slot], newline)
    return "".join(lines)


def _insert_at(lines: list[str], slot: _Slot, new: list[str], newline: str) -> None:
    at = slot.at
    end = blocks.ending(lines[at - 1]) if at else ""
    end = end or newline
    if end == "\r" and at < len(lines) and lines[at].startswith("\n"):
        end = "\n"  # CR and LF side by side would become one line end
    block = [line + end for line in new]
    if at and not blocks.ending(lines[at - 1]):
        lines[at - 1] += end
        block[-1] = new[-1]  # the file had no final line end and still has none
    if slot.apart:
        if at < len(lines) and not lines[at].strip():
            at += 1  # one blank line is there already
        elif at and lines[at - 1].strip():
            block.insert(0, end)
        if slot.closed:
            block += ["<!-- -->" + end, end]
        elif at < len(lines) and lines[at].strip():
            block.append(end)
    lines[at:at] = block
