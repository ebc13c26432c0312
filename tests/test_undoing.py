"""Undo: what a dream did can be taken back, byte for byte, whole or op by op."""

from __future__ import annotations

from pathlib import Path

import pytest
from dream_kit import Bed, fill, make_bed

from agentops_dream import undoing, unflagging
from agentops_dream.journal import runs
from agentops_dream.journal.runs import NoRun
from agentops_dream.order import Nothing, Stopped
from agentops_dream.transaction import purge
from agentops_dream.transaction.errors import NotUndoable


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    made = make_bed(tmp_path)
    fill(made)
    (made.project / "AGENTS.md").write_bytes(b"\xef\xbb\xbf# Mine\r\nno final newline")
    (made.memory / "outbox.md").chmod(0o640)
    return made


def test_undo_gives_back_every_byte_indexes_mirror_and_modes_included(bed: Bed) -> None:
    before = bed.tree()
    receipt = bed.dream("tidy")
    assert bed.tree() != before
    undone = undoing.undo(bed.order(), receipt.run)
    assert bed.tree() == before
    assert (bed.memory / "outbox.md").stat().st_mode & 0o777 == 0o640
    assert undone.undoes == receipt.run


def test_what_was_taken_back_is_not_dreamt_again(bed: Bed) -> None:
    """A user who undoes a merge does not want to find it done again an hour later."""
    undoing.undo(bed.order(), bed.dream("tidy").run)
    bed.later(7200)
    with pytest.raises(Nothing):
        bed.dream("tidy", trigger="Stop")


def test_undo_of_the_undo_is_redo(bed: Bed) -> None:
    receipt = bed.dream("tidy")
    after = bed.tree()
    undone = undoing.undo(bed.order(), receipt.run)
    undoing.undo(bed.order(), undone.run)
    assert bed.tree() == after


def test_files_edited_since_are_left_and_named_and_the_index_is_merged(bed: Bed) -> None:
    receipt = bed.dream("tidy")
    index = bed.memory / "MEMORY.md"
    index.write_text(index.read_text() + "\n## Mine\n\nWritten after the dream.\n")
    survivor = next(bed.memory.glob("outbox*.md"))
    survivor.write_text(survivor.read_text() + "\nEdited after the dream.\n")
    undone = undoing.undo(bed.order(), receipt.run)
    assert "Edited after the dream." in survivor.read_text()
    assert any(survivor.name in note for note in undone.notes)
    assert "Written after the dream." in index.read_text()
    assert "Keep this line." in index.read_text()
    assert len(list(bed.memory.glob("outbox*.md"))) == 2, "the other half did not come back"


def test_one_op_of_several_goes_back_alone(bed: Bed) -> None:
    before = bed.tree()
    receipt = bed.dream("tidy")
    applied = [v.index for v in receipt.verdicts if v.status == "applied"]
    assert len(applied) >= 2
    merge = next(v.index for v in receipt.verdicts if v.kind == "merge")
    undoing.undo(bed.order(), receipt.run, ops=[merge])
    after = bed.tree()
    for name in ("memory/outbox.md", "memory/outbox-events.md"):
        assert after[name] == before[name]
    assert after["memory/MEMORY.md"].count(b"](") == 4
    others = {row["label"] for row in receipt.files if row["ops"] and merge not in row["ops"]}
    for label in others:
        assert after[label] != before.get(label), label
    for index in applied:
        if index != merge:
            undoing.undo(bed.order(), receipt.run, ops=[index])
    entries = {
        name: data for name, data in bed.tree().items() if name != "memory/MEMORY.md" and "AGENTS" not in name
    }
    assert entries == {name: before[name] for name in entries}


def test_unknown_runs_and_runs_without_changes_are_told_apart(bed: Bed) -> None:
    with pytest.raises(NoRun):
        undoing.undo(bed.order(), "20200101T000000Z-aaaa")
    receipt = bed.dream("tidy")
    with pytest.raises(NotUndoable):
        undoing.undo(bed.order(), receipt.run, ops=[99])


def test_unflagging_is_a_run_that_can_be_undone(bed: Bed) -> None:
    bed.dream("flag")
    flagged = [path for path in bed.memory.glob("*.md") if b"flagged: true" in path.read_bytes()]
    assert flagged
    data = flagged[0].read_bytes()
    receipt = unflagging.unflag(bed.order(), flagged[0].stem)
    assert b"flagged" not in flagged[0].read_bytes()
    undoing.undo(bed.order(), receipt.run)
    assert flagged[0].read_bytes() == data
    with pytest.raises(Stopped, match="no entry"):
        unflagging.unflag(bed.order(), "nothing-like-it")


def test_what_a_person_took_back_is_not_done_again_until_its_entries_change(bed: Bed) -> None:
    """A manual run shows every entry again; the same merge must not come back with it."""
    undoing.undo(bed.order(), bed.dream("tidy").run)
    before = bed.tree()
    bed.write("unrelated", "A new fact: the queue is drained at 02:15.")
    receipt = bed.dream("tidy")
    assert {v.status for v in receipt.verdicts if v.kind in ("merge", "update")} == {"dropped"}
    after = bed.tree()
    for name in ("memory/outbox.md", "memory/outbox-events.md", "memory/release.md"):
        assert after[name] == before[name]
    changed = bed.memory / "release.md"
    changed.write_text(changed.read_text() + "\nOne more line.\n")
    receipt = bed.dream("tidy")
    assert "applied" in {v.status for v in receipt.verdicts if "release" in v.targets}


def test_an_entry_that_was_unflagged_is_not_flagged_again_for_the_same_text(bed: Bed) -> None:
    receipt = bed.dream("flag")
    name = next(v.targets[0] for v in receipt.verdicts if v.status == "applied")
    unflagging.unflag(bed.order(), name)
    bed.dream("flag", again=True)
    assert b"flagged" not in (bed.memory / f"{name}.md").read_bytes()


def test_undo_again_takes_back_the_dream_before_and_not_the_undo(bed: Bed) -> None:
    """`undo` twice must not put back what it took away, be it all within one second."""
    start = bed.tree()
    bed.dream("relink")
    bed.dream("tidy", again=True)
    undoing.undo(bed.order(), "last")
    undoing.undo(bed.order(), "last")
    assert {k: v for k, v in bed.tree().items() if "AGENTS" not in k} == {k: v for k, v in start.items() if "AGENTS" not in k}
    with pytest.raises(NoRun):
        undoing.undo(bed.order(), "last")


def test_after_a_purge_undo_takes_back_what_it_can_and_names_the_rest(bed: Bed) -> None:
    """Who has forgotten one entry still wants the others back, and the index to list them."""
    run = bed.dream("tidy").run
    changed = {path.name for path in bed.memory.glob("*.md")} | {"outbox-events.md"}
    before_release = "Note to self"
    state = bed.order().state
    purge.purge(state, entry="outbox.md", forget=runs.forget)
    undone = undoing.undo(bed.order(), run)
    assert before_release in (bed.memory / "release.md").read_text()
    left = [note.split(" is left")[0] for note in undone.notes if "purged" in note]
    assert "memory/MEMORY.md" in left and set(left) <= {f"memory/{name}" for name in (*changed, "MEMORY.md")}
    assert undone.message.startswith(f"took back run {run}; ") and "left as" in undone.message
    index = (bed.memory / "MEMORY.md").read_text()
    assert index.startswith("# Notes\n\nKeep this line.\n")
    assert all(f"({path.name})" in index for path in bed.memory.glob("*.md") if path.name != "MEMORY.md")


def test_after_a_purge_of_everything_undo_says_that_nothing_came_back(bed: Bed) -> None:
    run = bed.dream("tidy").run
    before = bed.tree()
    purge.purge(bed.order().state, runs={run}, forget=runs.forget)
    undone = undoing.undo(bed.order(), run)
    assert undone.outcome == "nothing" and undone.message.startswith(f"nothing to take back of run {run}")
    assert undone.notes and bed.tree() == before
