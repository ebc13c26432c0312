"""A MEMORY.md that is no file of its own: said before a model is paid, and nothing is written anywhere."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from dream_kit import Bed, fill, make_bed

from agentops_dream.journal import runs
from agentops_dream.models import FileChange
from agentops_dream.order import Stopped
from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.errors import Conflict


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    made = make_bed(tmp_path)
    fill(made)
    (made.memory / "MEMORY.md").unlink()
    (made.project / "AGENTS.md").write_text("# Mine\n")
    return made


def folder(bed: Bed) -> None:
    (bed.memory / "MEMORY.md").mkdir()


def dangling(bed: Bed) -> None:
    (bed.memory / "MEMORY.md").symlink_to(bed.folder / "elsewhere.md")


def mirror(bed: Bed) -> None:
    (bed.memory / "MEMORY.md").symlink_to(bed.project / "AGENTS.md")


def huge(bed: Bed) -> None:
    (bed.memory / "MEMORY.md").write_bytes(b"x\n" * 3_000_000)


IN_THE_WAY = [(folder, "regular file"), (dangling, "link to nothing"), (mirror, "the same file"), (huge, "shorten")]


@pytest.mark.parametrize(("put", "said"), IN_THE_WAY)
def test_money_would_be_spent_on_what_cannot_be_saved(bed: Bed, put: Callable[[Bed], None], said: str) -> None:
    put(bed)
    before = bed.tree()
    with pytest.raises(Stopped, match=said) as stopped:
        bed.dream("tidy")
    assert "MEMORY.md" in str(stopped.value)
    assert bed.calls == []
    assert bed.tree() == before
    assert not (bed.folder / "elsewhere.md").exists()


def test_a_link_would_pass_for_the_mirror_where_nothing_is_mirrored(bed: Bed) -> None:
    mirror(bed)
    assert bed.dream("tidy", MIRROR_AGENTS="0").outcome == "applied"
    assert (bed.memory / "MEMORY.md").is_symlink()


def test_an_index_that_breaks_during_the_call_would_leave_no_receipt_of_what_was_paid(bed: Bed) -> None:
    scenario = bed.folder / "scenario.py"
    scenario.write_text(
        "import os\nfrom fake_claude.answer import structured\n"
        f"def dream(prompt):\n    os.mkdir({str(bed.memory / 'MEMORY.md')!r})\n"
        "    return structured({'ops': [], 'summary': ''})\n"
    )
    with pytest.raises(Stopped, match=r"MEMORY\.md"):
        bed.dream(str(scenario))
    (receipt,) = runs.every(bed.order().state)
    assert receipt.outcome == "failed" and receipt.usage.usd > 0


def test_a_link_to_nothing_that_comes_last_would_lead_the_index_out_of_the_memory_directory(bed: Bed) -> None:
    shutil.rmtree(bed.memory)
    bed.memory.mkdir()
    dangling(bed)
    change = FileChange(bed.memory / "MEMORY.md", "memory/MEMORY.md", None, b"- [A](a.md)\n")
    with pytest.raises(Conflict, match="link to nothing"):
        commit(bed.folder / "run", [change])
    assert not (bed.folder / "elsewhere.md").exists()
