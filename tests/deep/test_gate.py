"""The gate table of SPEC §8, each cell from both sides of its bar and on it."""

from __future__ import annotations

import itertools

import pytest
from deep_world import OUTBOX, PAGES, World, after, codes, op

from agentops_dream.deep.gate import TABLE, decide

UP, DOWN = 0.001, -0.001

SPLIT = "Invoices: amounts are stored in `amount_minor` and rounded half to even per line. Decided on 2026-06-17.\n"
OPS = {
    "relink": lambda c: op("relink", "paging", links=["outbox"], confidence=c),
    "update": lambda c: op("update", "paging", new_body="Orders.\n\n" + PAGES, confidence=c),
    "flag": lambda c: op("flag", "paging", confidence=c),
    "split": lambda c: op("update", "mixed", new_name="rounding", new_body=SPLIT, confidence=c),
    "rename": lambda c: op("update", "mixed", new_name="ci-and-invoices", delete_source=True, confidence=c),
    "merge": lambda c: op("merge", "outbox", "outbox-events", new_body=OUTBOX, confidence=c),
    "delete": lambda c: op("delete", "freeze", confidence=c),
}
BARS = {
    # role: (bar for T, what happens below it)
    "relink": (lambda t: 0.5, "dropped"),
    "update": (lambda t: 0.5, "dropped"),
    "flag": (lambda t: 0.5, "dropped"),
    "split": (lambda t: max(0.5, t), "dropped"),
    "rename": (lambda t: max(0.5, t), "dropped"),
    "merge": (lambda t: max(0.5, t), "flagged"),
    "delete": (lambda t: max(0.85, t), "flagged"),
}


def test_every_role_of_the_table_is_tried_here() -> None:
    """A row without a test could be changed unseen."""
    assert set(OPS) == set(BARS) == set(TABLE)


@pytest.mark.parametrize(
    ("role", "threshold"), list(itertools.product(sorted(OPS), (0.0, 0.3, 0.7, 0.9, 1.0)))
)
def test_cell(world: World, role: str, threshold: float) -> None:
    """Lost if wrong: an unsure op goes through, or a sure one does not."""
    bar, below = BARS[role]
    need = bar(threshold)
    env = {"EVIDENCE_THRESHOLD": str(threshold)}
    for confidence in (need, min(1.0, need + UP)):
        judged = world.judge(OPS[role](confidence), env=env)
        assert judged.verdicts[0].status == "applied", judged.verdicts[0]
        assert judged.changes
    judged = world.judge(OPS[role](need + DOWN), env=env)
    expected = "dropped" if need + DOWN < 0.5 else below
    assert judged.verdicts[0].status == expected
    assert codes(judged.verdicts[0]) == ["confidence"]
    targets = {"outbox.md", "outbox-events.md"} if role == "merge" else {"freeze.md"}
    assert set(after(judged)) == (targets if expected == "flagged" else set())


@pytest.mark.parametrize("role", sorted(OPS))
def test_under_one_half_nothing_is_done_at_all(world: World, role: str) -> None:
    """Lost if wrong: a threshold of 0 lets a guess through, or flags on a whim."""
    judged = world.judge(OPS[role](0.499), env={"EVIDENCE_THRESHOLD": "0"})
    assert judged.verdicts[0].status == "dropped"
    assert not judged.changes


def test_a_merge_that_is_not_sure_flags_both_and_keeps_both_bodies(world: World) -> None:
    """Lost if wrong: a maybe-duplicate is merged, or nobody is told about it."""
    judged = world.judge(op("merge", "outbox", "outbox-events", new_body=OUTBOX, confidence=0.6, rationale="twins?"))
    assert judged.verdicts[0].status == "flagged"
    for path, raw in after(judged).items():
        assert raw is not None
        assert b"  flagged: true\n" in raw and b"twins?" in raw
        assert raw.endswith(world.entry(path).body.encode())


def test_a_delete_that_is_sure_but_has_no_evidence_flags_its_target(world: World) -> None:
    """Lost if wrong: a fooled model deletes whatever it is told to."""
    judged = world.judge(op("delete", "paging", confidence=1))
    assert judged.verdicts[0].status == "flagged"
    assert codes(judged.verdicts[0]) == ["evidence"]
    raw = after(judged)["paging.md"]
    assert raw is not None and b"flagged: true" in raw and PAGES.encode() in raw


def test_decide_is_the_table() -> None:
    """The table alone, without a store: the bar itself counts as reached."""
    assert decide("delete", 0.85, 0.0) == "applied"
    assert decide("delete", 0.8499, 0.0) == "flagged"
    assert decide("merge", 0.7, 0.7) == "applied"
    assert decide("split", 0.4, 0.0) == "dropped"
    assert decide("delete", 0.99, 1.0) == "flagged"
