"""How runs, ops and verdicts are told to a person: the same words in every command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from agentops_dream.cli.app import App
from agentops_dream.journal import runs
from agentops_dream.models import Receipt, Verdict
from agentops_dream.review.telling import VERDICTS
from agentops_dream.review.visible import visible

STYLES = {**VERDICTS, "failed": "red", "staged": "yellow", "nothing": "dim"}


def tell_receipt(app: App, receipt: Receipt) -> None:
    """Print what a run did: one line, then a line per op, then what to do next."""
    app.say(f"{receipt.outcome}: {receipt.message}", STYLES.get(receipt.outcome, ""))
    if receipt.verdicts:
        app.show(ops_table(receipt.verdicts))
    for note in receipt.notes:
        app.say(f"note: {note}", "dim")
    for path in receipt.too_large:
        app.say(f"too large for the budget, left alone: {path} (raise AGENTOPS_DREAM_MAX_BYTES)", "yellow")
    if receipt.deferred:
        app.say(f"{len(receipt.deferred)} changed entries wait for the next dream", "dim")
    if receipt.outcome == "applied":
        app.say(f"Take it back: agentops-dream undo {receipt.run}", "dim")
    elif receipt.outcome == "staged":
        app.say("Look at it: agentops-dream review", "dim")


def ops_table(verdicts: Iterable[Verdict | Mapping[str, Any]]) -> Table:
    """Return a table of ops with verdict and reason."""
    table = Table(box=None, pad_edge=False, show_header=True, header_style="bold")
    table.add_column("op", justify="right")
    table.add_column("verdict", no_wrap=True)
    table.add_column("what", no_wrap=True)
    table.add_column("entries, why", overflow="fold")
    for item in verdicts:
        row = item if isinstance(item, Mapping) else _row(item)
        text = Text(visible(", ".join(row["targets"])))
        why = row["reason"] or row["rationale"]
        if why:
            text.append("\n" + visible(why), style="dim")
        status = Text(row["status"], style=STYLES.get(row["status"], ""))
        table.add_row(str(row["index"]), status, row["kind"] or "?", text)
    return table


def _row(verdict: Verdict) -> Mapping[str, Any]:
    return {
        "index": verdict.index,
        "status": verdict.status,
        "kind": verdict.kind,
        "targets": verdict.targets,
        "reason": verdict.reason,
        "rationale": verdict.rationale,
    }


def tell_diff(app: App, text: str) -> None:
    """Print a unified diff in colour."""
    for line in text.splitlines():
        style = ""
        if line.startswith(("+++", "---")):
            style = "bold"
        elif line.startswith("@@"):
            style = "cyan"
        elif line.startswith("+"):
            style = "green"
        elif line.startswith("-"):
            style = "red"
        app.say(line, style)


def receipt_data(receipt: Receipt) -> dict[str, Any]:
    """Return a receipt as ``--json`` shows it."""
    return runs.to_json(receipt)
