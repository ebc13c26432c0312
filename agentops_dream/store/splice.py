"""Where an edit of one field goes in the header's text (SPEC §4).

Each function yields *candidates*, best first: lists of ``(start, end, new text)``. Nothing here is
trusted: ``document`` reads every result back and takes the first that changed this field alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from .nodes import Alias, Map, Node, Pair, Scalar, Seq, plain
from .scalars import flow, scalar

Splice = tuple[int, int, str]

_COLON = re.compile(r"[ \t]*:")


class CannotEdit(ValueError):
    """This place of the header cannot be edited without touching others; the message says why."""


def apply(text: str, splices: Sequence[Splice]) -> str:
    """Return ``text`` with the non-overlapping ``splices`` made, in order of their start."""
    parts = []
    at = 0
    for start, end, new in sorted(splices, key=lambda splice: splice[:2]):
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def setting(text: str, root: Map, path: Sequence[str], value: Any, newline: str) -> Iterator[list[Splice]]:
    """Yield ways to give the field at ``path`` this value (text, bool, list or mapping)."""
    node = root
    for depth, key in enumerate(path):
        pair = node.find(key)
        rest = path[depth + 1 :]
        if pair is None:
            yield from _adding(text, root, node, key, _nest(rest, value), newline)
            return
        if not rest:
            yield from _replacing(text, root, node, pair, value, newline)
            return
        below = pair.value
        if isinstance(below, Map):
            node = below
        elif isinstance(below, Scalar) and below.style == "empty" and not node.flow:
            at = _next_line(text, below.end)
            indent = _column(text, pair.key.start) + _step(text, root)
            yield [(at, at, _block(rest[0], _nest(rest[1:], value), indent, newline) + newline)]
            return
        else:
            raise CannotEdit(f"`{key}` holds a value and not a mapping")


def removing(text: str, root: Map, path: Sequence[str]) -> Iterator[list[Splice]]:
    """Yield ways to take the field at ``path`` out, and a mapping that is empty after that with it.

    An empty list stands for "the whole header goes".
    """
    chain: list[tuple[Map, Pair]] = []
    node = root
    for depth, key in enumerate(path):
        pair = node.find(key)
        if pair is None:
            raise CannotEdit(f"there is no `{'.'.join(path[: depth + 1])}`")
        chain.append((node, pair))
        if depth + 1 < len(path):
            if not isinstance(pair.value, Map):
                raise CannotEdit(f"`{key}` holds a value and not a mapping")
            node = pair.value
    while len(chain) > 1 and len(chain[-1][0].pairs) == 1:
        chain.pop()
    parent, pair = chain[-1]
    if parent.flow:
        spans = [(item.key.start, item.value.end) for item in parent.pairs]
        number = next(i for i, item in enumerate(parent.pairs) if item is pair)
        yield [_cut_flow(spans, number, number)]
        return
    twins = [item for item in parent.pairs if item.key.value == pair.key.value]
    splices = [(_line_start(text, item.key.start), _next_line(text, item.value.end), "") for item in twins]
    if not apply(text, splices).strip():
        yield []
    yield splices


def _nest(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


# ---------------------------------------------------------------- adding a key


def _adding(text: str, root: Map, parent: Map, key: str, value: Any, newline: str) -> Iterator[list[Splice]]:
    if parent.flow:
        if parent.pairs:
            at = parent.pairs[-1].value.end
            yield [(at, at, f", {scalar(key, flow=True)}: {flow(value)}")]
        else:
            yield [(parent.start, parent.end, flow({key: value}))]
        return
    if not parent.pairs:
        yield [(len(text), len(text), _block(key, value, "", newline, _step(text, root)) + newline)]
        return
    indent = _indent(text, parent)
    step = _step(text, root)
    lines = _block(key, value, indent, newline, step)
    if parent is root and key in ("name", "description"):
        # Where people and the client put them: the name first, the description below it.
        before = root.find("name") if key == "description" else None
        at = _next_line(text, before.value.end) if before else _line_start(text, root.pairs[0].key.start)
        yield [(at, at, lines + newline)]
    at = _next_line(text, parent.pairs[-1].value.end)
    yield [(at, at, lines + newline)]
    if parent is root or parent is root.pairs[-1].value:
        yield [(len(text), len(text), lines + newline)]


def _block(key: str, value: Any, indent: str, newline: str, step: str = "  ") -> str:
    """Return ``key: value`` as lines at ``indent``, without the last line end."""
    head = indent + scalar(key) + ":"
    if isinstance(value, dict) and value:
        return newline.join([head, *(_block(k, v, indent + step, newline, step) for k, v in value.items())])
    if isinstance(value, list) and value:
        return newline.join([head, *(f"{indent}{step}- {flow(item)}" for item in value)])
    return f"{head} {flow(value) if isinstance(value, list | dict) else scalar(value)}"


# ---------------------------------------------------------------- replacing a value


def _replacing(
    text: str, root: Map, parent: Map, pair: Pair, value: Any, newline: str
) -> Iterator[list[Splice]]:
    old = pair.value
    if isinstance(value, list) and isinstance(old, Seq) and value and old.items:
        yield _items(text, old, value, newline)
    if isinstance(value, list | dict) and value and not parent.flow:
        indent = _column(text, pair.key.start)
        lines = _block("k", value, indent, newline, _step(text, root))[len(indent) + len("k:") :]
        colon = _colon_end(text, pair)
        yield [(colon, max(old.end, colon), lines)]
        return
    if isinstance(value, list | dict):
        new = flow(value)
    else:
        style = old.style if isinstance(old, Scalar) else "plain"
        new = scalar(value, style=style, flow=parent.flow)
    yield [_in_place(text, pair, new)]


def _in_place(text: str, pair: Pair, new: str) -> Splice:
    old = pair.value
    inline = isinstance(old, Alias) or (isinstance(old, Seq | Map) and old.flow)
    if inline or (isinstance(old, Scalar) and old.style != "empty"):
        return (old.start, old.end, (" " if text[old.start - 1] == ":" else "") + new)
    colon = _colon_end(text, pair)
    return (colon, max(old.end, colon), " " + new)


def _colon_end(text: str, pair: Pair) -> int:
    colon = _COLON.match(text, pair.key.end)
    if colon is None:
        raise CannotEdit(f"`{pair.key.value}` is written in a form that is not `key: value`")
    return colon.end()


# ---------------------------------------------------------------- the items of a list


def _items(text: str, old: Seq, value: list[Any], newline: str) -> list[Splice]:
    """Return the change from ``old`` to ``value`` item by item, so that the others stay as written."""
    have = [flow(item) for item in _values(old)]
    want = [flow(item) for item in value]
    splices: list[Splice] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, have, want, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        both = min(i2 - i1, j2 - j1)
        for offset in range(both):
            item, new = old.items[i1 + offset], value[j1 + offset]
            if isinstance(item, Scalar) and item.style == "empty":
                splices.append((item.start, item.end, " " + flow(new)))
                continue
            if isinstance(item, Seq | Map) and not item.flow:
                raise CannotEdit("a list item that is a block of its own cannot be replaced")
            style = item.style if isinstance(item, Scalar) else "plain"
            shown = scalar(new, style=style, flow=old.flow) if isinstance(new, str | bool) else flow(new)
            splices.append((item.start, item.end, shown))
        if i2 - i1 > both:
            splices.append(_cut(text, old, i1 + both, i2 - 1))
        if j2 - j1 > both:
            splices.append(_insert(text, old, i1 + both, want[j1 + both : j2], newline))
    return splices


def _values(seq: Seq) -> list[Any]:
    values = plain(Map([Pair(Scalar("x", 0, 0, "plain"), seq)], 0, 0, flow=False))["x"]
    assert isinstance(values, list)
    return values


def _cut(text: str, seq: Seq, first: int, last: int) -> Splice:
    if seq.flow:
        return _cut_flow([(item.start, item.end) for item in seq.items], first, last)
    if last + 1 < len(seq.items):
        end = _line_start(text, _dash(text, seq.items[last + 1]))
    else:
        end = _next_line(text, seq.items[last].end)
    return (_line_start(text, _dash(text, seq.items[first])), end, "")


def _insert(text: str, seq: Seq, before: int, new: list[str], newline: str) -> Splice:
    if seq.flow:
        if before:
            at = seq.items[before - 1].end
            return (at, at, "".join(", " + item for item in new))
        at = seq.items[0].start
        return (at, at, "".join(item + ", " for item in new))
    dash = _dash(text, seq.items[max(before - 1, 0)])
    start = _line_start(text, dash)
    at = _next_line(text, seq.items[before - 1].end) if before else start
    return (at, at, "".join(f"{text[start:dash]}- {item}{newline}" for item in new))


def _cut_flow(spans: list[tuple[int, int]], first: int, last: int) -> Splice:
    if last + 1 < len(spans):
        return (spans[first][0], spans[last + 1][0], "")
    if first:
        return (spans[first - 1][1], spans[last][1], "")
    return (spans[first][0], spans[last][1], "")


# ---------------------------------------------------------------- lines and columns


def _dash(text: str, item: Node) -> int:
    at = item.start if isinstance(item, Seq) and not item.flow else text.rfind("-", 0, item.start)
    while isinstance(item, Seq) and not item.flow and text[at : at + 1] != "-":
        at -= 1
    if at < 0 or text[_line_start(text, at) : at].strip(" \t"):
        raise CannotEdit("a list item does not stand on a line of its own")
    return at


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _next_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _column(text: str, at: int) -> str:
    indent = text[_line_start(text, at) : at]
    if indent.strip(" \t"):
        raise CannotEdit("the key does not stand at the start of its line")
    return indent


def _indent(text: str, parent: Map) -> str:
    """Return the indent of the keys of a block mapping, from one that stands at the start of its line."""
    indents = [text[_line_start(text, pair.key.start) : pair.key.start] for pair in parent.pairs]
    for indent in indents:
        if not indent.strip(" \t"):
            return indent
    raise CannotEdit("no key of the mapping stands at the start of its line")


def _step(text: str, root: Map) -> str:
    """Return the indent that this header uses for one level."""
    for pair in root.pairs:
        if isinstance(pair.value, Map) and not pair.value.flow and pair.value.pairs:
            indent = text[_line_start(text, at := pair.value.pairs[0].key.start) : at]
            if indent and not indent.strip(" "):
                return indent
    return "  "
