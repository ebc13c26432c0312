"""A person's no holds: an op taken back, sent away or unflagged is not carried out again (SPEC §9, §12).

It holds for this verb and these targets as long as their bytes are what they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentops_dream.journal import ledger
from agentops_dream.models import Entry, Fault, Judgement, Verdict
from agentops_dream.staging import Proposal
from agentops_dream.store.memory import Store

_WHY = Fault("declined", "a person took this back or sent it away, and nothing has changed since")


def refused(state: Path, ops: Sequence[Any], shown: Iterable[Entry]) -> dict[int, Verdict]:
    """Return a verdict for each op that a person has declined before, by index."""
    return _refused(state, enumerate(ops), {entry.id: (entry.path, entry.sha256) for entry in shown})


def marked(state: Path, proposal: Proposal) -> Proposal:
    """Return ``proposal`` with those of its ops dropped that a person has declined since, wherever it was."""
    shown = {**proposal.focus, **proposal.context}
    hashes = {proposal.ids[path]: (path, digest) for path, digest in shown.items()}
    verdicts = dict(proposal.verdicts)
    for index, verdict in _refused(state, proposal.ops.items(), hashes).items():
        codes = [fault.code for fault in verdict.faults]
        told = {"status": verdict.status, "reason": verdict.reason, "codes": codes, "literals": []}
        verdicts[index] = {**verdicts[index], **told}
    return replace(proposal, verdicts=verdicts)


def _refused(
    state: Path, ops: Iterable[tuple[int, Any]], hashes: Mapping[str, tuple[str, str]]
) -> dict[int, Verdict]:
    known = ledger.declined(state)
    if not known:
        return {}
    found = {}
    for index, op in ops:
        verb, targets = _read(op)
        if all(name in hashes for name in targets) and (verb, tuple(sorted(hashes[n] for n in targets))) in known:
            found[index] = Verdict(index, verb, "dropped", tuple(targets), (_WHY,), raw=op)
    return found


def apart(ops: Sequence[Any], declined: Mapping[int, Verdict]) -> tuple[Any, ...]:
    """Return ``ops`` with nothing in the place of those that were declined."""
    return tuple(None if index in declined else op for index, op in enumerate(ops))


def together(judgement: Judgement, declined: Mapping[int, Verdict]) -> Judgement:
    """Return ``judgement`` with the verdicts of declined ops in their places."""
    verdicts = tuple(declined.get(verdict.index, verdict) for verdict in judgement.verdicts)
    return replace(judgement, verdicts=verdicts)


def decline(state: Path, ops: Iterable[Any], store: Store) -> None:
    """Note that a person does not want ``ops`` while their targets are as in ``store``. Raises ``OSError``."""
    rows = []
    for op in ops:
        verb, names = _read(op)
        entries = [store.by_id(name) for name in names]
        if names and all(entries):
            rows.append((verb, {entry.path: entry.sha256 for entry in entries if entry}))
    if rows:
        ledger.decline(state, rows)


def _read(op: Any) -> tuple[str, list[str]]:
    if not isinstance(op, dict):
        return "", [""]
    targets = op.get("target_ids")
    names = [name for name in targets if isinstance(name, str)] if isinstance(targets, list) else []
    return str(op.get("op")), names or [""]
