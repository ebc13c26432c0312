"""``review``, ``apply``, ``discard``, ``unflag``: what waits for a person, and the person's word."""

from __future__ import annotations

import sys
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import click

from agentops_dream import applying, deciding, staging, unflagging
from agentops_dream.cli import behind, completing
from agentops_dream.cli.app import App, command
from agentops_dream.cli.numbers import numbers
from agentops_dream.cli.telling import Row, ops_table, receipt_data, tell_receipt
from agentops_dream.order import Nothing, Order
from agentops_dream.review import cards, decisions, indexes, server, terminal
from agentops_dream.review.data import done_data, proposal_data
from agentops_dream.review.desk import Desk
from agentops_dream.review.keys import Keys
from agentops_dream.staging import Proposal
from agentops_dream.store.memory import Store, read_store
from agentops_dream.wording import counted, ops_named

IDLE = 900
"""Seconds without anybody after which the page ends by itself."""


@click.command(short_help="Go through what waits, op by op.")
@click.argument("proposal", default="", shell_complete=completing.proposals)
@click.option("--list", "only_list", is_flag=True, help="Only list; ask nothing (also without a terminal).")
@click.option("--web", is_flag=True, help="As a page in your browser, on this machine only.")
@click.option(
    "--idle",
    type=click.IntRange(min=1),
    metavar="SECONDS",
    help=f"With --web: end when nobody is there.  [default: {IDLE}]",
)
@click.option("--detach", is_flag=True, help="With --web: print the address and leave the page to itself.")
@click.option("--announce", is_flag=True, hidden=True, help="What --detach calls the one that serves with.")
@command
def review(
    app: App, proposal: str, only_list: bool, web: bool, idle: int | None, detach: bool, announce: bool
) -> int:
    """Go through what waits, op by op: accept, reject, edit or skip each, then one transaction.

    What waits are proposals of audit runs and ops that a dream has parked. Stop at any time; what you
    decided is kept. PROPOSAL is a run, its beginning or end; without it, all that wait. Lists them
    instead where there is no terminal, and flagged entries as well.
    """
    if not web and (idle is not None or detach):
        raise click.UsageError(f"{'--detach' if detach else '--idle'} is about the page; give --web as well")
    idle = IDLE if idle is None else idle
    order = order_of(app)
    decisions.sweep(order.staging)
    found, problems = deciding.waiting(order.state, order.staging)
    if proposal:
        found = [deciding.find(order, proposal)]
    store = store_of(app)
    if found and web and detach:
        return _behind(app, proposal, idle)
    if found and web:
        return _on_a_page(app, order, proposal, idle, announce)
    if any(map(staging.offered, found)) and not only_list and not app.json and _terminal():
        return _go_through(app, order, found, store)
    decided = [decisions.load(order.staging, item) for item in found]
    decks = [deck_of(order, item, store) for item in found]
    for deck in decks:
        app.say(f"{deck.run}  {deck.about}", "bold")
        app.show(ops_table(_row(card) for card in deck.cards))
        if stale := sorted({path for card in deck.cards for path in card.stale}):
            app.say("changed since: " + ", ".join(stale), "yellow")
        if any(card.offered for card in deck.cards):
            app.say(f"take:      agentops-dream apply {deck.run}{_named(deck)}", "dim")
        app.say(f"send away: agentops-dream discard {deck.run}", "dim")
        app.say()
    for problem in problems:
        app.say(problem, "red")
    flagged = unflagging.flagged(store)
    if flagged:
        app.say("Flagged entries:", "bold")
        for row in flagged:
            app.say(f"  {row['path']}: {row['reason'] or 'no reason given'}")
        app.say("clear: agentops-dream unflag ENTRY", "dim")
    if not found and not flagged:
        app.say("Nothing waits for review.")
    app.answer(
        {
            "proposals": [
                proposal_data(item, deck, made, _touched(order, item, deck, made, store))
                for item, deck, made in zip(found, decks, decided, strict=True)
            ],
            "flagged": flagged,
            "problems": problems,
        }
    )
    return 0


def _touched(
    order: Order, proposal: Proposal, deck: cards.Deck, made: decisions.Decisions, store: Store
) -> tuple[str, ...]:
    """Return what ``apply`` would do to the indexes; empty if it would take no op."""
    whole = decisions.with_passed(made, proposal, deck)
    if not whole.chosen("accept"):
        return ()
    found = decisions.rehearse(proposal, whole, store, settings=order.settings, today=_today(order))
    return indexes.told(applying.render(order, store, found.changes))


def _named(deck: cards.Deck) -> str:
    """Return which ops must be named to be taken: where none has passed the gate, those that wait."""
    waiting = [card.index for card in deck.cards if card.takeable]
    passed = any(card.takeable and card.verdict in staging.TAKEABLE for card in deck.cards)
    return "" if passed or not waiting else f" --ops {','.join(map(str, waiting))}"


def _row(card: cards.Card) -> Row:
    return Row(card.index, card.verdict, card.standing, card.verb, card.targets, card.reason or card.rationale)


def order_of(app: App) -> Order:
    """Return the order of a person for this memory directory."""
    return Order(app.places, app.settings, app.env, "manual", manual=True)


def store_of(app: App) -> Store:
    """Return the store as it is now; an empty one if it is gone: then everything is stale."""
    try:
        return read_store(Path(app.places.memory))
    except OSError:
        return Store(Path(app.places.memory), ())


def deck_of(order: Order, proposal: Proposal, store: Store) -> cards.Deck:
    """Return the cards of a proposal, with the edits that the person has made so far."""
    made = decisions.load(order.staging, proposal)
    return cards.deck(proposal, store, settings=order.settings, today=_today(order), edits=made.edits)


def _today(order: Order) -> date:
    return order.clock().astimezone().date()


def _terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _go_through(app: App, order: Order, found: list[Proposal], store: Store) -> int:
    with Keys() as keys:
        seat = terminal.Seat(
            store=store,
            settings=order.settings,
            today=_today(order),
            staging=order.staging,
            console=app.out,
            key=keys,
            render=partial(applying.render, order),
            edit=lambda text: _edit(app, keys, text),
        )
        settled = terminal.review(found, seat)
    for made in settled or ():
        tell_done(app, decisions.carry_out(order, made))
    return 0


def _behind(app: App, proposal: str, idle: int) -> int:
    words = ["review", "--web", "--announce", "--idle", str(idle), *(["--", proposal] if proposal else [])]
    address = behind.start(words, app.env)
    app.say("Open this address; it is good for one browser, once:")
    app.show(address)
    app.say(f"It ends when you are done, or when nobody is there for {_duration(idle)}.")
    app.say("What you carry out is then in agentops-dream log.")
    app.answer({"idle": idle}, address=address)
    return 0


def _duration(seconds: int) -> str:
    return counted(seconds // 60, "minute") if seconds % 60 == 0 else counted(seconds, "second")


def _on_a_page(app: App, order: Order, proposal: str, idle: int, announce: bool) -> int:
    desk, door = Desk(order, proposal), server.Door(float(idle))
    with server.serving(desk, door) as running:
        out = app.err if app.json else app.out
        try:
            if announce:
                behind.announce(running.address)
            else:
                out.print(f"Open this address; it is good for one browser, once:\n{running.address}", soft_wrap=True)
                out.print("It ends when you are done, when nobody is there, or with Ctrl-C.")
                out.file.flush()
            why = server.wait(door)
        except KeyboardInterrupt:
            why = "quit"
    for done in desk.done:
        tell_done(app, done)
    if not desk.done:
        ended = f"nobody was there for {_duration(idle)}" if why == "idle" else "stopped"
        app.say(f"{ended}; nothing was carried out. What you decided is kept.")
    app.answer({"ended": why, "done": [done_data(done, _receipt(done)) for done in desk.done]})
    return 0


def _receipt(done: decisions.Done) -> dict[str, Any] | None:
    return receipt_data(done.receipt) if done.receipt is not None else None


def _edit(app: App, keys: Keys, text: str) -> str | None:
    try:
        with keys.put_away():
            return click.edit(text, extension=".md")
    except (click.ClickException, UnicodeDecodeError) as error:
        app.say(f"{error}; set VISUAL or EDITOR to an editor that works", "red")
        return None


def tell_done(app: App, done: decisions.Done) -> None:
    """Print what came of a review: the receipt, what was sent away, what still waits."""
    if done.receipt is not None:
        tell_receipt(app, done.receipt)
    if done.rejected:
        app.say(f"sent away: {ops_named(done.rejected)} of {done.run}")
    if done.left:
        app.say(f"still waiting: {ops_named(done.left)} of {done.run}", "yellow")


@click.command(short_help="Carry out a proposal, or some of its ops.")
@click.argument("proposal", default="", shell_complete=completing.proposals)
@click.option("--ops", callback=numbers, metavar="N,N-N", help="Only these; parked ops must be named.")
@command
def apply(app: App, proposal: str, ops: frozenset[int] | None) -> int:
    """Carry out a proposal: all its ops that passed the gate, or those that you name.

    What you have decided in a review is honoured: edits are used, and unless you name ops, what you
    rejected is sent away and what you skipped waits. Every op goes through the same gate and transaction
    as in a dream. Naming a parked op is your word for what it was parked for. An op whose entries have
    changed since is stale and is not carried out.
    """
    order = order_of(app)
    found = deciding.find(order, proposal)
    made, deck = decisions.load(order.staging, found), deck_of(order, found, store_of(app))
    if ops is not None:
        receipt = decisions.take_named(order, made, found, deck, ops)
        tell_receipt(app, receipt)
    elif made.choices or made.edits:
        done = decisions.take_unnamed(order, made, found, deck)
        tell_done(app, done)
        if done.receipt is None:
            raise Nothing("nothing was left to carry out: what you rejected is sent away")
        receipt = done.receipt
    else:
        receipt = deciding.apply(order, found.run)
        tell_receipt(app, receipt)
    app.answer(receipt_data(receipt))
    return 0


@click.command()
@click.argument("proposal", default="", shell_complete=completing.proposals)
@click.option("--ops", callback=numbers, metavar="N,N-N", help="Only these; the others go on waiting.")
@command
def discard(app: App, proposal: str, ops: frozenset[int] | None) -> int:
    """Send a proposal away, or some of its ops. No entry is touched.

    One that cannot be read goes as well.
    """
    order = order_of(app)
    if gone := deciding.discard_unreadable(order, proposal):
        app.say(f"discarded {gone}, which could not be read")
        app.answer({"run": gone, "ops": [], "readable": False})
        return 0
    sent = deciding.discard(order, proposal, ops=ops)
    what = f"{ops_named(ops)} of {sent.run}" if ops is not None else sent.run
    app.say(f"discarded {what}")
    app.answer({"run": sent.run, "ops": sorted(sent.ops if ops is None else ops), "readable": True})
    return 0


@click.command()
@click.argument("entry")
@command
def unflag(app: App, entry: str) -> int:
    """Clear the flag of an entry, named by its file or id."""
    order = order_of(app)
    receipt = unflagging.unflag(order, entry)
    tell_receipt(app, receipt)
    app.answer(receipt_data(receipt))
    return 0
