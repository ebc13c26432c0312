"""The blocks of a Markdown text: paragraphs, list items, table rows, headings, lines of code (SPEC §8).

Layout is free, so this is where layout ends: bullets, numbering, quote marks and the labels that
entries are built with stand outside a block, and a paragraph wrapped by hand is one line again.
"""



from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6}[ ]+")
_ITEM = re.compile(r"(?:[-*+•・]|\d{1,3}[.)])[ ]+(?:\[[ xX]\][ ]+)?(?:\d{1,3}[.)][ ]+)?|[①-⑳][ ]*")
_QUOTE = re.compile(r"(?:>[ ]?)+")
_RULE = re.compile(r"(?:[-*_=][ ]?){3,}|[|:\-+ ]{3,}")
_NEW_LINE = re.compile(r"(?:\*\*|__)[^*_\n]{1,60}|[A-Z][A-Za-z ]{0,30}:[ ]")
_FURNITURE = re.compile(
    r"(?i)(?:\*\*|__)?(?:why|how to apply|reason|related|see also|links?|理由|適用|関連|なぜ|背景|参照|原因|应用|相关|이유|적용|관련)"
    r"(?: ?(?:\*\*|__))?[ ]?:(?:\*\*|__)?[ ]*"
)
"""Labels that entries are built with. They are no content."""
_STOPS = frozenset(".。!?:;|")
_COLUMNS_END = re.compile(r"[ >]*\|?(?:[ ]*:?-+:?[ ]*\|?)+[ ]*")
_COMMENT = re.compile(r"(?:^|(?<=\s))(?:#|//|--|;)[ ]+(?=[^\s=])")
"""In code what follows is said to a person. ``-- `` and ``;`` count at the head of a line only."""


class Block(NamedTuple):
    """One block and its place in the cleaned text; ``text`` has as many characters as that place."""

    kind: str
    """``text``, ``item``, ``row``, ``columns`` (the names over a table), ``heading`` or ``code``."""
    start: int
    text: str


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a cleaned text in order."""
    kind, start, parts, length = "", 0, [""], 0
    fence = ""
    at = 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        begin, at = at, at + len(line) + 1
        if fence:
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            elif line.strip():
                yield from _code(line.strip(), begin + len(line) - len(line.lstrip()))
            continue
        body = line.lstrip()
        new = "text"
        if quote := _QUOTE.match(body):
            body = body[quote.end() :].lstrip()
        opened = _FENCE.match(body)
        blank = not body.strip() or (_RULE.fullmatch(body.rstrip()) is not None and not opened)
        if opened:
            fence = opened[1][:3]
        elif match := _HEADING.match(body):
            new, body = "heading", body[match.end() :]
        elif match := _ITEM.match(body):
            new, body = "item", body[match.end() :]
        elif body.startswith("|") or body.count(" | ") > 1:
            below = lines[number + 1] if number + 1 < len(lines) else ""
            new = "columns" if "|" in below and _COLUMNS_END.fullmatch(below) else "row"
        if blank or opened:
            if kind:
                yield Block(kind, start, "".join(parts))
            kind = ""
            continue
        where = begin + len(line) - len(body)
        label = _FURNITURE.match(body)
        if label and new != "heading":
            body, where = body[label.end() :], where + label.end()
        joins = (
            kind in ("text", "item")
            and new == "text"
            and not label
            and not _NEW_LINE.match(body)
            and parts[-1].rstrip()[-1:] not in _STOPS
        )
        if joins:
            parts += [" " * (where - start - length), body]
            length = where - start + len(body)
            continue
        if kind:
            yield Block(kind, start, "".join(parts))
        kind, start, parts, length = new, where, [body], len(body)
        if kind in ("heading", "row", "columns"):
            yield Block(kind, start, body)
            kind = ""
    if kind:
        yield Block(kind, start, "".join(parts))


def _code(line: str, start: int) -> Iterator[Block]:
    """Yield a line of code, and the remark in it as text."""
    remark = _COMMENT.search(line)
    if remark is None or (remark.start() and line[remark.start()] not in "#/"):
        yield Block("code", start, line)
        return
    command = line[: remark.start()].rstrip()
    if command:
        yield Block("code", start, command)
    yield Block("text", start + remark.end(), line[remark.end() :])
