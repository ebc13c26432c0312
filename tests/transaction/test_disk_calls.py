"""The seam itself: whole writes, patience with Windows, renames that bury nothing."""

from __future__ import annotations

import errno
import os

import pytest
from transaction_kit import NEXT, Apart, NoExchange, NoLinks, Swift, leftovers, scene

from agentops_dream.transaction import native
from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.disk import (
    NOT_A_FILE,
    PATIENCE,
    WINDOWS_BUSY,
    Disk,
    digest,
    give,
    make_folders,
    patiently,
    read_file,
    take,
    write_new,
)
from agentops_dream.transaction.errors import Blocked
from agentops_dream.transaction.swap import written_now


class Dribble(Swift):
    """write(2) takes seven bytes at a time, as it may."""

    def write(self, fd, data):
        return super().write(fd, data[:7])


class Lying(Swift):
    """write(2) says more than it did: what a full network share has done."""

    def write(self, fd, data):
        super().write(fd, data[: len(data) // 2])
        return len(data)


class Nothing(Swift):
    def write(self, fd, data):
        return 0


def test_short_writes_are_continued(tmp_path):
    write_new(Dribble(), str(tmp_path / "x"), b"forty thousand bytes" * 2000)
    assert (tmp_path / "x").read_bytes() == b"forty thousand bytes" * 2000


@pytest.mark.parametrize("disk", [Lying(), Nothing()])
def test_a_file_that_did_not_arrive_whole_is_refused_and_removed(tmp_path, disk):
    """A truncated file would be renamed over the good one."""
    with pytest.raises(OSError) as caught:
        write_new(disk, str(tmp_path / "x"), b"a" * 8192)
    assert caught.value.filename == str(tmp_path / "x") and not (tmp_path / "x").exists()


@pytest.mark.parametrize("disk", [Lying(), Nothing()])
def test_a_dream_on_such_a_disk_changes_nothing(tmp_path, disk):
    place = scene(tmp_path)
    before = place.snapshot()
    with pytest.raises(Blocked):
        commit(place.run(), place.changes(), disk=disk)
    assert place.snapshot() == before and not leftovers(tmp_path)


def test_nothing_is_written_over(tmp_path):
    (tmp_path / "x").write_bytes(b"theirs")
    with pytest.raises(FileExistsError):
        write_new(Swift(), str(tmp_path / "x"), b"ours")
    assert (tmp_path / "x").read_bytes() == b"theirs"


class Busy(Swift):
    """Windows, while a virus scanner looks at a file."""

    def __init__(self, times, code=5):
        self.times = times
        self.code = code
        self.slept = []

    def exchange(self, one, other):
        raise native.Unsupported(errno.ENOSYS, "no exchange on Windows")

    def writers(self, path):
        return None

    def _refuse(self):
        if self.times:
            self.times -= 1
            error = PermissionError(errno.EACCES, "Access is denied")
            error.winerror = self.code
            raise error

    def replace(self, old, new):
        self._refuse()
        super().replace(old, new)

    def rename_new(self, old, new):
        self._refuse()
        super().rename_new(old, new)

    def sleep(self, seconds):
        self.slept.append(seconds)


@pytest.mark.parametrize("code", sorted(WINDOWS_BUSY))
def test_three_refusals_of_windows_are_waited_out(tmp_path, code):
    (tmp_path / "new").write_bytes(b"new")
    disk = Busy(3, code)
    give(disk, str(tmp_path / "new"), str(tmp_path / "x"))
    assert (tmp_path / "x").read_bytes() == b"new" and disk.slept == list(PATIENCE[:3])


def test_a_lasting_refusal_surfaces_and_nothing_has_changed(tmp_path):
    place = scene(tmp_path)
    before = place.snapshot()

    class Denied(Busy):
        def replace(self, old, new):
            if "/memory/" in old and "/memory/" in new and "c.md" in old:
                self.times = 1
            super().replace(old, new)

    disk = Denied(0)
    with pytest.raises(Blocked, match="Access is denied"):
        commit(place.run(), place.changes(), disk=disk)
    assert place.snapshot() == before and not leftovers(tmp_path)
    assert sum(disk.slept) < 10


def test_other_refusals_are_not_waited_for(tmp_path):
    disk = Busy(9, 3)
    with pytest.raises(PermissionError):
        patiently(disk, disk._refuse)
    assert disk.slept == []


@pytest.mark.parametrize("disk", [Disk(), NoExchange(), NoLinks(), Apart()])
def test_give_buries_nothing(tmp_path, disk):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.write_bytes(b"ours")
    theirs.write_bytes(b"theirs")
    with pytest.raises(FileExistsError):
        give(disk, str(ours), str(theirs))
    assert theirs.read_bytes() == b"theirs" and ours.read_bytes() == b"ours"
    theirs.unlink()
    theirs.symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        give(disk, str(ours), str(theirs))
    give(disk, str(ours), str(tmp_path / "free"))
    assert (tmp_path / "free").read_bytes() == b"ours" and not ours.exists()


def test_take_moves_whatever_stands_there(tmp_path):
    (tmp_path / "x").symlink_to("nowhere")
    take(Disk(), str(tmp_path / "x"), str(tmp_path / "aside"))
    assert os.readlink(tmp_path / "aside") == "nowhere"


def test_exchange_swaps_or_says_that_it_cannot(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"1")
    other.write_bytes(b"2")
    try:
        native.exchange(str(one), str(other))
    except native.Unsupported:
        assert one.read_bytes() == b"1"
    else:
        assert one.read_bytes() == b"2" and other.read_bytes() == b"1"
    with pytest.raises(OSError):
        native.exchange(str(one), str(tmp_path / "missing"))


def test_a_link_a_folder_and_a_pipe_are_no_files(tmp_path):
    """A pipe put where an entry was must not hang the worker; a link must not be followed."""
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "folder", "pipe"):
        assert digest(Disk(), str(tmp_path / name)) == NOT_A_FILE
        with pytest.raises(OSError):
            read_file(Disk(), str(tmp_path / name))
    assert digest(Disk(), str(tmp_path / "missing")) == "" and read_file(Disk(), str(tmp_path / "file/x")) is None


def test_whoever_has_a_file_open_for_writing_is_seen(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"x")
    disk = Swift()
    free = written_now(disk, str(path))
    with path.open("rb"):
        assert written_now(disk, str(path)) is free
    with path.open("ab"):
        assert written_now(disk, str(path)) is (None if free is None else True)
    assert written_now(disk, str(path)) is free and written_now(disk, str(tmp_path / "missing")) is None


def test_folders_are_made_private_and_named(tmp_path):
    made = make_folders(Disk(), str(tmp_path / "a/b"), 0o700)
    assert made == (str(tmp_path / "a"), str(tmp_path / "a/b"))
    assert (tmp_path / "a/b").stat().st_mode & 0o777 == 0o700
    assert make_folders(Disk(), str(tmp_path / "a/b")) == ()


def test_errors_name_file_and_remedy(tmp_path):
    place = scene(tmp_path)

    class ReadOnly(Swift):
        def create(self, path, mode):
            if "/memory/" in path and "/runs/" not in path:
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
            return super().create(path, mode)

    with pytest.raises(Blocked) as caught:
        commit(place.run(), place.changes(), disk=ReadOnly())
    assert str(tmp_path / "memory") in str(caught.value) and "mount it writable" in str(caught.value)
    commit(place.run(NEXT), place.changes(), disk=Swift())
