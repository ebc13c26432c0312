"""What a run writes down before it touches anything: the journal (SPEC §9).

One JSON file in the run folder. Its *name* is the state of the run, so that every change of state is
one rename, which needs no space and cannot be torn:

    journal.json    replacing has begun or may begin: recovery restores the before-state
    commit.json     all files are in place: recovery only finishes and cleans up
    record.json     finished; undo reads it
    undone.json     taken back: what is left of the run folder can go
    rolled.json     taken back, but copies are kept in the run folder

It is written under another name, synced and then renamed, so a torn one cannot be ``journal.json``.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentops_dream.transaction.disk import Disk, read_file, write_new

VERSION = 1
ACTIVE = "journal.json"
COMMITTED = "commit.json"
FINISHED = "record.json"
UNDONE = "undone.json"
ROLLED = "rolled.json"
DAMAGED = "journal.damaged"
PART = "journal.part"

BAK, NEW, HOME, CONFLICTS = "bak", "new", "old", "conflicts"
"""Folders of a run: bytes before, bytes after, displaced files themselves, edits that were kept."""


class BadJournal(Exception):
    """A journal that cannot be read; the message says why."""


class OtherVersion(Exception):
    """A journal that another version of this program wrote."""


@dataclass(frozen=True)
class Meta:
    """What belongs to a file besides its bytes."""

    mode: int
    """Permission bits."""
    uid: int = -1
    gid: int = -1
    attributes: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """One file of the transaction."""

    label: str
    path: str
    """As the caller named it."""
    place: str
    """The file itself: links of its folder, and its own if it is written through, resolved."""
    before: str | None
    """SHA-256, ``None``: no file."""
    after: str | None
    ops: tuple[int, ...]
    bak: str
    """Relative to the run folder; ``""`` if there was no file."""
    new: str
    """The same for the new bytes; ``""`` if the file is deleted."""
    meta: Meta | None
    """Of the file before; of the file to be made if the caller gave one; else ``None``."""
    folders: tuple[str, ...] = ()
    """Folders above ``place`` that are missing and have to be made, outermost first."""
    twin: bool = False
    """The other half of a rename that only changes case, on a disk to which both names are one."""


@dataclass(frozen=True)
class Journal:
    run: str
    steps: tuple[Step, ...]
    """In the order in which they are applied."""
    tag: str
    """What the names of temporary files are made of: no two attempts of a run may share them."""
    memo: Mapping[str, Any] = field(default_factory=dict)
    """The caller's own notes, handed back when the run is finished, be it by recovery."""
    prune: tuple[str, ...] = ()
    """Folders to remove afterwards if they are empty."""


@dataclass(frozen=True)
class Spot:
    """Every name that one step may use on the disk."""

    place: str
    part: str
    """New bytes while they are being written: never anybody's edit."""
    swap: str
    """New bytes, complete; after an exchange, what it displaced."""
    aside: str
    """What a rename displaced."""
    home: str
    """Where displaced files wait, inside the run folder."""

    @property
    def hidden(self) -> tuple[str, str, str]:
        """The names beside the file itself."""
        return self.part, self.swap, self.aside


def spot(run_dir: str, tag: str, number: int, step: Step) -> Spot:
    """Return the names for step ``number``."""
    stem = os.path.join(os.path.dirname(step.place), f".agentops-{tag}-{number}")
    home = os.path.join(run_dir, HOME, str(number))
    return Spot(step.place, f"{stem}.part", f"{stem}.swap", f"{stem}.aside", home)


def dump(journal: Journal) -> bytes:
    """Return the journal as JSON. Names that are no UTF-8 survive as escapes."""
    steps = []
    for step in journal.steps:
        row = dict(step.__dict__)
        if step.meta is not None:
            coded = {key: base64.b64encode(value).decode() for key, value in step.meta.attributes.items()}
            row["meta"] = {**step.meta.__dict__, "attributes": coded}
        steps.append(row)
    data = {
        "version": VERSION,
        "run": journal.run,
        "tag": journal.tag,
        "steps": steps,
        "memo": dict(journal.memo),
        "prune": list(journal.prune),
    }
    return json.dumps(data, indent=1).encode("ascii")


def parse(raw: bytes) -> Journal:
    """Return the journal in ``raw``. Raises ``BadJournal``, ``OtherVersion``."""
    try:
        data = json.loads(raw)
        version = data["version"]
        if isinstance(version, int) and version != VERSION:
            raise OtherVersion(f"its journal has version {version}, this program reads {VERSION}")
        steps = tuple(_step(row) for row in data["steps"])
        return Journal(str(data["run"]), steps, str(data["tag"]), dict(data["memo"]), tuple(data["prune"]))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadJournal(f"it is torn or damaged ({error})") from error


def _step(row: Mapping[str, Any]) -> Step:
    meta = row["meta"]
    if meta is not None:
        coded = {str(key): base64.b64decode(value) for key, value in meta["attributes"].items()}
        meta = Meta(int(meta["mode"]), int(meta["uid"]), int(meta["gid"]), coded)
    lists = {"ops": tuple(row["ops"]), "folders": tuple(row["folders"])}
    step = Step(**{**row, **lists, "meta": meta})
    for text in (step.label, step.path, step.place, step.bak, step.new):
        if not isinstance(text, str):
            raise TypeError("a name is no text")
    return step


def write(disk: Disk, run_dir: str, raw: bytes) -> None:
    """Make a journal durable under its active name. Raises ``OSError``."""
    part = os.path.join(run_dir, PART)
    write_new(disk, part, raw)
    disk.replace(part, os.path.join(run_dir, ACTIVE))
    disk.sync_folder(run_dir)


def read(disk: Disk, run_dir: str, *names: str) -> Journal | None:
    """Return the journal under the first of ``names`` that is there.

    Raises ``BadJournal``, ``OtherVersion``, ``OSError``.
    """
    for name in names:
        raw = read_file(disk, os.path.join(run_dir, name))
        if raw is not None:
            return parse(raw)
    return None


def turn(disk: Disk, run_dir: str, old: str, new: str) -> None:
    """Change the state of a run, durably."""
    disk.replace(os.path.join(run_dir, old), os.path.join(run_dir, new))
    disk.sync_folder(run_dir)


def finished(run_dir: Path, disk: Disk) -> Journal | None:
    """Return what a committed run did, ``None`` if it changed no file. Raises like ``read``."""
    return read(disk, str(run_dir), FINISHED, COMMITTED)
