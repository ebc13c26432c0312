"""Proposals: a person takes the good ops, sends the others away, and nothing is paid for twice."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from dream_kit import RELEASE, Bed, fill, make_bed

from agentops_dream import deciding, staging, undoing
from agentops_dream import dream as story
from agentops_dream.models import Receipt
from agentops_dream.order import Nothing
from agentops_dream.staging import BadProposal


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    made = make_bed(tmp_path)
    fill(made)
    return made


def audit(bed: Bed, scenario: str = "tidy") -> Receipt:
    return bed.dream(scenario, PROMOTE="audit")


def test_applying_an_audits_proposal_gives_the_same_bytes_as_dreaming_at_once(
    bed: Bed, tmp_path: Path
) -> None:
    """Approving first must not be another product than trusting."""
    other = make_bed(tmp_path / "other")
    fill(other)
    other.dream("tidy")
    receipt = audit(bed)
    done = deciding.apply(bed.order(), receipt.run)
    assert done.outcome == "applied"
    assert bed.tree() == other.tree()
    assert staging.waiting(bed.order().staging) == ([], [])
    with pytest.raises(Nothing):
        bed.dream("tidy")
    assert len(bed.calls) == 1


def test_discarding_moves_nothing_and_is_not_proposed_again(bed: Bed) -> None:
    before = bed.tree()
    deciding.discard(bed.order(), audit(bed).run)
    assert bed.tree() == before
    with pytest.raises(Nothing):
        bed.dream("tidy", trigger="Stop")
    assert len(bed.calls) == 1


def test_only_the_named_ops_are_taken_and_the_rest_waits(bed: Bed) -> None:
    receipt = audit(bed)
    takeable = [v.index for v in receipt.verdicts if v.status == "applied"]
    assert len(takeable) >= 2, "the scenario must propose two good ops"
    deciding.apply(bed.order(), ops=takeable[:1])
    (left,) = staging.waiting(bed.order().staging)[0]
    assert takeable[0] not in left.ops and takeable[1] in left.ops
    deciding.discard(bed.order())
    assert staging.waiting(bed.order().staging)[0] == []


def test_an_op_whose_entry_changed_since_is_stale_and_the_edit_stays(bed: Bed) -> None:
    receipt = audit(bed)
    edited = bed.memory / "outbox.md"
    edited.write_text(edited.read_text() + "\nA person's later word.\n")
    (proposal,) = staging.waiting(bed.order().staging)[0]
    assert staging.stale(proposal, deciding.read(bed.order())) == ("outbox.md",)
    done = deciding.apply(bed.order(), receipt.run)
    assert "A person's later word." in edited.read_text()
    for verdict in done.verdicts:
        if "outbox" in verdict.targets:
            assert verdict.status != "applied"


def test_a_parked_op_is_staged_taken_only_by_name_and_then_carried_out(bed: Bed) -> None:
    """Parked is not gone: a person can still say yes, and must say it of this very op."""
    receipt = bed.dream("sloppy")
    parked = [v.index for v in receipt.verdicts if v.status == "parked"]
    assert parked, receipt.verdicts
    with pytest.raises(BadProposal):
        deciding.apply(bed.order(), receipt.run)
    done = deciding.apply(bed.order(), receipt.run, ops=parked[:1])
    assert [v.status for v in done.verdicts] == ["applied"]
    undoing.undo(bed.order(), done.run)


def test_a_refused_op_cannot_be_taken_at_all(bed: Bed) -> None:
    invented = {"op": "update", "target_ids": ["outbox"], "new_body": "The outbox listens on port 4711."}
    receipt = audit(bed, reply(bed, {"op": "update", "target_ids": ["release"], "new_body": RELEASE}, invented))
    assert [v.status for v in receipt.verdicts] == ["applied", "rejected"]
    with pytest.raises(BadProposal, match="refused"):
        deciding.apply(bed.order(), ops=[1])


def test_a_plan_of_which_nothing_can_be_taken_waits_for_nobody_and_is_not_paid_for_again(bed: Bed) -> None:
    """A person was sent to a review in which there was nothing to say yes to."""
    before = bed.tree()
    receipt = audit(bed, "inventive")
    assert receipt.outcome == "nothing" and all(v.reason for v in receipt.verdicts)
    assert staging.waiting(bed.order().staging) == ([], []) and bed.tree() == before
    with pytest.raises(Nothing, match="nothing has changed"):
        bed.dream("inventive", trigger="Stop", PROMOTE="audit")
    assert len(bed.calls) == 1


def test_an_op_that_was_sent_away_is_not_carried_out_from_another_proposal(bed: Bed) -> None:
    """Two nights may propose the same; a person's no holds for both."""
    ops = reply(
        bed,
        {"op": "update", "target_ids": ["release"], "new_body": RELEASE},
        {"op": "flag", "target_ids": ["outbox"], "rationale": "It may be out of date."},
    )
    order = bed.order(FAKE_CLAUDE_SCENARIO=ops, PROMOTE="audit", again=True)
    first, second = (story.dream(replace(order, focus=focus)).run for focus in (["release.md", "outbox.md"], None))
    before = (bed.memory / "release.md").read_bytes()
    deciding.discard(bed.order(), first, ops=[0])
    found = deciding.find(bed.order(), second)
    assert staging.offered(found) == (1,) and found.verdicts[0]["codes"] == ["declined"]
    with pytest.raises(BadProposal, match="a person took this back or sent it away"):
        deciding.apply(bed.order(), second, ops=[0])
    deciding.apply(bed.order(), second)
    assert (bed.memory / "release.md").read_bytes() == before


def test_a_broken_staging_file_is_named_and_blocks_nothing(bed: Bed) -> None:
    receipt = audit(bed)
    (bed.order().staging / "ops-broken.json").write_text("{")
    found, problems = staging.waiting(bed.order().staging)
    assert len(found) == 1 and "ops-broken.json" in problems[0]
    assert deciding.apply(bed.order(), receipt.run).outcome == "applied"


def test_a_damaged_field_makes_a_proposal_one_that_is_named_and_can_be_sent_away(bed: Bed) -> None:
    """One damaged file, and neither review nor apply nor discard gets past it."""
    path = staging.path_of(bed.order().staging, audit(bed).run)
    data = json.loads(path.read_bytes())
    for field in ("focus", "context", "ids", "secrets", "summary", "run", "proposed", "ops", "verdicts"):
        for value in ([], None, {"a.md": 3}, 7.5):
            path.write_text(json.dumps({**data, field: value}))
            found, problems = staging.waiting(bed.order().staging)
            assert found == [] and str(path) in problems[0], (field, value)


@pytest.mark.parametrize("text", ["{", "[]", "", "\x00", '{"version": 99}', "judged by nobody"])
def test_a_broken_proposal_can_be_sent_away_and_nothing_else_goes_with_it(bed: Bed, text: str) -> None:
    """It would be named by `status` for ever, and a person would have to look for the file."""
    receipt = audit(bed)
    folder = bed.order().staging
    kept = staging.path_of(folder, receipt.run).read_bytes()
    if text == "judged by nobody":
        data = json.loads(kept)
        data["verdicts"]["0"].pop("status")
        text = json.dumps(data)
    (folder / "ops-20260101T000000Z-00broken.json").write_text(text)
    (folder / "ops-20260101T000000Z-00broken.decided").write_text("{}")
    (problem,) = staging.waiting(folder)[1]
    assert "agentops-dream discard 20260101T000000Z-00broken" in problem
    assert deciding.discard_unreadable(bed.order()) == "", "the other is meant"
    assert deciding.discard_unreadable(bed.order(), "00broken") == "20260101T000000Z-00broken"
    assert [path.name for path in folder.iterdir()] == [f"ops-{receipt.run}.json"]
    assert staging.path_of(folder, receipt.run).read_bytes() == kept


def test_a_proposal_over_a_memory_that_is_gone_can_be_sent_away(bed: Bed) -> None:
    audit(bed)
    shutil.rmtree(bed.memory)
    deciding.discard(bed.order())
    assert list(bed.order().staging.iterdir()) == []


def test_no_secret_stands_in_staging_receipts_or_log_and_it_comes_back_on_apply(bed: Bed) -> None:
    """Staging is a copy of what the model wrote; a secret in it would lie around for months."""
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    path = bed.write(
        "deploy", f"Note to self: deploy with the token {token} from the shared vault, never by hand."
    )
    receipt = audit(bed)
    root = Path(bed.order().places.state_root)
    for file in root.rglob("*"):
        if file.is_file():
            assert token not in file.read_text(errors="replace"), file
    assert all(token not in call["stdin"] for call in bed.calls)
    deciding.apply(bed.order(), receipt.run)
    assert token in path.read_text()
    for file in root.rglob("*.json"):
        if "/runs/" in str(file) and file.name == "receipt.json":
            assert token not in file.read_text()
    assert token not in bed.log
    assert token not in (bed.project / "AGENTS.md").read_text()


def test_a_proposal_is_readable_by_its_owner_only_and_names_its_ops(bed: Bed) -> None:
    receipt = audit(bed)
    path = staging.path_of(bed.order().staging, receipt.run)
    assert path.stat().st_mode & 0o077 == 0
    assert set(json.loads(path.read_text())["ops"]) == {str(v.index) for v in receipt.verdicts}


def reply(bed: Bed, *ops: dict[str, object]) -> str:
    """Return a scenario that answers with these ops."""
    path = bed.folder / "reply.json"
    blank = {
        "new_name": None, "delete_source": False, "new_frontmatter": None, "new_body": None, "links": [],
        "superseded": [], "confidence": 0.95, "rationale": "Tidy.",
    }  # fmt: skip
    path.write_text(json.dumps({"ops": [{**blank, **op} for op in ops], "summary": ""}))
    return str(path)


def test_a_delete_that_the_gate_only_let_flag_is_not_carried_out_by_apply(bed: Bed) -> None:
    """The recommended rollout, audit then apply, must not delete what a dream would have kept."""
    receipt = audit(bed, reply(bed, {"op": "delete", "target_ids": ["release"]}))
    assert [v.status for v in receipt.verdicts] == ["flagged"]
    for ops in (None, [0]):
        if staging.waiting(bed.order().staging)[0]:
            deciding.apply(bed.order(), ops=ops)
        text = (bed.memory / "release.md").read_text()
        assert "never push the tag" in text and "flagged: true" in text


def test_accepting_one_parked_op_waives_nothing_for_another(bed: Bed) -> None:
    """A yes to one loss is no yes to the next one."""
    body = "Note to self: A release is tagged by `make release`; never push the tag by hand, because the signature is then missing."
    receipt = audit(
        bed,
        reply(
            bed,
            {"op": "update", "target_ids": ["staging-db"], "new_body": "The staging database has a port; its role is `orders_dev`. See [[outbox]]."},
            {"op": "update", "target_ids": ["release"], "new_body": body},
        ),
    )
    assert [v.status for v in receipt.verdicts] == ["parked", "applied"], receipt.verdicts
    shorter = body.replace("tagged by `make release`", "tagged")
    deciding.apply(bed.order(), ops=[0, 1], edits={1: {"new_body": shorter}})
    assert "make release" in (bed.memory / "release.md").read_text()
    assert "6432" not in (bed.memory / "staging-db.md").read_text()
