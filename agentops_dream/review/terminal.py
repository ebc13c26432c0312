"""Going through proposals in a terminal, one key per op (SPEC §12).

Every decision is on disk before the next op is shown, so stopping at any moment loses nothing. Nothing is
carried out here: that is for whoever called, once the person has said yes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from agentops_dream import secrets
from agentops_dream.models import ChangeSet
from agentops_dream.rendering import Rendering
from agentops_dream.review import cards, decisions, drafts, indexes, telling
from agentops_dream.review.cards import Card, Deck
from agentops_dream.review.decisions import BadDecision, Decisions
from agentops_dream.review.drafts import BadDraft
from agentops_dream.review.visible import visible
from agentops_dream.secrets.entries import redactor
from agentops_dream.settings import Settings
from agentops_dream.staging import Proposal
from agentops_dream.store.memory import Store

KEYS = (
    ("a", "accept", "carry it out, once everything is decided"),
    ("r", "reject", "send it away; it is not proposed again for these entries"),
    ("e", "edit", "change the new text in $VISUAL or $EDITOR"),
    ("s", "skip", "leave it for later (also: space, Enter)"),
    ("b", "back", "the op before"),
    ("d", "details", "every file in full, or the op as it came"),
    ("q", "quit", "stop here; what was decided is kept"),
    ("?", "help", "this"),
)


@dataclass
class Table:
    """One proposal on the table."""

    proposal: Proposal
    deck: Deck
    decisions: Decisions


@dataclass(frozen=True)
class Seat:
    """What a review needs of the world around it."""

    store: Store
    settings: Settings
    today: date
    staging: Path
    console: Console
    key: Callable[[], str]
    """Waits for a key and returns it; raises ``EOFError`` or ``KeyboardInterrupt`` at the end."""
    render: Callable[[Store, ChangeSet], Rendering]
    """Returns the files that the transaction would write."""
    edit: Callable[[str], str | None]
    """Lets the person edit a text; ``None``: they left without saving."""


def review(proposals: Sequence[Proposal], seat: Seat) -> list[Decisions] | None:
    """Go through ``proposals``; return what is to be carried out, ``None`` if the person stopped.

    Raises ``OSError`` if a decision cannot be kept.
    """
    session = _Session([_lay(proposal, seat) for proposal in proposals], seat)
    try:
        return session.run()
    except (EOFError, KeyboardInterrupt):
        session.say()
        session.kept()
        return None


def _lay(proposal: Proposal, seat: Seat) -> Table:
    made = decisions.load(seat.staging, proposal)
    return Table(proposal, _deck(proposal, made, seat), made)


def _deck(proposal: Proposal, made: Decisions, seat: Seat) -> Deck:
    return cards.deck(proposal, seat.store, settings=seat.settings, today=seat.today, edits=made.edits)


class _Session:
    def __init__(self, tables: Sequence[Table], seat: Seat) -> None:
        self.tables = tables
        self.seat = seat
        self.stops = [(table, card.index) for table in tables for card in table.deck.in_order]

    def run(self) -> list[Decisions] | None:
        at = self.first_open()
        while True:
            if at == len(self.stops):
                answer = self.confirm()
                if answer == "y":
                    return [table.decisions for table in self.tables if _settles(table.decisions)]
                if answer == "q":
                    self.kept()
                    return None
                at = max(0, at - 1)
                continue
            step = self.stop(at)
            if step is None:
                self.kept()
                return None
            at = max(0, at + step)

    def first_open(self) -> int:
        """Where a person goes on who comes back; the end if all is decided."""
        for number, (table, index) in enumerate(self.stops):
            if index not in table.decisions.choices and not table.deck.card(index).refused:
                return number
        return len(self.stops) if any(_settles(table.decisions) for table in self.tables) else 0

    # ------------------------------------------------------------ one op

    def stop(self, at: int, whole: bool = False) -> int | None:
        """Show one op and return how many to go on (``-1``: back); ``None``: the person stops."""
        table, index = self.stops[at]
        card = table.deck.card(index)
        self.show(card, table, f"{at + 1} of {len(self.stops)}", whole)
        while True:
            key = self.ask(self.keys_for(card))
            if key == "q":
                return None
            if key == "b":
                return -1
            if key == "d":
                return self.stop(at, not whole)
            if key == "e":
                if self.edit(table, card):
                    return 0
            elif key in ("a", "r", "s"):
                choice: Any = {"a": "accept", "r": "reject", "s": "skip"}[key]
                if key == "s" and card.refused:
                    return 1
                try:
                    self.keep(table, decisions.decide(table.decisions, card, choice))
                except BadDecision as error:
                    self.say(str(error), "yellow")
                    continue
                word, style = telling.CHOICES[choice]
                self.say(word, style)
                return 1
            else:
                self.help()

    def show(self, card: Card, table: Table, place: str, whole: bool) -> None:
        self.say()
        chosen = table.decisions.choices.get(card.index)
        self.seat.console.print(telling.title_rule(card, place, chosen), soft_wrap=False)
        if len(self.tables) > 1:
            self.say(f"proposal {table.proposal.run}", "dim")
        for part in telling.card_view(card, self.seat.console, whole=whole):
            self.seat.console.print(part, soft_wrap=False)
        self.say()

    def edit(self, table: Table, card: Card) -> bool:
        """Let the person edit; return whether the card is another one now."""
        if card.draft is None:
            self.say("there is no text to edit in this op", "yellow")
            return False
        text = self.seat.edit(drafts.to_text(card.draft))
        if text is None:
            self.say("nothing was changed", "dim")
            return False
        try:
            draft, store = drafts.from_text(text, card.draft), self.seat.store
            redact = redactor(store.entries, store.index)
            made = decisions.edit(table.decisions, table.proposal, card.index, draft, redact)
        except (BadDraft, BadDecision) as error:
            self.say(str(error), "yellow")
            return False
        self.keep(table, made)
        table.deck = _deck(table.proposal, made, self.seat)
        return True

    def keep(self, table: Table, made: Decisions) -> None:
        decisions.save(self.seat.staging, made)
        table.decisions = made

    # ------------------------------------------------------------ the end

    def confirm(self) -> str:
        """Say what would happen; return ``y``, ``b`` or ``q``."""
        self.say()
        self.say("Summary", "bold")
        settled = 0
        for table in self.tables:
            settled += self.summary(table)
        if not settled:
            self.say("Nothing is accepted or rejected, so there is nothing to carry out.")
            return {"b": "b"}.get(self.ask((("b", "back"), ("q", "quit"))), "q")
        while True:
            key = self.ask((("y", "carry it out"), ("b", "back"), ("q", "quit and keep")))
            if key in ("y", "b", "q"):
                return key

    def summary(self, table: Table) -> int:
        """Say what would become of one proposal; return how many ops are accepted or rejected."""
        made = table.decisions
        accepted, rejected = made.chosen("accept"), made.chosen("reject")
        left = sum(not card.refused for card in table.deck.cards) - len(accepted) - len(rejected)
        counts = f"{len(accepted)} accepted, {len(rejected)} rejected, {left} left for later"
        self.say(f"proposal {table.proposal.run}: {counts}")
        if accepted:
            seat = self.seat
            found = decisions.rehearse(
                table.proposal, made, seat.store, settings=seat.settings, today=seat.today
            )
            for verdict in found.verdicts:
                title = table.deck.card(verdict.index).title
                style = telling.VERDICTS.get(verdict.status, "")
                why = f": {verdict.reason}" if verdict.status != "applied" and verdict.reason else ""
                self.say(f"  op {verdict.index}  {title}  {decisions.will(verdict.status)}{why}", style)
            for line in indexes.told(seat.render(seat.store, found.changes)):
                self.say(f"  {line}", "dim")
        return len(accepted) + len(rejected)

    # ------------------------------------------------------------ talking

    def keys_for(self, card: Card) -> tuple[tuple[str, str], ...]:
        left_out = {"d"}
        if card.refused:
            left_out |= {"a", "r", "e"}
        elif not card.takeable:
            left_out |= {"a"}
        if card.draft is None:
            left_out |= {"e"}
        return tuple((key, word) for key, word, _ in KEYS if key not in left_out)

    def ask(self, keys: Sequence[tuple[str, str]]) -> str:
        prompt = Text("  ".join(f"[{key}] {word}" for key, word in keys), style="bold")
        self.seat.console.print(prompt, soft_wrap=False)
        pressed = self.seat.key()
        if pressed in ("\x03", "\x04"):
            raise KeyboardInterrupt
        return {" ": "s", "\r": "s", "\n": "s", "\x1b[C": "s", "\x1b[D": "b"}.get(pressed, pressed.lower())

    def help(self) -> None:
        for key, word, meaning in KEYS:
            self.say(f"  {key}  {word:<8} {meaning}")

    def kept(self) -> None:
        self.say("Nothing was carried out. What you decided is kept: agentops-dream review goes on.")

    def say(self, text: str = "", style: str = "") -> None:
        self.seat.console.print(Text(visible(secrets.redact(text)), style=style), soft_wrap=False)


def _settles(made: Decisions) -> bool:
    return bool(made.chosen("accept") or made.chosen("reject"))

