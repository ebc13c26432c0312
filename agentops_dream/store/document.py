"""One memory file, exact to the byte: frontmatter, body, and edits that touch nothing else (SPEC §4).

``parse`` takes bytes and ``Document.raw`` gives the same bytes back. Every edit is made in the text and
then proven: the result is read again and must hold the new value, every other field and the body as
they were. What cannot be proven raises ``EditRefused`` and changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from . import header as headers
from . import splice
from .nodes import Map
from .scalars import BadValue, checked, scalar

__all__ = [
    "FLAGS",
    "BadValue",
    "Document",
    "EditRefused",
    "NotText",
    "Value",
    "new_document",
    "newline_of",
    "parse",
]

BOM = b"\xef\xbb\xbf"
FLAGS = ("flagged", "pinned", "private")
"""The fields of ours that hold yes or no; they read as ``bool`` at the top and under ``metadata``."""

Value = str | bool | list[Any] | dict[str, Any]
Path = tuple[str, ...]

_OPEN = re.compile(rb"---[ \t]*\r?\n")
_CLOSE = re.compile(rb"\n---[ \t]*\r?(?:\n|\Z)")
_YES = frozenset(("true", "yes", "on", "1"))
_NO = frozenset(("false", "no", "off", "0", "null", "~", ""))


class NotText(ValueError):
    """The file is not UTF-8; it is left alone."""


class EditRefused(ValueError):
    """The edit could not be proven to change this field alone, so nothing was changed."""

    def __init__(self, path: str, what: str, why: str) -> None:
        where = path or "this entry"
        super().__init__(f"{where}: cannot edit {what}: {why}; edit the file by hand")
        self.path, self.what, self.why = path, what, why


@dataclass(frozen=True)
class Document:
    """A memory file. Immutable: an edit returns another document, or this one if nothing changes."""

    raw: bytes
    fields: Mapping[str, Any]
    """Frontmatter as plain values: text as written, ``bool`` for ``FLAGS``, lists and dicts."""
    body: str
    """What follows the frontmatter, line ends as in the file."""
    head: int
    """Where the body begins in ``raw``; the length of the BOM if there is no frontmatter."""
    span: tuple[int, int] | None
    """The lines between the delimiters as a slice of ``raw``; ``None``: there is no frontmatter."""
    warnings: tuple[str, ...] = ()
    valid: bool = True
    """The frontmatter parses as YAML."""
    path: str = field(default="", compare=False)
    """Only for messages."""

    @property
    def bom(self) -> bool:
        """Whether the file begins with a byte order mark."""
        return self.raw.startswith(BOM)

    @property
    def newline(self) -> str:
        """The line end to write with: the first one of the file, ``\\n`` if it has none."""
        return newline_of(self.raw)

    @property
    def header(self) -> str:
        """The lines between the delimiters, ``""`` if there is no frontmatter."""
        return "" if self.span is None else self.raw[slice(*self.span)].decode("utf-8")

    @property
    def generation(self) -> Literal["nested", "flat", "none"]:
        """``nested`` (``metadata.type``), ``flat`` (top-level ``type``), ``none`` if it shows neither."""
        metadata = self.fields.get("metadata")
        nested = isinstance(metadata, dict)
        if nested and ("type" in metadata or "node_type" in metadata):  # type: ignore[operator]
            return "nested"
        return "flat" if "type" in self.fields else "nested" if nested else "none"

    def get(self, path: str | Path) -> Any:
        """Return the value at ``path``, ``None`` if there is none."""
        value: Any = self.fields
        for key in _path(path):
            if not isinstance(value, Mapping) or key not in value:
                return None
            value = value[key]
        return value

    def with_field(self, path: str | Path, value: Value, *, rewrite: bool = False) -> Document:
        """Return a document whose field at ``path`` has this value, all other bytes the same.

        ``("metadata", "flagged")`` reaches below; missing keys, mappings and the whole frontmatter are
        made. A list is changed item by item. The same value again gives the same document, unless
        ``rewrite`` asks for its text anew (to put a broken one in quotes).

        Raises ``BadValue`` for lone surrogates, ``EditRefused`` for what cannot be proven.
        """
        path = _path(path)
        _check(value)
        expected = _with(self.fields, path, value)
        if expected == self.fields and not rewrite:
            return self
        what = f"`{'.'.join(path)}`"
        return self._first_proven(self._settings(path, value), expected, what)

    def without_field(self, path: str | Path) -> Document:
        """Return a document without the field, and without a mapping or header that held nothing else.

        A field that is not there gives the same document. Raises ``EditRefused``.
        """
        path = _path(path)
        if self.get(path) is None:
            return self
        expected = _without(self.fields, path)
        return self._first_proven(self._removals(path), expected, f"`{'.'.join(path)}`")

    def with_body(self, text: str) -> Document:
        """Return a document with exactly this body (line ends as given), the frontmatter untouched.

        Raises ``BadValue`` for lone surrogates and ``EditRefused`` if the text would read as frontmatter.
        """
        if text == self.body:
            return self
        new = checked(text).encode("utf-8")
        head = self.raw[: self.head]
        candidates = [head + new]
        if self.span is not None and not head.endswith(b"\n"):
            candidates = [head + self.newline.encode() + new]
        for raw in candidates:
            made = parse(raw, self.path)
            if (
                made.fields == self.fields
                and made.body == text
                and (made.span is None) == (self.span is None)
            ):
                return made
        raise EditRefused(self.path, "the body", "the new text would be read as frontmatter")

    # ------------------------------------------------------------ candidates and proof

    def _settings(self, path: Path, value: Value) -> Iterator[bytes]:
        newline = self.newline
        text = self.header
        root, _, _ = headers.tree(text)
        if self.span is None or root is None:
            root = Map([], 0, 0, flow=False)
        for splices in splice.setting(text, root, path, value, newline):
            yield self._with_header(splice.apply(text, splices))

    def _removals(self, path: Path) -> Iterator[bytes]:
        text = self.header
        root, _, _ = headers.tree(text)
        if root is None:
            return
        for splices in splice.removing(text, root, path):
            if splices:
                yield self._with_header(splice.apply(text, splices))
            else:
                bom = BOM if self.bom else b""
                yield bom + self.raw[self.head :]
                yield self._with_header("")

    def _with_header(self, text: str) -> bytes:
        new = text.encode("utf-8")
        if self.span is not None:
            return self.raw[: self.span[0]] + new + self.raw[self.span[1] :]
        end = self.newline.encode()
        return self.raw[: self.head] + b"---" + end + new + b"---" + end + self.raw[self.head :]

    def _first_proven(self, candidates: Iterator[bytes], expected: Mapping[str, Any], what: str) -> Document:
        why = "its neighbours would change too"
        try:
            for raw in candidates:
                made = parse(raw, self.path)
                if made.fields == expected and made.body == self.body and made.valid >= self.valid:
                    return made
        except splice.CannotEdit as error:
            why = str(error)
        raise EditRefused(self.path, what, why)


def parse(raw: bytes, path: str = "") -> Document:
    """Return the document that ``raw`` is; ``path`` is only for messages.

    Takes every text: a header that YAML refuses is read line by line, with a warning; an opening
    ``---`` without a closing one, or around something that is no mapping, is body. Raises ``NotText``.
    """
    start = 3 if raw.startswith(BOM) else 0
    try:
        opening = _OPEN.match(raw, start)
        if opening is not None:
            first = opening.end()
            closing = _CLOSE.search(raw, first - 1)
            if closing is not None:
                last = closing.start() + 1
                read = headers.read(raw[first:last].decode("utf-8"))
                if read is not None:
                    head = closing.end()
                    body = raw[head:].decode("utf-8")
                    fields = read.fields
                    _make_flags(fields)
                    return Document(raw, fields, body, head, (first, last), read.warnings, read.valid, path)
        return Document(raw, {}, raw[start:].decode("utf-8"), start, None, (), True, path)
    except UnicodeDecodeError as error:
        bad = error.object[error.start]
        raise NotText(f"{path or 'this file'} is not UTF-8 (byte 0x{bad:02X}); save it as UTF-8") from None


def new_document(
    fields: Mapping[str, Value], body: str, *, newline: str = "\n", bom: bool = False
) -> Document:
    """Return a document with these fields, in this order, and this body.

    Raises ``BadValue`` for what cannot be written and ``EditRefused`` if it does not read back the same.
    """
    start = (BOM if bom else b"") + b"---" + newline.encode() + b"---" + newline.encode()
    made = parse(start + checked(body).encode("utf-8"))
    for key, value in fields.items():
        made = made.with_field(key, value)
    return made


def newline_of(raw: bytes) -> str:
    """Return the first line end of ``raw``, ``\\n`` if it has none."""
    at = raw.find(b"\n")
    return "\r\n" if at > 0 and raw[at - 1] == 0x0D else "\n"


# ---------------------------------------------------------------- values


def _path(path: str | Path) -> Path:
    return (path,) if isinstance(path, str) else tuple(path)


def _check(value: Any) -> None:
    if isinstance(value, str):
        scalar(value)
    elif isinstance(value, list):
        for item in value:
            _check(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check(key)
            _check(item)
    elif not isinstance(value, bool):
        raise TypeError(f"frontmatter holds text, lists and mappings, not {type(value).__name__}")


def _make_flags(fields: dict[str, Any]) -> None:
    """Turn the yes/no fields of ours into ``bool``; what is neither stays text."""
    metadata = fields.get("metadata")
    for place in (fields, metadata) if type(metadata) is dict else (fields,):
        for key in FLAGS:
            if key in place:
                place[key] = _flag(place[key])


def _flag(value: Any) -> Any:
    if isinstance(value, str):
        word = value.split(" #")[0].strip().lower()
        return True if word in _YES else False if word in _NO else value
    return value


def _canonical(path: Path, value: Any) -> Any:
    """Return ``value`` as it will read back."""
    if len(path) in (1, 2) and path[-1] in FLAGS and path[:-1] in ((), ("metadata",)):
        return _flag(value) if isinstance(value, str) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return [_canonical((*path, "-"), item) for item in value]
    if isinstance(value, dict):
        return {key: _canonical((*path, key), item) for key, item in value.items()}
    return value


def _with(fields: Mapping[str, Any], path: Path, value: Value) -> dict[str, Any]:
    def build(place: Any, depth: int) -> Any:
        if depth == len(path):
            return _canonical(path, value)
        copy = dict(place) if isinstance(place, Mapping) else {}
        copy[path[depth]] = build(copy.get(path[depth]), depth + 1)
        return copy

    made = build(fields, 0)
    assert isinstance(made, dict)
    return made


def _without(fields: Mapping[str, Any], path: Path) -> dict[str, Any]:
    copy = dict(fields)
    if len(path) > 1:
        copy[path[0]] = _without(copy[path[0]], path[1:])
        if copy[path[0]]:
            return copy
    del copy[path[0]]
    return copy
