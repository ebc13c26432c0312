"""A small disk that fills up at every possible byte: old files are whole, nothing is left behind."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
from collections import Counter

import pytest
from transaction_kit import NEXT, NOW, Swift, leftovers, scene

from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.errors import Blocked
from agentops_dream.transaction.probe import probe
from agentops_dream.transaction.recover import recover

LATER = NOW + 7200


class Budget(Swift):
    """For users who may not mount: a disk that takes so many bytes and not one more."""

    def __init__(self, size):
        self.size = size

    def write(self, fd, data):
        if self.size <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        count = super().write(fd, data[: self.size])
        self.size -= count
        return count


@contextlib.contextmanager
def small_disk(folder, size):
    """Mount a tmpfs of ``size`` bytes and yield whether that was allowed."""
    folder.mkdir()
    mounted = os.geteuid() == 0 and not subprocess.call(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", os.fspath(folder)], stderr=subprocess.DEVNULL
    )
    try:
        yield bool(mounted)
    finally:
        if mounted:
            subprocess.check_call(["umount", os.fspath(folder)])


def fill(folder, leave):
    """Write until only ``leave`` bytes are free; return the file that takes the space."""
    ballast = folder / "ballast"
    figures = os.statvfs(folder)
    size = figures.f_bavail * figures.f_frsize - leave
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as stream:
        while size > 0:
            size -= stream.write(b"x" * min(size, 65536))
    return ballast


def fills(tmp_path, room, step):
    """Dream over a store of some 60 KB with 0, ``step``, … bytes free; return what happened."""
    table = Counter()
    for leave in range(0, room, step):
        folder = tmp_path / str(leave)
        with small_disk(folder, 1 << 20) as mounted:
            place = scene(folder)
            big = place.path("memory/sub/f.md")
            big.write_bytes(b"old line\n" * 2000)
            before = place.snapshot()
            changes = [*place.changes(), place.change("memory/untouched.md", b"x" * 20_000)]
            ballast = fill(folder, leave) if mounted else None
            disk = Swift() if mounted else Budget(leave)
            try:
                commit(place.run(), changes, disk=disk)
            except Blocked as blocked:
                assert blocked.errno == errno.ENOSPC and "Free some space" in str(blocked)
                assert place.snapshot() == before and not leftovers(folder)
                assert not place.run().exists()
                seen = "blocked, as before"
            else:
                seen = "done"
            recover(place.state, now=LATER, disk=Swift())
            if ballast:
                ballast.unlink()
            if seen != "done":
                commit(place.run(NEXT), changes, disk=Swift())
            assert big.read_bytes() == changes[5].after
            table[seen] += 1
    return mounted, table


def tell(capsys, mounted, table):
    with capsys.disabled():
        kind = "tmpfs of 1 MiB" if mounted else "seam with a budget of bytes (no right to mount)"
        print(f"\nfull disk, {kind}: {dict(table)}")


def test_disk_that_fills_up(tmp_path, capsys):
    mounted, table = fills(tmp_path, 200_000, 14_000)
    tell(capsys, mounted, table)
    assert set(table) == {"blocked, as before", "done"}


@pytest.mark.slow
def test_disk_that_fills_up_page_by_page(tmp_path, capsys):
    mounted, table = fills(tmp_path, 200_000, 4096)
    tell(capsys, mounted, table)
    assert set(table) == {"blocked, as before", "done"}


def test_probe_says_so_before_money_is_spent(tmp_path):
    with small_disk(tmp_path / "disk", 3 << 20) as mounted:
        place = scene(tmp_path / "disk")
        folders = [place.root / "memory"]
        fine = probe(state=place.state, folders=folders, need=1000, disk=Swift())
        if mounted:
            assert fine == ()
            fill(place.root, 5000)
            problems = probe(state=place.state, folders=folders, need=1000, disk=Swift())
        else:

            class Full(Swift):
                def free(self, path):
                    return 5000

            problems = probe(state=place.state, folders=folders, need=1000, disk=Full())
        assert len(problems) == 2 and all("Free some space" in problem for problem in problems)
