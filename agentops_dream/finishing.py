"""What becomes known once a transaction stands: fingerprint, ledger, mirror owner, receipt (SPEC §9 step 4).

Called by the transaction after the commit record, and again by recovery if the process died in
between; so it works from the memo alone and can be done twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agentops_dream.journal import diff, files, ledger, runs
from agentops_dream.models import FileChange
from agentops_dream.secrets import Redactor
from agentops_dream.store import coverage, fingerprint
from agentops_dream.transaction.disk import sha256
from agentops_dream.transaction.recover import Outcome


@dataclass(frozen=True)
class Memo:
    """All that finishing needs, kept in the journal of the transaction."""

    state: str
    memory_dir: str
    covered: Mapping[str, tuple[str, str]]
    """Path -> (id, SHA-256) of every entry that need not be dreamt over again at these bytes."""
    pairs: Sequence[tuple[str, str]]
    hashes: Mapping[str, str]
    """Path -> SHA-256 of the entries of ``pairs`` after the run."""
    heirs: Mapping[str, str]
    """Removed path -> the path that took over, for an undo of single ops."""
    mirror: Mapping[str, Any] | None
    """The record of the project that this memory directory is mirrored into; ``None``: as it was."""
    receipt: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return dict(self.__dict__)


def rows(changes: Sequence[FileChange], redact: Redactor) -> tuple[Mapping[str, Any], ...]:
    """Return the ``files`` of a receipt, made from the real bytes.

    Secrets go before the sides are compared: of a key, a difference may show lines that say nothing of the rest.
    """
    return tuple(
        {
            "label": change.label,
            "before": _hash(change.before),
            "after": _hash(change.after),
            "ops": list(change.ops),
            "diff": diff.unified(_told(change.before, redact), _told(change.after, redact), change.label),
        }
        for change in changes
    )


def _told(data: bytes | None, redact: Redactor) -> bytes | None:
    if data is None:
        return None
    text = data.decode("utf-8", "surrogateescape")
    told = redact(text)
    return data if told == text else told.encode("utf-8", "surrogateescape")


def _hash(data: bytes | None) -> str | None:
    return None if data is None else sha256(data)


def finish(run_dir: Path, memo: Mapping[str, Any], outcome: Outcome) -> None:
    """Write what ``memo`` (``Memo.to_json``) says. Raises ``OSError``; can be called again."""
    state = Path(memo["state"])
    where = state / "fingerprint.json"
    if memo["covered"]:
        covered = {path: (pair[0], pair[1]) for path, pair in memo["covered"].items()}
        known = coverage.advance(fingerprint.load(str(where)), memo["memory_dir"], covered)
        files.make_private(state)
        coverage.save(known, str(where), memo["memory_dir"])
    if memo["pairs"]:
        ledger.settle(state, [(one, other) for one, other in memo["pairs"]], memo["hashes"])
    if memo["mirror"] is not None:
        files.write_json(state / "mirror.json", memo["mirror"])
    receipt = runs.from_json(memo["receipt"])
    notes = tuple(str(kept) for kept in outcome.kept)
    runs.write(state, replace(receipt, notes=(*receipt.notes, *notes)))
