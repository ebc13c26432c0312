"""What crosses a wall between two rooms: small frozen values with names from the SPEC.

The rooms (``store``, ``light``, ``rem``, ``deep``, ``transaction``, ``journal``) never import one
another's internals; they hand each other the values below.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

# ---------------------------------------------------------------- store


@dataclass(frozen=True)
class Entry:
    """One memory file as it stands on disk (SPEC §2, §4)."""

    path: str
    """Relative to the memory directory, with ``/``. The one stable handle on the file."""
    id: str
    """``name`` if set and unique in the store, else the file stem if unique, else ``path``."""
    raw: bytes
    sha256: str
    """Hex digest of ``raw``."""
    name: str
    """As written; ``""`` if missing or empty."""
    description: str
    type: str
    """``metadata.type``, else top-level ``type``, else the file-name prefix, else ``unknown``."""
    body: str
    """Text after the frontmatter, line ends as in the file."""
    fields: Mapping[str, Any]
    """Frontmatter as plain values: ``str``, ``bool`` only for flags of ours, lists and mappings."""
    links: tuple[str, ...]
    """Targets of ``[[links]]`` outside code, alias and heading removed, in order of appearance."""
    mtime: float
    flagged: bool = False
    pinned: bool = False
    private: bool = False
    readonly: str = ""
    """Why this file is context only (``symlink``, ``team``); ``""`` if it may be edited."""
    warnings: tuple[str, ...] = ()
    """Repairable faults found while reading, each a sentence for a person."""


@dataclass(frozen=True)
class Unreadable:
    """A file of the store that was left alone, and why."""

    path: str
    reason: str


# ---------------------------------------------------------------- light


@dataclass(frozen=True)
class Delta:
    """Entries that are new or changed since the fingerprint (SPEC §5)."""

    paths: tuple[str, ...]


@dataclass(frozen=True)
class Signal:
    """Evidence found without a model (SPEC §6)."""

    kind: Literal[
        "missing_path",
        "date_passed",
        "relative_date",
        "dangling_link",
        "changed_value",
        "twin",
        "frontmatter",
    ]
    paths: tuple[str, ...]
    """The entry it is about; two entries for ``changed_value`` and ``twin``."""
    detail: str
    """For a person and for the model: the path, date, span or field in question."""


@dataclass(frozen=True)
class WorkingSet:
    """What one dream shows to the model (SPEC §6)."""

    focus: tuple[Entry, ...]
    context: tuple[Entry, ...]
    index: str
    """Text of ``MEMORY.md``, ``""`` if there is none or it did not fit."""
    signals: tuple[Signal, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    """Nominated candidate pairs (paths): these two may belong together; nothing is decided."""
    deferred: tuple[str, ...] = ()
    """Paths of the delta that did not fit and stay in it."""
    too_large: tuple[str, ...] = ()
    """Paths of the delta that no budget of this size can ever show."""
    size: int = 0
    """Payload bytes."""

    @property
    def shown(self) -> tuple[Entry, ...]:
        """Focus, then context."""
        return self.focus + self.context


# ---------------------------------------------------------------- rem


@dataclass(frozen=True)
class Usage:
    """What one model call cost, from the client's own figures (SPEC §13)."""

    usd: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0
    model: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Reply:
    """A reply that passed the outer schema: a list of ops, each still to be judged."""

    ops: tuple[Any, ...]
    """Raw JSON values. ``deep`` decides op by op; a bad one does not spoil the good ones."""
    summary: str
    usage: Usage = field(default_factory=Usage)


# ---------------------------------------------------------------- deep


@dataclass(frozen=True)
class Superseded:
    text: str
    by: str


@dataclass(frozen=True)
class Op:
    """One well-formed edit op (SPEC §7)."""

    index: int
    """Position in the reply: how receipts, review and undo name it."""
    op: Literal["update", "merge", "delete", "relink", "flag"]
    target_ids: tuple[str, ...]
    confidence: float
    rationale: str = ""
    new_name: str | None = None
    delete_source: bool = False
    new_frontmatter: Mapping[str, Any] | None = None
    new_body: str | None = None
    links: tuple[str, ...] = ()
    superseded: tuple[Superseded, ...] = ()


Status = Literal["applied", "flagged", "dropped", "rejected", "parked", "stale"]
"""``applied``: done as proposed. ``flagged``: not done, its targets flagged instead. ``dropped``: not
sure enough. ``rejected``: refused for good. ``parked``: waits for a person. ``stale``: a target
changed since it was shown."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with an op, in words a person can check at once."""

    code: str
    """Stable and short: ``loss``, ``invention``, ``swap``, ``unsupported``, ``hardening``,
    ``malformed``, ``pinned``, ``not-shown`` …"""
    message: str
    literals: tuple[str, ...] = ()
    """The literals or the sentence in question, as they stand in the text."""


@dataclass(frozen=True)
class Verdict:
    """What became of one op."""

    index: int
    kind: str
    """The op's verb, or ``""`` if there was none to read."""
    status: Status
    targets: tuple[str, ...] = ()
    """Ids as the model gave them."""
    faults: tuple[Fault, ...] = ()
    confidence: float = 0.0
    rationale: str = ""
    raw: Any = None
    """The op as it came, for staging and review; redacted before it is written anywhere."""

    @property
    def reason(self) -> str:
        """One line for a person; ``""`` for a plain ``applied``."""
        return "; ".join(fault.message for fault in self.faults)


@dataclass(frozen=True)
class EntryChange:
    """One entry file before and after."""

    path: str
    """Relative to the memory directory."""
    before: bytes | None
    """Bytes as they were shown; ``None``: there was no file."""
    after: bytes | None
    """``None``: the file is deleted."""
    ops: tuple[int, ...]
    """Indexes of the ops that brought this about; two for entries that two ops share."""


@dataclass(frozen=True)
class ChangeSet:
    """All that a judged plan does to entries. Knows meaning, not disks."""

    entries: tuple[EntryChange, ...] = ()
    heirs: Mapping[str, str] = field(default_factory=dict)
    """Removed path -> path that takes over its links and its index line (merge, rename)."""

    def __bool__(self) -> bool:
        return bool(self.entries)


@dataclass(frozen=True)
class Judgement:
    """The outcome of deep sleep."""

    verdicts: tuple[Verdict, ...]
    changes: ChangeSet
    bundles: tuple[tuple[int, ...], ...] = ()
    """Op indexes that stand and fall together."""


Waived = Mapping[int, Collection[str]]
"""Op index -> fault codes that a person has looked at and accepted for this very op."""


# ---------------------------------------------------------------- transaction


@dataclass(frozen=True)
class FileChange:
    """One file before and after, as the transaction sees it: bytes, no meaning."""

    path: Path
    """Absolute, links in it not resolved."""
    label: str
    """``memory/<relative path>`` or ``project/AGENTS.md``: its name in the run folder and to people."""
    before: bytes | None
    after: bytes | None
    ops: tuple[int, ...] = ()


MEMORY = "memory/"
"""What the label of everything in the memory directory begins with."""
INDEX_LABEL = f"{MEMORY}MEMORY.md"
MIRROR_LABEL = "project/AGENTS.md"


def is_entry(label: str) -> bool:
    """Return whether the file of this label is an entry, and neither index nor mirror."""
    return label.startswith(MEMORY) and label != INDEX_LABEL


# ---------------------------------------------------------------- journal


@dataclass(frozen=True)
class Receipt:
    """What one run did, why, and what it cost (SPEC §13)."""

    run: str
    """Id of the run, sortable by time and within a second: ``20260102T030405Z-00ab12cd``."""
    kind: Literal["dream", "undo", "apply"]
    trigger: str
    """``Stop``, ``SubagentStop``, ``SessionEnd``, ``manual``, ``demo`` …"""
    outcome: Literal["applied", "nothing", "staged", "failed", "refused"]
    message: str
    """One line for a person."""
    started: str
    """ISO 8601, UTC."""
    seconds: float
    memory_dir: str
    project: str
    focus: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    deferred: tuple[str, ...] = ()
    too_large: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    files: tuple[Mapping[str, Any], ...] = ()
    """Per file: ``label``, ``before`` and ``after`` (SHA-256 or ``None``), ``ops``, ``diff``."""
    usage: Usage = field(default_factory=Usage)
    backend: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    undoes: str = ""
    """For an undo: the run it takes back."""
    whole: bool = True
    """For an undo: whether it took back the whole run."""
    entries: int | None = None
    """Entries in the store after the run; ``None`` if it wrote nothing or is of an older version."""
    index_bytes: int | None = None
    """Size of ``MEMORY.md`` after it."""
