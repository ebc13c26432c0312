"""What becomes of the facts of an op's sources, told to a person (SPEC §8, §12).

The weighing is the gate's own. Here it is only asked twice, with and without what the op declares, and
the difference is what went by declaration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agentops_dream.deep.plan import loose
from agentops_dream.facts.reading import read
from agentops_dream.facts.weigh import Text, weigh
from agentops_dream.models import Fault, Superseded
from agentops_dream.store import links


@dataclass(frozen=True)
class Facts:
    """Literals and sentences as they stand in the sources, each once, in order."""

    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    """In no text that remains, and not declared."""
    declared: tuple[str, ...] = ()
    """In no text that remains, and declared superseded by an entry that bears it out."""


def account(
    inputs: Sequence[Text],
    outputs: Sequence[Text],
    superseded: Sequence[Superseded] = (),
    shown: Mapping[str, Text] | None = None,
) -> Facts:
    """Return what the ``outputs`` keep of the ``inputs``. ``shown``: the texts that ``superseded`` cites.

    Links between the texts themselves are no facts here: they go with the entries that go.
    """
    inside = {loose(text.id) for text in (*inputs, *outputs)}
    missing = _lost(weigh(inputs, outputs))
    if not missing or not superseded:
        dropped: Sequence[str] = missing
    else:
        dropped = _lost(weigh(inputs, outputs, superseded=superseded, shown=shown))
    declared = [text for text in missing if text not in dropped]
    kept = [
        literal.text
        for text in inputs
        for literal in read(text).literals
        if not literal.soft and not any(loose(target) in inside for target in links.targets(literal.text))
    ]
    gone = {*missing, *dropped}
    return Facts(
        kept=tuple(dict.fromkeys(text for text in kept if text not in gone)),
        dropped=tuple(dropped),
        declared=tuple(declared),
    )


def _lost(faults: Sequence[Fault]) -> tuple[str, ...]:
    return tuple(text for fault in faults if fault.code == "loss" for text in fault.literals)
