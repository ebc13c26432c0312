"""``run`` and ``demo``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import click
from rich.table import Table

from agentops_dream.cli.app import DONE, FAILED, App, bare, command, legible
from agentops_dream.cli.telling import receipt_data, tell_diff, tell_receipt
from agentops_dream.demo import play
from agentops_dream.dream import dream, read
from agentops_dream.hooked import plainly
from agentops_dream.models import Receipt
from agentops_dream.order import Busy, Nothing, Order, Stopped
from agentops_dream.rem.errors import RemError


@click.command()
@click.option("--audit", is_flag=True, help="Stage proposals for review; touch nothing.")
@click.option("--all", "everything", is_flag=True, help="Dream again and again until every entry is covered.")
@click.option("--again", is_flag=True, help="Also when nothing has changed since the last dream.")
@click.option(
    "--backend", type=click.Choice(["claude", "api", "offline"]), help="Instead of AGENTOPS_DREAM_BACKEND."
)
@command
def run(app: App, audit: bool, everything: bool, again: bool, backend: str | None) -> int:
    """Dream now, over every entry.

    Skips the trigger gate and the interval; never the lock, the gate or the transaction. If no entry has
    changed since the last dream there is nothing to do, and nothing is spent.
    """
    chosen = app.settings
    if chosen.disable:
        message = "AGENTOPS_DREAM_DISABLE is set, so nothing is done"
        app.say(message)
        app.answer({"outcome": "nothing", "message": message, "runs": []})
        return DONE
    if audit:
        chosen = chosen.replace(promote="audit")
    if backend:
        chosen = chosen.replace(backend=backend)
    for problem in chosen.problems:
        app.err.print(problem, style="yellow")
    order = Order(app.places, chosen, app.env, "manual", manual=True, again=again)
    done: list[Receipt] = []
    message = failed = ""
    try:
        for receipt in _until_covered(app, order) if everything else _once(app, order):
            done.append(receipt)
            tell_receipt(app, receipt)
    except Nothing as nothing:
        message = str(nothing)
        if not done:
            app.say(message)
    except (Busy, Stopped, RemError, OSError) as error:
        if not done:
            raise
        failed = f"{plainly(error)}; what came before it stands: agentops-dream log"
        app.err.print(legible(f"agentops-dream: {failed}"))
    app.answer(
        {
            "outcome": "failed" if failed else done[-1].outcome if done else "nothing",
            "message": failed or (done[-1].message if done else message),
            "runs": [receipt_data(receipt) for receipt in done],
        }
    )
    return FAILED if failed else DONE


def _once(app: App, order: Order) -> Iterator[Receipt]:
    with app.err.status("dreaming …"):
        receipt = dream(order)
    yield receipt


def _until_covered(app: App, order: Order) -> Iterator[Receipt]:
    left = {entry.path for entry in read(order).entries if not entry.readonly}
    total = len(left)
    first = True
    while left:
        with app.err.status(f"dreaming … {total - len(left)} of {total} entries covered"):
            receipt = dream(replace(order, focus=left, again=order.again or not first))
        first = False
        yield receipt
        covered = left & set(receipt.focus)
        left -= covered
        app.say(f"{total - len(left)} of {total} entries covered", "bold")
        if not covered:
            return
        left &= {entry.path for entry in read(order).entries}


@click.command(short_help="Dream over a sample store and show what changed.")
@click.option("--keep", is_flag=True, help="Keep the sample store and say where it is.")
@bare
def demo(app: App, keep: bool) -> int:
    """Dream over a sample store, with no model at hand, and show what changed.

    Uses the offline backend in a folder of its own; your memory and settings are not looked at.
    """
    shown = play.play(app.env, keep=keep)
    app.say(f"A sample memory directory of {len(shown.before)} files; one dream by rules, no model:", "bold")
    told: set[str] = set()
    for verdict in shown.receipt.verdicts:
        app.say()
        app.say(f"{verdict.kind} {', '.join(verdict.targets)}: {verdict.status}", "bold")
        app.say(verdict.rationale or verdict.reason, "dim")
        for row in shown.receipt.files:
            if verdict.index in row["ops"] and row["label"] not in told:
                told.add(row["label"])
                tell_diff(app, row["diff"])
    app.say()
    app.say("The index and AGENTS.md follow:", "bold")
    for row in shown.receipt.files:
        if row["label"] not in told:
            tell_diff(app, row["diff"])
    app.say()
    app.say("Before and after:", "bold")
    app.show(_sizes(shown.before, shown.after))
    same = "every byte is as it was" if shown.undone else "NOT every byte is as it was"
    if not keep:
        app.say(f"Then the dream was taken back: {same}.", "green" if shown.undone else "red")
    if keep:
        app.say(f"Kept in {shown.folder}")
    app.answer(
        {
            "before": shown.before,
            "after": shown.after,
            "receipt": receipt_data(shown.receipt),
            "undone": shown.undone,
            "folder": shown.folder if keep else None,
        }
    )
    return 0 if shown.receipt.outcome == "applied" and shown.undone else 1


def _sizes(before: Mapping[str, str], after: Mapping[str, str]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("file")
    table.add_column("before", justify="right")
    table.add_column("after", justify="right")
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        style = "" if old == new else "yellow"
        table.add_row(name, play.gist(old), play.gist(new) if new != old else "the same", style=style)
    return table
