"""The line that the user sees at the next session start: all dreams since the last one (SPEC §13).

``notice`` shows ``text`` and takes the file away. Until then, what comes later is added to what waits there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from agentops_dream import secrets
from agentops_dream.journal import files
from agentops_dream.models import Receipt
from agentops_dream.order import Order
from agentops_dream.wording import counted

NOTICE = "notice.json"


def dreamt(order: Order, receipt: Receipt) -> None:
    """Leave word of a dream, if it has changed anything or something waits for a person."""
    if receipt.outcome == "staged":
        _add(order, proposed=receipt.message.replace("`agentops-dream ", "`/dream "))
        return
    changes = sum(verdict.status == "applied" for verdict in receipt.verdicts)
    waiting = sum(verdict.status == "parked" for verdict in receipt.verdicts)
    if waiting or any(row["ops"] for row in receipt.files):
        _add(order, dream={"run": receipt.run, "changes": changes, "waiting": waiting})


def failed(order: Order, why: str) -> None:
    """Leave word of a failure."""
    _add(order, trouble=f"Dreaming failed and changed nothing: {why}. See: /dream doctor")


def _add(order: Order, *, dream: Mapping[str, Any] | None = None, **more: str) -> None:
    if not order.settings.notify:
        return
    path = order.state / NOTICE
    known = files.read_object(path)
    dreams = [*_dreams(known), *([dream] if dream else [])]
    told = {name: str(known.get(name, "")) for name in ("proposed", "trouble")} | more
    text = secrets.redact(compose(dreams, **told))
    with contextlib.suppress(OSError):
        files.write_json(path, {"text": text, "dreams": dreams, **{k: secrets.redact(v) for k, v in told.items()}})


def _dreams(known: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = known.get("dreams")
    kinds = {"run": str, "changes": int, "waiting": int}
    return [
        one
        for one in (found if isinstance(found, list) else [])
        if isinstance(one, dict) and all(isinstance(one.get(name), kind) for name, kind in kinds.items())
    ]


def compose(dreams: list[Mapping[str, Any]], proposed: str = "", trouble: str = "") -> str:
    """Return the line: what was dreamt and how to take it back, what waits, what went wrong."""
    parts = []
    if dreams:
        changes = counted(sum(one["changes"] for one in dreams), "change")
        waiting = sum(one["waiting"] for one in dreams)
        review = f", {waiting} to review (/dream review)" if waiting else ""
        if len(dreams) == 1:
            parts.append(f"Dreamt over memory: {changes}{review}. Take it back: /dream undo {dreams[0]['run']}")
        else:
            how = "See /dream log; take the last back: /dream undo"
            parts.append(f"Dreamt over memory {len(dreams)} times: {changes}{review}. {how}")
    if proposed:
        parts.append(f"Dreaming proposes changes to memory: {proposed}.")
    if trouble:
        parts.append(trouble)
    return " · ".join(parts)
