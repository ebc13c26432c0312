"""What the page can ask for: the proposals that wait, decisions about them, carrying them out (SPEC §12).

No HTTP here. Every answer starts from what is on disk, so a terminal beside the page, or a dream, can have
changed things meanwhile.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from agentops_dream import applying, deciding, secrets, staging
from agentops_dream.models import Verdict
from agentops_dream.order import Busy, Order, Stopped
from agentops_dream.review import cards, decisions, indexes
from agentops_dream.review.cards import Deck, Draft
from agentops_dream.review.decisions import BadDecision, Choice, Decisions, Done
from agentops_dream.review.markup import Html, h, join
from agentops_dream.review.page import Table, review_page
from agentops_dream.review.panels import bidi, chip, panel, prose
from agentops_dream.secrets.entries import redactor
from agentops_dream.staging import BadProposal, Proposal
from agentops_dream.store.memory import Store, read_store
from agentops_dream.wording import ops_named

CHOICES: Mapping[str, Choice | None] = {"accept": "accept", "reject": "reject", "skip": "skip", "": None}


class BadRequest(Exception):
    """The page asked for something that cannot be; the message is for the person."""


@dataclass
class Desk:
    """One sitting over the proposals called ``name`` (``""``: all that wait)."""

    order: Order
    name: str = ""
    done: tuple[Done, ...] = ()
    """What was carried out, once it is."""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._decks: dict[str, tuple[str, Deck]] = {}

    def page(self, csrf: str) -> Html:
        """Return the whole page. Raises ``BadProposal``."""
        with self._lock:
            self._decks.clear()
            store = self._store()
            return review_page(
                [
                    Table(self._deck(item, store, made), made)
                    for item in self._proposals()
                    for made in [decisions.load(self.order.staging, item)]
                ],
                csrf=csrf,
            )

    def answer(self, what: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to one request of the page. Raises ``BadRequest``, ``KeyError`` for no such."""
        known: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
            "decide": self._decide,
            "draft": self._draft,
            "edit": self._edit,
            "summary": self._summary,
            "carry": self._carry,
            "quit": self._quit,
            "alive": lambda _data: {},
        }
        act = known[what]
        with self._lock:
            try:
                return act(data)
            except (BadDecision, BadProposal, Busy, Stopped) as error:
                raise BadRequest(str(error)) from error
            except OSError as error:
                raise BadRequest(f"{error.filename}: {error.strerror}") from error

    # ------------------------------------------------------------ requests

    def _decide(self, data: Mapping[str, Any]) -> dict[str, Any]:
        proposal, index = self._op(data)
        choice = data.get("choice")
        if not isinstance(choice, str) or choice not in CHOICES:
            raise BadRequest("no such choice")
        made = decisions.load(self.order.staging, proposal)
        card = self._deck(proposal, self._store(), made).card(index)
        decisions.save(self.order.staging, decisions.decide(made, card, CHOICES[choice]))
        return {"choice": choice}

    def _draft(self, data: Mapping[str, Any]) -> dict[str, Any]:
        proposal, index = self._op(data)
        made = decisions.load(self.order.staging, proposal)
        draft = cards.draft_of(proposal.ops[index], made.edits.get(index))
        if draft is None or index not in staging.offered(proposal):
            raise BadRequest("there is no text to edit in this op")
        return {"description": draft.description, "body": draft.body}

    def _edit(self, data: Mapping[str, Any]) -> dict[str, Any]:
        proposal, index = self._op(data)
        texts = [data.get("description"), data.get("body")]
        if not all(text is None or isinstance(text, str) for text in texts):
            raise BadRequest("no such text")
        made, store = decisions.load(self.order.staging, proposal), self._store()
        made = decisions.edit(made, proposal, index, Draft(*texts), redactor(store.entries, store.index))
        decisions.save(self.order.staging, made)
        card = self._deck(proposal, store, made).card(index)
        return {"card": panel(card, proposal.run, made)}

    def _summary(self, _data: Mapping[str, Any]) -> dict[str, Any]:
        store, settled, parts = self._store(), 0, []
        for proposal in self._proposals():
            made = decisions.load(self.order.staging, proposal)
            settled += len(made.chosen("accept")) + len(made.chosen("reject"))
            parts.append(self._told(proposal, made, store))
        return {"settled": settled, "html": join(parts)}

    def _carry(self, _data: Mapping[str, Any]) -> dict[str, Any]:
        for proposal in self._proposals():
            made = decisions.load(self.order.staging, proposal)
            if made.chosen("accept") or made.chosen("reject"):
                self.done += (decisions.carry_out(self.order, made),)
        if not self.done:
            raise BadRequest("nothing is accepted or rejected, so there is nothing to carry out")
        said = "Done. Nothing is listening any more; this tab can be closed."
        return {"html": h("div", {"class": "ended"}, map(_done, self.done)), "said": said}

    def _quit(self, _data: Mapping[str, Any]) -> dict[str, Any]:
        text = "Nothing was carried out. What you decided is kept: agentops-dream review goes on."
        return {"html": h("p", {"class": "ended"}, text), "said": "Stopped. This tab can be closed."}

    # ------------------------------------------------------------ what is there

    def _proposals(self) -> list[Proposal]:
        if self.name:
            return [deciding.find(self.order, self.name)]
        return deciding.waiting(self.order.state, self.order.staging)[0]

    def _op(self, data: Mapping[str, Any]) -> tuple[Proposal, int]:
        run, index = data.get("run"), data.get("op")
        for proposal in self._proposals():
            if proposal.run == run and isinstance(index, int) and index in proposal.ops:
                return proposal, index
        raise BadRequest("this op does not wait any more; load the page again")

    def _store(self) -> Store:
        try:
            return read_store(self.order.memory)
        except OSError:
            return Store(self.order.memory, ())

    def _deck(self, proposal: Proposal, store: Store, made: Decisions) -> Deck:
        """Return the cards; those of the same ops, edits and files need not be judged again."""
        files = {entry.path: entry.sha256 for entry in store.entries}
        stamp = json.dumps([sorted(proposal.ops), made.edits, files], sort_keys=True)
        known = self._decks.get(proposal.run)
        if known is None or known[0] != stamp:
            deck = cards.deck(
                proposal, store, settings=self.order.settings, today=self._today(), edits=made.edits
            )
            known = self._decks[proposal.run] = (stamp, deck)
        return known[1]

    def _today(self) -> date:
        return self.order.clock().astimezone().date()

    def _told(self, proposal: Proposal, made: Decisions, store: Store) -> Html:
        deck = self._deck(proposal, store, made)
        accepted, rejected = made.chosen("accept"), made.chosen("reject")
        left = sum(card.offered for card in deck.cards) - len(accepted) - len(rejected)
        found = (
            decisions.rehearse(
                proposal, made, store, settings=self.order.settings, today=self._today()
            )
            if accepted
            else None
        )
        touched = indexes.told(applying.render(self.order, store, found.changes)) if found else ()
        rows = [
            h(
                "li",
                None,
                chip(verdict.status, decisions.will(verdict.status)),
                " ",
                bidi(deck.card(verdict.index).title),
                _why(verdict),
            )
            for verdict in (found.verdicts if found else ())
        ]
        return h(
            "section",
            None,
            h("p", None, h("strong", None, proposal.run)),
            h("p", None, f"{len(accepted)} accepted, {len(rejected)} rejected, {left} left for later."),
            h("ul", None, rows) if rows else None,
            [h("p", None, bidi(line)) for line in touched],
        )


def _why(verdict: Verdict) -> Html | None:
    if not verdict.reason or verdict.status == "applied":
        return None
    return join(": ", prose(verdict.reason))


def _done(done: Done) -> Html:
    receipt = done.receipt
    lines = []
    if receipt is not None:
        lines.append(f"{receipt.outcome}: {receipt.message}")
        lines += [f"note: {note}" for note in receipt.notes]
        lines.append(f"Take it back: agentops-dream undo {receipt.run}")
    if done.rejected:
        lines.append(f"Sent away: {ops_named(done.rejected)}.")
    if done.left:
        lines.append(f"Still waiting: {ops_named(done.left)}.")
    return h("section", None, h("h2", None, done.run), [h("p", None, bidi(secrets.redact(line))) for line in lines])
