"""Where a text still stands after a purge: what is live is the user's, and only named (SPEC §9)."""

from __future__ import annotations

import fnmatch
import json
import os
from collections.abc import Collection, Iterator
from pathlib import Path

from agentops_dream.journal import runs
from agentops_dream.models import MEMORY
from agentops_dream.places import Places


def standing(places: Places, texts: Collection[str], entry: str | None) -> tuple[str, ...]:
    """Return the live files that hold one of ``texts``, or are ``entry`` (a path or a pattern). Absolute paths.

    Looked at are the memory directory, the project's ``AGENTS.md`` and the log. What cannot be read is
    passed over: it cannot be said to hold anything.
    """
    wanted = [text.encode("utf-8", "surrogateescape") for text in texts if text]
    memory = Path(places.memory)
    found = []
    for path in (*_entries(memory), Path(places.project) / "AGENTS.md", *_logs(Path(places.log))):
        try:
            data = path.read_bytes()
        except OSError:
            continue
        if any(text in data for text in wanted) or (entry is not None and _is(path, memory, entry)):
            found.append(os.fspath(path))
    return tuple(found)


def elsewhere(places: Places, texts: Collection[str]) -> tuple[str, ...]:
    """Return the other memory directories whose history or proposals hold one of ``texts``, by path.

    One that no receipt names any more is told by the folder of its state.
    """
    wanted = [form for text in texts if text for form in _forms(text)]
    root = Path(places.state_root)
    found = []
    for state in sorted((root / "state").glob("*")) if wanted else ():
        folders = (state, root / "staging" / state.name)
        if os.fspath(state) != places.state and any(_holds(folder, wanted) for folder in folders):
            last = next(runs.every(state), None)
            found.append(last.memory_dir if last else os.fspath(state))
    return tuple(found)


def _forms(text: str) -> set[bytes]:
    """Return ``text`` as it stands in a file and as it stands in JSON."""
    return {form.encode("utf-8", "surrogateescape") for form in (text, json.dumps(text)[1:-1])}


def _holds(folder: Path, wanted: Collection[bytes]) -> bool:
    for path in folder.rglob("*"):
        try:
            data = path.read_bytes()
        except OSError:  # a folder, or gone since
            continue
        if any(form in data for form in wanted):
            return True
    return False


def _entries(memory: Path) -> Iterator[Path]:
    for folder, inside, names in os.walk(memory):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(".md"))


def _logs(log: Path) -> tuple[Path, ...]:
    return (log, log.with_name(log.name + ".1"))


def _is(path: Path, memory: Path, entry: str) -> bool:
    below = path.relative_to(memory).as_posix() if path.is_relative_to(memory) else ""
    return bool(below) and fnmatch.fnmatchcase(below, entry.removeprefix(MEMORY))
