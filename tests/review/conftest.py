"""A memory directory worth reviewing, and a way to the helpers of this folder and of the real clients'."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., "tuple[int, str, str]"]

HERE = Path(__file__).resolve().parent

for folder in (HERE, HERE.parent / "clients"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from dream_kit import Bed, make_bed  # noqa: E402
from review_kit import furnish  # noqa: E402

from agentops_dream.cli.main import main  # noqa: E402


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    made = make_bed(tmp_path)
    furnish(made)
    return made


@pytest.fixture
def here(bed: Bed, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """The command line without a process of its own: takes words, returns code, stdout and stderr."""

    def call(*words: str) -> tuple[int, str, str]:
        with monkeypatch.context() as patch:
            for name in [name for name in os.environ if name.startswith(("CLAUDE", "AGENTOPS", "FAKE"))]:
                patch.delenv(name)
            for name, value in bed.env.items():
                patch.setenv(name, value)
            patch.chdir(bed.project)
            capfd.readouterr()
            code = main(words)
        out, err = capfd.readouterr()
        return code, out, err

    return call
