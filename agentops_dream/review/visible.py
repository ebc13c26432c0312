"""Text of a memory as a person may see it: what would act instead of show is spelled out (SPEC §12, §16).

What stands in a memory must not move a cursor, hide itself or turn a line around, in a terminal or on a page.
"""

from __future__ import annotations

import re

HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, ANSI's escape among them; tab and line feed may stay
    "\u00ad\u200b\u2060-\u2064\ufeff"  # take no room; U+200C and U+200D are needed to write some languages
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # turn the direction
    "\u2028\u2029"  # break lines
    "\ud800-\udfff"  # halves of pairs, which no output can encode
    "\U000e0000-\U000e007f"  # tags: invisible to people, legible to a model
    "]"
)
"""Characters that are not shown as they are."""


def visible(text: str) -> str:
    """Return ``text`` with characters that are not to be seen written as escapes (``\\u202e``)."""
    return HIDDEN.sub(lambda match: escape(match[0]), text)


def escape(char: str) -> str:
    """Return one character as an escape of four or eight hex digits."""
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
