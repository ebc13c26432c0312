"""Erase old bytes for good: a secret, a request to forget, or simply age (SPEC §9).

Old bytes lie in the run folders (before, after, displaced, kept copies), in receipts (diffs, and what
the model wrote) and in staging. What stays of a purged run are names, hashes and figures. Files are
unlinked, not overwritten: on today's disks and snapshots overwriting promises more than it does.
"""

from __future__ import annotations

import contextlib
import fnmatch
import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from agentops_dream.transaction import record
from agentops_dream.transaction.disk import REAL, Disk, read_file, write_new
from agentops_dream.transaction.plan import written_through
from agentops_dream.transaction.record import (
    ACTIVE,
    BAK,
    COMMITTED,
    CONFLICTS,
    FINISHED,
    HOME,
    NEW,
    ROLLED,
    UNDONE,
)
from agentops_dream.transaction.settle import erase, size_of

Forget = Callable[[Path, "frozenset[str] | None"], None]
"""``forget(run_dir, labels)`` strips the receipt of a run; ``None``: of everything."""

_KEEPS = (BAK, NEW, HOME, CONFLICTS)


@dataclass(frozen=True)
class Purged:
    """What went."""

    runs: tuple[str, ...] = ()
    """Runs of which anything was erased."""
    labels: tuple[str, ...] = ()
    """Files of which old bytes were erased."""
    staged: tuple[str, ...] = ()
    """Names of staging files that were removed."""
    size: int = 0
    """Bytes that were freed."""
    skipped: tuple[str, ...] = ()
    """Runs that have not come to their end; recover first, then purge again."""


@dataclass(frozen=True)
class _Wanted:
    """Which files of a run: ``None`` in both is all of them."""

    entry: str | None
    texts: tuple[re.Pattern[str], ...]
    drop: Callable[[Disk, str], int] = erase
    """``erase``, or ``size_of`` for a look at what would go."""

    @property
    def all(self) -> bool:
        return self.entry is None and not self.texts

    def names(self, label: str) -> bool:
        if self.entry is None:
            return False
        below = label.partition("/")[2]
        return any(fnmatch.fnmatchcase(name, self.entry) for name in (label, below))

    def mentions(self, text: str) -> bool:
        return any(pattern.search(text) for pattern in self.texts)


def purge(
    state_dir: Path,
    *,
    runs: Collection[str] | None = None,
    before: datetime | None = None,
    entry: str | None = None,
    texts: Collection[str] = (),
    staging: Path | None = None,
    forget: Forget,
    only_look: bool = False,
    disk: Disk = REAL,
) -> Purged:
    """Erase old bytes of the chosen files in the chosen runs; return what went.

    ``only_look``: change nothing, and return what would go.

    ``runs`` and ``before`` choose runs (neither: all of them); ``entry``, a path or pattern as in
    ``*.md``, and ``texts``, words or lines that must go, choose files (neither: all of them). With
    ``entry``, the index and mirror of the same run go too, and every stored file that names it.
    The caller holds the lock. Raises ``OSError``; ``ValueError`` if nothing was chosen at all.
    """
    if runs is None and before is None and entry is None and not texts:
        raise ValueError("say what to purge: runs, a date, an entry or a text")
    wanted = _Wanted(entry, tuple(_patterns(entry, texts)), size_of if only_look else erase)
    done = Purged()
    for run_dir in _runs(disk, state_dir, runs, before):
        inside = frozenset(disk.listdir(os.fspath(run_dir)))
        if inside & {ACTIVE, COMMITTED}:
            done = replace(done, skipped=(*done.skipped, run_dir.name))
            continue
        noted = wanted.all or _is_noted(disk, run_dir, wanted)
        labels, size = _purge_run(disk, run_dir, wanted, noted)
        if labels or noted:
            if not only_look:
                forget(run_dir, None if wanted.all else frozenset(labels))
            seen = tuple(sorted({*done.labels, *labels}))
            done = replace(done, runs=(*done.runs, run_dir.name), labels=seen, size=done.size + size)
    if staging is not None:
        names, size = _purge_staging(disk, staging, wanted, runs, before)
        done = replace(done, staged=names, size=done.size + size)
    return done


def expire(state_dir: Path, before: datetime, *, disk: Disk = REAL) -> tuple[str, ...]:
    """Remove whole run folders from before a moment; return their names. Raises ``OSError``.

    Runs that have not come to their end stay.
    """
    gone = []
    for run_dir in _runs(disk, state_dir, None, before):
        if not frozenset(disk.listdir(os.fspath(run_dir))) & {ACTIVE, COMMITTED}:
            erase(disk, os.fspath(run_dir))
            gone.append(run_dir.name)
    return tuple(gone)


def _patterns(entry: str | None, texts: Collection[str]) -> Iterator[re.Pattern[str]]:
    for text in texts:
        if text:
            yield re.compile(re.escape(text))
    if entry is not None:
        name = entry.rpartition("/")[2]
        if not any(sign in name for sign in "*?["):
            stem = name[:-3] if name.endswith(".md") else name
            # "a.md" must not find "data.md"
            yield re.compile(rf"(?<![\w.-]){re.escape(stem)}\.md(?![\w.-])|\[\[{re.escape(stem)}[\]|#]")


def _runs(
    disk: Disk, state_dir: Path, runs: Collection[str] | None, before: datetime | None
) -> Iterator[Path]:
    folder = state_dir / "runs"
    try:
        names = sorted(disk.listdir(os.fspath(folder)))
    except FileNotFoundError:
        return
    for name in names:
        if _chosen(name, runs, before) and os.path.isdir(folder / name):
            yield folder / name


def _chosen(run: str, runs: Collection[str] | None, before: datetime | None) -> bool:
    # Run ids begin with their moment, so that they sort by it; ".1" is an attempt that was taken back.
    if runs is not None and run not in runs and run.partition(".")[0] not in runs:
        return False
    return before is None or run < f"{before.astimezone(timezone.utc):%Y%m%dT%H%M%SZ}"


def _purge_run(disk: Disk, run_dir: Path, wanted: _Wanted, noted: bool) -> tuple[list[str], int]:
    folder = os.fspath(run_dir)
    journal = None
    with contextlib.suppress(record.BadJournal, record.OtherVersion):
        journal = record.read(disk, folder, FINISHED, UNDONE, ROLLED)
    steps = journal.steps if journal else ()
    if wanted.all or journal is None:
        # Without a readable record nothing says which bytes are whose: a wish to forget wins.
        doomed = wanted.all or any(
            wanted.mentions(_text(disk, path)) or wanted.names(os.path.relpath(path, folder))
            for path in _stored(disk, folder, _KEEPS)
        )
        size = sum(wanted.drop(disk, os.path.join(folder, name)) for name in _KEEPS) if doomed else 0
        labels = [step.label for step in steps] or (["?"] if size else [])
    else:
        labels, size = _purge_files(disk, folder, steps, wanted)
    if wanted.drop is erase and journal is not None and journal.memo and (labels or noted):
        name = next(name for name in (FINISHED, UNDONE, ROLLED) if name in disk.listdir(folder))
        part = os.path.join(folder, record.PART)
        erase(disk, part)
        write_new(disk, part, record.dump(replace(journal, memo={})))
        disk.replace(part, os.path.join(folder, name))
    disk.sync_folder(folder)
    return labels, size


def _is_noted(disk: Disk, run_dir: Path, wanted: _Wanted) -> bool:
    """Return whether what is written about a run names what is to be forgotten, be it in a refused op."""
    names = (name for name in disk.listdir(os.fspath(run_dir)) if name.endswith(".json"))
    return any(wanted.mentions(_plain(_text(disk, os.fspath(run_dir / name)))) for name in names)


def _purge_files(
    disk: Disk, folder: str, steps: Iterable[record.Step], wanted: _Wanted
) -> tuple[list[str], int]:
    owned: dict[str, list[str]] = {}
    for number, step in enumerate(steps):
        paths = [os.path.join(folder, name) for name in (step.bak, step.new) if name]
        copies = os.path.join(folder, CONFLICTS, *step.label.split("/"))
        paths += [path for path in _stored(disk, folder, (CONFLICTS,)) if _is_copy(path, copies)]
        home = os.path.join(folder, HOME)
        paths += [
            path
            for path in _stored(disk, folder, (HOME,))
            if os.path.relpath(path, home).split(".")[0] == str(number)
        ]
        owned[step.label] = paths
    hit = {label for label in owned if wanted.names(label)}
    if hit:
        hit |= {label for label in owned if written_through(label)}
    hit |= {label for label, paths in owned.items() if any(wanted.mentions(_text(disk, p)) for p in paths)}
    size = sum(wanted.drop(disk, path) for label in hit for path in owned[label])
    return sorted(hit), size


def _is_copy(path: str, first: str) -> bool:
    return path == first or path.startswith(f"{first}~")


def _stored(disk: Disk, folder: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        for base, _, files in os.walk(os.path.join(folder, name)):
            yield from (os.path.join(base, file) for file in sorted(files))


def _text(disk: Disk, path: str) -> str:
    try:
        return (read_file(disk, path) or b"").decode("utf-8", "surrogateescape")
    except OSError:
        return ""


def _purge_staging(
    disk: Disk, staging: Path, wanted: _Wanted, runs: Collection[str] | None, before: datetime | None
) -> tuple[tuple[str, ...], int]:
    names = []
    size = 0
    for path in sorted(_stored(disk, os.fspath(staging), ("",))):
        name = os.path.basename(path)
        run = name.removeprefix("ops-").removesuffix(".json")
        if not _chosen(run, runs, before):
            continue
        if wanted.all or wanted.mentions(_plain(_text(disk, path))):
            size += wanted.drop(disk, path)
            names.append(name)
    return tuple(names), size


def _plain(text: str) -> str:
    """Return a JSON text followed by its strings without escapes, so that words are found in either."""
    try:
        return text + "\n" + json.dumps(json.loads(text), ensure_ascii=False)
    except ValueError:
        return text
