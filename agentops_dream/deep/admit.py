"""From a well-formed op to a step, or to the verdict that refuses it (SPEC §8 "rejected").

Everything here can be said of one op alone, without weighing a text: are the targets there, may they
be touched, is there a body where one is needed, does a secret come in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from agentops_dream.deep.gate import Role
from agentops_dream.deep.plan import fold, loose
from agentops_dream.deep.shown import Shown
from agentops_dream.deep.steps import GUARDED, Step, verdict
from agentops_dream.facts.anchors import worked_out
from agentops_dream.facts.labels import foreign_name
from agentops_dream.facts.reading import Text, read
from agentops_dream.models import Entry, Fault, Op, Verdict
from agentops_dream.secrets import visible
from agentops_dream.store.entry import TYPES
from agentops_dream.store.names import stem

FindSecrets = Callable[[str], Iterable[str]]
"""The secrets in a text, as they stand there."""

_ERROR_TEXT = re.compile(
    r"\s*(?:api error\b|invalid api key\b|please run /login|claude (?:ai )?usage limit|"
    r"you've (?:hit|reached) your .{0,20}limit|credit balance is too low|"
    r"\{\s*\"(?:type\"\s*:\s*\"error|error|is_error)\")",
    re.IGNORECASE,
)
"""How an error, login or limit message of the client begins (SPEC §7): never content."""

_NUMBER = re.compile(r"[0-9]+")

_HEADER = re.compile(r"\s*---[ \t]*\n(?:[A-Za-z_]\w*:.*\n)")


def admit(op: Op, shown: Shown, find_secrets: FindSecrets, placeholders: FindSecrets) -> Step | Verdict:
    """Return the step that ``op`` asks for, or a ``rejected`` or ``stale`` verdict with every reason."""
    targets, faults = _targets(op, shown)
    if faults:
        stale = all(fault.code == "stale" for fault in faults)
        return verdict(op, "stale" if stale else "rejected", *faults)
    step, faults = _step(op, targets, shown)
    faults = [*faults, *_focus(step, shown), *_type(step), *_body(step)]
    faults += [*_name(step), *_secrets(step, find_secrets, placeholders)]
    return verdict(op, "rejected", *faults) if faults else step


# ---------------------------------------------------------------- targets


def _targets(op: Op, shown: Shown) -> tuple[tuple[Entry, ...], list[Fault]]:
    found: list[Entry] = []
    faults: list[Fault] = []
    for text in op.target_ids:
        path = shown.path(text)
        if path is None:
            known = "was not shown to the model" if shown.known(text) else "names no entry"
            faults.append(Fault("not-shown", f"target {text!r} {known}", (text,)))
        elif shown.stale(path):
            gone = "was removed" if path not in shown.current else "changed"
            faults.append(Fault("stale", f"{path} {gone} since it was shown", (text,)))
        else:
            entry = shown.current[path]
            if entry.pinned:
                faults.append(Fault("pinned", f"{path} is pinned", (text,)))
            if entry.readonly:
                faults.append(Fault("readonly", f"{path} is context only ({entry.readonly})", (text,)))
            if entry in found:
                faults.append(Fault("malformed", f"{path} is named twice as a target", (text,)))
            found.append(entry)
    return tuple(found), faults


def _cited(op: Op, shown: Shown) -> tuple[tuple[Entry, ...], tuple[str, ...], list[Fault]]:
    """Entries that ``superseded`` names, names that only this plan could make, and what is wrong."""
    cited: list[Entry] = []
    planned: list[str] = []
    faults: list[Fault] = []
    for item in op.superseded:
        path = shown.path(item.by)
        if path is None and op.op == "delete" and not shown.known(item.by):
            planned.append(loose(item.by))
        elif path is None:
            why = f"superseded names {item.by!r}, which was not shown"
            faults.append(Fault("not-shown", why, (item.by,)))
        elif shown.stale(path):
            faults.append(Fault("stale", f"{path} is cited and changed since it was shown", (item.by,)))
        elif shown.current[path] not in cited:
            cited.append(shown.current[path])
    return tuple(cited), tuple(dict.fromkeys(planned)), faults


# ---------------------------------------------------------------- role and name


def _step(op: Op, targets: tuple[Entry, ...], shown: Shown) -> tuple[Step, list[Fault]]:
    cited, planned, faults = _cited(op, shown)
    role: Role = op.op
    survivor: Entry | None = None
    name, new_file = "", False
    if op.op == "update":
        survivor = targets[0]
        if op.new_name is not None and fold(op.new_name) not in _handles(survivor):
            role, name = ("rename" if op.delete_source else "split"), op.new_name
            survivor, new_file = (survivor if op.delete_source else None), True
        elif not survivor.name:
            # A missing name may be repaired; a name that is there is how others link to the entry.
            name = op.new_name or _given_name(op)
    elif op.op == "merge":
        survivor, name, new_file = _survivor(op, targets)
    owner = shown.owner(name) if name else None
    own = {entry.path for entry in targets} if op.op == "merge" else {survivor.path if survivor else None}
    if owner is not None and owner not in own:
        faults.append(Fault("name-taken", f"the name {name!r} belongs to {owner}", (name,)))
    if role == "split" and op.new_body is None:
        faults.append(Fault("body", "a split needs the new entry's body"))
    given = _given_name(op)
    alias = given if new_file and given and loose(given) != loose(name) else ""
    return Step(op, role, targets, survivor, name, new_file, alias, cited, planned), faults


def _handles(entry: Entry) -> frozenset[str]:
    return frozenset(fold(text) for text in (entry.id, entry.name, entry.path, stem(entry.path)) if text)


def _given_name(op: Op) -> str:
    return str((op.new_frontmatter or {}).get("name", ""))


def _survivor(op: Op, targets: tuple[Entry, ...]) -> tuple[Entry, str, bool]:
    """Whose file a merge is written to, the name if it gets one, and whether the file is renamed.

    A name that is a target's picks that target. A ``new_name`` of its own renames the first target;
    a new ``new_frontmatter.name`` alone does not: ids are what other entries link to.
    """
    for text in (op.new_name, _given_name(op)):
        if text:
            named = next((entry for entry in targets if fold(text) in _handles(entry)), None)
            if named is not None:
                return named, ("" if named.name else text), False
            if text == op.new_name:
                return targets[0], text, True
    return targets[0], "", False


# ---------------------------------------------------------------- guards


def _focus(step: Step, shown: Shown) -> list[Fault]:
    outside = [entry.path for entry in step.targets if entry.path not in shown.focus]
    if step.role == "merge" and len(outside) == len(step.targets):
        return [Fault("not-focus", "none of the merge's targets is in focus")]
    if step.role == "delete" and outside:
        return [Fault("not-focus", f"only entries in focus may be deleted, not {', '.join(outside)}")]
    return []


def _type(step: Step) -> list[Fault]:
    if not step.rewrites:
        return []
    owned = {entry.type for entry in step.targets}
    kind = step.type
    if kind not in TYPES and kind not in owned:
        return [Fault("malformed", f"unknown type {kind!r}", (kind,))]
    guarded = owned & GUARDED
    if guarded and kind not in guarded:
        # It would lose its protection against deletes and be mirrored into a committed file.
        what = " and ".join(sorted(guarded))
        return [Fault("retype", f"a {what} entry does not become {kind!r}", (kind,))]
    return []


def _body(step: Step) -> list[Fault]:
    body = step.op.new_body
    if not step.rewrites or body is None:
        return []
    if not body.strip() or body.strip().lower() == "null":
        return [Fault("body", "new_body is empty")]
    if _ERROR_TEXT.match(body) and not any(_ERROR_TEXT.match(entry.body) for entry in step.targets):
        return [Fault("body", "new_body is an error message, not content", (body.strip()[:80],))]
    if _HEADER.match(body) and not any(_HEADER.match(entry.body) for entry in step.targets):
        return [Fault("body", "new_body begins with a frontmatter of its own")]
    return []


def _name(step: Step) -> list[Fault]:
    """A name goes into ``MEMORY.md`` and AGENTS.md: it brings in no number and no claim."""
    if not step.name:
        return []
    sources = (*step.targets, *step.cited)
    texts = [Text(f"{entry.id} {entry.name}", entry.description, entry.body) for entry in sources]
    known = {number for entry in sources for number in _NUMBER.findall(entry.path)}
    for text in texts:
        days = " ".join(map(str, worked_out(read(text))))
        known.update(_NUMBER.findall(" ".join((text.id, text.description, text.body, days))))
    plain = {number.lstrip("0") for number in known}
    new = tuple(number for number in _NUMBER.findall(step.name) if number.lstrip("0") not in plain)
    new = new or foreign_name(step.name, texts)
    return [Fault("invention", f"the name brings in: {', '.join(new)}", new)] if new else []


def _secrets(step: Step, find_secrets: FindSecrets, placeholders: FindSecrets) -> list[Fault]:
    if not step.rewrites:
        return []
    text = "\n".join((step.name, step.description, step.body))
    left = [mark for mark in placeholders(text) if not any(mark in entry.body for entry in step.targets)]
    faults = [Fault("secret", "a placeholder stands for no secret that was shown", (mark,)) for mark in left]
    # Whether one of the targets' own moves into another file is seen in the bytes, see `changes`. The value
    # itself stays out of the message: receipts are read by people.
    own = visible("\n".join(entry.raw.decode("utf-8", "replace") for entry in step.targets))
    if any(visible(value) not in own for value in find_secrets(text)):
        faults.append(Fault("secret", "brings in what looks like a secret"))
    return faults
