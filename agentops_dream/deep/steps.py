"""An op that was admitted: its ids are entries now, and it is known what it does (SPEC §7, §8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agentops_dream.deep.gate import Role
from agentops_dream.models import Entry, Fault, Op, Verdict

CONTENT: frozenset[Role] = frozenset(("update", "split", "rename", "merge", "delete"))
"""Roles that change what an entry says, or whether it is there."""

GUARDED = frozenset(("user", "feedback"))
"""Types about a person: kept from deletion (SPEC §8) and out of AGENTS.md (SPEC §11)."""


@dataclass(frozen=True)
class Step:
    """One admitted op."""

    op: Op
    role: Role
    targets: tuple[Entry, ...]
    survivor: Entry | None = None
    """Whose file takes the result; ``None`` for a split (a new file), a delete, a flag, a relink."""
    name: str = ""
    """Name of a new, renamed or so far nameless entry; ``""``: the entry keeps the one it has."""
    new_file: bool = False
    """Whether the result gets a file of its own: a split, a rename, a merge under a new name."""
    alias: str = ""
    """A name that the plan uses for the result and that it does not get; links to it are put right."""
    cited: tuple[Entry, ...] = ()
    """Shown entries that ``superseded`` names."""
    planned: tuple[str, ...] = ()
    """Names in ``superseded`` of entries that this very plan is to make (deletes only)."""
    heirs: Mapping[str, str] = field(default_factory=dict)
    """Of a delete: path of a target -> key of the entry that says the same and takes over its links."""
    notes: tuple[Fault, ...] = ()
    """What was done otherwise than proposed, for the receipt of an applied op."""

    @property
    def index(self) -> int:
        return self.op.index

    @property
    def paths(self) -> frozenset[str]:
        """Paths of the targets."""
        return frozenset(entry.path for entry in self.targets)

    @property
    def key(self) -> str:
        """Where the result stands until files have names: the survivor's path, or a mark for a new one."""
        return self.survivor.path if self.survivor else f"new:{self.index}"

    @property
    def source(self) -> Entry:
        """The entry whose description, type and form the result starts from."""
        return self.survivor or self.targets[0]

    @property
    def removed(self) -> tuple[Entry, ...]:
        """Entries whose files go: the losers of a merge, the targets of a delete."""
        if self.role == "delete":
            return self.targets
        if self.role == "merge":
            return tuple(entry for entry in self.targets if entry is not self.survivor)
        return ()

    @property
    def rewrites(self) -> bool:
        """Whether the result has a text of its own that must be weighed."""
        return self.role in ("update", "split", "rename", "merge")

    @property
    def body(self) -> str:
        """Body of the result; the source's own where the op keeps it."""
        return self.source.body if self.op.new_body is None else self.op.new_body

    @property
    def description(self) -> str:
        """Description of the result; ``""`` for a new entry without one."""
        given = (self.op.new_frontmatter or {}).get("description")
        if given is None:
            return "" if self.role == "split" else self.source.description
        return str(given)

    @property
    def type(self) -> str:
        """Type of the result: what the plan says, else what protects most of what the targets are."""
        given = (self.op.new_frontmatter or {}).get("type")
        if given:
            return str(given)
        kinds = (self.source.type, *(entry.type for entry in self.targets))
        guarded = next((kind for kind in kinds if kind in GUARDED), "")
        return guarded or next((kind for kind in kinds if kind != "unknown"), "unknown")


def verdict(op: Op, status: str, *faults: Fault, raw: object = None) -> Verdict:
    """Return the verdict on a well-formed op."""
    return Verdict(
        index=op.index,
        kind=op.op,
        status=status,  # type: ignore[arg-type]
        targets=op.target_ids,
        faults=faults,
        confidence=op.confidence,
        rationale=op.rationale,
        raw=raw,
    )
