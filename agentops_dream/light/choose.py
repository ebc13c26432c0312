"""Light sleep: choose what one dream shows (SPEC §6). No model.

The working set is FOCUS (what changed), then what may belong to it, then ``MEMORY.md``, then one hop
of links in both directions, all within a budget of bytes. An entry is shown whole or not at all: half
an entry looks like one that has lost its facts. What does not fit waits; the oldest change goes
first, so nothing waits for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from agentops_dream.light import age, similar
from agentops_dream.models import Delta, Entry, Signal, WorkingSet
from agentops_dream.store.memory import Store

INDEX_SHARE = 4
"""``MEMORY.md`` is shown if it takes at most one part in this many of the budget: it helps the model
to see the order of things, but it must not crowd out the entries."""


@dataclass
class _Budget:
    left: int
    measure: Callable[[Entry], int]
    taken: dict[str, Entry] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)

    def size(self, entry: Entry) -> int:
        """Return the bytes that ``entry`` costs, measured once."""
        if entry.path not in self._sizes:
            self._sizes[entry.path] = self.measure(entry)
        return self._sizes[entry.path]

    def take(self, entry: Entry) -> bool:
        """Return whether ``entry`` is in, adding it if it fits whole."""
        if entry.path in self.taken:
            return True
        cost = self.size(entry)
        if cost > self.left:
            return False
        self.left -= cost
        self.taken[entry.path] = entry
        return True


def choose(
    store: Store,
    delta: Delta,
    *,
    also: Collection[str] = (),
    size: Callable[[Entry], int],
    max_bytes: int,
    settled: Collection[tuple[str, str]] = (),
    read_signals: Callable[[Sequence[Entry], Sequence[tuple[str, str]]], tuple[Signal, ...]] | None = None,
) -> WorkingSet:
    """Return the working set for ``delta``.

    ``also`` are paths that are in focus too, after the delta: in a manual run, every entry. ``size``
    gives the bytes an entry costs as the model is shown it; ``settled`` are pairs of paths (sorted) that
    were judged before at these very bytes; ``read_signals`` finds the signals of the shown entries and
    nominated pairs. Entries that no op may touch (symlinks, ``team/``) are never in focus.
    """
    editable = {entry.path: entry for entry in store.entries if not entry.readonly}
    changed = frozenset(delta.paths)
    waiting = sorted(
        (editable[path] for path in changed.union(also) if path in editable),
        key=lambda entry: (entry.path not in changed, age.changed_at(entry), entry.path),
    )
    budget = _Budget(max_bytes, size)
    too_large = tuple(entry.path for entry in waiting if budget.size(entry) > max_bytes)
    waiting = [entry for entry in waiting if budget.size(entry) <= max_bytes]

    neighbours = similar.Neighbours(store.entries)
    focus, deferred = _focus(waiting, neighbours, budget)

    pairs = similar.nominate(neighbours, [entry.path for entry in focus], frozenset(settled))
    by_path = {entry.path: entry for entry in store.entries}
    shown_pairs = tuple((one, other) for one, other, _ in pairs if _take_both(one, other, by_path, budget))

    index = _index_text(store, budget, max_bytes)
    for entry in _linked(focus, store):
        budget.take(entry)

    in_focus = {entry.path for entry in focus}
    context = tuple(entry for path, entry in budget.taken.items() if path not in in_focus)
    shown = (*focus, *context)
    return WorkingSet(
        focus=tuple(focus),
        context=context,
        index=index,
        signals=read_signals(shown, shown_pairs) if read_signals else (),
        pairs=shown_pairs,
        deferred=tuple(deferred),
        too_large=too_large,
        size=max_bytes - budget.left,
    )


def _focus(
    waiting: Sequence[Entry], neighbours: similar.Neighbours, budget: _Budget
) -> tuple[list[Entry], list[str]]:
    """Fill the budget with waiting entries, oldest change first.

    When not all fit, the likely partners of an entry that also wait come right after it: a
    duplicate is only seen when both halves are in the same dream.
    """
    by_path = {entry.path: entry for entry in waiting}
    crowded = sum(budget.size(entry) for entry in waiting) > budget.left
    for entry in waiting:
        if budget.take(entry) and crowded:
            for path, _ in neighbours.of(entry.path, among=by_path):
                budget.take(by_path[path])
    focus = [entry for entry in waiting if entry.path in budget.taken]
    return focus, [entry.path for entry in waiting if entry.path not in budget.taken]


def _take_both(one: str, other: str, by_path: dict[str, Entry], budget: _Budget) -> bool:
    return budget.take(by_path[one]) and budget.take(by_path[other])


def _index_text(store: Store, budget: _Budget, max_bytes: int) -> str:
    raw = store.index or b""
    if len(raw) > min(budget.left, max_bytes // INDEX_SHARE):
        return ""
    budget.left -= len(raw)
    return raw.decode("utf-8", "replace")


def _linked(focus: Sequence[Entry], store: Store) -> Iterable[Entry]:
    """Entries one hop away from the focus: those it links to, then those that link to it."""
    paths = {entry.path for entry in focus}
    for entry in focus:
        for target in entry.links:
            found = store.resolve(target)
            if found is not None:
                yield found
    for entry in store.entries:
        if entry.path in paths:
            continue
        for target in entry.links:
            found = store.resolve(target)
            if found is not None and found.path in paths:
                yield entry
                break
