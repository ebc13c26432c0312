"""Text that a person does not see, or sees in another order than a model reads it (SPEC §8).

A rewrite has no reason to hide what was in the open: a comment, a line struck through, a sign that
turns the direction of writing or has no width.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from agentops_dream.facts.reading import Text, plain

_CODE = re.compile(r"^ {0,3}(```+|~~~+)[^\n]*\n.*?(?:^ {0,3}\1|\Z)|(?<!`)(`+)(?!`).+?(?<!`)\2(?!`)", re.S | re.M)
_HIDDEN = re.compile(
    r"<!--(.*?)(?:-->|\Z)|(?<!~)~~(?!~)(.+?)~~|<(?:del|s|strike|template|script|style|details)\b[^>]*>(.*?)(?:</\w+>|\Z)"
    r"|^\[[^\]]*\]:\s*(?:#|<>)\s*(.*)$|<[a-z]+\b[^>]*\b(?:hidden|display: ?none|visibility: ?hidden)\b[^>]*>(.*?)(?:</\w+>|\Z)",
    re.S | re.M | re.I,
)
_OPEN = frozenset("\n\t\r")


def veiled(inputs: Sequence[Text], outputs: Sequence[Text]) -> Iterator[str]:
    """Yield what the outputs hide and the inputs do not: hidden text, and controls by their name."""
    before = "\n\n".join(f"{text.description}\n\n{text.body}" for text in inputs)
    after = "\n\n".join(f"{text.description}\n\n{text.body}" for text in outputs)
    allowed = _controls(before)
    for char, count in _controls(after).items():
        if count > allowed[char]:
            yield f"U+{ord(char):04X} {unicodedata.name(char, 'control')}"
    hidden = "\n".join(_hidden(before))
    yield from (text for text in _hidden(after) if text not in hidden)


def _controls(text: str) -> Counter[str]:
    kinds = (char for char in set(text) - _OPEN if not " " <= char <= "~")
    return Counter(
        {char: text.count(char) for char in kinds if unicodedata.category(char) in ("Cf", "Cc", "Co", "Cn", "Cs")}
    )


def _hidden(text: str) -> Iterator[str]:
    if "<" not in text and "~~" not in text and "]:" not in text:
        return
    for match in _HIDDEN.finditer(_CODE.sub(" ", text)):
        inner = plain(next((group for group in match.groups() if group), ""))
        if inner:
            yield inner
