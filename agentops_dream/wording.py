"""Numbers in sentences for people (SPEC §13)."""

from __future__ import annotations

from collections.abc import Iterable


def counted(number: int, one: str, many: str = "") -> str:
    """Return ``1 file``, ``2 files``; ``many`` is the plural where an ``s`` does not make it."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def ops_named(indexes: Iterable[int]) -> str:
    """Return ``op 3``, or ``ops 0, 2-5``: neighbours together, because there can be hundreds."""
    runs: list[list[int]] = []
    for index in sorted(indexes):
        if runs and index == runs[-1][-1] + 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    told = [f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return f"op{'s' if sum(map(len, runs)) > 1 else ''} {', '.join(told)}"
