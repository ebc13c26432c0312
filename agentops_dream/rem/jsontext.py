"""JSON as models write it: reading it strictly, and finding it in prose (SPEC §7, "The reply").

Nothing here knows what a reply means. ``loads`` reads one text and marks what a strict reader would
refuse; ``objects`` finds whole objects between other words.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agentops_dream.rem.errors import one_line

DEEPEST = 64
"""Levels of nesting; a reply has six."""

BROKEN = "broken JSON: "
"""How a key begins that is put into an object which a strict reader would refuse; the rest of the key
says why. No format has such a field, so whoever checks fields refuses the object, and only that one."""

_SPACE = re.compile(r"[ \t\r\n]*")
_INSIDE = r'(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*'
_STRING = re.compile(f'"{_INSIDE}"')
_UNCLOSED = re.compile(f'"{_INSIDE}' + r"(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z")
_NUMBER = r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?"
_ATOM = re.compile(rf"(?:true|false|null|NaN|-?Infinity|{_NUMBER})(?![\w.+-])", re.A)
_HALF_ATOM = re.compile(r"[\w.+-]{1,400}\Z", re.A)
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def loads(text: str) -> Any:
    """Return the value of one JSON text; raises ``ValueError`` if it is none or nests too deeply.

    An object in which a key stands twice is marked with a ``BROKEN`` key.
    """

    def pairs(items: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) < len(items):
            twice = Counter(key for key, _ in items).most_common(1)[0][0]
            made[f"{BROKEN}the key {one_line(twice, 40)!r} is given twice"] = True
        return made

    def whole(digits: str) -> int | float:
        # Thousands of digits are no number anybody meant, and int() refuses them.
        return int(digits) if len(digits) < 40 else float(digits)

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_int=whole)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def mend(value: Any) -> Any:
    """Return ``value`` safe to store anywhere.

    NaN, infinities and halves of characters are replaced. Since a replacement is not what was
    written, the outermost object is marked with a ``BROKEN`` key; a value that is no object becomes one.
    """
    faults: list[str] = []

    def walk(item: Any, depth: int) -> Any:
        if depth > DEEPEST:
            faults.append(f"{BROKEN}it nests too deeply")
            return None
        if isinstance(item, str):
            if _SURROGATE.search(item):
                faults.append(f"{BROKEN}it holds half a character (a lone surrogate)")
                return _SURROGATE.sub("\ufffd", item)
            return item
        if isinstance(item, float) and not math.isfinite(item):
            faults.append(f"{BROKEN}it holds a number that is not finite")
            return None
        if isinstance(item, list):
            return [walk(one, depth + 1) for one in item]
        if isinstance(item, dict):
            faults.extend(key for key in item if is_mark(key))
            return {walk(key, depth): walk(one, depth + 1) for key, one in item.items() if not is_mark(key)}
        return item

    mended = walk(value, 0)
    if not faults:
        return mended
    kept = mended if isinstance(mended, dict) else {}
    return {**kept, _SURROGATE.sub("\ufffd", faults[0]): True}


def is_mark(key: object) -> bool:
    """Return whether ``key`` is one that marks its object as broken."""
    return isinstance(key, str) and key.startswith(BROKEN)


@dataclass(frozen=True)
class Found:
    """One stretch of a text that begins with a brace."""

    start: int
    end: int
    state: Literal["whole", "cut", "broken"]
    """``whole``: valid JSON. ``cut``: valid as far as the text goes, which is past a first key.
    ``broken``: began like those wanted and is no JSON, or nests without end; ``end`` is where its braces
    balance, the end of the text if nowhere."""


def objects(text: str, wanted: re.Pattern[str]) -> Iterator[Found]:
    """Yield the outermost objects in ``text``, in order, skipping what is not JSON.

    ``wanted`` matches the beginning of an object that must not be overlooked: if one turns out to be no
    JSON, what stands inside its braces is not searched, because it is a part of it.
    """
    at = text.find("{")
    while at >= 0:
        state, end = _scan(text, at)
        if state == "whole":
            yield Found(at, end, "whole")
        elif state == "cut":
            # All the rest is inside it, so this is the last one.
            yield Found(at, len(text), "cut")
            return
        elif state == "deep":
            # Nobody writes this, and to search what is inside would take for ever.
            yield Found(at, len(text), "broken")
            return
        elif wanted.match(text, at):
            end = _balance(text, at)
            yield Found(at, end, "broken")
        else:
            end = at + 1
        at = text.find("{", end)


def _scan(text: str, start: int) -> tuple[Literal["whole", "cut", "broken", "deep"], int]:
    """Read one object with a stack of brackets instead of recursion: linear, at any depth."""
    stack: list[str] = []
    at = start
    need = "value"  # value, key, colon, comma; +end: or a closing bracket
    named = False
    while True:
        space = _SPACE.match(text, at)
        at = space.end() if space else at
        if at == len(text):
            return ("cut" if named else "broken"), at
        char = text[at]
        if char in "}]" and need in ("comma", "key+end", "value+end"):
            if stack.pop() != char:
                return "broken", at
            at += 1
            if not stack:
                return "whole", at
            need = "comma"
        elif char == "," and need == "comma":
            at += 1
            need = "key" if stack[-1] == "}" else "value"
        elif char == ":" and need == "colon":
            at += 1
            need, named = "value", True
        elif char in "{[" and need in ("value", "value+end"):
            if len(stack) == DEEPEST:
                return "deep", at
            stack.append("}" if char == "{" else "]")
            need = "key+end" if char == "{" else "value+end"
            at += 1
        elif char == '"' and need in ("key", "key+end", "value", "value+end"):
            found = _STRING.match(text, at)
            if not found:
                return ("cut" if named and _UNCLOSED.match(text, at) else "broken"), at
            at = found.end()
            need = "colon" if need.startswith("key") else "comma"
        elif need.startswith("value"):
            found = _ATOM.match(text, at)
            if not found:
                return ("cut" if named and _HALF_ATOM.match(text, at) else "broken"), at
            at = found.end()
            need = "comma"
        else:
            return "broken", at


def _balance(text: str, start: int) -> int:
    """Return where the braces from ``start`` balance, strings left aside as far as they can be told."""
    depth = 0
    at = start
    token = re.compile(r'[{}]|"(?:[^"\\]|\\.)*"', re.S)
    while found := token.search(text, at):
        at = found.end()
        depth += {"{": 1, "}": -1}.get(found.group(), 0)
        if depth == 0:
            return at
    return len(text)
