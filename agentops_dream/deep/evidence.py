"""What a delete needs besides confidence (SPEC §8 "evidence for a delete").

A fooled model is always sure. So the entry itself, or one that goes on living, has to say that
nothing is lost: a named survivor that keeps the facts, a near-verbatim twin, an end date of the
entry's own that has passed, or no content at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from agentops_dream.deep.outlook import Outlook
from agentops_dream.deep.steps import GUARDED, Step
from agentops_dream.deep.weighing import Scales
from agentops_dream.facts.weigh import end_date_passed
from agentops_dream.models import Entry, Fault


@dataclass(frozen=True)
class Evidence:
    """``fault`` is ``None`` if the entry may go; ``heir`` is the key of who says the same, if anyone."""

    fault: Fault | None
    heir: str | None = None


def evidence(
    step: Step, target: Entry, outlook: Outlook, scales: Scales, *, today: date, mode: str
) -> Evidence:
    """Return whether ``target`` may be deleted by ``step`` in this ``outlook``.

    ``mode`` is the setting ``AGENTOPS_DREAM_DELETE``. The fault names the facts that would be lost.
    """
    named = _named(step, outlook)
    heir = named[0] if len(named) == 1 else None
    if mode == "confidence":
        if named or target.type not in GUARDED:
            return Evidence(None, heir)
        return Evidence(_missing(target, "names no entry that lives on in its place"))
    lost: tuple[str, ...] = ()
    if named:
        faults = scales.kept_by(step, target.path, named, outlook)
        if not faults:
            return Evidence(None, heir)
        lost = tuple(dict.fromkeys(text for fault in faults for text in fault.literals))
    if target.type not in GUARDED:
        if not target.body.strip() and not target.description.strip():
            return Evidence(None, heir)
        if end_date_passed(f"{target.description}\n{target.body}", today):
            return Evidence(None, heir)
        twin = _twin(target, outlook, scales)
        if twin is not None:
            return Evidence(None, twin)
    if named:
        labels = ", ".join(outlook.label(key) for key in named)
        return Evidence(_missing(target, f"{labels} does not keep: {', '.join(lost) or 'its facts'}", lost))
    return Evidence(_missing(target, "no living entry is named or found that keeps its facts"))


def _missing(target: Entry, why: str, lost: tuple[str, ...] = ()) -> Fault:
    return Fault("evidence", f"no evidence for deleting {target.path}: {why}", lost)


def _named(step: Step, outlook: Outlook) -> tuple[str, ...]:
    """Keys of the living entries that the delete names in place of its targets."""
    keys = [outlook.heir(entry.path) for entry in step.cited]
    keys += [outlook.names.get(name) for name in step.planned]
    return tuple(dict.fromkeys(key for key in keys if key is not None and key not in step.paths))


def _twin(target: Entry, outlook: Outlook, scales: Scales) -> str | None:
    living = (path for path in outlook.shown.current if path != target.path and not outlook.removed(path))
    return next((path for path in living if scales.same(target.path, path, outlook)), None)
