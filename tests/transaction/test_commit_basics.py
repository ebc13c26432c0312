"""One dream's files go through together, and keep what belongs to them besides their bytes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from transaction_kit import AFTER, NEXT, NOW, RUN, Swift, leftovers, scene

from agentops_dream.models import FileChange
from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.errors import Conflict
from agentops_dream.transaction.recover import recover

DISK = Swift()


def expected_after(place):
    shot = place.snapshot()
    for label, data in AFTER.items():
        label = "project/docs/AGENTS.md" if label == "project/AGENTS.md" else label
        if data is None:
            shot.pop(label, None)
        else:
            mode = shot[label][2] if label in shot else 0o644
            shot[label] = ("file", data, mode)
    shot["memory/new"] = shot["memory/new/deep"] = ("folder",)
    return shot


def test_all_files_change_and_nothing_else(tmp_path):
    place = scene(tmp_path)
    os.umask(0o022)
    wanted = expected_after(place)
    outcome = commit(place.run(), place.changes(), disk=DISK)
    assert place.snapshot() == wanted
    assert outcome.run == RUN and outcome.kept == ()
    assert {row["label"] for row in outcome.files} == set(AFTER)
    assert recover(place.state, now=NOW, disk=DISK) == ()


def test_old_and_new_bytes_are_stored(tmp_path):
    place = scene(tmp_path)
    changes = place.changes()
    commit(place.run(), changes, disk=DISK)
    for change in changes:
        if change.before is not None:
            assert (place.run() / "bak" / f"{change.label}.bak").read_bytes() == change.before
        if change.after is not None:
            assert (place.run() / "new" / change.label).read_bytes() == change.after
    assert not (place.run() / "old").exists()
    assert (place.run().stat().st_mode & 0o777) == 0o700


def test_link_is_written_through_and_stays(tmp_path):
    place = scene(tmp_path)
    commit(place.run(), place.changes(), disk=DISK)
    link = tmp_path / "project" / "AGENTS.md"
    assert os.readlink(link) == "docs/AGENTS.md" and link.read_bytes() == AFTER["project/AGENTS.md"]


def test_entry_that_became_a_link_is_left(tmp_path):
    place = scene(tmp_path)
    change = place.change("memory/b.md", b"new")
    elsewhere = tmp_path / "elsewhere.md"
    (tmp_path / "memory/b.md").rename(elsewhere)
    (tmp_path / "memory/b.md").symlink_to(elsewhere)
    with pytest.raises(Conflict, match=r"memory/b\.md is a link now"):
        commit(place.run(), [change], disk=DISK)
    assert elsewhere.read_bytes() == change.before


def test_attributes_survive(tmp_path):
    place = scene(tmp_path)
    path = tmp_path / "memory" / "a.md"
    try:
        os.setxattr(path, "user.note", b"kept")
    except OSError:
        path = None
    commit(place.run(), place.changes(), disk=DISK)
    if path is not None:
        assert os.getxattr(path, "user.note") == b"kept"


def test_every_stale_file_is_named_and_nothing_moves(tmp_path):
    place = scene(tmp_path)
    changes = place.changes()
    (tmp_path / "memory/a.md").write_bytes(b"edited")
    (tmp_path / "memory/c.md").unlink()
    (tmp_path / "memory/new/deep").mkdir(parents=True)
    (tmp_path / "memory/new/deep/name.md").write_bytes(b"mine")
    before = place.snapshot()
    with pytest.raises(Conflict) as caught:
        commit(place.run(), changes, disk=DISK)
    assert caught.value.reasons == {
        "memory/a.md": "was changed",
        "memory/c.md": "is gone",
        "memory/new/deep/name.md": "exists already",
    }
    assert place.snapshot() == before and not place.run().exists()
    rest = [change for change in changes if change.label not in caught.value.labels]
    commit(place.run(), rest, disk=DISK)


def test_read_only_file_is_a_wish(tmp_path):
    place = scene(tmp_path)
    (tmp_path / "memory/a.md").chmod(0o444)
    with pytest.raises(Conflict, match="is read-only"):
        commit(place.run(), place.changes(), disk=DISK)


def test_names_that_no_file_system_likes(tmp_path):
    """A 255-byte name has no room for ".bak"; names may be no UTF-8; two labels may differ by case only."""
    place = scene(tmp_path)
    names = [b"x" * 252 + b".md", "記".encode() * 84 + b".md", b"\xff\xfe.md", b"Case.md", b"case.md", b"n\nl.md"]
    changes = []
    for name in names:
        path = Path(os.fsdecode(os.path.join(os.fsencode(tmp_path / "memory"), name)))
        path.write_bytes(b"old " + name)
        changes.append(FileChange(path, f"memory/{path.name}", b"old " + name, b"new " + name, (0,)))
    commit(place.run(), changes, disk=DISK)
    for change in changes:
        assert change.path.read_bytes() == change.after
    assert not leftovers(tmp_path)


@pytest.mark.parametrize("label", ["memory/../x.md", "/x", "memory//x", "memory/.", "memory/a\\b"])
def test_label_that_leads_out_is_refused(tmp_path, label):
    with pytest.raises(ValueError):
        commit(tmp_path / "run", [FileChange(tmp_path / "x", label, None, b"x")], disk=DISK)


def test_one_file_twice_is_refused(tmp_path):
    change = FileChange(tmp_path / "x.md", "memory/x.md", None, b"x")
    with pytest.raises(ValueError, match="twice"):
        commit(tmp_path / "run", [change, change], disk=DISK)


def test_vanished_memory_directory_is_not_made_again(tmp_path):
    place = scene(tmp_path)
    (tmp_path / "memory").rename(tmp_path / "moved")
    change = FileChange(tmp_path / "memory/new/x.md", "memory/new/x.md", None, b"x")
    with pytest.raises(Conflict, match="has no folder any more"):
        commit(place.run(), [change], disk=DISK)
    assert not (tmp_path / "memory").exists()


def test_finish_is_called_after_the_record_and_again_after_a_crash(tmp_path):
    place = scene(tmp_path)
    calls = []

    def broken(run_dir, memo, outcome):
        calls.append(("broken", dict(memo), len(outcome.files)))
        raise OSError("no receipt today")

    with pytest.raises(OSError, match="no receipt"):
        commit(place.run(), place.changes(), memo={"cover": [1]}, finish=broken, disk=DISK)
    after = place.snapshot()

    def works(run_dir, memo, outcome):
        calls.append((run_dir, dict(memo), len(outcome.files)))

    (done,) = recover(place.state, now=NOW, finish=works, disk=DISK)
    assert done.action == "finished" and place.snapshot() == after
    assert calls == [("broken", {"cover": [1]}, 8), (place.run(), {"cover": [1]}, 8)]
    assert recover(place.state, now=NOW, finish=works, disk=DISK) == ()


def test_no_change_needs_no_journal_but_is_noted(tmp_path):
    place = scene(tmp_path)
    seen = []
    outcome = commit(
        place.run(),
        [place.change("memory/a.md", (tmp_path / "memory/a.md").read_bytes())],
        finish=lambda *args: seen.append(args),
        disk=DISK,
    )
    assert outcome.files == () and len(seen) == 1 and not place.run().exists()


def test_a_run_is_used_once(tmp_path):
    place = scene(tmp_path)
    commit(place.run(), place.changes(), disk=DISK)
    with pytest.raises(ValueError, match="used"):
        commit(place.run(), [place.change("memory/a.md", b"more")], disk=DISK)
    commit(place.run(NEXT), [place.change("memory/a.md", b"more")], disk=DISK)


def test_memo_that_is_no_json_fails_before_anything_is_written(tmp_path):
    place = scene(tmp_path)
    with pytest.raises(TypeError):
        commit(place.run(), place.changes(), memo={"x": object()}, disk=DISK)
    assert not place.run().exists()
