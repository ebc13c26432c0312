"""The rails: bounds on the plan as a whole (SPEC §8).

Caps on what one dream may remove, every live entry reachable from ``MEMORY.md``, and the recall gate.
Ops that break a rail are parked one by one, later ones first to go; the rest goes through.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agentops_dream.deep.recall import TOP, Probe, Shelf
from agentops_dream.deep.shown import Shown
from agentops_dream.deep.steps import Step
from agentops_dream.facts.weigh import Text, keeps
from agentops_dream.models import ChangeSet, Entry, Fault, Waived
from agentops_dream.store import index
from agentops_dream.store.memory import Store

Held = Mapping[int, tuple[str, Fault]]
"""Op index -> status and reason of an op that does not go through."""

Parked = Iterable[tuple[int, tuple[str, Fault]]]


@dataclass(frozen=True)
class Limits:
    """What the rails are set to."""

    max_destructive: int
    probes: tuple[Probe, ...] = ()
    waived: Waived = field(default_factory=dict)


def hold(steps: Sequence[Step], changes: ChangeSet, shown: Shown, limits: Limits) -> Held:
    """Return the ops to park, at least one if any rail is broken; empty if none is.

    Call it again with what is left: an op may break one rail only because of another op.
    """
    held = dict(_caps(steps, len(shown.store.entries), limits))
    if held or not changes:
        return held
    before = shown.store
    after = before.with_changes({change.path: change.after for change in changes.entries})
    for rail in (_reach, _recall, _probes):
        held = dict(rail(steps, changes, before, after, limits))
        if held:
            return held
    return {}


def _parked(step: Step, code: str, message: str, limits: Limits, *literals: str) -> Parked:
    if code not in limits.waived.get(step.index, ()):
        yield step.index, ("parked", Fault(code, message, literals))


# ---------------------------------------------------------------- caps


def _caps(steps: Sequence[Step], size: int, limits: Limits) -> Parked:
    """In plan order, let through what fits and park what does not.

    An entry that is merged away counts as removed, like a deleted one: its file is gone.
    """
    fifth = max(1, size // 5)
    destructive = removed = 0
    for step in steps:
        files = len(step.removed)
        counts = max(files, 1) if step.role in ("merge", "delete", "rename") else 0
        if counts and destructive + counts > limits.max_destructive:
            why = f"over the cap of {limits.max_destructive} merges, deletes and renames in one dream"
            yield from _parked(step, "rail-destructive", why, limits)
        elif files and removed + files > fifth:
            why = f"a dream removes at most a fifth of the store: {fifth} of {size} entries"
            yield from _parked(step, "rail-fifth", why, limits)
        else:
            destructive += counts
            removed += files


# ---------------------------------------------------------------- reachability


def _reach(
    steps: Sequence[Step], changes: ChangeSet, before: Store, after: Store, limits: Limits
) -> Parked:
    known = [item.path for item in before.unreadable]
    made = index.reconcile(before.index, before.entries, after.entries, changes.heirs, known=known)
    reached = index.reachable(made.raw, after.entries)
    was = index.reachable(before.index, before.entries)
    known_paths = {entry.path for entry in before.entries}
    for entry in after.entries:
        # What could not be reached before is drift, and no op's fault.
        fresh = entry.path not in known_paths
        if entry.path not in reached and (fresh or entry.path in was):
            why = f"{entry.path} could not be reached from MEMORY.md"
            for step in _touching(entry.path, steps, changes):
                yield from _parked(step, "rail-reach", why, limits)


# ---------------------------------------------------------------- recall


def _recall(
    steps: Sequence[Step], changes: ChangeSet, before: Store, after: Store, limits: Limits
) -> Parked:
    """Each touched entry must be found by what its description said, as it was before."""
    new = {entry.path: entry for entry in after.entries}
    with Shelf(before.entries) as shelf, Shelf(after.entries) as later:
        for step in steps:
            if not step.rewrites:
                continue
            for target in step.targets:
                results = _results(target.path, steps, changes, new)
                found = later.near(target.description, 2 * TOP)  # ranks shift a little with every edit
                if not results or results & found or target.path not in shelf.near(target.description):
                    continue
                unfound = sorted(_missing(target, found, new) - _missing(target, results, new))
                if unfound:
                    why = f"the description of {target.path} no longer finds: {', '.join(unfound)}"
                    yield from _parked(step, "rail-recall", why, limits, *unfound)


def _missing(target: Entry, paths: Iterable[str], new: Mapping[str, Entry]) -> set[str]:
    """Return the facts of ``target`` that stand in none of the entries at ``paths``."""
    text = "\n\n".join(f"{new[path].description}\n\n{new[path].body}" for path in sorted(paths))
    lost = keeps(Text(target.id, target.description, target.body), Text("", "", text))
    return {fact for fact in lost if not fact.startswith("[[")}


def _results(
    path: str, steps: Sequence[Step], changes: ChangeSet, new: Mapping[str, Entry]
) -> frozenset[str]:
    """Paths of the entries that hold the facts of ``path`` now."""
    ops = {step.index for step in steps if step.rewrites and path in step.paths}
    fresh = {change.path for change in changes.entries if ops & set(change.ops) and change.before is None}
    return frozenset((fresh | {changes.heirs.get(path, path)}) & set(new))


def _probes(
    steps: Sequence[Step], changes: ChangeSet, before: Store, after: Store, limits: Limits
) -> Parked:
    if not limits.probes:
        return
    with Shelf(before.entries) as shelf, Shelf(after.entries) as later:
        for probe in limits.probes:
            if shelf.passes(probe) and not later.passes(probe):
                found = (*shelf.top(probe.question, probe.k), *later.top(probe.question, probe.k))
                near = [s for s in steps if any(s in _touching(e.path, steps, changes) for e in found)]
                for step in (near or list(steps))[-1:]:
                    why = f"a probe would fail: {probe.question}"
                    yield from _parked(step, "rail-probe", why, limits, probe.question)
                return


def _touching(path: str, steps: Sequence[Step], changes: ChangeSet) -> list[Step]:
    ops = {op for change in changes.entries if change.path == path for op in change.ops}
    return [step for step in steps if step.index in ops]
