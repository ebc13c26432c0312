"""A small store to dream over, and disks that fail on demand, for the tests of the transaction."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentops_dream.models import FileChange
from agentops_dream.transaction import native
from agentops_dream.transaction.disk import Disk

NOW = 2_000_000_000.0
RUN = "20260102T030405Z-ab12"
NEXT = "20260102T030505Z-cd34"


# ---------------------------------------------------------------- a store

BEFORE = {
    "memory/a.md": b"---\nname: a\n---\nfirst half\n",
    "memory/b.md": b"second half\n",
    "memory/c.md": b"out of date\r\n",
    "memory/old name.md": b"\xef\xbb\xbfrenamed",
    "memory/sub/f.md": "更新される\n".encode() * 50,
    "memory/untouched.md": b"untouched\n",
    "memory/MEMORY.md": b"# Index\n\n- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n",
    "project/docs/AGENTS.md": b"# Mine\n",
}
AFTER: dict[str, bytes | None] = {
    "memory/a.md": b"---\nname: a\n---\nfirst half\nsecond half\n",
    "memory/b.md": None,
    "memory/c.md": None,
    "memory/old name.md": None,
    "memory/new/deep/name.md": b"\xef\xbb\xbfrenamed",
    "memory/sub/f.md": "更新された\n".encode() * 60,
    "memory/MEMORY.md": b"# Index\n\n- [A](a.md)\n- [N](new/deep/name.md)\n",
    "project/AGENTS.md": b"# Mine\n\nblock\n",
}
OPS = {
    "memory/a.md": (0,),
    "memory/b.md": (0,),
    "memory/c.md": (1,),
    "memory/old name.md": (2,),
    "memory/new/deep/name.md": (2,),
    "memory/sub/f.md": (3,),
    "memory/MEMORY.md": (0, 1, 2, 3),
    "project/AGENTS.md": (0, 1, 2, 3),
}
MODES = {"memory/a.md": 0o600, "memory/c.md": 0o640, "project/docs/AGENTS.md": 0o664}


@dataclass(frozen=True)
class Scene:
    """A memory directory, a project whose AGENTS.md is a link, and the state of both."""

    root: Path

    @property
    def state(self) -> Path:
        return self.root / "state"

    def run(self, name: str = RUN) -> Path:
        return self.state / "runs" / name

    def path(self, label: str) -> Path:
        return self.root / label

    def changes(self) -> list[FileChange]:
        """A dream that merges, deletes, renames into a new folder, updates, reindexes and mirrors."""
        found = []
        for label, after in AFTER.items():
            path = self.path(label)
            before = path.read_bytes() if path.exists() else None
            found.append(FileChange(path, label, before, after, OPS[label]))
        return found

    def change(self, label: str, after: bytes | None, ops: tuple[int, ...] = (0,)) -> FileChange:
        path = self.path(label)
        return FileChange(path, label, path.read_bytes() if path.exists() else None, after, ops)

    def snapshot(self) -> dict[str, Any]:
        """Everything in the memory directory and the project: bytes, modes, links, folders."""
        return {**tree(self.root / "memory"), **tree(self.root / "project")}


def scene(root: Path) -> Scene:
    for label, data in BEFORE.items():
        path = root / label
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(MODES.get(label, 0o644))
    (root / "project" / "AGENTS.md").symlink_to("docs/AGENTS.md")
    return Scene(root)


def tree(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for base, folders, files in os.walk(root):
        for name in [*folders, *files]:
            path = Path(base, name)
            mode = stat.S_IMODE(path.lstat().st_mode)
            key = os.path.relpath(path, root.parent)
            if path.is_symlink():
                found[key] = ("link", os.readlink(path))
            elif path.is_dir():
                found[key] = ("folder",)
            else:
                found[key] = ("file", path.read_bytes(), mode)
    return found


def leftovers(root: Path) -> list[str]:
    """Names of ours that still lie beside files of the store."""
    return [key for key in [*tree(root / "memory"), *tree(root / "project")] if ".agentops" in key]


# ---------------------------------------------------------------- disks

FD_CALLS = ("create", "open", "create_nameless")
STEPS = tuple(
    name for name, value in vars(Disk).items() if callable(value) and not name.startswith("_") and name != "sleep"
)


class Swift(Disk):
    """The real disk without waiting for the platter: only a power cut would tell the difference."""

    def sync(self, fd: int) -> None:
        pass

    def sync_folder(self, path: str) -> None:
        os.stat(path)

    def sleep(self, seconds: float) -> None:
        pass


class NoExchange(Swift):
    """A file system without ``renameat2``: NFS, old FUSE; and a system without leases."""

    def exchange(self, one: str, other: str) -> None:
        raise native.Unsupported(errno.EINVAL, "no exchange")

    def rename_new(self, old: str, new: str) -> None:
        raise native.Unsupported(errno.EINVAL, "no rename_new")

    def writers(self, path: str) -> bool | None:
        os.lstat(path)
        return None


class NoLinks(NoExchange):
    """FAT and the like: no exchange, no hard links either."""

    def link(self, old: str, new: str) -> None:
        raise OSError(errno.EPERM, "no links")


class Apart(Swift):
    """The state folder lies on another file system than the memory directory."""

    def replace(self, old: str, new: str) -> None:
        if ("/state/" in old) != ("/state/" in new):
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), old, None, new)
        super().replace(old, new)


class ApartWithoutExchange(NoExchange, Apart):
    pass


class Killed(BaseException):
    """The process is gone. Whoever tries to do anything more meets it again."""


Fault = Callable[[], None]


def failing(base: type[Disk]) -> type[Any]:
    """Return ``base`` with every call counted, and one of them made to fail."""

    class Faulty(base):  # type: ignore[valid-type, misc]
        def __init__(self, at: int = -1, fault: str = "") -> None:
            self.at = at
            self.fault = fault
            self.count = 0
            self.dead = False
            self.calls: list[str] = []
            self.fds: set[int] = set()

        def release(self) -> None:
            for fd in self.fds:
                with contextlib.suppress(OSError):
                    os.close(fd)

    def wrap(name: str) -> Callable[..., Any]:
        plain = getattr(base, name)

        def call(self: Any, *args: Any) -> Any:
            if self.dead:
                raise Killed
            number = self.count
            self.count += 1
            self.calls.append(name)
            hit = number == self.at
            if hit and self.fault == "kill-before":
                self.dead = True
                raise Killed
            if hit and self.fault in ("exit-before", "exit-after"):
                if self.fault == "exit-after":
                    with contextlib.suppress(OSError):
                        plain(self, *args)
                os.kill(os.getpid(), signal.SIGKILL)
            persistent = self.fault.endswith("+") and number >= self.at
            code = self.fault.rstrip("+")
            if (hit or persistent) and code in ("ENOSPC", "EACCES", "EIO", "EROFS"):
                needs_space = name in ("create", "write", "mkdir", "sync", "link", "set_attribute")
                if not persistent or code != "ENOSPC" or needs_space:
                    number_of = getattr(errno, code)
                    raise OSError(number_of, os.strerror(number_of), str(args[0]) if args else "")
            if hit and self.fault == "short" and name == "write":
                data = args[1]
                return plain(self, args[0], data[: len(data) // 2])
            if hit and self.fault == "torn" and name == "write":
                plain(self, args[0], args[1][: len(args[1]) // 2])
                self.dead = True
                raise Killed
            try:
                result = plain(self, *args)
            except OSError:
                if hit and self.fault == "kill-after":
                    self.dead = True
                    raise Killed from None
                raise
            if name in FD_CALLS:
                self.fds.add(result)
            elif name == "close":
                self.fds.discard(args[0])
            if hit and self.fault == "kill-after":
                self.dead = True
                raise Killed
            return result

        return call

    for name in STEPS:
        setattr(Faulty, name, wrap(name))
    return Faulty


@contextlib.contextmanager
def released(disk: Any) -> Iterator[Any]:
    try:
        yield disk
    finally:
        disk.release()


class Folding(Swift):
    """A disk to which ``Name.md`` and ``name.md`` are one file, as on most Macs and on Windows."""

    def _real(self, path: str) -> str:
        folder, name = os.path.split(path)
        with contextlib.suppress(OSError):
            for found in os.listdir(folder):
                if found.casefold() == name.casefold():
                    return os.path.join(folder, found)
        return path

    def create(self, path: str, mode: int) -> int:
        return super().create(self._real(path), mode)

    def open(self, path: str) -> int:
        return super().open(self._real(path))

    def lstat(self, path: str) -> os.stat_result:
        return super().lstat(self._real(path))

    def unlink(self, path: str) -> None:
        super().unlink(self._real(path))

    def writers(self, path: str) -> bool | None:
        return super().writers(self._real(path))

    def replace(self, old: str, new: str) -> None:
        super().replace(self._real(old), self._real(new))

    def rename_new(self, old: str, new: str) -> None:
        super().rename_new(self._real(old), self._real(new))

    def exchange(self, one: str, other: str) -> None:
        super().exchange(self._real(one), self._real(other))
