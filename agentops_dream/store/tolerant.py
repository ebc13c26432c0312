"""The line reader for frontmatter that YAML refuses (SPEC §4).

The header is cut into chunks, a key line with what belongs to it. A chunk that is valid YAML by
itself is read as such; only the broken ones are taken as text, so one unquoted colon costs nothing
but a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .nodes import MAX_TEXT, Alias, Map, Node, Pair, Scalar, Seq, YamlFault, read_yaml

MAX_LEVELS = 10
"""Of mappings below broken ones; no frontmatter has more than three, and each is read by itself."""

KNOWN_KEYS = frozenset({"name", "description", "type", "metadata", "title", "tags"})

# Bounded, so that a line of blanks is not searched from each of its characters.
_KEY = re.compile(
    r"[ \t]*(?P<key>\"[^\"\r\n]*\"|'[^'\r\n]*'"
    r"|[^\s#\-?\[\]{}\"'&*!|>%@`,:][^\r\n]{0,200}?|-[^\s\r\n][^\r\n]{0,200}?)"
    r"[ \t]{0,20}:(?=[ \t\r\n]|$)"
)
_SIMPLE_KEY = re.compile(r"[^\W\d][\w.-]*")
_ITEM = re.compile(r"[ \t]*-(?=[ \t\r\n]|$)")
_BLOCK = re.compile(r"[|>][-+0-9]{0,2}[ \t]*(?:#.*)?")


@dataclass(frozen=True)
class _Line:
    start: int
    end: int
    """Without the line end."""
    next: int
    text: str

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip(" \t"))

    @property
    def idle(self) -> bool:
        """Blank or a comment."""
        stripped = self.text.strip()
        return not stripped or stripped.startswith("#")


def _lines(text: str) -> list[_Line]:
    lines = []
    at = 0
    for piece in text.split("\n"):
        kept = piece[:-1] if piece.endswith("\r") else piece
        following = min(at + len(piece) + 1, len(text))
        lines.append(_Line(at, at + len(kept), following, kept))
        at = following
    return lines


def read_lines(text: str) -> tuple[Map | None, list[str]]:
    """Return the mapping found line by line and a sentence per broken value.

    ``None`` instead of a mapping if the text does not look like frontmatter at all.
    """
    faults: list[str] = []
    lines = _lines(text)
    root = _mapping(text, lines, 0, faults, MAX_LEVELS)
    if root is None:
        return None, []
    names = {pair.key.value for pair in root.pairs}
    leading = next((line for line in lines if not line.idle), None)
    simple = all(_SIMPLE_KEY.fullmatch(name) for name in names)
    if not names & KNOWN_KEYS and not (simple and leading is not None and _KEY.match(leading.text)):
        return None, []
    return root, faults


def _mapping(text: str, lines: list[_Line], indent: int, faults: list[str], levels: int) -> Map | None:
    """Read ``lines`` as the pairs of one mapping whose keys stand at column ``indent``."""
    heads = [i for i, line in enumerate(lines) if line.indent == indent and _is_key(line)]
    if not heads:
        return None
    pairs = []
    for number, head in enumerate(heads):
        stop = heads[number + 1] if number + 1 < len(heads) else len(lines)
        pairs.append(_chunk(text, lines[head:stop], indent, faults, levels))
    return Map(pairs, pairs[0].key.start, pairs[-1].value.end, flow=False)


def _is_key(line: _Line) -> bool:
    return not line.idle and not _ITEM.match(line.text) and _KEY.match(line.text) is not None


def _chunk(text: str, lines: list[_Line], indent: int, faults: list[str], levels: int) -> Pair:
    start = lines[0].start
    whole = text[start : lines[-1].next]
    root = _sound(whole) if "\t" not in whole[:indent] else None
    if root is not None and len(root.pairs) == 1:
        _shift(root, start)
        return root.pairs[0]
    return _broken(text, lines, indent, faults, levels)


def _sound(text: str) -> Map | None:
    """Return the mapping that a part of the header is by itself; one with aliases is not."""
    if len(text) > MAX_TEXT:
        return None
    try:
        root = read_yaml(text)
    except YamlFault:
        return None
    return None if root is None or any(isinstance(node, Alias) for node in _nodes(root)) else root


def _nodes(root: Node) -> Iterator[Node]:
    todo: list[Node] = [root]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, Seq):
            todo += node.items
        elif isinstance(node, Map):
            for pair in node.pairs:
                todo += (pair.key, pair.value)


def _shift(root: Node, by: int) -> None:
    """Move a tree that was read from a part of the text to where that part stands."""
    for node in list(_nodes(root)):
        node.start += by
        node.end += by


def _broken(text: str, lines: list[_Line], indent: int, faults: list[str], levels: int) -> Pair:
    first = lines[0]
    match = _KEY.match(first.text)
    assert match is not None
    name = match["key"]
    quoted = len(name) > 1 and name[0] in "\"'" and name[-1] == name[0]
    key_start = first.start + match.start("key")
    key = Scalar(name[1:-1] if quoted else name, key_start, first.start + match.end("key"), "plain")
    after = first.start + match.end()
    rest = text[after : first.end]
    value = rest.strip(" \t")
    more = [line for line in lines[1:] if not line.idle]
    lines = lines[: lines.index(more[-1]) + 1] if more else lines[:1]
    if not more:
        faults.append(f"`{key.value}` is not valid YAML and was read as plain text")
        return Pair(key, _text(text, after, first.end))
    if not value or value.startswith("#"):
        if _ITEM.match(more[0].text):
            return Pair(key, _sequence(text, lines[1:], faults))
        inner = more[0].indent
        if inner > indent and levels and _is_key(more[0]):
            nested = _mapping(text, lines[1:], inner, faults, levels - 1)
            assert nested is not None
            return Pair(key, nested)
    faults.append(f"`{key.value}` is not valid YAML and was read as plain text")
    end = more[-1].end
    if _BLOCK.fullmatch(value):
        content = [line.text.strip() for line in lines[1:]]
        joined = ("\n" if value[0] == "|" else " ").join(content).strip()
    else:
        joined = " ".join([value, *(line.text.strip() for line in more)]).strip()
    lead = len(rest) - len(rest.lstrip(" \t"))
    return Pair(key, Scalar(joined, after + lead if value else after, end, "raw"))


def _text(text: str, start: int, end: int) -> Scalar:
    rest = text[start:end]
    value = rest.strip(" \t")
    if not value:
        return Scalar("", start, end, "empty")
    start += rest.index(value[0])
    return Scalar(value, start, start + len(value), "raw")


def _sequence(text: str, lines: list[_Line], faults: list[str]) -> Seq:
    """Read the ``- item`` lines; deeper or unmarked lines continue the item above them."""
    items: list[Node] = []
    column: int | None = None
    for line in lines:
        if line.idle:
            continue
        match = _ITEM.match(line.text)
        if match is not None and (column is None or line.indent <= column):
            column = line.indent
            items.append(_item(text, line, line.start + match.end(), faults))
        elif items:
            last = items[-1]
            joined = f"{_shown(last)} {line.text.strip()}".strip()
            items[-1] = Scalar(joined, last.start, line.end, "raw")
    return Seq(items, items[0].start, items[-1].end, flow=False)


def _item(text: str, line: _Line, after: int, faults: list[str]) -> Node:
    raw = _text(text, after, line.end)
    if raw.style == "empty":
        return raw
    root = _sound("x: " + raw.value)
    if root is not None and len(root.pairs) == 1 and isinstance(root.pairs[0].value, Scalar | Seq):
        node = root.pairs[0].value
        _shift(node, raw.start - 3)
        return node
    faults.append(f"the list item `{raw.value[:40]}` is not valid YAML and was read as plain text")
    return raw


def _shown(node: Node) -> str:
    return node.value if isinstance(node, Scalar) else ""
