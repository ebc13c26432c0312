"""The frontmatter as a tree that knows where each value stands in the text (SPEC §4).

YAML decides the structure; the values stay text as written, so that ``2026-01-02``, ``404``, ``yes``
and ``null`` are what the author typed, and a plain value keeps what YAML cuts at `` #``. Built from
parser events with a stack of its own: nothing here recurses into what a hostile file nests.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MAX_TEXT = 64 * 1024
"""Characters given to YAML: more than any frontmatter by far, and its cost on hostile text is not linear."""

MAX_DEPTH = 40
MAX_VALUES = 20_000

_HALF = re.compile(r"[\ud800-\udfff]")
_COLON = re.compile(r"[ \t]*:")
_REST = re.compile(r"[^\r\n\x85\u2028\u2029]*")


class YamlFault(ValueError):
    """The text is not a YAML mapping that can be trusted; the message says why."""


@dataclass
class Scalar:
    value: str
    start: int
    end: int
    """Text of the value is ``text[start:end]``, quotes and block indicator included."""
    style: str
    """``plain``, ``"``, ``'``, ``|``, ``>``, ``empty`` (no text after the colon), ``raw`` (not YAML)."""
    cut: bool = False
    """YAML would end this value early, at `` #``."""


@dataclass
class Alias:
    """``*name``: stands for a node that is written elsewhere and cannot be edited here."""

    node: Node
    start: int
    end: int


@dataclass
class Seq:
    items: list[Node]
    start: int
    end: int
    flow: bool


@dataclass
class Pair:
    key: Scalar
    value: Node


@dataclass
class Map:
    pairs: list[Pair]
    start: int
    end: int
    flow: bool

    def find(self, key: str) -> Pair | None:
        """Return the pair that counts: of two with one key the last, as YAML readers do."""
        for pair in reversed(self.pairs):
            if pair.key.value == key:
                return pair
        return None


Node = Scalar | Alias | Seq | Map


def rest_of_line(text: str, at: int) -> str:
    """Return what stands between ``at`` and the end of its line."""
    match = _REST.match(text, at)
    return match.group() if match else ""


@dataclass
class _Open:
    """A collection whose end has not been seen yet."""

    node: Seq | Map
    anchor: str | None
    key: Scalar | None = None


@dataclass
class _Builder:
    text: str
    root: Node | None = None
    stack: list[_Open] = field(default_factory=list)
    anchors: dict[str, Node] = field(default_factory=dict)

    def feed(self, event: Any) -> None:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self.add(self.scalar(event), event.anchor)
        elif kind is yaml.AliasEvent:
            target = self.anchors.get(event.anchor)
            if target is None:
                raise YamlFault(f"the alias *{event.anchor} has no anchor before it")
            self.add(Alias(target, event.start_mark.index, event.end_mark.index), None)
        elif kind is yaml.SequenceStartEvent:
            self.open(Seq([], event.start_mark.index, event.end_mark.index, bool(event.flow_style)), event)
        elif kind is yaml.MappingStartEvent:
            self.open(Map([], event.start_mark.index, event.end_mark.index, bool(event.flow_style)), event)
        elif kind is yaml.SequenceEndEvent or kind is yaml.MappingEndEvent:
            self.close(event)
        elif kind is yaml.DocumentStartEvent and self.root is not None:
            raise YamlFault("it holds more than one YAML document")

    def open(self, node: Seq | Map, event: Any) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise YamlFault("it is nested too deeply")
        self.stack.append(_Open(node, event.anchor))

    def close(self, event: Any) -> None:
        opened = self.stack.pop()
        node = opened.node
        if node.flow:
            node.end = event.end_mark.index
        else:
            # The event of a block collection stands at whatever comes next, blank lines passed.
            last: Node | None = None
            if isinstance(node, Seq) and node.items:
                last = node.items[-1]
            elif isinstance(node, Map) and node.pairs:
                last = node.pairs[-1].value
            node.end = last.end if last is not None else node.start
        self.add(node, opened.anchor)

    def add(self, node: Node, anchor: str | None) -> None:
        if anchor is not None:
            self.anchors[anchor] = node
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        if isinstance(top.node, Seq):
            top.node.items.append(node)
        elif top.key is None:
            if not isinstance(node, Scalar):
                raise YamlFault("a key is not plain text")
            top.key = node
        else:
            top.node.pairs.append(Pair(top.key, node))
            top.key = None

    def scalar(self, event: Any) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        style = event.style or "plain"
        if not event.value.isascii() and _HALF.search(event.value):
            raise YamlFault("it holds half of a surrogate pair")
        if style in "|>":
            end = start + len(self.text[start:end].rstrip())
            return Scalar(event.value, start, end, style)
        if style != "plain":
            return Scalar(event.value, start, end, style)
        top = self.stack[-1] if self.stack else None
        is_key = top is not None and isinstance(top.node, Map) and top.key is None
        if is_key or top is None or top.node.flow:
            return Scalar(event.value, start, end, "plain" if end > start else "empty")
        if start == end and top.key is not None:
            # The event of an empty value stands anywhere; the value belongs behind its colon.
            colon = _COLON.match(self.text, top.key.end)
            start = end = colon.end() if colon else start
        rest = rest_of_line(self.text, end)
        kept = rest.strip(" \t")
        if kept.startswith("#") and (rest[0] in " \t" or start == end):
            if start == end:
                start += rest.index("#")
                return Scalar(kept, start, start + len(kept), "plain", cut=True)
            whole = rest.rstrip(" \t")
            return Scalar(event.value + whole, start, end + len(whole), "plain", cut=True)
        if start == end:
            return Scalar("", start, end + len(rest) if not kept else end, "empty")
        return Scalar(event.value, start, end, "plain")


def read_yaml(text: str) -> Map | None:
    """Return the mapping that ``text`` is in YAML, ``None`` if it is valid YAML of another kind.

    Raises ``YamlFault`` if it does not parse, nests too deeply or has keys that are no plain text.
    """
    builder = _Builder(text)
    try:
        for event in yaml.parse(text, Loader=LOADER):
            builder.feed(event)
    except yaml.MarkedYAMLError as error:
        raise YamlFault(error.problem or "it is not valid YAML") from None
    except YamlFault:
        raise
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The parser in Python lets numbers of characters through that are none.
        raise YamlFault(str(error).partition("\n")[0] or "it is not valid YAML") from None
    return builder.root if isinstance(builder.root, Map) else None


def plain(root: Map) -> dict[str, Any]:
    """Return the tree as plain values: text, lists and dicts. The last of two equal keys counts.

    Raises ``YamlFault`` if aliases make it larger than any frontmatter is; never without aliases.
    """
    repeated = 0

    def convert(node: Node, depth: int) -> Any:
        """``depth``: how deep in aliases this is, 0 outside."""
        nonlocal repeated
        repeated += depth > 0
        if repeated > MAX_VALUES or depth > MAX_DEPTH:
            raise YamlFault("its aliases repeat without end")
        if isinstance(node, Scalar):
            return node.value
        if isinstance(node, Alias):
            return convert(node.node, depth + 1)
        deeper = depth + 1 if depth else 0
        if isinstance(node, Seq):
            return [convert(item, deeper) for item in node.items]
        return {pair.key.value: convert(pair.value, deeper) for pair in node.pairs}

    values = convert(root, 0)
    assert isinstance(values, dict)
    return values


def duplicates(root: Map) -> list[str]:
    """Return the keys that stand more than once in one mapping, nested ones as ``a.b``."""
    found: list[str] = []

    def walk(node: Map, prefix: str) -> None:
        seen: set[str] = set()
        for pair in node.pairs:
            name = prefix + pair.key.value
            if pair.key.value in seen:
                found.append(name)
            seen.add(pair.key.value)
            if isinstance(pair.value, Map):
                walk(pair.value, name + ".")

    walk(root, "")
    return found
