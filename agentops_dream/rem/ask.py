"""REM: one model call, from a working set to a list of raw ops (SPEC §7).

    show     the working set becomes data, secrets become placeholders
    call     the chosen backend, within its time and money
    read     the reply is a list of ops, or the dream has failed
    return   the secrets go back in

Nothing here decides whether an op is good.
"""

from __future__ import annotations

import secrets as randomness
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from agentops_dream.models import Entry, Reply, WorkingSet
from agentops_dream.rem import binary, prompt, schema
from agentops_dream.rem.backends import api, claude, offline
from agentops_dream.rem.call import Answer, Call
from agentops_dream.rem.errors import RemError, one_line
from agentops_dream.rem.parse import parse
from agentops_dream.rem.schema import RATIONALE_LENGTH
from agentops_dream.secrets import Vault
from agentops_dream.secrets import entries as secret_entries
from agentops_dream.settings import Settings

MODELS: Mapping[str, Callable[[Call], Answer]] = {"claude": claude.ask, "api": api.ask}
"""Backends that call a model; ``offline`` does not."""

CALL_CAP_USD = 5.0
"""No single call may cost more, however much the day allows: above any honest one, below a runaway."""

# Words for people, not for the store: a secret has no business in them, so its placeholder stays.
_KEPT_MASKED = ("rationale", "confidence", "op")


def prepare(settings: Settings, env: Mapping[str, str]) -> str:
    """Return in one word or path what will be called; raises ``RemError`` if it is not there.

    Costs nothing. To be asked before anything else is done, and to have all code loaded before an
    update of the plugin can remove it.
    """
    schema.load()
    if settings.backend == "claude":
        return binary.find(env, settings.claude_bin).path
    if settings.backend == "api":
        return api.load()
    return settings.backend


def ask(
    working_set: WorkingSet,
    settings: Settings,
    *,
    env: Mapping[str, str],
    workdir: Path,
    today: date,
    vault: Vault | None = None,
    beside: Iterable[Entry] = (),
    budget_usd: float | None = None,
    draw: Callable[[], str] = lambda: randomness.token_hex(8),
) -> Reply:
    """Return the backend's proposals for ``working_set``.

    ``workdir``: a private directory for temporary files. ``vault`` keeps the secrets of this call; a
    placeholder that the model maimed or made up stays in its op, where ``vault.placeholders_in`` finds it.
    ``beside``: entries that are not shown, whose secrets are kept from the model wherever they stand.
    ``budget_usd``: what may still be spent today, all directories together; ``None``: no daily cap.
    ``draw`` gives random words. Raises ``RemError`` for every reply that is no list of ops; its
    ``usage`` says what was spent all the same.
    """
    if not working_set.shown:
        return Reply((), "Nothing to look at.")
    if settings.backend == "offline":
        return offline.dream(working_set)
    cap = CALL_CAP_USD if budget_usd is None else min(budget_usd, CALL_CAP_USD)
    if cap < 0.0001:
        raise RemError("budget", "today's money is spent (AGENTOPS_DREAM_MAX_USD_PER_DAY); nothing was sent")
    if vault is None:  # not `or`: a vault that holds nothing yet is empty, and so false
        vault = Vault(draw())
    vault.keep(secret_entries.known(working_set.shown, working_set.index.encode()))
    vault.keep(secret_entries.telling(beside))
    data = _masked(prompt.payload(working_set), vault.mask)
    mark = prompt.fresh_mark(draw, data)
    hidden = vault.placeholders_in(prompt.document(data))
    call = Call(
        system=prompt.RULES,
        user=prompt.render(data, today=today, mark=mark, placeholders=hidden),
        model=settings.model,
        timeout=settings.timeout,
        budget_usd=cap,
        env=env,
        workdir=workdir,
        binary=settings.claude_bin,
    )
    answer = MODELS[settings.backend](call)
    try:
        # What the model says of its own is cut and quoted further on: half a secret is known for one no more.
        structured = _each_text(answer.structured, lambda text: vault.mask(vault.unmask(text)))
        parsed = parse(structured, answer.text, [entry["id"] for entry in data["entries"]])
    except RemError as error:
        raise RemError(error.kind, error.message, answer.usage) from None
    return Reply(tuple(_unmask(op, vault) for op in parsed.ops), parsed.summary, answer.usage)


def _unmask(op: Any, vault: Vault) -> Any:
    if not isinstance(op, dict):
        return op
    filled = {
        key: value if key in _KEPT_MASKED else _each_text(value, vault.unmask) for key, value in op.items()
    }
    if isinstance(filled.get("rationale"), str):
        filled["rationale"] = one_line(filled["rationale"], RATIONALE_LENGTH)
    return filled


def _masked(value: Any, mask: Callable[[str], str], *, keys: bool = False) -> Any:
    """Return the payload with ``mask`` applied to every text; to names only in ``fields``, the entries' own."""
    if isinstance(value, dict):
        return {
            mask(key) if keys else key: _masked(item, mask, keys=keys or key == "fields")
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_masked(item, mask, keys=keys) for item in value]
    return mask(value) if isinstance(value, str) else value


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    """Return ``value`` with ``change`` applied to every string in it."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_each_text(item, change) for item in value]
    if isinstance(value, dict):
        return {key: _each_text(item, change) for key, item in value.items()}
    return value
