"""Fixtures for tests with the real clients; see ``fake_claude/README.md``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

import client_install
from client_desk import Desk

from fake_claude.server import FakeAPI

_left_out = 0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the client tests out when the environment asks for it, and only then."""
    global _left_out
    if os.environ.get(client_install.OPT_OUT) != "1":
        return
    out = [item for item in items if item.get_closest_marker("client")]
    _left_out = len(out)
    items[:] = [item for item in items if item not in out]
    config.hook.pytest_deselected(items=out)


def pytest_report_collectionfinish() -> str:
    """Say that tests are missing from this run."""
    return (
        f"{client_install.OPT_OUT}=1: {_left_out} tests with the real clients are LEFT OUT"
        if _left_out
        else ""
    )


@pytest.fixture
def api() -> Iterator[FakeAPI]:
    """The stand-in for the model behind the clients of one test."""
    with FakeAPI(seconds=280) as server:
        yield server


@pytest.fixture(params=client_install.VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    """Each client version in turn."""
    return str(request.param)


@pytest.fixture
def desk(tmp_path: Path, version: str, api: FakeAPI) -> Iterator[Desk]:
    """A user's desk with one client version; what still runs at the end is ended."""
    place = Desk(tmp_path, version, api)
    yield place
    place.close()
