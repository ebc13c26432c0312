"""Displaced files: keep them until nobody can write to them any more, and keep what was written (SPEC §9).

A program that opened a file before the dream replaced it may still write to it afterwards. A
displaced file is therefore only removed when nobody has it open for writing and it holds exactly
the bytes that are stored elsewhere in the run. Anything else in it is an edit: the file becomes a
named copy under ``conflicts/``. Where the system cannot tell who has a file open, it waits in the run
folder for an hour before it is looked at for the last time.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Collection

from agentops_dream.transaction.disk import (
    MISSING,
    NOT_A_FILE,
    Disk,
    digest,
    discard,
    make_folders,
    patiently,
    read_file,
    stands,
    write_new,
)
from agentops_dream.transaction.errors import Kept
from agentops_dream.transaction.record import CONFLICTS, HOME, Journal, Spot, Step, spot
from agentops_dream.transaction.swap import written_now

GRACE = 3600.0
"""Seconds after which nobody is expected to write to a file that was replaced."""
LATE = "written by another program into a file that the dream had just replaced"
LONGEST_NAME = 200
"""Bytes of one part of a stored name; file systems allow 255, and suffixes come on top."""


def clear(
    disk: Disk, run_dir: str, journal: Journal, *, rolled: bool, now: float | None = None
) -> tuple[list[Kept], bool]:
    """Remove the displaced files of a run, or turn them into named copies.

    ``rolled``: the run was taken back, so the folders that it made go, too. ``now`` (epoch seconds)
    lets files go that have waited for ``GRACE`` on a system that cannot tell who has a file open.
    Returns the copies, and whether files still wait for a later call; then the folder ``old`` stays
    as a sign. A file that the disk will not let go waits, too.
    """
    kept: list[Kept] = []
    waiting = False
    for number, step in enumerate(journal.steps):
        names = spot(run_dir, journal.tag, number, step)
        for path in (*_waiting(disk, run_dir, number), *names.hidden):
            try:
                copy, gone = _retire(disk, path, names, step, run_dir, now)
            except OSError:
                copy, gone = None, False
            if copy is not None:
                kept.append(copy)
            waiting = waiting or not gone
    empty = [folder for step in journal.steps for folder in reversed(step.folders)] if rolled else []
    if not waiting:
        empty.append(os.path.join(run_dir, HOME))
    for folder in empty:
        with contextlib.suppress(OSError):  # not empty, or never made
            disk.rmdir(folder)
    return kept, waiting


def _waiting(disk: Disk, run_dir: str, number: int) -> list[str]:
    folder = os.path.join(run_dir, HOME)
    try:
        names = disk.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in sorted(names) if name.split(".")[0] == str(number)]


def _retire(
    disk: Disk, path: str, names: Spot, step: Step, run_dir: str, now: float | None
) -> tuple[Kept | None, bool]:
    """Return the copy that was kept, if any, and whether ``path`` is gone."""
    if not stands(disk, path):
        return None, True
    if path == names.part:
        discard(disk, path)
        return None, True
    at_home = os.path.dirname(path) == os.path.dirname(names.home)
    state = written_now(disk, path)
    if state is not False and not at_home and (moved := _move_home(disk, path, names)):
        path, at_home = moved, True
    if state is True or (state is None and at_home and not _waited(disk, path, now)):
        return None, False
    if digest(disk, path) in (MISSING, step.before, step.after):
        discard(disk, path)
        return None, True
    return keep(disk, path, run_dir, step.label, LATE), True


def _move_home(disk: Disk, path: str, names: Spot) -> str:
    """Return the new path in the run folder; ``""`` if that is on another disk."""
    number = 1
    while stands(disk, target := f"{names.home}.{number}"):
        number += 1
    try:
        disk.replace(path, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        return ""
    return target


def _waited(disk: Disk, path: str, now: float | None) -> bool:
    # The rename into the run folder set ctime, on every file system that has one.
    return now is not None and now - disk.lstat(path).st_ctime >= GRACE


def keep(disk: Disk, path: str, run_dir: str, label: str, why: str) -> Kept:
    """Move a file under ``conflicts/`` of the run and return its name. Raises ``OSError``."""
    taken: list[str] = []
    while True:
        name = stored_name(CONFLICTS, label, "", taken)
        target = os.path.join(run_dir, name)
        if not stands(disk, target):
            break
        taken.append(name)
    make_folders(disk, os.path.dirname(target), 0o700)
    try:
        # The file itself, not a copy: whoever still has it open writes into the named copy.
        patiently(disk, lambda: disk.replace(path, target))
    except OSError as error:
        if error.errno != errno.EXDEV or digest(disk, path) == NOT_A_FILE:
            raise
        write_new(disk, target, read_file(disk, path) or b"")
        disk.unlink(path)
    disk.sync_folder(os.path.dirname(target))
    return Kept(label, target, why)


def copies(disk: Disk, run_dir: str) -> tuple[Kept, ...]:
    """Return every named copy of a run, whoever found it. Raises ``OSError``."""
    found: list[Kept] = []

    def look(folder: str, label: str) -> None:
        try:
            names = sorted(disk.listdir(folder))
        except FileNotFoundError:
            return
        for name in names:
            path = os.path.join(folder, name)
            below = f"{label}/{name}" if label else name
            if stat.S_ISDIR(disk.lstat(path).st_mode):
                look(path, below)
            else:
                found.append(Kept(below, path, LATE))

    look(os.path.join(run_dir, CONFLICTS), "")
    return tuple(found)


def stored_name(folder: str, label: str, suffix: str, taken: Collection[str] = ()) -> str:
    """Return a relative name in the run folder for ``label``, equal to none in ``taken`` even by case.

    Raises ``ValueError`` for a label that leads out of the folder.
    """
    parts = label.split("/")
    if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
        raise ValueError(f"{label!r} is no label for a file of a transaction")
    short = [_short(part) for part in parts]
    used = {name.casefold() for name in taken}
    number = 1
    while True:
        mark = suffix if number == 1 else f"~{number}{suffix}"
        name = "/".join((folder, *short)) + mark
        if name.casefold() not in used:
            return name
        number += 1


def _short(part: str) -> str:
    raw = os.fsencode(part)
    if len(raw) <= LONGEST_NAME:
        return part
    mark = hashlib.sha256(raw).hexdigest()[:16]
    return f"{raw[: LONGEST_NAME - 17].decode('utf-8', 'ignore')}-{mark}"


def size_of(disk: Disk, path: str) -> int:
    """Return the bytes that ``erase`` would remove. Raises ``OSError``."""
    try:
        found = disk.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return 0
    if not stat.S_ISDIR(found.st_mode):
        return found.st_size
    return sum(size_of(disk, os.path.join(path, name)) for name in disk.listdir(path))


def erase(disk: Disk, path: str) -> int:
    """Remove a file or a whole folder; return the bytes that went. Raises ``OSError``."""
    try:
        found = disk.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return 0
    if not stat.S_ISDIR(found.st_mode):
        discard(disk, path)
        return found.st_size
    size = sum(erase(disk, os.path.join(path, name)) for name in disk.listdir(path))
    disk.rmdir(path)
    return size
