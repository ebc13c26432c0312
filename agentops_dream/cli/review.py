"""``review``, ``apply``, ``discard``, ``unflag``: what waits for a person, and the person's word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agentops_dream import deciding, staging, unflagging
from agentops_dream.cli.app import App, command
from agentops_dream.cli.telling import ops_table, receipt_data, tell_receipt
from agentops_dream.order import Order
from agentops_dream.staging import Proposal
from agentops_dream.store.memory import Store, read_store


def _numbers(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> frozenset[int] | None:
    if value is None:
        return None
    try:
        return frozenset(int(part) for part in value.replace(",", " ").split())
    except ValueError:
        raise click.BadParameter("numbers of ops, as in 0,2,5") from None


@click.command()
@click.argument("proposal", default="")
@command
def review(app: App, proposal: str) -> int:
    """List what waits: proposals of audit runs and parked ops, op by op, and flagged entries."""
    found, problems = staging.waiting(Path(app.places.staging))
    found = [item for item in found if item.run.endswith(proposal) or item.run.startswith(proposal)]
    try:
        store: Store | None = read_store(Path(app.places.memory))
    except OSError:
        store = None
    data = [proposal_data(item, store) for item in found]
    flagged = [entry for entry in store.entries if entry.flagged] if store else []
    for item, shown in zip(found, data, strict=True):
        what = "parked ops of a dream" if item.kind == "parked" else "a whole plan; nothing was touched"
        app.say(f"{item.run}  {what}", "bold")
        app.show(ops_table(shown["ops"]))
        if shown["stale"]:
            app.say("changed since: " + ", ".join(shown["stale"]), "yellow")
        app.say(
            f"take: agentops-dream apply {item.run} [--ops 0,2]   or: agentops-dream discard {item.run}",
            "dim",
        )
        app.say()
    for problem in problems:
        app.say(problem, "red")
    if flagged:
        app.say("Flagged entries:", "bold")
        for entry in flagged:
            app.say(f"  {entry.path}: {unflagging.reason(entry) or 'no reason given'}")
        app.say("clear: agentops-dream unflag ENTRY", "dim")
    if not found and not flagged:
        app.say("Nothing waits for review.")
    app.answer(
        {
            "proposals": data,
            "flagged": [{"path": entry.path, "reason": unflagging.reason(entry)} for entry in flagged],
            "problems": problems,
        }
    )
    return 0


def proposal_data(proposal: Proposal, store: Store | None) -> dict[str, Any]:
    """Return a proposal as ``--json`` shows it."""
    return {
        "run": proposal.run,
        "kind": proposal.kind,
        "created": proposal.created,
        "summary": proposal.summary,
        "focus": sorted(proposal.focus),
        "stale": list(staging.stale(proposal, store)) if store else [],
        "ops": [
            {
                "index": index,
                "takeable": index in deciding.offered(proposal),
                **proposal.verdicts[index],
                "op": proposal.ops[index],
            }
            for index in sorted(proposal.ops)
        ],
    }


@click.command()
@click.argument("proposal", default="")
@click.option("--ops", callback=_numbers, metavar="N,N", help="Only these; parked ops must be named.")
@command
def apply(app: App, proposal: str, ops: frozenset[int] | None) -> int:
    """Carry out a proposal: all its ops that passed the gate, or those that you name.

    They go through the same gate and transaction as in a dream. Naming a parked op is your word for what
    it was parked for. An op whose entries have changed since is stale and is not carried out.
    """
    order = Order(app.places, app.settings, app.env, "manual", manual=True)
    receipt = deciding.apply(order, proposal, ops=ops)
    tell_receipt(app, receipt)
    app.answer(receipt_data(receipt))
    return 0


@click.command()
@click.argument("proposal", default="")
@click.option("--ops", callback=_numbers, metavar="N,N", help="Only these; the others go on waiting.")
@command
def discard(app: App, proposal: str, ops: frozenset[int] | None) -> int:
    """Send a proposal away, or some of its ops. No entry is touched."""
    order = Order(app.places, app.settings, app.env, "manual", manual=True)
    gone = deciding.discard(order, proposal, ops=ops)
    app.say(f"discarded {gone.run}")
    app.answer({"run": gone.run, "ops": sorted(ops) if ops is not None else sorted(gone.ops)})
    return 0


@click.command()
@click.argument("entry")
@command
def unflag(app: App, entry: str) -> int:
    """Clear the flag of an entry, named by its file or id."""
    order = Order(app.places, app.settings, app.env, "manual", manual=True)
    receipt = unflagging.unflag(order, entry)
    tell_receipt(app, receipt)
    app.answer(receipt_data(receipt))
    return 0
