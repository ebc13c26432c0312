"""Writing a value so that every YAML reader gives it back unchanged (SPEC §4).

Readers differ in what they convert (``yes``, ``1e3``, ``12:30``), so whatever one of them might take
for anything but text is quoted. Always on one line: line-based readers exist too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any


class BadValue(ValueError):
    """The value cannot stand in a UTF-8 text file; the message says why and what to do."""


# A first character that no YAML reader gives a meaning to, then no `: `, no ` #`, no odd characters. These are
# named and not the others, because Python takes a long time over large sets of characters.
_PLAIN = re.compile(
    r"(?![-?:,\[\]{}#&*!|>'\"%@`=~<\s])"
    r"(?!\.\.\.)"
    r"(?:(?!: | #)[^\x00-\x1f\x7f-\xa0\u1680\u2000-\u200a\u2028-\u202f\u205f\u3000\ud800-\udfff\ufdd0-\ufdef"
    r"\ufeff\ufff0-\uffff\U0001fffe\U0001ffff\U0003fffe-\U0010ffff])+"
    r"(?<![:\s])"
)
_WORDS = frozenset(
    ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf", ".nan", ".inf"]
)
_NUMBER_LIKE = re.compile(r"[-+.]?\d[\w.,:+/-]*|[-+.]\S*")
_FLOW_SIGNS = re.compile(r"[,\[\]{}]|:$|:[,\[\]{}\"']")
_UNSAFE = re.compile(
    r"[\x00-\x1f\"\\\x7f-\x9f\u2028\u2029\ufeff\ufdd0-\ufdef\ufff0-\ufffb\ufffe\uffff\U000e0000-\U0010ffff]"
)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


def checked(value: str) -> str:
    """Return ``value``; raises ``BadValue`` if it holds a lone surrogate."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadValue(
            f"character {error.start + 1} is half of a surrogate pair (U+{ord(value[error.start]):04X}), "
            "which UTF-8 cannot hold; take it out of the value"
        ) from None
    return value


def is_plain(value: str, *, flow: bool = False) -> bool:
    """Return whether ``value`` may stand without quotes."""
    if not _PLAIN.fullmatch(value) or value.casefold() in _WORDS or _NUMBER_LIKE.fullmatch(value):
        return False
    return not (flow and _FLOW_SIGNS.search(value))


def double_quoted(value: str) -> str:
    """Return ``value`` in double quotes, on one line, whatever it holds but lone surrogates."""

    def escape(match: re.Match[str]) -> str:
        char = match.group()
        if char in _ESCAPES:
            return _ESCAPES[char]
        code = ord(char)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

    return '"' + _UNSAFE.sub(escape, checked(value)) + '"'


def scalar(value: str | bool, *, style: str = "plain", flow: bool = False) -> str:
    """Return the text for one value, in the ``style`` (``plain``, ``"``, ``'``) it had, if that can hold it.

    Raises ``BadValue`` for lone surrogates.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    checked(value)
    if style == "'" and not _UNSAFE.search(value.replace('"', "").replace("\\", "")):
        return "'" + value.replace("'", "''") + "'"
    if style not in ('"', "'") and is_plain(value, flow=flow):
        return value
    return double_quoted(value)


def flow(value: Any) -> str:
    """Return any plain value (text, bool, list, mapping) on one line in YAML's flow form."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(str(k), flow=True)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    if isinstance(value, str | bool):
        return scalar(value, flow=True)
    raise TypeError(f"frontmatter holds text, lists and mappings, not {type(value).__name__}")
