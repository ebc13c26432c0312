"""Rewritings from several trades and languages: what a user's own notes may look like."""

from __future__ import annotations

import handmade
import pytest

from agentops_dream.facts.weigh import keeps, weigh
from agentops_dream.models import Fault

PLANNED = ("ward-plan", "van-lease-change")


def judged(case: handmade.Case) -> tuple[Fault, ...]:
    shown = {text.id: text for text in case.shown}
    return weigh(case.inputs, case.outputs, superseded=case.superseded, shown=shown, planned=PLANNED)


@pytest.mark.parametrize("case", handmade.HONEST, ids=lambda case: case.name)
def test_honest_work_passes(case: handmade.Case) -> None:
    """Refused, the user's notes stay as untidy as they were, night after night, for money."""
    assert judged(case) == ()


@pytest.mark.parametrize("case", handmade.DISHONEST, ids=lambda case: case.name)
def test_the_fault_is_found(case: handmade.Case) -> None:
    """Let through, a note of the user's says something that was never true."""
    assert case.fault in {fault.code for fault in judged(case)}


def test_a_union_keeps_what_both_said_and_neither_keeps_the_other() -> None:
    """A delete in favour of a note that lacks one setting would lose it."""
    union = handmade.HONEST[0].outputs[0]
    assert keeps(handmade.OVEN, union) == ()
    assert keeps(handmade.OVEN_TWO, union) == ()
    missing = " ".join(keeps(handmade.OVEN_TWO, handmade.OVEN))
    assert "18" in missing
