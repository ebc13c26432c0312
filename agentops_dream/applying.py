"""From a judged plan to a changed store: commit, and plan again when somebody was faster (SPEC §9)."""

from __future__ import annotations

import contextlib
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal

from agentops_dream import __version__, finishing, rendering, secrets, staging
from agentops_dream.journal import rate, runs
from agentops_dream.models import (
    INDEX_LABEL,
    MEMORY,
    ChangeSet,
    Delta,
    EntryChange,
    Judgement,
    Receipt,
    Verdict,
    WorkingSet,
)
from agentops_dream.order import Order, Stopped
from agentops_dream.rendering import Rendering
from agentops_dream.secrets import Vault
from agentops_dream.secrets import entries as secret_entries
from agentops_dream.store import coverage, fingerprint
from agentops_dream.store.memory import Store, read_store
from agentops_dream.transaction import record
from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.disk import REAL, sha256
from agentops_dream.transaction.errors import READ_ONLY, Conflict, TransactionError
from agentops_dream.transaction.plan import written_through
from agentops_dream.transaction.probe import probe
from agentops_dream.transaction.record import Meta
from agentops_dream.transaction.recover import Outcome, recover
from agentops_dream.wording import counted

TRIES = 5
"""How often a dream plans again because files changed while it was about to write."""


def recover_runs(order: Order) -> tuple[str, ...]:
    """Bring unfinished runs to their end; return what there was to say. Raises ``Stopped``."""
    try:
        done = recover(order.state, now=order.clock().timestamp(), finish=finishing.finish)
    except (TransactionError, OSError) as error:
        raise Stopped(str(error)) from error
    messages = tuple(item.message for item in done if item.message)
    for message in messages:
        order.note(message)
    return messages


def apply(
    order: Order,
    store: Store,
    delta: Delta,
    working_set: WorkingSet,
    vault: Vault,
    judge: Callable[[Store], Judgement],
    receipt: Receipt,
    *,
    park: bool = True,
) -> Receipt:
    """Commit what ``judge`` lets through and return the receipt. Raises ``Stopped``; then nothing changed.

    When files change meanwhile, the plan is judged again over the store as it is now: the ops that
    they concern drop out as stale, the others go through. An entry that cannot be replaced though it
    is as it was, because another program has it open, becomes context. ``park``: stage ops that wait for
    a person.
    """
    busy: dict[str, str] = {}
    for _ in range(TRIES):
        vault.keep(secret_entries.telling(store.entries, store.index))  # of those that came meanwhile, too
        redact = secret_entries.redactor(store.entries, store.index, vault.kept)
        judgement = judge(_without(store, busy))
        rendered = render(order, store, judgement.changes)
        message = tell(judgement.verdicts, len(rendered.files))
        receipt = runs.redacted(replace(receipt, verdicts=judgement.verdicts, message=message), redact, store.names)
        parked = {v.index: v.raw for v in judgement.verdicts if park and v.status == "parked"}
        if parked:
            proposal = staging.propose(receipt, "parked", working_set, parked, vault)
            staging.save(order.staging, proposal)
        try:
            return carry_out(
                order,
                store,
                judgement.changes,
                rendered,
                receipt,
                covered=_covered(working_set, delta, judgement),
                pairs=working_set.pairs,
                known=vault.kept,
            )
        except Conflict as conflict:
            if parked:
                staging.discard(order.staging, receipt.run)
            if obstacle := _obstacle(order, rendered, conflict):
                raise stopped(order, receipt, obstacle) from conflict
            notes = (*receipt.notes, *(str(item) for item in conflict.kept))
            receipt = replace(receipt, run=runs.new_id(order.state, order.clock(), order.draw), notes=notes)
            before, store = store, read_store(order.memory)
            busy.update(_unchanged(conflict, before, store))
    raise stopped(
        order, receipt, f"{order.memory} keeps changing; nothing was changed, the next dream tries again"
    )


def _obstacle(order: Order, rendered: Rendering, conflict: Conflict) -> str:
    """Return why planning again is of no use: what every plan writes to may not be written."""
    files = [f.path for f in rendered.files if f.label in conflict.labels and written_through(f.label)]
    problems = probe(state=order.state, folders=(order.memory,), files=files, need=0)
    return rendering.sparing(problems[0], order.project) if problems else ""


def _unchanged(conflict: Conflict, before: Store, now: Store) -> Mapping[str, str]:
    """Return the paths of entries that were in the way without having changed, and what keeps them."""
    kept = {}
    for label, reason in conflict.reasons.items():
        path = label.removeprefix(MEMORY)
        old, new = before.by_path(path), now.by_path(path)
        if old and new and old.sha256 == new.sha256:
            kept[path] = "read-only" if reason == READ_ONLY else "in use by another program"
    return kept


def _without(store: Store, busy: Mapping[str, str]) -> Store:
    entries = (replace(e, readonly=busy[e.path]) if e.path in busy else e for e in store.entries)
    return replace(store, entries=tuple(entries)) if busy else store


def render(order: Order, store: Store, changes: ChangeSet) -> Rendering:
    """Return the files of ``changes``, indexes included."""
    return rendering.render(
        store,
        changes,
        project=order.project,
        mirror_agents=order.settings.mirror_agents,
        mirror_record=order.mirror_record,
    )


def carry_out(
    order: Order,
    store: Store,
    changes: ChangeSet,
    rendered: Rendering,
    receipt: Receipt,
    *,
    covered: Mapping[str, tuple[str, str]],
    pairs: Sequence[tuple[str, str]] = (),
    meta: Mapping[str, Meta] | None = None,
    prune: Sequence[str] = (),
    known: Mapping[str, str] = MappingProxyType({}),
) -> Receipt:
    """Commit ``rendered`` and return the finished receipt, which is also on disk, as are its consequences.

    ``covered``, ``pairs``: see ``finishing.Memo``; ``meta``, ``prune``: see ``commit``; ``known``: secrets besides
    those of the store, value -> kind. Raises
    ``Conflict`` if files changed meanwhile, ``Stopped`` if it cannot be done: then nothing changed.
    """
    after = store.with_changes({change.path: change.after for change in changes.entries})
    index = next((row.after for row in rendered.files if row.label == INDEX_LABEL), store.index)
    redact = secret_entries.redactor((*store.entries, *after.entries), store.index, known)
    done = replace(
        closed(order, receipt, "applied" if rendered.files else "nothing"),
        files=finishing.rows(rendered.files, redact),
        notes=(*receipt.notes, *rendered.notes),
        entries=len(after.entries),
        index_bytes=len(index or b""),
    )
    memo = finishing.Memo(
        state=str(order.state),
        memory_dir=str(order.memory),
        covered=covered,
        pairs=pairs,
        hashes={entry.path: entry.sha256 for entry in after.entries} if pairs else {},
        heirs=changes.heirs,
        mirror=rendered.mirror_record,
        receipt=runs.to_json(done),
    )
    try:
        outcome = commit(
            runs.folder(order.state, done.run),
            rendered.files,
            memo=memo.to_json(),
            meta=meta,
            prune=prune,
            finish=finishing.finish,
        )
    except Conflict:
        raise
    except TransactionError as error:
        raise stopped(order, receipt, rendering.sparing(str(error), order.project)) from error
    except OSError as error:
        if not _stands(order, done.run):
            raise stopped(order, receipt, str(error)) from error
        # The files are changed; what is known of it is written by the next dream's recovery.
        outcome = Outcome(done.run)
        done = replace(done, notes=(*done.notes, f"the receipt could not be written yet: {error}"))
    _release(order)
    order.note(f"run {done.run}: {done.message}")
    for kept in outcome.kept:
        order.note(str(kept))
    return replace(done, notes=(*done.notes, *(str(item) for item in outcome.kept)))


def _stands(order: Order, run: str) -> bool:
    """Return whether the run was committed, whatever happened afterwards."""
    try:
        return record.finished(runs.folder(order.state, run), REAL) is not None
    except (record.BadJournal, record.OtherVersion, OSError):
        return False


def stopped(order: Order, receipt: Receipt, message: str) -> Stopped:
    """Write the receipt of a failed run, as far as the disk lets it; return the error to raise."""
    with contextlib.suppress(OSError):
        runs.write(order.state, closed(order, replace(receipt, message=message), "failed"))
    return Stopped(message)


def _covered(working_set: WorkingSet, delta: Delta, judgement: Judgement) -> Mapping[str, tuple[str, str]]:
    """Return what need not be dreamt over again: what was in focus, and what the dream itself wrote.

    An entry that waits (deferred) and had only a link retargeted still waits.
    """
    covered = {entry.path: (secrets.redact(entry.id), entry.sha256) for entry in working_set.focus}
    waiting = set(delta.paths) - set(covered)
    seen = tuple(change for change in judgement.changes.entries if change.path not in waiting)
    return {**covered, **covered_by(seen)}


def covered_by(changes: Sequence[EntryChange]) -> dict[str, tuple[str, str]]:
    """Return the entries that ``changes`` leave behind as path -> (id, SHA-256)."""
    return {
        change.path: (change.path, sha256(change.after)) for change in changes if change.after is not None
    }


def cover(order: Order, covered: Mapping[str, tuple[str, str]]) -> None:
    """Let entries count as dreamt over at these bytes (path -> id, SHA-256). Raises ``OSError``."""
    where = str(order.state / "fingerprint.json")
    known = coverage.advance(fingerprint.load(where), str(order.memory), covered)
    coverage.save(known, where, str(order.memory))


def _release(order: Order) -> None:
    """What was held back for a person is out of date once memory has changed."""
    held = rate.load(order.state)
    if held.hold:
        rate.save(order.state, replace(held, hold=""))


Ending = Literal["applied", "nothing", "staged", "failed", "refused"]


def closed(order: Order, receipt: Receipt, outcome: Ending) -> Receipt:
    """Return ``receipt`` with outcome and duration filled in."""
    began = datetime.fromisoformat(receipt.started.replace("Z", "+00:00"))
    seconds = (order.clock() - began).total_seconds()
    return replace(receipt, outcome=outcome, seconds=round(max(0.0, seconds), 3))


def opened(order: Order, kind: Literal["dream", "undo", "apply"], **fields: Any) -> Receipt:
    """Return the receipt of a run that begins now."""
    now = order.clock()
    given = {"trigger": order.trigger, "message": "", "versions": versions(), **fields}
    return Receipt(
        run=runs.new_id(order.state, now, order.draw),
        kind=kind,
        outcome="failed",
        started=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        seconds=0.0,
        memory_dir=str(order.memory),
        project=str(order.project),
        **given,
    )


def tell(verdicts: tuple[Verdict, ...], files: int) -> str:
    """Return one line about a dream: how many ops of which fate, and how many files changed."""
    counts: dict[str, int] = {}
    for verdict in verdicts:
        counts[verdict.status] = counts.get(verdict.status, 0) + 1
    told = ", ".join(f"{count} {status}" for status, count in counts.items()) or "no ops"
    return f"{told}; {counted(files, 'file')} changed"


def versions() -> Mapping[str, str]:
    """Return what a receipt says about the programs that took part."""
    found = {"agentops-dreaming": __version__, "python": platform.python_version()}
    sdk = sys.modules.get("anthropic")  # it took part only if a backend has loaded it
    if sdk is not None:
        found["anthropic"] = str(sdk.__version__)
    return found
