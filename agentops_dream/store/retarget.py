"""Links and references follow an entry that was merged away or renamed (SPEC §4, §8).

In bodies ``[[old]]``, ``[[old|alias]]``, ``[[old#heading]]`` outside code; in frontmatter the same, file
names (``old.md``) in any field, and stems or ids in the fields that are made to hold references. Lineage
is history and is never retargeted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..models import Entry
from .document import parse
from .lineage import is_provenance
from .links import Resolver, found
from .names import stem

REFERENCE_KEYS = frozenset(
    [
        "relates_to",
        "related",
        "related_to",
        "see_also",
        "see",
        "supersedes",
        "superseded_by",
        "replaces",
        "replaced_by",
        "depends_on",
        "blocks",
        "blocked_by",
        "part_of",
        "parent",
        "children",
        "links",
        "refs",
        "references",
        "duplicate_of",
        "duplicates",
        "contradicts",
    ]
)
"""Fields whose values name entries by stem or id; compared in lower case, ``-`` as ``_``."""

_TEXT_KEYS = frozenset(
    ["name", "title", "type", "node_type", "modified", "created", "date", "tags", "flagged_reason"]
)


class Moves:
    """Who takes over from whom, and how a link to the old one is written now."""

    def __init__(self, entries: Iterable[Entry], heirs: Mapping[str, Entry]) -> None:
        """``entries``: the store as it was. ``heirs``: path of a removed entry -> the one that takes over."""
        before = tuple(entries)
        self._heirs = dict(heirs)
        self._before = Resolver(before)
        arriving = {heir.path: heir for heir in heirs.values() if heir.path not in heirs}
        staying = [entry for entry in before if entry.path not in heirs and entry.path not in arriving]
        self._after = Resolver([*staying, *arriving.values()])

    def __bool__(self) -> bool:
        return bool(self._heirs)

    def follow(self, target: str) -> tuple[Entry, Entry] | None:
        """Return the removed entry that ``target`` means, and its heir; ``None`` if it means none."""
        old = self._before.resolve(target)
        if old is None or old.path not in self._heirs:
            return None
        heir = self._heirs[old.path]
        seen = {old.path}
        while heir.path in self._heirs and heir.path not in seen:
            seen.add(heir.path)
            heir = self._heirs[heir.path]
        return old, heir

    def spelling(self, heir: Entry) -> str:
        """Return the shortest text that a link to ``heir`` can have: stem, id, or path."""
        for text in (stem(heir.path), heir.id):
            known = self._after.resolve(text)
            if known is not None and known.path == heir.path:
                return text
        return heir.path.removesuffix(".md")


def retarget(raw: bytes, moves: Moves, *, own: str = "", path: str = "") -> bytes:
    """Return the file with its links and references to removed entries turned to their heirs.

    With ``own``, the path of this very file, what would then point to the file itself is dropped: a link
    leaves its text, a reference goes. Raises ``EditRefused``.
    """
    if not moves:
        return raw
    doc = parse(raw, path)
    doc = doc.with_body(_text(doc.body, moves, own))
    for place, value in _values(doc.fields):
        new = _value(place[-1], value, moves, own)
        if new == value:
            continue
        doc = doc.without_field(place) if new in ("", []) else doc.with_field(place, new)
    return doc.raw


def _text(text: str, moves: Moves, own: str) -> str:
    parts = []
    at = 0
    for link in found(text):
        move = moves.follow(link.target)
        if move is None:
            continue
        _, heir = move
        if own and heir.path == own:
            parts += [text[at : link.start], link.alias or link.target]
            at = link.end
        else:
            parts += [text[at : link.inner[0]], moves.spelling(heir)]
            at = link.inner[1]
    return "".join([*parts, text[at:]]) if parts else text


def _values(fields: Mapping[str, Any], prefix: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """Return the texts and lists that may hold references, with their paths."""
    found_values: list[tuple[tuple[str, ...], Any]] = []
    for key, value in fields.items():
        place = (*prefix, key)
        if is_provenance(key) or _normal(key) in _TEXT_KEYS:
            continue
        if isinstance(value, dict):
            found_values += _values(value, place)
        elif isinstance(value, str | list):
            found_values.append((place, value))
    return found_values


def _normal(key: str) -> str:
    return key.lower().replace("-", "_").replace(" ", "_")


def _value(key: str, value: Any, moves: Moves, own: str) -> Any:
    if isinstance(value, str):
        parts = value.split(",") if _normal(key) in REFERENCE_KEYS else [value]
        if len(parts) == 1:
            new = _reference(key, value, moves, own)
            return "" if new is None else new
        kept: list[str] = []
        for part in parts:
            new = _reference(key, part.strip(), moves, own)
            if new == part.strip():
                kept.append(part)
            elif new is not None and new not in [item.strip() for item in [*kept, *parts]]:
                kept.append(part.replace(part.strip(), new) if part.strip() else part)
        return ",".join(kept).strip()
    items: list[Any] = []
    for item in value:
        new = _reference(key, item, moves, own) if isinstance(item, str) else item
        moved = new != item
        if new is None or (moved and (new in items or new in value)):
            continue
        items.append(new)
    return items


def _reference(key: str, text: str, moves: Moves, own: str) -> str | None:
    """Return what ``text`` is after the moves; ``None`` if it would be a reference to the file itself."""
    if "[[" in text:
        links = list(found(text))
        whole = len(links) == 1 and (links[0].start, links[0].end) == (0, len(text.strip()))
        move = moves.follow(links[0].target) if whole else None
        if whole and own and move is not None and move[1].path == own:
            return None
        return _text(text, moves, own)
    is_file = text[-3:].lower() == ".md"
    if not text or not (is_file or _normal(key) in REFERENCE_KEYS):
        return text
    move = moves.follow(text)
    if move is None:
        return text
    old, heir = move
    if own and heir.path == own:
        return None
    if is_file:
        return (
            heir.path if "/" in text or moves.spelling(heir) != stem(heir.path) else heir.path.split("/")[-1]
        )
    return heir.id if text == old.id and text != stem(old.path) else moves.spelling(heir)
