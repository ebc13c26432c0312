"""How the store would read if a given set of steps went through (SPEC §8 bundles).

Texts only, no bytes: cheap enough to be made anew each time a step falls, because whatever leaned
on that step (a link to its new entry, a delete in its favour) has to be looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence

from agentops_dream.deep.plan import loose
from agentops_dream.deep.shown import Shown
from agentops_dream.deep.steps import Step

DANGLES = "?"
"""Begins the end of a link to nothing; no path and no key begins like this."""


class Outlook:
    """The store after ``steps``. An entry is known by its path, a new one by its step's ``key``."""

    def __init__(self, shown: Shown, steps: Sequence[Step]) -> None:
        self.shown = shown
        self.steps = tuple(steps)
        self.results: dict[str, Step] = {step.key: step for step in steps if step.rewrites}
        self.names: dict[str, str] = {
            loose(name): step.key for step in steps for name in (step.name, step.alias) if name
        }
        self._heirs: dict[str, str | None] = {}
        self._merged = {
            entry.path: step.key for step in steps if step.role == "merge" for entry in step.removed
        }
        for step in steps:
            for entry in step.removed:
                self._heirs[entry.path] = step.key if step.role == "merge" else step.heirs.get(entry.path)

    def removed(self, path: str) -> bool:
        """Return whether the file at ``path`` would be gone (a rename does not count)."""
        return path in self._heirs

    def heir(self, key: str) -> str | None:
        """Return where the links of ``key`` lead in the end: itself if it lives, ``None`` for nowhere."""
        seen: set[str] = set()
        here: str | None = key
        while here is not None and here in self._heirs:
            if here in seen:  # two entries deleted in favour of each other
                return None
            seen.add(here)
            here = self._heirs[here]
        return here

    def went_into(self, path: str) -> str | None:
        """Return the key whose file holds the entry at ``path`` now; ``None`` if it was deleted."""
        key = self._merged.get(path, path)
        return None if key in self._heirs else key

    def lead(self, target: str) -> str | None:
        """Return the key that ``[[target]]`` leads to, dead or alive; ``None``: it dangles."""
        entry = self.shown.linked(target)
        return entry.path if entry is not None else self.names.get(loose(target))

    def end(self, target: str) -> str | None:
        """Return where ``[[target]]`` leads after the plan: a key, ``?`` and the text of a dangling
        one, or ``None`` for an entry that goes without an heir."""
        key = self.lead(target)
        return DANGLES + loose(target) if key is None else self.heir(key)

    def label(self, key: str) -> str:
        """Return the id under which ``key`` is linked to after the plan."""
        if key.startswith(DANGLES):
            return key[len(DANGLES) :]
        step = self.results.get(key)
        if step is not None and step.name:
            return step.name
        entry = self.shown.current.get(key)
        return entry.id if entry is not None else key

    def before(self, path: str) -> tuple[str, str]:
        """Return description and body of the entry at ``path`` as they stand."""
        entry = self.shown.current[path]
        return entry.description, entry.body

    def text(self, key: str) -> tuple[str, str]:
        """Return description and body of ``key`` after the plan; ``KeyError`` if it is no entry."""
        step = self.results.get(key)
        if step is not None:
            return step.description, step.body
        return self.before(key)

    def touching(self, path: str) -> tuple[Step, ...]:
        """Return the steps that have the entry at ``path`` among their targets."""
        return tuple(step for step in self.steps if path in step.paths)

    def siblings(self, step: Step) -> tuple[Step, ...]:
        """Return the steps that split the same source, ``step`` itself among them; empty for no split."""
        if step.role not in ("update", "rename", "split"):
            return ()
        group = [other for other in self.touching(step.targets[0].path) if other.rewrites]
        return tuple(group) if any(other.role == "split" for other in group) else ()
