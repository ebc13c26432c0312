"""One note before and after: what the gate says of the change."""

from __future__ import annotations

from agentops_dream.facts.weigh import Text, weigh


def codes(before: str, after: str) -> set[str]:
    """Return the codes of the faults of a rewritten body."""
    return {fault.code for fault in weigh([Text("note", "", before)], [Text("note", "", after)])}
