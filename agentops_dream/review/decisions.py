"""What a person has decided about a proposal, kept beside it until it is carried out (SPEC §12).

The terminal and the page both write here, so one can stop in one and go on in the other. Carrying out
is ``deciding``'s: one transaction for what is accepted, and what is rejected is sent away.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal, get_args

from agentops_dream import deciding, staging
from agentops_dream.journal import files
from agentops_dream.models import Judgement, Receipt
from agentops_dream.order import Order
from agentops_dream.review.cards import Card, Deck, Draft, draft_of
from agentops_dream.secrets import Redactor
from agentops_dream.settings import Settings
from agentops_dream.staging import BadProposal, Proposal
from agentops_dream.store.memory import Store
from agentops_dream.wording import counted

Choice = Literal["accept", "reject", "skip"]
"""``skip``: seen, and left for later."""

VERSION = 1
_TOLD: Mapping[Choice, str] = {"accept": "accepted", "reject": "rejected", "skip": "skipped"}


class BadDecision(Exception):
    """This cannot be decided like that; the message says why."""


@dataclass(frozen=True)
class Decisions:
    """What was decided about one proposal; all by op index."""

    run: str
    choices: Mapping[int, Choice] = field(default_factory=dict)
    edits: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """Fields of the op that the person has changed; secrets masked, as in the proposal."""
    waived: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Fault codes that stood on the card of an accepted op when it was accepted."""

    def chosen(self, choice: Choice) -> tuple[int, ...]:
        """Return the ops with this choice."""
        return tuple(sorted(index for index, made in self.choices.items() if made == choice))


@dataclass(frozen=True)
class Done:
    """What came of it."""

    run: str
    receipt: Receipt | None
    """Of the ops that were accepted; ``None`` if none was."""
    rejected: tuple[int, ...]
    left: tuple[int, ...]
    """Ops that still wait."""


def load(folder: Path, proposal: Proposal) -> Decisions:
    """Return what was decided so far; nothing if there is no such file, or it cannot be read.

    Ops that the proposal no longer holds are left out.
    """
    data = files.read_object(staging.decided_path(folder, proposal.run))
    known = {str(index): index for index in staging.offered(proposal)}
    return Decisions(
        proposal.run,
        {
            known[key]: choice
            for key, choice in _table(data, "choices").items()
            if key in known and choice in get_args(Choice)
        },
        {
            known[key]: fields
            for key, fields in _table(data, "edits").items()
            if key in known and isinstance(fields, dict)
        },
        {
            known[key]: tuple(str(code) for code in codes)
            for key, codes in _table(data, "waived").items()
            if key in known and isinstance(codes, list)
        },
    )


def _table(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name) if data.get("version") == VERSION else None
    return found if isinstance(found, dict) else {}


def save(folder: Path, decisions: Decisions) -> None:
    """Keep ``decisions`` beside their proposal (atomic, mode 0600). Raises ``OSError``."""
    files.write_json(
        staging.decided_path(folder, decisions.run),
        {
            "version": VERSION,
            "choices": decisions.choices,
            "edits": decisions.edits,
            "waived": decisions.waived,
        },
    )


def sweep(folder: Path) -> None:
    """Remove decisions whose proposal is gone, by a purge or by hand: an edit may quote a memory."""
    for path in folder.glob("ops-*.decided"):
        if not path.with_suffix(".json").exists():
            path.unlink(missing_ok=True)


# ---------------------------------------------------------------- deciding


def decide(decisions: Decisions, card: Card, choice: Choice | None) -> Decisions:
    """Return ``decisions`` with this choice about an op; ``None`` takes a choice back.

    Raises ``BadDecision``.
    """
    if choice == "accept" and not card.takeable:
        raise BadDecision(f"op {card.index} cannot be accepted: {why_not(card)}")
    if choice is not None and card.refused:
        raise BadDecision(f"op {card.index} was refused; there is nothing to decide")
    choices = {index: made for index, made in decisions.choices.items() if index != card.index}
    waived = {index: codes for index, codes in decisions.waived.items() if index != card.index}
    if choice is not None:
        choices[card.index] = choice
    if choice == "accept" and card.waives:
        waived[card.index] = card.waives
    return replace(decisions, choices=choices, waived=waived)


def why_not(card: Card) -> str:
    """Return why an op cannot be accepted, for a person."""
    if card.stale:
        return f"{', '.join(card.stale)} changed since it was proposed"
    return card.now or card.reason or card.verdict


def edit(decisions: Decisions, proposal: Proposal, index: int, draft: Draft, redact: Redactor) -> Decisions:
    """Return ``decisions`` with the person's text for an op; text as it was proposed takes an edit back.

    A choice about the op is taken back: it was about another text. ``redact`` knows the secrets that the text
    must not hold. Raises ``BadDecision``.
    """
    raw = proposal.ops.get(index)
    old = draft_of(raw)
    if raw is None or old is None or index not in staging.offered(proposal):
        raise BadDecision(f"op {index} brings no text that could be edited")
    fields = _changed(raw, old, draft, redact)
    edits = {other: made for other, made in decisions.edits.items() if other != index}
    if fields:
        edits[index] = fields
    return replace(
        decisions,
        edits=edits,
        choices={other: made for other, made in decisions.choices.items() if other != index},
        waived={other: codes for other, codes in decisions.waived.items() if other != index},
    )


def _changed(raw: Mapping[str, Any], old: Draft, new: Draft, redact: Redactor) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for text in (new.description, new.body):
        found = redact.find(text or "")
        if found:
            # Staging holds no secret. One that was there before has its placeholder, which may stay.
            raise BadDecision(f"the text holds what looks like a secret ({found[0].kind}); nothing was kept")
    if new.body is not None and old.body is not None:
        body = new.body.replace("\r\n", "\n")
        if not body.strip():
            raise BadDecision("the text is empty; nothing was kept. To be rid of the op, reject it")
        if body.strip("\n") != old.body.strip("\n"):
            fields["new_body"] = body
    if new.description is not None and old.description is not None:
        description = " ".join(new.description.split())
        if not description:
            raise BadDecision("the description is empty; nothing was kept")
        if description != old.description:
            fields["new_frontmatter"] = {**raw["new_frontmatter"], "description": description}
    return fields


# ---------------------------------------------------------------- carrying out


def rehearse(
    proposal: Proposal, decisions: Decisions, store: Store, *, settings: Settings, today: date
) -> Judgement:
    """Return the judgement on what would become of the accepted ops, all together, over the store as it is now."""
    accepted = decisions.chosen("accept")
    ops = deciding.edited(proposal, store, decisions.edits)
    parked = deciding.parked_for(proposal, accepted, decisions.edits)
    waived = {i: (*parked.get(i, ()), *decisions.waived.get(i, ())) for i in accepted}
    shown = staging.working_set(proposal, store)
    plan = {index: ops[index] for index in accepted}
    return deciding.judged(proposal, store, plan, shown, settings, today, waived=waived)


def will(status: str) -> str:
    """Return what a rehearsed verdict means for a person."""
    known = {"applied": "will be carried out", "flagged": "flags its entries"}
    return known.get(status, f"will not go through ({status})")


def carry_out(order: Order, decisions: Decisions, *, notes: Sequence[str] = ()) -> Done:
    """Carry out what was decided: accepted ops in one transaction, rejected ones are sent away.

    ``notes`` go into the receipt. Raises ``BadProposal``, ``Stopped``, ``Busy``; then nothing changed and
    the decisions stand.
    """
    accepted, rejected = decisions.chosen("accept"), decisions.chosen("reject")
    receipt = None
    if accepted:
        receipt = deciding.apply(
            order,
            decisions.run,
            ops=accepted,
            edits={index: decisions.edits[index] for index in accepted if index in decisions.edits},
            waived={index: codes for index, codes in decisions.waived.items() if index in accepted},
            notes=notes,
        )
    if rejected and _waits(order, decisions.run):
        deciding.discard(order, decisions.run, ops=rejected)
    left = _waits(order, decisions.run)
    if left:
        save(order.staging, _still_open(decisions, left))
    return Done(decisions.run, receipt, rejected, left)


def take_unnamed(order: Order, decisions: Decisions, proposal: Proposal, deck: Deck) -> Done:
    """Carry out what was decided, and with it all that is undecided and passes the gate.

    Skipped ops are left for later; an edited op is judged by its edit, not by what it was. Raises
    ``BadProposal``, ``Stopped``, ``Busy``.
    """
    whole = with_passed(decisions, proposal, deck)
    if not whole.chosen("accept") and not whole.chosen("reject"):
        raise BadProposal(
            f"no op of proposal {proposal.run} is to be carried out: none that you have not skipped passes the gate; "
            "name ops with --ops"
        )
    return carry_out(order, whole, notes=_honoured(decisions))


def with_passed(decisions: Decisions, proposal: Proposal, deck: Deck) -> Decisions:
    """Return ``decisions`` with a yes to each undecided op that passes the gate, edited ones by their edit."""
    choices = dict(decisions.choices)
    for index in staging.offered(proposal):
        verdict = deck.card(index).verdict if index in decisions.edits else proposal.verdicts[index]["status"]
        if verdict in staging.TAKEABLE:
            choices.setdefault(index, "accept")
    return replace(decisions, choices=choices)


def _honoured(decisions: Decisions) -> tuple[str, ...]:
    told = [f"{len(found)} {word}" for choice, word in _TOLD.items() if (found := decisions.chosen(choice))]
    edited = [f"{len(decisions.edits)} edited"] if decisions.edits else []
    count = len({*decisions.choices, *decisions.edits})
    return (f"{counted(count, 'decision')} of your review honoured: {', '.join((*told, *edited))}",) if count else ()


def take_named(
    order: Order, decisions: Decisions, proposal: Proposal, deck: Deck, ops: Collection[int]
) -> Receipt:
    """Carry out ``ops``, with the edits that the person has made of them; other decisions stand.

    Raises ``BadDecision`` if an edit does not get through, ``BadProposal``, ``Stopped``, ``Busy``.
    """
    edits = {index: decisions.edits[index] for index in ops if index in decisions.edits}
    named = Decisions(decisions.run)
    for index in sorted(edits):
        try:
            named = decide(named, deck.card(index), "accept")
        except BadDecision as error:
            raise BadDecision(f"{error}; that is what your edit makes of it: agentops-dream review") from error
    return deciding.apply(order, proposal.run, ops=ops, edits=edits, waived=named.waived)


def _waits(order: Order, run: str) -> tuple[int, ...]:
    found, _ = deciding.waiting(order.state, order.staging)
    return next((staging.offered(item) for item in found if item.run == run), ())


def _still_open(decisions: Decisions, left: Collection[int]) -> Decisions:
    """Return what is decided about the ops that are left: what was to be carried out is to be decided anew."""
    return Decisions(
        decisions.run,
        {index: choice for index, choice in decisions.choices.items() if index in left and choice == "skip"},
        {index: fields for index, fields in decisions.edits.items() if index in left},
    )
