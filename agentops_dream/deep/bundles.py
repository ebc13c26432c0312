"""Ops that hang together stand and fall together (SPEC §8).

All steps are first taken to go through. Then each is judged in that outlook, and whenever one falls
the rest is judged again without it, until nobody falls any more. So an op that leaned on a fallen
one is found by what it lacks now, and an op that stood on its own feet goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from agentops_dream.deep.evidence import evidence
from agentops_dream.deep.outlook import Outlook
from agentops_dream.deep.shown import Shown
from agentops_dream.deep.steps import CONTENT, Step, verdict
from agentops_dream.deep.weighing import Scales
from agentops_dream.models import Fault, Verdict, Waived
from agentops_dream.store import links

SHORT = 200
"""Bodies under this many bytes may shrink as far as their facts allow."""


@dataclass(frozen=True)
class Rules:
    """What the judging of steps depends on besides the texts."""

    shown: Shown
    scales: Scales
    today: date
    delete: str
    """The setting ``AGENTOPS_DREAM_DELETE``."""
    waived: Waived = field(default_factory=dict)


@dataclass(frozen=True)
class Settled:
    """Steps that stand, and the verdicts on those that fell."""

    standing: tuple[Step, ...]
    fallen: Mapping[int, Verdict]


def settle(steps: Sequence[Step], rules: Rules, fallen: Mapping[int, Verdict] | None = None) -> Settled:
    """Return which of ``steps`` stand together. ``fallen``: verdicts on steps that are out already."""
    out = dict(fallen or {})
    standing = [step for step in steps if step.index not in out]
    by_index = {step.index: step for step in steps}
    restart = True
    while restart:
        restart = False
        outlook = Outlook(rules.shown, standing)
        gone = [(by_index[index], found) for index, found in out.items() if index in by_index]
        # Deletes last: what they lean on should have been judged.
        for step in sorted(standing, key=lambda step: (step.role == "delete", step.index)):
            found, step = _judge(step, outlook, gone, rules)
            standing = [step if other.index == step.index else other for other in standing]
            if found is not None:
                out[step.index] = found
                standing = [other for other in standing if other.index != step.index]
                restart = True
                break
    return Settled(tuple(standing), out)


def refuse_unknown_links(
    steps: Sequence[Step], shown: Shown
) -> tuple[tuple[Step, ...], tuple[Verdict, ...]]:
    """Return the steps whose links all lead somewhere, and ``rejected`` verdicts on the others.

    Those were never good, so nothing falls with them but what links to what they would have made.
    """
    refused: list[Verdict] = []
    standing = tuple(steps)
    while True:
        outlook = Outlook(shown, standing)
        found = {step.index: faults for step in standing if (faults := _unknown_links(step, outlook))}
        if not found:
            return standing, tuple(refused)
        refused += [verdict(s.op, "rejected", *found[s.index]) for s in standing if s.index in found]
        standing = tuple(step for step in standing if step.index not in found)


def _judge(
    step: Step, outlook: Outlook, gone: Sequence[tuple[Step, Verdict]], rules: Rules
) -> tuple[Verdict | None, Step]:
    for other, found in gone:
        if found.status in ("rejected", "parked") and _hangs_on(step, other):
            why = Fault("bundle", f"falls together with op {other.index}")
            return verdict(step.op, found.status, why), step
    unknown = _unknown_links(step, outlook)
    if unknown:
        return verdict(step.op, "rejected", *unknown), step
    if step.role == "relink" and _to_itself(step, outlook):
        return verdict(step.op, "rejected", Fault("self-link", "links an entry to itself", step.op.links)), step
    if step.role == "delete":
        return _judge_delete(step, outlook, rules)
    if not step.rewrites:
        return None, step
    faults = [*_short(step, outlook), *rules.scales.faults(step, outlook)]
    faults = [fault for fault in faults if fault.code not in rules.waived.get(step.index, ())]
    if not faults:
        return None, step
    status = "parked" if all(fault.code == "loss" for fault in faults) else "rejected"
    return verdict(step.op, status, *faults), step


def _hangs_on(step: Step, other: Step) -> bool:
    """Return whether ``step`` cannot stand without ``other``: same entry, or a delete in its favour.

    A flag hangs on nothing: what a person should look at does not go away because a rewrite beside it was refused.
    """
    if "flag" in (step.role, other.role):
        return False
    if step.paths & other.paths:
        return True
    return step.role == "delete" and other.role in CONTENT and any(
        entry.path in other.paths for entry in step.cited
    )


def _judge_delete(step: Step, outlook: Outlook, rules: Rules) -> tuple[Verdict | None, Step]:
    missing = [name for name in step.planned if name not in outlook.names]
    if missing:
        why = Fault("replacement", f"the replacement {missing[0]!r} is not made after all", tuple(missing))
        return verdict(step.op, "rejected", why), step
    heirs: dict[str, str] = {}
    for target in step.targets:
        found = evidence(step, target, outlook, rules.scales, today=rules.today, mode=rules.delete)
        if found.fault is not None and found.fault.code not in rules.waived.get(step.index, ()):
            return verdict(step.op, "flagged", found.fault), step
        if found.heir is not None:
            heirs[target.path] = found.heir
    return None, replace(step, heirs=heirs)


def _unknown_links(step: Step, outlook: Outlook) -> list[Fault]:
    """Links of the plan must lead to a shown or planned entry, or be in one of the targets already."""
    own = {outlook.end(target) for entry in step.targets for target in entry.links}
    proposed = list(step.op.links)
    if step.rewrites and step.op.new_body is not None:
        proposed += links.targets(step.op.new_body)
    unknown = []
    for target in dict.fromkeys(proposed):
        key = outlook.lead(target)
        known = key is not None and (key in outlook.shown.paths or key in outlook.results)
        if not known and outlook.end(target) not in own:
            what = "leads nowhere" if key is None else "was not shown to the model"
            unknown.append(Fault("unknown-link", f"[[{target}]] {what}", (f"[[{target}]]",)))
    return unknown


def _to_itself(step: Step, outlook: Outlook) -> bool:
    """Return whether all that a relink would add leads from its targets to themselves."""
    ends = {outlook.end(target) for target in step.op.links}
    return all(ends <= {outlook.went_into(entry.path)} for entry in step.targets)


def _short(step: Step, outlook: Outlook) -> list[Fault]:
    """Refuse a body under half of what it replaces; a split's parts count together."""
    siblings = outlook.siblings(step)
    old = max(_size(entry.body) for entry in step.targets)
    if siblings:
        new = sum(_size(other.body) for other in siblings)
        source = step.targets[0]
        if all(other.role == "split" for other in siblings) and not outlook.removed(source.path):
            new += _size(source.body)
    else:
        new = _size(step.body)
    if new * 2 >= old or (step.role != "merge" and old < SHORT):
        return []
    return [Fault("body-short", f"new_body has {new} bytes, under half of the {old} it replaces")]


def _size(text: str) -> int:
    return len(text.strip().replace("\r\n", "\n").encode("utf-8", "surrogatepass"))


# ---------------------------------------------------------------- for the receipt


def bundles(steps: Sequence[Step], shown: Shown) -> tuple[tuple[int, ...], ...]:
    """Return the op indexes that hang together, two or more each, in plan order."""
    outlook = Outlook(shown, steps)
    groups = [{step.index} for step in steps]
    for step in steps:
        for other in steps:
            if step.index >= other.index:
                continue
            if _related(step, other, outlook) or _related(other, step, outlook):
                one = next(group for group in groups if step.index in group)
                two = next(group for group in groups if other.index in group)
                if one is not two:
                    one |= two
                    groups.remove(two)
    return tuple(sorted(tuple(sorted(group)) for group in groups if len(group) > 1))


def _related(step: Step, other: Step, outlook: Outlook) -> bool:
    if _hangs_on(step, other):
        return True
    if step.role == "flag" or other.role not in ("merge", "split", "rename"):
        return False
    proposed = {outlook.end(t) for t in (*step.op.links, *links.targets(step.op.new_body or ""))}
    if other.role != "merge" or other.name:
        return other.key in proposed
    # Links to an entry that was there before need the merge only if they stood on one that goes.
    losers = {entry.path for entry in other.removed}
    moved = {outlook.lead(target) for entry in step.targets for target in entry.links} & losers
    return bool(moved) and other.key in proposed


