"""Interleaved rounds, medians and quartiles."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """Seconds, or ratios: median and quartiles."""

    median: float
    low: float
    high: float


def rounds(cases: Mapping[str, Callable[[], object]], times: int) -> dict[str, list[float]]:
    """Run every case once, then all of them ``times`` times in turn; return wall seconds per case."""
    for case in cases.values():
        case()
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(times):
        for name, case in cases.items():
            start = time.perf_counter()
            case()
            taken[name].append(time.perf_counter() - start)
    return taken


def spread(values: list[float]) -> Spread:
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median, low, high)


def ratio(values: list[float], floor: list[float]) -> Spread:
    """Return the spread of round-by-round ratios: both sides of each were measured in one round."""
    return spread([value / base for value, base in zip(values, floor, strict=True)])
