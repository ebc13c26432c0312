"""What the file of one result holds: an entry reworded, split off or merged (SPEC §4, §8 lineage)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentops_dream.deep.steps import Step
from agentops_dream.models import Entry
from agentops_dream.store import entry as edits
from agentops_dream.store.document import Document, parse
from agentops_dream.store.keys import locate, lookup
from agentops_dream.store.lineage import Difference


def reworded(step: Step, body: str | None) -> bytes:
    """Return the survivor's file with what the op says of name, description, type and body.

    Raises ``BadValue``, ``EditRefused``; so do the functions below.
    """
    entry = step.source
    raw, path = entry.raw, entry.path
    if step.name:
        raw = edits.rename(raw, step.name, path=path)
    if step.description != entry.description:
        raw = edits.describe(raw, step.description, path=path)
    raw = _typed(raw, step, entry)
    if step.op.new_frontmatter is not None:
        raw = edits.repair(raw, path=path)
    return raw if body is None else edits.set_body(raw, body, path=path)


def _typed(raw: bytes, step: Step, entry: Entry) -> bytes:
    asked = (step.op.new_frontmatter or {}).get("type")
    written, _ = edits.own_type(entry.fields, "")
    if step.type == written or (asked is None and step.type == entry.type):
        return raw
    return raw if step.type == "unknown" else edits.retype(raw, step.type, path=entry.path)


def merged(step: Step, body: str | None) -> bytes:
    """Return the survivor's file with body, lineage, own keys and flag of what is merged into it."""
    path = step.source.path
    raw = reworded(step, body)
    losers = step.removed
    raw = edits.lineage(raw, losers, path=path)
    absorbed = edits.absorb(raw, losers, path=path)
    raw = _beside(absorbed.raw, absorbed.differences, path)
    return _flagged(raw, losers, path)


def split_off(step: Step, body: str | None) -> bytes:
    """Return the file of a split's new entry: in the form of its source, with the source's lineage."""
    source = step.targets[0]
    like = parse(source.raw, source.path)
    raw = edits.new_entry(step.name, step.description, step.type, body or "", like=like)
    raw = edits.lineage(raw, [source], merged=False)
    absorbed = edits.absorb(raw, [source])
    doc = parse(absorbed.raw)
    for item in absorbed.differences:
        if item.kept in (None, "") and item.key != "title":
            doc = doc.with_field(_home(doc, item.key), item.other)
    modified = lookup(source.fields, "modified")
    if isinstance(modified, str) and modified:
        # The text is as old as its source; without this the file's own time would make it new.
        doc = doc.with_field(_home(doc, "modified"), modified)
    doc = doc.with_field(_home(doc, "derived_from"), [source.id])
    return _flagged(doc.raw, [source], "")


def _beside(raw: bytes, differences: Sequence[Difference], path: str) -> bytes:
    """Keep what the survivor says otherwise than the others, as lineage: ``merged_<key>`` lists."""
    doc = parse(raw, path)
    for item in differences:
        key = "merged_" + item.key.replace(".", "_")
        had: Any = lookup(doc.fields, key)
        items = had if isinstance(had, list) else [] if had in (None, "") else [had]
        more = item.other if isinstance(item.other, list) else [item.other]
        new = [*items, *(value for value in more if value not in items)]
        doc = doc.with_field(locate(doc.fields, key) or ("metadata", key), new)
    return doc.raw


def _flagged(raw: bytes, sources: Sequence[Entry], path: str) -> bytes:
    """A flag is a doubt about facts, and they are here now."""
    flagged = next((entry for entry in sources if entry.flagged), None)
    if flagged is None or edits.read_entry(path or "x.md", raw, 0.0).flagged:
        return raw
    reason = lookup(flagged.fields, "flagged_reason")
    why = reason if isinstance(reason, str) and reason else f"{flagged.id} was flagged"
    return edits.flag(raw, why, path=path)


def _home(doc: Document, key: str) -> tuple[str, ...]:
    return locate(doc.fields, key) or ((key,) if doc.generation == "flat" else ("metadata", key))
