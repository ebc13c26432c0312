"""Proposals that wait for a person (SPEC §12): a whole plan in audit mode, or the parked ops of a dream.

One JSON file each, ``staging/<key>/ops-<run>.json``. Secrets in it stay masked: the real values are
put back from the entries themselves when a proposal is applied.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentops_dream.journal import files

VERSION = 1


class BadProposal(Exception):
    """A staging file that cannot be read; names the file and what to do."""


@dataclass(frozen=True)
class Proposal:
    """Ops that wait, with the bytes they were made for."""

    run: str
    """Run that made the proposal; also its name for people."""
    kind: str
    """``audit``: the whole plan of a dream that touched nothing. ``parked``: ops held back from one."""
    created: str
    focus: Mapping[str, str]
    """Path -> SHA-256 of each focus entry as it was shown."""
    context: Mapping[str, str]
    ops: Mapping[int, Any]
    """Index in the model's reply -> the op as it came, secrets masked."""
    verdicts: Mapping[int, Mapping[str, Any]]
    """Index -> ``status``, ``faults``, ``reason`` at the time."""
    summary: str = ""
    project: str = ""


def path_of(staging: Path, run: str) -> Path:
    """Return where the proposal of ``run`` is kept."""
    return staging / f"ops-{run}.json"


def save(staging: Path, proposal: Proposal) -> Path:
    """Write ``proposal`` (atomic, mode 0600) and return its path. Raises ``OSError``."""
    path = path_of(staging, proposal.run)
    data = {"version": VERSION, **proposal.__dict__}
    files.write_json(path, data)
    return path


def load(path: Path) -> Proposal:
    """Return the proposal in ``path``. Raises ``BadProposal``."""
    try:
        data = json.loads(path.read_bytes())
        if data.pop("version") != VERSION:
            raise ValueError("made by another version")
        data["ops"] = {int(index): op for index, op in data["ops"].items()}
        data["verdicts"] = {int(index): verdict for index, verdict in data["verdicts"].items()}
        return Proposal(**data)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadProposal(f"{path} is not a proposal ({error}); remove it with `discard`") from error


def waiting(staging: Path) -> tuple[list[Proposal], list[str]]:
    """Return the proposals that wait, oldest first, and one sentence per file that is none."""
    found: list[Proposal] = []
    problems: list[str] = []
    try:
        paths: Sequence[Path] = sorted(staging.glob("ops-*.json"))
    except OSError:
        return [], []
    for path in paths:
        try:
            found.append(load(path))
        except BadProposal as error:
            problems.append(str(error))
    return found, problems


def discard(staging: Path, run: str) -> None:
    """Remove the proposal of ``run`` for good. Raises ``FileNotFoundError``."""
    path_of(staging, run).unlink()
