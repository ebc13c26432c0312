"""A dream that a hook started: nobody looks on, so all ends in log or notice (SPEC §5, §13).

The worker calls ``main`` in the private environment. Everything is imported up front: an update may
remove the plugin's folder while this runs.
"""

from __future__ import annotations

import contextlib
import os
import traceback
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

from agentops_dream import announcing, places, settings
from agentops_dream.dispatch import TRIGGER
from agentops_dream.dream import dream
from agentops_dream.journal import log, rate, runs
from agentops_dream.models import Receipt
from agentops_dream.order import Busy, Nothing, Order, Stopped, lock
from agentops_dream.rem import ask as rem
from agentops_dream.rem.errors import RemError
from agentops_dream.transaction import purge
from agentops_dream.transaction.errors import remedy


def main(env: Mapping[str, str] | None = None) -> int:
    """Dream for the session that ``env`` describes and return the exit code, 0 unless it is our own fault."""
    given = dict(os.environ if env is None else env)
    where = places.resolve(given)
    order = Order(where, settings.read(given), given, given.get(TRIGGER, "Stop"))
    try:
        with contextlib.suppress(RemError):
            rem.prepare(order.settings, order.env)
        from_hook(order)
        return 0
    except Exception as error:  # noqa: BLE001  the outer wall: nobody is there to read a traceback
        at = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(at.filename).name}:{at.lineno}"
        log.line(Path(where.log), f"{where.key} crashed at {place}: {type(error).__name__}: {error}")
        with contextlib.suppress(OSError):  # else a fault of ours would be paid for at every stop
            failed = rate.load(order.state).failed(order.clock().timestamp(), smaller=False)
            rate.save(order.state, failed)
        return 1


def from_hook(order: Order) -> Receipt | None:
    """Dream if there is reason to; return the receipt, if there is one. Failures go to the log."""
    for problem in order.settings.problems:
        order.note(problem)
    failures = rate.load(order.state).failures
    try:
        receipt = dream(order)
    except Nothing:
        return None
    except Busy:
        return None
    except (Stopped, RemError, OSError) as error:
        _failed(order, plainly(error), failures)
        return None
    announcing.dreamt(order, receipt)
    with contextlib.suppress(OSError, Busy), lock(order.state):
        purge.expire(order.state, order.clock() - timedelta(days=runs.KEPT_DAYS))
    return receipt


def _failed(order: Order, why: str, failures: int) -> None:
    """Log a failure and keep away for a while, also after one that came before anything was paid.

    What does not go away by itself would start a worker at every stop. The user hears of it once.
    """
    order.note(f"no dream: {why}")
    with contextlib.suppress(OSError):
        known = rate.load(order.state)
        if known.failures == failures:
            rate.save(order.state, known.failed(order.clock().timestamp(), smaller=False))
    if not failures:
        announcing.failed(order, why)


def plainly(error: Exception) -> str:
    """Return what went wrong, with file and remedy if the error itself has none."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
        return f"{where}{error.strerror}. {remedy(error)}"
    return str(error)
