"""``eval``: how well does the gate do, measured."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import click
from rich.table import Table

from agentops_dream.cli.app import App, Failed, bare
from agentops_dream.evaluation import recorded


@click.group("eval")
def evaluate() -> None:
    """Measure the gate on labelled data. Nothing of yours is read or changed."""


@evaluate.command("recorded")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), help="The day it is in the stores (default: today).")
@click.option("--caps", is_flag=True, help="Keep the caps on one night, too.")
@bare
def from_recorded(app: App, folder: Path, today: datetime | None, caps: bool) -> int:
    """Run the gate over recorded replies that a person has judged, and compare.

    FOLDER holds stores/, focus/ and replies/ with verdicts. Prints a table by reply and by kind of fault,
    then every op on which gate and person disagree.
    """
    try:
        rows = recorded.run(folder, today=today.date() if today else date.today(), caps=caps)
    except recorded.BadCorpus as error:
        raise Failed(str(error)) from error
    for title, lines in (("reply", recorded.by_reply(rows)), ("kind of fault", recorded.by_kind(rows))):
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column(title)
        for column in ("honest accepted", "dishonest kept out", "either"):
            table.add_column(column, justify="right")
        for line in lines:
            table.add_row(line.name, str(line.honest_accepted), str(line.dishonest_kept), str(line.either))
        app.show(table)
        app.say()
    for row in rows:
        if not row.agrees:
            what = "honest" if row.honest else row.kind
            said = f"a person says {what}, the gate {row.verdict.status}"
            app.say(f"{row.store} {row.reply} {row.index} {row.verb}: {said}")
            app.say(f"  person: {row.why}", "dim")
            app.say(f"  gate:   {row.verdict.reason or '-'}", "dim")
    app.answer(
        {
            "ops": [
                {
                    "store": row.store,
                    "reply": row.reply,
                    "index": row.index,
                    "verb": row.verb,
                    "honest": row.honest,
                    "either": row.either,
                    "kind": row.kind,
                    "status": row.verdict.status,
                    "reason": row.verdict.reason,
                }
                for row in rows
            ]
        }
    )
    return 0
