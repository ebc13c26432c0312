"""A proposal as ``--json`` shows it: plain values, the same as on the page and in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentops_dream.journal.diff import unified
from agentops_dream.review.cards import Card, Deck, FileView
from agentops_dream.review.decisions import Decisions, Done
from agentops_dream.staging import Proposal


def proposal_data(
    proposal: Proposal, deck: Deck, made: Decisions, touched: Sequence[str]
) -> dict[str, Any]:
    """Return a proposal with all its ops and what was decided about them so far.

    ``touched``: what ``apply`` would do to the indexes, as ``indexes.told`` says it.
    """
    return {
        "run": proposal.run,
        "kind": proposal.kind,
        "created": proposal.created,
        "summary": deck.summary,
        "focus": sorted(proposal.focus),
        "stale": sorted({path for card in deck.cards for path in card.stale}),
        "indexes": list(touched),
        "ops": [{**card_data(card, made), "op": proposal.ops[card.index]} for card in deck.cards],
    }


def card_data(card: Card, made: Decisions) -> dict[str, Any]:
    """Return one op."""
    return {
        "index": card.index,
        "kind": card.verb,
        "title": card.title,
        "status": card.verdict,
        "reason": card.reason,
        "now": card.now,
        "stale": list(card.stale),
        "takeable": card.takeable,
        "only_flags": card.flags,
        "targets": list(card.targets),
        "confidence": card.confidence,
        "rationale": card.rationale,
        "faults": [
            {"code": fault.code, "message": fault.message, "literals": list(fault.literals)}
            for fault in card.faults
        ],
        "goes_with": list(card.partners),
        "facts": {
            "kept": list(card.facts.kept),
            "dropped": list(card.facts.dropped),
            "declared": list(card.facts.declared),
        },
        "files": [{"path": file.path, "diff": _diff(file)} for file in card.files],
        "edited": card.edited,
        "choice": made.choices.get(card.index),
    }


def _diff(file: FileView) -> str:
    before, after = (None if text is None else text.encode() for text in (file.before, file.after))
    return unified(before, after, f"memory/{file.path}")


def done_data(done: Done, receipt: Any) -> dict[str, Any]:
    """Return what came of carrying out; ``receipt``: the receipt as plain values, or ``None``."""
    return {"run": done.run, "receipt": receipt, "rejected": list(done.rejected), "left": list(done.left)}
