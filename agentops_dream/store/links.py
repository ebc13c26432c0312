"""``[[links]]``: which texts hold them, what they name, and how they follow a moved entry (SPEC §4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .keys import lookup
from .markdown import Code
from .names import fold, safe_filename, stem

if TYPE_CHECKING:
    from ..models import Entry

__all__ = ["Link", "Resolver", "fold", "found", "safe_filename", "stem", "targets"]

_LINK = re.compile(r"\[\[([^\[\]\n\r]+)\]\]")
_INDENTED = re.compile(r"(?:\t| {4})[^\n]*\[\[")
# `[[ -f x ]]` and `[[:alpha:]]` mostly stand in code; where they do not, they are no links either.
_SHELL = re.compile(
    r":\w+:|!?[ \t]+-[a-zA-Z][ \t].*|.*[ \t](?:==|!=|=~|=|&&|-[a-z]{2})[ \t].*|[ \t]+[\"']?\$.*"
)
_SHELL_SIGNS = frozenset(" \t:")
_PREFIX = re.compile(r"(?:user|feedback|project|reference)-")
_SEPARATORS = re.compile(r"[-_\s]+")


@dataclass(frozen=True)
class Link:
    """One ``[[target#heading|alias]]`` in a text."""

    start: int
    end: int
    target: str
    inner: tuple[int, int]
    """Where the target stands, blanks around it left out."""
    alias: str
    """``""`` if there is none."""


def found(text: str) -> Iterator[Link]:
    """Yield the links of a text in order; those in code spans, fences and indented code are none."""
    for start, end, inner, name in _matches(text):
        at = text.index(name, start + 2)
        alias = inner.partition("|")[2].strip()
        yield Link(start, end, name, (at, at + len(name)), alias)


def targets(body: str) -> tuple[str, ...]:
    """Return what the links of ``body`` name, alias and heading removed, each once, in order."""
    return tuple(dict.fromkeys([name for _, _, _, name in _matches(body)]))


def _matches(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield start, end, what the brackets hold, and the target of each link."""
    at = text.find("[[")
    if at < 0:
        return
    code: Code | None = None
    blanks = "\t" in text or "    " in text
    if "`" in text or ("~" in text and "~~~" in text) or (blanks and _INDENTED.search(text)):
        code = Code(text)
    for match in _LINK.finditer(text, at):
        start, end = match.span()
        inner = match[1]
        if (code is not None and code.covers(start)) or (
            _SHELL_SIGNS & set(inner) and _SHELL.fullmatch(inner)
        ):
            continue
        name = inner
        if "|" in name:
            name = name[: name.index("|")].removesuffix("\\")  # in a table the bar is escaped
        if "#" in name:
            name = name[: name.index("#")]
        name = name.strip()
        if name:
            yield start, end, inner, name


class Resolver:
    """Finds the entry that a link, an id or a file name means.

    From exact to loose, and the first step that knows the target decides: id or path; stem or name; the same
    by NFC and case; with ``-``, ``_`` and blanks equal; with the type prefix dropped; ``title``. A
    step that knows two entries decides for none of them.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = tuple(entries)
        self._exact: dict[str, Entry] = {}
        for entry in self._entries:
            self._exact[entry.path] = entry
            self._exact.setdefault(entry.path[:-3], entry)
        for entry in self._entries:
            self._exact[entry.id] = entry
        self._steps: dict[str, dict[str, Entry | None]] = {}

    def resolve(self, target: str) -> Entry | None:
        """Return the one entry that ``target`` means, ``None`` if there is none or no single one."""
        target = target.strip()
        entry = self._exact.get(target)
        if entry is not None:
            return entry
        bare = target[:-3] if target[-3:].lower() == ".md" else target
        bare = bare.removeprefix("./")
        for step, key in (
            ("plain", bare),
            ("folded", fold(bare)),
            ("loose", _loose(bare)),
            ("bare", _PREFIX.sub("", _loose(bare), count=1)),
            ("title", _loose(bare)),
        ):
            index = self._index(step)
            if key and key in index:
                return index[key]
        return None

    def _index(self, step: str) -> dict[str, Entry | None]:
        known = self._steps.get(step)
        if known is None:
            known = self._steps[step] = {}
            for entry in self._entries:
                for key in _keys(entry, step):
                    if key and known.setdefault(key, entry) is not entry:
                        known[key] = None
        return known


def _keys(entry: Entry, step: str) -> set[str]:
    if step == "title":
        title = lookup(entry.fields, "title") if entry.fields else None
        return {_loose(title)} if isinstance(title, str) else set()
    spellings = {stem(entry.path), entry.name, entry.path[:-3]}
    if step == "plain":
        return spellings
    if step == "folded":
        return {fold(text) for text in spellings}
    loose = {_loose(text) for text in spellings}
    if step == "loose":
        return loose
    return {_PREFIX.sub("", text, count=1) for text in loose}


def _loose(text: str) -> str:
    return _SEPARATORS.sub("-", fold(text)).strip("-")


def spelling(entry: Entry, among: Mapping[str, int] | None = None) -> str:
    """Return how a link names ``entry``: its stem, or its path without ``.md`` if others share the stem.

    ``among`` counts the folded stems of the store.
    """
    name = stem(entry.path)
    if among is not None and among.get(fold(name), 0) > 1:
        return entry.path[:-3]
    return name
