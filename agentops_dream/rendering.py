"""From a change set to the files of one transaction: entries, ``MEMORY.md``, ``AGENTS.md``.

The indexes follow from the entries, so they are rendered here and nowhere else, by a dream, an
applied proposal and an undo alike (SPEC §9, §10, §11).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agentops_dream import secrets
from agentops_dream.models import ChangeSet, Entry, FileChange
from agentops_dream.store import index, mirror, mirror_place
from agentops_dream.store.memory import Store

INDEX_LABEL = "memory/MEMORY.md"
MIRROR_LABEL = "project/AGENTS.md"


@dataclass(frozen=True)
class Rendering:
    """What the transaction is to write, and what a person should know about it."""

    files: tuple[FileChange, ...]
    notes: tuple[str, ...] = ()
    mirrored: bool = False
    """Whether the mirror is in force for this project, so that its owner may be recorded."""


def render(
    store: Store,
    changes: ChangeSet,
    *,
    project: Path,
    mirror_agents: bool,
    mirror_record: Path,
    everything: tuple[int, ...] = (),
) -> Rendering:
    """Return the files that bring ``store`` to the state after ``changes``, indexes included.

    ``mirror_record`` is where the memory directory's project is remembered; ``everything`` are the
    op indexes that the index files are put down to. Files that would not change are left out.
    """
    after = store.with_changes({change.path: change.after for change in changes.entries})
    files = [
        FileChange(
            store.root / change.path, f"memory/{change.path}", change.before, change.after, change.ops
        )
        for change in changes.entries
        if change.before != change.after
    ]
    reconciled = index.reconcile(store.index, store.entries, after.entries, changes.heirs)
    notes = list(reconciled.notes)
    if reconciled.raw != store.index:
        files.append(
            FileChange(store.root / "MEMORY.md", INDEX_LABEL, store.index, reconciled.raw, everything)
        )
    mirrored = False
    if mirror_agents:
        agents, more, mirrored = _mirror(after, project, mirror_record, everything)
        files.extend(agents)
        notes.extend(more)
    return Rendering(tuple(files), tuple(notes), mirrored)


def _mirror(
    store: Store, project: Path, record: Path, ops: tuple[int, ...]
) -> tuple[list[FileChange], list[str], bool]:
    target = mirror_place.locate(project, memory_dir=store.root, record=record)
    if target.refused:
        return [], [f"AGENTS.md left alone: {target.refused}"], False
    result = mirror.mirror(target.raw, store.entries, hold_back=hold_back, other_bytes=target.other_bytes)
    notes = [f"AGENTS.md: {note}" for note in result.notes]
    if result.refused:
        return [], [*notes, f"AGENTS.md left alone: {result.refused}"], False
    if not result.changed:
        return [], notes, result.raw is not None
    return [FileChange(target.path, MIRROR_LABEL, target.raw, result.raw, ops)], notes, True


def hold_back(entry: Entry) -> str:
    """Return why ``entry`` must not reach AGENTS.md, a committed file; ``""`` if it may."""
    if secrets.find(f"{entry.description}\n{entry.body}"):
        return "holds what looks like a secret"
    return ""
