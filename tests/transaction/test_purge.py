"""What a person wants forgotten is gone from everything that the transaction keeps."""

from __future__ import annotations

import json
from datetime import datetime, timezone

import pytest
from transaction_kit import NEXT, NOW, RUN, NoExchange, Swift, scene

from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.purge import expire, purge
from agentops_dream.transaction.recover import recover
from agentops_dream.transaction.undo import plan_undo

DISK = Swift()
SECRET = "hunter-" + "2" * 20


class Forgetting(list):
    def __call__(self, run_dir, labels):
        self.append((run_dir.name, labels))


@pytest.fixture
def place(tmp_path):
    """Two runs: the second one rewrites the entry that holds the secret."""
    found = scene(tmp_path)
    commit(found.run(), found.changes(), memo={"note": SECRET}, disk=DISK)
    changes = [
        found.change("memory/sub/f.md", f"password {SECRET}\n".encode()),
        found.change("memory/MEMORY.md", b"- [F](sub/f.md)\n"),
        found.change("memory/untouched.md", b"touched\n"),
    ]
    commit(found.run(NEXT), changes, memo={"note": SECRET}, disk=DISK)
    return found


def everything(place):
    return b"".join(path.read_bytes() for path in place.state.rglob("*") if path.is_file())


def stored(place, run):
    return sorted(path.name for path in place.run(run).rglob("*") if path.is_file())


def test_a_run(place):
    forget = Forgetting()
    done = purge(place.state, runs=[RUN], forget=forget, disk=DISK)
    assert done.runs == (RUN,) and done.size > 0 and forget == [(RUN, None)]
    assert stored(place, RUN) == ["record.json"] and len(stored(place, NEXT)) > 1
    assert SECRET.encode() not in (place.run() / "record.json").read_bytes()
    plan = plan_undo(place.run(), disk=DISK)
    assert plan.changes == () or all(change.before is None for change in plan.changes) or plan.left
    assert any(item.reason == "its stored bytes were purged" for item in plan.left)


def test_everything_before_a_moment(place):
    forget = Forgetting()
    moment = datetime(2026, 1, 2, 3, 4, 30, tzinfo=timezone.utc)
    assert purge(place.state, before=moment, forget=forget, disk=DISK).runs == (RUN,)
    assert forget == [(RUN, None)]


def test_an_entry_in_every_run_with_what_names_it(place):
    forget = Forgetting()
    done = purge(place.state, entry="sub/f.md", forget=forget, disk=DISK)
    assert done.runs == (RUN, NEXT)
    assert SECRET.encode() not in everything(place)
    assert "更新".encode() not in everything(place)
    assert set(done.labels) == {"memory/sub/f.md", "memory/MEMORY.md", "project/AGENTS.md"}
    assert "untouched.md.bak" in stored(place, NEXT)
    assert [labels for _, labels in forget] == [
        frozenset({"memory/sub/f.md", "memory/MEMORY.md", "project/AGENTS.md"}),
        frozenset({"memory/sub/f.md", "memory/MEMORY.md"}),
    ]
    assert plan_undo(place.run(NEXT), disk=DISK).changes[0].label == "memory/untouched.md"


def test_a_text_wherever_it_stands(place):
    done = purge(place.state, texts=[SECRET], forget=Forgetting(), disk=DISK)
    assert SECRET.encode() not in everything(place)
    assert done.labels == ("memory/sub/f.md",) and done.runs == (RUN, NEXT)
    assert "a.md.bak" in stored(place, RUN)


def test_a_text_that_only_a_refused_op_quotes(place):
    """The receipt of a run that changed no such file may still hold it."""
    (place.run(f"{NEXT}9")).mkdir()
    (place.run(f"{NEXT}9") / "receipt.json").write_text(json.dumps({"raw": "秘密の鍵"}))
    forget = Forgetting()
    done = purge(place.state, texts=["秘密の鍵"], forget=forget, disk=DISK)
    assert done.runs == (f"{NEXT}9",) and forget == [(f"{NEXT}9", frozenset())]


def test_a_name_is_not_found_inside_another(place):
    commit(place.run(f"{NEXT}9"), [place.change("memory/untouched.md", b"see data.md\n")], disk=DISK)
    done = purge(place.state, entry="a.md", forget=Forgetting(), disk=DISK)
    assert f"{NEXT}9" not in done.runs


def test_staging(place):
    staging = place.root / "staging"
    staging.mkdir()
    (staging / f"ops-{RUN}.json").write_text(json.dumps({"body": "秘密"}))
    (staging / f"ops-{NEXT}.json").write_text(json.dumps({"body": "harmless"}))
    done = purge(place.state, texts=["秘密"], staging=staging, forget=Forgetting(), disk=DISK)
    assert done.staged == (f"ops-{RUN}.json",)
    done = purge(place.state, runs=[NEXT], staging=staging, forget=Forgetting(), disk=DISK)
    assert done.staged == (f"ops-{NEXT}.json",) and not list(staging.iterdir())


def test_displaced_files_and_kept_copies_go_too(tmp_path):
    place = scene(tmp_path)
    disk = NoExchange()
    with open(place.path("memory/a.md"), "ab") as held:
        commit(place.run(), place.changes(), disk=disk)
        held.write(SECRET.encode())
    assert SECRET.encode() in everything(place)
    purge(place.state, entry="a.md", forget=Forgetting(), disk=disk)
    assert SECRET.encode() not in everything(place)

    place = scene(tmp_path / "other")
    with open(place.path("memory/a.md"), "ab") as held:
        commit(place.run(), place.changes(), disk=disk)
        held.write(SECRET.encode())
    recover(place.state, now=NOW, disk=disk)
    assert SECRET.encode() in everything(place)
    purge(place.state, texts=[SECRET], forget=Forgetting(), disk=disk)
    assert SECRET.encode() not in everything(place)


def test_an_unfinished_run_is_skipped_and_named(place):
    (place.run() / "record.json").rename(place.run() / "journal.json")
    done = purge(place.state, runs=[RUN], forget=Forgetting(), disk=DISK)
    assert done.skipped == (RUN,) and done.runs == () and len(stored(place, RUN)) > 1
    assert expire(place.state, datetime(2027, 1, 1, tzinfo=timezone.utc), disk=DISK) == (NEXT,)


def test_a_run_whose_record_is_damaged_is_forgotten_too(place):
    (place.run(NEXT) / "record.json").write_bytes(b"{")
    purge(place.state, texts=[SECRET], forget=Forgetting(), disk=DISK)
    assert "f.md" not in stored(place, NEXT)


def test_something_has_to_be_chosen(place):
    with pytest.raises(ValueError, match="say what to purge"):
        purge(place.state, forget=Forgetting(), disk=DISK)


def test_old_runs_go_whole(place):
    gone = expire(place.state, datetime(2026, 1, 2, 3, 4, 30, tzinfo=timezone.utc), disk=DISK)
    assert gone == (RUN,) and not place.run().exists() and place.run(NEXT).exists()
