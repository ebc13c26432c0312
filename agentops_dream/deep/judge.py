"""Deep sleep: what becomes of a plan (SPEC §8).

    read      each value of the plan is an op, or refused
    admit     each op is about entries it may touch, or refused
    gate      each is sure enough, or dropped, or its targets are flagged instead
    claim     no entry is changed twice
    settle    facts are weighed, deletes show evidence, bundles stand or fall
    rails     the plan as a whole stays within bounds; what breaks one waits for a person
    render    what is left becomes bytes

Nothing here touches a disk, a clock or a model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from agentops_dream import secrets
from agentops_dream.deep.admit import admit
from agentops_dream.deep.bundles import Rules, bundles, refuse_unknown_links, settle
from agentops_dream.deep.changes import FindSecrets, Flag, render
from agentops_dream.deep.claims import settle_claims
from agentops_dream.deep.gate import bar, decide
from agentops_dream.deep.plan import read_plan
from agentops_dream.deep.rails import Limits, hold
from agentops_dream.deep.recall import Probe
from agentops_dream.deep.shown import Shown
from agentops_dream.deep.steps import Step, verdict
from agentops_dream.deep.weighing import Scales, invented, neighbours
from agentops_dream.facts.labels import founded
from agentops_dream.facts.reading import Text
from agentops_dream.models import Fault, Judgement, Op, Verdict, Waived, WorkingSet
from agentops_dream.settings import Settings
from agentops_dream.store.memory import Store

NO_REASON = "flagged in a dream; its receipt says more"
"""Written where a flag came without a reason, or with one that brings in a literal of its own."""


def no_placeholders(text: str) -> tuple[str, ...]:
    """Return nothing: what is used where no vault masked the texts."""
    return ()


def judge(
    ops: Sequence[Any],
    working_set: WorkingSet,
    store: Store,
    *,
    settings: Settings,
    today: date,
    probes: Sequence[Probe] = (),
    find_secrets: FindSecrets = secrets.values,
    placeholders: FindSecrets = no_placeholders,
    redact: Callable[[str], str] = secrets.redact,
    waived: Waived | None = None,
) -> Judgement:
    """Return a verdict per op and the changes of those that are applied or flagged.

    ``ops``: raw JSON values, secrets already put back. ``working_set``: what the model was shown;
    ``store``: the memory directory as it is now. ``placeholders`` finds placeholders that stand for
    nothing (``Vault.placeholders_in``); ``redact`` takes secrets out of verdicts and of the reasons that flags
    leave in entries. ``waived``: what a person has accepted, such as
    ``loss`` for a parked op; everything else is judged as ever. Never raises for what a plan holds.
    """
    shown = Shown(working_set, store)
    verdicts: dict[int, Verdict] = {}
    steps: list[Step] = []
    for read in read_plan(ops):
        found = admit(read, shown, find_secrets, placeholders) if isinstance(read, Op) else read
        if isinstance(found, Step):
            steps.append(found)
        else:
            verdicts[found.index] = found

    sure, unsure = _gate(steps, settings.evidence_threshold)
    verdicts.update({found.index: found for found in unsure})
    claimed, refused = settle_claims(sure, shown)
    verdicts.update({found.index: found for found in refused})
    claimed, refused = refuse_unknown_links(claimed, shown)
    verdicts.update({found.index: found for found in refused})

    replaced = {path for step in claimed if step.op.superseded for path in step.paths}
    scales = Scales(find_secrets, neighbours(replaced, store.entries))
    rules = Rules(shown, scales, today, settings.delete, waived or {})
    limits = Limits(settings.max_destructive, tuple(probes), waived or {})
    by_index = {step.index: step for step in steps}
    settled = settle(claimed, rules)
    invents = partial(invented, shown=working_set.shown, today=today)
    while True:
        found_so_far = {**verdicts, **settled.fallen}
        flags = _flags(settled.standing, found_so_far.values(), by_index, invents)
        rendered = render(settled.standing, flags, shown, redact, find_secrets)
        held = rendered.refused or hold(settled.standing, rendered.changes, shown, limits)
        if not held:
            break
        out = {**settled.fallen, **{index: verdict(by_index[index].op, *why) for index, why in held.items()}}
        settled = settle(settled.standing, rules, out)

    verdicts.update(settled.fallen)
    for step in settled.standing:
        notes = rendered.notes.get(step.index, ())
        verdicts[step.index] = verdict(step.op, "applied", *step.notes, *notes)
    raws = ops if isinstance(ops, (list, tuple)) else (ops,)
    return Judgement(
        verdicts=tuple(_told(found, raws[index], redact) for index, found in sorted(verdicts.items())),
        changes=rendered.changes,
        bundles=bundles(claimed, shown),
    )


def _told(found: Verdict, raw: Any, redact: Callable[[str], str]) -> Verdict:
    """Return the verdict on ``raw`` as people may read it."""
    faults = (Fault(one.code, redact(one.message), tuple(map(redact, one.literals))) for one in found.faults)
    return replace(found, raw=raw, rationale=redact(found.rationale), faults=tuple(faults))


def _gate(steps: Iterable[Step], threshold: float) -> tuple[list[Step], list[Verdict]]:
    sure: list[Step] = []
    unsure: list[Verdict] = []
    for step in steps:
        decision = decide(step.role, step.op.confidence, threshold)
        if decision == "applied":
            sure.append(step)
        else:
            needed = bar(step.role, threshold)
            why = f"{step.op.confidence:g} is under the bar of {needed:g} for a {step.role}"
            unsure.append(verdict(step.op, decision, Fault("confidence", why)))
    return sure, unsure


def _founded(reason: str, step: Step) -> bool:
    """Whether a flag's reason, without the words that we put before it, speaks of the flagged entries."""
    _, _, own = reason.rpartition(" proposed: ")
    return founded(own, [Text(f"{entry.id} {entry.name}", entry.description, entry.body) for entry in step.targets])


def _flags(
    standing: Sequence[Step],
    verdicts: Iterable[Verdict],
    steps: Mapping[int, Step],
    invents: Callable[[str], bool],
) -> tuple[Flag, ...]:
    """Flags that ops ask for, and those set instead of a merge or delete that did not get through."""
    asked = [(step.index, step, step.op.rationale or NO_REASON) for step in standing if step.role == "flag"]
    instead = [
        (found.index, steps[found.index], f"{found.kind} proposed: {found.rationale or found.reason}")
        for found in verdicts
        if found.status == "flagged"
    ]
    return tuple(
        Flag(index, entry.path, reason if not invents(reason) and _founded(reason, step) else NO_REASON)
        for index, step, reason in sorted((*asked, *instead), key=lambda item: item[0])
        for entry in step.targets
    )
