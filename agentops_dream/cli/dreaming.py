"""``run`` and ``demo``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import click

from agentops_dream.cli.app import App, bare, command
from agentops_dream.cli.telling import receipt_data, tell_diff, tell_receipt
from agentops_dream.demo import play
from agentops_dream.dream import dream
from agentops_dream.models import Receipt
from agentops_dream.order import Nothing, Order
from agentops_dream.store.memory import read_store


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
        app.say("AGENTOPS_DREAM_DISABLE is set, so nothing is done")
        app.answer({"outcome": "nothing", "message": "disabled", "runs": []})
        return 0
    if audit:
        chosen = chosen.replace(promote="audit")
    if backend:
        chosen = chosen.replace(backend=backend)
    for problem in chosen.problems:
        app.err.print(problem, style="yellow")
    order = Order(app.places, chosen, app.env, "manual", manual=True, again=again)
    done: list[Receipt] = []
    message = ""
    try:
        for receipt in _until_covered(app, order) if everything else _once(app, order):
            done.append(receipt)
            tell_receipt(app, receipt)
    except Nothing as nothing:
        message = str(nothing)
        if not done:
            app.say(message)
    app.answer(
        {
            "outcome": done[-1].outcome if done else "nothing",
            "message": done[-1].message if done else message,
            "runs": [receipt_data(receipt) for receipt in done],
        }
    )
    return 0


def _once(app: App, order: Order) -> Iterator[Receipt]:
    with app.err.status("dreaming …"):
        receipt = dream(order)
    yield receipt


def _until_covered(app: App, order: Order) -> Iterator[Receipt]:
    left = {entry.path for entry in read_store(order.memory).entries if not entry.readonly}
    total = len(left)
    first = True
    while left:
        with app.err.status(f"dreaming … {total - len(left)} of {total} entries covered"):
            receipt = dream(replace(order, focus=left, again=order.again or not first))
        first = False
        yield receipt
        covered = left & set(receipt.focus)
        if not covered:
            return
        left -= covered
        left &= {entry.path for entry in read_store(order.memory).entries}


@click.command()
@click.option("--keep", is_flag=True, help="Keep the sample store and say where it is.")
@bare
def demo(app: App, keep: bool) -> int:
    """Dream over a sample store, with no model at hand, and show what changed.

    Uses the offline backend in a folder of its own; your memory and settings are not looked at.
    """
    shown = play.play(app.env, keep=keep)
    app.say("A sample memory directory, before:", "bold")
    for name, text in shown.before.items():
        app.say(f"  {name}  {play.gist(text)}")
    app.say()
    app.say("One dream later:", "bold")
    tell_receipt(app, shown.receipt)
    app.say()
    for row in shown.receipt.files:
        tell_diff(app, row["diff"])
        app.say()
    app.say("After:", "bold")
    for name, text in shown.after.items():
        app.say(f"  {name}  {play.gist(text)}")
    app.say()
    same = "byte for byte as it was" if shown.undone else "NOT as it was"
    app.say(f"Then `undo`: the sample is {same}.", "green" if shown.undone else "red")
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
