"""How a transaction can end without having changed anything, or without an end (SPEC §9).

Every error names the file and what a person can do.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass

READ_ONLY = "is read-only"
"""The reason of a conflict that stays until a person gives the file its write permission."""


@dataclass(frozen=True)
class Kept:
    """A copy of bytes that would otherwise have gone: named, so that a person finds it."""

    label: str
    path: str
    why: str

    def __str__(self) -> str:
        return f"{self.label}: {self.why}; kept as {self.path}"


class TransactionError(Exception):
    """Any failure of this room."""


class Conflict(TransactionError):
    """Somebody changed files that were to be changed. Nothing of the transaction remains.

    The caller plans again without the ops behind ``labels``.
    """

    def __init__(self, reasons: Mapping[str, str], kept: tuple[Kept, ...] = ()) -> None:
        self.reasons = dict(reasons)
        """Label -> what was found, for a person."""
        self.labels = tuple(reasons)
        self.kept = kept
        """Copies that were kept, should two edits have met in the middle."""
        super().__init__("; ".join(f"{label} {reason}" for label, reason in reasons.items()))


class Blocked(TransactionError):
    """The disk or its permissions do not let the transaction through. Nothing of it remains."""

    def __init__(self, error: OSError, what: str, kept: tuple[Kept, ...] = ()) -> None:
        self.errno = error.errno
        self.path = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else ""
        self.kept = kept
        where = f"{what}: {self.path}" if self.path else what
        super().__init__(f"{where}: {error.strerror or error}. {remedy(error)}")


class Unfinished(TransactionError):
    """A transaction could neither go on nor be taken back; its journal stays and names every file."""

    def __init__(self, run: str, problems: tuple[str, ...]) -> None:
        self.run = run
        self.problems = problems
        super().__init__(
            f"run {run} is half done and could not be taken back yet ({'; '.join(problems)}). "
            "Nothing is lost: the next dream, or any command, tries again before it does anything else"
        )


class NotUndoable(TransactionError):
    """There is no such run, or it changed no file, or it never came to its end."""


_REMEDIES = {
    "ENOSPC": "Free some space; then the next dream goes on by itself.",
    "EDQUOT": "The quota is used up; free some space, then the next dream goes on by itself.",
    "EROFS": "The file system is read-only; mount it writable or set AGENTOPS_DREAM_DISABLE=1.",
    "EACCES": "Give your user the right to write there.",
    "EPERM": "Give your user the right to write there (an immutable flag counts too).",
    "EIO": "The disk reports errors; check it.",
}


def remedy(error: OSError, otherwise: str = "Nothing was changed; the next dream tries again.") -> str:
    """Return what a person can do about ``error``, a sentence; ``otherwise`` if that is not known."""
    return _REMEDIES.get(errno.errorcode.get(error.errno or 0, ""), otherwise)
