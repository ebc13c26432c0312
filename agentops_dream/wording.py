"""Numbers in sentences for people (SPEC §13)."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """Return ``1 file``, ``2 files``; ``many`` is the plural where an ``s`` does not make it."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
