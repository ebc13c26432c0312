"""One file: put the new bytes in its place, and back, so that nobody's edit is buried (SPEC §9).

Whoever looks at a file and then replaces it has a window in which somebody else's edit is lost. So
nothing here is ever replaced: new bytes are *exchanged* with the old file, and what came out is then
looked at. If it is not what was expected, it is an edit, and it goes back. Where the file system
cannot exchange, the old file is renamed aside, looked at, and the new one takes the free name, which
fails if somebody took it first.

Two kinds of writers exist. One writes a new file and renames it over the old: its file is what the
exchange brings out, or it lands on top of ours and stays. The other opens the file and writes in
place: its bytes may still arrive in a file that has been displaced. Displaced files are therefore
kept until it is proven, or at least likely, that nobody has them open (``settle``).

Every function tells what to do from what stands on the disk, so that each can be repeated after a
crash.
"""

from __future__ import annotations

import contextlib
import errno
from enum import Enum

from agentops_dream.transaction import native
from agentops_dream.transaction.disk import (
    MISSING,
    Disk,
    digest,
    discard,
    give,
    identity,
    make_folders,
    patiently,
    stands,
    take,
    write_new,
)
from agentops_dream.transaction.record import Meta, Spot, Step

ROUNDS = 50
"""How often a rollback gives way to edits that come faster than it can look."""
WAITS = (0.01, 0.02, 0.04, 0.08)
"""Seconds to wait for a writer who has the file open, before it is called a conflict."""
_NO_ATTRIBUTES = frozenset(
    number
    for name in ("EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "EINVAL", "ERANGE")
    if (number := getattr(errno, name, None)) is not None
)


class Found(Exception):
    """A file is not as the plan expects it."""

    def __init__(self, label: str, reason: str) -> None:
        self.label = label
        self.reason = reason
        super().__init__(f"{label} {reason}")


class Result(Enum):
    """What taking a step back came to."""

    BACK = "as before"
    CHANGED = "changed by others before it was touched"
    LEFT = "changed by others afterwards, so left"


# ---------------------------------------------------------------- looking


def meta_of(disk: Disk, path: str) -> Meta:
    """Return mode, owner and attributes of a file. Raises ``OSError``."""
    found = disk.lstat(path)
    attributes: dict[str, bytes] = {}
    try:
        attributes = disk.attributes(path)
    except OSError as error:
        if error.errno not in _NO_ATTRIBUTES:
            raise
    return Meta(found.st_mode & 0o7777, found.st_uid, found.st_gid, attributes)


def written_now(disk: Disk, path: str) -> bool | None:
    """Return whether somebody has the file open for writing, after a short wait; ``None``: unknown."""
    for pause in WAITS:
        try:
            state = disk.writers(path)
        except OSError:
            return None
        if state is not True:
            return state
        disk.sleep(pause)
    return True


def displaced(disk: Disk, spot: Spot, step: Step) -> str:
    """Return where the file waits that used to stand at ``spot.place``; ``""`` if it still does."""
    for path in (spot.home, spot.aside, spot.swap):
        found = digest(disk, path)
        if found not in (MISSING, step.after):
            return path
    return ""


# ---------------------------------------------------------------- doing


def apply(disk: Disk, spot: Spot, step: Step, data: bytes | None, meta: Meta | None) -> None:
    """Do one step. Raises ``Found`` if the file is not as expected, ``OSError`` if the disk says no.

    Either way the disk may be in the middle of the step, and ``put_back`` is due.
    """
    try:
        if data is None:
            _remove(disk, spot, step)
        elif step.before is None:
            _lay(disk, spot, data, meta, step)
            _give(disk, spot, step)
        else:
            _lay(disk, spot, data, meta, step)
            _swap_in(disk, spot, step)
    except (FileNotFoundError, NotADirectoryError):
        raise Found(step.label, "is gone") from None


def check(disk: Disk, spot: Spot, step: Step) -> None:
    """Look at one finished step again, last thing before the commit record. Raises like ``apply``."""
    found = digest(disk, spot.place)
    if step.after is None:
        if found != MISSING and not step.twin:
            raise Found(step.label, "was written again while the dream was being saved")
    elif found != step.after:
        raise Found(step.label, "was changed while the dream was being saved")
    if step.before is not None:
        hand = displaced(disk, spot, step)
        if not hand:
            raise Found(step.label, "was disturbed while the dream was being saved")
        _expect_quiet(disk, hand, step)


def _expect_quiet(disk: Disk, path: str, step: Step) -> None:
    # Asked first and read afterwards: once nobody has a displaced file open, nobody can open it.
    if written_now(disk, path):
        raise Found(step.label, "is being written by another program")
    found = digest(disk, path)
    if found == MISSING:
        raise Found(step.label, "is gone")
    if found != step.before:
        raise Found(step.label, "was changed by another program")


def _lay(disk: Disk, spot: Spot, data: bytes, meta: Meta | None, step: Step) -> None:
    """Write the new bytes beside the place, complete and durable, with the look of the old file."""
    for folder in step.folders:
        make_folders(disk, folder)
    write_new(
        disk,
        spot.part,
        data,
        0o666 if meta is None else 0o600,
        dress=None if meta is None else lambda: _dress(disk, spot.part, meta),
    )
    disk.replace(spot.part, spot.swap)


def _dress(disk: Disk, path: str, meta: Meta) -> None:
    found = disk.lstat(path)
    if meta.uid >= 0 and (found.st_uid, found.st_gid) != (meta.uid, meta.gid):
        with contextlib.suppress(PermissionError):  # only root may give files away
            disk.chown(path, meta.uid, meta.gid)
    for name, value in meta.attributes.items():
        try:
            disk.set_attribute(path, name, value)
        except OSError as error:
            if error.errno not in _NO_ATTRIBUTES:
                raise
    disk.chmod(path, meta.mode)


def _give(disk: Disk, spot: Spot, step: Step) -> None:
    try:
        give(disk, spot.swap, spot.place)
    except FileExistsError:
        raise Found(step.label, "appeared while the dream was being saved") from None


def _swap_in(disk: Disk, spot: Spot, step: Step) -> None:
    _expect_quiet(disk, spot.place, step)
    hand = spot.swap
    try:
        disk.exchange(spot.swap, spot.place)
    except native.Unsupported:
        take(disk, spot.place, spot.aside)
        _expect_quiet(disk, spot.aside, step)
        _give(disk, spot, step)
        hand = spot.aside
    _expect_quiet(disk, hand, step)
    _bring_home(disk, hand, spot)


def _remove(disk: Disk, spot: Spot, step: Step) -> None:
    _expect_quiet(disk, spot.place, step)
    take(disk, spot.place, spot.aside)
    _expect_quiet(disk, spot.aside, step)
    _bring_home(disk, spot.aside, spot)


def _bring_home(disk: Disk, hand: str, spot: Spot) -> None:
    """Keep a displaced file in the run folder, so that nothing of ours stays beside the place."""
    try:
        patiently(disk, lambda: disk.replace(hand, spot.home))
    except OSError as error:
        if error.errno != errno.EXDEV:  # the run folder is on another disk: it waits where it is
            raise


# ---------------------------------------------------------------- taking back


def put_back(disk: Disk, spot: Spot, step: Step, old: bytes | None) -> Result:
    """Take one step back, whatever point it had reached. ``old`` are the bytes before.

    Displaced files and new ones may remain under the names of ``spot``; ``settle.clear`` is due.
    Raises ``OSError``.
    """
    discard(disk, spot.part)
    _drop_second_name(disk, spot.swap, spot.place)
    if step.before is None:
        return _unmake(disk, spot, step)
    hand = displaced(disk, spot, step)
    if not hand:
        found = digest(disk, spot.place)
        if found == step.before:
            return Result.BACK
        if found != step.after or stands(disk, spot.swap) or old is None:
            return Result.CHANGED
        # Ours stands there and the old file nowhere: a disk that lost a rename when the power went.
        write_new(disk, spot.aside, old, dress=lambda: _dress(disk, spot.aside, step.meta or Meta(0o644)))
        hand = spot.aside
    if _drop_second_name(disk, hand, spot.place):
        return Result.BACK
    if hand == spot.home:
        disk.replace(spot.home, spot.aside)
        hand = spot.aside
    return _restore(disk, spot, step, hand)


def _drop_second_name(disk: Disk, name: str, place: str) -> bool:
    """Unlink ``name`` if it is the same file as ``place``: a move died between link and unlink."""
    mine = identity(disk, name)
    if mine is None or mine != identity(disk, place):
        return False
    discard(disk, name)
    return True


def _restore(disk: Disk, spot: Spot, step: Step, hand: str) -> Result:
    found = digest(disk, spot.place)
    if found == MISSING:
        # A place that is empty because of us: the file was removed, or ours had not yet moved in.
        ours = step.after is None or (hand != spot.swap and digest(disk, spot.swap) == step.after)
        return _return(disk, hand, spot.place) if ours else Result.LEFT
    if step.after is None or found != step.after:
        return Result.LEFT
    try:
        return _exchange_back(disk, hand, spot.place, step.after)
    except native.Unsupported:
        pass
    if hand == spot.swap:
        disk.replace(spot.swap, spot.aside)
        hand = spot.aside
    try:
        take(disk, spot.place, spot.swap)
    except FileNotFoundError:
        return Result.LEFT
    if digest(disk, spot.swap) != step.after:
        _return(disk, spot.swap, spot.place)
        return Result.LEFT
    return _return(disk, hand, spot.place)


def _return(disk: Disk, hand: str, place: str) -> Result:
    try:
        give(disk, hand, place)
    except FileExistsError:
        return Result.LEFT
    return Result.BACK


def _exchange_back(disk: Disk, hand: str, place: str, ours: str) -> Result:
    """Put what is in ``hand`` at ``place``, unless something newer than ``ours`` stands there.

    If something newer comes out, it goes back in at once. Should yet another edit have landed in
    that moment, the one that came out last is the newest: it is put in until what comes out is what
    was put in. What ends in ``hand`` is looked at by ``settle``: nothing is thrown away here.
    """
    try:
        put = identity(disk, hand)
        disk.exchange(hand, place)
        if digest(disk, hand) == ours:
            return Result.BACK
        for _ in range(ROUNDS):
            newer = identity(disk, hand)
            disk.exchange(hand, place)
            if identity(disk, hand) == put:
                break
            put = newer
    except FileNotFoundError:  # somebody removed the file in this very moment
        pass
    return Result.LEFT


def _unmake(disk: Disk, spot: Spot, step: Step) -> Result:
    hand = displaced(disk, spot, step)
    if hand:  # died while it looked at an edit
        _return(disk, hand, spot.place)
        result = Result.LEFT
    elif digest(disk, spot.place) == step.after:
        given = not stands(disk, spot.swap)
        discard(disk, spot.aside)
        with contextlib.suppress(FileNotFoundError):
            take(disk, spot.place, spot.aside)
        result = Result.BACK
        if digest(disk, spot.aside) not in (MISSING, step.after):
            _return(disk, spot.aside, spot.place)
            result = Result.LEFT if given else Result.CHANGED
    elif stands(disk, spot.place):
        result = Result.CHANGED if stands(disk, spot.swap) else Result.LEFT
    else:
        result = Result.BACK
    return result
