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

The hook imports this module: see ``lean`` for what it may import. Runs on Python 3.9.
"""

from agentops_dream.lean import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Trouble = Callable[[str, OSError], None]


def is_entry_name(name: str) -> bool:
    """Tell whether a file of this name is an entry: ``*.md``, not hidden, not the index.

    ``.md`` is matched as Claude Code matches it, in lower case. ``MEMORY.md`` is excluded in any
    case, since on macOS and Windows ``memory.md`` opens the same file.
    """
    return name[-3:] == ".md" and name[0] != "." and name.upper() != "MEMORY.MD"


def is_context(path: str) -> bool:
    """Tell whether the entry at this relative path is context only by its place (``team/``)."""
    return path[:5] == "team/"


def walk(memory_dir: str, trouble: "Trouble | None" = None) -> "Iterator[str]":
    """Yield the path of every entry, relative to ``memory_dir``, with ``/``, in a stable order.

    Regular files and symlinks to regular files count; links to folders are not followed; dot-files,
    dot-folders and every ``MEMORY.md`` are left out. Raises ``OSError`` if ``memory_dir`` itself
    cannot be listed; a subfolder that cannot goes to ``trouble(path, error)`` and is passed over.
    """
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with system.scandir(memory_dir + "/" + folder if folder else memory_dir) as found:
                items = sorted(found, key=_name)
        except OSError as error:
            if not folder:
                raise
            if trouble is not None:
                trouble(folder, error)
            continue
        below = []
        for item in items:
            name = item.name
            if name[0] == ".":
                continue
            try:
                if item.is_dir(follow_symlinks=False):
                    below.append(folder + "/" + name if folder else name)
                elif is_entry_name(name) and item.is_file():
                    yield folder + "/" + name if folder else name
            except OSError as error:
                if trouble is not None:
                    trouble(folder + "/" + name if folder else name, error)
        folders.extend(reversed(below))


def _name(item: "object") -> str:
    return item.name  # type: ignore[attr-defined,no-any-return]
