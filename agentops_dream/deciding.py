"""What a person decides about a proposal: take ops, or send it away (SPEC §12).

Accepted ops go through the same gate and the same transaction as in a dream, over the store as it is
now. The terminal, scripts and the page all come through here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from agentops_dream import applying, declining, staging
from agentops_dream.deep import judge as deep
from agentops_dream.dream import read
from agentops_dream.journal import rate, runs
from agentops_dream.models import Delta, Judgement, Receipt, Waived, WorkingSet
from agentops_dream.order import Nothing, Order, Stopped, lock
from agentops_dream.secrets import Vault
from agentops_dream.secrets.entries import redactor
from agentops_dream.settings import Settings
from agentops_dream.staging import BadProposal, Proposal
from agentops_dream.store import fingerprint
from agentops_dream.store.memory import Store


def waiting(state: Path, folder: Path) -> tuple[list[Proposal], list[str]]:
    """Return ``staging.waiting(folder)``; an op that a person has declined elsewhere meanwhile is refused."""
    found, problems = staging.waiting(folder)
    return [declining.marked(state, item) for item in found], problems


def find(order: Order, name: str) -> Proposal:
    """Return the proposal called ``name``: a run, its end or beginning; ``""``: the only one that waits.

    Raises ``BadProposal``; ``Nothing`` if none was named and none waits.
    """
    found, problems = waiting(order.state, order.staging)
    fitting = [item for item in found if runs.fits(item.run, name)]
    if len(fitting) == 1:
        return fitting[0]
    if not found:
        if not name and not problems:
            raise Nothing("no proposal waits")
        raise BadProposal("; ".join(problems) or f"no proposal {name!r}; none waits")
    names = ", ".join(item.run for item in fitting or found)
    if not name:
        raise BadProposal(f"say which proposal: {names}")
    raise BadProposal(f"{name!r} could be: {names}" if fitting else f"no proposal {name!r}; these wait: {names}")


def apply(
    order: Order,
    name: str = "",
    *,
    ops: Collection[int] | None = None,
    edits: Mapping[int, Mapping[str, Any]] | None = None,
    waived: Waived | None = None,
    notes: Sequence[str] = (),
) -> Receipt:
    """Carry out ops of a proposal and return the receipt.

    ``ops``: indexes; ``None``: all that passed the gate. A parked op is only taken if it is named:
    that is the person's word for what it was parked for. ``edits``: index -> fields of the op that the
    person has changed, secrets masked as in the proposal. ``waived``: what the person has accepted
    besides, such as what an edit of their own leaves out. ``notes`` go into the receipt. What is left
    to decide stays. Raises ``BadProposal``, ``Stopped``, ``Busy``.
    """
    with lock(order.state):
        recovered = applying.recover_runs(order)
        proposal = find(order, name)
        chosen = _chosen(proposal, ops)
        store = read(order)
        raw = edited(proposal, store, edits or {})
        plan = {index: raw[index] for index in chosen}
        shown = staging.working_set(proposal, store)
        accepted = _both(parked_for(proposal, ops or (), edits or {}), waived or {})

        def judge(now: Store) -> Judgement:
            return judged(proposal, now, plan, shown, order.settings, _today(order), waived=accepted)

        receipt = applying.opened(
            order,
            "apply",
            trigger=f"proposal {proposal.run}",
            focus=tuple(entry.path for entry in shown.focus),
            shown=tuple(entry.path for entry in shown.shown),
            notes=(*recovered, *notes),
        )
        vault = Vault(order.draw())
        receipt = applying.apply(order, store, _delta(order), shown, vault, judge, receipt, park=False)
        taken = {v.index for v in receipt.verdicts if v.status in staging.TAKEABLE}
        left = staging.without(proposal, taken)
        if staging.offered(left):
            staging.save(order.staging, left)
        else:
            staging.discard(order.staging, proposal.run)
        return receipt


def parked_for(proposal: Proposal, ops: Collection[int], edits: Mapping[int, Any]) -> Waived:
    """Return the fault codes that a person accepts by naming ``ops``: what each was parked for.

    Nothing else can be accepted: an op whose targets were flagged instead, for want of evidence, flags
    them whoever takes it. An edited op was parked for another text.
    """
    return {
        index: tuple(proposal.verdicts[index]["codes"])
        for index in ops
        if proposal.verdicts[index]["status"] == "parked" and not edits.get(index)
    }


def _both(one: Waived, other: Waived) -> Waived:
    return {index: (*one.get(index, ()), *other.get(index, ())) for index in {*one, *other}}


def edited(
    proposal: Proposal, store: Store, edits: Mapping[int, Mapping[str, Any]]
) -> dict[int, Any]:
    """Return the ops with the person's ``edits`` made and the secrets that ``store`` holds put back."""
    merged = {i: {**op, **edits[i]} if edits.get(i) else op for i, op in proposal.ops.items()}
    return staging.real_ops(replace(proposal, ops=merged), store)


def judged(
    proposal: Proposal,
    store: Store,
    ops: Mapping[int, Any],
    shown: WorkingSet,
    settings: Settings,
    today: date,
    *,
    waived: Waived | None = None,
) -> Judgement:
    """Return the judgement on ``ops`` (index -> op, secrets put back) over the store as it is now.

    What a person is shown and what is carried out in the end are both judged here.
    """
    plan = [ops.get(index) for index in range(max(ops, default=-1) + 1)]
    redact = redactor(store.entries, store.index)
    found = deep.judge(
        plan,
        shown,
        store,
        settings=settings,
        today=today,
        placeholders=staging.placeholders_in(proposal),
        find_secrets=redact.values,
        redact=redact,
        waived=waived,
    )
    return replace(found, verdicts=tuple(verdict for verdict in found.verdicts if verdict.index in ops))


def _today(order: Order) -> date:
    return order.clock().astimezone().date()


def discard(order: Order, name: str = "", *, ops: Collection[int] | None = None) -> Proposal:
    """Send a proposal, or some of its ops, away; return what was sent away.

    An audit's entries count as dreamt over then, so that the same plan is not paid for again.
    Raises ``BadProposal``, ``Stopped``, ``Busy``.
    """
    with lock(order.state):
        applying.recover_runs(order)
        proposal = find(order, name)
        if unknown := set(ops or ()) - set(proposal.ops):
            raise BadProposal(f"proposal {proposal.run} has no op {min(unknown)}")
        gone = proposal.ops if ops is None else {index: proposal.ops[index] for index in ops}
        left = staging.without(proposal, gone)
        with contextlib.suppress(Nothing):  # without a memory there is nothing that could be proposed again
            declining.decline(order.state, gone.values(), read(order))
            if proposal.kind == "audit" and not staging.offered(left):
                applying.cover(order, staging.covered(proposal))
                rate.save(order.state, replace(rate.load(order.state), hold=""))
        if staging.offered(left):
            staging.save(order.staging, left)
            return proposal
        staging.discard(order.staging, proposal.run)
        order.note(f"proposal {proposal.run} discarded")
        return proposal


def discard_unreadable(order: Order, name: str = "") -> str:
    """Remove the one proposal that cannot be read and is called ``name``; return its name.

    ``""`` if there is none, or if a proposal that can be read is meant. Raises ``Busy``, ``OSError``.
    """
    with lock(order.state):
        readable, _ = staging.waiting(order.staging)
        if any(runs.fits(item.run, name) for item in readable):
            return ""
        found = [run for run in staging.broken(order.staging) if runs.fits(run, name)]
        if len(found) != 1:
            return ""
        staging.discard(order.staging, found[0])
        order.note(f"proposal {found[0]} could not be read and was removed")
        return found[0]


def _chosen(proposal: Proposal, ops: Collection[int] | None) -> frozenset[int]:
    if ops is None:
        chosen = frozenset(i for i in proposal.ops if proposal.verdicts[i]["status"] in staging.TAKEABLE)
        if not chosen:
            raise BadProposal(f"no op of proposal {proposal.run} passed the gate; name parked ops with --ops")
        return chosen
    for index in ops:
        if index not in proposal.ops:
            raise BadProposal(f"proposal {proposal.run} has no op {index}")
        if index not in staging.offered(proposal):
            why = proposal.verdicts[index]["reason"] or proposal.verdicts[index]["status"]
            raise BadProposal(f"op {index} was refused and cannot be taken: {why}")
    if not ops:
        raise BadProposal("no op was named")
    return frozenset(ops)


def _delta(order: Order) -> Delta:
    known = fingerprint.load(str(order.state / "fingerprint.json"))
    try:
        return Delta(fingerprint.scan(str(order.memory), known))
    except OSError as error:
        raise Stopped(f"{order.memory} cannot be read ({error.strerror}); give your user access") from error
