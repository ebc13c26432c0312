"""Who may change what: one content change per entry, one entry per name (SPEC §8).

Runs over the steps that are sure enough. Two ops that want the same entry cannot both be right about
its text; the first one stays. A split is the one change that takes two ops or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agentops_dream.deep.plan import loose
from agentops_dream.deep.shown import Shown
from agentops_dream.deep.steps import Step, verdict
from agentops_dream.models import Fault, Verdict


def settle_claims(steps: Sequence[Step], shown: Shown) -> tuple[tuple[Step, ...], tuple[Verdict, ...]]:
    """Return the steps that may stand beside one another, and a ``rejected`` verdict for each other.

    Deletes claim last: where one op keeps an entry and another removes it, it is kept.
    """
    refused: list[Verdict] = []
    kept: list[Step] = []
    names: dict[str, int] = {}
    for step in sorted(_parted(steps), key=lambda step: (step.role == "delete", step.index)):
        step, fault = _renamed_in_focus(step, steps, shown)
        fault = fault or _second_change(step, kept) or _name_twice(step, names) or _replacement(step, kept)
        if fault is not None:
            refused.append(verdict(step.op, "rejected", fault))
            continue
        kept.append(step)
        names.update({loose(name): step.index for name in (step.name, step.alias) if name})
    return tuple(sorted(kept, key=lambda step: step.index)), tuple(refused)


def _parted(steps: Sequence[Step]) -> list[Step]:
    """Two renames of one entry, each with a text, are a split: the first takes the file along."""
    taken: set[frozenset[str]] = set()
    made = []
    for step in steps:
        if step.role == "rename" and step.op.new_body is not None:
            if step.paths in taken:
                step = replace(step, role="split", survivor=None)
            taken.add(step.paths)
        made.append(step)
    return made


def _renamed_in_focus(step: Step, steps: Sequence[Step], shown: Shown) -> tuple[Step, Fault | None]:
    """A context entry keeps its name. Where a split trims and renames it, only the renaming goes."""
    if step.role != "rename" or step.paths <= shown.focus:
        return step, None
    path = step.targets[0].path
    split = any(
        other is not step and other.role in ("split", "rename") and path in other.paths for other in steps
    )
    if not split or step.op.new_body is None:
        return step, Fault("not-focus", f"only entries in focus may be renamed, not {path}", (step.name,))
    note = Fault("name-kept", f"{path} keeps its name: only entries in focus are renamed", (step.name,))
    kept = replace(step, role="update", name="", new_file=False, alias=step.name, notes=(*step.notes, note))
    return kept, None


def _second_change(step: Step, kept: Sequence[Step]) -> Fault | None:
    for other in kept:
        shared = step.paths & other.paths
        if shared and not _side_by_side(step, other):
            names = ", ".join(sorted(shared))
            return Fault("second-change", f"op {other.index} already changes {names}", tuple(sorted(shared)))
    return None


def _side_by_side(step: Step, other: Step) -> bool:
    roles = {step.role, other.role}
    if roles & {"flag", "relink"}:
        return True
    if roles <= {"split"} or (roles & {"split"} and roles & {"update", "rename"}):
        return True
    # A split may also end with the source deleted in favour of its parts.
    delete, split = (step, other) if step.role == "delete" else (other, step)
    return delete.role == "delete" and split.role == "split" and loose(split.name) in delete.planned


def _name_twice(step: Step, names: dict[str, int]) -> Fault | None:
    for name in (step.name, step.alias):
        if name and loose(name) in names:
            return Fault("name-taken", f"op {names[loose(name)]} already makes {name!r}", (name,))
    return None


def _replacement(step: Step, kept: Sequence[Step]) -> Fault | None:
    """A delete in favour of an entry that is still to be made needs the op that makes it of this one."""
    for name in step.planned:
        maker = next((other for other in kept if name and loose(other.name) == name), None)
        if maker is None:
            return Fault("replacement", f"the replacement {name!r} is neither there nor planned", (name,))
        if not step.paths <= maker.paths:
            return Fault("replacement", f"op {maker.index} does not make {name!r} of this entry", (name,))
    return None
