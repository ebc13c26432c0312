"""What dreaming has done and cost over many runs (SPEC §13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agentops_dream.models import Receipt


@dataclass(frozen=True)
class Day:
    """One UTC day on which something ran."""

    dreams: int = 0
    applied: int = 0
    """Ops carried out."""
    tokens: int = 0
    """In and out."""
    usd: float = 0.0


@dataclass(frozen=True)
class Size:
    """How large the store was after a run."""

    run: str
    started: str
    entries: int
    index_bytes: int


@dataclass(frozen=True)
class Stats:
    """Sums over receipts."""

    runs: int = 0
    dreams: int = 0
    first: str = ""
    """When the oldest of them began, ISO 8601; ``""`` if there is none."""
    last: str = ""
    outcomes: Mapping[str, int] = field(default_factory=dict)
    """Runs per kind and outcome: ``dream applied``, ``undo applied``, ``dream failed`` …"""
    undone: int = 0
    """Dreams of which at least one op was taken back."""
    ops: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Verb -> status -> count; ``?`` for ops that had no verb to read. Ops that were not carried out,
    because the dream only proposed or failed, count as ``staged`` or ``failed``."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """Fault code -> ops that had it, most frequent first."""
    changed: int = 0
    """Files changed by dreams and applied proposals; undos do not count."""
    created: int = 0
    removed: int = 0
    calls: int = 0
    usd: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    """Of model calls."""
    usd_by_day: Mapping[str, float] = field(default_factory=dict)
    """UTC day -> dollars, oldest first."""
    days: Mapping[str, Day] = field(default_factory=dict)
    """UTC day -> what ran, oldest first."""
    sizes: tuple[Size, ...] = ()
    """Oldest first; runs that wrote nothing, and those of older versions, say nothing."""


def gather(receipts: Iterable[Receipt]) -> Stats:
    """Return the sums over ``receipts``, in any order."""
    found = sorted(receipts, key=lambda receipt: receipt.run)
    ops: dict[str, Counter[str]] = {}
    faults: Counter[str] = Counter()
    days: dict[str, float] = {}
    files: Counter[str] = Counter()
    for receipt in found:
        for verdict in receipt.verdicts:
            ops.setdefault(verdict.kind or "?", Counter())[_status(receipt, verdict.status)] += 1
            faults.update({fault.code for fault in verdict.faults})
        if receipt.usage.calls:
            day = receipt.started[:10]
            days[day] = days.get(day, 0.0) + receipt.usage.usd
        if receipt.kind != "undo":
            files.update(_what(row) for row in receipt.files)
    return Stats(
        runs=len(found),
        dreams=sum(receipt.kind == "dream" for receipt in found),
        first=found[0].started if found else "",
        last=found[-1].started if found else "",
        outcomes=dict(sorted(Counter(f"{r.kind} {r.outcome}" for r in found).items())),
        undone=len({receipt.undoes for receipt in found if receipt.kind == "undo" and receipt.files}),
        ops={kind: dict(sorted(counts.items())) for kind, counts in sorted(ops.items())},
        faults=dict(sorted(faults.items(), key=lambda item: (-item[1], item[0]))),
        changed=files["changed"],
        created=files["created"],
        removed=files["removed"],
        calls=sum(receipt.usage.calls for receipt in found),
        usd=round(sum(receipt.usage.usd for receipt in found), 6),
        input_tokens=sum(receipt.usage.input_tokens for receipt in found),
        output_tokens=sum(receipt.usage.output_tokens for receipt in found),
        seconds=round(sum(receipt.usage.seconds for receipt in found), 3),
        usd_by_day={day: round(usd, 6) for day, usd in sorted(days.items())},
        days=_days(found),
        sizes=tuple(
            Size(receipt.run, receipt.started, receipt.entries, receipt.index_bytes)
            for receipt in found
            if receipt.entries is not None and receipt.index_bytes is not None
        ),
    )


def _status(receipt: Receipt, status: str) -> str:
    done = status in ("applied", "flagged")
    return receipt.outcome if done and receipt.outcome in ("staged", "failed") else status


def _days(receipts: Iterable[Receipt]) -> Mapping[str, Day]:
    days: dict[str, Day] = {}
    for receipt in receipts:
        day = days.get(receipt.started[:10], Day())
        usage = receipt.usage
        days[receipt.started[:10]] = Day(
            dreams=day.dreams + (receipt.kind == "dream"),
            applied=day.applied + sum(_status(receipt, v.status) == "applied" for v in receipt.verdicts),
            tokens=day.tokens + usage.input_tokens + usage.output_tokens,
            usd=round(day.usd + usage.usd, 6),
        )
    return dict(sorted(days.items()))


def _what(row: Mapping[str, object]) -> str:
    if row["before"] is None:
        return "created"
    return "removed" if row["after"] is None else "changed"
