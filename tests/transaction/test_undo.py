"""Undo brings back bytes, modes, links and removed files, and touches nothing that was edited since."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transaction_kit import NEXT, NOW, RUN, Folding, Swift, scene, tree

from agentops_dream.models import FileChange
from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.errors import NotUndoable
from agentops_dream.transaction.recover import recover
from agentops_dream.transaction.undo import Leave, plan_undo

DISK = Swift()
THIRD = "20260102T030605Z-ef56"


def carry_out(place, plan, run, disk=DISK):
    return commit(place.run(run), plan.changes, meta=plan.meta, prune=plan.prune, disk=disk)


def test_undo_of_a_run_and_redo(tmp_path):
    place = scene(tmp_path)
    before = place.snapshot()
    commit(place.run(), place.changes(), disk=DISK)
    after = place.snapshot()
    plan = plan_undo(place.run(), disk=DISK)
    assert plan.left == ()
    carry_out(place, plan, NEXT)
    assert place.snapshot() == before
    again = plan_undo(place.run(NEXT), disk=DISK)
    assert again.left == ()
    carry_out(place, again, THIRD)
    assert place.snapshot() == after
    assert recover(place.state, now=NOW, disk=DISK) == ()


def test_a_second_undo_has_nothing_to_do(tmp_path):
    place = scene(tmp_path)
    commit(place.run(), place.changes(), disk=DISK)
    carry_out(place, plan_undo(place.run(), disk=DISK), NEXT)
    plan = plan_undo(place.run(), disk=DISK)
    assert plan.changes == () and plan.left == ()


def test_files_edited_since_are_left_and_named(tmp_path):
    place = scene(tmp_path)
    changes = {change.label: change for change in place.changes()}
    commit(place.run(), list(changes.values()), disk=DISK)
    place.path("memory/a.md").write_bytes(b"edited since")
    place.path("memory/b.md").write_bytes(b"made again since")
    place.path("memory/new/deep/name.md").unlink()
    plan = plan_undo(place.run(), disk=DISK)
    assert {item.label: item.reason for item in plan.left} == {
        "memory/a.md": "it was edited since",
        "memory/b.md": "it was edited since",
    }
    assert {item.label: item.before for item in plan.left}["memory/a.md"] == changes["memory/a.md"].before
    carry_out(place, plan, NEXT)
    assert place.path("memory/a.md").read_bytes() == b"edited since"
    assert place.path("memory/b.md").read_bytes() == b"made again since"
    for label in ("memory/c.md", "memory/old name.md", "memory/sub/f.md", "memory/MEMORY.md", "project/AGENTS.md"):
        assert place.path(label).read_bytes() == changes[label].before


def test_one_op_of_four(tmp_path):
    place = scene(tmp_path)
    changes = {change.label: change for change in place.changes()}
    commit(place.run(), list(changes.values()), disk=DISK)
    asked = []

    def recompute(label, before, after, current, remaining):
        asked.append((label, remaining))
        assert (before, after, current) == (changes[label].before, changes[label].after, changes[label].after)
        return after + b"op 1 taken back\n"

    plan = plan_undo(place.run(), ops=[1], recompute=recompute, disk=DISK)
    assert sorted(asked) == [("memory/MEMORY.md", (0, 2, 3)), ("project/AGENTS.md", (0, 2, 3))]
    carry_out(place, plan, NEXT)
    assert place.path("memory/c.md").read_bytes() == changes["memory/c.md"].before
    assert (place.path("memory/c.md").stat().st_mode & 0o777) == 0o640
    for label in ("memory/a.md", "memory/new/deep/name.md", "memory/sub/f.md"):
        assert place.path(label).read_bytes() == changes[label].after
    assert not place.path("memory/b.md").exists()
    assert place.path("memory/MEMORY.md").read_bytes().endswith(b"op 1 taken back\n")


def test_shared_files_are_left_when_nobody_can_tell(tmp_path):
    place = scene(tmp_path)
    commit(place.run(), place.changes(), disk=DISK)
    plan = plan_undo(place.run(), ops=[3], disk=DISK)
    assert [change.label for change in plan.changes] == ["memory/sub/f.md"]
    assert {item.label for item in plan.left} == {"memory/MEMORY.md", "project/AGENTS.md"}
    assert "other ops" in plan.left[0].reason

    def cannot(*_):
        raise Leave("the lines overlap")

    plan = plan_undo(place.run(), ops=[3], recompute=cannot, disk=DISK)
    assert {item.reason for item in plan.left} == {"the lines overlap"}


def test_all_ops_are_the_whole_run(tmp_path):
    place = scene(tmp_path)
    before = place.snapshot()
    commit(place.run(), place.changes(), disk=DISK)
    carry_out(place, plan_undo(place.run(), ops=[0, 1, 2, 3], disk=DISK), NEXT)
    assert place.snapshot() == before


def test_what_cannot_be_undone_says_why(tmp_path):
    place = scene(tmp_path)
    with pytest.raises(NotUndoable, match="changed no file"):
        plan_undo(place.run(), disk=DISK)
    commit(place.run(), place.changes(), disk=DISK)
    with pytest.raises(NotUndoable, match="op 9 of run"):
        plan_undo(place.run(), ops=[9], disk=DISK)
    (place.run() / "record.json").write_bytes(b"{")
    with pytest.raises(NotUndoable, match="cannot be used"):
        plan_undo(place.run(), disk=DISK)


def test_a_link_that_leads_elsewhere_now_is_left(tmp_path):
    place = scene(tmp_path)
    commit(place.run(), place.changes(), disk=DISK)
    link = place.root / "project" / "AGENTS.md"
    link.unlink()
    link.symlink_to("other.md")
    (place.root / "project/other.md").write_bytes(b"theirs")
    plan = plan_undo(place.run(), disk=DISK)
    assert [(item.label, item.reason) for item in plan.left] == [
        ("project/AGENTS.md", "the link leads elsewhere now")
    ]


def test_damaged_old_bytes_are_never_put_back(tmp_path):
    place = scene(tmp_path)
    commit(place.run(), place.changes(), disk=DISK)
    (place.run() / "bak/memory/a.md.bak").write_bytes(b"bit rot")
    plan = plan_undo(place.run(), disk=DISK)
    assert [(item.label, item.reason) for item in plan.left] == [
        ("memory/a.md", "its stored bytes are damaged")
    ]


def test_a_folder_that_somebody_uses_stays(tmp_path):
    place = scene(tmp_path)
    commit(place.run(), place.changes(), disk=DISK)
    place.path("memory/new/mine.md").write_bytes(b"mine")
    carry_out(place, plan_undo(place.run(), disk=DISK), NEXT)
    assert place.path("memory/new/mine.md").exists() and not place.path("memory/new/deep").exists()


def test_rename_that_only_changes_case_and_back(tmp_path):
    """On a disk that folds case the new name is the old file: it must not be lost, or doubled."""
    place = scene(tmp_path)
    disk = Folding()
    old, new = place.path("memory/Deploy.md"), place.path("memory/deploy.md")
    old.write_bytes(b"how to\n")
    before = place.snapshot()
    changes = [
        FileChange(new, "memory/deploy.md", None, b"how to deploy\n", (0,)),
        FileChange(old, "memory/Deploy.md", b"how to\n", None, (0,)),
    ]
    commit(place.run(), changes, disk=disk)
    assert "Deploy.md" not in os.listdir(new.parent) and new.read_bytes() == b"how to deploy\n"
    plan = plan_undo(place.run(), disk=disk)
    assert plan.left == ()
    carry_out(place, plan, NEXT, disk)
    assert place.snapshot() == before


# ---------------------------------------------------------------- any store, any plan

NAMES = ["a.md", "b c.md", "日本.md", "sub/d.md", "sub/deep/e.md", "f.md", "other/g.md", "MEMORY.md"]
DATA = st.binary(max_size=40)
FILES = st.dictionaries(st.sampled_from(NAMES), st.tuples(DATA, st.sampled_from([0o600, 0o644, 0o664])))
PLAN = st.dictionaries(
    st.sampled_from(NAMES), st.tuples(st.none() | DATA, st.sets(st.integers(0, 4), min_size=1, max_size=2))
)
EDITS = st.dictionaries(st.sampled_from(NAMES), st.none() | DATA, max_size=3)


def build(root, files):
    (root / "memory").mkdir()
    for name, (data, mode) in files.items():
        path = root / "memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode)
    (root / "link.md").symlink_to("memory/MEMORY.md")


def changes_of(root, plan):
    found = []
    for name, (after, ops) in plan.items():
        path = root / "memory" / name
        before = path.read_bytes() if path.exists() else None
        found.append(FileChange(path, f"memory/{name}", before, after, tuple(sorted(ops))))
    return found


@settings(max_examples=60, deadline=None)
@given(FILES, PLAN)
def test_any_dream_can_be_undone_to_the_byte(files, plan):
    check_undo(files, plan)


@pytest.mark.slow
@settings(max_examples=1500, deadline=None)
@given(FILES, PLAN)
def test_any_of_many_dreams_can_be_undone_to_the_byte(files, plan):
    check_undo(files, plan)


def check_undo(files, plan):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root, files)
        before = tree(root / "memory")
        changes = changes_of(root, plan)
        commit(root / "state/runs" / RUN, changes, disk=DISK)
        after = tree(root / "memory")
        for change in changes:
            assert after.get(change.label, (0, None))[1] == change.after
        if not any(change.before != change.after for change in changes):
            assert after == before
            return
        first = plan_undo(root / "state/runs" / RUN, disk=DISK)
        commit(root / "state/runs" / NEXT, first.changes, meta=first.meta, prune=first.prune, disk=DISK)
        assert tree(root / "memory") == before and first.left == ()
        second = plan_undo(root / "state/runs" / NEXT, disk=DISK)
        commit(root / "state/runs" / THIRD, second.changes, meta=second.meta, prune=second.prune, disk=DISK)
        assert tree(root / "memory") == after and second.left == ()


@settings(max_examples=60, deadline=None)
@given(FILES, PLAN, EDITS)
def test_later_edits_survive_any_undo(files, plan, edits):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root, files)
        changes = [change for change in changes_of(root, plan) if change.before != change.after]
        commit(root / "state/runs" / RUN, changes, disk=DISK)
        if not changes:
            return
        for name, data in edits.items():
            path = root / "memory" / name
            if data is None:
                path.unlink(missing_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        edited = {label: value for label, value in tree(root / "memory").items() if value[0] == "file"}
        undo = plan_undo(root / "state/runs" / RUN, disk=DISK)
        commit(root / "state/runs" / NEXT, undo.changes, meta=undo.meta, prune=undo.prune, disk=DISK)
        named = {item.label for item in undo.left}
        now = tree(root / "memory")
        for change in changes:
            was, is_ = edited.get(change.label, (0, None))[1], now.get(change.label, (0, None))[1]
            if was == change.after:
                assert is_ == change.before
            else:
                assert is_ == was
                assert (change.label in named) == (was != change.before)
        for label in edited.keys() - {change.label for change in changes}:
            assert now[label] == edited[label]
