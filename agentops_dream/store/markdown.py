"""Where a Markdown text is code (SPEC §4: code spans and fences hold no links).

Follows CommonMark's block rules as far as code is concerned: fences of either kind, unclosed ones, fences and
indented code inside quotes and lists, code spans that end with their paragraph. A property test
compares it with a CommonMark parser.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

MAX_NESTING = 50
"""Quotes and lists in one another; what is deeper counts as text, so that hostile text costs no more."""

MANY = 12
"""Links in one paragraph from which on it is cheaper to read it than to reason about each."""

Span = tuple[int, int]

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_QUOTE = re.compile(r" {0,3}> ?")
_MARKER = re.compile(r"(?:[-*+]|(\d{1,9})[.)])(?= |$)")
_FENCE = re.compile(r"(`{3,})(?=[^`]*$)|(~{3,})")
_HEADING = re.compile(r"#{1,6}(?= |$)")
_RULE = re.compile(r"(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$")
_UNDERLINE = re.compile(r"(?:=+|-+) *$")
_TICKS = re.compile(r"\\+|`+")


@dataclass
class _Item:
    """A list item that is open; a quote is one without a width."""

    width: int | None
    """How far its content is indented from where the item stands."""
    empty: bool = False


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.code: list[Span] = []
        self.paragraph: list[Span] = []
        self.open: list[_Item] = []
        self.fence = ""

    def run(self) -> list[Span]:
        for match in _LINE.finditer(self.text):
            line = match.group().rstrip("\r\n")
            self.line((match.start(), match.end()), line.expandtabs(4) if "\t" in line else line)
        self.close_paragraph()
        self.code.sort()
        return self.code

    def close_paragraph(self) -> None:
        if self.paragraph:
            self.code += _code_spans(self.text, self.paragraph[0][0], self.paragraph[-1][1])
            self.paragraph = []

    def line(self, span: Span, line: str) -> None:
        at, matched = self.match_open(line)
        blank = not line[at:].strip(" ")
        if self.fence:
            if matched == len(self.open):
                self.code.append(span)
                closing = line[at:].strip(" ")
                indent = len(line) - at - len(line[at:].lstrip(" "))
                if indent < 4 and closing.startswith(self.fence) and not closing.strip(self.fence[0]):
                    self.fence = ""
                return
            self.fence = ""
        if matched < len(self.open):
            if self.paragraph and not blank and not _starts_block(line[at:]):
                self.paragraph.append(span)  # a lazy line goes on with the paragraph above
                return
            self.close_paragraph()
            del self.open[matched:]
        if blank:
            self.close_paragraph()
        else:
            self.content(span, line, at)

    def match_open(self, line: str) -> tuple[int, int]:
        """Return where the content begins, behind the quotes and items that go on here, and their count."""
        at = 0
        for number, item in enumerate(self.open):
            if item.width is None:
                quote = _QUOTE.match(line, at)
                if quote is None:
                    return at, number
                at = quote.end()
            elif not line[at:].strip(" "):
                if item.empty:
                    return at, number
                at = min(at + item.width, len(line))
            elif line.startswith(" " * item.width, at):
                at += item.width
            else:
                return at, number
        return at, len(self.open)

    def content(self, span: Span, line: str, at: int) -> None:
        while True:
            rest = line[at:].lstrip(" ")
            indent = len(line) - at - len(rest)
            if self.open:
                self.open[-1].empty = not rest
            if not rest:
                return
            if indent >= 4:
                (self.paragraph if self.paragraph else self.code).append(span)
                return
            if len(self.open) >= MAX_NESTING:
                self.paragraph.append(span)
                return
            fence = _FENCE.match(rest)
            marker = _MARKER.match(rest)
            if rest[0] == ">":
                self.close_paragraph()
                self.open.append(_Item(None))
                at += indent + (2 if rest[1:2] == " " else 1)
            elif fence is not None:
                self.close_paragraph()
                self.code.append(span)
                self.fence = fence[1] or fence[2]
                return
            elif _HEADING.match(rest):
                self.close_paragraph()
                self.paragraph = [span]
                self.close_paragraph()
                return
            elif (self.paragraph and _UNDERLINE.match(rest)) or _RULE.match(rest):
                self.close_paragraph()
                return
            elif marker is not None and self.may_begin(marker, rest):
                self.close_paragraph()
                after = rest[marker.end() :]
                gap = len(after) - len(after.lstrip(" "))
                # Five blanks or more: the content begins after one, with indented code.
                gap = 1 if gap == len(after) or gap > 4 else gap
                self.open.append(_Item(indent + marker.end() + gap))
                at += indent + marker.end() + gap
            else:
                self.paragraph.append(span)
                return

    def may_begin(self, marker: re.Match[str], rest: str) -> bool:
        """Tell whether this list marker may end the paragraph above it."""
        return not self.paragraph or (marker[1] in (None, "1") and bool(rest[marker.end() :].strip(" ")))


def _starts_block(rest: str) -> bool:
    content = rest.lstrip(" ")
    return len(rest) - len(content) < 4 and bool(
        content[0] == ">"
        or _FENCE.match(content)
        or _HEADING.match(content)
        or _MARKER.match(content)
        or _RULE.match(content)
    )


def _code_spans(text: str, start: int, end: int) -> list[Span]:
    """Return the code spans between two offsets, which hold one paragraph."""
    spans = []
    runs: list[Span] = []
    escaped = False
    for match in _TICKS.finditer(text, start, end):
        if match.group()[0] == "\\":
            escaped = (match.end() - match.start()) % 2 == 1 and text[match.end() : match.end() + 1] == "`"
            continue
        runs.append((match.start(), match.end()))
        if escaped:
            # The run as a whole may close a span; as an opener its first tick is text.
            runs[-1] = (match.start(), -match.end())
            escaped = False
    number = 0
    while number < len(runs):
        first, last = runs[number]
        opens_at, opens_end = (first + 1, -last) if last < 0 else (first, last)
        length = opens_end - opens_at
        number += 1
        if not length:
            continue
        for later in range(number, len(runs)):
            close_at, close_end = runs[later][0], abs(runs[later][1])
            if close_end - close_at == length:
                spans.append((opens_at, close_end))
                number = later + 1
                break
    return spans


class Code:
    """The code of one text, looked at only where it is asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._blank = "\n\r\n" if "\r" in text else "\n\n"
        self._fences = _plain_fences(text)
        self._part: tuple[int, int, list[Span]] | None = None
        self._last = (0, 0, 0)

    def covers(self, at: int) -> bool:
        """Return whether the character at ``at`` is inside code."""
        if self._part is None or not self._part[0] <= at < self._part[1]:
            if self._fences is None:
                start, end = 0, len(self._text)
            else:
                number = bisect_right(self._fences, (at, len(self._text)))
                if number and at < self._fences[number - 1][1]:
                    return True
                start, end = self._around(at, number)
                asked = self._last[2] + 1 if self._last[:2] == (start, end) else 1
                self._last = (start, end, asked)
                if asked < MANY and not self._may_hold_code(start, end, at):
                    return False
            self._part = (start, end, [(a + start, b + start) for a, b in code(self._text[start:end])])
        spans = self._part[2]
        number = bisect_right(spans, (at, len(self._text))) - 1
        return number >= 0 and at < spans[number][1]

    def _around(self, at: int, number: int) -> Span:
        """Return the part around ``at`` that can be read by itself.

        It begins at a line without indent behind a blank line or a fence: no quote, list or paragraph is
        open there.
        """
        assert self._fences is not None
        text, blank = self._text, self._blank
        floor = self._fences[number - 1][1] if number else 0
        ceiling = self._fences[number][0] if number < len(self._fences) else len(text)
        end = text.find(blank, at, ceiling)
        start = at
        for _ in range(9):
            found = text.rfind(blank, floor, start)
            start = floor if found < 0 else found + len(blank)
            if start == floor or text[start] not in " \t\r\n":
                break
            start = found
        else:
            start, end = floor, -1  # deep in a list: once for all that follows
        return start, ceiling if end < 0 else end + 1

    def _may_hold_code(self, start: int, end: int, at: int) -> bool:
        """Return False if no block structure whatever could make ``at`` code."""
        text = self._text
        before = text[start:at]
        lines = before.split("\n")
        if "    " in lines[-1] or "\t" in lines[-1]:
            return True
        if "`" not in before or text.find("`", at, end) < 0:
            return False
        if "``" in before or "\\`" in before:
            return True
        # Single ticks that pair up within each line pair up that way in any paragraph.
        return any(line.count("`") % 2 for line in lines)


def _plain_fences(text: str) -> list[Span] | None:
    """Return the fenced parts if every fence begins at the left margin, ``None`` if one may not."""
    fences = []
    at = 0
    tildes = "~" in text
    while (begin := _first_of(text, at, tildes)) >= 0:
        char = text[begin]
        at = begin + 3
        while text[at : at + 1] == char:
            at += 1
        mark = text[begin:at]
        start = text.rfind("\n", 0, begin) + 1
        before = text[start:begin]
        if before:
            if not before.strip(" \t>-*+.)0123456789"):
                return None
            continue
        if not _FENCE.match(text[start : _line_end(text, start)].rstrip("\r\n")):
            continue
        at = _fence_end(text, mark, _line_end(text, start))
        fences.append((start, at))
    return fences


def _first_of(text: str, at: int, tildes: bool) -> int:
    """Return where the next three ticks or tildes stand; two plain searches are far faster than a pattern."""
    ticks = text.find("```", at)
    if not tildes:
        return ticks
    tilde = text.find("~~~", at, ticks if ticks >= 0 else len(text))
    return tilde if tilde >= 0 else ticks


def _fence_end(text: str, mark: str, at: int) -> int:
    while (found := text.find(mark, at)) >= 0:
        start = text.rfind("\n", 0, found) + 1
        at = _line_end(text, found)
        indent = text[start:found]
        if len(indent) < 4 and not indent.strip(" ") and not text[found:at].strip(" \t\r\n").strip(mark[0]):
            return at
    return len(text)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def code(text: str) -> list[Span]:
    """Return the spans of ``text`` that are code: fenced and indented lines, code spans; in order."""
    return _Scan(text).run()
