"""Where in an entry secrets are sought: its file as a whole, and each value of its frontmatter (SPEC §7, §8)."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
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
    once more, behind its key, and behind the one over it: ``password: {prod: …}``.
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


_LINE = 16
"""Characters from which a line of a key is known for one where it stands alone."""
_PART = 6
"""The same, for the password of ``user:password``."""


def known(entries: Iterable[Entry], index: bytes | None = None) -> dict[str, str]:
    """Return what ``entries`` and the ``index`` file hold secret as value -> kind, and the parts of it that are
    secret where they stand alone: the lines of a key, the password of ``user:password``.
    """
    found: dict[str, str] = {}
    if index:
        text = index.decode("utf-8-sig", "replace")
        found.update((text[one.start : one.end], one.kind) for one in secrets.find(text))
    for entry in entries:
        found.update(held(entry))
    for value, kind in tuple(found.items()):
        if "\n" in value:
            lines = (line.strip() for line in value.splitlines())
            found.update((line, kind) for line in lines if len(line) >= _LINE and not line.startswith("-----"))
            continue
        part = (_decoded(value) if kind == "authorization" else value).rpartition(":")[2].rstrip("@")
        if kind in ("credentials", "authorization") and _PART <= len(part) < len(value):
            found.setdefault(part, kind)
    return found


def _decoded(value: str) -> str:
    try:
        return base64.b64decode(value, validate=True).decode()
    except ValueError:
        return ""


def telling(entries: Iterable[Entry], index: bytes | None = None) -> dict[str, str]:
    """Return what is ``known``, plain words left out: to be hidden in texts that the secret was not taken from."""
    return {value: kind for value, kind in known(entries, index).items() if not secrets.is_word(value.strip())}


def redactor(
    entries: Iterable[Entry], index: bytes | None = None, more: Mapping[str, str] = MappingProxyType({})
) -> Redactor:
    """Return what takes out of a text all that ``entries``, the ``index`` file and ``more`` hold secret, and all
    that the text itself does.
    """
    return Redactor({**more, **known(entries, index)})


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
            if key and isinstance(item, str) and item:
                yield f"{key}: {item}"
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _lines(item, key)
    elif isinstance(value, str) and value:
        yield f"{key}: {value}"
