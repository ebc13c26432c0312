"""Taking an unfinished run back, or bringing a committed one to its end (SPEC §9).

``recover`` is called by whoever holds the lock of the memory directory, before anything else. Each
run is brought to a state in which the store is exactly before or exactly after it. It can die at any
point and be called again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from agentops_dream.transaction import record, settle, swap
from agentops_dream.transaction.disk import REAL, Disk, read_file, sha256, stands
from agentops_dream.transaction.errors import Kept, Unfinished
from agentops_dream.transaction.record import (
    ACTIVE,
    BAK,
    COMMITTED,
    DAMAGED,
    FINISHED,
    HOME,
    NEW,
    ROLLED,
    UNDONE,
)
from agentops_dream.transaction.swap import Result

LEFT = "changed by another program while the dream was taken back; this is the text from before the dream"
_STATES = (ACTIVE, COMMITTED, FINISHED, UNDONE, ROLLED)
_PREPARED = frozenset({BAK, NEW, HOME, record.PART})


@dataclass(frozen=True)
class Outcome:
    """What a committed transaction did."""

    run: str
    files: tuple[Mapping[str, Any], ...] = ()
    """Per file ``label``, ``before``, ``after`` (SHA-256 or ``None``) and ``ops``, as in a receipt."""
    kept: tuple[Kept, ...] = ()
    """Edits that arrived in files already replaced. They are in no file of the store: tell people."""


Finish = Callable[[Path, Mapping[str, Any], Outcome], None]
"""Called with the run folder, the caller's memo and the outcome, once the commit record is durable;
a second time if the process dies before its end is noted. It writes fingerprint and receipt."""


@dataclass(frozen=True)
class Recovered:
    """What recovery did about one run."""

    run: str
    action: Literal["restored", "finished", "settled", "damaged", "cleaned"]
    """``restored``: unfinished, so the before-state is back. ``finished``: was committed.
    ``settled``: late edits were found. ``damaged``: the journal cannot be read and nothing was done.
    ``cleaned``: died before it had touched anything."""
    left: tuple[str, ...] = ()
    """Labels of files that others changed since, and that were therefore left as they are."""
    kept: tuple[Kept, ...] = ()
    message: str = ""


@dataclass
class Restored:
    """How far a transaction could be taken back."""

    results: dict[str, Result] = field(default_factory=dict)
    """Label -> what came of it."""
    kept: list[Kept] = field(default_factory=list)

    @property
    def left(self) -> tuple[str, ...]:
        """Labels that are not as before, because of others."""
        return tuple(label for label, result in self.results.items() if result is not Result.BACK)


def files_of(journal: record.Journal) -> tuple[Mapping[str, Any], ...]:
    """Return the rows of a receipt about the files of ``journal``."""
    return tuple(
        {"label": step.label, "before": step.before, "after": step.after, "ops": list(step.ops)}
        for step in journal.steps
    )


def recover(
    state_dir: Path, *, now: float, finish: Finish | None = None, disk: Disk = REAL
) -> tuple[Recovered, ...]:
    """Bring every run of a memory directory to an end; return what there was to do, oldest first.

    The caller holds the lock. ``now`` in epoch seconds. Raises ``Unfinished`` if a before-state could
    not be put back (the store may be between two states, so no dream may start), ``OSError`` if the
    state folder itself cannot be read, and what ``finish`` raises.
    """
    runs = os.path.join(os.fspath(state_dir), "runs")
    try:
        names = sorted(disk.listdir(runs))
    except FileNotFoundError:
        return ()
    done = []
    for name in names:
        run_dir = os.path.join(runs, name)
        try:
            inside = frozenset(disk.listdir(run_dir))
        except (NotADirectoryError, FileNotFoundError):
            continue
        found = _recover_run(disk, run_dir, inside, now, finish)
        if found is not None:
            done.append(found)
    return tuple(done)


def _recover_run(
    disk: Disk, run_dir: str, inside: frozenset[str], now: float, finish: Finish | None
) -> Recovered | None:
    run = os.path.basename(run_dir)
    try:
        if ACTIVE in inside:
            journal = record.read(disk, run_dir, ACTIVE)
            return None if journal is None else _restored(disk, run_dir, journal, now)
        if COMMITTED in inside:
            journal = record.read(disk, run_dir, COMMITTED)
            return None if journal is None else _finished(disk, run_dir, journal, now, finish)
        if UNDONE in inside or (HOME in inside and (FINISHED in inside or ROLLED in inside)):
            journal = record.read(disk, run_dir, FINISHED, UNDONE, ROLLED)
            if journal is None:
                return None
            if FINISHED in inside:
                kept, _ = settle.clear(disk, run_dir, journal, rolled=False, now=now)
            else:
                kept = _settled(disk, run_dir, journal, ROLLED in inside, now)
            return Recovered(run, "settled", kept=tuple(kept), message=_told(kept)) if kept else None
    except record.BadJournal as error:
        name = next(name for name in _STATES if name in inside)
        record.turn(disk, run_dir, name, DAMAGED)
        message = f"the journal of run {run} cannot be read: {error}; its old bytes stay in {run_dir}"
        return Recovered(run, "damaged", message=message)
    except record.OtherVersion as error:
        raise Unfinished(run, (f"{error}; use that version once, or remove {run_dir}",)) from error
    if inside <= _PREPARED or (inside & _PREPARED and not inside & {*_STATES, DAMAGED}):
        for name in inside & _PREPARED:
            settle.erase(disk, os.path.join(run_dir, name))
        with contextlib.suppress(OSError):  # a receipt may be there
            disk.rmdir(run_dir)
        return Recovered(run, "cleaned", message=f"run {run} had stopped before it changed anything")
    return None


def _restored(disk: Disk, run_dir: str, journal: record.Journal, now: float) -> Recovered:
    back = restore(disk, run_dir, journal, now=now)
    message = f"run {journal.run} was interrupted; its {len(journal.steps)} files are as before it"
    if back.left:
        message += f", but these were changed by others and left: {', '.join(back.left)}"
    return Recovered(journal.run, "restored", back.left, tuple(back.kept), message)


def _finished(
    disk: Disk, run_dir: str, journal: record.Journal, now: float, finish: Finish | None
) -> Recovered:
    settle.clear(disk, run_dir, journal, rolled=False, now=now)
    kept = settle.copies(disk, run_dir)
    conclude(disk, run_dir, journal, kept, finish)
    message = f"run {journal.run} was complete; its end has been noted. {_told(kept)}".strip()
    return Recovered(journal.run, "finished", kept=kept, message=message)


def conclude(
    disk: Disk, run_dir: str, journal: record.Journal, kept: tuple[Kept, ...], finish: Finish | None
) -> Outcome:
    """Let the caller note a committed run, then note its end.

    Raises ``OSError`` and what ``finish`` raises.
    """
    outcome = Outcome(journal.run, files_of(journal), kept)
    if finish is not None:
        finish(Path(run_dir), journal.memo, outcome)
    for folder in journal.prune:
        with contextlib.suppress(OSError):  # not empty: somebody uses it
            disk.rmdir(folder)
    record.turn(disk, run_dir, COMMITTED, FINISHED)
    return outcome


def restore(
    disk: Disk,
    run_dir: str,
    journal: record.Journal,
    *,
    reached: int | None = None,
    now: float | None = None,
) -> Restored:
    """Put the before-state back, except where others have changed a file since.

    ``reached`` is the number of steps that had been started, if known. Raises ``Unfinished`` with the
    journal still in place.
    """
    back = Restored()
    problems = []
    steps = list(enumerate(journal.steps[:reached]))
    for number, step in reversed(steps):
        try:
            names = record.spot(run_dir, journal.tag, number, step)
            result = swap.put_back(disk, names, step, _old_bytes(disk, run_dir, step))
        except OSError as error:
            problems.append(f"{step.label}: {error.strerror or error}")
            continue
        # Of a rename that only changes case, the half that was removed speaks for both.
        if not (step.twin and step.before is None):
            back.results[step.label] = result
    if problems:
        raise Unfinished(journal.run, tuple(problems))
    try:
        for folder in sorted({os.path.dirname(step.place) for step in journal.steps}):
            with contextlib.suppress(FileNotFoundError):
                disk.sync_folder(folder)
        old = [
            Kept(step.label, os.path.join(run_dir, step.bak), LEFT)
            for step in journal.steps
            if step.bak and back.results.get(step.label) is Result.LEFT
        ]
        record.turn(disk, run_dir, ACTIVE, ROLLED if old else UNDONE)
    except OSError as error:
        raise Unfinished(journal.run, (f"{run_dir}: {error.strerror or error}",)) from error
    back.kept.extend(old)
    with contextlib.suppress(OSError):  # the store is as before; what is left over waits for next time
        back.kept.extend(_settled(disk, run_dir, journal, UNDONE not in disk.listdir(run_dir), now))
    return back


def _settled(
    disk: Disk, run_dir: str, journal: record.Journal, keeps: bool, now: float | None
) -> list[Kept]:
    """Tidy up a run that was taken back, as far as it goes; return edits that came to light.

    ``keeps``: old bytes of the run stay, because they are in no file of the store.
    """
    kept, waiting = settle.clear(disk, run_dir, journal, rolled=True, now=now)
    if kept and not keeps:
        record.turn(disk, run_dir, UNDONE, ROLLED)
    elif not (waiting or keeps):
        for name in (BAK, NEW, UNDONE):
            settle.erase(disk, os.path.join(run_dir, name))
        with contextlib.suppress(OSError):  # a receipt may be there
            disk.rmdir(run_dir)
    return kept


def _old_bytes(disk: Disk, run_dir: str, step: record.Step) -> bytes | None:
    path = os.path.join(run_dir, step.bak)
    if not step.bak or not stands(disk, path):
        return None
    data = read_file(disk, path)
    return data if data is not None and sha256(data) == step.before else None


def _told(kept: Sequence[Kept]) -> str:
    return " ".join(f"{copy}." for copy in kept)
