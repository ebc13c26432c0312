"""Shared by all tests: helper modules in this folder can be imported from any test below it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

HERE = Path(__file__).resolve().parent

for folder in (HERE, HERE.parent):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

# No deadline: how long an example takes says more about what else the machine does than about the code. Costs are
# bounded where they matter, by counted work. Where CI runs, the examples are always the same, so that a red build is
# the fault of the change it tests; at a desk they are new each time, which is how rare failures are found.
settings.register_profile("agentops", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("agentops")


@pytest.fixture
def say(bed: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    """The command line in the test's own ``bed``: takes words, returns all that was printed (``cli_kit.Say``)."""
    from cli_kit import Shell  # found only by the paths above

    return Shell(bed, monkeypatch, capfd).say
