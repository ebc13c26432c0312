"""Receipts: whatever a run did can be read again, holds no secret, and can be forgotten."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentops_dream.journal import runs
from agentops_dream.models import Fault, Receipt, Usage, Verdict

SECRET = "ghp_" + "a1B2" * 9
RUN = "20260102T030405Z-ab12"

TEXT = st.text(max_size=20)
VERDICTS = st.builds(
    Verdict,
    index=st.integers(0, 9),
    kind=st.sampled_from(["update", "merge", ""]),
    status=st.sampled_from(["applied", "dropped", "parked"]),
    targets=st.tuples(TEXT),
    faults=st.lists(st.builds(Fault, TEXT, TEXT, st.tuples(TEXT)), max_size=2).map(tuple),
    confidence=st.floats(0, 1),
    rationale=TEXT,
    raw=st.none() | st.dictionaries(TEXT, TEXT | st.integers() | st.none(), max_size=2),
)


def receipt(**changes):
    plain = Receipt(
        run=RUN,
        kind="dream",
        trigger="Stop",
        outcome="applied",
        message="1 applied; 1 file changed",
        started="2026-01-02T03:04:05Z",
        seconds=1.5,
        memory_dir="/home/u/.claude/projects/x/memory",
        project="/home/u/x",
        focus=("a.md",),
        shown=("a.md", "b.md"),
        verdicts=(
            Verdict(0, "merge", "applied", ("a", "b"), (), 0.9, "same fact twice", {"new_body": "text"}),
            Verdict(1, "delete", "rejected", ("c",), (Fault("loss", "port 8080 is lost", ("8080",)),), 0.9),
        ),
        files=({"label": "memory/a.md", "before": "1" * 64, "after": None, "ops": [0], "diff": "-text\n"},),
        usage=Usage(0.01, 100, 20, 1, "m", 0.5),
        notes=("a note",),
    )
    return replace(plain, **changes)


def test_a_receipt_reads_back_as_it_was(tmp_path):
    path = runs.write(tmp_path, receipt())
    assert path == tmp_path / "runs" / RUN / "receipt.json" and path.stat().st_mode & 0o777 == 0o600
    assert runs.read(path) == receipt()


@given(st.lists(VERDICTS, max_size=3).map(tuple), st.lists(TEXT, max_size=3).map(tuple))
def test_any_receipt_survives_json(verdicts, notes):
    """A receipt that cannot be read again hides what a dream did."""
    made = receipt(verdicts=verdicts, notes=notes)
    data = json.loads(json.dumps(runs.to_json(made)))
    assert runs.to_json(runs.from_json(data)) == data


def test_no_secret_reaches_a_receipt(tmp_path):
    made = receipt(
        message=SECRET,
        notes=(SECRET,),
        verdicts=(Verdict(0, "update", "rejected", raw={"body": [SECRET]}, rationale=SECRET),),
        files=({"label": "memory/a.md", "before": None, "after": "2", "ops": [], "diff": f"+{SECRET}\n"},),
    )
    assert SECRET not in runs.write(tmp_path, made).read_text()


def test_a_receipt_of_a_newer_version_can_be_read(tmp_path):
    """Going back to an older version must not hide the runs of the newer one."""
    data = runs.to_json(receipt())
    data["colour"] = "blue"
    data["usage"]["cached_tokens"] = 5
    data["verdicts"][0]["mood"] = "calm"
    assert runs.from_json(data) == receipt()


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"[1]", b"{}", b'"x"', b'{"usage": 1}', b"\xff"])
def test_a_broken_receipt_is_passed_over_and_said_so(tmp_path, raw):
    runs.write(tmp_path, receipt())
    broken = tmp_path / "runs" / "20260103T030405Z-cd34" / "receipt.json"
    broken.parent.mkdir()
    broken.write_bytes(raw)
    (tmp_path / "runs" / ".DS_Store").write_bytes(b"x")
    assert [found.run for found in runs.every(tmp_path)] == [RUN]
    with pytest.raises(runs.NoRun, match=r"receipt\.json"):
        runs.read(broken)


def test_runs_are_found_by_their_names(tmp_path):
    for run in (RUN, "20260102T040506Z-cd34", "20260103T010101Z-ab99"):
        runs.write(tmp_path, receipt(run=run))
    assert [found.run[:15] for found in runs.every(tmp_path)] == [
        "20260103T010101",
        "20260102T040506",
        "20260102T030405",
    ]
    assert runs.find(tmp_path, "last").run == "20260103T010101Z-ab99"
    assert runs.find(tmp_path, "cd34").run == "20260102T040506Z-cd34"
    assert runs.find(tmp_path, "20260102T03").run == RUN
    with pytest.raises(runs.NoRun, match="any of 2 runs"):
        runs.find(tmp_path, "20260102")
    with pytest.raises(runs.NoRun, match="`agentops-dream log`"):
        runs.find(tmp_path, "ffff")
    with pytest.raises(runs.NoRun):
        runs.find(tmp_path / "empty", "last")


def test_ids_sort_by_time_and_within_a_second_by_their_order(tmp_path):
    """`last` and `undo` must mean the run that came last, though a script made three in one second."""
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
    made = []
    for digits in ("ffffff", "000000", "77777a"):
        made.append(runs.new_id(tmp_path, now, lambda digits=digits: digits))
        runs.write(tmp_path, receipt(run=made[-1]))
        assert runs.find(tmp_path, "last").run == made[-1]
    made.append(runs.new_id(tmp_path, now.replace(second=6), lambda: "000000"))
    assert made[0] == "20260102T030405Z-00ffffff" and made == sorted(made)


def test_an_attempt_that_was_taken_back_counts_as_well(tmp_path):
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
    (tmp_path / "runs" / "20260102T030405Z-03ffffff.1").mkdir(parents=True)
    assert runs.new_id(tmp_path, now, lambda: "000000") == "20260102T030405Z-04000000"


def test_nothing_to_find_is_said_as_such(tmp_path):
    with pytest.raises(runs.NoRun, match="no run here yet"):
        runs.find(tmp_path, "last")


def test_forgetting_everything_leaves_names_hashes_and_figures(tmp_path):
    path = runs.write(tmp_path, receipt())
    runs.forget(path.parent, None)
    text = path.read_text()
    for gone in ("text", "port 8080", "8080", "same fact twice"):
        assert gone not in text
    kept = runs.read(path)
    assert kept.files[0]["before"] == "1" * 64 and kept.files[0]["label"] == "memory/a.md"
    assert kept.usage == receipt().usage and [fault.code for fault in kept.verdicts[1].faults] == ["loss"]


def test_forgetting_one_file_keeps_the_others(tmp_path):
    rows = (*receipt().files, {"label": "memory/b.md", "before": "3", "after": "4", "ops": [1], "diff": "+other\n"})
    path = runs.write(tmp_path, receipt(files=rows))
    runs.forget(path.parent, frozenset({"memory/a.md"}))
    kept = runs.read(path)
    assert [row["diff"] for row in kept.files] == ["", "+other\n"]
    assert all(verdict.raw is None and verdict.rationale == "" for verdict in kept.verdicts)
    runs.forget(tmp_path / "runs" / "none", None)
