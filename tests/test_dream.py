"""One dream, end to end but for the real client: what a user finds afterwards, and what failure leaves."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from dream_kit import Bed, fill, make_bed

from agentops_dream import dream as story
from agentops_dream import hooked
from agentops_dream.models import Receipt
from agentops_dream.order import Busy, Nothing, Stopped, lock


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    made = make_bed(tmp_path)
    fill(made)
    return made


def fates(receipt: Receipt) -> dict[str, str]:
    return {verdict.kind: verdict.status for verdict in receipt.verdicts}


def test_a_dream_merges_twins_keeps_facts_index_and_unknown_keys_and_mirrors(bed: Bed) -> None:
    """What people install this for."""
    receipt = bed.dream("tidy")
    assert receipt.outcome == "applied", receipt
    assert fates(receipt)["merge"] == "applied", receipt.verdicts
    left = sorted(path.name for path in bed.memory.glob("*.md") if path.name != "MEMORY.md")
    assert len(left) == 3
    survivor = (bed.memory / next(name for name in left if name.startswith("outbox"))).read_text()
    for fact in (
        "`order_outbox`",
        "250 ms",
        "100 rows",
        "37 events",
        "2026-03-06",
        "never publish",
        "owner: kit",
    ):
        assert fact in survivor
    index = (bed.memory / "MEMORY.md").read_text()
    assert index.startswith("# Notes\n\nKeep this line.\n\n- ")
    assert index.count("](") == 3
    agents = (bed.project / "AGENTS.md").read_text()
    assert "agentops:dreaming:start" in agents and "Staging database: port and role" in agents
    assert len(bed.calls) == 1


def test_a_second_dream_over_unchanged_memory_costs_nothing(bed: Bed) -> None:
    """The dream's own writes must not start the next one, nor the same pair be paid for every night."""
    bed.dream("tidy")
    after = bed.tree()
    with pytest.raises(Nothing):
        bed.dream("tidy")
    with pytest.raises(Nothing):
        bed.dream("tidy", trigger="Stop")
    assert len(bed.calls) == 1
    assert bed.tree() == after


def test_only_the_changed_entry_is_in_focus_the_next_time(bed: Bed) -> None:
    bed.dream("nothing")
    bed.write("fresh", "The retry worker gives up after 5 attempts.")
    bed.later(3600)
    receipt = bed.dream("nothing", trigger="Stop")
    assert receipt.focus == ("fresh.md",)


def test_a_dream_with_no_accepted_op_still_lists_entries_and_mirrors(bed: Bed) -> None:
    receipt = bed.dream("nothing")
    assert {row["label"] for row in receipt.files} == {"memory/MEMORY.md", "project/AGENTS.md"}
    index = (bed.memory / "MEMORY.md").read_text()
    assert "(outbox-events.md)" in index and "(staging-db.md)" in index


FAILURES = [
    "reply_null", "reply_list", "reply_empty_object", "ops_null", "ops_not_a_list", "ops_text", "reply_empty",
    "reply_blank", "reply_literal_null", "reply_prose", "reply_truncated", "reply_truncated_fenced",
    "nothing_at_all", "error_with_rc_0", "error_as_success", "login", "login_envelope", "limit", "bad_request",
    "unauthorized", "rate_limited", "overloaded", "refusal", "out_of_tokens", "over_budget", "cut", "cut_off", "dead",
]  # fmt: skip


@pytest.mark.parametrize("scenario", FAILURES)
def test_a_reply_that_is_no_plan_changes_nothing_and_makes_the_next_one_wait(bed: Bed, scenario: str) -> None:
    """A login message in a memory, or a half plan carried out, would be the end of trust."""
    before = bed.tree()
    with pytest.raises(Stopped):
        bed.dream(scenario, trigger="Stop")
    assert bed.tree() == before
    assert bed.state("fingerprint.json") is None, "what was not dreamt over stays in the delta"
    rate = bed.state("rate.json")
    assert rate["failures"] == 1 and rate["not_before"] > bed.now.timestamp()
    hooked.from_hook(bed.order(trigger="Stop", FAKE_CLAUDE_SCENARIO="tidy"))
    assert len(bed.calls) == 1, "the back-off was not kept"


BROKEN_OPS = [
    "body_null", "body_missing", "body_empty", "body_blank", "body_literal_null", "body_number", "body_shrunk",
    "merge_with_itself", "not_shown", "confidence_text", "confidence_high", "confidence_nan",
]  # fmt: skip


@pytest.mark.parametrize("scenario", BROKEN_OPS)
def test_a_broken_op_is_refused_and_its_entry_stays_as_it_is(bed: Bed, scenario: str) -> None:
    before = {path.name: path.read_bytes() for path in bed.memory.glob("*.md") if path.name != "MEMORY.md"}
    try:
        receipt = bed.dream(scenario)
    except Stopped:
        receipt = None
    after = {path.name: path.read_bytes() for path in bed.memory.glob("*.md") if path.name != "MEMORY.md"}
    assert after == before
    if receipt is not None and receipt.verdicts:
        assert all(verdict.status != "applied" or verdict.kind == "update" for verdict in receipt.verdicts)


def test_failures_back_off_further_each_time_and_success_forgets_them(bed: Bed) -> None:
    waits = []
    for _ in range(3):
        with pytest.raises(Stopped):
            bed.dream("overloaded", trigger="Stop")
        waits.append(bed.state("rate.json")["not_before"] - bed.now.timestamp())
        bed.later(waits[-1] + 3600)
    assert waits[1] == 2 * waits[0] and waits[2] == 4 * waits[0]
    bed.dream("nothing", trigger="Stop")
    assert bed.state("rate.json")["failures"] == 0


def test_a_cut_reply_makes_the_next_dream_show_less(bed: Bed) -> None:
    """Otherwise a store whose plan is too long would fail for ever."""
    with pytest.raises(Stopped):
        bed.dream("reply_truncated", trigger="Stop")
    assert bed.state("rate.json")["shrink"] == 1
    bed.later(100_000)
    bed.dream("nothing", trigger="Stop")
    assert bed.state("rate.json")["shrink"] == 0


def test_the_interval_and_the_daily_number_hold_automatic_dreams_back(bed: Bed) -> None:
    bed.dream("nothing", trigger="Stop")
    bed.write("more", "More to dream over.")
    with pytest.raises(Nothing):
        bed.dream("nothing", trigger="Stop")
    bed.later(1801)
    bed.dream("nothing", trigger="Stop")
    bed.write("again", "And more.")
    bed.later(1801)
    with pytest.raises(Nothing):
        bed.dream("nothing", trigger="Stop", MAX_PER_DAY="2")
    bed.dream("nothing", MAX_PER_DAY="0")


def test_money_is_counted_over_all_directories_even_for_refused_replies(bed: Bed, tmp_path: Path) -> None:
    """A quota drained at night is the field's classic."""
    with pytest.raises(Stopped):
        bed.dream("reply_prose")
    spent = story.spend.by_day(Path(bed.order().places.state_root))
    assert sum(spent.values()) > 0
    with pytest.raises(Stopped, match="money"):
        bed.dream("tidy", MAX_USD_PER_DAY="0.000001")
    assert len(bed.calls) == 1


def test_audit_moves_nothing_but_the_staging_file_and_pays_once(bed: Bed) -> None:
    before = bed.tree()
    receipt = bed.dream("tidy", PROMOTE="audit", trigger="Stop")
    assert receipt.outcome == "staged"
    assert bed.tree() == before
    assert bed.state("fingerprint.json") is None
    staged = list(Path(bed.order().places.staging).glob("ops-*.json"))
    assert [path.stat().st_mode & 0o777 for path in staged] == [0o600]
    bed.later(4000)
    with pytest.raises(Nothing, match="review"):
        bed.dream("tidy", PROMOTE="audit", trigger="Stop")
    assert len(bed.calls) == 1
    assert bed.tree() == before


def test_an_edit_made_while_the_model_thinks_is_kept_and_the_other_ops_go_through(bed: Bed) -> None:
    """Read, two minutes of model, write of the old snapshot: others lost everything in between."""
    edited = bed.memory / "outbox.md"

    def edit() -> None:
        while not bed.calls:
            time.sleep(0.01)
        edited.write_text(edited.read_text() + "\nAdded by a person: the relay needs 2 replicas.\n")
        bed.write("written-meanwhile", "A new fact: port 7070.")

    writer = threading.Thread(target=edit)
    writer.start()
    receipt = bed.dream("slow:2")
    writer.join()
    assert "2 replicas" in edited.read_text()
    assert (bed.memory / "written-meanwhile.md").exists()
    assert "(written-meanwhile.md)" in (bed.memory / "MEMORY.md").read_text()
    merge = [verdict for verdict in receipt.verdicts if verdict.kind == "merge"]
    assert all(verdict.status != "applied" for verdict in merge)
    with pytest.raises(Nothing):
        bed.dream("nothing", trigger="Stop")  # too early
    bed.later(4000)
    assert "outbox.md" in bed.dream("nothing", trigger="Stop").focus, "the edit was never dreamt over"


def test_two_dreams_of_one_directory_at_once_are_one(bed: Bed) -> None:
    with lock(bed.order().state), pytest.raises(Busy):
        bed.dream("tidy")
    assert bed.calls == []


def test_nothing_to_dream_over_is_said_as_such(tmp_path: Path) -> None:
    bed = make_bed(tmp_path)
    with pytest.raises(Nothing, match="no entries"):
        bed.dream()
    bed.memory.rmdir()
    with pytest.raises(Nothing, match="no memory directory"):
        bed.dream()


def test_no_claude_no_dream_and_no_other_binary_is_tried(bed: Bed) -> None:
    order = bed.order(CLAUDE_BIN="/nowhere/claude", trigger="Stop")
    assert hooked.from_hook(order) is None
    assert "no dream" in bed.log and "not-found" in bed.log


def test_a_store_that_cannot_be_written_costs_no_money(bed: Bed) -> None:
    (bed.project / "AGENTS.md").write_text("mine\n")
    (bed.project / "AGENTS.md").chmod(0o444)
    with pytest.raises(Stopped, match=r"AGENTS\.md"):
        bed.dream("tidy")
    assert bed.calls == []


def test_one_bad_file_does_not_hold_up_the_others(bed: Bed) -> None:
    (bed.memory / "broken.md").write_bytes(b"---\nname: x\n---\n\xff\xfe")
    receipt = bed.dream("tidy")
    assert receipt.outcome == "applied"
    assert (bed.memory / "broken.md").read_bytes() == b"---\nname: x\n---\n\xff\xfe"


def test_a_file_that_the_mirror_made_goes_when_nothing_is_left_to_mirror(bed: Bed) -> None:
    """An empty AGENTS.md in a project that never had one would be litter in somebody's commit."""
    bed.dream("nothing")
    assert (bed.project / "AGENTS.md").exists()
    for path in bed.memory.glob("*.md"):
        if path.name != "MEMORY.md":
            path.write_text(path.read_text().replace("type: project", "type: user").replace("type: reference", "type: user"))
    bed.dream("nothing")
    assert not (bed.project / "AGENTS.md").exists()


def test_an_entry_with_a_secret_anywhere_is_held_back_from_the_mirror_and_named(bed: Bed) -> None:
    """AGENTS.md is committed: what gets there is published."""
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    bed.write("deploy", "How to deploy: make deploy.", description=f"Deploy with {token}")
    receipt = bed.dream("nothing")
    assert token not in (bed.project / "AGENTS.md").read_text()
    assert any("deploy.md" in note for note in receipt.notes)


def test_a_fault_of_our_own_backs_off_too_and_leaves_one_line(bed: Bed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a bug after the paid call would be paid for again at every stop."""

    def crash(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(story.deep, "judge", crash)
    before = bed.tree()
    env = bed.order(trigger="Stop", FAKE_CLAUDE_SCENARIO="tidy").env
    assert hooked.main(env) == 1
    assert bed.tree() == before
    assert bed.state("rate.json")["failures"] == 1
    assert [line for line in bed.log.splitlines() if "ZeroDivisionError" in line and "crashed" in line]


def test_a_store_of_one_bad_file_is_reported_once_and_starts_nothing_again(tmp_path: Path) -> None:
    """A broken file that stays broken must not start a process at the end of every turn."""
    bed = make_bed(tmp_path)
    (bed.memory / "broken.md").write_bytes(b"\xff\xfe\x00")
    for _ in range(2):
        with pytest.raises(Nothing, match="no entries"):
            bed.dream("tidy", trigger="Stop")
        bed.later(4000)
    known = story.fingerprint.load(str(bed.order().state / "fingerprint.json"))
    assert story.fingerprint.scan(str(bed.memory), known) == ()
    assert bed.log.count("left alone") == 1


def test_an_entry_that_another_program_holds_open_is_left_and_the_rest_goes_through(bed: Bed) -> None:
    """An editor with an open file must not cost the user every other op of a paid plan."""
    with open(bed.memory / "outbox.md", "ab") as held:
        receipt = bed.dream("tidy")
        assert receipt.outcome == "applied", receipt
        held.write(b"\nWritten by the editor.\n")
    assert "Written by the editor." in (bed.memory / "outbox.md").read_text()
    assert "Note to self" not in (bed.memory / "release.md").read_text()
    assert {v.kind: v.status for v in receipt.verdicts}["merge"] != "applied"


def test_a_read_only_entry_is_left_and_the_rest_goes_through(bed: Bed) -> None:
    before = (bed.memory / "outbox.md").read_bytes()
    (bed.memory / "outbox.md").chmod(0o444)
    receipt = bed.dream("tidy")
    assert receipt.outcome == "applied"
    assert (bed.memory / "outbox.md").read_bytes() == before
    assert "Note to self" not in (bed.memory / "release.md").read_text()
