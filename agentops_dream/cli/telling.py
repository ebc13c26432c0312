"""How runs, ops and verdicts are told to a person: the same words in every command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from agentops_dream.cli.app import App, legible
from agentops_dream.journal import runs
from agentops_dream.models import Receipt
from agentops_dream.review import cards
from agentops_dream.review.telling import VERDICTS
from agentops_dream.wording import counted

STYLES = {**VERDICTS, "failed": "red", "staged": "yellow", "nothing": "dim"}


def tell_receipt(app: App, receipt: Receipt) -> None:
    """Print what a run did: one line, then a line per op, then what to do next."""
    app.say(f"{receipt.outcome}: {receipt.message}", STYLES.get(receipt.outcome, ""))
    if receipt.verdicts:
        app.show(ops_table(_rows(receipt)))
    for note in receipt.notes:
        app.say(f"note: {note}", "dim")
    for path in receipt.too_large:
        app.say(f"too large for the budget, left alone: {path} (raise AGENTOPS_DREAM_MAX_BYTES)", "yellow")
    if receipt.deferred:
        waiting = counted(len(receipt.deferred), "changed entry waits", "changed entries wait")
        app.say(f"{waiting} for the next dream", "dim")
    if receipt.outcome == "applied":
        app.say(f"Take it back: agentops-dream undo {receipt.run}", "dim")
    elif receipt.outcome == "staged":
        app.say("Look at it: agentops-dream review", "dim")


@dataclass(frozen=True)
class Row:
    """One op in a table."""

    index: int
    status: str
    word: str
    """The status as a person is told it."""
    kind: str
    targets: Sequence[str]
    why: str


def ops_table(rows: Iterable[Row]) -> Table:
    """Return a table of ops with verdict and reason."""
    table = Table(box=None, pad_edge=False, show_header=True, header_style="bold")
    table.add_column("op", justify="right")
    table.add_column("verdict", no_wrap=True)
    table.add_column("what", no_wrap=True)
    table.add_column("entries, why", overflow="fold")
    for row in rows:
        text = Text(legible(", ".join(row.targets)))
        if row.why:
            text.append("\n" + legible(row.why), style="dim")
        status = Text(row.word, style=STYLES.get(row.status, ""))
        table.add_row(str(row.index), status, Text(legible(row.kind or "?")), text)
    return table


def _rows(receipt: Receipt) -> Iterator[Row]:
    for one in receipt.verdicts:
        word = cards.word(one.status, receipt.outcome)
        yield Row(one.index, one.status, word, one.kind, one.targets, one.reason or one.rationale)


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
