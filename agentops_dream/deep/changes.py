"""From steps that stand to bytes: the change set of a dream (SPEC §4, §8).

Every edit is the store's own and changes what the op changes and nothing else. Links and references
of the whole store follow the entries that went, whether the model saw them or not; pinned entries and
those that are context only stay as they are, even so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from agentops_dream.deep.outlook import Outlook
from agentops_dream.deep.plan import loose, one_line
from agentops_dream.deep.related import with_links
from agentops_dream.deep.shown import Shown
from agentops_dream.deep.steps import Step
from agentops_dream.deep.writing import merged, reworded, split_off
from agentops_dream.models import ChangeSet, Entry, EntryChange, Fault
from agentops_dream.secrets import entries as secret_entries
from agentops_dream.secrets import visible
from agentops_dream.store import entry as edits
from agentops_dream.store import links
from agentops_dream.store.document import BadValue, EditRefused, NotText
from agentops_dream.store.names import fold, safe_filename
from agentops_dream.store.retarget import Moves, retarget

MAX_REASON = 240

FindSecrets = Callable[[str], Iterable[str]]
"""The secrets in a text, as they stand there."""

SECRET_MOVES = "puts what looks like a secret into an entry that did not hold it"


@dataclass(frozen=True)
class Flag:
    """An entry to flag, for the op ``index``."""

    index: int
    path: str
    reason: str


@dataclass(frozen=True)
class Rendered:
    """The change set, or the ops that stand in its way: index -> status and reason."""

    changes: ChangeSet
    refused: Mapping[int, tuple[str, Fault]]
    notes: Mapping[int, tuple[Fault, ...]]
    """Index of a standing op -> what a person should know about how it was done."""


def render(
    steps: Sequence[Step],
    flags: Sequence[Flag],
    shown: Shown,
    redact: Callable[[str], str],
    find_secrets: FindSecrets,
) -> Rendered:
    """Return the bytes of every entry that ``steps`` and ``flags`` change.

    If the store cannot make an edit, or it would put a secret into a file that did not hold it, the ops
    concerned are named and the change set is empty.
    """
    sheet = _Sheet(shown, Outlook(shown, steps), find_secrets)
    for step in steps:
        sheet.attempt(step.index, partial(sheet.write, step))
    for step in steps:
        sheet.attempt(step.index, partial(sheet.link, step))
    for flag in flags:
        sheet.attempt(flag.index, partial(sheet.flag, flag, redact))
    if not sheet.refused:
        sheet.retarget()
    if sheet.refused:
        return Rendered(ChangeSet(), sheet.refused, {})
    changes = sheet.changes()
    done = {index for change in changes.entries for index in change.ops}
    for step in steps:
        if step.index not in done:
            sheet.notes[step.index].append(Fault("no-change", "there was nothing left to change"))
    return Rendered(changes, {}, {index: tuple(notes) for index, notes in sheet.notes.items()})


class _Sheet:
    """The files as they are being rewritten."""

    def __init__(self, shown: Shown, outlook: Outlook, find_secrets: FindSecrets) -> None:
        self.shown = shown
        self.find_secrets = find_secrets
        self.outlook = outlook
        self.raw: dict[str, bytes | None] = {}
        self.ops: dict[str, set[int]] = defaultdict(set)
        self.paths: dict[str, str] = {}
        """Key -> path, where they differ: new and renamed entries."""
        self.removers: dict[str, set[int]] = defaultdict(set)
        """Path that goes -> the ops that make it go."""
        self.refused: dict[int, tuple[str, Fault]] = {}
        self.notes: dict[int, list[Fault]] = defaultdict(list)

    def attempt(self, index: int, edit: Callable[[], None]) -> None:
        """Make an edit for the op ``index``; one that the store cannot make refuses the op."""
        try:
            edit()
        except (BadValue, EditRefused, NotText) as error:
            self.refused[index] = ("rejected", Fault("render", str(error)))

    # ------------------------------------------------------------ content

    def write(self, step: Step) -> None:
        if step.role == "delete":
            for entry in step.targets:
                self._remove(entry.path, step.index)
        elif step.role == "split":
            self._put(step, split_off(step, self._body(step)))
        elif step.role == "merge":
            assert step.survivor is not None
            self._put(step, merged(step, self._body(step)))
            for entry in step.removed:
                self._remove(entry.path, step.index)
        elif step.rewrites:
            self._put(step, reworded(step, self._body(step)))

    def _put(self, step: Step, raw: bytes) -> None:
        old = step.survivor.path if step.survivor is not None else ""
        path = old
        if step.new_file:
            folder = PurePosixPath(step.source.path).parent
            store = self.shown.store
            taken = {entry.path for entry in store.entries} | {item.path for item in store.unreadable}
            path = str(folder / safe_filename(step.name, {*taken, *self.paths.values()} - {old}))
            # On a disk that folds case the old file and the new one would be the same.
            path = old if fold(path) == fold(old) else path
        self._watch(path, self._now(old) if old else None, raw, step.index)
        if path != old:
            self.paths[step.key] = path
            if old:
                self._remove(old, step.index)
        self.raw[path] = raw
        self.ops[path].add(step.index)

    def _remove(self, path: str, index: int) -> None:
        self.raw[path] = None
        self.ops[path].add(index)
        self.removers[path].add(index)

    def _body(self, step: Step) -> str | None:
        """The new body, with links to a name that an entry did not get after all put right."""
        body = step.op.new_body
        if body is None:
            return None
        aliases = {loose(other.alias): other.key for other in self.outlook.steps if other.alias}
        parts, at = [], 0
        for link in links.found(body):
            key = aliases.get(loose(link.target))
            if key is not None and self.shown.linked(link.target) is None:
                parts += [body[at : link.inner[0]], self.outlook.label(key)]
                at = link.inner[1]
        return "".join([*parts, body[at:]])

    # ------------------------------------------------------------ links and flags

    def link(self, step: Step) -> None:
        """Add the links that the op names and the text does not hold yet."""
        if step.role not in ("update", "split", "rename", "merge", "relink"):
            return
        keys = [step.key] if step.rewrites else [self.outlook.went_into(entry.path) for entry in step.targets]
        for key in keys:
            path = self._path(key) if key is not None else None
            raw = self._now(path) if path is not None else None
            if path is None or raw is None:
                continue
            body = edits.read_entry(path, raw, 0.0).body
            there = {self.outlook.end(target) for target in links.targets(body)}
            wanted = [end for target in step.op.links if (end := self.outlook.end(target)) is not None]
            new = [end for end in dict.fromkeys(wanted) if end not in there and end != key]
            if new:
                text = with_links(body.replace("\r\n", "\n"), [self.outlook.label(end) for end in new])
                made = edits.set_body(raw, text, path=path)
                after = {self.outlook.end(target) for target in edits.read_entry(path, made, 0.0).links}
                if not set(new) <= after:
                    raise EditRefused(path, "its links", "the text ends inside a code block")
                self._set(path, made, step.index)

    def flag(self, flag: Flag, redact: Callable[[str], str]) -> None:
        """Flag the entry, or the one that its facts went into."""
        key = self.outlook.went_into(flag.path)
        path = self._path(key) if key is not None else None
        raw = self._now(path) if path is not None else None
        if path is None or raw is None or edits.read_entry(path, raw, 0.0).flagged:
            return
        reason = redact(one_line(flag.reason))
        reason = reason if len(reason) <= MAX_REASON else reason[: MAX_REASON - 1] + "…"
        self._set(path, edits.flag(raw, reason, path=path), flag.index)

    def retarget(self) -> None:
        """Let every link and reference in the store follow the entries that went."""
        heirs: dict[str, Entry] = {}
        for path in self.removers:
            end = self.outlook.heir(path)
            new = self._path(end) if end is not None else None
            if new is not None and new != path:
                heirs[path] = self._entry(new)
        moves = Moves(self.shown.store.entries, heirs)
        if not moves:
            return
        blame = {index for path in heirs for index in self.removers[path]}
        for path in sorted({*self.shown.current, *self.raw}):
            raw = self._now(path)
            entry = self.shown.current.get(path)
            if raw is None:
                continue
            try:
                made = retarget(raw, moves, own=path, path=path)
            except (BadValue, EditRefused, NotText) as error:
                # Whoever moves the target has to wait; nothing is wrong with the text itself.
                self.refused.update({index: ("parked", Fault("render", str(error))) for index in blame})
                continue
            if made == raw:
                continue
            old = edits.read_entry(path, raw, 0.0)
            moved = {gone.path for t in old.links if (gone := self.shown.linked(t)) and gone.path in heirs}
            movers = {index for gone in moved or heirs for index in self.removers[gone]}
            if entry is not None and (entry.pinned or entry.readonly):
                why = "is pinned" if entry.pinned else f"is context only ({entry.readonly})"
                kept = Fault("link-kept", f"{path} {why} and still refers to what is gone")
                for index in movers:
                    self.notes[index].append(kept)
                continue
            for index in movers:
                self._set(path, made, index)

    # ------------------------------------------------------------ files

    def _path(self, key: str) -> str | None:
        path = self.paths.get(key, key)
        return path if self._now(path) is not None else None

    def _now(self, path: str) -> bytes | None:
        if path in self.raw:
            return self.raw[path]
        entry = self.shown.current.get(path)
        return None if entry is None else entry.raw

    def _entry(self, path: str) -> Entry:
        raw = self._now(path)
        assert raw is not None
        return edits.read_entry(path, raw, 0.0)

    def _set(self, path: str, raw: bytes, index: int) -> None:
        if raw != self._now(path) or path in self.raw:
            self._watch(path, self._now(path), raw, index)
            self.raw[path] = raw
            self.ops[path].add(index)

    def _watch(self, path: str, before: bytes | None, after: bytes, index: int) -> None:
        """Refuse the op ``index`` if its edit of one file puts a secret there, from wherever it has it."""
        old = visible((before or b"").decode("utf-8", "replace"))
        if any(visible(value) not in old for value in self._secrets(path, after)):
            # The value itself stays out of the message: receipts are read by people.
            self.refused[index] = ("rejected", Fault("secret", SECRET_MOVES))

    def _secrets(self, path: str, raw: bytes) -> Iterable[str]:
        for text in secret_entries.texts(edits.read_entry(path, raw, 0.0)):
            yield from self.find_secrets(text)

    def changes(self) -> ChangeSet:
        entries = []
        for path, raw in sorted(self.raw.items()):
            old = self.shown.current.get(path)
            before = old.raw if old is not None else None
            if before != raw:
                entries.append(EntryChange(path, before, raw, tuple(sorted(self.ops[path]))))
        heirs = {}
        for path in self.removers:
            end = self.outlook.heir(path)
            new = self._path(end) if end is not None else None
            if new is not None and new != path:
                heirs[path] = new
        return ChangeSet(tuple(entries), heirs)
