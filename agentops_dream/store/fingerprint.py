"""Which entries there are, and which of them changed since a dream last looked (SPEC §2, §5).

Kept in ``state/<key>/fingerprint.json``::

    {"version": 1, "stamp": ns, "entries": {path: [id, sha256, size, mtime_ns, inode, ctime_ns]}}

The truth is the SHA-256. The four numbers only save reading: a file whose numbers are the recorded
ones is not read again. As in git's index, they are believed only if they were old enough when the
hash was taken that any later edit must change them; a record whose file was too young keeps no
numbers (*smudged*, size -1) and its file is read each time. Edits that keep size and mtime
(``touch -r``, a restored backup, a rename over the file) still move ctime or inode. What stays
unseen is what git does not see either: content changed with all four numbers kept, which takes a
clock set back or a file system without ctime and inode (on Windows ctime is the time of creation).

Beside it lies ``fingerprint.seen``, a shortcut for the most frequent answer, "nothing changed": the
numbers of every file as one string of bytes, comparable without parsing anything. It is written only
when each number in it is believed, names the exact ``fingerprint.json`` that it speaks for, and may
be deleted at any time.

The hook imports this module: see ``lean`` for what it may import. Runs on Python 3.9.
"""

from marshal import dumps
from time import time_ns

from agentops_dream.lean import NotJson, read_bytes, read_json, sha256, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    Trouble = Callable[[str, OSError], None]
    Row = tuple[str, int, int, int, int]
    """Path, size, mtime_ns, inode, ctime_ns."""

_KIND, _REGULAR, _FOLDER = 0o170000, 0o100000, 0o040000
_BATCH = 500
SMUDGED = [-1, 0, 0, 0]


class Fingerprint:
    """What a dream has seen of a store: ``entries`` maps a path to its record (module text)."""

    __slots__ = ("entries", "problem", "stamp")

    def __init__(self, entries: "Mapping[str, list[Any]]", stamp: int = 0, problem: str = "") -> None:
        self.entries = entries
        self.stamp = stamp
        self.problem = problem
        """Why the file could not be used, for the log; ``""`` if it could or was not there."""


# ---------------------------------------------------------------- which files are entries


def is_entry_name(name: str) -> bool:
    """Tell whether a file of this name is an entry: ``*.md``, not hidden, not the index.

    ``.md`` is matched as Claude Code matches it, in lower case. ``MEMORY.md`` is excluded in any
    case, since on macOS and Windows ``memory.md`` opens the same file. A name that is no UTF-8 cannot
    be written into an index or a request.
    """
    return (
        name[-3:] == ".md"
        and name[0] != "."
        and (len(name) != 9 or name.upper() != "MEMORY.MD")
        and (name.isascii() or is_text(name))
    )


def is_text(name: str) -> bool:
    """Tell whether a name from the file system is UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_context(path: str) -> bool:
    """Tell whether the entry at this relative path is context only by its place (``team/``)."""
    return path[:5] == "team/"


def walk(memory_dir: str, trouble: "Trouble | None" = None) -> "Iterator[str]":
    """Yield the path of every entry, relative to ``memory_dir``, with ``/``, in a stable order.

    Regular files and symlinks to regular files count; links to folders are not followed; dot-files,
    dot-folders and every ``MEMORY.md`` are left out. Raises ``OSError`` if ``memory_dir`` itself
    cannot be listed; a subfolder that cannot goes to ``trouble(path, error)`` and is passed over.
    """
    return (path for path, _ in _walk(memory_dir, trouble))


def _walk(memory_dir: str, trouble: "Trouble | None" = None) -> "Iterator[tuple[str, bool]]":
    """Yield path and "is a symlink"; no file is opened, and none but links is asked for its kind."""
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with system.scandir(memory_dir + "/" + folder) as found:
                items = sorted([(item.name, item) for item in found])
        except OSError as error:
            if not folder:
                raise
            if trouble is not None:
                trouble(folder[:-1], error)
            continue
        below = []
        for name, item in items:
            if name[0] == ".":
                continue
            try:
                if item.is_dir(follow_symlinks=False):
                    if is_text(name):
                        below.append(folder + name + "/")
                elif is_entry_name(name) and item.is_file():
                    yield folder + name, item.is_symlink()
            except OSError as error:
                if trouble is not None:
                    trouble(folder + name, error)
        folders.extend(reversed(below))


def batches(memory_dir: str) -> "Iterator[list[Any]]":
    """Yield the rows (see ``Row``) of every file that may be dreamt over, end to end in lists.

    Symlinks and ``team/`` are context and never delta. Many short lists, because numbers that go
    before others come cost less memory, and so less time, than all at once. Raises ``OSError`` if
    ``memory_dir`` cannot be listed; what vanishes meanwhile is not there.
    """
    stat, regular = system.stat, _REGULAR
    folders = [""]
    while folders:
        folder = folders.pop()
        path, handle = memory_dir + "/" + folder, -1
        rows: list[Any] = []
        try:
            if hasattr(system, "O_DIRECTORY"):
                # Relative to an open folder, the kernel need not walk the whole path for every file.
                handle = system.open(path, system.O_RDONLY | system.O_DIRECTORY | system.O_CLOEXEC)
                names = system.listdir(handle)
            else:  # pragma: no cover
                names = system.listdir(path)
            for name in names:
                try:
                    if handle >= 0:
                        found = stat(name, dir_fd=handle, follow_symlinks=False)
                    else:  # pragma: no cover
                        found = system.lstat(path + name)
                except OSError:
                    continue
                kind = found[0] & _KIND  # by place: asking by name takes longer than the kernel's part
                if kind == regular:
                    # What nearly every name is, without a call.
                    plain = name[-3:] == ".md" and name[0] != "." and len(name) > 9 and name.isascii()
                    if plain or is_entry_name(name):
                        rows += (folder + name, found[6], found.st_mtime_ns, found[1], found.st_ctime_ns)
                        if len(rows) > _BATCH:
                            yield rows
                            rows = []
                elif kind == _FOLDER and name[0] != "." and (folder or name != "team") and is_text(name):
                    folders.append(folder + name + "/")
        except OSError:
            if not folder:
                raise
        finally:
            if handle >= 0:
                system.close(handle)
        if rows:
            yield rows


# ---------------------------------------------------------------- delta


def load(path: str) -> Fingerprint:
    """Return the fingerprint in a file: empty if there is none, empty with ``problem`` if it is bad."""
    try:
        value = read_json(path)
        entries, stamp = value["entries"], value["stamp"]
        if value["version"] == 1 and type(entries) is dict and type(stamp) is int:
            return Fingerprint(entries, stamp)
        reason = "unknown form"
    except FileNotFoundError:
        return Fingerprint({})
    except (OSError, NotJson, KeyError, TypeError) as error:
        reason = type(error).__name__
    return Fingerprint({}, 0, f"{path}: not usable ({reason}); every entry counts as new")


def unchanged(path: str, memory_dir: str, *, now: int = 0) -> bool:
    """Tell, by the shortcut beside the fingerprint at ``path``, that nothing changed. Never raises.

    ``False`` means no more than that ``scan`` has to look.
    """
    try:
        seen = read_bytes(shortcut_path(path))
        if int.from_bytes(seen[:8], "little") > (now or time_ns()):
            return False  # the clock was set back, see scan
        at = 8
        for part in shortcut_body(path, batches(memory_dir)):
            if not seen.startswith(part, at):
                return False
            at += len(part)
        return at == len(seen)
    except (OSError, ValueError):
        return False


def shortcut_path(path: str) -> str:
    """Return where the shortcut for the fingerprint at ``path`` lies."""
    return path[:-5] + ".seen" if path[-5:] == ".json" else path + ".seen"


def shortcut_body(path: str, rows: "Iterable[list[Any]]") -> "Iterator[bytes]":
    """Yield the shortcut's bytes, all but the 8 of its stamp, for these ``batches``; raises ``OSError``.

    marshal's form 2 depends on values alone, so equal bytes are equal numbers.
    """
    yield dumps(_of(system.stat(path)), 2)
    for flat in rows:
        yield dumps(flat, 2)


def scan(memory_dir: str, fingerprint: Fingerprint, *, now: int = 0) -> "tuple[str, ...]":
    """Return the paths of the delta, sorted: new entries, and those whose hash changed.

    A file that was moved is none: its hash is known and the path it had is gone. Files that cannot
    be read are left out, since no dream could show them. ``now`` is the time in ns. Raises
    ``OSError`` if ``memory_dir`` cannot be listed.
    """
    known = fingerprint.entries
    if not known:  # first sight: names are enough
        return tuple(
            sorted(
                path
                for path, link in _walk(memory_dir)
                if not link and not is_context(path) and _readable(memory_dir + "/" + path)
            )
        )
    rows = each_row(batches(memory_dir))
    # A clock that was set back may give a later edit the numbers of an earlier one.
    believed = fingerprint.stamp <= (now or time_ns())
    new, changed, size, present = [], [], 0, set()
    for path, *numbers in rows:
        record = known.get(path)
        present.add(path)
        if record is None:
            new.append(path)
        elif not believed or tail(record) != numbers:
            changed.append(path)
            size += numbers[0]
    gone = vanished(known, present) if new or changed else {}
    if not gone:
        delta = [path for path in new if _readable(memory_dir + "/" + path)]
        new = []
    else:
        delta = []
    for path in sorted(changed + new):  # sorted, so that which of two copies is the moved one is no chance
        digest = digest_of(memory_dir + "/" + path, size)
        if digest is None or digest == recorded(known.get(path)):
            continue
        if gone.get(digest):
            gone[digest].pop()  # the other half of a move; a second copy is new
        else:
            delta.append(path)
    return tuple(sorted(delta))


def delta_digest(memory_dir: str, paths: "tuple[str, ...]") -> str:
    """Return the digest that names this delta: SHA-256 over its sorted ``path NUL sha256 LF`` lines.

    The same delta waits for review or not by this name (``hold`` in ``rate.json``). A file that
    cannot be read counts with an empty hash.
    """
    total = sha256()
    for path in sorted(paths):
        line = f"{path}\0{digest_of(memory_dir + '/' + path) or ''}\n"
        total.update(line.encode("utf-8", "surrogateescape"))
    return str(total.hexdigest())


def digest_of(path: str, size: int = 0) -> "str | None":
    """Return the SHA-256 of a regular file in hex, ``None`` if it cannot be read or is none.

    ``size``: bytes that the caller is going to hash in all.
    """
    found = read(path, size)
    return found and found[0]


def read(path: str, size: int = 0) -> "tuple[str, list[int]] | None":
    """Return hash and numbers of a file, the numbers smudged if it changed while it was read."""
    flags = system.O_RDONLY
    for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(system, name, 0)  # a pipe put in the file's place must not hang the hook
    try:
        handle = system.open(path, flags)
    except OSError:
        return None
    try:
        before = system.fstat(handle)
        if before.st_mode & _KIND != _REGULAR:
            return None
        total = sha256(max(size, before.st_size))
        while True:
            block = system.read(handle, 1 << 20)
            if not block:
                break
            total.update(block)
        numbers = _of(before)
        return total.hexdigest(), numbers if numbers == _of(system.fstat(handle)) else SMUDGED
    except OSError:
        return None
    finally:
        system.close(handle)


def _of(found: "Any") -> "list[int]":
    return [found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns]


def each_row(rows: "Iterable[list[Any]]") -> "Iterator[Row]":
    """Yield the rows in these ``batches`` one by one."""
    for flat in rows:
        each = iter(flat)
        yield from zip(each, each, each, each, each)


def tail(record: "Any") -> "Any":
    """Return the numbers of a record, or nothing that equals any for a record of the wrong shape."""
    return record[2:] if type(record) is list else None


def recorded(record: "Any") -> "str | None":
    return record[1] if type(record) is list and len(record) == 6 and type(record[1]) is str else None


def vanished(known: "Mapping[str, Any]", present: "set[str]") -> "dict[str, list[str]]":
    """Return the paths of vanished entries by their hash."""
    gone: dict[str, list[str]] = {}
    for path, record in known.items():
        digest = recorded(record)
        if path not in present and digest:
            gone.setdefault(digest, []).append(path)
    return gone


def _readable(path: str) -> bool:
    return system.access(path, system.R_OK)
