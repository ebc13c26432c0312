"""What a power cut may find: every byte is on the platter before anything depends on it."""

from __future__ import annotations

import os

from transaction_kit import AFTER, BEFORE, NOW, Apart, NoExchange, Swift, scene

from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.recover import recover


class Recorder(Swift):
    """Notes, in order, what was made durable and what was moved."""

    def __init__(self):
        self.names = {}
        self.events = []

    def create(self, path, mode):
        fd = super().create(path, mode)
        self.names[fd] = path
        return fd

    def write(self, fd, data):
        self.events.append(("write", self.names[fd]))
        return super().write(fd, data)

    def sync(self, fd):
        self.events.append(("sync", self.names[fd]))

    def chmod(self, path, mode):
        self.events.append(("chmod", path))
        super().chmod(path, mode)

    def sync_folder(self, path):
        self.events.append(("folder", path))

    def replace(self, old, new):
        self.events.append(("move", old, new))
        super().replace(old, new)

    def exchange(self, one, other):
        self.events.append(("exchange", one, other))
        super().exchange(one, other)

    def rename_new(self, old, new):
        self.events.append(("give", old, new))
        super().rename_new(old, new)


class SlowRecorder(NoExchange, Recorder):
    pass


class ApartRecorder(Apart, Recorder):
    pass


def at(events, *wanted):
    return [number for number, event in enumerate(events) if event[: len(wanted)] == wanted]


def check_order(tmp_path, disk):
    place = scene(tmp_path)
    commit(place.run(), place.changes(), disk=disk)
    events = disk.events
    run = str(place.run())
    (begun,) = at(events, "move", f"{run}/journal.part")
    (done,) = at(events, "move", f"{run}/journal.json")
    written = {event[1] for event in events if event[0] == "write"}
    for path in written:
        # Nothing is written to, or changes its mode, after it was synced.
        (synced,) = at(events, "sync", path)
        assert max(at(events, "write", path) + at(events, "chmod", path)) < synced
        if path.startswith(run):
            assert synced <= begun
            if not path.endswith("journal.part"):
                assert [n for n in at(events, "folder", os.path.dirname(path)) if synced < n < begun], path
        else:
            assert synced < min(at(events, "move", path)) < done
    assert len([path for path in written if path.startswith(f"{run}/bak")]) == len(BEFORE) - 1
    assert len([path for path in written if path.startswith(f"{run}/new")]) == len(
        [data for data in AFTER.values() if data is not None]
    )
    # The journal is durable before the first file of the store moves …
    memory = [
        number
        for number, event in enumerate(events)
        if event[0] in ("move", "exchange", "give") and any("/state/" not in name for name in event[1:])
    ]
    assert [n for n in at(events, "folder", run) if begun < n < min(memory)]
    # … all moves are durable before the commit record, and that before it is believed.
    last = max(n for n in memory if n < done)
    places = {
        os.path.dirname(os.path.realpath(place.path(label))) for label in AFTER
    } | {str(place.root / "memory/new/deep")}
    for folder in places:
        assert [n for n in at(events, "folder", folder) if last < n < done], folder
    assert [n for n in at(events, "folder", run) if n > done]
    # Removals come last.
    removals = [
        number
        for number, event in enumerate(events)
        if event[0] == "move" and os.path.basename(event[1]) in ("b.md", "c.md", "old name.md")
    ]
    laid = [number for number in memory if events[number][1].endswith(".part")]
    assert len(removals) == 3 and len(laid) == 5 and min(removals) > max(laid)


def test_order(tmp_path):
    check_order(tmp_path, Recorder())


def test_order_without_exchange(tmp_path):
    check_order(tmp_path, SlowRecorder())


def test_order_on_two_disks(tmp_path):
    check_order(tmp_path, ApartRecorder())


def test_a_rename_that_the_power_cut_has_lost(tmp_path):
    """Ours is in place and the old file nowhere: the stored bytes come back, with their mode."""
    place = scene(tmp_path)
    before = place.snapshot()
    changes = place.changes()
    commit(place.run(), changes, disk=Swift())
    (place.run() / "record.json").rename(place.run() / "journal.json")
    (place.run() / "old").mkdir()
    for change in changes:
        if change.after is None:  # a removal cannot be told from one by hand, so it is only named
            change.path.write_bytes(change.before)
            change.path.chmod(before[change.label][2])
    (done,) = recover(place.state, now=NOW, disk=Swift())
    assert done.action == "restored" and done.left == () and place.snapshot() == before
