"""Undo op by op, in any order, then the rest: the same bytes as before, however the ways divide."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from dream_kit import Bed, make_bed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentops_dream import undoing
from agentops_dream.models import Receipt
from agentops_dream.transaction.errors import NotUndoable

RELAY = "The alpha relay listens on port 9100 and polls `order_outbox` every 250 ms in the worker."
LINES = [
    "- [Alpha](alpha.md) — Alpha relay",
    "- [Beta](beta.md) — my own hook",
    "- [N1](n1.md) — About n1",
    "- [N2](n2.md) — by hand",
    "  - [N3](n3.md)",
    "- [Gone](gone.md) — not there",
    "- [[n4]] and [Beta](beta.md)",
    "| [N5](n5.md) | x |",
    "prose about [beta](beta.md)",
    "## Project",
    "",
]
INDEXES = st.one_of(
    st.none(),
    st.lists(st.sampled_from(LINES), max_size=9, unique=True).map(lambda lines: "\n".join(["# Mine", "", *lines])),
)


def op(kind: str, *targets: str, **fields: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {
        "new_name": None, "delete_source": False, "new_frontmatter": None, "new_body": None, "links": [], "superseded": [],
        "confidence": 0.95, "rationale": "r",
    }  # fmt: skip
    return {"op": kind, "target_ids": list(targets), **empty, **fields}


OPS = [
    op("merge", "alpha", "beta", new_body=RELAY + "\n"),
    op("update", "n1", new_body="Number 1 about table `tab_1`, see [[alpha]]."),
    op("flag", "n2", rationale="stale?"),
    op("update", "n3", new_body="Number 3 about table `tab_3`.", new_frontmatter={"description": "Table `tab_3`"}),
    op("flag", "n4", rationale="stale?"),
]


@contextmanager
def dreamt(index: str | None, agents: str | None, ops: Sequence[dict[str, Any]]) -> Iterator[tuple[Bed, dict, Receipt]]:
    """A store, its bytes before, and the receipt of a dream that did ``ops``."""
    with tempfile.TemporaryDirectory() as folder:
        bed = make_bed(Path(folder))
        bed.write("alpha", RELAY, description="Alpha relay")
        bed.write("beta", RELAY.replace("the worker", "a worker"), description="Alpha relay")
        for n in range(8):
            bed.write(f"n{n}", f"Note to self: number {n} about table `tab_{n}`, see [[beta]].", description=f"About n{n}")
        if index is not None:
            (bed.memory / "MEMORY.md").write_text(index, encoding="utf-8")
        if agents is not None:
            (bed.project / "AGENTS.md").write_text(agents, encoding="utf-8")
        before = dict(bed.tree())
        reply = bed.folder / "reply.json"
        reply.write_text(json.dumps({"ops": ops, "summary": ""}))
        receipt = bed.dream(str(reply))
        bed.later(10)
        yield bed, before, receipt


def done(receipt: Receipt) -> list[int]:
    return sorted({index for row in receipt.files for index in row["ops"]})


def take_back(bed: Bed, receipt: Receipt, ops: Sequence[int]) -> None:
    for index in ops:
        try:
            undone = undoing.undo(bed.order(), receipt.run, ops=[index])
        except NotUndoable:
            continue
        assert not [note for note in undone.notes if "is left" in note]


@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(
    index=INDEXES,
    agents=st.sampled_from([None, "# Agents\n\nby hand\n", ""]),
    chosen=st.lists(st.sampled_from(range(len(OPS))), min_size=1, unique=True),
    data=st.data(),
)
def test_ops_taken_back_one_by_one_would_not_add_up_to_the_run(
    index: str | None, agents: str | None, chosen: list[int], data: st.DataObject
) -> None:
    with dreamt(index, agents, [OPS[n] for n in chosen]) as (bed, before, receipt):
        ops = done(receipt)
        order = data.draw(st.permutations(ops))
        some = data.draw(st.integers(0, len(order)))
        take_back(bed, receipt, order[:some])
        if some < len(order):
            undone = undoing.undo(bed.order(), receipt.run)
            assert not [note for note in undone.notes if "is left" in note]
        elif not ops:
            undoing.undo(bed.order(), receipt.run)
        assert bed.tree() == before


INDEX = "# Mine\n\nprose\n\n- [Alpha](alpha.md) — Alpha relay\n- [Beta](beta.md) — my own hook\n- [Gone](gone.md) — not there\n"


@pytest.mark.parametrize("ops", [[1, 0], [0, 1, 2], [2]])
def test_a_hand_written_line_would_not_come_back_with_the_rest_of_a_run(ops: list[int]) -> None:
    with dreamt(INDEX, "# Agents\n", OPS[:3]) as (bed, before, receipt):
        assert done(receipt) == [0, 1, 2]
        take_back(bed, receipt, ops)
        if len(ops) < 3:
            undoing.undo(bed.order(), receipt.run)
        assert bed.tree() == before


def test_what_a_user_wrote_between_two_undos_would_be_lost() -> None:
    """An entry and its line that came after the dream stay, and what the dream wrote goes all the same."""
    with dreamt(INDEX, "# Agents\n", OPS[:3]) as (bed, _, receipt):
        bed.write("new", "A new fact about `tab_new`.")
        index = bed.memory / "MEMORY.md"
        index.write_text(index.read_text().replace("prose\n", "prose\n\n- [New](new.md) — mine\n"))
        take_back(bed, receipt, [1])
        assert index.read_text().count("(new.md)") == 1
        index.write_text(index.read_text() + "\n## After\n")
        undone = undoing.undo(bed.order(), receipt.run)
        assert not [note for note in undone.notes if "is left" in note]
        expected = INDEX.replace("prose\n", "prose\n\n- [New](new.md) — mine\n") + "\n## After\n"
        assert index.read_text() == expected


def test_an_undo_taken_back_would_count_as_an_edit_of_the_user() -> None:
    with dreamt(INDEX, "# Agents\n", OPS[:3]) as (bed, before, receipt):
        after = dict(bed.tree())
        undone = undoing.undo(bed.order(), receipt.run, ops=[0])
        undoing.undo(bed.order(), undone.run)
        assert bed.tree() == after
        take_back(bed, receipt, [2, 1, 0])
        assert bed.tree() == before
