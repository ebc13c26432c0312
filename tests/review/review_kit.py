"""Proposals of all kinds, staged by real dreams, for the tests of review."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from dream_kit import Bed

from agentops_dream import dream as story
from agentops_dream import staging
from agentops_dream.models import Receipt
from agentops_dream.review.cards import Deck, deck
from agentops_dream.staging import Proposal
from agentops_dream.store.memory import read_store
from fake_claude.scenarios import ops as ops_of_models

CACHE_A = (
    "The kettle cache keeps 512 entries and listens on port 7017.\n\n"
    "**Why:** a larger cache ran out of memory on 2026-02-11.\n"
    "**How to apply:** raise `KETTLE_CACHE_MAX` only together with the container limit."
)
CACHE_B = (
    "The kettle cache keeps 512 entries; its metrics are at `/metrics/kettle`.\n\n"
    "**Why:** the dashboard reads them every 30 seconds."
)
BADLY_MERGED = (
    "The kettle cache keeps 512 entries and listens on port 7017; its metrics are at `/metrics/kettle`.\n\n"
    "**Why:** a larger cache ran out of memory, and the dashboard reads the metrics every 30 seconds.\n"
    "**How to apply:** raise `KETTLE_CACHE_MAX` only together with the container limit."
)
"""Both in one, but the date is gone."""
RELEASE = "Note to self: a release is tagged by `make release`, never by hand, because the signature is then missing."
BETTER = "A release is tagged by `make release`, never by hand, because the signature is then missing."
FREEZE = "The code freeze for the spring release ends on 2025-03-31."
NIHONGO = "検証環境のデータベースはポート 6432 で待ち受ける。本番環境では絶対に変更しないこと。"
NIHONGO_BETTER = "検証環境のデータベースは、ポート 6432 で待ち受ける。本番環境では絶対に変更しないこと。"


def furnish(bed: Bed) -> None:
    """Write a store of ten entries, so that a fifth of it is two."""
    bed.write("kettle-cache", CACHE_A, description="Kettle cache: size, port and why not larger")
    bed.write("kettle-metrics", CACHE_B, description="Kettle cache: size and metrics", type="reference")
    bed.write("release", RELEASE, description="How a release is made", type="feedback")
    bed.write("spring-freeze", FREEZE, description="Spring code freeze and its end")
    bed.write("kensho-db", NIHONGO, description="検証環境のデータベース", type="reference")
    for number in range(5):
        bed.write(f"note-{number}", f"The worker{number} handles queue number {number} of the intake.")
    (bed.memory / "MEMORY.md").write_text(
        "# Memory\n\nKeep this line.\n\n- [Kettle](kettle-cache.md) — Kettle cache: size, port and why not larger\n",
        encoding="utf-8",
    )


def op(verb: str, *targets: str, **more: Any) -> dict[str, Any]:
    """Return one op with every field of the schema."""
    return ops_of_models.op(verb, targets, **more)


MERGE = op("merge", "kettle-cache", "kettle-metrics", new_body=BADLY_MERGED, rationale="Both are about the kettle cache.")
UPDATE = op("update", "release", new_body=BETTER, rationale="Filler words removed.")
DELETE = op("delete", "spring-freeze", confidence=0.97, rationale="Its own end date has passed.")
THREE = (MERGE, UPDATE, DELETE)
"""A merge that loses a date and is parked, a good update, and a delete of what has ended."""


def stage(bed: Bed, ops: Sequence[Any], *, focus: Sequence[str] | None = None, summary: str = "Tidied up.") -> Receipt:
    """Have a dream in audit mode that proposes ``ops``; return its receipt."""
    reply = bed.folder / f"reply-{len(list(bed.folder.glob('reply-*.json')))}.json"
    reply.write_text(json.dumps({"ops": list(ops), "summary": summary}), encoding="utf-8")
    order = bed.order(FAKE_CLAUDE_SCENARIO=str(reply), PROMOTE="audit", again=True)
    return story.dream(replace(order, focus=focus))


def proposal_of(bed: Bed) -> Proposal:
    (found,) = staging.waiting(bed.order().staging)[0]
    return found


def deck_of(bed: Bed, edits: Mapping[int, Mapping[str, Any]] | None = None, today: date = date(2026, 5, 4)) -> Deck:
    """Return the cards of the only proposal that waits."""
    order = bed.order()
    return deck(proposal_of(bed), read_store(order.memory), settings=order.settings, today=today, edits=edits)


def many(bed: Bed, count: int) -> list[dict[str, Any]]:
    """Write ``count`` entries and return as many good updates of them."""
    ops = []
    for number in range(count):
        text = f"queue number {number} is drained by worker-{number} every {number + 3} minutes, never by hand."
        bed.write(f"queue-{number:03d}", f"Note to self: {text}\n\n**Why:** ticket QUE-{number} lost mails.")
        body = f"{text[0].upper()}{text[1:]}\n\n**Why:** ticket QUE-{number} lost mails."
        ops.append(op("update", f"queue-{number:03d}", new_body=body, rationale="Filler words removed."))
    return ops


def state_files(bed: Bed) -> list[Path]:
    """Return every file of our own state."""
    return [path for path in Path(bed.order().places.state_root).rglob("*") if path.is_file()]
