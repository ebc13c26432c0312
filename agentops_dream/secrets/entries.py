"""Where in an entry secrets are sought: its file as a whole, and each value of its frontmatter (SPEC §7, §8)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from agentops_dream import secrets
from agentops_dream.models import Entry


def texts(entry: Entry) -> tuple[str, ...]:
    """Return the texts in which ``secrets.find`` sees every secret of ``entry``.

    YAML can put a line end, quotes or an escape between a key and its value, so each value is there
    once more, behind its keys: ``db_password: …``.
    """
    raw = entry.raw.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    return (entry.path, raw, *dict.fromkeys(_lines(entry.fields, "")))


def description(entry: Entry) -> str:
    """Return the description of ``entry`` without its secrets, for a line about it in another file."""
    text = secrets.redact(entry.description)
    if not text:
        return ""
    known = {value for place in texts(entry)[1:] for value in secrets.values(place)}
    for value in sorted(known, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", "[redacted]", text)
    return text


def _lines(value: Any, key: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _lines(item, str(name))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _lines(item, key)
    elif isinstance(value, str) and value:
        yield f"{key}: {value}"
