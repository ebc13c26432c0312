"""``status``, ``log``, ``show``, ``diff``, ``doctor``: what ran, what it cost, what waits."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from agentops_dream import checkup, overview
from agentops_dream.cli import completing
from agentops_dream.cli.app import App, command, legible
from agentops_dream.cli.telling import STYLES, receipt_data, tell_diff, tell_receipt
from agentops_dream.journal import runs
from agentops_dream.wording import counted


@click.command()
@command
def status(app: App) -> int:
    """Say where things stand, and the one thing to do next."""
    seen = overview.overview(app.places, app.settings, app.env)
    app.say(f"memory directory  {seen['memory_dir']}  ({seen['memory_source']})")
    app.say(f"project           {seen['project']}")
    app.say(
        f"entries           {seen['entries']}, {seen['waiting']} not dreamt over yet, "
        f"{len(seen['flagged'])} flagged"
    )
    if seen["index_notes"]:
        for note in seen["index_notes"]:
            app.say(f"MEMORY.md         {note}", "yellow")
    app.say(f"proposals         {seen['proposals']} to review")
    last = seen["last_run"]
    app.say(
        f"last run          {last['run']}  {last['outcome']}: {last['message']}"
        if last
        else "last run          none yet"
    )
    cap = f" of ${seen['max_usd_per_day']:.2f}" if seen["max_usd_per_day"] else ""
    app.say(f"spent today       ${seen['usd_today']:.4f}{cap}, {counted(seen['dreams_today'], 'dream')} in 24 hours")
    app.say(f"mode              {seen['promote']}, backend {seen['backend']}, model {seen['model']}")
    for item in seen["flagged"]:
        app.say(f"flagged           {item['path']}: {item['reason'] or 'no reason given'}", "yellow")
    for problem in seen["problems"]:
        app.say(f"problem           {problem}", "red")
    app.say()
    app.say(seen["next"], "bold")
    app.answer(seen)
    return 0


@click.command()
@click.option(
    "-n", "--number", type=click.IntRange(min=1), default=20, show_default=True, help="How many runs."
)
@command
def log(app: App, number: int) -> int:
    """List the runs over this memory directory, newest first."""
    found = list(islice(runs.every(Path(app.places.state)), number))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title, width in (("run", 25), ("outcome", 7), ("cost", 7)):
        table.add_column(title, no_wrap=True, min_width=width)  # a name is there to be copied
    table.add_column("what", overflow="fold")
    for receipt in found:
        table.add_row(
            receipt.run,
            Text(receipt.outcome, style=STYLES.get(receipt.outcome, "")),
            f"${receipt.usage.usd:.4f}" if receipt.usage.calls else "-",
            Text(legible(f"{receipt.kind} ({receipt.trigger}): {receipt.message}")),
        )
    if found:
        app.show(table)
    else:
        app.say("No run yet. `agentops-dream run` dreams now; otherwise the next session does.")
    app.answer([receipt_data(receipt) for receipt in found])
    return 0


@click.command(short_help="Show what a run did and why, and what it cost.")
@click.argument("run", default="last", shell_complete=completing.names)
@command
def show(app: App, run: str) -> int:
    """Show the receipt of a run: what was shown, what became of each op and why, what it cost."""
    receipt = runs.find(Path(app.places.state), run)
    app.say(f"run {receipt.run}", "bold")
    app.say(f"{receipt.kind} ({receipt.trigger}), {receipt.started}, {receipt.seconds:g} s")
    app.say(f"focus {len(receipt.focus)}, shown {len(receipt.shown)}, deferred {len(receipt.deferred)}")
    usage = receipt.usage
    if usage.calls:
        app.say(f"{usage.model}: {usage.input_tokens} tokens in, {usage.output_tokens} out, ${usage.usd:.4f}")
    tell_receipt(app, receipt)
    for row in receipt.files:
        app.say(f"{row['label']}  {_short(row['before'])} → {_short(row['after'])}")
    app.answer(receipt_data(receipt))
    return 0


def _short(digest: Any) -> str:
    return str(digest)[:10] if digest else "no file"


@click.command()
@click.argument("run", default="last", shell_complete=completing.names)
@command
def diff(app: App, run: str) -> int:
    """Show what a run changed, as one unified diff."""
    receipt = runs.find(Path(app.places.state), run)
    for row in receipt.files:
        tell_diff(app, row["diff"] or f"(the difference of {row['label']} was purged)")
    if not receipt.files:
        app.say(f"run {receipt.run} changed no file")
    app.answer({"run": receipt.run, "files": [dict(row) for row in receipt.files]})
    return 0


@click.command(short_help="Check everything that a dream needs.")
@command
def doctor(app: App) -> int:
    """Check everything that a dream needs, and say what to do about what is missing."""
    found = checkup.checkup(app.places, app.settings, app.env)
    for item in found:
        mark, style = ("warn", "yellow") if item["what"] == checkup.LEFT_ALONE else ("ok  ", "")
        if not item["ok"]:
            mark, style = "FAIL", "red"
        app.say(f"{mark}  {item['what']}: {item['detail']}", style)
    healthy = all(item["ok"] for item in found)
    app.answer({"ok": healthy, "checks": found})
    return 0 if healthy else 1
