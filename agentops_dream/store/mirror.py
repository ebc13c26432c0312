"""The block that agentops dreaming keeps in AGENTS.md: bytes in, bytes out (SPEC §11).

Everything outside the two markers belongs to somebody else and is carried over byte for byte. Markers that
do not make up exactly one block are never guessed at: the file is left alone and the reason reported.

Where a new block goes: at the end, after one blank line. Codex reads 32,768 bytes of AGENTS.md in all, so

- near that limit the block shrinks to what is left, and is not written if nothing is: it never pushes text of
  the user's out of what is read;
- in a file that is past the limit anyway, and in one whose end is inside an unclosed fence or comment, it
  goes to the top, small, because at the end nobody would read it.

Taking the block out again gives the bytes from before it was first put in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..models import Entry
from . import blocks
from .mirror_block import Block, LeftOut, build, durable

CODEX_LIMIT = 32_768
"""Bytes of AGENTS.md that Codex reads, all files from the git root down taken together."""
_SMALL = 2_048
"""Bytes of a block in a file that is past the limit: what it takes there, the user's own text loses."""
_BOM = "\ufeff"
# A formatter may change the blanks in a comment; that must not orphan the block.
_MARKER = re.compile(r"<!--[ \t]*agentops:dreaming:(start|end)[ \t]*-->")


@dataclass(frozen=True)
class MirrorResult:
    """What AGENTS.md is to hold."""

    raw: bytes | None
    """All bytes of the file; ``None``: there is none and none is to be made."""
    changed: bool
    left_out: tuple[LeftOut, ...] = ()
    """Durable entries that are not in the block, and why."""
    notes: tuple[str, ...] = ()
    refused: str = ""
    """Why the file was left alone; ``""`` if it was not."""


@dataclass(frozen=True)
class _Place:
    before: str
    after: str
    room: int


def mirror(
    agents: bytes | None,
    entries: Sequence[Entry],
    *,
    hold_back: Callable[[Entry], str],
    other_bytes: int = 0,
) -> MirrorResult:
    """Return AGENTS.md with the block brought up to date. Never raises for any content.

    ``agents``: the file's bytes, ``None`` if there is none. ``hold_back``: why an entry must not be
    published (a secret), or ``""``. ``other_bytes``: size of the AGENTS.md files that Codex reads before.
    An empty ``raw`` means that nothing but the block was in the file.
    """
    kept, held = durable(entries, hold_back)
    try:
        whole = (agents or b"").decode("utf-8")
    except UnicodeDecodeError:
        return MirrorResult(agents, False, held, refused="AGENTS.md is not UTF-8; save it as UTF-8")
    if "\0" in whole:
        return MirrorResult(agents, False, held, refused="AGENTS.md holds NUL bytes, it is no text file")
    bom = _BOM if whole.startswith(_BOM) else ""
    text = whole[len(bom) :]
    found, problem = _find(text)
    if problem:
        return MirrorResult(agents, False, held, refused=problem)
    if not kept:
        if found is None:
            return MirrorResult(agents, False, held)
        return _result(agents, bom + _without(text, found), held, ())

    limit = CODEX_LIMIT - other_bytes - _size(bom)
    if found is not None:
        before, after = _around(text, found)
        without = _without(text, found)
        place = _Place(before, after, _room(before, after, limit, _size(without)))
        block = build(kept, blocks.ending(blocks.split(text)[found[0]]) or blocks.newline(text), place.room)
        if block is not None:
            return _placed(agents, bom, place, block, held, limit)
        text = without
    for place in _places(text, limit):
        block = build(kept, blocks.newline(text), place.room)
        if block is not None and _holds_one_block(place.before + block.text + place.after):
            return _placed(agents, bom, place, block, held, limit)
    reason = "no room: AGENTS.md is read up to 32 KiB only"
    size = _size(bom + text)
    note = f"AGENTS.md has {size:,} bytes, too near to the 32,768 that Codex reads: no block in it"
    left_out = (*held, *(LeftOut(entry.path, entry.id, reason) for entry in kept))
    if agents is None:
        return MirrorResult(None, False, left_out, (note,))
    return _result(agents, bom + text, left_out, (note,))


def _placed(
    agents: bytes | None, bom: str, place: _Place, block: Block, held: tuple[LeftOut, ...], limit: int
) -> MirrorResult:
    own = _size(place.before + place.after)
    notes = []
    if own > limit:
        notes.append(
            f"AGENTS.md has {own:,} bytes without the block, Codex reads {max(limit, 0):,}: "
            f"the last {own + _size(block.text) - limit:,} bytes are not read"
        )
    if block.left_out:
        notes.append(f"{len(block.left_out)} entries are not in AGENTS.md for want of room")
    return _result(
        agents, bom + place.before + block.text + place.after, (*held, *block.left_out), tuple(notes)
    )


def _result(
    agents: bytes | None, text: str, left_out: tuple[LeftOut, ...], notes: tuple[str, ...]
) -> MirrorResult:
    raw = text.encode("utf-8")
    return MirrorResult(raw, raw != agents, left_out, notes)


def _size(text: str) -> int:
    return len(text.encode("utf-8"))


def _room(before: str, after: str, limit: int, own: int) -> int:
    """Bytes that a block between the two may have, in a file of ``own`` bytes without it."""
    return limit - _size(before + after) if own <= limit else min(_SMALL, limit - _size(before))


def _places(text: str, limit: int) -> list[_Place]:
    """Where a new block can go, the best place first."""
    end = blocks.newline(text)
    own = _size(text)
    if text.endswith("\r") and end == "\n":
        end = "\r"  # CR and LF side by side would become one line end
    places = []
    if own <= limit:
        if not text:
            before, after = "", end
        elif blocks.ending(text):
            before, after = text + end, end
        else:
            before, after = text + end + end, ""  # no final line end before, none after
        places.append(_Place(before, after, _room(before, after, limit, own)))
    lines = blocks.split(text)
    head = blocks.front_matter(lines)
    before, rest = "".join(lines[:head]), "".join(lines[head:])
    if rest.startswith("\n") and end == "\r":
        end = "\n"
    if rest and (not head or blocks.ending(lines[head - 1])):
        places.append(_Place(before, end + end + rest, _room(before, end + end + rest, limit, own)))
    return places


def _markers(text: str) -> list[tuple[int, str]]:
    """Return line and kind of the markers that count.

    They are alone on their line, and outside code, quotes, lists and comments.
    """
    outline = blocks.outline(text)
    found = []
    for lines in outline.html:
        in_comment = False
        for number in lines:
            if number in outline.code:
                break
            line = outline.lines[number]
            marker = _MARKER.fullmatch(line.strip())
            if marker and not in_comment:
                found.append((number, marker[1]))
            rest = re.sub(r"<!--.*?-->", "", line)
            in_comment = "-->" not in rest if in_comment else "<!--" in rest
    return found


def _find(text: str) -> tuple[tuple[int, int] | None, str]:
    """Return first and last line of the block, or ``None``, and what is wrong with the markers."""
    found = _markers(text) if _MARKER.search(text) else []
    kinds = [kind for _, kind in found]
    if not kinds:
        return None, ""
    if kinds == ["start", "end"]:
        return (found[0][0], found[1][0]), ""
    where = ", ".join(f"{kind} in line {number + 1}" for number, kind in found)
    if len(set(kinds)) == 1:
        what = "have no end" if kinds[0] == "start" else "have no start"
    elif kinds == ["end", "start"]:
        what = "are in the wrong order"
    elif kinds[:2] == ["start", "start"]:
        what = "are nested or one was left behind"
    else:
        what = "occur more than once"
    return None, (
        f"the agentops:dreaming markers of AGENTS.md {what} ({where}); leave one start and one end, or none"
    )


def _holds_one_block(text: str) -> bool:
    block, problem = _find(text)
    return block is not None and not problem


def _around(text: str, block: tuple[int, int]) -> tuple[str, str]:
    lines = blocks.split(text)
    first, last = block
    return "".join(lines[:first]), blocks.ending(lines[last]) + "".join(lines[last + 1 :])


def _without(text: str, block: tuple[int, int]) -> str:
    """Return ``text`` without its block and without the blank line that came with it."""
    lines = blocks.split(text)
    first, last = block
    before, after = list(lines[:first]), list(lines[last + 1 :])
    blank_before = bool(before) and not before[-1].strip()
    if not after and blank_before:
        before.pop()
        if before and not blocks.ending(lines[last]):
            before[-1] = before[-1].rstrip("\r\n")  # the file had no final line end, see `_places`
    elif after and len(before) == blocks.front_matter(lines) and not after[0].strip():
        after.pop(0)
    return "".join(before + after)
