"""From changes to steps: is every file as the plan expects it, and in which order do they go (SPEC §9).

Nothing is written here.
"""

from __future__ import annotations

import errno
import os
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from agentops_dream.models import INDEX_LABEL, FileChange, is_entry
from agentops_dream.transaction import settle, swap
from agentops_dream.transaction.disk import Disk, identity, read_file, sha256, stands
from agentops_dream.transaction.errors import READ_ONLY, Blocked, Conflict
from agentops_dream.transaction.record import BAK, NEW, Meta, Step

Planned = tuple[Step, FileChange]


def plan(disk: Disk, changes: Sequence[FileChange], meta: Mapping[str, Meta]) -> list[Planned]:
    """Return the steps in order. Raises ``Conflict`` with every file that is not as expected."""
    reasons: dict[str, str] = {}
    planned: list[Planned] = []
    taken: list[str] = []
    twins = _twins(disk, changes)
    for change in changes:
        if change.label in reasons or any(step.label == change.label for step, _ in planned):
            raise ValueError(f"{change.label} occurs twice in one transaction")
        try:
            step, reason = _step(disk, change, meta.get(change.label), change.label in twins, taken)
        except OSError as error:
            raise Blocked(error, f"cannot read {change.label}") from error
        if reason:
            reasons[change.label] = reason
        else:
            planned.append((step, change))
    if reasons:
        raise Conflict(reasons)
    return _ordered(planned, twins)


def _step(
    disk: Disk, change: FileChange, meta: Meta | None, twin: bool, taken: list[str]
) -> tuple[Step, str]:
    """Return the step and, if the file is not as expected, what is wrong with it."""
    place = _place(disk, change)
    bak = new = ""
    if change.before is not None:
        bak = settle.stored_name(BAK, change.label, ".bak", taken)
        taken.append(bak)
    if change.after is not None:
        new = settle.stored_name(NEW, change.label, "", taken)
        taken.append(new)
    folders, reason = _folders(disk, change, place)
    if change.before is None and change.label == INDEX_LABEL and not _stays(disk, change, place):
        reason = "is a link to nothing"
    reason = reason or _difference(disk, change, place, twin)
    if change.before is not None and not reason:
        try:
            meta = swap.meta_of(disk, place)
        except FileNotFoundError:  # removed since it was read, a moment ago
            reason = "is gone"
        else:
            reason = "" if meta.mode & 0o222 else READ_ONLY
    step = Step(
        label=change.label,
        path=os.path.abspath(change.path),
        place=place,
        before=None if change.before is None else sha256(change.before),
        after=None if change.after is None else sha256(change.after),
        ops=tuple(change.ops),
        bak=bak,
        new=new,
        meta=meta,
        folders=folders,
        twin=twin,
    )
    return step, reason


def written_through(label: str) -> bool:
    """Return whether a link at this place is followed: index and mirror, but never an entry (SPEC §2)."""
    return not is_entry(label)


def _place(disk: Disk, change: FileChange) -> str:
    path = os.path.abspath(change.path)
    if written_through(change.label):
        return disk.resolve(path)
    return os.path.join(disk.resolve(os.path.dirname(path)), os.path.basename(path))


def _stays(disk: Disk, change: FileChange, place: str) -> bool:
    """Whether a file that is to be made is made where it is named, and not where a link leads."""
    path = os.path.abspath(change.path)
    return place == os.path.join(disk.resolve(os.path.dirname(path)), os.path.basename(path))


def _difference(disk: Disk, change: FileChange, place: str, twin: bool) -> str:
    try:
        current = read_file(disk, place)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "is a link now"
        if error.errno in (errno.EINVAL, errno.ENXIO):
            return "is no regular file"
        raise
    if current == change.before or (twin and change.before is None):
        return ""
    if change.before is None:
        return "exists already"
    return "is gone" if current is None else "was changed"


def _folders(disk: Disk, change: FileChange, place: str) -> tuple[tuple[str, ...], str]:
    """Return the folders to make for a new file; only below the root that its label counts from."""
    folder = os.path.dirname(place)
    missing: list[str] = []
    for _ in change.label.split("/")[2:]:
        if stands(disk, folder):
            break
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    if not stands(disk, folder):
        return (), "has no folder any more"
    return tuple(missing), ""


def _twins(disk: Disk, changes: Sequence[FileChange]) -> frozenset[str]:
    """Return the labels of renames that only change case on a disk to which both names are one."""
    found: set[str] = set()
    gone = {_folded(change.path): change for change in changes if change.after is None}
    for change in changes:
        other = gone.get(_folded(change.path))
        if change.before is not None or change.after is None or other is None:
            continue
        mine = identity(disk, os.fspath(change.path))
        if mine is not None and mine == identity(disk, os.fspath(other.path)):
            found.update((change.label, other.label))
    return frozenset(found)


def _folded(path: Path) -> tuple[Path, str]:
    return path.parent, unicodedata.normalize("NFC", path.name).casefold()


def _ordered(planned: list[Planned], twins: frozenset[str]) -> list[Planned]:
    """Removals last, but the removal half of a change of case first: its name has to be free."""

    def rank(item: Planned) -> int:
        step = item[0]
        if step.after is not None:
            return 1
        return 0 if step.label in twins else 2

    return sorted(planned, key=rank)
