"""The seam between the transaction and the disk: every system call, one method each (SPEC §9).

Nothing in this room calls the operating system but through a ``Disk``, so that a test can let each
call fail, come back short or be the last one before the power goes. The functions below the class
are what the room is written in: whole files, made of those calls.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import signal
import stat
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from agentops_dream.transaction import native

T = TypeVar("T")

CHUNK = 1 << 20
MISSING = ""
"""``digest`` of a path where nothing stands."""
NOT_A_FILE = "not a regular file"
"""``digest`` of a link, folder, pipe or device: never equal to a hash, so never taken for ours."""

WINDOWS_BUSY = frozenset({5, 32, 33})
"""Access denied, sharing violation, lock violation: what a virus scanner or an indexer causes for
some milliseconds."""
PATIENCE = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64)
"""Seconds between tries when Windows says busy; about a second and a quarter in all."""

_BINARY = getattr(os, "O_BINARY", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)  # a pipe put where a file was must not hang the worker


class Disk:
    """The operating system. A method raises what the call raises: ``OSError`` and its kinds."""

    def create(self, path: str, mode: int) -> int:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _CLOEXEC | _BINARY, mode)

    def create_nameless(self, folder: str) -> int:
        """Open a file without a name in ``folder``; it is gone when it is closed. May be unsupported."""
        flags = getattr(os, "O_TMPFILE", 0)
        if not flags:
            raise native.Unsupported(errno.ENOTSUP, "no nameless files on this system", folder)
        return os.open(folder, flags | os.O_WRONLY | _CLOEXEC, 0o600)

    def open(self, path: str) -> int:
        return os.open(path, os.O_RDONLY | _NOFOLLOW | _NONBLOCK | _CLOEXEC | _BINARY)

    def read(self, fd: int, size: int) -> bytes:
        return os.read(fd, size)

    def write(self, fd: int, data: memoryview) -> int:
        return os.write(fd, data)

    def fstat(self, fd: int) -> os.stat_result:
        return os.fstat(fd)

    def sync(self, fd: int) -> None:
        if sys.platform == "darwin":
            import fcntl

            # A Mac's fsync stops at the drive's cache. Network volumes refuse the full kind.
            with contextlib.suppress(OSError):
                fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
                return
        os.fsync(fd)

    def sync_folder(self, path: str) -> None:
        """Make the names in a folder durable. Where folders cannot be synced this does nothing."""
        if os.name == "nt":
            return
        fd = os.open(path, os.O_RDONLY | _CLOEXEC)
        try:
            os.fsync(fd)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
                raise
        finally:
            os.close(fd)

    def close(self, fd: int) -> None:
        os.close(fd)

    def lstat(self, path: str) -> os.stat_result:
        return os.lstat(path)

    def resolve(self, path: str) -> str:
        return os.path.realpath(path)

    def listdir(self, path: str) -> list[str]:
        return os.listdir(path)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        os.mkdir(path, mode)

    def rmdir(self, path: str) -> None:
        os.rmdir(path)

    def unlink(self, path: str) -> None:
        os.unlink(path)

    def link(self, old: str, new: str) -> None:
        os.link(old, new)

    def replace(self, old: str, new: str) -> None:
        os.replace(old, new)

    def exchange(self, one: str, other: str) -> None:
        native.exchange(one, other)

    def rename_new(self, old: str, new: str) -> None:
        native.rename_new(old, new)

    def chmod(self, path: str, mode: int) -> None:
        os.chmod(path, mode)

    def chown(self, path: str, uid: int, gid: int) -> None:
        if hasattr(os, "chown"):
            os.chown(path, uid, gid, follow_symlinks=False)

    def attributes(self, path: str) -> dict[str, bytes]:
        """Return the extended attributes of a file; ``{}`` where there are none to be had."""
        if sys.platform != "linux":
            return {}
        return {
            name: os.getxattr(path, name, follow_symlinks=False)
            for name in os.listxattr(path, follow_symlinks=False)
        }

    def set_attribute(self, path: str, name: str, value: bytes) -> None:
        if sys.platform == "linux":
            os.setxattr(path, name, value, follow_symlinks=False)

    def writers(self, path: str) -> bool | None:
        """Return whether anybody has the file open for writing; ``None`` if that cannot be known.

        Linux grants a read lease exactly when nobody does (``fcntl(2)``, F_SETLEASE); other
        systems, network file systems and files of other users give ``None``.
        """
        if sys.platform != "linux":
            return None
        import fcntl

        fd = os.open(path, os.O_RDONLY | _NOFOLLOW | _NONBLOCK | _CLOEXEC)
        try:
            # The default signal of a lease, SIGIO, would end this process if somebody opens the
            # file in these microseconds.
            fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
            return False
        except OSError as error:
            return True if error.errno == errno.EAGAIN else None
        finally:
            os.close(fd)

    def may_write(self, path: str) -> bool:
        return os.access(path, os.W_OK)

    def free(self, path: str) -> int | None:
        """Return the bytes that this user may still write there; ``None`` if unknown."""
        if hasattr(os, "statvfs"):
            figures = os.statvfs(path)
            return figures.f_bavail * figures.f_frsize if figures.f_blocks else None
        return shutil.disk_usage(path).free

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


REAL = Disk()


def patiently(disk: Disk, call: Callable[[], T]) -> T:
    """Return ``call()``, tried again for about a second while Windows says the file is busy."""
    for pause in PATIENCE:
        try:
            return call()
        except PermissionError as error:
            if getattr(error, "winerror", None) not in WINDOWS_BUSY:
                raise
        disk.sleep(pause)
    return call()


def write_new(
    disk: Disk, path: str, data: bytes, mode: int = 0o600, *, dress: Callable[[], None] | None = None
) -> None:
    """Write a new file, whole and durable; ``FileExistsError`` if something stands there.

    ``dress`` is called before the file is synced, to give it its mode and owner. A file that could
    not be written whole is removed again as far as the disk lets it.
    """
    fd = disk.create(path, mode)
    try:
        try:
            rest = memoryview(data)
            while rest:
                written = disk.write(fd, rest)
                if written <= 0:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
                rest = rest[written:]
            if dress is not None:
                dress()
            disk.sync(fd)
            size = disk.fstat(fd).st_size
            if size != len(data):
                raise OSError(errno.EIO, f"{size} of {len(data)} bytes arrived", path)
        finally:
            disk.close(fd)
    except OSError as error:
        with contextlib.suppress(OSError):
            disk.unlink(path)
        # write(2) and fsync(2) do not say which file they were about.
        raise OSError(error.errno, error.strerror, path) from error


def read_file(disk: Disk, path: str) -> bytes | None:
    """Return the bytes of a regular file, ``None`` if nothing stands there.

    Raises ``OSError``; with ``errno.ELOOP`` for a link, ``errno.EINVAL`` for anything else that is no
    regular file.
    """
    try:
        if os.name == "nt" and stat.S_ISLNK(disk.lstat(path).st_mode):
            raise OSError(errno.ELOOP, "is a link", path)
        fd = disk.open(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError:
        if os.name == "nt" and stat.S_ISDIR(disk.lstat(path).st_mode):
            raise OSError(errno.EINVAL, NOT_A_FILE, path) from None
        raise
    try:
        if not stat.S_ISREG(disk.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, NOT_A_FILE, path)
        parts = []
        while part := disk.read(fd, CHUNK):
            parts.append(part)
        return b"".join(parts)
    finally:
        disk.close(fd)


def sha256(data: bytes) -> str:
    """Return the hex digest of ``data``."""
    return hashlib.sha256(data).hexdigest()


def digest(disk: Disk, path: str) -> str:
    """Return the SHA-256 of a regular file, ``MISSING`` or ``NOT_A_FILE``. Raises ``OSError``."""
    try:
        data = read_file(disk, path)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EINVAL, errno.ENXIO):
            return NOT_A_FILE
        raise
    return MISSING if data is None else sha256(data)


def stands(disk: Disk, path: str) -> bool:
    """Return whether anything at all stands at ``path``, a dangling link included."""
    try:
        disk.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def identity(disk: Disk, path: str) -> tuple[int, int] | None:
    """Return what tells one file from another whatever its name; ``None`` if nothing stands there."""
    try:
        found = disk.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def discard(disk: Disk, path: str) -> None:
    """Unlink ``path`` if it is there."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        patiently(disk, lambda: disk.unlink(path))


def make_folders(disk: Disk, path: str, mode: int = 0o777) -> tuple[str, ...]:
    """Make ``path`` and what is missing above it; return the folders made, outermost first."""
    missing: list[str] = []
    # Nothing stands at "", which is where going up a relative path leads.
    while path and not stands(disk, path):
        missing.append(path)
        path = os.path.dirname(path)
    made: list[str] = []
    for folder in reversed(missing):
        with contextlib.suppress(FileExistsError):
            disk.mkdir(folder, mode)
            made.append(folder)
            disk.sync_folder(os.path.dirname(folder) or os.curdir)
    return tuple(made)


def take(disk: Disk, place: str, ours: str) -> None:
    """Rename whatever stands at ``place`` to a name of our own, on which nothing of value stands."""
    # Never link and unlink: somebody's file may take the place in between, and would be unlinked.
    patiently(disk, lambda: disk.replace(place, ours))


def give(disk: Disk, ours: str, place: str) -> None:
    """Rename a file of our own without ever replacing one; ``FileExistsError`` if ``place`` is taken."""
    try:
        patiently(disk, lambda: disk.rename_new(ours, place))
        return
    except native.Unsupported:
        pass
    try:
        disk.link(ours, place)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.EACCES, errno.ENOSYS):
            raise
    else:
        disk.unlink(ours)
        return
    # Neither call: FAT volumes on old kernels, some network shares. The look and the rename are two
    # steps here, and the README does not promise otherwise.
    if stands(disk, place):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), place)
    patiently(disk, lambda: disk.replace(ours, place))
