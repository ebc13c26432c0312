"""Decisions: kept between sittings, and carried out exactly as they were made."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

import pytest
from dream_kit import Bed, make_bed
from review_kit import BETTER, MERGE, THREE, UPDATE, deck_of, furnish, op, proposal_of, stage, state_files

from agentops_dream import deciding, secrets, staging, undoing
from agentops_dream.journal import runs
from agentops_dream.order import Busy, lock
from agentops_dream.review import decisions
from agentops_dream.review.cards import Draft
from agentops_dream.review.decisions import BadDecision, Decisions
from agentops_dream.store.memory import read_store
from agentops_dream.transaction.purge import purge


def decided(bed: Bed, **choices: str) -> Decisions:
    """Return decisions such as ``_0="accept"`` about the only proposal, as a person makes them."""
    deck = deck_of(bed)
    made = decisions.load(bed.order().staging, proposal_of(bed))
    for name, choice in choices.items():
        made = decisions.decide(made, deck.card(int(name[1:])), choice)
    return made


def test_decisions_are_there_again_the_next_time_and_only_their_owner_can_read_them(bed: Bed) -> None:
    stage(bed, THREE)
    made = decided(bed, _0="reject", _1="accept", _2="skip")
    made = decisions.edit(made, proposal_of(bed), 1, Draft(None, BETTER + " Really."), secrets.redact)
    made = decisions.decide(made, deck_of(bed).card(0), "accept")
    decisions.save(bed.order().staging, made)
    assert decisions.load(bed.order().staging, proposal_of(bed)) == made
    assert made.choices == {0: "accept", 2: "skip"} and made.waived == {0: ("loss",)}
    path = staging.decided_path(bed.order().staging, made.run)
    assert path.stat().st_mode & 0o077 == 0
    assert len(staging.waiting(bed.order().staging)[0]) == 1, "decisions are no proposal"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 2, "choices": {"0": "accept"}}', '{"version": 1, "choices": {"0": "apply", "9": "accept"}, "edits": {"0": 3}, "waived": 1}'])
def test_a_broken_file_of_decisions_decides_nothing(bed: Bed, text: str) -> None:
    run = stage(bed, THREE).run
    staging.decided_path(bed.order().staging, run).write_text(text)
    assert decisions.load(bed.order().staging, proposal_of(bed)) == Decisions(run)


def test_only_what_can_be_carried_out_can_be_accepted(bed: Bed) -> None:
    stage(bed, [UPDATE, op("update", "note-1", new_body="The worker1 handles 4711 queues.")])
    (bed.memory / "release.md").write_text("Edited meanwhile.")
    with pytest.raises(BadDecision, match=r"release\.md changed"):
        decided(bed, _0="accept")
    for choice in ("accept", "reject"):
        with pytest.raises(BadDecision):
            decided(bed, _1=choice)
    assert decided(bed, _0="reject").chosen("reject") == (0,)


def test_carrying_out_is_the_same_as_the_commands_for_scripts(bed: Bed, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = make_bed(tmp_path_factory.mktemp("other"))
    furnish(other)
    stage(bed, THREE)
    stage(other, THREE)
    done = decisions.carry_out(bed.order(), decided(bed, _0="reject", _1="accept", _2="accept"))
    by_script = deciding.apply(other.order(), ops=[1, 2])
    deciding.discard(other.order(), ops=[0])
    assert bed.tree() == other.tree()
    assert done.receipt is not None and done.left == () and done.rejected == (0,)
    assert [v.status for v in done.receipt.verdicts] == [v.status for v in by_script.verdicts] == ["applied"] * 2
    for one in (bed, other):
        assert list(one.order().staging.iterdir()) == [], "nothing of it is left, decisions neither"


def test_a_parked_op_that_is_accepted_counts_as_named(bed: Bed) -> None:
    stage(bed, THREE)
    done = decisions.carry_out(bed.order(), decided(bed, _0="accept"))
    assert done.receipt is not None and [v.status for v in done.receipt.verdicts] == ["applied"]
    assert done.left == (1, 2)
    assert "2026-02-11" not in (bed.memory / "kettle-cache.md").read_text()
    undoing.undo(bed.order(), done.receipt.run)
    assert "2026-02-11" in (bed.memory / "kettle-cache.md").read_text()


def test_what_is_skipped_or_not_yet_decided_goes_on_waiting_with_its_edits(bed: Bed) -> None:
    stage(bed, THREE)
    made = decisions.edit(decided(bed, _2="accept", _0="skip"), proposal_of(bed), 1, Draft(None, BETTER + "\n\nReally."), secrets.redact)
    decisions.save(bed.order().staging, made)
    done = decisions.carry_out(bed.order(), made)
    assert done.left == (0, 1)
    later = decisions.load(bed.order().staging, proposal_of(bed))
    assert later.choices == {0: "skip"} and set(later.edits) == {1}


def test_an_edit_is_what_is_written(bed: Bed) -> None:
    stage(bed, THREE)
    whole = MERGE["new_body"].replace("out of memory,", "out of memory on 2026-02-11,")
    made = decisions.edit(decided(bed), proposal_of(bed), 0, Draft(None, whole), secrets.redact)
    made = decisions.decide(made, deck_of(bed, made.edits).card(0), "accept")
    done = decisions.carry_out(bed.order(), made)
    assert done.receipt is not None and done.receipt.verdicts[0].status == "applied"
    assert whole in (bed.memory / "kettle-cache.md").read_text()


def test_an_edit_takes_back_what_was_decided_about_another_text(bed: Bed) -> None:
    stage(bed, THREE)
    made = decisions.edit(decided(bed, _0="accept", _1="accept"), proposal_of(bed), 0, Draft(None, "Other text."), secrets.redact)
    assert made.choices == {1: "accept"} and made.waived == {}
    assert decisions.edit(made, proposal_of(bed), 0, Draft(None, MERGE["new_body"] + "\n"), secrets.redact).edits == {}


def test_what_a_persons_own_edit_leaves_out_is_their_word_once_they_accept_it(bed: Bed) -> None:
    stage(bed, THREE)
    shorter = "A release is tagged, never by hand, because the signature is then missing."
    made = decisions.edit(decided(bed), proposal_of(bed), 1, Draft(None, shorter), secrets.redact)
    unseen = replace(made, choices={1: "accept"})
    assert decisions.rehearse(proposal_of(bed), unseen, read_store(bed.memory), settings=bed.order().settings, today=bed.now.date()).verdicts[0].status == "parked"
    made = decisions.decide(made, deck_of(bed, made.edits).card(1), "accept")
    done = decisions.carry_out(bed.order(), made)
    assert done.receipt is not None and done.receipt.verdicts[0].status == "applied"
    assert shorter in (bed.memory / "release.md").read_text()


def test_an_edit_that_brings_in_a_fact_does_not_reach_memory(bed: Bed) -> None:
    """The gate is the last word on a person's text as well: a typo is no fact."""
    stage(bed, THREE)
    made = decisions.edit(decided(bed), proposal_of(bed), 1, Draft(None, BETTER + " See OPS-4711."), secrets.redact)
    with pytest.raises(BadDecision, match="OPS-4711"):
        decisions.decide(made, deck_of(bed, made.edits).card(1), "accept")
    before = bed.tree()
    done = decisions.carry_out(bed.order(), replace(made, choices={1: "accept"}))
    assert done.receipt is not None and done.receipt.verdicts[0].status == "rejected"
    assert decisions.load(bed.order().staging, proposal_of(bed)).edits == made.edits, "the text can still be put right"
    assert {path: raw for path, raw in bed.tree().items() if "release" in path} == {
        path: raw for path, raw in before.items() if "release" in path
    }


@pytest.mark.parametrize("draft", [Draft(None, "  \n"), Draft(None, "token " + "ghp_" + "a1B2" * 9)])
def test_an_empty_text_or_one_with_a_secret_is_not_kept(bed: Bed, draft: Draft) -> None:
    stage(bed, THREE)
    with pytest.raises(BadDecision, match="nothing was kept"):
        decisions.edit(decided(bed), proposal_of(bed), 1, draft, secrets.redact)


def test_a_secret_stays_masked_while_it_waits_and_comes_back_when_it_is_written(bed: Bed) -> None:
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    path = bed.write("deploy", f"Note to self: deploy with the token {token} from the vault, never by hand.")
    text = "Deploy with the token {} from the vault, never by hand."
    masked = _masked_update(bed, "deploy", text)
    (stand_in,) = masked.secrets
    made = decisions.edit(Decisions(masked.run), masked, 0, Draft(None, text.format(stand_in) + "\n\nNever by hand."), secrets.redact)
    made = decisions.decide(made, deck_of(bed, made.edits).card(0), "accept")
    decisions.save(bed.order().staging, made)
    assert not [file for file in state_files(bed) if token in file.read_text(errors="replace")]
    assert "[redacted-" in (deck_of(bed, made.edits).card(0).files[0].after or "")
    decisions.carry_out(bed.order(), made)
    assert f"the token {token} from" in path.read_text()


def test_a_placeholder_that_stands_for_nothing_is_never_written(bed: Bed) -> None:
    """It would be in a memory for ever, in place of a password."""
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    path = bed.write("deploy", f"Note to self: deploy with the token {token} from the vault, never by hand.")
    text = "Deploy with the token {} from the vault, never by hand."
    masked = _masked_update(bed, "deploy", text)
    wrong = next(iter(masked.secrets)).replace("_1⟧", "_2⟧")
    made = decisions.edit(Decisions(masked.run), masked, 0, Draft(None, text.format(wrong)), secrets.redact)
    before = path.read_bytes()
    done = decisions.carry_out(bed.order(), replace(made, choices={0: "accept"}))
    assert path.read_bytes() == before
    assert done.receipt is not None and "placeholder" in done.receipt.verdicts[0].reason


def _masked_update(bed: Bed, name: str, text: str) -> staging.Proposal:
    """Stage an update as a model writes it that has seen a placeholder and copied it."""
    scenario = bed.folder / "masked.py"
    scenario.write_text(
        "import re\n"
        "from fake_claude.scenarios.ops import plan, op\n"
        "def dream(prompt):\n"
        f"    entry = prompt.get({name!r})\n"
        "    mark = re.search('⟦SECRET_[A-Za-z0-9]+_1⟧', entry.body)[0]\n"
        f"    return plan([op('update', [{name!r}], new_body={text!r}.format(mark))])\n",
        encoding="utf-8",
    )
    from agentops_dream import dream as story

    story.dream(bed.order(FAKE_CLAUDE_SCENARIO=str(scenario), PROMOTE="audit"))
    return proposal_of(bed)


def test_while_a_dream_runs_nothing_is_carried_out_and_the_decisions_stand(bed: Bed) -> None:
    stage(bed, THREE)
    made = decided(bed, _1="accept")
    decisions.save(bed.order().staging, made)
    before = bed.tree()
    with lock(bed.order().state), pytest.raises(Busy):
        decisions.carry_out(bed.order(), made)
    assert bed.tree() == before and decisions.load(bed.order().staging, proposal_of(bed)) == made


def test_the_rehearsal_says_what_then_happens(bed: Bed) -> None:
    """What the person confirms is this list."""
    stage(bed, THREE)
    made = decided(bed, _0="accept", _1="accept", _2="accept")
    order = bed.order()
    said = decisions.rehearse(proposal_of(bed), made, read_store(bed.memory), settings=order.settings, today=bed.now.date())
    done = decisions.carry_out(order, made)
    assert done.receipt is not None
    assert [(v.index, v.status) for v in said.verdicts] == [(v.index, v.status) for v in done.receipt.verdicts]


def test_a_proposal_that_was_sent_away_takes_its_decisions_with_it(bed: Bed) -> None:
    run = stage(bed, THREE).run
    decisions.save(bed.order().staging, decided(bed, _1="accept"))
    assert json.loads(staging.decided_path(bed.order().staging, run).read_text())["choices"] == {"1": "accept"}
    deciding.discard(bed.order())
    assert list(bed.order().staging.iterdir()) == []


@pytest.mark.parametrize("what", [{"texts": ["Really secret"]}, {"runs": "own"}, {"before": datetime(2030, 1, 1, tzinfo=timezone.utc)}])
def test_a_purge_takes_edits_as_well(bed: Bed, what: dict[str, Any]) -> None:
    """Who asks to forget a text does not want it to survive in an edit that was never carried out."""
    run = stage(bed, THREE).run
    made = decisions.edit(decided(bed), proposal_of(bed), 1, Draft(None, BETTER + " Really secret."), secrets.redact)
    folder = bed.order().staging
    decisions.save(folder, made)
    if what.get("runs") == "own":
        what = {"runs": {run}}
    purge(bed.order().state, staging=folder, forget=runs.forget, **what)
    assert not staging.decided_path(folder, run).exists()
    decisions.save(folder, made)
    staging.path_of(folder, run).unlink(missing_ok=True)
    decisions.sweep(folder)
    assert list(folder.iterdir()) == []
