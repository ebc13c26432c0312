"""Clearing a flag: a person has looked (SPEC §8). A run like any other, so it can be undone."""

from __future__ import annotations

from agentops_dream import applying, declining
from agentops_dream.dream import read
from agentops_dream.models import ChangeSet, Entry, EntryChange, Receipt
from agentops_dream.order import Nothing, Order, Stopped, lock
from agentops_dream.secrets.entries import redactor
from agentops_dream.store import entry as edits
from agentops_dream.store.memory import Store
from agentops_dream.transaction.errors import Conflict


def unflag(order: Order, name: str) -> Receipt:
    """Clear the flag of the entry called ``name`` (path, stem or id) and return the receipt.

    Raises ``Nothing`` if it has none, ``Stopped``, ``Busy``.
    """
    with lock(order.state):
        notes = applying.recover_runs(order)
        store = read(order)
        entry = _find(store, name)
        if not entry.flagged:
            raise Nothing(f"{entry.path} is not flagged")
        if entry.readonly:
            raise Stopped(f"{entry.path} is context only ({entry.readonly}); edit it where it lives")
        change = EntryChange(entry.path, entry.raw, edits.unflag(entry.raw, path=entry.path), ())
        changes = ChangeSet((change,))
        message = f"the flag of {entry.path} is cleared"
        receipt = applying.opened(order, "apply", message=message, notes=notes)
        rendered = applying.render(order, store, changes)
        try:
            done = applying.carry_out(
                order,
                store,
                changes,
                rendered,
                receipt,
                covered=applying.covered_by(changes.entries),
            )
        except Conflict as conflict:
            raise applying.stopped(order, receipt, f"{conflict}; try again") from conflict
        declining.decline(order.state, [{"op": "flag", "target_ids": [entry.id]}], read(order))
        return done


def flagged(store: Store) -> list[dict[str, str]]:
    """Return the flagged entries as ``path`` and ``reason``, ``""`` if nothing says why; without secrets."""
    redact = redactor(store.entries, store.index)
    return [{"path": entry.path, "reason": redact(_reason(entry))} for entry in store.entries if entry.flagged]


def _reason(entry: Entry) -> str:
    return str(edits.lookup(entry.fields, "flagged_reason") or "")


def _find(store: Store, name: str) -> Entry:
    found = store.by_path(name) or store.by_path(f"{name}.md") or store.by_id(name)
    if found is None:
        raise Stopped(f"there is no entry {name!r}; `agentops-dream status` lists the flagged ones")
    return found
