"""Where a field stands: at the top or under ``metadata`` (SPEC §4).

Claude Code's own Write tool moves every key but ``name`` and ``description`` under ``metadata``; an entry
means the same before and after that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TOP_FIRST = frozenset({"name", "description"})
"""Fields of the top level in both generations; of all others ``metadata`` counts first, as of ``type``."""


def locate(fields: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
    """Return the path at which ``fields`` keep ``key``, ``None`` if they do not.

    In both places: ``metadata`` counts, except for ``name`` and ``description``. An empty value does not
    hide a filled one.
    """
    paths = places(fields, key)
    for path in paths:
        if value_at(fields, path) not in ("", [], {}):
            return path
    return paths[0] if paths else None


def places(fields: Mapping[str, Any], key: str) -> list[tuple[str, ...]]:
    """Return every path at which ``key`` stands, the one that counts first."""
    metadata = fields.get("metadata")
    found: list[tuple[str, ...]] = []
    if isinstance(metadata, Mapping) and key in metadata:
        found.append(("metadata", key))
    if key in fields and key != "metadata":
        found.insert(0 if key in TOP_FIRST else len(found), (key,))
    return found


def lookup(fields: Mapping[str, Any], key: str) -> Any:
    """Return the value of ``key`` wherever the file keeps it, ``None`` if it does not."""
    path = locate(fields, key)
    return None if path is None else value_at(fields, path)


def value_at(fields: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    """Return the value at an existing ``path``; raises ``KeyError`` if there is none."""
    value: Any = fields
    for key in path:
        value = value[key]
    return value


def every_place(fields: Mapping[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """Return each key with each path it stands at, top level and ``metadata`` taken as one.

    A key in both places comes twice, the place that counts first.
    """
    metadata = fields.get("metadata")
    names = [key for key in fields if key != "metadata"]
    if isinstance(metadata, Mapping):
        names += [key for key in metadata if key not in fields]
    return [(key, path) for key in names for path in places(fields, key)]
