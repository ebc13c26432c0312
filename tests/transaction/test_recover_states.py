"""What a worker finds when it starts, and what it says about it."""

from __future__ import annotations

import json
import os

import pytest
from transaction_kit import NEXT, NOW, RUN, Killed, NoExchange, Swift, failing, leftovers, scene

from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.errors import Conflict, Unfinished
from agentops_dream.transaction.recover import recover

DISK = Swift()


def interrupted(tmp_path, call="exchange", nth=2):
    """A store whose dream died right after the ``nth`` call of that name."""
    place = scene(tmp_path)
    probe = failing(Swift)()
    other = scene(tmp_path / "count")
    commit(other.run(), other.changes(), disk=probe)
    at = [number for number, name in enumerate(probe.calls) if name == call][nth]
    disk = failing(Swift)(at, "kill-after")
    before = place.snapshot()
    changes = place.changes()
    with pytest.raises(Killed):
        commit(place.run(), changes, disk=disk)
    disk.release()
    assert place.snapshot() != before
    return place, before, changes


def test_nothing_to_recover(tmp_path):
    assert recover(tmp_path / "nowhere", now=NOW, disk=DISK) == ()
    place = scene(tmp_path)
    commit(place.run(), place.changes(), disk=DISK)
    assert recover(place.state, now=NOW, disk=DISK) == ()


def test_an_interrupted_run_is_told(tmp_path):
    place, before, _ = interrupted(tmp_path)
    (done,) = recover(place.state, now=NOW, disk=DISK)
    assert (done.run, done.action, done.left) == (RUN, "restored", ())
    assert "interrupted" in done.message and place.snapshot() == before


def test_files_changed_since_are_left_and_named_with_a_copy_of_the_old_text(tmp_path):
    place, before, changes = interrupted(tmp_path)
    index = place.path("memory/a.md")
    assert index.read_bytes() == changes[0].after
    index.write_bytes(b"edited after the crash")
    (done,) = recover(place.state, now=NOW, disk=DISK)
    assert done.left == ("memory/a.md",) and "memory/a.md" in done.message
    assert index.read_bytes() == b"edited after the crash"
    (copy,) = done.kept
    with open(copy.path, "rb") as stream:
        assert stream.read() == changes[0].before
    shot = place.snapshot()
    assert {key for key in before if shot.get(key) != before[key]} == {"memory/a.md"}
    assert recover(place.state, now=NOW, disk=DISK) == ()
    commit(place.run(NEXT), [place.change("memory/a.md", b"next dream")], disk=DISK)


@pytest.mark.parametrize("raw", [b"", b"{", b"\0" * 4096, b"[]", b'{"version": 1}', b'{"version": 1, "steps": [{}]}'])
def test_a_torn_journal_says_so_and_stops_nobody(tmp_path, raw):
    """A journal that cannot be read must not make every later dream fail."""
    place = scene(tmp_path)
    before = place.snapshot()
    place.run().mkdir(parents=True)
    (place.run() / "journal.json").write_bytes(raw)
    (place.run() / "bak").mkdir()
    (place.run() / "bak" / "x.bak").write_bytes(b"old bytes")
    (done,) = recover(place.state, now=NOW, disk=DISK)
    assert done.action == "damaged" and str(place.run()) in done.message
    assert recover(place.state, now=NOW, disk=DISK) == ()
    assert place.snapshot() == before and (place.run() / "bak" / "x.bak").exists()
    commit(place.run(NEXT), place.changes(), disk=DISK)


def test_a_journal_of_another_version_stops_dreams(tmp_path):
    """The store may be half done: to go on over it would make that permanent."""
    place, _, _ = interrupted(tmp_path)
    path = place.run() / "journal.json"
    data = json.loads(path.read_bytes())
    path.write_text(json.dumps({**data, "version": 99}))
    with pytest.raises(Unfinished, match="version 99"):
        recover(place.state, now=NOW, disk=DISK)
    path.write_text(json.dumps(data))
    assert recover(place.state, now=NOW, disk=DISK)[0].action == "restored"


def test_what_cannot_be_put_back_stops_dreams_until_it_can(tmp_path):
    place, before, _ = interrupted(tmp_path)

    class Stuck(Swift):
        def exchange(self, one, other):
            raise OSError(5, "Input/output error", one)

    with pytest.raises(Unfinished, match=r"memory/a\.md: Input/output error"):
        recover(place.state, now=NOW, disk=Stuck())
    assert recover(place.state, now=NOW, disk=DISK)[0].action == "restored"
    assert place.snapshot() == before


def test_prepared_bytes_of_a_run_that_never_began_go(tmp_path):
    place = scene(tmp_path)
    for name in ("bak/memory", "new", "old"):
        (place.run() / name).mkdir(parents=True)
    (place.run() / "bak/memory/a.md.bak").write_bytes(b"x")
    (done,) = recover(place.state, now=NOW, disk=DISK)
    assert done.action == "cleaned" and not place.run().exists()


def test_a_receipt_alone_is_no_leftover(tmp_path):
    place = scene(tmp_path)
    place.run().mkdir(parents=True)
    (place.run() / "receipt.json").write_bytes(b"{}")
    assert recover(place.state, now=NOW, disk=DISK) == ()
    assert (place.run() / "receipt.json").exists()


def test_where_nobody_can_tell_displaced_files_wait_an_hour(tmp_path):
    """A program may write to a replaced file for a while; on a Mac nothing says whether it does."""
    place = scene(tmp_path)
    disk = NoExchange()
    path = place.path("memory/a.md")
    with open(path, "ab") as held:
        outcome = commit(place.run(), place.changes(), disk=disk)
        assert outcome.kept == ()
        created = (place.run() / "old" / "0").stat().st_ctime
        assert recover(place.state, now=created + 60, disk=disk) == ()
        held.write(b"late edit\n")
    (done,) = recover(place.state, now=created + 3601, disk=disk)
    (copy,) = done.kept
    assert done.action == "settled" and copy.label == "memory/a.md" and copy.path in done.message
    with open(copy.path, "rb") as stream:
        assert stream.read().endswith(b"late edit\n")
    assert not (place.run() / "old").exists() and not leftovers(tmp_path)


def test_kept_copies_do_not_overwrite_each_other(tmp_path):
    place = scene(tmp_path)
    disk = NoExchange()
    with open(place.path("memory/a.md"), "ab") as held:
        commit(place.run(), place.changes(), disk=disk)
        (place.run() / "conflicts/memory").mkdir(parents=True)
        (place.run() / "conflicts/memory/a.md").write_bytes(b"an earlier copy")
        held.write(b"late edit\n")
    recover(place.state, now=NOW, disk=disk)
    assert sorted(os.listdir(place.run() / "conflicts/memory")) == ["a.md", "a.md~2"]
    assert (place.run() / "conflicts/memory/a.md").read_bytes() == b"an earlier copy"


def test_ctrl_c_leaves_nothing_half_done(tmp_path):
    place = scene(tmp_path)
    before = place.snapshot()

    class Pressed(Swift):
        def exchange(self, one, other):
            super().exchange(one, other)
            if one.endswith("-2.swap") and times:
                times.pop()
                raise KeyboardInterrupt

    times = [1]
    with pytest.raises(KeyboardInterrupt):
        commit(place.run(), place.changes(), disk=Pressed())
    assert place.snapshot() == before and not place.run().exists()
    times = [1, 2]  # pressed again while it is taken back: the next start goes on
    with pytest.raises(KeyboardInterrupt):
        commit(place.run(), place.changes(), disk=Pressed())
    recover(place.state, now=NOW, disk=DISK)
    assert place.snapshot() == before and not place.run().exists()


def test_a_disturbed_temporary_file_takes_the_dream_back(tmp_path):
    place = scene(tmp_path)
    before = place.snapshot()

    class Cleaner(Swift):
        def exchange(self, one, other):
            if one.endswith("-2.swap"):
                os.unlink(one)
            super().exchange(one, other)

    with pytest.raises(Conflict):
        commit(place.run(), place.changes(), disk=Cleaner())
    assert place.snapshot() == before
