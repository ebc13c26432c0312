"""Declared supersession: the only way for a literal to leave, and what a fooled model may not declare."""

from __future__ import annotations

import pytest

from agentops_dream.facts.weigh import Text, weigh
from agentops_dream.models import Superseded

OLD = Text("timeout", "Timeout of the ledger gateway", "Since 2026-05-11 the timeout of the ledger gateway is 8 s (`LEDGER_TIMEOUT=8s`). There are 2 retries.")
NEW = Text("timeout-raised", "Ledger gateway timeout raised", "On 2026-11-23 the timeout of the ledger gateway went from 8 s to 12 s (`LEDGER_TIMEOUT=12s`).")
OVEN = Text("oven", "The oven", "The oven holds 12 trays and needs 40 minutes. Since 2026-11-01 Ruta looks after it.")
STAGING = Text("staging-db", "Staging database", "The staging database listens on port 6432.")
PRODUCTION = Text("production-db", "Production database", "The production database listens on port 6433.")
BODY = "Since 2026-11-23 the timeout of the ledger gateway is 12 s (`LEDGER_TIMEOUT=12s`). There are 2 retries."
SHOWN = {text.id: text for text in (OLD, NEW, OVEN, STAGING, PRODUCTION)}


def codes(inputs: tuple[Text, ...], body: str, *declared: Superseded, shown: dict[str, Text] = SHOWN) -> set[str]:
    faults = weigh(inputs, [Text(inputs[0].id, inputs[0].description, body)], superseded=declared, shown=shown)
    return {fault.code for fault in faults}


ALL = (Superseded("8 s", "timeout-raised"), Superseded("LEDGER_TIMEOUT=8s", "timeout-raised"), Superseded("2026-05-11", "timeout-raised"))


def test_a_newer_note_about_the_same_thing_is_borne_out() -> None:
    assert codes((OLD,), BODY, *ALL) == set()
    assert codes((OLD, NEW), BODY, *ALL) == set()


def test_what_is_not_declared_may_not_go() -> None:
    assert codes((OLD,), BODY, *ALL[:2]) == {"loss"}
    assert "loss" in codes((OLD,), BODY)


def test_the_cited_note_lets_its_own_values_in_and_no_others() -> None:
    """A citation is no ticket for whatever the model likes to add."""
    assert codes((OLD,), BODY.replace("12 s", "15 s"), *ALL) >= {"invention"}
    assert "invention" in codes((OLD,), BODY)


@pytest.mark.parametrize("by", ["oven", "nobody", "timeout"])
def test_a_note_about_something_else_bears_out_nothing(by: str) -> None:
    """A fooled model declares what it likes; "superseded by the oven" must not cost a fact."""
    body = OLD.body.replace("is 8 s (`LEDGER_TIMEOUT=8s`)", "is set")
    assert "loss" in codes((OLD,), body, Superseded("8 s", by), Superseded("LEDGER_TIMEOUT=8s", by))


def test_production_does_not_supersede_staging() -> None:
    """Look-alikes state another value of the same kind in the same words, and both are true."""
    assert "loss" in codes((STAGING,), "The staging database listens on port 6433.", Superseded("6432", "production-db"))


def test_a_note_that_was_not_shown_is_no_witness() -> None:
    assert "loss" in codes((OLD,), BODY, *ALL, shown={"timeout": OLD})


def test_a_text_covers_what_is_in_it() -> None:
    whole = Superseded("the timeout of the ledger gateway is 8 s (`LEDGER_TIMEOUT=8s`)", "timeout-raised")
    assert codes((OLD,), BODY, whole, ALL[2]) == set()


def test_the_verdict_says_which_declaration_failed() -> None:
    faults = weigh([OLD], [Text("timeout", OLD.description, "There are 2 retries.")], superseded=[Superseded("8 s", "oven")], shown=SHOWN)
    assert any("'8 s' by oven" in fault.message for fault in faults)
