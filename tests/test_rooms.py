"""The walls of the house: which room may know which other.

A phase that reaches into another, or a pure room that reaches for the disk, is how a rule comes to
live in two places. A reader of one room would have to read them all.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "agentops_dream"

MAY_IMPORT = {
    "lean": set(),
    "patterns": set(),
    "settings": set(),
    "models": set(),
    "places": {"lean"},
    "dispatch": {"lean", "places", "settings", "store"},
    "store": {"lean"},
    "facts": {"models", "patterns"},
    "light": {"facts", "models", "store"},
    "rem": {"facts", "models", "secrets", "settings", "store"},
    "deep": {"facts", "models", "secrets", "settings", "store"},
    "transaction": {"models"},
    "journal": {"models", "secrets"},
    "evaluation": {"deep", "models", "settings", "store"},
}
"""Room or module -> what it may import of the package, itself apart. Who is not named here tells a
story and may call any room; nobody but the worker calls those who face people.
"""
FACING_PEOPLE = {"cli", "review"}
CALLED_BY = {"worker", "cli", "review"}


def _room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "agentops_dream":
            parts = node.module.split(".")
            found |= {parts[1]} if len(parts) > 1 else {name.name for name in node.names}
    return found - {_room(path), "__version__"}


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_knows_only_the_rooms_that_it_was_built_on(room: str) -> None:
    files = [path for path in PACKAGE.rglob("*.py") if _room(path) == room]
    assert files, room
    reached = {str(path.relative_to(PACKAGE)): sorted(_imports(path) - MAY_IMPORT[room]) for path in files}
    assert not {path: rooms for path, rooms in reached.items() if rooms}


def test_nobody_below_calls_those_who_face_people() -> None:
    callers = {_room(path) for path in PACKAGE.rglob("*.py") if _imports(path) & FACING_PEOPLE}
    assert callers <= CALLED_BY
