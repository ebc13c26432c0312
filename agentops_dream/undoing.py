"""Undo: take back a run, or single ops of one, indexes and mirror included (SPEC §9).

The transaction knows the bytes of entries; what ``MEMORY.md`` should hold without one of five ops, or
after somebody has edited it since, is worked out here. An undo is itself a run.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from agentops_dream import applying, declining, rendering, retracing
from agentops_dream.bundling import Bundles, bundles, hold, says_more
from agentops_dream.dream import read
from agentops_dream.journal import runs
from agentops_dream.models import (
    INDEX_LABEL,
    MEMORY,
    MIRROR_LABEL,
    ChangeSet,
    EntryChange,
    FileChange,
    Receipt,
    is_entry,
)
from agentops_dream.order import Order, lock
from agentops_dream.rendering import Rendering
from agentops_dream.store import index
from agentops_dream.store.memory import Store
from agentops_dream.store.merge3 import merge3
from agentops_dream.transaction import record
from agentops_dream.transaction.disk import REAL, read_file, sha256
from agentops_dream.transaction.errors import Conflict
from agentops_dream.transaction.record import Step
from agentops_dream.transaction.undo import Left, UndoPlan, plan_undo
from agentops_dream.wording import counted, ops_named


class _Gone(Exception):
    """The stored bytes of a file are not there any more; the message says why."""


def undo(order: Order, name: str, *, ops: Collection[int] | None = None) -> Receipt:
    """Take back the run called ``name``, or only ``ops`` of it; return the receipt of the undo.

    Every file goes back to its exact bytes; files edited since are left and named in the receipt's
    notes. What was taken back counts as dreamt over: the next dream does not do it again. Raises
    ``NoRun``, ``NotUndoable``, ``Stopped``, ``Busy``.
    """
    with lock(order.state):
        notes = applying.recover_runs(order)
        taken = runs.latest_standing(order.state) if name in ("", "last") else runs.find(order.state, name)
        run_dir = runs.folder(order.state, taken.run)
        store = read(order)
        whole = plan_undo(run_dir)
        steps = _steps(run_dir)
        before = _before(store, steps, whole)
        hanging = _bundles(order.state, taken, steps, before, store)
        done_ops = None if ops is None else hanging.closure(ops)
        plan = whole if done_ops is None else plan_undo(run_dir, ops=done_ops)
        plan = hold(plan, steps, hanging, lambda change: says_more(change, store, before))
        entries = _entry_changes(plan)
        files = [change for change in plan.changes if is_entry(change.label)]
        left = [item for item in plan.left if item.label not in (INDEX_LABEL, MIRROR_LABEL)]
        complete = _is_complete(store, steps, plan)
        everything = ops is None or complete
        exact = complete or (ops is None and not left)
        files += _index(order, store, run_dir, plan, before, exact, left)
        rendered = _with_mirror(order, store, run_dir, entries, files, exact)
        told = [f"{item.label} is left: {item.reason}" for item in left]
        what = f"run {taken.run}"
        if ops is not None and done_ops is not None:
            alone = "" if done_ops <= set(ops) else f" ({ops_named(ops)} cannot go without the rest)"
            what = f"{ops_named(done_ops)} of {what}{alone}"
        receipt = applying.opened(
            order,
            "undo",
            message=_message(what, len(rendered.files), len(left)),
            undoes=taken.run,
            whole=everything,
            notes=(*notes, *told),
        )
        restored = [change for change in entries if change.after is not None]
        try:
            done = applying.carry_out(
                order,
                store,
                ChangeSet(tuple(entries)),
                rendered,
                receipt,
                covered=applying.covered_by(restored),
                pairs=_pairs(restored),
                meta=plan.meta,
                prune=plan.prune,
            )
        except Conflict as conflict:
            raise applying.stopped(order, receipt, f"{conflict}; nothing was taken back, try again") from conflict
        if taken.kind != "undo":
            applied = [v for v in taken.verdicts if v.status == "applied"]
            gone = [v.raw for v in applied if done_ops is None or v.index in done_ops]
            declining.decline(order.state, gone, read(order))
        return done


def _message(what: str, changed: int, left: int) -> str:
    """Return one line about an undo for a person."""
    if not changed:
        kept = "; what is left is named below" if left else ", it is as before already"
        return f"nothing to take back of {what}{kept}"
    told = f"took back {what}; {counted(changed, 'file')} changed"
    return f"{told}, {left} left as {'it is' if left == 1 else 'they are'}" if left else told


def _steps(run_dir: Path) -> Sequence[Step]:
    journal = record.finished(run_dir, REAL)
    return journal.steps if journal else ()


def _before(store: Store, steps: Sequence[Step], whole: UndoPlan) -> Store:
    """Return the store as it would be without the run; what was edited since stands as it is now."""
    made = {step.label for step in steps if is_entry(step.label) and step.before is None}
    files = {change.path: change.after for change in _entry_changes(whole)}
    return store.with_changes({**files, **{label.removeprefix(MEMORY): None for label in made}})


def _bundles(state: Path, taken: Receipt, steps: Sequence[Step], before: Store, now: Store) -> Bundles:
    """Return what hangs together in a run; an undo is bundled like the dream that it goes back to."""
    origin = taken
    try:
        while origin.undoes:
            origin = runs.find(state, origin.undoes)
        journal = record.finished(runs.folder(state, origin.run), REAL)
    except (runs.NoRun, record.BadJournal, record.OtherVersion):
        journal = None

    def named(text: str) -> str | None:
        found = before.resolver.resolve(text) or now.resolver.resolve(text)
        return found.path if found else None

    return bundles(steps, origin.verdicts, journal.memo.get("heirs", {}) if journal else {}, named)


def _entry_changes(plan: UndoPlan) -> list[EntryChange]:
    return [
        EntryChange(change.label.removeprefix(MEMORY), change.before, change.after, change.ops)
        for change in plan.changes
        if is_entry(change.label)
    ]


def _is_complete(store: Store, steps: Sequence[Step], plan: UndoPlan) -> bool:
    """Whether with ``plan`` every entry that the run changed is as it was before the run."""
    changed = {change.label: change.after for change in plan.changes}
    for step in steps:
        if not is_entry(step.label):
            continue
        if step.label in changed:
            data = changed[step.label]
            now = None if data is None else sha256(data)
        else:
            entry = store.by_path(step.label.removeprefix(MEMORY))
            now = entry.sha256 if entry else None
        if now != step.before:
            return False
    return True


def _index(
    order: Order,
    store: Store,
    run_dir: Path,
    plan: UndoPlan,
    old: Store,
    everything: bool,
    left: list[Left],
) -> Sequence[FileChange]:
    """Return the change of ``MEMORY.md``: what the run would have made of it without the ops taken back.

    If anybody but us has edited it since, the difference is merged into it line by line; where that does
    not go, it is left and named.
    """
    try:
        bytes_of = _run_bytes(run_dir, INDEX_LABEL)
    except _Gone as gone:
        left.append(Left(INDEX_LABEL, f"{gone}; only the lines of entries that come and go were changed"))
        return _index_by_rule(order, store, plan)
    if bytes_of is None:
        return ()
    before, after = bytes_of
    new = store.with_changes({change.path: change.after for change in _entry_changes(plan)})
    target = before if everything else _index_of(run_dir, before, after, old, new)
    now = store.index
    if now == target:
        return ()
    traced = retracing.trace(order.state, run_dir.name, INDEX_LABEL)
    if (None if now is None else sha256(now)) not in traced.ours:
        base = _index_of(run_dir, before, after, old, store) if traced.again else after
        if now is None or target is None or base is None:
            left.append(Left(INDEX_LABEL, "it was edited since"))
            return ()
        target = merge3(base, now, target)
        if target is None:
            left.append(Left(INDEX_LABEL, "it was edited since in the same lines"))
            return ()
        if now == target:
            return ()
    return (FileChange(order.memory / "MEMORY.md", INDEX_LABEL, now, target),)


def _index_of(run_dir: Path, before: bytes | None, after: bytes | None, old: Store, new: Store) -> bytes | None:
    """Return the index that the run would have written had it brought the entries from ``old`` to ``new``.

    What has come or gone since the run is no part of that.
    """
    journal = record.finished(run_dir, REAL)
    heirs: Mapping[str, str] = journal.memo.get("heirs", {}) if journal else {}
    kept = {gone: heir for gone, heir in heirs.items() if new.by_path(gone) is None}
    every = {entry.path: entry for entry in (*old.entries, *new.entries)}
    of_then = index.listed(before, list(every.values())) | index.listed(after, list(every.values()))
    of_then |= {step.label.removeprefix(MEMORY) for step in (journal.steps if journal else ())}
    return index.reconcile(
        before,
        [entry for entry in old.entries if entry.path in of_then],
        [entry for entry in new.entries if entry.path in of_then],
        kept,
        known={item.path for item in new.unreadable} | index.targets(after),
    ).raw


def _index_by_rule(order: Order, store: Store, plan: UndoPlan) -> Sequence[FileChange]:
    """Return the change that every change of entries brings to the index."""
    after = store.with_changes({change.path: change.after for change in _entry_changes(plan)})
    made = rendering.reconcile(store, store.index, store.entries, after.entries, {})
    if made.raw == store.index:
        return ()
    return (FileChange(order.memory / "MEMORY.md", INDEX_LABEL, store.index, made.raw),)


def _run_bytes(run_dir: Path, label: str) -> tuple[bytes | None, bytes | None] | None:
    """Return what a file held before and after the run; ``None`` if the run did not change it."""
    for step in _steps(run_dir):
        if step.label == label:
            return _stored(run_dir, step.bak), _stored(run_dir, step.new)
    return None


def _stored(run_dir: Path, name: str) -> bytes | None:
    if not name:
        return None
    try:
        return (run_dir / name).read_bytes()
    except FileNotFoundError as error:
        raise _Gone("its stored bytes were purged") from error
    except OSError as error:
        raise _Gone(f"its stored bytes cannot be read ({error.strerror})") from error


def _with_mirror(
    order: Order,
    store: Store,
    run_dir: Path,
    entries: Sequence[EntryChange],
    files: list[FileChange],
    everything: bool,
) -> Rendering:
    """Return the files with the mirror's: its exact old bytes, or the block made anew for the entries.

    A run that did not change the mirror is taken back without changing it either.
    """
    traced = retracing.trace(order.state, run_dir.name, MIRROR_LABEL)
    if everything:
        exact = _exact_mirror(order, traced)
        if exact is not None or not traced.origin:
            return Rendering((*files, *(exact or ())))
    fresh = applying.render(order, store, ChangeSet(tuple(entries)))
    mirrored = [change for change in fresh.files if change.label == MIRROR_LABEL]
    return replace(fresh, files=(*files, *mirrored))


def _exact_mirror(order: Order, traced: retracing.Trace) -> Sequence[FileChange] | None:
    """Return the change that gives the mirror its old bytes; ``None`` if somebody else has edited it."""
    if not traced.origin:
        return None
    run_dir = runs.folder(order.state, traced.origin)
    for step in _steps(run_dir):
        if step.label != MIRROR_LABEL or REAL.resolve(step.path) != step.place:
            continue
        try:
            now = read_file(REAL, step.place)
            before = _stored(run_dir, step.bak)
        except (OSError, _Gone):
            return None
        if now == before:
            return ()
        if (None if now is None else sha256(now)) in traced.ours:
            return (FileChange(Path(step.path), MIRROR_LABEL, now, before),)
    return None


def _pairs(restored: Sequence[EntryChange]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of entries that one op had brought together and that are apart again."""
    return tuple(
        (min(one.path, other.path), max(one.path, other.path))
        for one, other in combinations(restored, 2)
        if set(one.ops) & set(other.ops)
    )
