"""What a stand-in model understands of the dreaming prompt.

It reads tolerantly, as a model would: any JSON in the text that looks like entries, candidate
pairs or signals is taken, wherever it stands and whatever the fence around it looks like.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Shown:
    """One entry as the prompt shows it."""

    id: str
    body: str
    description: str = ""
    type: str = ""
    name: str = ""
    focus: bool = True
    flagged: bool = False
    pinned: bool = False

    @property
    def text(self) -> str:
        return f"{self.description}\n{self.body}"


@dataclass(frozen=True)
class Prompt:
    """The prompt of a dream, or any other text (then without entries)."""

    text: str
    entries: tuple[Shown, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    values: tuple[Any, ...] = field(default=(), repr=False)
    """Every JSON object and array found, outermost only."""

    @property
    def focus(self) -> tuple[Shown, ...]:
        return tuple(entry for entry in self.entries if entry.focus)

    def get(self, id: str) -> Shown | None:
        """Return the entry with this id."""
        return next((entry for entry in self.entries if entry.id == id), None)


def parse(text: str) -> Prompt:
    """Return what ``text`` shows. Never raises; a text without entries gives none."""
    values = tuple(json_values(text))
    entries: dict[str, Shown] = {}
    pairs: list[tuple[str, str]] = []
    for value in values:
        for found in _dicts(value):
            entry = _entry(found)
            if entry is not None:
                entries.setdefault(entry.id, entry)
            pairs.extend(_pairs(found))
    return Prompt(text, tuple(entries.values()), tuple(pairs), values)


def json_values(text: str) -> Iterator[Any]:
    """Yield the outermost JSON objects and arrays in ``text``, in order."""
    decoder = json.JSONDecoder()
    at = 0
    for match in re.finditer(r"[\[{]", text):
        if match.start() < at:
            continue
        try:
            value, end = decoder.raw_decode(text, match.start())
        except ValueError:
            continue
        at = end
        yield value


def _dicts(value: Any) -> Iterator[dict[str, Any]]:
    stack = [value]
    while stack:
        item = stack.pop(0)
        if isinstance(item, dict):
            yield item
            stack[:0] = list(item.values())
        elif isinstance(item, list):
            stack[:0] = item


def _entry(found: dict[str, Any]) -> Shown | None:
    ident, body = found.get("id"), found.get("body")
    if not isinstance(ident, str) or not isinstance(body, str):
        return None
    nested = found.get("metadata")
    metadata: dict[str, Any] = nested if isinstance(nested, dict) else {}

    def word(key: str) -> str:
        value = found.get(key, metadata.get(key))
        return value if isinstance(value, str) else ""

    return Shown(
        ident,
        body,
        word("description"),
        word("type"),
        word("name"),
        bool(found.get("focus", True)),
        bool(found.get("flagged", metadata.get("flagged", False))),
        bool(found.get("pinned", metadata.get("pinned", False))),
    )


def _pairs(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key in ("pairs", "candidates", "candidate_pairs"):
        for item in found.get(key) or () if isinstance(found.get(key), list) else ():
            ids = item.get("ids") if isinstance(item, dict) else item
            if isinstance(ids, list) and len(ids) == 2 and all(isinstance(i, str) for i in ids):
                yield (ids[0], ids[1])
