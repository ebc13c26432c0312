"""Undo of ops that hang together: no fact may be in no entry afterwards, whatever was edited in between."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from dream_kit import Bed, make_bed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_undoing_by_op import op

from agentops_dream import undoing
from agentops_dream.journal import runs
from agentops_dream.models import Receipt
from agentops_dream.transaction import purge

KEPT = "Payments run on Stripe with webhooks at `/hooks/stripe`. Refunds need a second approval."
MOVED = (
    "Invoices are rendered by the pdf service and mailed at night. "
    "Invoice numbers are never reused, and gaps are reported to accounting."
)
BODIES = {
    "port": "Staging listens on port 8080. Production listens on port 9090.",
    "b1": "Logs go to Loki and are kept for 14 days.",
    "b2": "Logs are kept for 14 days in Loki. Access needs the viewer role.",
    "y": f"{KEPT} {MOVED}",
    **{f"z{n}": f"Table `tab_{n}` is filled by job {n}." for n in range(6)},
}
DESCRIBED = {"port": "ports", "b1": "Where logs go", "b2": "How long logs are kept", "y": "Payments"}
FACTS = ("8080", "9090", "Loki", "14 days", "viewer role", "/hooks/stripe", "second approval", "pdf service", "accounting")


def described(name: str, description: str) -> dict[str, Any]:
    return {"name": name, "description": description, "metadata": {"type": "project"}}


OPS = [
    op("update", "port", new_body="Staging listens on port 8080, production on port 9090."),
    op("merge", "b1", "b2", new_body="Logs go to Loki and are kept there for 14 days. Access needs the viewer role.",
       new_frontmatter=described("b1", "Where logs go and how long logs are kept")),
    op("update", "y", new_name="invoices", new_body=MOVED,
       new_frontmatter=described("invoices", "How invoices are rendered and mailed")),
    op("update", "y", new_body=KEPT),
]  # fmt: skip
SPLIT = [2, 3]
CHANGED = ("port.md", "b1.md", "b2.md", "y.md", "invoices.md")


@contextmanager
def dreamt() -> Iterator[tuple[Bed, dict[str, bytes], Receipt]]:
    with tempfile.TemporaryDirectory() as folder:
        bed = make_bed(Path(folder))
        for name, body in BODIES.items():
            bed.write(name, body, description=DESCRIBED.get(name, ""))
        before = dict(bed.tree())
        receipt = answered(bed, OPS)
        assert [v.status for v in receipt.verdicts] == ["applied"] * len(OPS), [v.reason for v in receipt.verdicts]
        assert missing(bed) == []
        yield bed, before, receipt


def answered(bed: Bed, ops: list[dict[str, Any]]) -> Receipt:
    reply = bed.folder / "reply.json"
    reply.write_text(json.dumps({"ops": ops, "summary": ""}))
    receipt = bed.dream(str(reply), again=True)
    bed.later(10)
    return receipt


def missing(bed: Bed) -> list[str]:
    """Return the facts that stand in no entry."""
    text = "\n".join(p.read_text() for p in bed.memory.glob("*.md") if p.name != "MEMORY.md")
    return [fact for fact in FACTS if fact not in text]


def unlisted(bed: Bed) -> list[str]:
    index = (bed.memory / "MEMORY.md").read_text()
    return [p.name for p in bed.memory.glob("*.md") if p.name != "MEMORY.md" and f"({p.name})" not in index]


def append(bed: Bed, name: str) -> None:
    path = bed.memory / name
    path.write_text((path.read_text() if path.exists() else "") + "Written by the user since.\n")


@pytest.mark.parametrize("asked", SPLIT)
def test_a_fact_would_be_lost_with_half_of_a_split(asked: int) -> None:
    with dreamt() as (bed, before, receipt):
        undone = undoing.undo(bed.order(), receipt.run, ops=[asked])
        assert undone.message.startswith(f"took back ops 2, 3 of run {receipt.run} (op {asked} cannot go without the rest)")
        assert bed.tree()["memory/y.md"] == before["memory/y.md"]
        assert not (bed.memory / "invoices.md").exists()
        undoing.undo(bed.order(), receipt.run)
        assert bed.tree() == before


def test_what_was_split_off_would_go_though_its_source_stays_trimmed() -> None:
    with dreamt() as (bed, _, receipt):
        append(bed, "y.md")
        undone = undoing.undo(bed.order(), receipt.run)
        assert missing(bed) == unlisted(bed) == []
        reason = "it may hold what was in memory/y.md, which is left"
        assert {"memory/y.md is left: it was edited since", f"memory/invoices.md is left: {reason}"} <= set(undone.notes)
        assert (bed.memory / "b2.md").exists(), "what hangs together with nothing edited goes back"


def test_what_was_split_off_would_go_after_a_later_dream_reworded_its_source() -> None:
    with dreamt() as (bed, _, receipt):
        reworded = KEPT.replace("Stripe with webhooks", "Stripe, with webhooks")
        assert answered(bed, [op("update", "y", new_body=reworded)]).verdicts[0].status == "applied"
        undoing.undo(bed.order(), receipt.run)
        assert missing(bed) == unlisted(bed) == []


@pytest.mark.parametrize("what", [{"entry": "y.md"}, {"runs": True}])
def test_what_was_split_off_would_go_after_a_purge_of_its_source(what: dict[str, Any]) -> None:
    with dreamt() as (bed, _, receipt):
        chosen = {"runs": {receipt.run}} if "runs" in what else what
        purge.purge(bed.order().state, forget=runs.forget, **chosen)
        undoing.undo(bed.order(), receipt.run)
        assert missing(bed) == []


def test_losers_come_back_beside_an_edited_survivor_and_never_the_other_way_round() -> None:
    with dreamt() as (bed, _, receipt):
        append(bed, "b1.md")
        undoing.undo(bed.order(), receipt.run, ops=[1])
        assert "viewer role" in (bed.memory / "b2.md").read_text()
        assert missing(bed) == []
    with dreamt() as (bed, _, receipt):
        append(bed, "b2.md")
        undone = undoing.undo(bed.order(), receipt.run, ops=[1])
        assert "viewer role" in (bed.memory / "b1.md").read_text()
        assert any(note.startswith("memory/b1.md is left: it may hold") for note in undone.notes)


def test_an_undo_taken_back_would_delete_what_a_merge_gives_to_an_edited_survivor() -> None:
    with dreamt() as (bed, _, receipt):
        undone = undoing.undo(bed.order(), receipt.run)
        append(bed, "b1.md")
        undoing.undo(bed.order(), undone.run)
        assert "viewer role" in (bed.memory / "b2.md").read_text()
        assert missing(bed) == unlisted(bed) == []


ACTS = st.one_of(
    st.tuples(st.just("edit"), st.sampled_from(CHANGED)),
    st.tuples(st.just("undo"), st.integers(0, len(OPS))),
    st.tuples(st.just("redo"), st.just("")),
    st.tuples(st.just("purge"), st.sampled_from(CHANGED)),
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(acts=st.lists(ACTS, min_size=1, max_size=5))
def test_a_fact_would_be_in_no_entry_after_some_row_of_edits_and_undos(acts: list[tuple[str, Any]]) -> None:
    with dreamt() as (bed, _, receipt):
        last = receipt.run
        for what, which in acts:
            if what == "edit":
                append(bed, which)
            elif what == "purge":
                purge.purge(bed.order().state, entry=which, forget=runs.forget)
            elif what == "redo":
                if (bed.order().state / "runs" / last / "record.json").exists():
                    last = undoing.undo(bed.order(), last).run
            else:
                ops = None if which == len(OPS) else [which]
                last = undoing.undo(bed.order(), receipt.run, ops=ops).run
            bed.later(10)
            assert missing(bed) == [], (what, which)
