"""Proposals that wait for a person (SPEC §12): a whole plan in audit mode, or the parked ops of a dream.

One JSON file each, ``staging/<key>/ops-<run>.json``. No secret stands in it: placeholders stand for
them, with a salted hash each, by which the real value is found again in the entries when a proposal is
applied.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agentops_dream import secrets
from agentops_dream.journal import files, runs
from agentops_dream.models import Entry, Receipt, WorkingSet
from agentops_dream.secrets import Vault
from agentops_dream.secrets import entries as secret_entries
from agentops_dream.store.memory import Store

TAKEABLE = ("applied", "flagged")
"""Verdicts of an audit's plan that would have been carried out: what ``apply`` takes unasked."""

OFFERED = (*TAKEABLE, "parked")
"""Verdicts of ops that a person can take; the others were refused for good."""

VERSION = 1
_KINDS: Mapping[str, type] = {
    **dict.fromkeys(("run", "kind", "created", "project", "summary"), str),
    **dict.fromkeys(("focus", "context", "ids", "secrets"), dict),
    "proposed": int,
}
_VERDICT = frozenset(("status", "kind", "targets", "reason", "codes", "literals", "confidence", "rationale"))


class BadProposal(Exception):
    """A proposal that is not there or cannot be read; names the file and what to do."""


@dataclass(frozen=True)
class Proposal:
    """Ops that wait, with the bytes they were made for."""

    run: str
    """Run that made the proposal; also its name for people."""
    kind: str
    """``audit``: the whole plan of a dream that touched nothing. ``parked``: ops held back from one."""
    created: str
    project: str
    focus: Mapping[str, str]
    """Path -> SHA-256 of each focus entry as it was shown."""
    context: Mapping[str, str]
    ids: Mapping[str, str]
    """Path -> id of all of them, as they were shown."""
    ops: Mapping[int, Any]
    """Index in the model's reply -> the op as it came, secrets masked."""
    verdicts: Mapping[int, Mapping[str, Any]]
    """Index -> the verdict at the time, without the op."""
    pairs: Sequence[tuple[str, str]] = ()
    summary: str = ""
    proposed: int = 0
    """How many ops there were at first; 0: an older version did not say."""
    secrets: Mapping[str, str] = field(default_factory=dict)
    """Placeholder -> salted hash of the secret it stands for."""


def propose(
    receipt: Receipt,
    kind: str,
    working_set: WorkingSet,
    ops: Mapping[int, Any],
    vault: Vault,
    *,
    summary: str = "",
) -> Proposal:
    """Return the proposal of ``ops``. ``receipt`` holds the verdicts, on other ops too; it and the ``summary``
    are without secrets already (``runs.redacted``).
    """
    masked = {index: _each_text(op, vault.mask) for index, op in ops.items()}
    stand_ins = dict.fromkeys(vault.placeholders_in(json.dumps(masked, ensure_ascii=False)))
    return Proposal(
        run=receipt.run,
        kind=kind,
        created=receipt.started,
        project=receipt.project,
        focus={entry.path: entry.sha256 for entry in working_set.focus},
        context={entry.path: entry.sha256 for entry in working_set.context},
        ids={entry.path: secrets.redact(entry.id) for entry in working_set.shown},
        ops=masked,
        verdicts={
            verdict.index: runs.without_secrets(
                {
                    "status": verdict.status,
                    "kind": verdict.kind,
                    "targets": verdict.targets,
                    "reason": verdict.reason,
                    "codes": [fault.code for fault in verdict.faults],
                    "literals": [text for fault in verdict.faults for text in fault.literals],
                    "confidence": verdict.confidence,
                    "rationale": verdict.rationale,
                }
            )
            for verdict in receipt.verdicts
            if verdict.index in ops
        },
        pairs=working_set.pairs,
        summary=summary,
        proposed=len(ops),
        secrets={
            name: _hash(receipt.run, vault.unmask(name)) for name in stand_ins if vault.unmask(name) != name
        },
    )


def real_ops(proposal: Proposal, store: Store) -> dict[int, Any]:
    """Return the ops with the secrets put back that still stand in ``store``.

    A placeholder whose secret is gone stays; the gate refuses an op with one.
    """
    if not proposal.secrets:
        return dict(proposal.ops)
    known = {_hash(proposal.run, value): value for value in secret_entries.known(store.entries, store.index)}
    filled = {name: known[digest] for name, digest in proposal.secrets.items() if digest in known}

    def fill(text: str) -> str:
        for name, value in filled.items():
            text = text.replace(name, value)
        return text

    return {index: _each_text(op, fill) for index, op in proposal.ops.items()}


def placeholders_in(proposal: Proposal) -> Callable[[str], tuple[str, ...]]:
    """Return what finds this proposal's placeholders in a text: after ``real_ops``, the unfilled ones."""
    found = next((re.match(r"⟦SECRET_([A-Za-z0-9]+)_\d+⟧", name) for name in proposal.secrets), None)
    return Vault(found[1]).placeholders_in if found else lambda _text: ()


def working_set(proposal: Proposal, store: Store) -> WorkingSet:
    """Return what the model was shown, as far as ``store`` still holds it.

    An entry that has changed since keeps the hash it was shown with, so the gate sees the difference.
    """

    def entries(hashes: Mapping[str, str]) -> Iterable[Entry]:
        for path, digest in hashes.items():
            entry = store.by_path(path)
            if entry is not None:
                yield replace(entry, sha256=digest)

    return WorkingSet(tuple(entries(proposal.focus)), tuple(entries(proposal.context)), "")


def stale(proposal: Proposal, store: Store) -> tuple[str, ...]:
    """Return the paths shown that have changed or gone since."""
    shown = {**proposal.focus, **proposal.context}
    return tuple(
        path
        for path, digest in shown.items()
        if (entry := store.by_path(path)) is None or entry.sha256 != digest
    )


def proposed(staging: Path, working_set: WorkingSet) -> bool:
    """Return whether a whole plan for these very focus entries waits already."""
    focus = {entry.path: entry.sha256 for entry in working_set.focus}
    return any(found.kind == "audit" and found.focus == focus for found in waiting(staging)[0])


def offered(proposal: Proposal) -> tuple[int, ...]:
    """Return the indexes of the ops that a person can take."""
    return tuple(i for i in sorted(proposal.ops) if proposal.verdicts[i]["status"] in OFFERED)


def covered(proposal: Proposal) -> dict[str, tuple[str, str]]:
    """Return the focus entries as path -> (id, SHA-256): what counts as dreamt over once it is settled."""
    return {path: (proposal.ids[path], digest) for path, digest in proposal.focus.items()}


def path_of(staging: Path, run: str) -> Path:
    """Return where the proposal of ``run`` is kept."""
    return staging / f"ops-{run}.json"


def save(staging: Path, proposal: Proposal) -> Path:
    """Write ``proposal`` (atomic, mode 0600) and return its path. Raises ``OSError``."""
    path = path_of(staging, proposal.run)
    files.write_json(path, {"version": VERSION, **proposal.__dict__})
    return path


def load(path: Path) -> Proposal:
    """Return the proposal in ``path``. Raises ``BadProposal``."""
    try:
        data = json.loads(path.read_bytes())
        if data.pop("version") != VERSION:
            raise ValueError("made by another version")
        data["ops"] = {int(index): op for index, op in data["ops"].items()}
        data["verdicts"] = {int(index): verdict for index, verdict in data["verdicts"].items()}
        data["pairs"] = [(one, other) for one, other in data["pairs"]]
        for index in data["ops"]:
            if missing := _VERDICT - data["verdicts"][index].keys():
                raise ValueError(f"op {index} has no {', '.join(sorted(missing))}")
        proposal = Proposal(**data)
        for name, kind in _KINDS.items():
            if not isinstance(getattr(proposal, name), kind):
                raise ValueError(f"{name} is no {kind.__name__}")
        for name in ("focus", "context", "ids", "secrets"):
            if not all(isinstance(value, str) for value in getattr(proposal, name).values()):
                raise ValueError(f"{name} holds what is no text")
        return proposal
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        name = path.stem.removeprefix("ops-")
        why = f"{type(error).__name__}: {error}"
        raise BadProposal(f"{path} is no proposal ({why}); send it away: agentops-dream discard {name}") from error


def waiting(staging: Path) -> tuple[list[Proposal], list[str]]:
    """Return the proposals that wait, oldest first, and one sentence per file that is none."""
    found: list[Proposal] = []
    problems: list[str] = []
    for path in sorted(staging.glob("ops-*.json")):
        try:
            found.append(load(path))
        except BadProposal as error:
            problems.append(str(error))
    return found, problems


def broken(staging: Path) -> tuple[str, ...]:
    """Return the names of proposals that cannot be read, oldest first."""
    found = []
    for path in sorted(staging.glob("ops-*.json")):
        try:
            load(path)
        except BadProposal:
            found.append(path.stem.removeprefix("ops-"))
    return tuple(found)


def without(proposal: Proposal, indexes: Collection[int]) -> Proposal:
    """Return ``proposal`` less the ops with these indexes."""
    return replace(
        proposal,
        ops={index: op for index, op in proposal.ops.items() if index not in indexes},
        verdicts={index: v for index, v in proposal.verdicts.items() if index not in indexes},
    )


def discard(staging: Path, run: str) -> None:
    """Remove the proposal of ``run`` and what was decided about it. Raises ``FileNotFoundError``."""
    decided_path(staging, run).unlink(missing_ok=True)
    path_of(staging, run).unlink()


def decided_path(staging: Path, run: str) -> Path:
    """Return where decisions on the proposal of ``run`` are kept; the name begins like the proposal's."""
    return staging / f"ops-{run}.decided"


def _hash(salt: str, secret: str) -> str:
    return hashlib.sha256(f"{salt}\0{secret}".encode("utf-8", "surrogatepass")).hexdigest()


def _each_text(value: Any, change: Any) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_each_text(item, change) for item in value]
    if isinstance(value, dict):
        return {change(key): _each_text(item, change) for key, item in value.items()}
    return value
