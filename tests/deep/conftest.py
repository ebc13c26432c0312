"""Fixtures for the tests of deep sleep: a full and an empty memory directory."""

from __future__ import annotations

from pathlib import Path

import pytest
from deep_world import STORE, World


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path / "memory")
    for path, text in STORE.items():
        made.write(path, text)
    return made


@pytest.fixture
def empty(tmp_path: Path) -> World:
    (tmp_path / "memory").mkdir()
    return World(tmp_path / "memory")
