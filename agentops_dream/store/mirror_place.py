"""Where AGENTS.md is, and whether it is ours to write (SPEC §2, §11; facts "Codex").

Reads the disk and changes nothing. What may not be written is told by a reason and never by an exception:
a mirror that cannot be is no reason for a dream to fail. No git is run; the few files that tell one
repository from another are read directly.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAME = "AGENTS.md"
OVERRIDE = "AGENTS.override.md"
_LARGEST = 4 * 1024 * 1024


@dataclass(frozen=True)
class Target:
    """The AGENTS.md of a project."""

    path: Path
    """``<project>/AGENTS.md``, links in it not resolved."""
    real: Path
    """The file that would be written; the same unless ``path`` is a link."""
    raw: bytes | None
    """Its bytes, ``None`` if there is no file (or it is refused)."""
    other_bytes: int = 0
    """Size of the files that Codex reads before this one."""
    refused: str = ""
    """Why it must be left alone, as a sentence with the remedy; ``""`` if it may be written."""
    notes: tuple[str, ...] = ()


def locate(project: Path, *, memory_dir: Path, owner_record: Mapping[str, Any] | None) -> Target:
    """Return the AGENTS.md of ``project`` and whether it may be written.

    ``owner_record``: what ``owner_of`` gave for the project that ``memory_dir`` was mirrored to before,
    ``None`` for the first time.
    """
    path = project / NAME
    root = Path(os.path.realpath(project))
    real = Path(os.path.realpath(path))
    raw: bytes | None = None
    refused = (
        _no_project(project, root)
        or owner_conflict(owner_record, project)
        or _misplaced(path, real, root, Path(os.path.realpath(memory_dir)))
    )
    if not refused:
        raw, refused = _read(path, real)
    notes: tuple[str, ...] = ()
    if not refused and os.path.lexists(project / OVERRIDE):
        notes = (f"{project / OVERRIDE} exists: Codex reads it instead of {NAME} and does not see the block",)
    return Target(path, real, raw, 0 if refused else _bytes_above(root), refused, notes)


def owner_of(project: Path) -> dict[str, Any]:
    """Return the record of a memory directory that is mirrored to ``project``, plain JSON."""
    return {"version": 1, "project": os.path.realpath(project), "common": git_common_dir(project)}


def owner_conflict(record: Mapping[str, Any] | None, project: Path) -> str:
    """Return why the entries of a memory directory must not go to ``project`` as well; ``""`` if they may.

    One memory directory can be that of two projects: paths of different projects can share a slug. Linked
    worktrees of one repository are one project; where the old project is gone, it was moved. An unreadable
    record is as none.
    """
    old = record.get("project") if record else None
    if not isinstance(old, str) or not old or os.path.realpath(old) == os.path.realpath(project):
        return ""
    common = record.get("common") if record else None
    if not os.path.isdir(old) or (common and common == git_common_dir(project)):
        return ""
    return (
        f"this memory directory is mirrored to {old}; its entries are not copied to {project} as well. "
        "Give one of the two projects a memory directory of its own (autoMemoryDirectory)"
    )


def git_common_dir(project: Path) -> str:
    """Return the git directory that all worktrees of ``project`` share, ``""`` if it is no git toplevel."""
    git = project / ".git"
    if git.is_dir():
        return os.path.realpath(git)
    pointer = _first_line(git)
    if not pointer.startswith("gitdir:"):
        return ""
    directory = project / pointer[len("gitdir:") :].strip()
    common = _first_line(directory / "commondir")
    return os.path.realpath(directory / common) if common else os.path.realpath(directory)


def _first_line(path: Path) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline(8192).strip()
    except OSError:
        return ""


def _no_project(project: Path, root: Path) -> str:
    if not root.is_dir():
        return f"{project} is not a directory, so there is no place for {NAME}"
    if ".git" in root.parts or (
        (root / "HEAD").is_file() and (root / "objects").is_dir() and (root / "refs").is_dir()
    ):
        return f"{project} is inside a git directory; nothing is written there"
    return ""


def _misplaced(path: Path, real: Path, root: Path, memory: Path) -> str:
    if real != root / NAME and not real.is_relative_to(root):
        return f"{path} is a link that leaves the project, to {real}; make it a file of the project"
    if ".git" in real.parts:
        return f"{path} leads into a git directory, to {real}; nothing is written there"
    if real.is_relative_to(memory):
        return f"{path} leads into the memory directory, to {real}; nothing but memory is written there"
    return ""


def _read(path: Path, real: Path) -> tuple[bytes | None, str]:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        if os.path.lexists(path):
            return None, f"{path} is a link to {real}, which does not exist; remove the link or make the file"
        return None, ""
    except OSError as error:
        return None, f"{path} cannot be read ({error.strerror}); check the link and its permissions"
    if not stat.S_ISREG(status.st_mode):
        return None, f"{path} is not a regular file; it is left alone"
    if status.st_size > _LARGEST:
        return None, f"{path} has {status.st_size:,} bytes; that is no file of instructions, it is left alone"
    try:
        return real.read_bytes(), ""
    except OSError as error:
        return None, f"{path} cannot be read ({error.strerror}); check its permissions"


def _bytes_above(root: Path) -> int:
    """Size of what Codex reads between the git root and ``root``, which is 0 for a git root."""
    between: list[Path] = []
    folder = root
    while not os.path.lexists(folder / ".git"):
        if folder.parent == folder:
            return 0
        folder = folder.parent
        between.append(folder)
    return sum(_size_of_first(folder) for folder in between)


def _size_of_first(folder: Path) -> int:
    for name in (OVERRIDE, NAME):
        try:
            return os.stat(folder / name).st_size
        except OSError:
            continue
    return 0
