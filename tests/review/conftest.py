"""A memory directory worth reviewing, and a way to the helpers of this folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent

if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from cli_kit import Shell  # noqa: E402
from dream_kit import Bed, make_bed  # noqa: E402
from review_kit import furnish  # noqa: E402


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    made = make_bed(tmp_path)
    furnish(made)
    return made


@pytest.fixture
def here(bed: Bed, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """The command line without a process of its own: takes words, returns code, stdout and stderr."""
    return Shell(bed, monkeypatch, capfd)
