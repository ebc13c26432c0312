"""The line at session start tells of every dream since the last one, not only of the newest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from dream_kit import Bed, fill, make_bed

from agentops_dream import hooked
from agentops_dream.notice import take


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    made = make_bed(tmp_path)
    fill(made)
    return made


def night(bed: Bed, scenario: str, **settings: Any) -> None:
    """A session ends, and a dream follows."""
    bed.later(7200)
    hooked.from_hook(bed.order(trigger="Stop", FAKE_CLAUDE_SCENARIO=scenario, **settings))


def shown(bed: Bed) -> str:
    return take({**bed.env}, json.dumps({"cwd": str(bed.project)}).encode())


def test_one_dream_is_told_with_its_undo_and_once(bed: Bed) -> None:
    night(bed, "tidy")
    (receipt,) = [json.loads(path.read_text()) for path in bed.order().state.glob("runs/*/receipt.json")]
    changes = sum(verdict["status"] == "applied" for verdict in receipt["verdicts"])
    assert shown(bed) == f"Dreamt over memory: {changes} changes. Take it back: /dream undo {receipt['run']}"
    assert shown(bed) == ""


def test_dreams_between_two_sessions_are_added_up(bed: Bed) -> None:
    """Else somebody who sees `1 change` looks at one of seven."""
    night(bed, "tidy")
    one = bed.state("notice.json")["dreams"][0]["changes"]
    bed.write("late", "Note to self: the intake queue is drained every 30 minutes.")
    night(bed, "tidy")
    assert shown(bed).startswith(f"Dreamt over memory 2 times: {one + 1} changes. See /dream log")


def test_a_failure_does_not_hide_what_was_dreamt_nor_a_proposal(bed: Bed) -> None:
    night(bed, "tidy")
    bed.write("late", "Note to self: the intake queue is drained every 30 minutes.")
    night(bed, "tidy", PROMOTE="audit")
    bed.write("later", "Note to self: the outtake queue is drained every 40 minutes.")
    night(bed, "login")
    text = shown(bed)
    for words in ("Dreamt over memory: ", "1 op proposed, 1 passes the gate; see `/dream review`", "Dreaming failed and changed nothing"):
        assert words in text


def test_a_dream_that_changed_nothing_is_not_told(bed: Bed) -> None:
    night(bed, "nothing")
    assert shown(bed) == ""


@pytest.mark.parametrize("broken", ["{", '{"dreams": 3, "text": "x"}', '{"dreams": [], "trouble": null}', '{"dreams": [{"run": 1}, 3]}', "[]"])
def test_a_broken_notice_is_replaced(bed: Bed, broken: str) -> None:
    bed.order().state.mkdir(parents=True)
    (bed.order().state / "notice.json").write_text(broken)
    night(bed, "tidy")
    assert "Dreamt over memory" in shown(bed)


def test_who_does_not_want_to_know_finds_no_file(bed: Bed) -> None:
    night(bed, "tidy", NOTIFY="0")
    assert bed.state("notice.json") is None
