"""Which ops and files of a run hang together, read from its record (SPEC §8 bundles, §9 undo).

A split's new entry holds what was taken out of its source, a merge's survivor what its losers said. To
take one back without the other would leave a fact in no entry, so undo has to know. Nothing is stored
for it: targets, names and heirs tell, in the records of older versions, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agentops_dream.models import MEMORY, Entry, FileChange, Verdict, is_entry
from agentops_dream.store.links import targets as linked
from agentops_dream.store.memory import Store
from agentops_dream.store.names import fold
from agentops_dream.transaction.record import Step
from agentops_dream.transaction.undo import Left, UndoPlan

_CONTENT = ("update", "merge", "delete")
_LINK = re.compile(r"\[\[[^\]\n]*\]\]|\]\([^)\n]*\)")

Named = Callable[[str], "str | None"]
"""``named(id)`` returns the path of the entry that an id of the plan means, ``None`` if it is not known."""


@dataclass(frozen=True)
class Bundles:
    """What hangs together in one run."""

    ops: tuple[frozenset[int], ...]
    """Groups of ops to be taken back together."""
    texts: tuple[frozenset[int], ...]
    """Groups of ops that may have moved text between their entries; finer than ``ops``."""
    writers: Mapping[str, frozenset[int]]
    """Label -> ops that changed what the entry says, or whether it is there."""

    def closure(self, ops: Collection[int]) -> frozenset[int]:
        """Return ``ops`` and all that hang together with one of them."""
        return frozenset(ops).union(*(group for group in self.ops if group & set(ops)))

    def together(self, one: str, other: str) -> bool:
        """Return whether text of the entry ``one`` (a label) may stand in ``other`` since the run."""
        mine, theirs = self.writers.get(one, frozenset()), self.writers.get(other, frozenset())
        return any(group & mine and group & theirs for group in self.texts)


def bundles(steps: Sequence[Step], verdicts: Sequence[Verdict], heirs: Mapping[str, str], named: Named) -> Bundles:
    """Return what hangs together in a run with these ``steps``.

    ``verdicts`` and ``heirs`` (removed path -> path that took over) are those of the dream itself, also if
    ``steps`` are of an undo of it. Ops of which no verdict is left may all hang together.
    """
    entries = [step for step in steps if is_entry(step.label)]
    every = {op for step in entries for op in step.ops}
    told = {verdict.index: verdict for verdict in verdicts if verdict.index in every}
    acts = {op: v for op, v in told.items() if v.status == "applied" and v.kind in _CONTENT}
    aims = {op: _handles(verdict.targets, named) for op, verdict in told.items()}
    makes = {op: _handles(_new_names(verdict), named) for op, verdict in acts.items()}
    content = frozenset(acts) | (every - told.keys())
    writers = {step.label: _writers(step, aims) & content for step in entries}

    joined: list[Collection[int]] = [(op,) for op in content]
    joined.append(every - told.keys())
    joined += [_having(acts, aims, {aim}) for aim in set().union(*aims.values())]
    for gone, heir in heirs.items():
        joined.append(writers.get(MEMORY + gone, frozenset()) | writers.get(MEMORY + heir, frozenset()))
    for op, verdict in acts.items():
        if verdict.kind == "delete" and verdict.raw is None:  # purged: whom it trusted is not known any more
            joined.append(acts)
        elif verdict.kind == "delete":
            cited = _handles(_superseded(verdict), named)
            joined.append({op, *_having(acts, aims, cited), *_having(acts, makes, cited)})
    texts = _groups(joined)

    joined = [*texts, *(step.ops for step in entries)]
    for op, verdict in told.items():
        joined.append({op, *_having(acts, makes, _handles(_links(verdict), named))})
    return Bundles(_groups(joined), texts, writers)


def hold(
    plan: UndoPlan,
    steps: Sequence[Step],
    hanging: Bundles,
    more: Callable[[FileChange], bool],
) -> UndoPlan:
    """Return ``plan`` without the changes that would take a fact out of memory.

    Where an entry is left though the run had taken text out of it, whatever may hold that text now is left,
    too. What only comes back is no harm: then a fact stands twice. ``more``: whether the entry says
    anything now that it would not say any more.
    """
    had = {step.label for step in steps if step.before is not None and is_entry(step.label)}
    without = {item.label: item.reason for item in plan.left if item.label in had}
    changes, left = list(plan.changes), list(plan.left)
    waiting = list(without)
    while waiting:
        source = waiting.pop()
        for change in list(changes):
            if change.before is None or not hanging.together(source, change.label) or not more(change):
                continue
            changes.remove(change)
            reason = f"it may hold what was in {source}, which is left"
            left.append(Left(change.label, reason, change.after))
            if change.label in had and change.label not in without:
                without[change.label] = reason
                waiting.append(change.label)
    return replace(plan, changes=tuple(changes), left=tuple(left))


def says_more(change: FileChange, now: Store, then: Store) -> bool:
    """Return whether an entry says anything in ``now`` that it may not say in ``then``; links aside."""
    path = change.label.removeprefix(MEMORY)
    one, other = now.by_path(path), then.by_path(path)
    return one is None or other is None or _plain(one) != _plain(other)


def _plain(entry: Entry) -> tuple[list[str], list[str]]:
    return _LINK.sub(" ", entry.description).split(), _LINK.sub(" ", entry.body).split()


def _writers(step: Step, aims: Mapping[int, frozenset[str]]) -> frozenset[int]:
    """Return the ops to which an entry was more than a place where a link had to be put right."""
    path = step.label.removeprefix(MEMORY)
    aimed = frozenset(op for op in step.ops if _bare(path) in aims.get(op, ()))
    return aimed if aimed and step.before is not None and step.after is not None else frozenset(step.ops)


def _handles(names: Iterable[str], named: Named) -> frozenset[str]:
    return frozenset(_bare(named(name) or name) for name in names)


def _bare(name: str) -> str:
    return fold(name).removesuffix(".md")


def _having(ops: Iterable[int], handles: Mapping[int, frozenset[str]], wanted: Collection[str]) -> set[int]:
    return {op for op in ops if handles[op] & frozenset(wanted)}


def _field(verdict: Verdict, key: str) -> Any:
    return verdict.raw.get(key) if isinstance(verdict.raw, Mapping) else None


def _new_names(verdict: Verdict) -> list[str]:
    name = _field(verdict, "new_name")
    return [name] if isinstance(name, str) and name else []


def _superseded(verdict: Verdict) -> list[str]:
    rows = _field(verdict, "superseded")
    found = [row.get("by") for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
    return [name for name in found if isinstance(name, str)]


def _links(verdict: Verdict) -> list[str]:
    given, body = _field(verdict, "links"), _field(verdict, "new_body")
    found = [name for name in given if isinstance(name, str)] if isinstance(given, list) else []
    return [*found, *(linked(body) if isinstance(body, str) else ())]


def _groups(joined: Iterable[Collection[int]]) -> tuple[frozenset[int], ...]:
    """Return the smallest disjoint groups in which all of each collection are together."""
    groups: list[frozenset[int]] = []
    for ops in joined:
        grown = frozenset(ops)
        if not grown:
            continue
        grown = grown.union(*(group for group in groups if group & grown))
        groups = [group for group in groups if not group & grown]
        groups.append(grown)
    return tuple(groups)
