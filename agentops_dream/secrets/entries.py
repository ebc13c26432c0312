"""Where in an entry secrets are sought: its file as a whole, and each value of its frontmatter (SPEC §7, §8)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agentops_dream import secrets
from agentops_dream.models import Entry
from agentops_dream.secrets import Redactor

_MOST = 20_000
"""Files remembered at most; a dream goes through all of them several times."""

_remembered: dict[tuple[str, bytes], Mapping[str, str]] = {}


def texts(entry: Entry) -> tuple[str, ...]:
    """Return the texts in which ``secrets.find`` sees every secret of ``entry``.

    YAML can put a line end, quotes or an escape between a key and its value, so each value is there
    once more, behind its keys: ``db_password: …``.
    """
    raw = entry.raw.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    return (entry.path, raw, *dict.fromkeys(_lines(entry.fields, "")))


def held(entry: Entry) -> Mapping[str, str]:
    """Return the secrets of ``entry`` as value -> kind."""
    key = (entry.path, hashlib.sha256(entry.raw).digest())  # an entry may carry the hash that it was shown with
    if key not in _remembered:
        if len(_remembered) >= _MOST:
            _remembered.clear()
        found = ((text, one) for text in texts(entry) for one in secrets.find(text))
        _remembered[key] = {text[one.start : one.end]: one.kind for text, one in found}
    return _remembered[key]


def redactor(entries: Iterable[Entry], index: bytes | None = None) -> Redactor:
    """Return what takes out of a text all that ``entries`` and the ``index`` file hold secret, and all that the
    text itself does.
    """
    known: dict[str, str] = {}
    if index:
        text = index.decode("utf-8-sig", "replace")
        known.update((text[one.start : one.end], one.kind) for one in secrets.find(text))
    for entry in entries:
        known.update(held(entry))
    return Redactor(known)


def description(entry: Entry, redact: Redactor) -> str:
    """Return the description of ``entry`` without secrets, its own or any that ``redact`` knows, for a line
    about it in another file.
    """
    text = redact(entry.description)
    if not text:
        return ""
    for value in sorted(held(entry), key=len, reverse=True):
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
