"""What each op of a proposal would write, as bytes, over the store as it is now (SPEC §12).

Ops that a person can take are judged together, as they will be when they are taken, with the faults
waived that the person is about to be asked about. For ops that were refused it is only shown what they
would have written; nobody can take them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from agentops_dream import deciding, staging
from agentops_dream.deep.plan import MalformedOp, read_op
from agentops_dream.deep.shown import Shown
from agentops_dream.models import Entry, EntryChange, Judgement, Op, Verdict, Waived
from agentops_dream.secrets import Redactor
from agentops_dream.secrets.entries import redactor
from agentops_dream.settings import Settings
from agentops_dream.staging import Proposal
from agentops_dream.store import entry as edits
from agentops_dream.store.document import BadValue, EditRefused, NotText
from agentops_dream.store.memory import Store
from agentops_dream.store.names import safe_filename


@dataclass(frozen=True)
class Preview:
    """The proposal over the store as it is now; all by op index."""

    ops: Mapping[int, Any]
    """The ops with edits made and secrets put back."""
    parsed: Mapping[int, Op]
    """Those of them that are well-formed."""
    now: Mapping[int, Verdict]
    """What the gate says now, nothing waived."""
    taken: Mapping[int, Verdict]
    """What it says of an op that a person takes."""
    changes: Mapping[int, tuple[EntryChange, ...]]
    """What taking it writes; of a refused one, what it would have written."""
    codes: Mapping[int, frozenset[str]]
    """Fault codes that are accepted with it."""
    bundles: tuple[tuple[int, ...], ...]
    shown: Shown
    redact: Redactor
    """Takes out of a text what any entry holds secret."""


def preview(
    proposal: Proposal,
    store: Store,
    *,
    settings: Settings,
    today: date,
    edits: Mapping[int, Mapping[str, Any]] | None = None,
) -> Preview:
    """Return the preview. ``edits``: index -> fields that the person has changed. Writes nothing."""
    ops = deciding.edited(proposal, store, edits or {})
    working_set = staging.working_set(proposal, store)
    shown = Shown(working_set, store)

    def judge(indexes: Collection[int], waived: Waived, plan: Mapping[int, Any] = ops) -> Judgement:
        chosen = {index: plan[index] for index in indexes}
        return deciding.judged(proposal, store, chosen, working_set, settings, today, waived=waived)

    now = {verdict.index: verdict for verdict in judge(ops, {}).verdicts}
    offered = [index for index in staging.offered(proposal) if now[index].status != "stale"]
    codes = {index: accepted_codes(proposal, now[index], edits or {}) for index in offered}
    together = judge(offered, codes)
    taken = {verdict.index: verdict for verdict in together.verdicts}
    changes = _by_op(together, offered)
    for index in offered:
        # Held up by the others: a rail that only all of them together break, a bundle that fell.
        if taken[index].status not in staging.TAKEABLE:
            alone = judge([index], codes)
            taken[index] = alone.verdicts[0]
            changes.update(_by_op(alone, [index]))

    refused = [index for index in ops if index not in taken or taken[index].status not in staging.TAKEABLE]
    lifted = {index: _sure(ops[index]) for index in refused}
    hopeful = judge(refused, {i: [fault.code for fault in now[i].faults] for i in refused}, lifted)
    parsed = _parsed(ops)
    for verdict in hopeful.verdicts:
        op = parsed.get(verdict.index)
        if verdict.status == "applied":
            changes.update(_by_op(hopeful, [verdict.index]))
        elif op is not None and not changes.get(verdict.index):
            changes[verdict.index] = tuple(_sketch(op, shown))
    redact = redactor(store.entries, store.index)
    return Preview(ops, parsed, now, taken, changes, codes, together.bundles, shown, redact)


def accepted_codes(
    proposal: Proposal, now: Verdict, edits: Mapping[int, Mapping[str, Any]]
) -> frozenset[str]:
    """Return the fault codes that a person accepts who takes this op: what it was, or is now, parked for."""
    found = frozenset(deciding.parked_for(proposal, [now.index], edits).get(now.index, ()))
    return found | {fault.code for fault in now.faults} if now.status == "parked" else found


def _by_op(judgement: Judgement, indexes: Collection[int]) -> dict[int, tuple[EntryChange, ...]]:
    return {
        index: tuple(change for change in judgement.changes.entries if index in change.ops)
        for index in indexes
    }


def _parsed(ops: Mapping[int, Any]) -> dict[int, Op]:
    found = {}
    for index, raw in ops.items():
        try:
            found[index] = read_op(raw, index)
        except MalformedOp:
            continue
    return found


def _sure(raw: Any) -> Any:
    """Return the op as if it had been sure enough, to see what it would have written."""
    return {**raw, "confidence": 1.0} if isinstance(raw, dict) else raw


# ---------------------------------------------------------------- what no gate lets through


def _sketch(op: Op, shown: Shown) -> list[EntryChange]:
    """Return about what a refused op would have written, as far as its targets can be found."""
    targets = [entry for text in op.target_ids if (entry := _find(text, shown)) is not None]
    if not targets:
        return []
    if op.op == "delete":
        return [EntryChange(entry.path, entry.raw, None, (op.index,)) for entry in targets]
    if op.op == "merge":
        survivor, *losers = targets
        gone = [EntryChange(entry.path, entry.raw, None, (op.index,)) for entry in losers]
        return [EntryChange(survivor.path, survivor.raw, _written(op, survivor), (op.index,)), *gone]
    if op.op == "update":
        source = targets[0]
        if op.new_name is None:
            return [EntryChange(source.path, source.raw, _written(op, source), (op.index,))]
        path = safe_filename(op.new_name, shown.current)
        made = EntryChange(path, None, _written(op, source), (op.index,))
        return [made, EntryChange(source.path, source.raw, None, (op.index,))] if op.delete_source else [made]
    return []


def _find(text: str, shown: Shown) -> Entry | None:
    path = shown.path(text)
    return shown.current.get(path) if path is not None else shown.store.by_id(text)


def _written(op: Op, entry: Entry) -> bytes:
    raw = entry.raw
    description = (op.new_frontmatter or {}).get("description")
    try:
        if description:
            raw = edits.describe(raw, str(description), path=entry.path)
        return raw if op.new_body is None else edits.set_body(raw, op.new_body, path=entry.path)
    except (BadValue, EditRefused, NotText):
        return (op.new_body or "").encode("utf-8", "replace")
