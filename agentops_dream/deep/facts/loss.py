"""Loss: a fact of the inputs that stands in no output (SPEC §8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentops_dream.deep.facts.anchors import worked_out
from agentops_dream.deep.facts.index import Index
from agentops_dream.deep.facts.literal import Literal, link_key
from agentops_dream.deep.facts.reading import Reading


def lost_literals(
    inputs: Index, outputs: Index, *, gone: frozenset[str] = frozenset(), heirs: Mapping[str, str] | None = None
) -> Iterator[tuple[Reading, Literal]]:
    """Yield the literals of the inputs that stand in no output, each once.

    ``gone``: link keys of entries that the bundle itself takes away; links to them may go.
    ``heirs``: link key -> link key of the entry that takes over its links.
    """
    seen: set[tuple[str, str, str]] = set()
    links = {literal.key for literal in outputs.literals if literal.kind == "link"}
    for reading in inputs.readings:
        for literal in reading.literals:
            mark = (literal.kind, literal.key, literal.unit)
            if literal.soft or mark in seen:
                continue
            seen.add(mark)
            if literal.kind == "link":
                heir = (heirs or {}).get(literal.key, "")
                if literal.key in links or literal.key in gone or (heir and heir in links):
                    continue
                yield reading, literal
            elif literal.kind == "relative" and _resolved(reading, outputs):
                continue
            elif not outputs.has(literal) and not _shortened(literal, inputs, outputs):
                yield reading, literal


def _resolved(reading: Reading, outputs: Index) -> bool:
    """Return whether the outputs give the date that a relative one means."""
    return any(outputs.has_day(day) for day in worked_out(reading))


def _shortened(literal: Literal, inputs: Index, outputs: Index) -> bool:
    """Return whether a literal is the head of a dotted number of the inputs that is kept in full."""
    if literal.kind not in ("number", "version") or literal.unit:
        return False
    key = literal.key.lstrip("vV") + "."
    return any(version.startswith(key) and version in outputs.versions for version in inputs.versions)


def link_keys(readings: tuple[Reading, ...]) -> frozenset[str]:
    """Return the keys under which links may name these entries."""
    return frozenset(link_key(reading.text.id) for reading in readings)
