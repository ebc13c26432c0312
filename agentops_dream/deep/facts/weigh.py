"""Fact conservation: what a bundle of ops loses, invents, swaps and hardens (SPEC §8).

The way in for everybody else. Pure text, no I/O, deterministic.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from agentops_dream.deep.facts.dates import relative_dates
from agentops_dream.deep.facts.ends import end_date_passed
from agentops_dream.deep.facts.index import index
from agentops_dream.deep.facts.loss import link_keys, lost_literals
from agentops_dream.deep.facts.reading import Text, read
from agentops_dream.deep.facts.twins import NEAR, changed_value, similar
from agentops_dream.models import Fault, Superseded

__all__ = ["Text", "changed_value", "end_date_passed", "keeps", "near_verbatim", "relative_dates", "weigh"]


def weigh(
    inputs: Sequence[Text],
    outputs: Sequence[Text],
    *,
    superseded: Sequence[Superseded] = (),
    shown: Mapping[str, Text] | None = None,
    planned: Collection[str] = (),
    heirs: Mapping[str, str] | None = None,
) -> tuple[Fault, ...]:
    """Return what is wrong with a bundle; empty means that its facts are conserved.

    ``inputs`` are the entries as they stand, ``outputs`` as the bundle leaves them. ``shown`` maps
    ids to the entries that the model saw. ``planned`` are ids that other ops of the plan bring
    about, ``heirs`` maps a removed id to the one that takes over its links (a merge elsewhere in
    the plan).
    """
    before = tuple(read(text) for text in inputs)
    after = tuple(read(text) for text in outputs)
    cited = [read(shown[item.by]) for item in superseded if shown and item.by in shown]
    source, target = index(before), index(after, ids=False)
    support = index((*before, *cited))
    declared = "\n".join(item.text for item in superseded)
    missing = [
        literal.text
        for _, literal in lost_literals(source, target, gone=link_keys(before), heirs=heirs)
        if literal.text not in declared
    ]
    faults: list[Fault] = []
    if missing:
        faults.append(Fault("loss", "lost: " + ", ".join(missing), tuple(missing)))
    invented = [
        literal.text
        for reading in after
        for literal in reading.literals
        if not literal.soft and literal.kind != "link" and not support.has(literal, shorter=True)
    ]
    if invented:
        faults.append(Fault("invention", "invented: " + ", ".join(invented), tuple(invented)))
    return tuple(faults)


def keeps(entry: Text, by: Text) -> tuple[str, ...]:
    """Return the literals of ``entry`` that ``by`` does not hold; empty: ``by`` keeps its facts."""
    source, target = index((read(entry),)), index((read(by),))
    return tuple(literal.text for _, literal in lost_literals(source, target, gone=link_keys((read(entry), read(by)))))


def near_verbatim(a: Text, b: Text) -> bool:
    """Return whether two entries say the same in nearly the same words.

    Never if they differ in a literal (a number, a name, a path) or in a negation or hedge.
    """
    return similar(a, b) >= NEAR and not keeps(a, b) and not keeps(b, a)
