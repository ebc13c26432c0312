"""``stats`` and ``report``: what it all adds up to, in the terminal and as pages to keep."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from agentops_dream import deciding
from agentops_dream.cli import completing
from agentops_dream.cli.app import App, Failed, command, legible
from agentops_dream.cli.review import deck_of, order_of, store_of
from agentops_dream.journal import runs
from agentops_dream.journal.stats import Stats, gather
from agentops_dream.review.markup import Html
from agentops_dream.review.page import Table as Proposed
from agentops_dream.review.page import review_page
from agentops_dream.review.report import run_page, stats_page
from agentops_dream.review.telling import VERDICTS
from agentops_dream.wording import counted

MARK = '<meta name="generator" content="agentops-dream report">'
"""Tells a report from the files of others."""
SHOWN_DAYS = 14
BAR = 24
"""Columns of the longest bar."""


@click.command(short_help="Sum up all runs, and draw them over time.")
@command
def stats(app: App) -> int:
    """Sum up all runs: dreams, ops by verb and verdict, tokens, dollars, entries and index over time.

    As a page: `agentops-dream report --stats -o FILE`.
    """
    found = gather(runs.every(Path(app.places.state)))
    entries, index_bytes = _now(app)
    tokens = found.input_tokens + found.output_tokens
    app.say(f"dreams            {found.dreams} of {counted(found.runs, 'run')}, {found.undone} taken back", "")
    app.say(f"files             {found.changed} changed, {found.created} new, {found.removed} removed")
    app.say(f"model             {counted(found.calls, 'call')}, {counted(tokens, 'token')}, ${found.usd:.4f}")
    app.say(f"now               {counted(entries, 'entry', 'entries')}, MEMORY.md {counted(index_bytes, 'byte')}")
    if found.ops:
        app.say()
        app.show(_ops_table(found))
    if found.days:
        app.say()
        app.show(_days_table(found))
    courses = list(_courses(found))
    if courses:
        app.say()
    for line in courses:
        app.say(line)
    app.answer({**asdict(found), "now": {"entries": entries, "index_bytes": index_bytes}})
    return 0


def _now(app: App) -> tuple[int, int]:
    store = store_of(app)
    return len(store.entries), len(store.index or b"")


def _ops_table(found: Stats) -> Table:
    statuses = list(dict.fromkeys(status for counts in found.ops.values() for status in counts))
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("op")
    for status in statuses:
        table.add_column(status, justify="right", style=VERDICTS.get(status, ""))
    table.add_column("")
    most = max(sum(counts.values()) for counts in found.ops.values())
    for verb, counts in found.ops.items():
        figures = (str(counts.get(status, "")) for status in statuses)
        table.add_row(Text(legible(verb)), *figures, _bar(sum(counts.values()), most))
    return table


def _bar(value: int, most: int) -> Text:
    return Text("█" * max(round(BAR * value / (most or 1)), 1 if value else 0), style="green")


def _days_table(found: Stats) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("day", no_wrap=True)
    for title in ("dreams", "tokens", "dollars", "ops"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("")
    days = list(found.days.items())[-SHOWN_DAYS:]
    most = max(row.applied for _, row in days)
    for day, row in days:
        figures = (str(row.dreams), f"{row.tokens:,}", f"{row.usd:.4f}", str(row.applied))
        table.add_row(day, *figures, _bar(row.applied, most))
    return table


_STEPS = "▁▂▃▄▅▆▇█"


def _courses(found: Stats) -> Iterator[str]:
    """Yield each figure over time on a line of its own; nothing where there is no time to speak of."""
    days = list(found.days.values())
    if len(days) > 1:
        yield _course("dreams a day", [day.dreams for day in days])
        yield _course("tokens a day", [day.tokens for day in days])
        yield _course("dollars a day", [day.usd for day in days], "{:.4f}")
    if len(found.sizes) > 1:
        yield _course("entries", [size.entries for size in found.sizes])
        yield _course("MEMORY.md, bytes", [size.index_bytes for size in found.sizes])


def _course(name: str, values: Sequence[float], form: str = "{:,}", width: int = 40) -> str:
    """Return figures over time on one line, the newest last."""
    shown = values[-width:]
    low, high = min(shown), max(shown)
    span = (high - low) or 1
    line = "".join(_STEPS[int((value - low) / span * (len(_STEPS) - 1))] for value in shown)
    return f"{name:<17} {line}  {form.format(values[0])} → {form.format(values[-1])}"


@click.command(short_help="Write a run, a proposal or the figures as a page.")
@click.argument("name", metavar="[RUN|PROPOSAL]", default="", shell_complete=completing.names)
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write it; - is stdout.")
@click.option("--stats", "figures", is_flag=True, help="The figures over all runs instead.")
@click.option("--force", is_flag=True, help="Replace a file that is no report.")
@command
def report(app: App, name: str, output: str, figures: bool, force: bool) -> int:
    """Write a page to read and to keep: one HTML file that loads nothing and sends nothing.

    Of a run or of a proposal, named by its beginning or end, or `last` for the last run. Without a name:
    of everything that waits for review, or else of the last run. Secrets are redacted.
    """
    if output == "-" and app.json:
        raise click.UsageError("-o - prints the page, so there is no room for --json")
    what, made = _stats(app) if figures else _named(app, name)
    page = made.replace("<head>", f"<head>{MARK}", 1)
    if output == "-":
        sys.stdout.write(page)
        return 0
    path = Path(output)
    _look(path, force)
    _write(path, page)
    app.say(f"{what}: {path}")
    app.answer({"what": what, "file": str(path.absolute()), "bytes": len(page.encode())})
    return 0


def _stats(app: App) -> tuple[str, Html]:
    found = gather(runs.every(Path(app.places.state)))
    return "figures", stats_page(found, app.places.memory, *_now(app))


def _named(app: App, name: str) -> tuple[str, Html]:
    waiting, _ = deciding.waiting(Path(app.places.state), Path(app.places.staging))
    chosen = [item for item in waiting if runs.fits(item.run, name)]
    if name == "last" or not chosen:
        receipt = runs.find(Path(app.places.state), name)
        return f"run {receipt.run}", run_page(receipt)
    order, store = order_of(app), store_of(app)
    tables = [Proposed(deck_of(order, item, store), None) for item in chosen]
    return f"proposal {', '.join(item.run for item in chosen)}", review_page(tables)


def _look(path: Path, force: bool) -> None:
    """Raise ``Failed`` if no report can be written at ``path``, or what stands there is somebody else's."""
    if path.is_dir():
        raise Failed(f"{path} is a folder; name a file in it")
    if path.exists() and not path.is_file():  # to read a pipe would take for ever
        raise Failed(f"{path} is no regular file; -o - prints the page")
    if not path.absolute().parent.is_dir():
        raise Failed(f"there is no folder {path.parent}; make it, or name another file")
    try:
        with open(path, "rb") as stream:
            ours = MARK.encode() in stream.read(1024)
    except FileNotFoundError:
        return
    if not ours and not force:
        raise Failed(f"{path} is there already and is no report; name another file, or replace it with --force")


def _write(path: Path, page: str) -> None:
    """Write ``page`` whole or not at all; raises ``OSError``.

    A new file can be read by its owner only, as it holds a memory; one that is replaced keeps its mode.
    """
    path = path.resolve()  # a link stays one
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    handle, fresh = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.absolute().parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(page)
        os.chmod(fresh, mode)
        os.replace(fresh, path)
    except BaseException:
        Path(fresh).unlink(missing_ok=True)
        raise
