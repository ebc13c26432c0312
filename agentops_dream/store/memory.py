"""A whole memory directory, read once: entries, what could not be read, and the index (SPEC §2, §4).

One bad file never costs the others: it is reported beside them. Which files are entries is decided in
one place, ``fingerprint.walk``.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ..models import Entry, Unreadable
from .document import NotText
from .entry import read_entry
from .fingerprint import is_context, is_entry_name, is_text, walk
from .links import Resolver
from .names import fold, stem

MAX_BYTES = 4 * 1024 * 1024
"""Of one entry; twenty times the largest seen. Larger is no memory but a dump, and not read."""

INDEX = "MEMORY.md"

# Neither block on a FIFO nor follow a link that took the file's place since it was listed.
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)


class _Refused(Exception):
    """This file is not read; the message says why."""


@dataclass(frozen=True)
class Store:
    """A memory directory as it stood when it was read."""

    root: Path
    entries: tuple[Entry, ...]
    """Sorted by path; ids resolved, each different from the others also by case and normal form."""
    unreadable: tuple[Unreadable, ...] = ()
    index: bytes | None = None
    """``MEMORY.md``, ``None`` if there is none that can be read."""
    warnings: tuple[str, ...] = ()
    index_problem: str = ""
    """Why the ``MEMORY.md`` that is there cannot be read, with the remedy; also among ``warnings``."""

    def by_path(self, path: str) -> Entry | None:
        """Return the entry at the relative ``path``, ``None`` if there is none."""
        return self._paths.get(path)

    def by_id(self, id: str) -> Entry | None:
        """Return the entry with this id, exact or else the only one by case and normal form."""
        return self._ids.get(id) or self._folded.get(fold(id))

    def resolve(self, target: str) -> Entry | None:
        """Return the entry that a link means (see ``links.Resolver``)."""
        return self.resolver.resolve(target)

    @cached_property
    def names(self) -> frozenset[str]:
        """Under what entries are known: path, id, name."""
        return frozenset(name for entry in self.entries for name in (entry.path, entry.id, entry.name) if name)

    def with_changes(self, files: Mapping[str, bytes | None]) -> Store:
        """Return the store as it would be with these files (relative path -> bytes, ``None``: removed).

        Only entries; the index stays as it is. Raises ``NotText``.
        """
        kept = {entry.path: entry for entry in self.entries if entry.path not in files}
        for path, raw in files.items():
            if raw is not None:
                old = self.by_path(path)
                kept[path] = read_entry(path, raw, old.mtime if old else 0.0)
        entries, doubles = with_ids(sorted(kept.values(), key=lambda entry: entry.path))
        return Store(self.root, entries, self.unreadable, self.index, doubles, self.index_problem)

    @cached_property
    def resolver(self) -> Resolver:
        return Resolver(self.entries)

    @cached_property
    def _paths(self) -> dict[str, Entry]:
        return {entry.path: entry for entry in self.entries}

    @cached_property
    def _ids(self) -> dict[str, Entry]:
        return {entry.id: entry for entry in self.entries}

    @cached_property
    def _folded(self) -> dict[str, Entry]:
        count = Counter(fold(entry.id) for entry in self.entries)
        return {key: entry for entry in self.entries if count[key := fold(entry.id)] == 1}


def read_store(memory_dir: Path) -> Store:
    """Return everything in ``memory_dir``.

    Raises ``OSError`` if the directory itself cannot be listed; for anything below it never raises.
    """
    root = os.fspath(memory_dir)
    entries: list[Entry] = []
    unreadable: list[Unreadable] = []

    def trouble(path: str, error: OSError) -> None:
        unreadable.append(Unreadable(path, _reason(error)))

    for path in walk(root, trouble):
        try:
            raw, mtime, linked = _read(f"{root}/{path}")
            readonly = "symlink" if linked else "team" if is_context(path) else ""
            entries.append(read_entry(path, raw, mtime, readonly=readonly))
        except NotText as error:
            unreadable.append(Unreadable(path, str(error)))
        except _Refused as error:
            unreadable.append(Unreadable(path, str(error)))
        except OSError as error:
            if error.errno != errno.ENOENT:  # gone since it was listed: not there, then
                unreadable.append(Unreadable(path, _reason(error)))
    known = {entry.path for entry in entries} | {item.path for item in unreadable}
    unreadable += _odd_files(root, known)
    entries.sort(key=lambda entry: entry.path)
    unreadable.sort(key=lambda item: item.path)
    index, problem = _read_index(root)
    resolved, doubles = with_ids(entries)
    warnings = (problem, *doubles) if problem else doubles
    return Store(Path(root), resolved, tuple(unreadable), index, warnings, problem)


def with_ids(entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Return the entries with their ids, and a sentence for each name that two entries share.

    ``name`` if it is set and no other entry has it, else the stem if no other has that, else the path;
    compared by NFC and case folding. An id never reads like another entry's id or path.
    """
    paths = {fold(entry.path): entry.path for entry in entries}
    names = [fold(entry.name) for entry in entries]
    stems = [fold(stem(entry.path)) for entry in entries]
    name_count, stem_count = Counter(names), Counter(stems)
    ids: list[str] = [""] * len(entries)
    taken: set[str] = set()
    for number, entry in enumerate(entries):
        key = names[number]
        if key and name_count[key] == 1 and paths.get(key, entry.path) == entry.path:
            ids[number] = entry.name
            taken.add(key)
    for number, entry in enumerate(entries):
        if not ids[number]:
            key = stems[number]
            free = stem_count[key] == 1 and key not in taken and paths.get(key, entry.path) == entry.path
            ids[number] = stem(entry.path) if free else entry.path
            taken.add(fold(ids[number]))
    warnings = []
    for key, count in name_count.items():
        if key and count > 1:
            sharing = [entry.path for entry, name in zip(entries, names, strict=True) if name == key]
            warnings.append(f"{' and '.join(sharing)} have the same name; give one of them another")
    return (
        tuple(e if e.id == id else replace(e, id=id) for e, id in zip(entries, ids, strict=True)),
        tuple(warnings),
    )


def told(item: Unreadable) -> str:
    """Return what a person should know about a file that was left alone, its name once."""
    return item.reason if item.path in item.reason else f"{item.path}: {item.reason}"


# ---------------------------------------------------------------- files


def _read(path: str) -> tuple[bytes, float, bool]:
    """Return content, modification time and whether ``path`` is a link. Raises ``_Refused``, ``OSError``."""
    linked = False
    try:
        if not _NOFOLLOW:
            linked = os.path.islink(path)
        file = os.open(path, _OPEN | _NOFOLLOW)
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.EMLINK) or not os.path.islink(path):
            raise
        linked = True
        file = os.open(path, _OPEN)
    try:
        info = os.fstat(file)
        if not stat.S_ISREG(info.st_mode):
            raise _Refused("it is not a regular file; move it out of the memory directory")
        if info.st_size > MAX_BYTES:
            raise _Refused(
                f"it has {info.st_size} bytes, more than the {MAX_BYTES} an entry may have; split it"
            )
        return _all_of(file, info.st_size), info.st_mtime, linked
    finally:
        os.close(file)


def _all_of(file: int, size: int) -> bytes:
    data = os.read(file, size + 1)
    if len(data) == size:
        return data
    chunks = [data]
    total = len(data)
    while data and total <= MAX_BYTES:
        data = os.read(file, 1 << 16)
        chunks.append(data)
        total += len(data)
    if total > MAX_BYTES:
        raise _Refused(f"it grew past {MAX_BYTES} bytes while it was read; split it")
    return b"".join(chunks)


def _read_index(root: str) -> tuple[bytes | None, str]:
    """Return the index and what keeps it from being read."""
    path = f"{root}/{INDEX}"
    try:
        return _read(path)[0], ""
    except FileNotFoundError:
        # Written through, such a link would make a file somewhere else.
        return None, f"{INDEX}: it is a link to nothing; remove it" if os.path.islink(path) else ""
    except _Refused as error:
        size = os.path.getsize(path) if os.path.isfile(path) else 0
        if size > MAX_BYTES:
            return None, f"{INDEX}: it has {size:,} bytes and is no index any more; shorten it"
        return None, f"{INDEX}: {error}"
    except OSError as error:
        return None, f"{INDEX}: {_reason(error)}"


def _reason(error: OSError) -> str:
    return f"it cannot be read ({error.strerror or type(error).__name__}); check its permissions"


def _odd_files(root: str, known: Iterable[str]) -> list[Unreadable]:
    """Return what is named like an entry and is none: links to nothing, folders, pipes, devices."""
    known = set(known)
    found: list[Unreadable] = []
    folders = [""]
    while folders:
        prefix = folders.pop()
        try:
            with os.scandir(f"{root}/{prefix}") as listing:
                items = [item for item in listing if item.name[0] != "."]
        except OSError:
            continue  # ``walk`` has reported it
        for item in items:
            path = prefix + item.name
            if path in known:
                continue
            is_folder = item.is_dir(follow_symlinks=False)
            if not is_text(item.name):
                if is_folder or item.name.endswith(".md"):
                    shown = path.encode("utf-8", "backslashreplace").decode()
                    found.append(Unreadable(shown, "its name is not UTF-8; rename it"))
                continue
            if is_folder:
                folders.append(path + "/")
            if is_entry_name(item.name) and not (item.is_file() and not is_folder):
                found.append(Unreadable(path, _oddity(item, is_folder)))
    return found


def _oddity(item: os.DirEntry[str], is_folder: bool) -> str:
    if is_folder:
        return "it is a folder named like an entry; rename it"
    if item.is_symlink():
        target = "a folder" if os.path.isdir(item.path) else "nothing that can be read"
        return f"it is a link to {target}; remove it"
    return "it is not a regular file; move it out of the memory directory"
