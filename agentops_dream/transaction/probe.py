"""Will the disk let the dream through? Asked before money is spent (SPEC §9).

A dream that cannot be saved must not be paid for. Every place that a dream writes to is tried by
writing there; permission bits alone do not tell of a read-only mount, a quota or an immutable folder.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from agentops_dream.transaction import native
from agentops_dream.transaction.disk import REAL, Disk, discard, stands
from agentops_dream.transaction.errors import remedy

MARGIN = 1 << 20
"""Bytes that must be left over: journal, receipt, log, and room for the work of others."""
COPIES = 3
"""How often changed bytes may lie in the state folder at once: before, after, receipt."""
NAME = ".agentops-probe"
_NO_NAMELESS = frozenset({errno.EISDIR, errno.ENOENT, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTSUP})


def probe(
    *, state: Path, folders: Iterable[Path], files: Iterable[Path] = (), need: int, disk: Disk = REAL
) -> tuple[str, ...]:
    """Return what would stop a dream, one sentence per place with its remedy; empty if nothing.

    ``state`` need not exist if it can be made. ``folders`` must exist and take new files: the
    memory directory, and the subfolders of entries that may change. ``files`` must be writable or
    not exist yet: ``MEMORY.md``, ``AGENTS.md``. ``need`` are the bytes that may change. Leaves
    nothing behind. Never raises for what it is asked about.
    """
    problems: dict[str, None] = {}
    try:
        _look(disk, _existing(disk, os.fspath(state)), need * COPIES + MARGIN, problems)
    except OSError as error:
        return (_sentence(os.fspath(state), error),)
    for folder in folders:
        _look(disk, os.fspath(folder), need + MARGIN // 4, problems)
    for file in files:
        _look_at_file(disk, os.fspath(file), need + MARGIN // 4, problems)
    return tuple(problems)


def _existing(disk: Disk, folder: str) -> str:
    """Return ``folder``, or the closest one above it that stands: where it would be made."""
    folder = os.path.abspath(folder)
    while not stands(disk, folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder


def _look(disk: Disk, folder: str, need: int, problems: dict[str, None], *, about: str = "") -> None:
    try:
        _write(disk, folder)
        free = disk.free(folder)
    except OSError as error:
        if _sentence(folder, error) not in problems:
            beside = "" if os.path.dirname(about) == folder else f" (in {folder})"
            problems[_sentence(f"{about}{beside}" if about else folder, error)] = None
        return
    if free is not None and free < need:
        problems[
            f"{folder}: {free // 1024} KiB are free and a dream may need {need // 1024} KiB. "
            "Free some space; then the next dream goes on by itself."
        ] = None


def _look_at_file(disk: Disk, path: str, need: int, problems: dict[str, None]) -> None:
    try:
        place = disk.resolve(path)
        if stands(disk, place):
            found = disk.lstat(place)
            if not stat.S_ISREG(found.st_mode):
                problems[f"{path}: is no regular file. Move it away, or turn off what writes there."] = None
                return
            # The bits are a wish even where root, or the owner of the folder, could pass over them.
            if not found.st_mode & 0o222 or not disk.may_write(place):
                problems[f"{path}: is read-only. Make it writable for your user."] = None
                return
    except OSError as error:
        problems[_sentence(path, error)] = None
        return
    _look(disk, os.path.dirname(place), need, problems, about=path)


def _write(disk: Disk, folder: str) -> None:
    """Write a byte to a new file in ``folder`` that is gone afterwards, whatever happens."""
    try:
        fd = disk.create_nameless(folder)
    except OSError as error:
        if not isinstance(error, native.Unsupported) and error.errno not in _NO_NAMELESS:
            raise
        if not stat.S_ISDIR(os.stat(folder).st_mode):
            raise
        _write_named(disk, os.path.join(folder, NAME))
        return
    try:
        _one_byte(disk, fd, folder)
    finally:
        disk.close(fd)


def _write_named(disk: Disk, path: str) -> None:
    discard(disk, path)  # of a probe that was killed
    fd = disk.create(path, 0o600)
    try:
        try:
            _one_byte(disk, fd, path)
        finally:
            disk.close(fd)
    finally:
        with contextlib.suppress(OSError):
            disk.unlink(path)


def _one_byte(disk: Disk, fd: int, path: str) -> None:
    if disk.write(fd, memoryview(b"\n")) != 1:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)


def _sentence(path: str, error: OSError) -> str:
    return f"{path}: {error.strerror or error}. {remedy(error)}"
