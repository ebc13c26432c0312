"""The one door through which a dream changes files (SPEC §9).

All files of a run, entries, ``MEMORY.md`` and ``AGENTS.md``, go through together:

1. every file is compared with what the plan was made for; old and new bytes and the journal are
   made durable in the run folder;
2. file by file the new bytes take their place, removals last (``swap``);
3. everything is looked at once more, then one rename makes the journal a commit record;
4. displaced files are settled, the caller notes fingerprint and receipt, the record is finished.

Whatever goes wrong before 3 is done takes everything back; after it nothing is taken back.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentops_dream.models import FileChange
from agentops_dream.transaction import record, settle, swap
from agentops_dream.transaction.disk import (
    REAL,
    Disk,
    make_folders,
    stands,
    write_new,
)
from agentops_dream.transaction.errors import Blocked, Conflict, Unfinished
from agentops_dream.transaction.plan import Planned, plan, written_through
from agentops_dream.transaction.record import (
    ACTIVE,
    BAK,
    COMMITTED,
    FINISHED,
    HOME,
    NEW,
    ROLLED,
    UNDONE,
    Meta,
)
from agentops_dream.transaction.recover import Finish, Outcome, Restored, conclude, files_of, restore


def commit(
    run_dir: Path,
    changes: Sequence[FileChange],
    *,
    memo: Mapping[str, Any] | None = None,
    meta: Mapping[str, Meta] | None = None,
    prune: Sequence[str] = (),
    finish: Finish | None = None,
    disk: Disk = REAL,
) -> Outcome:
    """Make ``changes`` as one transaction and return what was done.

    The caller holds the lock of the memory directory. ``run_dir`` is the run's own folder; the run is
    its name. ``memo`` (JSON) is kept in the journal and given to ``finish`` after the commit record,
    by recovery if this process does not live to do it. ``meta`` gives mode and owner, by label, to
    files that are made; ``prune`` are folders to remove afterwards if empty (an undo has both).

    Raises ``Conflict`` if files are not as the plan expects or change meanwhile, ``Blocked`` if the
    disk says no: both leave nothing behind but named copies. ``Unfinished`` if even taking it back
    failed. What ``finish`` raises passes through; the transaction stands.
    """
    folder = os.fspath(run_dir)
    run = os.path.basename(folder)
    real = [change for change in changes if change.before != change.after]
    if not real:
        outcome = Outcome(run)
        if finish is not None:
            finish(run_dir, memo or {}, outcome)
        return outcome
    steps = plan(disk, real, meta or {})
    try:
        tag = _make_room(disk, folder, run)
    except OSError as error:
        raise Blocked(error, "cannot use the run folder") from error
    journal = record.Journal(run, tuple(step for step, _ in steps), tag, memo or {}, tuple(prune))
    raw = record.dump(journal)
    try:
        _prepare(disk, folder, raw, steps)
    except OSError as error:
        if _may_stand(disk, os.path.join(folder, ACTIVE)):  # only its folder could not be synced
            _take_back(disk, folder, journal, 0)
        _forget(disk, folder)
        raise Blocked(error, "cannot prepare the changes") from error
    _replace(disk, folder, journal, steps)
    return _conclude(disk, folder, journal, finish)


# ---------------------------------------------------------------- prepare


def _make_room(disk: Disk, folder: str, run: str) -> str:
    """Return the tag of this attempt. What an earlier one, taken back, still keeps moves next door.

    Raises ``OSError``; ``ValueError`` if the run has been committed before.
    """
    if any(stands(disk, os.path.join(folder, name)) for name in (ACTIVE, COMMITTED, FINISHED)):
        raise ValueError(f"run {run} has been used")
    if _taken_back(disk, folder):
        _step_aside(disk, folder)
    attempt = _attempts(disk, folder)
    return f"{run}.{attempt}" if attempt else run


def _taken_back(disk: Disk, folder: str) -> bool:
    return any(stands(disk, os.path.join(folder, name)) for name in (UNDONE, ROLLED))


def _attempts(disk: Disk, folder: str) -> int:
    """Return how many earlier attempts of this run still keep something."""
    attempt = 0
    while stands(disk, f"{folder}.{attempt + 1}"):
        attempt += 1
    return attempt


def _step_aside(disk: Disk, folder: str) -> str:
    """Move a run that was taken back next door, so that its folder is free; return the new folder."""
    target = f"{folder}.{_attempts(disk, folder) + 1}"
    disk.replace(folder, target)
    return target


def _may_stand(disk: Disk, path: str) -> bool:
    try:
        return stands(disk, path)
    except OSError:
        return True


def _prepare(disk: Disk, folder: str, raw: bytes, steps: Sequence[Planned]) -> None:
    make_folders(disk, folder, 0o700)
    make_folders(disk, os.path.join(folder, HOME), 0o700)
    touched = {folder}
    for step, change in steps:
        for name, data in ((step.bak, change.before), (step.new, change.after)):
            if name and data is not None:
                path = os.path.join(folder, name)
                make_folders(disk, os.path.dirname(path), 0o700)
                write_new(disk, path, data)
                touched.add(os.path.dirname(path))
    for path in sorted(touched, reverse=True):
        disk.sync_folder(path)
    record.write(disk, folder, raw)


def _forget(disk: Disk, folder: str) -> None:
    """Remove what a transaction that did not begin has prepared, as far as the disk lets it."""
    for name in (BAK, NEW, HOME, record.PART):
        with contextlib.suppress(OSError):
            settle.erase(disk, os.path.join(folder, name))
    with contextlib.suppress(OSError):  # a receipt may be there
        disk.rmdir(folder)


# ---------------------------------------------------------------- replace


def _replace(disk: Disk, folder: str, journal: record.Journal, steps: Sequence[Planned]) -> None:
    reached = 0
    try:
        for number, (step, change) in enumerate(steps):
            reached = number + 1
            names = record.spot(folder, journal.tag, number, step)
            swap.apply(disk, names, step, change.after, step.meta)
        _seal(disk, folder, journal)
    except swap.Found as found:
        reasons = {found.label: found.reason}
        back = _take_back(disk, folder, journal, reached)
        reasons.update((label, "was changed meanwhile") for label in back.left if label not in reasons)
        raise Conflict(reasons, tuple(back.kept)) from None
    except OSError as error:
        back = _take_back(disk, folder, journal, reached)
        named = _named(error, folder, journal, reached)
        raise Blocked(named, "cannot write the changes", tuple(back.kept)) from error
    except BaseException:  # Ctrl-C: the person expects nothing to be half done
        _take_back(disk, folder, journal, reached)
        raise


def _named(error: OSError, folder: str, journal: record.Journal, reached: int) -> OSError:
    """Return ``error`` about the file that was to change: nobody knows the names that we use on the way."""
    for number, step in enumerate(journal.steps[:reached]):
        if error.filename in record.spot(folder, journal.tag, number, step).hidden:
            return OSError(error.errno, error.strerror, step.path)
    return error


def _seal(disk: Disk, folder: str, journal: record.Journal) -> None:
    """Look at everything again, make it durable, write the commit record."""
    for path in sorted({os.path.dirname(step.place) for step in journal.steps}):
        disk.sync_folder(path)
    disk.sync_folder(os.path.join(folder, HOME))
    for number, step in enumerate(journal.steps):
        if written_through(step.label) and disk.resolve(step.path) != step.place:
            raise swap.Found(step.label, "leads elsewhere now")
        swap.check(disk, record.spot(folder, journal.tag, number, step), step)
    record.turn(disk, folder, ACTIVE, COMMITTED)


def _take_back(disk: Disk, folder: str, journal: record.Journal, reached: int) -> Restored:
    try:
        if stands(disk, os.path.join(folder, COMMITTED)):  # the record stands but may not be durable
            disk.replace(os.path.join(folder, COMMITTED), os.path.join(folder, ACTIVE))
    except OSError as error:
        raise Unfinished(journal.run, (f"{folder}: {error.strerror or error}",)) from error
    back = restore(disk, folder, journal, reached=reached)
    with contextlib.suppress(OSError):
        if _taken_back(disk, folder):
            aside = _step_aside(disk, folder)
            back.kept = [replace(copy, path=aside + copy.path[len(folder) :]) for copy in back.kept]
    return back


# ---------------------------------------------------------------- conclude


def _conclude(disk: Disk, folder: str, journal: record.Journal, finish: Finish | None) -> Outcome:
    found, _ = settle.clear(disk, folder, journal, rolled=False)
    kept = tuple(found)
    outcome = Outcome(journal.run, files_of(journal), kept)
    noted = []

    def once(path: Path, memo: Mapping[str, Any], done: Outcome) -> None:
        if finish is not None:
            finish(path, memo, done)
        noted.append(True)

    try:
        conclude(disk, folder, journal, kept, once)
    except OSError:
        if not noted:  # the caller's own trouble
            raise
    return outcome
