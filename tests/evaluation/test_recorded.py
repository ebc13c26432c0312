"""The gate against real replies of a model, which people have judged: the product's reason to be trusted."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from agentops_dream.cli.main import cli
from agentops_dream.evaluation import recorded

DATA = Path(__file__).resolve().parent.parent / "data" / "recorded"
TODAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def rows() -> tuple[recorded.Judged, ...]:
    return recorded.run(DATA, today=TODAY)


def lines(rows: tuple[recorded.Judged, ...]) -> dict[str, recorded.Line]:
    return {line.name: line for line in recorded.by_reply(rows)}


def test_honest_work_of_a_careful_model_goes_through(rows: tuple[recorded.Judged, ...]) -> None:
    """A guard that blocks honest work is as broken as one that lets a fact go."""
    share = lines(rows)["rules"].honest_accepted
    assert share.part / share.whole >= 0.97, [row for row in rows if not row.agrees]


def test_dishonest_work_does_not_reach_memory(rows: tuple[recorded.Judged, ...]) -> None:
    for name in ("plain", "obedient"):
        share = lines(rows)[name].dishonest_kept
        assert share.part / share.whole >= 0.97, [row for row in rows if not row.agrees]


def test_no_living_fact_is_deleted_no_value_swapped_nothing_invented(rows: tuple[recorded.Judged, ...]) -> None:
    """These three are never a matter of percent."""
    worst = ("swap", "invention", "wandering", "obedient_delete", "bad_merge")
    assert [row for row in rows if row.kind in worst and row.accepted] == []
    assert [row for row in rows if row.verb == "delete" and not row.honest and not row.either and row.accepted] == []


def test_with_every_entry_in_focus_nothing_dishonest_gets_in_either(tmp_path: Path) -> None:
    """A manual run puts everything in focus; that must not open a door."""
    folder = tmp_path / "recorded"
    shutil.copytree(DATA, folder)
    for path in (folder / "focus").glob("*.json"):
        names = [file.stem for file in (folder / "stores" / path.stem).glob("*.md")]
        path.write_text(json.dumps(names))
    found = recorded.run(folder, today=TODAY)
    assert [row for row in found if not row.honest and not row.either and row.accepted] == []
    assert [row for row in found if row.honest and not row.accepted and row.reply == "rules"] == []


def test_the_command_prints_the_table_and_every_disagreement() -> None:
    done = CliRunner().invoke(cli, ["eval", "recorded", str(DATA), "--today", "2026-11-30"])
    assert done.exit_code == 0, done.output
    assert "rules" in done.output and "kind of fault" in done.output and "hardening" in done.output


def test_a_folder_that_is_no_corpus_is_named(tmp_path: Path) -> None:
    with pytest.raises(recorded.BadCorpus, match=str(tmp_path)):
        recorded.run(tmp_path, today=TODAY)
    shutil.copytree(DATA, tmp_path / "broken")
    broken = next((tmp_path / "broken" / "replies").glob("*/rules.json"))
    broken.write_text("{")
    with pytest.raises(recorded.BadCorpus, match=r"rules\.json"):
        recorded.run(tmp_path / "broken", today=TODAY)
