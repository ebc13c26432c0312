"""``undo`` and ``purge``: the ways back, and the way to forget."""

from __future__ import annotations

import functools
import shlex
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TextIO

import click

from agentops_dream import undoing
from agentops_dream.cli import completing
from agentops_dream.cli.app import App, Failed, command
from agentops_dream.cli.telling import receipt_data, tell_receipt
from agentops_dream.journal import runs
from agentops_dream.order import Order, lock
from agentops_dream.standing import elsewhere, standing
from agentops_dream.transaction import purge as purging
from agentops_dream.wording import counted


@click.command()
@click.argument("run", default="last", shell_complete=completing.names)
@click.option("--op", "ops", type=int, multiple=True, help="Only this op of the run (may be given again).")
@command
def undo(app: App, run: str, ops: tuple[int, ...]) -> int:
    """Take a run back, byte for byte, indexes and mirror included.

    RUN is a run's name, its beginning or end, or `last` (the default). Files that were edited since are
    left and named. An undo is itself a run: undo it to redo.
    """
    order = Order(app.places, app.settings, app.env, "manual", manual=True)
    receipt = undoing.undo(order, run, ops=ops or None)
    tell_receipt(app, receipt)
    app.answer(receipt_data(receipt))
    return 0


@click.command()
@click.option("--run", "names", multiple=True, metavar="RUN", help="This run (may be given again).")
@click.option("--older-than", type=click.IntRange(min=0), metavar="DAYS", help="Runs older than this.")
@click.option("--entry", metavar="PATH", help="This entry (or a pattern such as 'draft-*.md'), in every run.")
@click.option("--text", "texts", multiple=True, help="Files that hold this text. It shows in your history.")
@click.option(
    "--text-file", type=click.File("r", encoding="utf-8"), help="The same, from a file or - (stdin)."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@command
def purge(
    app: App,
    names: tuple[str, ...],
    older_than: int | None,
    entry: str | None,
    texts: tuple[str, ...],
    text_file: TextIO | None,
    yes: bool,
) -> int:
    """Erase old bytes for good: a secret, a request to forget.

    What is purged cannot be undone any more. Names, hashes and figures of the runs stay. Live files are
    not touched: those that still hold the text are named.
    """
    if any(not name.strip() for name in (*names, *(() if entry is None else (entry,)))):
        raise click.UsageError("an empty name names no run and no entry")  # a variable that was not set
    state = Path(app.places.state)
    chosen = {runs.find(state, name).run for name in names} or None
    before = None if older_than is None else datetime.now(timezone.utc) - timedelta(days=older_than)
    words = [*texts, *(text_file.read().split("\n") if text_file else ())]
    if chosen is None and before is None and entry is None and not any(words):
        raise click.UsageError("say what to purge: --run, --older-than, --entry, --text or --text-file")
    erase = functools.partial(
        purging.purge,
        state,
        runs=chosen,
        before=before,
        entry=entry,
        texts=[word for word in words if word],
        staging=Path(app.places.staging),
        forget=runs.forget,
    )
    if not yes:
        would = erase(only_look=True)
        _tell_purged(app, "This would erase", would)
        something = would.runs or would.staged
        if app.json or (something and not click.confirm("Erase these old bytes for good?")):
            raise Failed("nothing was erased; give --yes to confirm")
    with lock(state):
        done = erase()
    _tell_purged(app, "erased", done)
    live = standing(app.places, words, entry)
    for path in live:
        app.say(f"still stands in {path}; purge erases only what was kept for undo, remove it there", "yellow")
    for other in elsewhere(app.places, words):
        way = f"purge it there with --memory-dir {shlex.quote(other)}"
        app.say(f"the history of {other} holds the text too; {way}", "yellow")
    for name in done.skipped:
        app.say(f"run {name} is unfinished; run any dream first, then purge again", "yellow")
    app.answer({**done.__dict__, "standing": live})
    return 0


def _tell_purged(app: App, verb: str, done: purging.Purged) -> None:
    """Say what a purge has erased, or would, and in which history."""
    history = f"the history of {app.places.memory}"
    if not done.runs and not done.staged:
        app.say(f"nothing in {history} is to be erased for this")
        return
    app.say(
        f"{verb} {counted(done.size, 'byte')} of {history}: {counted(len(done.labels), 'file')} in "
        f"{counted(len(done.runs), 'run')}, {counted(len(done.staged), 'proposal')}"
    )
    for run in done.runs:
        app.say(f"  run {run}: it cannot be taken back any more")
    for name in done.staged:
        app.say(f"  {name}: it no longer waits for review", "yellow")
