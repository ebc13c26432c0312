"""MEMORY.md follows the entries: reconciled, never regenerated (SPEC §10).

What changes: the line of a removed entry goes, or points to its heir; an entry without a line gets one; a
hook that was the old description becomes the new one; a line for a file that is nowhere goes. Everything else
stays byte for byte: headings, order, prose, tables, hand-written hooks, line ends, code, comments. A link in
prose or in a table follows its entry; where there is none to follow, that is reported.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ..models import Entry
from .index_cut import LoadCut, cut_of, load_cut
from .index_edit import Book, edit
from .index_names import Names
from .index_place import place
from .index_refs import spellings
from .links import Resolver

__all__ = ["IndexResult", "LoadCut", "load_cut", "reachable", "reconcile"]

_BOM = "\ufeff"

MAX_SIZE = 250_000
"""Characters of an index that is read; ten times what the client loads. Larger is no index."""
_TOO_LARGE = "move what is no line of an entry into entries"
_ROUNDS = 5
"""A line that goes may make another list item of the next; then that is looked at in turn."""


@dataclass(frozen=True)
class IndexResult:
    """What MEMORY.md is to hold."""

    raw: bytes | None
    """All bytes of the file; ``None``: there is none and none is to be made."""
    notes: tuple[str, ...] = ()
    """What a person should know: links to removed entries that were left, lines that are not loaded."""


def reconcile(
    index: bytes | None,
    before: Sequence[Entry],
    after: Sequence[Entry],
    heirs: Mapping[str, str],
    *,
    known: Collection[str] = (),
) -> IndexResult:
    """Return MEMORY.md brought in line with the entries. Never raises for any content.

    ``before`` and ``after``: the entries of the store at either side of a change (the same for a repair).
    ``heirs``: removed path -> path that takes over. ``known``: relative paths that exist without being an
    entry (unreadable files): their lines stay. Doing it twice changes nothing more.
    """
    whole = (index or b"").decode("utf-8", "surrogateescape")
    if "\0" in whole:
        return IndexResult(index, ("MEMORY.md holds NUL bytes and is left alone; save it as UTF-8",))
    if len(whole) > MAX_SIZE:
        return IndexResult(index, (f"MEMORY.md has {len(index or b''):,} bytes and is left alone; {_TOO_LARGE}",))
    bom = _BOM if whole.startswith(_BOM) else ""
    names = Names(before, after, heirs, known)
    text = whole[len(bom) :]
    book = Book(text, names)
    notes: list[str] = []
    gone: list[str] = []
    for _ in range(_ROUNDS):
        was = text
        text, notes, removed = edit(book, names)
        gone += removed
        book = book if text == book.text else Book(text, names)
        lines = [entry for entry in after if entry.readonly != "team" and entry.path not in book.listed]
        text = place(book, sorted(lines, key=lambda entry: entry.path), names)
        if not bom and text.startswith(_BOM):
            bom, text = _BOM, text[1:]  # what stood before it went: it is the file's now
        book = book if text == book.text else Book(text, names)
        if text == was:
            break
    if index is None and not text:
        return IndexResult(None)
    message = cut_of(book.outline).message
    raw = (bom + text).encode("utf-8", "surrogateescape")
    return IndexResult(raw, (*gone, *notes, *([message] if message else [])))


def reachable(index: bytes | None, entries: Sequence[Entry]) -> set[str]:
    """Return the paths of the entries that MEMORY.md lists, or that these lead to by ``[[links]]``."""
    text = (index or b"").decode("utf-8", "surrogateescape").removeprefix(_BOM)
    by_path = {entry.path: entry for entry in entries}
    resolver = Resolver(entries)
    found = _listed(text, entries)
    todo = list(found)
    while todo:
        for target in by_path[todo.pop()].links:
            entry = resolver.resolve(target)
            if entry is not None and entry.path not in found:
                found.add(entry.path)
                todo.append(entry.path)
    return found


def listed(index: bytes | None, entries: Sequence[Entry]) -> set[str]:
    """Return the paths of the entries that MEMORY.md itself names, in whatever form."""
    text = (index or b"").decode("utf-8", "surrogateescape").removeprefix(_BOM)
    return _listed(text, entries)


def targets(index: bytes | None) -> set[str]:
    """Return every path that a link of MEMORY.md may mean, whether it is there or not."""
    text = (index or b"").decode("utf-8", "surrogateescape").removeprefix(_BOM)
    if len(text) > MAX_SIZE:
        return set()
    book = Book(text, Names((), (), {}, ()))
    found = [ref for line in book.lines for ref, _ in line.refs]
    found += [ref for _, ref in book.definitions.values()]
    return {path for ref in found for path in spellings(ref.value)}


def _listed(text: str, entries: Sequence[Entry]) -> set[str]:
    if len(text) > MAX_SIZE:
        return {entry.path for entry in entries}  # nobody looks, so nothing is known to be lacking
    return set(Book(text, Names(entries, entries, {}, ())).listed)


