"""What accepting does to ``MEMORY.md`` and ``AGENTS.md``, a line each, before the yes (SPEC §10, §11, §12).

It is told from the very files that the transaction would write.
"""

from __future__ import annotations

from agentops_dream import secrets
from agentops_dream.journal.diff import unified
from agentops_dream.models import INDEX_LABEL, MIRROR_LABEL, FileChange
from agentops_dream.rendering import Rendering
from agentops_dream.wording import counted


def told(rendered: Rendering) -> tuple[str, ...]:
    """Return a line for each of the two files, and what the rendering notes about them; without secrets."""
    files = {change.label: change for change in rendered.files}
    lines = [
        f"{label.rpartition('/')[2]}: {_fate(files.get(label))}"
        for label in (INDEX_LABEL, MIRROR_LABEL)
    ]
    return tuple(map(secrets.redact, (*lines, *rendered.notes)))


def _fate(change: FileChange | None) -> str:
    if change is None:
        return "stays as it is"
    if change.after is None:
        return "removed"
    lines = unified(change.before, change.after, change.label).splitlines()[2:]
    added, removed = (sum(line.startswith(mark) for line in lines) for mark in "+-")
    if change.before is None:
        return f"new, {counted(added, 'line')}"
    return f"{counted(added, 'line')} added, {removed:,} removed"
