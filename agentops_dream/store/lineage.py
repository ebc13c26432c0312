"""What a survivor takes over from the entries that are merged into it (SPEC §8, lineage).

``metadata.merged_from`` lists the ids of all that went in, and of all that had gone into those. Provenance
keys are united. A scalar one (``originSessionId``) stays the survivor's; what the others had goes
into a list beside it, ``merged_<key>`` (``merged_originSessionId``), which is provenance itself and so
survives the next merge. ``grounding: inferred`` on any of them makes the result inferred; no other
grounding is taken over, for nothing here can make a claim better founded than it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..models import Entry
from .document import Document, parse
from .keys import every_place, locate, lookup, value_at

MERGED_FROM = "merged_from"

_PROVENANCE = re.compile(
    r"merged_\w+|sources?|source_?\w+|origin\w*|provenance|derived_from|context_ids?|session_?ids?",
    re.IGNORECASE,
)
_NEVER = frozenset(
    ["name", "description", "type", "metadata", "node_type", "modified", "grounding", "flagged", "pinned"]
)
_STATE = frozenset(
    [
        "title",
        "status",
        "ended",
        "expires",
        "expired",
        "expiry",
        "valid_until",
        "superseded_by",
        "replaced_by",
        "deprecated",
        "archived",
        "flagged_reason",
    ]
)
"""What is said about one entry as a whole; copied, it would be said about another one."""


@dataclass(frozen=True)
class Difference:
    """A frontmatter fact of a merged entry that the survivor does not carry; the caller decides."""

    key: str
    kept: Any
    """The survivor's value, ``None`` if it has none."""
    other: Any
    source: str
    """Id of the entry that says ``other``."""


@dataclass(frozen=True)
class Absorbed:
    raw: bytes
    differences: tuple[Difference, ...]


def is_provenance(key: str) -> bool:
    """Return whether ``key`` says where an entry comes from."""
    return _PROVENANCE.fullmatch(key) is not None


def lineage(raw: bytes, sources: Sequence[Entry], *, merged: bool = True, path: str = "") -> bytes:
    """Return the survivor's file with the lineage of ``sources`` added to its own.

    ``merged=False`` leaves ``merged_from`` alone: for the new half of a split, whose source lives on.
    Raises ``EditRefused``.
    """
    doc = parse(raw, path)
    if merged:
        ids = [item for entry in sources for item in [entry.id, *_listed(lookup(entry.fields, MERGED_FROM))]]
        doc = _united(doc, MERGED_FROM, ids, ("metadata", MERGED_FROM))
    for entry in sources:
        for key, place in every_place(entry.fields):
            value = value_at(entry.fields, place)
            if is_provenance(key) and key != MERGED_FROM and value not in ("", [], {}):
                doc = _with_source(doc, key, value, _home(doc, key, place))
    if any(_inferred(entry.fields) for entry in sources) and not _inferred(doc.fields):
        doc = doc.with_field(locate(doc.fields, "grounding") or _home(doc, "grounding", None), "inferred")
    return doc.raw


def absorb(raw: bytes, sources: Sequence[Entry], *, path: str = "") -> Absorbed:
    """Return the survivor's file with the own keys of ``sources``, and what could not be taken over.

    Lists are united, values that the survivor lacks are copied, its own stay. Differing values and what
    describes one entry as a whole (``status``, ``ended``, ``superseded_by``, ``title`` …) are reported
    instead. Name, description, type, ``modified``, flags, pins and provenance are not looked at; private
    stays private.
    Raises ``EditRefused``.
    """
    doc = parse(raw, path)
    while True:
        made, differences = _absorbed(doc, sources)
        if made is doc:
            return Absorbed(doc.raw, tuple(_distinct(differences)))
        doc = made  # once more: what differed from a text may belong to the list that it has become


def _absorbed(doc: Document, sources: Sequence[Entry]) -> tuple[Document, list[Difference]]:
    differences: list[Difference] = []
    for entry in sources:
        stray = entry.fields.get("metadata")
        if isinstance(stray, str | list) and stray:
            differences.append(Difference("metadata", None, stray, entry.id))  # no mapping: nothing to unite
        for key, place in every_place(entry.fields):
            value = value_at(entry.fields, place)
            if key in _NEVER or is_provenance(key) or value in ("", [], {}, False):
                continue
            own = lookup(doc.fields, key)
            if own == value:
                continue
            if key in _STATE:
                differences.append(Difference(key, own, value, entry.id))
                continue
            spot = _home(doc, key, place)
            if key == "private":
                doc = doc.with_field(spot, True)
            elif own in (None, ""):
                doc = doc.with_field(spot, value)
            elif isinstance(own, list) or (isinstance(value, list) and isinstance(own, str)):
                doc = _united(doc, key, _listed(value), spot)
            elif isinstance(own, dict) and isinstance(value, dict):
                doc, missed = _filled(doc, spot, own, value, entry.id)
                differences += missed
            else:
                differences.append(Difference(key, own, value, entry.id))
    return doc, differences


def _distinct(differences: Iterable[Difference]) -> Iterable[Difference]:
    seen = set()  # of texts, since the values may be lists
    for item in differences:
        key = repr((item.key, item.kept, item.other, item.source))
        if key not in seen:
            seen.add(key)
            yield item


def _with_source(doc: Document, key: str, value: Any, spot: tuple[str, ...]) -> Document:
    own = lookup(doc.fields, key)
    if own in (None, ""):
        return doc.with_field(spot, value)
    if isinstance(own, list):
        return _united(doc, key, _listed(value), spot)
    if key.startswith("merged_"):
        return _united(doc, key, _listed(value), spot)
    beside = "merged_" + key
    others = [item for item in _listed(value) if item != own]
    return _united(doc, beside, others, (*spot[:-1], beside)) if others else doc


def _united(doc: Document, key: str, more: Sequence[Any], default: tuple[str, ...]) -> Document:
    """Add the items that the list at ``key`` does not hold yet; make the list if need be."""
    spot = locate(doc.fields, key) or default
    own = _listed(doc.get(spot))
    items = list(own)
    for item in more:
        if item not in items:
            items.append(item)
    return doc.with_field(spot, items) if len(items) > len(own) else doc


def _filled(
    doc: Document, spot: tuple[str, ...], own: Mapping[str, Any], other: Mapping[str, Any], source: str
) -> tuple[Document, list[Difference]]:
    missed = []
    for key, value in other.items():
        if key not in own:
            doc = doc.with_field((*spot, key), value)
        elif own[key] != value:
            missed.append(Difference(f"{spot[-1]}.{key}", own[key], value, source))
    return doc, missed


def _listed(value: Any) -> list[Any]:
    if value in (None, ""):
        return []
    return list(value) if isinstance(value, list) else [value]


def _inferred(fields: Mapping[str, Any]) -> bool:
    value = lookup(fields, "grounding")
    return isinstance(value, str) and value.split(" #")[0].strip().lower() == "inferred"


def _home(doc: Document, key: str, source: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return where ``key`` goes: where the file has it, else where files of its generation keep such keys."""
    known = locate(doc.fields, key)
    if known is not None:
        return known
    metadata = doc.fields.get("metadata", "")
    if not (metadata == "" or isinstance(metadata, dict)):
        return (key,)
    flat = doc.generation == "flat" and (source is None or len(source) == 1)
    return (key,) if flat else ("metadata", key)
