"""What the model was shown, against what the store holds now (SPEC §4 ids, §8).

Ids are read as the model saw them; the bytes are the ones on disk at the time of judging.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from agentops_dream.deep.plan import fold, loose
from agentops_dream.models import Entry, WorkingSet
from agentops_dream.store.links import Resolver
from agentops_dream.store.memory import Store
from agentops_dream.store.names import stem


class Shown:
    """Answers whom an id or a link of the plan means. Holds nothing that changes."""

    def __init__(self, working_set: WorkingSet, store: Store) -> None:
        self.store = store
        self.current: Mapping[str, Entry] = {entry.path: entry for entry in store.entries}
        self.paths = frozenset(entry.path for entry in working_set.shown)
        self.focus = frozenset(entry.path for entry in working_set.focus)
        self._hashes = {entry.path: entry.sha256 for entry in working_set.shown}
        self._ids = frozenset(fold(entry.id) for entry in store.entries)
        self._resolver = Resolver(store.entries)
        # An id first; a path or a file stem is no id, but unambiguous and never another entry's.
        self._ways = (
            _unique((entry.id, entry.path) for entry in working_set.shown),
            _unique((entry.path, entry.path) for entry in working_set.shown),
            _unique((stem(entry.path), entry.path) for entry in working_set.shown),
        )
        self._taken = {
            loose(text): entry.path
            for entry in store.entries
            for text in (entry.path, stem(entry.path), entry.name, entry.id)
            if text.strip()
        }

    def path(self, text: str) -> str | None:
        """Return the path of the shown entry that ``text`` names, or ``None``."""
        key = fold(text)
        ids, *others = self._ways
        if key in ids or key in self._ids:  # the id of an entry that was not shown means that one
            return ids.get(key)
        return next((way[key] for way in others if key in way), None)

    def known(self, text: str) -> bool:
        """Return whether ``text`` names any entry of the store, shown or not."""
        return loose(text) in self._taken

    def owner(self, name: str) -> str | None:
        """Return the path of the entry that already goes by ``name``, by whatever of its handles."""
        return self._taken.get(loose(name))

    def stale(self, path: str) -> bool:
        """Return whether the file changed or went since it was shown."""
        entry = self.current.get(path)
        return entry is None or entry.sha256 != self._hashes.get(path)

    def linked(self, target: str) -> Entry | None:
        """Return the entry that a ``[[target]]`` leads to, shown or not."""
        return self._resolver.resolve(target)


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, set[str]] = defaultdict(set)
    for text, path in pairs:
        found[fold(text)].add(path)
    return {key: next(iter(paths)) for key, paths in found.items() if key and len(paths) == 1}
