"""What ``status`` knows: where things stand and the one next thing to do (SPEC §13)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from agentops_dream import deciding, environment, staging, unflagging
from agentops_dream.dispatch import GUARD, TRIGGER
from agentops_dream.journal import files, rate, runs, spend
from agentops_dream.places import Places
from agentops_dream.secrets.entries import redactor
from agentops_dream.settings import PREFIX, TABLE, Settings
from agentops_dream.store import fingerprint, index_cut
from agentops_dream.store.memory import Store, read_store, told
from agentops_dream.wording import counted


def overview(places: Places, settings: Settings, env: Mapping[str, str]) -> dict[str, Any]:
    """Return the state of one memory directory as plain values. Reads only; never raises ``OSError``."""
    state = Path(places.state)
    now = time.time()
    store, problem = _read(places)
    problems = [*settings.problems, *([problem] if problem else [])]
    built = files.read_object(Path(places.state_root) / "environment.json")
    if built.get("ok") is False:
        problems.append(f"the private environment could not be built: {built.get('reason', '')}")
    problems += unknown_settings(env)
    waiting: tuple[str, ...] = ()
    if store is not None:
        redact = redactor(store.entries, store.index)
        known = fingerprint.load(f"{places.state}/fingerprint.json")
        waiting = tuple(path for path in fingerprint.scan(places.memory, known) if store.by_path(path))
        problems += [told(item) for item in store.unreadable]
        problems += [f"{entry.path}: {redact(text)}" for entry in store.entries for text in entry.warnings]
        problems += store.warnings
    proposals, broken = deciding.waiting(state, Path(places.staging))
    problems += broken
    last = next(iter(islice(runs.every(state), 1)), None)
    seen: dict[str, Any] = {
        "memory_dir": places.memory,
        "memory_source": places.memory_source,
        "project": places.project,
        "entries": len(store.entries) if store else 0,
        "waiting": len(waiting),
        "flagged": unflagging.flagged(store) if store else [],
        "proposals": sum(bool(staging.offered(item)) for item in proposals),
        "index_notes": [cut] if store and (cut := index_cut.load_cut(store.index).message) else [],
        "last_run": {"run": last.run, "outcome": last.outcome, "message": last.message} if last else None,
        "usd_today": spend.by_day(Path(places.state_root)).get(spend.day(now), 0.0),
        "max_usd_per_day": settings.max_usd_per_day,
        "dreams_today": len(rate.load(state).within_a_day(now)),
        "not_before": rate.load(state).not_before,
        "failures": rate.load(state).failures,
        "promote": settings.promote,
        "backend": settings.backend,
        "model": settings.model,
        "disabled": settings.disable,
        "problems": problems,
    }
    unreadable = staging.broken(Path(places.staging))
    seen["next"] = _next(seen, unreadable[0] if unreadable else "", built.get("ok") is not False)
    return seen


def _read(places: Places) -> tuple[Store | None, str]:
    if places.off:
        return None, "auto memory is switched off for this project"
    try:
        return read_store(Path(places.memory)), ""
    except FileNotFoundError:
        return None, ""
    except OSError as error:
        return None, f"{places.memory} cannot be read: {error.strerror}"


def unknown_settings(env: Mapping[str, str]) -> list[str]:
    """Return a sentence for each variable that looks like a setting and is none: most likely a typo."""
    known = {PREFIX + row[0] for row in TABLE} | {GUARD, TRIGGER, environment.OWN}
    return [
        f"{name} is no setting; the README lists them"
        for name in sorted(env)
        if name.startswith(PREFIX) and name not in known and not name.startswith(PREFIX + "TEST_")
    ]


def _next(seen: Mapping[str, Any], unreadable: str, built: bool) -> str:
    """Return the one thing to do next, the most urgent first.

    ``unreadable``: a proposal that cannot be read; ``built``: whether the private environment could be.
    """
    last = seen["last_run"]
    if seen["disabled"]:
        return "Dreaming is off (AGENTOPS_DREAM_DISABLE). Unset it to go on."
    if seen["proposals"]:
        return f"Next: agentops-dream review ({seen['proposals']} waiting)."
    if unreadable:
        return f"Next: agentops-dream discard {unreadable} (it cannot be read)."
    if seen["failures"] or (last and last["outcome"] == "failed"):
        return "Next: agentops-dream doctor (the last run failed)."
    if not built:
        return "Next: agentops-dream doctor (the private environment could not be built)."
    if not seen["entries"]:
        return "Nothing to do: there is no memory here yet."
    if seen["flagged"]:
        return "Next: look at the flagged entries, then agentops-dream unflag ENTRY."
    if seen["waiting"]:
        waiting = counted(seen["waiting"], "entry waits", "entries wait")
        return f"Nothing for you to do: {waiting} for the next dream. To dream now: agentops-dream run."
    return "Nothing to do: everything was dreamt over."
