"""What all looks for hardening find: a sentence and what became of it (SPEC §8)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Hardened:
    """A statement that became harder, looser or its opposite."""

    before: str
    after: str
    mark: str
    """The word that makes the difference."""
