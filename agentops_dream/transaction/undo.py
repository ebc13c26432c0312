"""Undo: the files of a run, or of one op of it, as they were before (SPEC §9).

An undo is itself a run: this module only works out the changes, ``commit`` makes them, and the undo
of an undo is a redo. A file is only touched if it still holds what the run left there; files edited
since are left and named.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agentops_dream.models import FileChange
from agentops_dream.transaction import record
from agentops_dream.transaction.disk import REAL, Disk, read_file, sha256
from agentops_dream.transaction.errors import NotUndoable
from agentops_dream.transaction.plan import written_through
from agentops_dream.transaction.record import Journal, Meta, Step

Recompute = Callable[[str, "bytes | None", "bytes | None", "bytes | None", tuple[int, ...]], "bytes | None"]
"""``recompute(label, before, after, current, remaining_ops)`` returns what a file should hold that
several ops share when only some of them are taken back: ``before`` and ``after`` the run, ``current``
now; ``None`` stands for no file, there and in the answer. Raises ``Leave`` if it cannot tell."""


class Leave(Exception):
    """Raised by a ``Recompute``: leave the file as it is, for the reason given."""


@dataclass(frozen=True)
class Left:
    """A file of the run that the undo does not touch."""

    label: str
    reason: str
    before: bytes | None = None
    """Bytes before the run, if they are still there to be had."""


@dataclass(frozen=True)
class UndoPlan:
    """What to hand to ``commit``: ``changes``, ``meta``, ``prune``; and what stays."""

    changes: tuple[FileChange, ...]
    left: tuple[Left, ...] = ()
    meta: Mapping[str, Meta] = field(default_factory=dict)
    prune: tuple[str, ...] = ()


def plan_undo(
    run_dir: Path,
    *,
    ops: Collection[int] | None = None,
    recompute: Recompute | None = None,
    disk: Disk = REAL,
) -> UndoPlan:
    """Return the changes that take back a run, or the ops with these indexes.

    A file goes back whole if all its ops are taken back (one without ops belongs to all ops of the
    run); a file that other ops share goes to ``recompute``. Files that already are as before are no
    change. Raises ``NotUndoable``, ``OSError``.
    """
    journal = _journal(run_dir, disk)
    every = frozenset(op for step in journal.steps for op in step.ops)
    chosen = every if ops is None else frozenset(ops)
    if unknown := sorted(chosen - every):
        names = ", ".join(map(str, unknown))
        raise NotUndoable(f"op {names} of run {journal.run} changed no file; see `show {journal.run}`")
    changes: list[FileChange] = []
    left: list[Left] = []
    meta: dict[str, Meta] = {}
    prune: list[str] = []
    for step in journal.steps:
        own = frozenset(step.ops) or every
        if ops is not None and own and not own & chosen:
            continue
        remaining = tuple(sorted(own - chosen))
        try:
            current = _current(disk, step, journal)
            target = _target(disk, run_dir, step, current, remaining, recompute)
        except Leave as reason:
            left.append(Left(step.label, str(reason), _before_or_none(disk, run_dir, step)))
            continue
        if target == current:
            continue
        changes.append(FileChange(Path(step.path), step.label, current, target, step.ops))
        if current is None and step.meta is not None:
            meta[step.label] = step.meta
        if target is None:
            prune.extend(reversed(step.folders))
    return UndoPlan(tuple(changes), tuple(left), meta, tuple(prune))


def _journal(run_dir: Path, disk: Disk) -> Journal:
    try:
        journal = record.finished(run_dir, disk)
    except (record.BadJournal, record.OtherVersion) as error:
        raise NotUndoable(f"the record of run {run_dir.name} cannot be used: {error}") from error
    if journal is None:
        raise NotUndoable(f"run {run_dir.name} changed no file, so there is nothing to undo; see `log`")
    return journal


def _current(disk: Disk, step: Step, journal: Journal) -> bytes | None:
    """Return what the file holds now. Raises ``Leave``."""
    if written_through(step.label) and disk.resolve(step.path) != step.place:
        raise Leave("the link leads elsewhere now")
    try:
        current = read_file(disk, step.place)
    except OSError as error:
        raise Leave(f"it cannot be read ({error.strerror or error})") from error
    # Renamed by case only, on a disk to which both names are one: what stands here is the other.
    others = {other.after for other in journal.steps if other.twin}
    if step.twin and step.after is None and current is not None and sha256(current) in others:
        return None
    return current


def _target(
    disk: Disk,
    run_dir: Path,
    step: Step,
    current: bytes | None,
    remaining: tuple[int, ...],
    recompute: Recompute | None,
) -> bytes | None:
    """Return what the file should hold. Raises ``Leave``."""
    now = None if current is None else sha256(current)
    if not remaining:
        if now == step.before:
            return current
        if now != step.after:
            raise Leave("it was edited since" if current is not None else "it was removed since")
        return _stored(disk, run_dir, step.bak, step.before)
    if recompute is None:
        raise Leave(f"other ops of the run changed it too ({', '.join(map(str, remaining))})")
    before = _stored(disk, run_dir, step.bak, step.before)
    after = _stored(disk, run_dir, step.new, step.after)
    return recompute(step.label, before, after, current, remaining)


def _stored(disk: Disk, run_dir: Path, name: str, expected: str | None) -> bytes | None:
    if expected is None:
        return None
    data = read_file(disk, os.path.join(run_dir, name))
    if data is None:
        raise Leave("its stored bytes were purged")
    if sha256(data) != expected:
        raise Leave("its stored bytes are damaged")
    return data


def _before_or_none(disk: Disk, run_dir: Path, step: Step) -> bytes | None:
    try:
        return _stored(disk, run_dir, step.bak, step.before)
    except (Leave, OSError):
        return None
