"""What of a file is still our own: the steps from a run through its undos, and back (SPEC §9).

``MEMORY.md`` and ``AGENTS.md`` belong to all ops of a run at once, so that taking back one op rewrites them.
Nobody has edited them for all that, and with the last op they are to be, byte for byte, as before the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentops_dream.journal import runs
from agentops_dream.models import Receipt


@dataclass(frozen=True)
class Trace:
    """What a run, its undos, and theirs, have made of one file."""

    origin: str
    """The first of these runs that changed the file; ``""``: none did."""
    ours: frozenset[str | None]
    """SHA-256 of everything that these runs alone have made of it; ``None``: no file."""
    again: bool
    """Whether there has been an undo of the run at all."""


def trace(state: Path, run: str, label: str) -> Trace:
    """Return what ``run`` and all that followed from it have made of the file ``label``."""
    family = _family(list(runs.every(state)), run)
    rows = [(receipt.run, row) for receipt in family for row in receipt.files if row["label"] == label]
    if not rows:
        return Trace("", frozenset(), len(family) > 1)
    origin, first = rows[0]
    return Trace(origin, _reached(first["after"], [row for _, row in rows]), len(family) > 1)


def _family(receipts: list[Receipt], run: str) -> list[Receipt]:
    """Return the run, its undos, the undos of these: each after what it takes back."""
    found = [receipt for receipt in receipts if receipt.run == run]
    for taken in found:
        undos = [receipt for receipt in receipts if receipt.undoes == taken.run and receipt not in found]
        found += sorted(undos, key=lambda receipt: receipt.run)
    return found


def _reached(start: str | None, rows: list[Mapping[str, Any]]) -> frozenset[str | None]:
    reached = {start}
    while more := {row["after"] for row in rows if row["before"] in reached} - reached:
        reached |= more
    return frozenset(reached)
