"""What a dream writes must be read by everybody else's tools, not by ours alone."""

from __future__ import annotations

from pathlib import Path

import frontmatter
import pytest
from dream_kit import Bed, fill, make_bed

HARD = [
    "Use when X. Steps: a, b, c",
    "see PR #762 for it",
    "#977 follow-up",
    '"quoted" at the start',
    "`code` at the start",
    "[brackets] and {braces}",
    "@name, %percent, &anchor, *star, !bang, |bar, >more",
    "trailing colon:",
    "yes",
    "2026-01-02",
    "経路: 検証環境のポート #8443",
    "emoji 🚀 and a \u2028 separator",
]


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    return make_bed(tmp_path)


@pytest.mark.parametrize("description", HARD)
def test_python_frontmatter_reads_what_a_flag_and_a_new_description_wrote(bed: Bed, description: str) -> None:
    """A memory that another tool's strict reader refuses has silently vanished for its user."""
    from agentops_dream.store import entry

    path = bed.write("hard", "Some text.\n\n---\n\nMore text.")
    raw = entry.flag(entry.describe(path.read_bytes(), description), f"because: {description}")
    post = frontmatter.loads(raw.decode())
    assert post["description"] == description
    assert post["metadata"]["flagged"] is True
    assert post["metadata"]["owner"] == "kit"
    assert post.content.endswith("More text.")


def test_python_frontmatter_reads_every_entry_that_a_dream_wrote(bed: Bed) -> None:
    fill(bed)
    receipt = bed.dream("tidy")
    written = [row["label"] for row in receipt.files if row["ops"] and row["after"]]
    assert written
    for label in written:
        post = frontmatter.load(str(bed.folder / label))
        assert post["name"] and post["metadata"]["type"]
