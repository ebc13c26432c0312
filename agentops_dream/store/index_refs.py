"""Links in one line of MEMORY.md and where exactly they stand, so that one can be changed alone (SPEC §10).

Reads what people write and not only what CommonMark allows: blanks in a target, ``[[wiki]]`` links, a bare
file name at the start of a bullet or in a table cell.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from . import links
from .markup import CODE_SPAN

_HIDDEN = re.compile(r"<!--.*?(?:-->|$)")
_TITLE = re.compile(r"(?<!\s)\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\))\s*$")
_REFERENCE = re.compile(r"(?<![\\\]])\[(?P<text>[^\[\]]+)\](?:\[(?P<label>[^\[\]]*)\])?(?![\[(:])")
_DEFINITION = re.compile(
    r" {0,3}\[(?P<label>[^\[\]]+)\]:[ \t]*(?:<(?P<a>[^<>\n]*)>|(?P<b>\S+))(?:[ \t]+[\"'(].*)?$"
)
_BULLET = re.compile(r"(?P<indent>[ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_FILE = re.compile(
    r"[*_]{0,3}(?P<tick>`?)(?P<file>[^\s`*|\[\]()<>]+\.md)(?P=tick)[*_]{0,3}(?=$|[\s:,\u2013\u2014-])"
)
_CELL = re.compile(r"(?<=\|)\s*`?([^|`\[\]()<>]+\.md)`?\s*(?=\|)")
_BLANKS = re.compile(r"\s*")
_PARENS = re.compile(r"\\.|[()]", re.DOTALL)
_LONGEST = 25_000
"""Characters of a line that is read; the client cannot load a longer one, nor any of its links."""
_LONGEST_TITLE = 1_000
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|[/~\\]|[A-Za-z]:\\")


@dataclass(frozen=True)
class Ref:
    """One link in a line."""

    start: int
    end: int
    kind: str
    """``inline``, ``reference``, ``wiki`` or ``bare``."""
    target: tuple[int, int]
    """Where its target stands in the line; for a reference, its label."""
    text: str
    """What a reader sees of it."""
    value: str
    """The target as written, without ``<>`` and title; for a reference, what its definition says."""


class _Spans:
    """Parts of a line; asked often, so they are put in order once."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        """The furthest end of all spans up to here."""
        for start, end in sorted(spans):
            self._starts.append(start)
            self._ends.append(max(end, self._ends[-1]) if self._ends else end)

    def meet(self, start: int, end: int) -> bool:
        """Whether any of them shares a character with the one from ``start`` to ``end``."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._ends[before - 1] > start


def bullet(line: str) -> re.Match[str] | None:
    """Return the match of a list marker (and checkbox) that ``line`` begins with."""
    return _BULLET.match(line)


def definition(line: str) -> tuple[str, str, tuple[int, int]] | None:
    """Return label, target and where the target stands if ``line`` is a reference definition."""
    match = _DEFINITION.match(line)
    if match is None:
        return None
    group = "a" if match["a"] is not None else "b"
    return label_key(match["label"]), match[group], match.span(group)


def label_key(label: str) -> str:
    """Return the key under which reference labels count as the same."""
    return " ".join(label.casefold().split())


def refs(line: str, labels: Mapping[str, str]) -> list[Ref]:
    """Return the links of ``line`` (without line end) in order; ``labels``: the file's definitions.

    Links in code spans and comments are none; pictures are none.
    """
    return _found(line, labels) if labels else list(_remembered(line))


@lru_cache(maxsize=1 << 14)  # an index is looked at many times while it is brought in line
def _remembered(line: str) -> tuple[Ref, ...]:
    return tuple(_found(line, {}))


def _found(line: str, labels: Mapping[str, str]) -> list[Ref]:
    if len(line) > _LONGEST:
        return []
    hidden = _Spans(m.span() for pattern in (CODE_SPAN, _HIDDEN) for m in pattern.finditer(line))
    found = list(_inline(line))
    taken = _Spans((ref.start, ref.end) for ref in found)
    for link in links.found(line):
        if not taken.meet(link.start, link.start + 1):
            shown = link.alias or link.target
            found.append(Ref(link.start, link.end, "wiki", link.inner, shown, link.target))
    taken = _Spans((ref.start, ref.end) for ref in found)
    for match in _REFERENCE.finditer(line) if labels else ():
        key = label_key(match["label"] or match["text"])
        if key in labels and not taken.meet(*match.span()):
            span = match.span("label") if match["label"] else match.span("text")
            found.append(Ref(match.start(), match.end(), "reference", span, match["text"], labels[key]))
    # A code span may be part of a link's text; a link inside one is none.
    kept = [r for r in found if not any(hidden.meet(at, at + 1) for at in (r.start, r.target[0]))]
    return sorted([*kept, *_bare(line, kept)], key=lambda ref: ref.start)


def _bare(line: str, found: list[Ref]) -> Iterator[Ref]:
    """File names where a link would be: at the start of a bullet, alone in a table cell."""
    start = _BULLET.match(line)
    match = _FILE.match(line, start.end()) if start else None
    spans = [match.span("file")] if match else []
    taken = _Spans((ref.start, ref.end) for ref in found)
    if line.lstrip().startswith("|"):
        spans += [(m.start(1), m.start(1) + len(m[1].rstrip())) for m in _CELL.finditer(line)]
    for first, last in spans:
        if not taken.meet(first, last):
            yield Ref(first, last, "bare", (first, last), line[first:last], line[first:last])


def _inline(line: str) -> Iterator[Ref]:
    openings, closings = (_pairs(line, "[", "]"), _pairs(line, "(", ")")) if "](" in line else ({}, {})
    at = line.find("](")
    while at >= 0:
        opening = openings.get(at)
        closing = _closing(line, at + 2, closings)
        if opening is not None and closing is not None and line[opening - 1 : opening] != "!":
            first, last = _destination(line, at + 2, closing)
            if first < last:
                text = line[opening + 1 : at]
                yield Ref(opening, closing + 1, "inline", (first, last), text, line[first:last])
        at = line.find("](", at + 2)


def _pairs(line: str, left: str, right: str) -> dict[int, int]:
    """Return for each bracket that is not escaped the one that belongs to it, in both directions."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for match in re.finditer(rf"\\.|[{re.escape(left + right)}]", line, re.DOTALL):
        at = match.start()
        if match[0] == left:
            opened.append(at)
        elif match[0] == right and opened:
            found[at] = opened.pop()
            found[found[at]] = at
    return found


def _closing(line: str, at: int, pairs: Mapping[int, int]) -> int | None:
    """The ``)`` that ends the target which begins at ``at``, behind its ``(``."""
    first = _BLANKS.match(line, at).end()  # type: ignore[union-attr]
    if line[first : first + 1] != "<":
        return pairs.get(at - 1)
    angle = line.find(">", at)
    if angle < 0:
        return None
    # What stands in angle brackets may hold brackets of its own.
    depth = 0
    for match in _PARENS.finditer(line, angle + 1, angle + _LONGEST_TITLE):
        if match[0] == ")":
            if depth == 0:
                return match.start()
            depth -= 1
        elif match[0] == "(":
            depth += 1
    return None


def _destination(line: str, first: int, last: int) -> tuple[int, int]:
    inner = line[first:last]
    first += len(inner) - len(inner.lstrip())
    if line[first : first + 1] == "<":
        return first + 1, line.index(">", first)
    inner = line[first:last]
    title = _TITLE.search(inner)
    inner = inner[: title.start()] if title else inner
    return first, first + len(inner.rstrip())


def _escaped(line: str, at: int) -> bool:
    backslashes = len(line[:at]) - len(line[:at].rstrip("\\"))
    return backslashes % 2 == 1


def spellings(value: str) -> tuple[str, ...]:
    """Return the relative paths that a target may mean, the literal one first; ``()`` if it leads elsewhere.

    ``./`` and ``a/../`` are taken out, ``#heading`` and ``?query`` cut off, ``%20`` and ``\\(`` decoded.
    """
    plain = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", value)
    found: list[str] = [value] if not value.startswith(("/", "~")) else []
    for text in (plain, re.split(r"[#?]", plain, maxsplit=1)[0]):
        for decoded in (text, unquote(text, errors="surrogateescape")):
            if decoded and not _SCHEME.match(decoded):
                path = _normal(decoded)
                if path:
                    found.append(path)
    return tuple(dict.fromkeys(found))


def _normal(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
