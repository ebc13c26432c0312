"""What ``doctor`` checks: everything that a dream needs, without spending anything (SPEC §15)."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agentops_dream import __version__
from agentops_dream.journal import files, rate
from agentops_dream.places import Places
from agentops_dream.rem import ask as rem
from agentops_dream.rem.errors import RemError
from agentops_dream.rendering import sparing
from agentops_dream.settings import Settings
from agentops_dream.store.memory import read_store, told
from agentops_dream.transaction.probe import probe
from agentops_dream.wording import counted

LEFT_ALONE = "left alone"
"""A file that cannot be dreamt over, and why."""


def checkup(places: Places, settings: Settings, env: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return checks as ``what``, ``ok``, ``detail``; a detail of a failed one says what to do.

    ``LEFT_ALONE`` is there only if there are such files: a dream goes on without them.
    """
    return [
        _check("program", True, f"agentops dreaming {__version__} on Python {platform.python_version()}"),
        _settings(settings),
        *_memory(places),
        _backend(settings, env),
        _disk(places, settings),
        _environment(places),
        _rate(places),
    ]


def _check(what: str, ok: bool, detail: str) -> dict[str, Any]:
    return {"what": what, "ok": ok, "detail": detail}


def _settings(settings: Settings) -> dict[str, Any]:
    if settings.problems:
        return _check("settings", False, "; ".join(settings.problems))
    mode = "off (AGENTOPS_DREAM_DISABLE)" if settings.disable else settings.promote
    return _check("settings", True, f"mode {mode}, backend {settings.backend}")


def _memory(places: Places) -> list[dict[str, Any]]:
    what = "memory directory"
    if places.off:
        return [_check(what, False, "auto memory is switched off for this project; switch it on")]
    try:
        store = read_store(Path(places.memory))
    except FileNotFoundError:
        return [_check(what, True, f"{places.memory} does not exist yet: nothing to dream over")]
    except OSError as error:
        return [_check(what, False, f"{places.memory}: {error.strerror}; give your user access")]
    alone = [_check(LEFT_ALONE, True, told(item)) for item in store.unreadable]
    return [
        _check(what, True, f"{places.memory}, {counted(len(store.entries), 'entry', 'entries')}"),
        *alone,
    ]


def _backend(settings: Settings, env: Mapping[str, str]) -> dict[str, Any]:
    try:
        return _check("model", True, f"{rem.prepare(settings, env)}, {settings.model}")
    except RemError as error:
        return _check("model", False, error.message)


def _disk(places: Places, settings: Settings) -> dict[str, Any]:
    memory = Path(places.memory)
    problems = probe(
        state=Path(places.state),
        folders=(memory,) if memory.is_dir() else (),
        files=(Path(places.project) / "AGENTS.md",) if settings.mirror_agents else (),
        need=4 * settings.max_bytes,
    )
    told = "; ".join(sparing(problem, Path(places.project)) for problem in problems)
    return _check("disk", not problems, told or "all places can be written to")


def _environment(places: Places) -> dict[str, Any]:
    state = files.read_object(Path(places.state_root) / "environment.json")
    if state.get("ok") is False:
        return _check(
            "environment", False, f"{state.get('reason', 'could not be built')}; it is tried again later"
        )
    return _check("environment", True, "in use")


def _rate(places: Places) -> dict[str, Any]:
    seen = rate.load(Path(places.state))
    if seen.failures:
        return _check("back-off", False, f"the last {seen.failures} dreams failed; see {places.log}")
    return _check("back-off", True, "none")
