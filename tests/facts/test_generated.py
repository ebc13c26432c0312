"""Both kinds of error of the gate, measured over stores made by chance in four languages.

A guard that blocks honest work is as broken as one that lets a fact go, so both are held to a number.
"""

from __future__ import annotations

from collections import Counter

import generated
import pytest

from agentops_dream.facts.weigh import weigh

NEVER = ("drop-fact", "change-number", "wander", "undeclared", "false-claim", "add")
"""Faults of which none may get through: undeclared losses, inventions."""


def measure(count: int, seed: int) -> tuple[Counter[str], Counter[str], list[str]]:
    """Return cases and errors per kind, and each error for a person to read."""
    total: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    told: list[str] = []
    for case in generated.cases(count, seed):
        faults = weigh(case.inputs, case.outputs, superseded=case.superseded, shown=case.shown)
        total[case.kind] += 1
        if bool(faults) == (case.kind in generated.HONEST):
            wrong[case.kind] += 1
            told.append(f"{case.kind} {case.language} {case.fault} {[f.message for f in faults]} {case.inputs} {case.outputs}")
    return total, wrong, told


def share(kinds: tuple[str, ...], total: Counter[str], wrong: Counter[str]) -> float:
    return sum(wrong[kind] for kind in kinds) / sum(total[kind] for kind in kinds)


def test_honest_rewritings_pass_and_bad_ones_do_not() -> None:
    total, wrong, told = measure(4, 1)
    assert share(generated.HONEST, total, wrong) <= 0.02, told
    assert share(generated.DISHONEST, total, wrong) <= 0.02, told


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12])
def test_the_figures_that_the_product_is_trusted_for(seed: int) -> None:
    """At least 98 % of honest work accepted; no undeclared loss of a literal, no invention; swaps, hedges, bans found."""
    total, wrong, told = measure(50, seed)
    for kind in generated.HONEST:
        assert wrong[kind] / total[kind] <= 0.02, [line for line in told if line.startswith(kind)]
    assert share(generated.HONEST, total, wrong) <= 0.01, told
    for kind in NEVER:
        assert wrong[kind] == 0, [line for line in told if line.startswith(kind)]
    assert share(generated.DISHONEST, total, wrong) <= 0.01, told


@pytest.mark.parametrize("kind", ["change-number", "undeclared", "wander", "add", "translate"])
def test_the_fault_is_named(kind: str) -> None:
    """A verdict that only says no helps nobody: the literal or the sentence must be in it."""
    for language in ("en", "ja", "zh", "ko"):
        for number in range(6):
            case = generated.make(language, kind, number, seed=3)
            faults = weigh(case.inputs, case.outputs, superseded=case.superseded, shown=case.shown)
            assert any(fault.literals and fault.message for fault in faults), case


def test_cases_are_the_same_every_time() -> None:
    """A failure that cannot be made again cannot be mended."""
    assert list(generated.cases(1, 5)) == list(generated.cases(1, 5))
