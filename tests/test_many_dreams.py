"""Dream after dream over one store: what survives a night at 99.9 % is gone by half after a year."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from dream_kit import Bed, make_bed

from agentops_dream import undoing
from agentops_dream.order import Nothing, Stopped

DATA = Path(__file__).resolve().parent / "data" / "recorded"
STORES = sorted(path.name for path in (DATA / "stores").iterdir())


def facts(bed: Bed, store: str) -> dict[str, list[str]]:
    """Return, per labelled fact, the strings of it that no file of the memory holds any more."""
    text = "\n".join(path.read_text("utf-8") for path in sorted(bed.memory.glob("*.md")))
    labels = json.loads((DATA / "labels" / f"{store}.json").read_text("utf-8"))
    return {
        fact["id"]: [words for words in fact["all_of"] if words not in text]
        for fact in labels["facts"]
        if any(words not in text for words in fact["all_of"])
    }


@pytest.fixture(params=STORES)
def night(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Bed, str]:
    bed = make_bed(tmp_path)
    shutil.rmtree(bed.memory)
    shutil.copytree(DATA / "stores" / request.param, bed.memory)
    return bed, request.param


@pytest.mark.parametrize("model", ["restless", "tidy", "mixed"])
@pytest.mark.slow
def test_ten_dreams_in_a_row_keep_every_fact_and_then_there_is_nothing_to_do(
    night: tuple[Bed, str], model: str
) -> None:
    """With a model that always proposes something, good or bad."""
    bed, store = night
    assert facts(bed, store) == {}
    for _ in range(10):
        bed.dream(model, again=True)
        bed.later(7200)
        assert facts(bed, store) == {}
    calls = len(bed.calls)
    with pytest.raises(Nothing):
        bed.dream(model, trigger="Stop")
    assert len(bed.calls) == calls


BAD = (
    "sloppy", "inventive", "embellisher", "wanderer", "swapper", "merging_swapper", "hardener", "flipper", "translator",
    "obedient", "purger", "lookalike", "leaker", "forger", "escaper",
)  # fmt: skip


@pytest.mark.parametrize("model", BAD)
@pytest.mark.slow
def test_no_bad_model_costs_a_fact(night: tuple[Bed, str], model: str) -> None:
    bed, store = night
    before = bed.tree()
    try:
        receipt = bed.dream(model)
    except Stopped:
        assert bed.tree() == before
        return
    assert facts(bed, store) == {}
    if receipt.files:
        undoing.undo(bed.order(), receipt.run)
    assert bed.tree() == before
