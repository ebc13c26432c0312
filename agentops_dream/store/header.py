"""Reading a frontmatter header into plain values, the common shape without YAML (SPEC §4).

Nine headers in ten are lines of ``key: value`` with at most one level below; ``scan`` reads those at
a fraction of a parser's cost and refuses everything else. A property test holds it equal to YAML.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .nodes import MAX_TEXT, Map, Node, Scalar, Seq, YamlFault, duplicates, plain, read_yaml
from .tolerant import read_lines

ONE_WORD = frozenset({"type", "flagged", "pinned", "private"})
"""Fields in which `` #`` can only begin a comment."""

# Anything but visible characters that all YAML readers take as they are.
# Written as what it is, not as what it is not: Python takes a long time over large sets of characters.
_ODD = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff\U0010fffe\U0010ffff]")
_LINE = re.compile(r"^( *)(?:([A-Za-z_][\w-]{0,99}):|-)(?: +([^ \n][^\n]*))? *$", re.MULTILINE)
# No `:` or `#` at all inside items: what these mean there depends on their neighbours.
_FLOW = re.compile(r"\[ *(?:[\w.][\w./ -]*(?:, *[\w.][\w./ -]*)*)?\]")
_SIGNS = frozenset("-?:,[]{}#&*!|>'\"%@`")


@dataclass(frozen=True)
class Header:
    """What a header says."""

    fields: dict[str, Any]
    warnings: tuple[str, ...] = ()
    valid: bool = True
    """It parses as YAML."""


def read(text: str) -> Header | None:
    """Return the values of the header ``text`` (the lines between the delimiters).

    ``None`` if it holds no mapping: then the ``---`` lines are rules in a body. Never raises.
    """
    fields = scan(text)
    if fields is not None:
        return Header(fields)
    return _read_slowly(text)


def tree(text: str) -> tuple[Map | None, list[str], bool]:
    """Return the header as a tree with positions, its faults, and whether it is valid YAML."""
    fault = f"the header is longer than {MAX_TEXT} characters"
    if len(text) <= MAX_TEXT:
        try:
            root = read_yaml(text)
            if root is not None:
                plain(root)  # refuses aliases without end
            return root, [], True
        except YamlFault as error:
            fault = str(error)
    root, faults = read_lines(text)
    return root, faults or [f"not valid YAML ({fault})"], False


def _read_slowly(text: str) -> Header | None:
    if not text.strip():
        return Header({})
    root, faults, valid = tree(text)
    if root is None:
        return None
    warnings = [f"frontmatter: {fault}" for fault in faults]
    warnings += [
        f"frontmatter: `{key}` stands more than once; the last one counts" for key in duplicates(root)
    ]
    warnings += [
        f"frontmatter: YAML would cut `{key}` at ` #`; put the value in quotes"
        for key in _cut_keys(root, "")
        if key.rpartition(".")[2] not in ONE_WORD
    ]
    return Header(plain(root), tuple(warnings), valid)


def _cut_keys(node: Node, name: str) -> list[str]:
    if isinstance(node, Scalar):
        return [name] if node.cut else []
    if isinstance(node, Seq):
        return [key for item in node.items for key in _cut_keys(item, name)][:1]
    if isinstance(node, Map):
        prefix = name + "." if name else ""
        return [key for pair in node.pairs for key in _cut_keys(pair.value, prefix + pair.key.value)]
    return []


def scan(text: str) -> dict[str, Any] | None:
    """Return the values of a header of the simple shape, ``None`` for any other.

    Simple: unique keys, one level of nesting, one-line values, plain, quoted without escapes, or lists of
    plain words; no comments, anchors, tags, tabs or blank lines.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if not text or _ODD.search(text):
        return None
    lines = _LINE.findall(text)
    if len(lines) != text.count("\n") + (text[-1] != "\n"):
        return None
    fields: dict[str, Any] = {}
    inner: dict[str, Any] | list[str] | None = None
    parent, width = "", 0
    for indent, key, value in lines:
        if not key:
            # A list item, below or beside its key.
            if not value or not parent:
                return None
            if inner is None:
                inner = fields[parent] = []
                width = len(indent)
            elif not isinstance(inner, list) or len(indent) != width:
                return None
            item = _value(value)
            if type(item) is not str:
                return None
            inner.append(item)
            continue
        if indent:
            if inner is None:
                if not parent:
                    return None
                inner = fields[parent] = {}
                width = len(indent)
            elif len(indent) != width:
                return None
            target = inner
            if type(target) is not dict:
                return None
        else:
            target = fields
            inner = None
            parent = "" if value else key
        if key in target:
            return None
        if not value:
            target[key] = ""
            continue
        read_value = _value(value)
        if read_value is None:
            return None
        target[key] = read_value
    return fields


def _value(text: str) -> str | list[str] | None:
    if text[-1] == " ":
        text = text.rstrip(" ")
    first = text[0]
    if first not in _SIGNS:
        if ": " in text or " #" in text or text[-1] == ":":
            return None
        return text
    if first == '"':
        inside = text[1:-1]
        return (
            inside if len(text) > 1 and text[-1] == '"' and '"' not in inside and "\\" not in inside else None
        )
    if first == "'":
        inside = text[1:-1]
        return inside if len(text) > 1 and text[-1] == "'" and "'" not in inside else None
    if first == "[" and _FLOW.fullmatch(text):
        inside = text[1:-1].strip(" ")
        return [item.strip(" ") for item in inside.split(",")] if inside else []
    return None
