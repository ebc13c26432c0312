"""The difference between two texts, word by word, for people (SPEC §12).

Lines are compared first, then the words of lines that changed. Text without spaces (Chinese, Japanese,
Korean) is compared character by character. The comparing itself is rapidfuzz's, which is exact and
stays fast on long entries, where ``difflib`` takes minutes; what it finds is then smoothed, for a
sentence in which only "the" and a comma are common reads better as one old and one new sentence.

Nothing is left out: the spans that are not added spell the text before, those that are not removed
the text after.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Indel

Kind = Literal["same", "del", "ins"]

CONTEXT = 3
"""Lines shown on either side of a change."""

_CJK = (
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")
_TOKEN = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+|[^\S\n]+|\n|[^\w\s]")


@dataclass(frozen=True)
class Span:
    """A run of text that is in both texts, only in the one before, or only in the one after."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class Block:
    """Some lines: all of them the same, or one change."""

    changed: bool
    spans: tuple[Span, ...]
    skipped: int = 0
    """Lines that are the same and not shown; then there are no spans."""

    @property
    def before(self) -> tuple[Span, ...]:
        """The text before: what is the same and what is removed."""
        return tuple(span for span in self.spans if span.kind != "ins")

    @property
    def after(self) -> tuple[Span, ...]:
        """The text after: what is the same and what is added."""
        return tuple(span for span in self.spans if span.kind != "del")


def compare(before: str, after: str) -> tuple[Block, ...]:
    """Return the difference in blocks of whole lines, in order; no blocks for two empty texts."""
    old, new = _lines(before), _lines(after)
    made: list[Block] = []
    for tag, i1, i2, j1, j2 in _opcodes(old, new):
        left, right = "".join(old[i1:i2]), "".join(new[j1:j2])
        if tag == "equal":
            made.append(Block(False, (Span("same", left),)))
        elif made and made[-1].changed:
            # A removal followed by an addition is one change.
            earlier = made.pop()
            left = _text(earlier.before) + left
            right = _text(earlier.after) + right
            made.append(Block(True, _spans(left, right)))
        else:
            made.append(Block(True, _spans(left, right)))
    return tuple(made)


def shorten(blocks: Sequence[Block], context: int = CONTEXT) -> tuple[Block, ...]:
    """Return ``blocks`` with long stretches that are the same cut to ``context`` lines beside each change."""
    made: list[Block] = []
    for number, block in enumerate(blocks):
        if block.changed or block.skipped:
            made.append(block)
            continue
        lines = _lines(block.spans[0].text)
        head = context if number else 0
        tail = context if number + 1 < len(blocks) else 0
        left_out = len(lines) - head - tail
        if left_out < 2 or len(blocks) == 1:
            made.append(block)
            continue
        if head:
            made.append(Block(False, (Span("same", "".join(lines[:head])),)))
        made.append(Block(False, (), left_out))
        if tail:
            made.append(Block(False, (Span("same", "".join(lines[-tail:])),)))
    return tuple(made)


def from_unified(diff: str) -> tuple[Block, ...]:
    """Return the blocks of a unified diff of one file, as receipts hold it; what it leaves out is skipped."""
    rows = diff.split("\n")
    made: list[Block] = []
    old, new, line, inside = "", "", 1, False
    for row, following in zip(rows, [*rows[1:], ""], strict=True):
        mark, text = row[:1], row[1:] + ("" if following.startswith("\\") else "\n")
        if inside and mark and mark in "-+":
            # Within a hunk only: the two lines above the first one begin like this, too.
            old, new = (old + text, new) if mark == "-" else (old, new + text)
            line += mark == "-"
            continue
        made += compare(old, new)
        old = new = ""
        if match := _HUNK.match(row):
            start, inside = int(match[1]), True
            if start > line:
                made.append(Block(False, (), start - line))
            line = max(start, 1)
        elif inside and mark == " ":
            line += 1
            if made and not made[-1].changed and not made[-1].skipped:
                text = made.pop().spans[0].text + text
            made.append(Block(False, (Span("same", text),)))
    return (*made, *compare(old, new))


def against(source: str, result: str) -> tuple[Span, ...]:
    """Return ``source`` with what of it is not in ``result`` as ``del``: one side of a merge."""
    return tuple(_joined(span for block in compare(source, result) for span in block.before))


def gathered(result: str, sources: Sequence[str]) -> tuple[Span, ...]:
    """Return ``result`` with what comes from none of ``sources`` as ``ins``."""
    known = bytearray(len(result))
    for source in sources:
        at = 0
        for block in compare(source, result):
            for span in block.after:
                if span.kind == "same":
                    known[at : at + len(span.text)] = b"\1" * len(span.text)
                at += len(span.text)
    return tuple(_joined(Span("same" if known[i] else "ins", char) for i, char in enumerate(result)))


# ---------------------------------------------------------------- how


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _text(spans: Iterable[Span]) -> str:
    return "".join(span.text for span in spans)


def _opcodes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    for code in Indel.opcodes(old, new):
        yield code.tag, code.src_start, code.src_end, code.dest_start, code.dest_end


def _spans(left: str, right: str) -> tuple[Span, ...]:
    old, new = _TOKEN.findall(left), _TOKEN.findall(right)
    found: list[Span] = []
    for tag, i1, i2, j1, j2 in _opcodes(old, new):
        if tag == "equal":
            found.append(Span("same", "".join(old[i1:i2])))
            continue
        if i2 > i1:
            found.append(Span("del", "".join(old[i1:i2])))
        if j2 > j1:
            found.append(Span("ins", "".join(new[j1:j2])))
    return tuple(_joined(_smooth(_Runs(found))))


class _Runs:
    """Stretches that are the same, with a change (removed, added) before each and after the last."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.same: list[str] = []
        self.changes: list[tuple[str, str]] = [("", "")]
        for span in spans:
            if span.kind == "same":
                self.same.append(span.text)
                self.changes.append(("", ""))
            else:
                gone, new = self.changes[-1]
                self.changes[-1] = (gone + span.text, new) if span.kind == "del" else (gone, new + span.text)

    def spans(self) -> Iterator[Span]:
        for number, (gone, new) in enumerate(self.changes):
            yield Span("del", gone)
            yield Span("ins", new)
            if number < len(self.same):
                yield Span("same", self.same[number])


def _smooth(runs: _Runs) -> Iterator[Span]:
    """Take short common stretches between two larger changes for changed as well."""
    again = True
    while again:
        again = False
        same: list[str] = []
        changes = [runs.changes[0]]
        for stretch, change in zip(runs.same, runs.changes[1:], strict=True):
            weight = _weight(stretch)
            if any(changes[-1]) and any(change) and weight <= min(_size(changes[-1]), _size(change)):
                gone, new = changes[-1]
                changes[-1] = (gone + stretch + change[0], new + stretch + change[1])
                again = True
            else:
                same.append(stretch)
                changes.append(change)
        runs.same, runs.changes = same, changes
    return runs.spans()


def _size(change: tuple[str, str]) -> int:
    return max(_weight(change[0]), _weight(change[1]))


def _weight(text: str) -> int:
    """How much of a stretch a reader sees as text; punctuation alone holds nothing together."""
    return sum(map(str.isalnum, text))


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    last: Span | None = None
    for span in spans:
        if not span.text:
            continue
        if last is not None and last.kind == span.kind:
            last = Span(last.kind, last.text + span.text)
            continue
        if last is not None:
            yield last
        last = span
    if last is not None:
        yield last
