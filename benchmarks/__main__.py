"""``python -m benchmarks``: measure, print the table, write it into the README if asked."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import hook, worker
from benchmarks.hook import Row
from benchmarks.worker import Cost

README = Path(__file__).resolve().parent.parent / "README.md"
START, END = "<!-- benchmarks:start -->", "<!-- benchmarks:end -->"


def tables(rows: Sequence[Row], costs: Sequence[Cost]) -> str:
    """Return the tables in Markdown."""
    lines = []
    if rows:
        lines += [
            "| the hook, as Claude Code starts it | ratio | quartiles | of | at most |",
            "|---|---|---|---|---|",
        ]
        for row in rows:
            target = f"{row.target:g} ×" if row.target else ""
            lines.append(
                f"| {row.case} | {row.ratio.median:.2f} × | {row.ratio.low:.2f}–{row.ratio.high:.2f} "
                f"| {row.floor} | {target} |"
            )
        lines.append("")
    if costs:
        lines += ["| the worker, without the model | CPU | peak memory | at most |", "|---|---|---|---|"]
        for cost in costs:
            limits = [f"{cost.target_cpu:g} s" if cost.target_cpu else ""]
            limits += [f"{cost.target_memory:g} MB"] if cost.target_memory else []
            lines.append(
                f"| {cost.case} | {cost.cpu:.2f} s | {cost.memory:.0f} MB | {', '.join(filter(None, limits))} |"
            )
        lines.append("")
    lines.append(
        f"One run with Python {platform.python_version()} on {platform.system()}, {platform.machine()}."
    )
    return "\n".join(lines)


def growth(rows: Sequence[Row], costs: Sequence[Cost]) -> str:
    """Return what one more entry costs in small stores and in large ones."""
    return " ".join(filter(None, (_hook_growth(rows) if rows else "", _light_growth(costs) if costs else "")))


def _hook_growth(rows: Sequence[Row]) -> str:
    by_case = {row.case: row for row in rows}
    small, large = by_case["nothing changed, 1,000"], by_case["nothing changed, 10,000"]
    early = (small.ratio.median - by_case["nothing changed, 0 entries"].ratio.median) / 1000
    late = (large.ratio.median - small.ratio.median) / 9000
    return (
        f"Each entry costs the hook {early * 1000:.2f} thousandths of a bare interpreter's start up to 1,000 entries "
        f"and {late * 1000:.2f} from there to 10,000."
    )


def _light_growth(costs: Sequence[Cost]) -> str:
    (few, some, many), (small, middle, large) = costs[: len(worker.LIGHT)], worker.LIGHT
    early = (some.cpu - few.cpu) / (middle - small) * 1000
    late = (many.cpu - some.cpu) / (large - middle) * 1000
    memory = (many.memory - some.memory) / (large - middle) * 1000
    return (
        f"Each entry of 2 KB costs light sleep {early:.2f} ms up to 1,000 entries, {late:.2f} ms from there to 10,000, "
        f"and {memory:.0f} KB of memory."
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="rounds of the hook's cases (default 40)")
    parser.add_argument("--only", choices=("hook", "worker"))
    parser.add_argument("--write", action="store_true", help="put the table into the README")
    options = parser.parse_args()
    rows = [] if options.only == "worker" else hook.measure(options.rounds)
    measured = list(rows)
    rows += [] if options.only == "worker" else hook.cold(max(4, options.rounds // 2))
    costs = [] if options.only == "hook" else worker.measure(3)
    text = f"{tables(rows, costs)} {growth(measured, costs)}"
    print(text)
    if options.write:
        before, rest = README.read_text(encoding="utf-8").split(START)
        after = rest.split(END)[1]
        README.write_text(f"{before}{START}\n{text}\n{END}{after}", encoding="utf-8")
    missed = [row.case for row in rows if row.target and row.ratio.median > row.target]
    missed += [cost.case for cost in costs if cost.target_cpu and cost.cpu > cost.target_cpu]
    missed += [cost.case for cost in costs if cost.target_memory and cost.memory > cost.target_memory]
    for case in missed:
        print(f"over the target: {case}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
