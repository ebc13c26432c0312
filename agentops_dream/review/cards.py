"""A proposal as a person reads it: one card per op (SPEC §12).

Everything that the terminal, the page and ``--json`` show comes from here, so that they cannot show
different things. Pure; every text is redacted, because screens are shared and files are sent around.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from agentops_dream import secrets, staging
from agentops_dream.facts.weigh import Text
from agentops_dream.models import Entry, EntryChange, Fault, Op, Superseded, Verdict
from agentops_dream.review.facts import Facts, account
from agentops_dream.review.preview import Preview, preview
from agentops_dream.secrets import Redactor
from agentops_dream.settings import Settings
from agentops_dream.staging import Proposal
from agentops_dream.store.document import NotText
from agentops_dream.store.entry import read_entry
from agentops_dream.store.memory import Store
from agentops_dream.wording import counted

WORDS = {"applied": "passed", "flagged": "flag only"}
"""Verdicts in words for people: ``applied`` is what the gate lets through, and nothing is done yet."""


def word(status: str, outcome: str) -> str:
    """Return the verdict ``status`` of an op in a word for people, in a run that ended as ``outcome``."""
    if outcome == "failed" and status in WORDS:
        return "not done"
    return WORDS.get(status, status) if outcome == "staged" else status



@dataclass(frozen=True)
class FileView:
    """One entry file before and after, as text; ``None``: there is no such file."""

    path: str
    before: str | None
    after: str | None
    with_ops: tuple[int, ...] = ()
    """Other ops that change it too; the text after is what all of them make of it."""


@dataclass(frozen=True)
class Source:
    """One of the entries that a merge is made from."""

    name: str
    text: str


@dataclass(frozen=True)
class Card:
    """One op, for a person to decide about."""

    index: int
    verb: str
    """The op's verb, ``""`` if there was none to read."""
    title: str
    """What it does to which entries, on one line."""
    verdict: str
    """What the gate said when it was proposed; ``stale`` if its entries have changed since."""
    reason: str
    faults: tuple[Fault, ...]
    now: str
    """Why it would not go through any more as it was proposed; ``""`` if it would."""
    stale: tuple[str, ...]
    """Files it is about that have changed or gone since."""
    offered: bool
    """Whether it waits for a person at all; the others were refused for good."""
    takeable: bool
    """Whether a person can accept it, as things are now."""
    flags: bool
    """Whether accepting it only flags its entries instead of doing what it proposes."""
    waives: tuple[str, ...]
    """Fault codes that whoever accepts it accepts with it."""
    confidence: float
    rationale: str
    targets: tuple[str, ...]
    partners: tuple[int, ...]
    """Ops that stand and fall with it."""
    files: tuple[FileView, ...]
    sources: tuple[Source, ...]
    """For a merge: the entries it is made from."""
    result: str
    """For a merge: the text they become."""
    facts: Facts
    superseded: tuple[Superseded, ...]
    edited: bool
    draft: Draft | None
    """What a person can edit of it; ``None``: nothing."""
    raw: str
    """The op as the model wrote it, if nobody can take it; else its files say it all."""

    @property
    def standing(self) -> str:
        """The verdict in a word for people."""
        return word(self.verdict, "staged")

    @property
    def objections(self) -> tuple[str, ...]:
        """What the gate has against it, a line each; empty if nothing."""
        if self.verdict == "stale":
            changed = ", ".join(self.stale) or "what it is about"
            return (f"stale: {changed} changed since it was proposed; it can only be sent away",)
        found = tuple(f"{fault.code}: {fault.message}".removesuffix(": ") for fault in self.faults)
        return found or ((self.reason,) if self.reason else ())

    @property
    def refused(self) -> bool:
        """Whether it was refused for good: its files are what it would have written."""
        return not self.offered


@dataclass(frozen=True)
class Draft:
    """The new text of an op as a person edits it; secrets stay masked. ``None``: the op has no such text."""

    description: str | None
    body: str | None


@dataclass(frozen=True)
class Deck:
    """All cards of a proposal."""

    run: str
    kind: str
    """``audit``: a whole plan. ``parked``: ops held back from a dream."""
    created: str
    summary: str
    about: str
    """What it is, and what of it is left to decide, in a few words."""
    cards: tuple[Card, ...]

    def card(self, index: int) -> Card:
        """Return the card of the op ``index``. Raises ``KeyError``."""
        return {card.index: card for card in self.cards}[index]

    @property
    def in_order(self) -> tuple[Card, ...]:
        """Return the cards as they are gone through: what can be decided first, the refused last."""
        return tuple(sorted(self.cards, key=lambda card: (card.refused, card.index)))


def deck(
    proposal: Proposal,
    store: Store,
    *,
    settings: Settings,
    today: date,
    edits: Mapping[int, Mapping[str, Any]] | None = None,
) -> Deck:
    """Return the cards of ``proposal`` over ``store`` as it is now, with the person's ``edits`` made."""
    seen = preview(proposal, store, settings=settings, today=today, edits=edits)
    changed = frozenset(staging.stale(proposal, store))
    mine = {index: fields for index, fields in (edits or {}).items() if fields}
    cards = tuple(_card(index, proposal, seen, changed, mine.get(index)) for index in sorted(seen.ops))
    return Deck(proposal.run, proposal.kind, proposal.created, seen.redact(proposal.summary), about(proposal), cards)


def about(proposal: Proposal) -> str:
    """Return what ``proposal`` is, and what of it is left to decide, in a few words."""
    what = "ops that a dream held back" if proposal.kind == "parked" else "a whole plan"
    left, total = len(staging.offered(proposal)), proposal.proposed or len(proposal.ops)
    if not left:
        return f"{what}; nothing of it can be taken any more"
    if total > len(proposal.ops):
        return f"what is left of {what}; {left} of {counted(total, 'op')} {'waits' if left == 1 else 'wait'}"
    return what if proposal.kind == "parked" else f"{what}; nothing was touched"


def _card(
    index: int, proposal: Proposal, seen: Preview, changed: frozenset[str], edits: Mapping[str, Any] | None
) -> Card:
    edited = edits is not None
    then, now, op = proposal.verdicts[index], seen.now[index], seen.parsed.get(index)
    stale = _stale(then["targets"], op, proposal, changed)
    is_stale = now.status == "stale" or bool(stale)
    offered = index in staging.offered(proposal)
    taken = seen.taken.get(index)
    takeable = not is_stale and taken is not None and taken.status in staging.TAKEABLE
    changes = seen.changes.get(index, ())
    flags = takeable and taken is not None and taken.status == "flagged"
    waits = "parked" in (then["status"], now.status)
    same = not edited and now.status == then["status"]
    redact = seen.redact
    return Card(
        index=index,
        verb=str(then["kind"]),
        title=redact(_title(str(then["kind"]), then["targets"], op)),
        verdict="stale" if is_stale else now.status if edited else str(then["status"]),
        reason=redact(now.reason) if edited else str(then["reason"]),
        faults=tuple(_fault(fault, redact) for fault in now.faults) if same or edited or is_stale else _told(then),
        now="" if same or edited or is_stale else redact(_why_not_now(now, taken, offered, takeable)),
        stale=tuple(map(redact, stale)),
        offered=offered,
        takeable=takeable,
        flags=flags,
        waives=tuple(sorted(seen.codes[index])) if takeable and waits else (),
        confidence=float(then["confidence"]),
        rationale=str(then["rationale"]),
        targets=tuple(then["targets"]),
        partners=tuple(i for bundle in seen.bundles if index in bundle for i in bundle if i != index),
        files=tuple(_file(change, index, redact) for change in changes),
        facts=_facts(op, changes, seen) if op is not None and not flags else Facts(),
        superseded=tuple(
            Superseded(redact(item.text), redact(item.by)) for item in (op.superseded if op is not None else ())
        ),
        edited=edited,
        draft=draft_of(proposal.ops[index], edits) if (takeable and not flags) or edited else None,
        raw="" if offered else as_written(proposal.ops[index], redact),
        **_merge(op, () if flags else changes, seen),
    )


def _stale(
    targets: Sequence[str], op: Op | None, proposal: Proposal, changed: frozenset[str]
) -> tuple[str, ...]:
    named = {*targets, *((item.by for item in op.superseded) if op is not None else ())}
    return tuple(sorted(path for path in changed if path in named or proposal.ids.get(path) in named))


def _why_not_now(now: Verdict, taken: Verdict | None, offered: bool, takeable: bool) -> str:
    if not offered or takeable:
        return ""
    found = taken if taken is not None else now
    return f"{found.status} now: {found.reason}"


def _told(then: Mapping[str, Any]) -> tuple[Fault, ...]:
    """Return the faults of a verdict as the proposal keeps them: the literals are those of all."""
    codes = [str(code) for code in then["codes"]]
    return tuple(
        Fault(code, "" if n else str(then["reason"]), () if n else tuple(then["literals"]))
        for n, code in enumerate(codes)
    )


def _title(verb: str, targets: Sequence[str], op: Op | None) -> str:
    names = ", ".join(targets)
    if op is not None and op.op == "update" and op.new_name is not None:
        return f"{'rename' if op.delete_source else 'split'} {names} → {op.new_name}"
    if op is not None and op.op == "relink":
        return f"relink {names} → {', '.join(op.links)}"
    return f"{verb or 'unreadable op'} {names}".strip()


def draft_of(raw: Any, edits: Mapping[str, Any] | None = None) -> Draft | None:
    """Return what a person can edit of an op: the texts that it brings itself; ``None`` if it brings none.

    ``edits``: what the person has changed already.
    """
    if not isinstance(raw, dict) or raw.get("op") not in ("update", "merge"):
        return None
    raw = {**raw, **(edits or {})}
    header = raw.get("new_frontmatter")
    description = header.get("description") if isinstance(header, dict) else None
    body = raw.get("new_body")
    found = Draft(
        description if isinstance(description, str) else None,
        body.replace("\r\n", "\n") if isinstance(body, str) else None,
    )
    return None if found == Draft(None, None) else found


def as_written(raw: Any, redact: Redactor = secrets.redact) -> str:
    """Return an op as it came, for a person to read."""
    return redact(json.dumps(raw, ensure_ascii=False, indent=2))


# ---------------------------------------------------------------- texts


def _fault(fault: Fault, redact: Redactor) -> Fault:
    return Fault(fault.code, redact(fault.message), tuple(map(redact, fault.literals)))


def _file(change: EntryChange, index: int, redact: Redactor) -> FileView:
    others = tuple(op for op in change.ops if op != index)
    return FileView(redact(change.path), _as_text(change.before, redact), _as_text(change.after, redact), others)


def _as_text(raw: bytes | None, redact: Redactor) -> str | None:
    """Return the bytes of an entry as text without secrets; bytes that are no UTF-8 as ``U+FFFD``."""
    return None if raw is None else redact(raw.decode("utf-8-sig", "replace").replace("\r\n", "\n"))


def _merge(op: Op | None, changes: Iterable[EntryChange], seen: Preview) -> dict[str, Any]:
    if op is None or op.op != "merge":
        return {"sources": (), "result": ""}
    targets = _targets(op, seen)
    paths = {entry.path for entry in targets}
    made = [c for c in changes if c.after is not None and (c.before is None or c.path in paths)]
    redact = seen.redact
    result = _text_of(made[0].path, made[0].after, redact) if made else Text("", "", redact(op.new_body or ""))
    return {
        "sources": tuple(Source(redact(entry.path), _spoken(_entry_text(entry, redact))) for entry in targets),
        "result": _spoken(result),
    }


def _spoken(text: Text) -> str:
    body = text.body.replace("\r\n", "\n").strip("\n")
    return f"{text.description}\n\n{body}" if text.description else body


def _targets(op: Op, seen: Preview) -> list[Entry]:
    paths = (seen.shown.path(text) for text in op.target_ids)
    return [seen.shown.current[path] for path in paths if path is not None and path in seen.shown.current]


def _facts(op: Op, changes: Sequence[EntryChange], seen: Preview) -> Facts:
    """Weigh the op's targets against what holds their facts afterwards."""
    targets = _targets(op, seen)
    if op.op not in ("update", "merge", "delete") or not targets:
        return Facts()
    cited = [path for item in op.superseded if (path := seen.shown.path(item.by)) in seen.shown.current]
    redact = seen.redact
    quoted = {seen.shown.current[path].id: _entry_text(seen.shown.current[path], redact) for path in cited if path}
    paths = {entry.path for entry in targets}
    after = {change.path: change.after for change in changes}
    outputs = [
        _text_of(change.path, change.after, redact)
        for change in changes
        if change.after is not None and (change.before is None or change.path in paths)
    ]
    if op.op == "update" and op.new_name is not None and not op.delete_source:
        outputs += [_entry_text(entry, redact) for entry in targets if entry.path not in after]
    if op.op == "delete":
        outputs += [text for name, text in quoted.items()]
    superseded = [
        Superseded(item.text, seen.shown.current[path].id)
        for item in op.superseded
        if (path := seen.shown.path(item.by)) is not None and path in seen.shown.current
    ]
    return account([_entry_text(entry, redact) for entry in targets], outputs, superseded, quoted)


def _entry_text(entry: Entry, redact: Redactor) -> Text:
    return Text(entry.id, redact(entry.description), redact(entry.body))


def _text_of(path: str, raw: bytes | None, redact: Redactor) -> Text:
    try:
        entry = read_entry(path, raw or b"", 0.0)
    except NotText:
        return Text(path, "", _as_text(raw, redact) or "")
    return _entry_text(entry, redact)
