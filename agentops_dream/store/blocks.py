"""The block structure of the Markdown files that we share with people and tools (SPEC §10, §11).

A CommonMark parser says which lines are code, comments, list items or quotes; no byte is ever taken from
it, so that nothing it does to a text can reach a file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
# HTML blocks that end with a mark of their own; all others end with a blank line.
_OPAQUE = re.compile(r"\s{0,3}<(?:!|\?|(?:script|pre|style|textarea)(?:[\s>]|$))", re.IGNORECASE)
_FIELD = re.compile(r"---\s*$|#|[\w\"'$.-]+(?:[ ][\w.-]+)*[\"']?\s*:(?:\s|$)")


@dataclass(frozen=True)
class Item:
    """One list item: ``first`` to ``last`` are its lines, without trailing blank ones."""

    first: int
    last: int
    text_last: int
    """Last line of its own first paragraph."""
    depth: int
    """0 for an item of a top-level list."""
    bare: bool
    """Nothing but one paragraph: no nested list, no second paragraph."""


@dataclass(frozen=True)
class Outline:
    """What each line of a text is. Lines are numbered from 0."""

    lines: tuple[str, ...]
    """With their line ends; ``"".join`` gives the text back."""
    code: frozenset[int]
    """Lines of fences, indented code, and HTML that is kept as it is (``pre``, ``script``, ``style``)."""
    comments: frozenset[int]
    """Lines that are nothing but HTML comment."""
    items: tuple[Item, ...]
    headings: tuple[int, ...]
    """Lines on which a top-level heading starts."""
    html: tuple[range, ...]
    """Lines of each HTML block outside lists and quotes."""


def split(text: str) -> tuple[str, ...]:
    """Return the lines of ``text`` with their ends; CR, LF and CRLF end a line, nothing else does."""
    return tuple(_LINE.findall(text))


def ending(line: str) -> str:
    """Return the line end of ``line``, ``""`` if it has none."""
    return line[len(line.rstrip("\r\n")) :]


def newline(text: str) -> str:
    """Return the line end that ``text`` uses most, LF if it has none."""
    pairs = text.count("\r\n")
    counts = {"\n": text.count("\n") - pairs, "\r\n": pairs, "\r": text.count("\r") - pairs}
    return max(counts, key=lambda end: counts[end])


def front_matter(lines: Sequence[str]) -> int:
    """Return how many lines the ``---`` block at the top takes, 0 if there is none.

    A rule at the top that happens to have a second one further down is no frontmatter.
    """
    if len(lines) < 2 or lines[0].rstrip() != "---" or not _FIELD.match(lines[1]):
        return 0
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == "---":
            return number + 1
    return 0


@lru_cache(maxsize=8)  # an index is looked at many times while it is brought in line
def outline(text: str) -> Outline:
    """Return the block structure of ``text`` (without BOM). Never raises."""
    lines = split(text)
    head = front_matter(lines)
    # Lone surrogates stand for undecodable bytes and would break the parser's URL handling.
    visible = re.sub(r"[\ud800-\udfff]", "\ufffd", "".join(["\n"] * head + list(lines[head:])))
    tokens = _parser().parse(visible)
    return Outline(
        lines,
        frozenset([*range(head), *_code(tokens, lines)]),
        frozenset(_comments(tokens, lines)),
        tuple(_items(tokens, lines)),
        tuple(t.map[0] for t in tokens if t.type == "heading_open" and t.level == 0 and t.map),
        tuple(range(*_span(t, lines)) for t in tokens if t.type == "html_block" and t.level == 0),
    )


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _span(token: Token, lines: Sequence[str]) -> tuple[int, int]:
    first, end = token.map or (0, 0)
    return first, min(end, len(lines))


def _code(tokens: Sequence[Token], lines: Sequence[str]) -> list[int]:
    found: list[int] = []
    for token in tokens:
        first, end = _span(token, lines)
        opaque = token.type == "html_block" and _OPAQUE.match(lines[first]) and not _is_comment(lines[first])
        if token.type in ("fence", "code_block") or opaque:
            found += range(first, end)
    return found


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("<!--")


def _without_comments(text: str) -> str:
    """Return ``text`` without its comments; one that is never closed stays."""
    kept, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return "".join([*kept, text[at:]])


def _comments(tokens: Sequence[Token], lines: Sequence[str]) -> list[int]:
    found: list[int] = []
    for token in tokens:
        first, end = _span(token, lines)
        if token.type == "html_block" and first < end and _is_comment(lines[first]):
            rest = _without_comments("".join(lines[first:end]))
            # An unclosed comment hides the rest of the file from whoever renders it.
            if not rest.strip() or _is_comment(rest):
                found += range(first, end)
    return found


def _items(tokens: Sequence[Token], lines: Sequence[str]) -> list[Item]:
    found: list[Item] = []
    open_items: list[int] = []
    for number, token in enumerate(tokens):
        if token.type == "list_item_open":
            first, end = _span(token, lines)
            while end - 1 > first and not lines[end - 1].strip():
                end -= 1
            paragraph = tokens[number + 1] if number + 1 < len(tokens) else token
            text_end = _span(paragraph, lines)[1] if paragraph.type == "paragraph_open" else first + 1
            bare = paragraph.type == "paragraph_open" and tokens[number + 4].type == "list_item_close"
            found.append(Item(first, max(end - 1, first), max(text_end - 1, first), len(open_items), bare))
            open_items.append(number)
        elif token.type == "list_item_close":
            open_items.pop()
    return found
