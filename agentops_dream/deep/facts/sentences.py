"""Where a sentence begins and ends, and what stands over it (SPEC §8, "company").

Works on masked text (literals filled in), so that a dot in a file name ends nothing. A list item, a
table row and a line after ``**Why:**`` are sentences too. What stands over a sentence — the heading,
the line that opens the list, the label that opens the paragraph, the head of the column — is part of
its company: "Staging:" rules every line beneath it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADING = re.compile(r" {0,3}#{1,6}[ ]+")
_ITEM = re.compile(r"(?:[-*+•・]|\d{1,3}[.)])[ ]+(?:\[[ xX]\][ ]+)?")
_QUOTE = re.compile(r" {0,3}(?:>[ ]?)+")
_RULE = re.compile(r"[ ]*(?:[-*_=][ ]*){3,}$|[ ]*\|?[ ]*:?-{2,}:?[ ]*(?:\|[ ]*:?-{2,}:?[ ]*)*\|?[ ]*$")
_LABEL = re.compile(r"(?:\*\*|__)[^*_\n]{1,60}(?:\*\*|__)|[^\s:.。,、\n][^:.。,、\n]{0,50}:(?=\s|\*\*|[^\x00-\x7f])")
_NEW_LINE = re.compile(r"[ ]*(?:\*\*|__)[^*_\n]{1,60}|[ ]*[A-Z][A-Za-z ]{0,30}:[ ]")
_END = re.compile(
    r"[。!?][\"')\]」』]*(?=[^\x00-\x7f]|\s|$)|[.][\"')\]*]*(?=\s+(?:[^a-z\s]|[a-z_]*\ue000)|\s*$)|[.](?=[\u3041-\u9fff\uac00-\ud7a3])"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|approx|vs|cf|ca|resp|incl|max|min|no|nr|fig|mr|mrs|ms|dr|st|sr|jr)|\b[A-Z])$", re.I)
_CLAUSE = re.compile(
    r"[,;:()\[\]|、。]|[ ]-[ ]|->|→|(?<![A-Za-z])(?:and|but|or|while|whereas|because|since|so|which|that|if|when|unless|then|as|"
    r"although|though|instead)(?![A-Za-z])|ただし|但し|一方|そして|また、|但|而|并且|而且|하지만|그리고|지만|(?<=[いたるう])が(?=、)|ので|ため(?=、)"
)


_LONGEST = 800


@dataclass(frozen=True)
class Span:
    """One sentence of a masked text and its place in the page."""

    start: int
    end: int
    kind: str
    """``text``, ``item``, ``row``, ``heading`` or ``code``."""
    over: tuple[tuple[int, int], ...]
    """Spans of the text that stands over it: heading, list opening, label, column head."""
    block: int
    clauses: tuple[tuple[int, int], ...]


def split(masked: str) -> Iterator[Span]:
    """Yield the sentences of a masked text in order."""
    heading: tuple[tuple[int, int], ...] = ()
    opening: tuple[int, int] | None = None
    header: tuple[int, int] | None = None
    for number, (kind, start, end) in enumerate(_blocks(masked)):
        if kind == "heading":
            heading = ((start, end),)
            opening = header = None
            yield Span(start, end, kind, (), number, ((start, end),))
            continue
        over = heading
        if kind == "row":
            if header is None:
                header = (start, end)
            else:
                over = (*over, header)
        else:
            header = None
        if kind == "item" and opening:
            over = (*over, opening)
        label: tuple[int, int] | None = None
        first = True
        for left, right in _sentences(masked, start, end):
            above = over if first or label is None else (*over, label)
            yield Span(left, right, kind, above, number, tuple(_clauses(masked, left, right)))
            if first:
                found = _LABEL.match(masked, left, right)
                label = found.span() if found else None
            first = False
        if kind != "item":
            tail = masked[start:end].rstrip(" *_")
            opening = (start, end) if tail.endswith(":") and kind == "text" else None
            if opening and end - start > 200:
                opening = (end - 120, end)


def _blocks(masked: str) -> Iterator[tuple[str, int, int]]:
    """Yield ``(kind, start, end)``; a paragraph that was wrapped by hand is one block."""
    at = 0
    open_kind, open_start, open_end = "", 0, 0
    for line in masked.split("\n"):
        start, end = at, at + len(line)
        at = end + 1
        body = start
        if quote := _QUOTE.match(line):
            body += quote.end()
        text = masked[body:end].strip()
        body = end - len(masked[body:end].lstrip())
        kind = "text"
        if not text or _RULE.match(text):
            if open_kind:
                yield open_kind, open_start, open_end
            open_kind = ""
            continue
        if match := _HEADING.match(text):
            kind, body = "heading", body + match.end()
        elif match := _ITEM.match(text):
            kind, body = "item", body + match.end()
        elif text.startswith("|") or text.count(" | ") > 1:
            kind = "row"
        joins = (
            open_kind in ("text", "item")
            and kind == "text"
            and not _NEW_LINE.match(text)
            and masked[open_end - 1 : open_end] not in (".", "。", "!", "?", ":", ";")
        )
        if joins:
            open_end = end
            continue
        if open_kind:
            yield open_kind, open_start, open_end
        open_kind, open_start, open_end = kind, body, end
        if kind in ("heading", "row"):
            yield kind, body, end
            open_kind = ""
    if open_kind:
        yield open_kind, open_start, open_end


def _sentences(masked: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for match in _END.finditer(masked, start, end):
        if masked[match.start()] == "." and _ABBREVIATION.search(masked, max(at, match.start() - 8), match.start()):
            continue
        if match.end() > at:
            yield from _cut(masked, at, match.end())
        at = match.end()
    if masked[at:end].strip(" \n*_"):
        yield from _cut(masked, at, end)


def _cut(masked: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentence, in pieces if no person would call it one: nothing after this is linear in it."""
    while end - start > _LONGEST:
        comma = max(masked.rfind(char, start + _LONGEST // 2, start + _LONGEST) for char in " ,;、")
        cut = comma + 1 if comma > 0 else start + _LONGEST
        yield start, cut
        start = cut
    yield start, end


def _clauses(masked: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for match in _CLAUSE.finditer(masked, start, end):
        if masked[at : match.start()].strip():
            yield at, match.start()
            at = match.end() if not match.group()[0].isalpha() else match.start()
    if masked[at:end].strip():
        yield at, end
