"""Somebody edits a file between any two I/O calls of a dream: the edit is in the store or in a named copy."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from transaction_kit import (
    NEXT,
    NOW,
    RUN,
    STEPS,
    Apart,
    NoExchange,
    Swift,
    failing,
    leftovers,
    scene,
)

from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.errors import Conflict
from agentops_dream.transaction.recover import recover

LATER = NOW + 7200
TOKEN = b"edit-7f3a91\n"
TARGETS = ("memory/a.md", "memory/b.md", "memory/new/deep/name.md", "memory/MEMORY.md", "project/AGENTS.md")


def append(path):
    """In place, on the file as it stands; makes it if it is not there."""
    with open(path, "ab") as stream:
        stream.write(TOKEN)


def rewrite(path):
    """In place: emptied and written again."""
    text = path.read_bytes()
    with open(path, "wb") as stream:
        stream.write(TOKEN + text)


def replace(path):
    """A new file renamed over the old one."""
    real = path.resolve()
    fresh = real.with_name(real.name + ".editor")
    fresh.write_bytes((real.read_bytes() if real.exists() else b"") + TOKEN)
    os.replace(fresh, real)


def open_to_append(path):
    return open(path, "ab", buffering=0)


class Interrupted:
    """A disk on which ``edit`` happens right before one call; it may leave a file open until later."""

    def __new__(cls, base, at, edit):
        def wrap(name):
            plain = getattr(base, name)

            def call(self, *args):
                self.count += 1
                if self.count - 1 == at:
                    self.happened = edit()
                return plain(self, *args)

            return call

        kind = type("Interrupted", (base,), {name: wrap(name) for name in STEPS})
        disk = kind()
        disk.count = 0
        disk.happened = None
        return disk


def named(place, kept):
    """Bytes of the copies that the caller was told of; a name without a file is a lie."""
    return [Path(copy.path).read_bytes() for copy in kept]


def store_bytes(place):
    return [value[1] for value in place.snapshot().values() if value[0] == "file"]


def one_edit(place, base, at, manner, target):
    """Dream, with an edit before call ``at``; return what became of the edit and of the dream."""
    path = place.path(target)

    def edit():
        try:
            manner(path)
        except FileNotFoundError:
            return False
        return True

    disk = Interrupted(base, at, edit)
    kept = []
    try:
        kept += commit(place.run(), place.changes(), disk=disk).kept
        dream = "done"
    except Conflict as conflict:
        kept += conflict.kept
        dream = "conflict"
        assert target in conflict.labels
    for found in recover(place.state, now=LATER, disk=base()):
        kept += found.kept
    if not disk.happened:
        return "none", dream
    assert not leftovers(place.root)
    in_store = any(TOKEN in data for data in store_bytes(place))
    assert in_store or any(TOKEN in data for data in named(place, kept)), (at, manner.__name__, target)
    return "in store" if in_store else "in copy", dream


def others_are_whole(place, before, after, target, dream):
    """Every file but the edited one is as before (conflict) or as after (done)."""
    wanted = after if dream == "done" else before
    target = "project/docs/AGENTS.md" if target == "project/AGENTS.md" else target
    shot = place.snapshot()
    folders = {"memory/new", "memory/new/deep"}  # stay where the edited file is in them
    for key in (set(wanted) | set(shot)) - {target} - folders:
        assert shot.get(key) == wanted.get(key), (key, dream)


def windows(roomy, base, every):
    place = scene(roomy / "count")
    before = place.snapshot()
    disk = Interrupted(base, -1, None)
    commit(place.run(), place.changes(), disk=disk)
    after = place.snapshot()
    table = Counter()
    for target in TARGETS:
        for manner in (append, rewrite, replace):
            for at in range(0, disk.count, every):
                place = scene(roomy / f"{TARGETS.index(target)}-{manner.__name__}-{at}")
                result = one_edit(place, base, at, manner, target)
                table[(manner.__name__, *result)] += 1
                others_are_whole(place, before, after, target, result[1])
    return disk.count, table


def tell(capsys, title, steps, table):
    with capsys.disabled():
        print(f"\n{title}: {steps} windows, {sum(table.values())} dreams")
        for (manner, edit, dream), number in sorted(table.items()):
            print(f"  {manner:8} edit {edit:8} dream {dream:8} x{number}")


@pytest.mark.parametrize("base", [Swift, NoExchange])
def test_an_edit_in_some_windows(roomy, capsys, base):
    tell(capsys, base.__name__, *windows(roomy, base, 31))


def test_a_rename_over_the_file_between_any_two_changes(roomy):
    """Moving a file aside as link and unlink would unlink the editor's file, were it renamed in between."""
    place = scene(roomy / "count")
    disk = failing(NoExchange)()
    commit(place.run(), place.changes(), disk=disk)
    moves = {"replace", "link", "unlink", "rename_new", "exchange", "create", "mkdir"}
    for at, name in enumerate(disk.calls):
        if name in moves:
            place = scene(roomy / str(at))
            one_edit(place, NoExchange, at, replace, "memory/a.md" if at % 2 else "memory/b.md")


@pytest.mark.slow
@pytest.mark.parametrize("base", [Swift, NoExchange, Apart])
def test_an_edit_in_every_window(roomy, capsys, base):
    tell(capsys, base.__name__, *windows(roomy, base, 1))


def held_open(roomy, base, every):
    """Somebody opens a file before any call, and writes to it only when the dream is over."""
    place = scene(roomy / "count")
    disk = Interrupted(base, -1, None)
    commit(place.run(), place.changes(), disk=disk)
    table = Counter()
    for target in ("memory/a.md", "memory/b.md", "memory/MEMORY.md", "project/AGENTS.md"):
        for at in range(0, disk.count, every):
            place = scene(roomy / f"{target.replace('/', '-')}-{at}")
            path = place.path(target)

            def open_it(path=path):
                return open_to_append(path) if path.exists() else None

            watched = Interrupted(base, at, open_it)
            kept = []
            try:
                kept += commit(place.run(), place.changes(), disk=watched).kept
                dream = "done"
            except Conflict as conflict:
                kept += conflict.kept
                dream = "conflict"
            if watched.happened is None:
                continue
            watched.happened.write(TOKEN)
            early = [found for found in recover(place.state, now=NOW, disk=base()) if found.kept]
            watched.happened.close()
            for found in (*early, *recover(place.state, now=LATER, disk=base())):
                kept += found.kept
            in_store = any(TOKEN in data for data in store_bytes(place))
            assert in_store or any(TOKEN in data for data in named(place, kept)), (target, at)
            table["held", "in store" if in_store else "in copy", dream] += 1
            assert not leftovers(place.root)
    return disk.count, table


@pytest.mark.parametrize("base", [Swift, NoExchange])
def test_a_file_held_open_in_some_windows(roomy, capsys, base):
    tell(capsys, f"held open, {base.__name__}", *held_open(roomy, base, 37))


@pytest.mark.slow
@pytest.mark.parametrize("base", [Swift, NoExchange])
def test_a_file_held_open_in_every_window(roomy, capsys, base):
    tell(capsys, f"held open, {base.__name__}", *held_open(roomy, base, 1))


def test_a_removed_entry_stays_removed(roomy):
    """Who deletes a file while a dream changes it does not want it back."""
    place = scene(roomy / "count")
    disk = Interrupted(Swift, -1, None)
    commit(place.run(), place.changes(), disk=disk)
    for at in range(0, disk.count, 5):
        place = scene(roomy / str(at))
        path = place.path("memory/a.md")
        watched = Interrupted(Swift, at, lambda path=path: path.unlink(missing_ok=True))
        try:
            commit(place.run(), place.changes(), disk=watched)
        except Conflict as conflict:
            assert "memory/a.md" in conflict.labels
        recover(place.state, now=LATER, disk=Swift())
        assert not path.exists() and not leftovers(place.root)


class Meanwhile(Swift):
    """``edit`` happens once, when half of the dream is done."""

    def __init__(self, edit):
        self.edit = edit

    def exchange(self, one, other):
        super().exchange(one, other)
        if other.endswith("MEMORY.md") and self.edit:
            edit, self.edit = self.edit, None
            edit()


def test_an_edit_on_top_of_a_new_text_takes_the_dream_back(roomy):
    """It may be the old text with a word more: what a merge has put into that file would be gone, and
    the entry that it came from as well."""
    place = scene(roomy)
    before = place.snapshot()
    path = place.path("memory/a.md")
    stale = path.read_bytes() + TOKEN
    with pytest.raises(Conflict) as caught:
        commit(place.run(), place.changes(), disk=Meanwhile(lambda: path.write_bytes(stale)))
    assert caught.value.labels == ("memory/a.md",) and path.read_bytes() == stale
    others_are_whole(place, before, before, "memory/a.md", "conflict")
    assert len(caught.value.kept) == 1 and place.path("memory/b.md").exists()


def test_an_edit_of_a_file_just_replaced_ends_in_the_store(roomy):
    """Who opened it before can still write to it before the dream is done: it comes back with the edit."""
    place = scene(roomy)
    path = place.path("memory/a.md")
    old = path.read_bytes()
    handles = []

    class Opens(Meanwhile):
        def exchange(self, one, other):
            if other.endswith("a.md") and not handles:
                handles.append(open_to_append(path))
            super().exchange(one, other)

    def write():
        handles[0].write(TOKEN)
        handles[0].close()

    with pytest.raises(Conflict):
        commit(place.run(), place.changes(), disk=Opens(write))
    recover(place.state, now=LATER, disk=Swift())
    handles[0].close()
    assert path.read_bytes().startswith(old) and not leftovers(roomy)


def test_an_entry_written_again_while_it_is_removed_takes_the_dream_back(roomy):
    place = scene(roomy)
    path = place.path("memory/b.md")
    old = path.read_bytes()

    class Again(Swift):
        def replace(self, old, new):
            super().replace(old, new)
            if old.endswith("c.md"):
                path.write_bytes(TOKEN)

    with pytest.raises(Conflict) as caught:
        commit(place.run(), place.changes(), disk=Again())
    assert "memory/b.md" in caught.value.labels and path.read_bytes() == TOKEN
    assert [Path(copy.path).read_bytes() for copy in caught.value.kept] == [old]


def test_two_edits_that_meet_the_dream_are_both_there(roomy):
    """While one edit is put back, the next one lands: the later is in the store, the other in a copy."""
    place = scene(roomy)
    path = place.path("memory/a.md")

    def land(text):
        fresh = roomy / "fresh"
        fresh.write_bytes(text)
        os.replace(fresh, path)

    class Busy(Swift):
        turn = 0

        def exchange(self, one, other):
            if other == os.path.realpath(path):
                self.turn += 1
                land(b"edit %d\n" % self.turn)
            super().exchange(one, other)

    disk = Busy()
    with pytest.raises(Conflict) as caught:
        commit(place.run(), place.changes(), disk=disk)
    assert disk.turn > 5
    texts = {path.read_bytes(), *named(place, caught.value.kept)}
    assert b"edit %d\n" % disk.turn in texts and not leftovers(roomy)


def test_after_a_conflict_the_rest_goes_through_under_the_same_run(roomy):
    """Planning again must not trip over what the first attempt keeps."""
    place = scene(roomy)
    changes = place.changes()
    path = place.path("memory/sub/f.md")
    held = open_to_append(place.path("memory/a.md"))
    with pytest.raises(Conflict, match=r"memory/a\.md is being written") as caught:
        commit(place.run(), changes, disk=Swift())
    assert caught.value.labels == ("memory/a.md",)
    commit(place.run(), [c for c in changes if c.label != "memory/a.md"], disk=Swift())
    assert path.read_bytes() != changes[5].before
    held.write(TOKEN)
    held.close()
    assert TOKEN in place.path("memory/a.md").read_bytes()


def test_a_writer_of_the_new_file_is_kept_when_the_dream_is_taken_back(roomy):
    """A program may open the dream's own new file, and still hold it when that file is withdrawn."""
    place = scene(roomy)
    changes = place.changes()
    index = place.path("memory/MEMORY.md")
    held = []

    def edit():
        if index.read_bytes() == changes[6].after and not held:
            held.append(open_to_append(index))
            place.path("memory/b.md").write_bytes(b"edited, so the dream is taken back\n")

    class Watching(Swift):
        def lstat(self, path):
            edit()
            return super().lstat(path)

    with pytest.raises(Conflict) as caught:
        commit(place.run(), changes, disk=Watching())
    assert held and index.read_bytes() == changes[6].before
    held[0].write(TOKEN)
    held[0].close()
    commit(place.run(), [place.change("memory/sub/f.md", b"next try\n")], disk=Swift())
    kept = [*caught.value.kept, *(copy for f in recover(place.state, now=LATER, disk=Swift()) for copy in f.kept)]
    assert any(TOKEN in data for data in named(place, kept))
    assert sorted(os.listdir(place.state / "runs")) == [RUN, f"{RUN}.1"]
    commit(place.run(NEXT), [place.change("memory/sub/f.md", b"and on\n")], disk=Swift())
