"""From a change set to the files of one transaction: entries, ``MEMORY.md``, ``AGENTS.md``.

The indexes follow from the entries, so they are rendered here and nowhere else, by a dream, an
applied proposal and an undo alike (SPEC §9, §10, §11).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agentops_dream.journal.files import read_object
from agentops_dream.models import INDEX_LABEL, MEMORY, MIRROR_LABEL, ChangeSet, Entry, FileChange
from agentops_dream.secrets import entries as secret_entries
from agentops_dream.store import index, mirror, mirror_place
from agentops_dream.store.memory import Store


def sparing(problem: str, project: Path) -> str:
    """Return ``problem`` with the way to do without the mirror, if the mirror is what it is about."""
    if str(project / "AGENTS.md") not in problem:
        return problem
    return f"{problem} AGENTOPS_DREAM_MIRROR_AGENTS=0 leaves it out."


@dataclass(frozen=True)
class Rendering:
    """What the transaction is to write, and what a person should know about it."""

    files: tuple[FileChange, ...]
    notes: tuple[str, ...] = ()
    mirror_record: Mapping[str, Any] | None = None
    """What to remember of the project that is mirrored into; ``None``: nothing new."""


def render(
    store: Store,
    changes: ChangeSet,
    *,
    project: Path,
    mirror_agents: bool,
    mirror_record: Path,
) -> Rendering:
    """Return the files that bring ``store`` to the state after ``changes``, indexes included.

    ``mirror_record`` is where the memory directory's project is remembered. The index files are put
    down to no op: they belong to all of them. Files that would not change are left out.
    """
    after = store.with_changes({change.path: change.after for change in changes.entries})
    files = [
        FileChange(store.root / change.path, MEMORY + change.path, change.before, change.after, change.ops)
        for change in changes.entries
        if change.before != change.after
    ]
    reconciled = reconcile(store, store.index, store.entries, after.entries, changes.heirs)
    notes = list(reconciled.notes)
    if reconciled.raw != store.index:
        files.append(FileChange(store.root / "MEMORY.md", INDEX_LABEL, store.index, reconciled.raw))
    record = None
    if mirror_agents:
        agents, more, record = _mirror(after, project, mirror_record)
        files.extend(agents)
        notes.extend(more)
    return Rendering(tuple(files), tuple(notes), record)


def reconcile(
    store: Store,
    raw: bytes | None,
    before: Sequence[Entry],
    after: Sequence[Entry],
    heirs: Mapping[str, str],
) -> index.IndexResult:
    """Return ``MEMORY.md`` brought in line with the entries; files that cannot be read keep their lines.

    No secret goes from a description into it.
    """
    redact = secret_entries.redactor((*before, *after), raw)
    told: dict[int, Entry] = {}
    for entry in (*before, *after):  # nearly all stand in both
        if id(entry) not in told:
            told[id(entry)] = replace(entry, description=secret_entries.description(entry, redact))
    known = [item.path for item in store.unreadable]
    return index.reconcile(
        raw, [told[id(entry)] for entry in before], [told[id(entry)] for entry in after], heirs, known=known
    )


def _mirror(
    store: Store, project: Path, record: Path
) -> tuple[list[FileChange], list[str], Mapping[str, Any] | None]:
    owner = read_object(record) or None
    target = mirror_place.locate(project, memory_dir=store.root, owner_record=owner)
    if target.refused:
        return [], [f"AGENTS.md left alone: {target.refused}"], None
    result = mirror.mirror(target.raw, store.entries, hold_back=_hold_back(store), other_bytes=target.other_bytes)
    notes = [*target.notes, *(f"AGENTS.md: {note}" for note in result.notes)]
    notes += [
        f"AGENTS.md: {left.path} is held back: it {left.reason}"
        for left in result.left_out
        if left.reason == SECRET
    ]
    if result.refused:
        return [], [*notes, f"AGENTS.md left alone: {result.refused}"], None
    if not result.changed:
        record_now = mirror_place.owner_of(project) if result.raw is not None and owner is None else None
        return [], notes, record_now
    after = result.raw
    created = target.raw is None or bool(owner and owner.get("created"))
    if after == b"" and created:
        after = None  # nothing but our block was in it, and it is us who made the file
    change = FileChange(target.path, MIRROR_LABEL, target.raw, after, ())
    return [change], notes, {**mirror_place.owner_of(project), "created": created}


SECRET = "holds what looks like a secret"


def _hold_back(store: Store) -> Callable[[Entry], str]:
    """Return what says why an entry must not reach AGENTS.md, a committed file; ``""`` if it may."""
    redact = secret_entries.redactor(store.entries, store.index)

    def reason(entry: Entry) -> str:
        # The whole file: its name and id are printed too, and another secret in it may be repeated there.
        return SECRET if any(map(redact.find, secret_entries.texts(entry))) else ""

    return reason
