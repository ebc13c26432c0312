"""Which entry a target in MEMORY.md means: living, gone, missing, or none of ours (SPEC §10)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from ..models import Entry
from .index_refs import Ref, spellings
from .links import Resolver
from .names import fold, stem


class Names:
    """Knows the entries before and after, who takes over from whom, and what else is in the directory."""

    def __init__(
        self,
        before: Sequence[Entry],
        after: Sequence[Entry],
        heirs: Mapping[str, str],
        known: Collection[str],
    ) -> None:
        self.before = {entry.path: entry for entry in before}
        self.after = {entry.path: entry for entry in after}
        self._heirs = heirs
        self._known = {fold(path) for path in known}
        everything = {**self.before, **self.after}
        self._exact = {*everything, *heirs}
        self._folded = _unique((fold(path), path) for path in sorted(self._exact))
        self._loose = _unique((_loose(path), path) for path in sorted(self._exact))
        self._stems = _unique((_loose(stem(path)), path) for path in sorted(self.after))
        # The living come first: a link to a name that a new entry has taken over means the new one.
        self._living = Resolver(after)
        self._all = Resolver(everything.values())

    def path(self, ref: Ref) -> str | None:
        """Return the path of the entry that ``ref`` means, living or gone, ``None`` if it means none."""
        if ref.kind == "wiki":
            entry = self._living.resolve(ref.value) or self._all.resolve(ref.value)
            return entry.path if entry else None
        candidates = spellings(ref.value)
        if ref.kind == "bare":
            candidates = (ref.value, ref.value.removeprefix("./"))
            return next((path for path in candidates if path in self._exact), None)
        for path in candidates:
            if path in self._exact:
                return path
        for table, key in ((self._folded, fold), (self._loose, _loose)):
            for path in candidates:
                found = table.get(key(path))
                if found is not None:
                    return found
        return None

    def living(self, path: str | None) -> bool:
        """Whether the entry at ``path`` is there after the change."""
        return path is not None and path in self.after

    def heir(self, path: str) -> str | None:
        """Return the living entry that takes over from ``path``, over any number of steps."""
        seen = set()
        while path not in self.after and path in self._heirs and path not in seen:
            seen.add(path)
            path = self._heirs[path]
        return path if path in self.after else None

    def missing(self, ref: Ref) -> bool:
        """Whether ``ref`` names a file that should be an entry and is nowhere: a line without a file."""
        if ref.kind not in ("inline", "reference"):
            return False
        candidates = spellings(ref.value)
        if not candidates or any(self._is_known(path) for path in candidates):
            return False
        return _could_be_entry(candidates[-1])

    def missing_path(self, ref: Ref) -> str:
        """Return the path of the file that ``missing`` is about."""
        return spellings(ref.value)[-1]

    def _is_known(self, path: str) -> bool:
        """Whether ``path`` is there without being an entry, or may be: below a folder that cannot be read."""
        parts = fold(path).split("/")
        return any("/".join(parts[:count]) in self._known for count in range(1, len(parts) + 1))

    def moved(self, ref: Ref) -> str | None:
        """Return the one living entry of that file name in another folder."""
        candidates = spellings(ref.value)
        return self._stems.get(_loose(stem(candidates[-1]))) if candidates else None


def _could_be_entry(path: str) -> bool:
    parts = path.split("/")
    return (
        parts[-1].lower().endswith(".md")
        and fold(parts[-1]) != "memory.md"
        and fold(parts[0]) != "team"
        and not any(part.startswith(".") for part in parts)
        and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", path)
    )


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    twice = set()
    for key, path in pairs:
        if found.setdefault(key, path) != path:
            twice.add(key)
    return {key: path for key, path in found.items() if key not in twice}


def _loose(path: str) -> str:
    return re.sub(r"[-_\s]+", "-", fold(path))
