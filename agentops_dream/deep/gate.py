"""The gate table: the last word on how sure an op must be (SPEC §8).

The model's score is not trusted. Each row says at which confidence an op of its kind may be applied
and what happens below; everything else about an op is judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

Role = Literal["update", "split", "rename", "merge", "delete", "relink", "flag"]
"""What an op does: its verb, and for an ``update`` with a ``new_name`` which of the two it is."""

FLOOR = 0.50
"""Under this nothing is done at all."""

DELETE_BAR = 0.85
"""A delete needs this even where the user has lowered the threshold."""


@dataclass(frozen=True)
class Row:
    """One row of the table: ``bar`` takes the evidence threshold ``T``."""

    bar: Callable[[float], float]
    below: Literal["dropped", "flagged"]


def _floor(_: float) -> float:
    return FLOOR


def _threshold(threshold: float) -> float:
    return threshold


def _delete(threshold: float) -> float:
    return max(threshold, DELETE_BAR)


TABLE: Mapping[Role, Row] = {
    "relink": Row(_floor, "dropped"),
    "update": Row(_floor, "dropped"),
    "flag": Row(_floor, "dropped"),
    "split": Row(_threshold, "dropped"),
    "rename": Row(_threshold, "dropped"),
    "merge": Row(_threshold, "flagged"),
    "delete": Row(_delete, "flagged"),
}


def decide(role: Role, confidence: float, threshold: float) -> Literal["applied", "flagged", "dropped"]:
    """Return what the table says about an op of this role: ``applied`` at the bar and above it.

    ``threshold`` is ``T``, from 0 to 1. ``flagged`` means: not done, its targets are flagged.
    """
    if confidence < FLOOR:
        return "dropped"
    row = TABLE[role]
    return "applied" if confidence >= row.bar(threshold) else row.below


def bar(role: Role, threshold: float) -> float:
    """Return the confidence from which an op of this role is applied."""
    return max(FLOOR, TABLE[role].bar(threshold))
