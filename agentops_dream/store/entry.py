"""One entry: what a file means, and the edits an op can make of it, bytes to bytes (SPEC §4, §8).

Edits keep each field where the file keeps it (top level or ``metadata``) and never touch ``modified``:
rewording is no new evidence. Each raises ``NotText``, ``BadValue`` or ``EditRefused``, and then
nothing has changed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any

from ..models import Entry
from . import links
from .document import Document, EditRefused, new_document, parse
from .keys import locate, lookup, places
from .lineage import Absorbed, Difference, absorb, lineage
from .names import stem
from .scalars import flow

__all__ = [
    "Absorbed",
    "Difference",
    "absorb",
    "describe",
    "flag",
    "flags_of",
    "lineage",
    "lookup",
    "new_entry",
    "own_type",
    "read_entry",
    "rename",
    "repair",
    "retype",
    "set_body",
    "stem",
    "unflag",
]

TYPES = ("user", "feedback", "project", "reference")
_FLAGGING = frozenset({"flagged", "pinned", "private", "tags"})
_PREFIX = re.compile(r"(user|feedback|project|reference)(?:[-_. ]|$)")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")


def read_entry(path: str, raw: bytes, mtime: float, *, readonly: str = "", id: str = "") -> Entry:
    """Return what the file means. ``id`` is the caller's to resolve; ``""`` stands for name, else stem.

    Raises ``NotText`` if it is not UTF-8.
    """
    doc = parse(raw, path)
    fields = doc.fields
    warnings = doc.warnings
    if fields:
        name = _one_line(fields.get("name") or lookup(fields, "name"))
        description = _one_line(fields.get("description") or lookup(fields, "description"))
        flagged, pinned, private = flags_of(fields)
    else:
        name = description = ""
        flagged = pinned = private = False
    kind, conflict = own_type(fields, path)
    if conflict:
        warnings = (*warnings, conflict)
    body = doc.body
    return Entry(
        path=path,
        id=id or name or stem(path),
        raw=raw,
        sha256=hashlib.sha256(raw).hexdigest(),
        name=name,
        description=description,
        type=kind,
        body=body,
        fields=fields,
        links=links.targets(body) if "[[" in body else (),
        mtime=mtime,
        flagged=flagged,
        pinned=pinned,
        private=private,
        readonly=readonly,
        warnings=warnings,
    )


def own_type(fields: Mapping[str, Any], path: str) -> tuple[str, str]:
    """Return the type and a warning, ``""`` if all is well.

    ``metadata.type``, else top-level ``type``, else the prefix of the file name, else ``unknown``.
    """
    metadata = fields.get("metadata")
    inner = _word(metadata.get("type")) if isinstance(metadata, dict) else ""
    outer = _word(fields.get("type"))
    if inner and outer and inner != outer:
        return inner, f"frontmatter: `metadata.type` is {inner} but `type` is {outer}; `metadata.type` counts"
    if inner or outer:
        return inner or outer, ""
    match = _PREFIX.match(stem(path).lower())
    return (match[1] if match else "unknown"), ""


def _word(value: Any) -> str:
    """Return a type as one word: what YAML takes for a comment is one here."""
    if not isinstance(value, str) or not value:
        return ""
    if value in TYPES:
        return value
    word = value.split(" #", 1)[0].strip()
    if word.startswith("#"):
        return ""
    return word.lower() if word.lower() in TYPES else word


def flags_of(fields: Mapping[str, Any]) -> tuple[bool, bool, bool]:
    """Return ``flagged``, ``pinned``, ``private``, each set if either place sets it.

    A value that is neither yes nor no (``pinned: always``) means yes. A tag ``private`` is private too.
    """
    metadata = fields.get("metadata")
    inner: Mapping[str, Any] = metadata if isinstance(metadata, dict) else {}
    if _FLAGGING.isdisjoint(fields) and _FLAGGING.isdisjoint(inner):
        return False, False, False
    flagged = bool(fields.get("flagged") or inner.get("flagged"))
    pinned = bool(fields.get("pinned") or inner.get("pinned"))
    private = bool(fields.get("private") or inner.get("private"))
    if not private and ("tags" in fields or "tags" in inner):
        private = any("private" in _tags(place.get("tags")) for place in (fields, inner))
    return flagged, pinned, private


def _tags(value: Any) -> list[str]:
    items = re.split(r"[,\s]+", value) if isinstance(value, str) else value if isinstance(value, list) else []
    return [item.strip().lstrip("#").lower() for item in items if isinstance(item, str)]


def _one_line(value: Any) -> str:
    if isinstance(value, str):
        return " ".join(value.split()) if "\n" in value else value.strip()
    if value is None:
        return ""
    return ("true" if value else "false") if isinstance(value, bool) else flow(value)


# ---------------------------------------------------------------- edits


def _set(doc: Document, key: str, value: str, default: tuple[str, ...]) -> Document:
    """Give ``key`` this value in every place where the file has it, else at ``default``."""
    for path in places(doc.fields, key) or [default]:
        doc = doc.with_field(path, value)
    return doc


def describe(raw: bytes, description: str, *, path: str = "") -> bytes:
    """Return the file with this description."""
    return _set(parse(raw, path), "description", description, ("description",)).raw


def rename(raw: bytes, name: str, *, path: str = "") -> bytes:
    """Return the file with this ``name`` field; the file's own name is the caller's."""
    return _set(parse(raw, path), "name", name, ("name",)).raw


def retype(raw: bytes, type: str, *, path: str = "") -> bytes:
    """Return the file with this type, where the file keeps it; a file without one gets ``metadata.type``."""
    doc = parse(raw, path)
    return _set(doc, "type", type, ("metadata", "type") if _nests(doc) else ("type",)).raw


def _nests(doc: Document) -> bool:
    """Tell whether a key of ours can go under ``metadata``."""
    metadata = doc.fields.get("metadata", "")
    return metadata == "" or isinstance(metadata, dict)


def flag(raw: bytes, reason: str, *, path: str = "") -> bytes:
    """Return the file with ``metadata.flagged: true`` and the reason; the body is left alone."""
    doc = parse(raw, path)
    home: tuple[str, ...] = ("metadata",) if _nests(doc) else ()
    known = locate(doc.fields, "flagged")
    if known is not None:
        home = known[:-1]
    return doc.with_field((*home, "flagged"), True).with_field((*home, "flagged_reason"), reason).raw


def unflag(raw: bytes, *, path: str = "") -> bytes:
    """Return the file without its flag; of a file that ``flag`` made, the bytes from before."""
    doc = parse(raw, path)
    for key in ("flagged_reason", "flagged"):
        for place in places(doc.fields, key):
            doc = doc.without_field(place)
    return doc.raw


def set_body(raw: bytes, body: str, *, path: str = "") -> bytes:
    """Return the file with this text as its body.

    Blank lines before and after the text stay as the file has them, and so do the line ends of lines that
    do not change; new lines get the file's own line end. Text that differs in neither is no edit.
    """
    doc = parse(raw, path)
    old = doc.body
    core = body.replace("\r\n", "\n").strip("\r\n")
    lead, middle, tail = _frame(old)
    if core == middle.replace("\r\n", "\n"):
        return raw
    if not middle:
        # An empty body: set it off from the frontmatter, end it as text files end.
        lead = old if old.strip("\r\n") == "" and old else (doc.newline if doc.span else "")
        tail = doc.newline
    return doc.with_body(lead + _with_line_ends(core, middle, doc.newline) + tail).raw


def _frame(text: str) -> tuple[str, str, str]:
    """Split off the empty lines before and the line ends after the text."""
    middle = text.lstrip("\r\n")
    lead = text[: len(text) - len(middle)]
    kept = middle.rstrip("\r\n")
    return lead, kept, middle[len(kept) :]


def _with_line_ends(new: str, old: str, newline: str) -> str:
    crlf = old.count("\r\n")
    if not crlf and newline == "\n":
        return new
    if not crlf or crlf == old.count("\n"):
        return new.replace("\n", "\r\n" if crlf else "\n" if "\n" in old else newline)
    # Mixed: a line that stays keeps its own.
    before = _LINES.findall(old)
    bare = [line.removesuffix("\n").removesuffix("\r") for line in before]
    lines = new.split("\n")
    ends = [newline] * len(lines)
    for tag, i1, i2, j1, _ in SequenceMatcher(None, bare, lines, autojunk=False).get_opcodes():
        if tag == "equal":
            for offset in range(i2 - i1):
                ends[j1 + offset] = before[i1 + offset][len(bare[i1 + offset]) :] or newline
    return "".join(line + end for line, end in zip(lines[:-1], ends, strict=False)) + lines[-1]


def repair(raw: bytes, *, path: str = "") -> bytes:
    """Return the file with those values in quotes that YAML refuses, and a cut name or description.

    No value changes. Of other fields `` #`` may well begin a comment, so they stay as written. What cannot
    be repaired value by value (a tab indent, a stray line) is left as it is.
    """
    doc = parse(raw, path)
    while True:
        made = _repaired(doc)
        if made is doc:
            return doc.raw
        doc = made  # once more: a repaired value can be what another one waited for


def _repaired(doc: Document) -> Document:
    for place, value in _texts(doc.fields):
        if not _faults(doc):
            break
        try:
            made = doc.with_field(place, value, rewrite=True)
        except EditRefused:
            continue
        # Only a broken value: a sound one keeps the quotes that its author gave it.
        if _faults(made) < _faults(doc):
            doc = made
    return doc


def _faults(doc: Document) -> int:
    signs = ("not valid YAML", "cut `name`", "cut `description`")
    return sum(any(sign in warning for sign in signs) for warning in doc.warnings)


def _texts(fields: Mapping[str, Any]) -> list[tuple[tuple[str, ...], Any]]:
    found: list[tuple[tuple[str, ...], Any]] = []
    for key, value in fields.items():
        if isinstance(value, dict):
            found += [((key, *rest), inner) for rest, inner in _texts(value)]
        elif isinstance(value, str):
            found.append(((key,), value))
    return found


# ---------------------------------------------------------------- new entries


def new_entry(name: str, description: str, type: str, body: str, *, like: Document | None = None) -> bytes:
    """Return a new file in the form of ``like``: its generation, line ends and indent.

    Without ``like``, or if that shows no form: ``metadata.type`` and LF. Raises ``BadValue``.
    """
    fields: dict[str, Any] = {"name": name, "description": description}
    newline = like.newline if like else "\n"
    if like is not None and like.generation == "flat":
        fields["type"] = type
    elif like is not None and isinstance(like.get("metadata"), dict) and like.get(("metadata", "node_type")):
        fields["metadata"] = {"node_type": like.get(("metadata", "node_type")), "type": type}
    else:
        fields["metadata"] = {"type": type}
    text = body.replace("\r\n", "\n").strip("\n")
    text = ("\n" + text + "\n" if text else "").replace("\n", newline)
    return new_document(fields, text, newline=newline).raw
