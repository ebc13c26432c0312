"""From raw JSON to well-formed ops, one by one (SPEC §7, §8 "malformed").

A reply is never judged as a whole: a value that is no op becomes a ``rejected`` verdict of its own,
and the ops beside it go on. Nothing here knows the store; whether a target exists is asked later.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, cast

from agentops_dream.models import Fault, Op, Superseded, Verdict
from agentops_dream.store import names

VERBS: tuple[str, ...] = ("update", "merge", "delete", "relink", "flag")
MAX_RATIONALE = 240
MAX_NAME = 200

_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


class MalformedOp(ValueError):
    """The value is not an op; the message says which field is wrong and how."""


def fold(text: str) -> str:
    """Return ``text`` as ids are compared: NFC, case folded, outer white space gone (SPEC §4)."""
    return names.fold(text.strip())


def loose(text: str) -> str:
    """Return ``text`` as links are compared: folded, ``-``, ``_`` and spaces alike (SPEC §4)."""
    return re.sub(r"[-_\s]+", "-", fold(text))


def read_plan(raws: Any) -> tuple[Op | Verdict, ...]:
    """Return an ``Op`` for each well-formed value and a ``rejected`` verdict for each other one.

    Never raises. Something that is no list at all gives one verdict with index 0.
    """
    if not isinstance(raws, (list, tuple)):
        return (refuse(raws, 0, Fault("malformed", "the plan is not a list of ops")),)
    return tuple(_read_or_refuse(raw, index) for index, raw in enumerate(raws))


def refuse(raw: Any, index: int, *faults: Fault) -> Verdict:
    """Return the ``rejected`` verdict of a value, with whatever of it can be read for a person."""
    op: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
    verb, targets, rationale = op.get("op"), op.get("target_ids"), op.get("rationale")
    try:
        confidence = _confidence(op.get("confidence"))
    except MalformedOp:
        confidence = 0.0
    return Verdict(
        index=index,
        kind=verb if isinstance(verb, str) and verb in VERBS else "",
        status="rejected",
        targets=tuple(t for t in targets if isinstance(t, str)) if isinstance(targets, list) else (),
        faults=faults,
        confidence=confidence,
        rationale=one_line(rationale)[:MAX_RATIONALE] if isinstance(rationale, str) else "",
        raw=raw,
    )


def one_line(text: str) -> str:
    """Return ``text`` with every run of white space, line breaks included, as one space."""
    return " ".join(text.split())


def _read_or_refuse(raw: Any, index: int) -> Op | Verdict:
    try:
        return read_op(raw, index)
    except MalformedOp as error:
        return refuse(raw, index, Fault("malformed", str(error)))


def read_op(raw: Any, index: int) -> Op:
    """Return the op that ``raw`` (a JSON value) spells; raises ``MalformedOp``.

    Optional fields may be missing. Fields that a verb has no use for must be of the right type and
    are otherwise ignored: a ``flag`` with a body is a flag.
    """
    if not isinstance(raw, Mapping):
        raise MalformedOp(f"the op is {_named(raw)}, not an object")
    unknown = sorted(str(key) for key in raw if key not in _FIELDS)
    if unknown:
        raise MalformedOp(f"unknown field: {', '.join(unknown)}")
    values = {}
    for field, (reader, required) in _FIELDS.items():
        if field in raw:
            values[field] = reader(raw[field])
        elif required:
            raise MalformedOp(f"{field} is missing")
    op = Op(index=index, **cast(Any, values))
    _check_shape(op)
    return op


def _check_shape(op: Op) -> None:
    if op.op == "update":
        if len(op.target_ids) != 1:
            raise MalformedOp(f"an update has one target, not {len(op.target_ids)}")
        if op.delete_source and op.new_name is None:
            raise MalformedOp("delete_source without a new_name")
        if op.new_name is None and op.new_body is None and not op.new_frontmatter and not op.links:
            raise MalformedOp("the update changes nothing")
    if op.op == "merge":
        if len(op.target_ids) < 2:
            raise MalformedOp("a merge needs two targets: an entry that stays and one that goes into it")
        if op.new_body is None:
            raise MalformedOp("a merge needs a new_body")
    if op.op == "relink" and not op.links:
        raise MalformedOp("a relink without links")


# ---------------------------------------------------------------- fields


def _text(value: Any, field: str) -> str:
    if not isinstance(value, str):
        raise MalformedOp(f"{field} is {_named(value)}, not a string")
    if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise MalformedOp(f"{field} holds characters that no text file can")
    return value


def _filled(value: Any, field: str) -> str:
    text = _text(value, field)
    if not text.strip() or text.strip().lower() == "null":
        raise MalformedOp(f"{field} is empty")
    return text


def _list(value: Any, field: str) -> list[Any]:
    if not isinstance(value, list):
        raise MalformedOp(f"{field} is {_named(value)}, not a list")
    return value


def _verb(value: Any) -> str:
    if not isinstance(value, str) or value not in VERBS:
        raise MalformedOp(f"op is none of {', '.join(VERBS)}")
    return value


def _target_ids(value: Any) -> tuple[str, ...]:
    ids = tuple(_filled(item, "target_ids") for item in _list(value, "target_ids"))
    if not ids:
        raise MalformedOp("target_ids is empty: the op names no source")
    folded = [fold(item) for item in ids]
    twice = [item for item, key in zip(ids, folded, strict=True) if folded.count(key) > 1]
    if twice:
        raise MalformedOp(f"the same target twice: {twice[0]}")
    return ids


def _new_name(value: Any) -> str | None:
    if value is None:
        return None
    return entry_name(_filled(value, "new_name"), "new_name")


def entry_name(text: str, field: str) -> str:
    """Return ``text`` as a name for an entry, one line and without ``.md``; raises ``MalformedOp``.

    A name is no path (SPEC §4): what reaches for another folder, a hidden or reserved file or
    ``MEMORY.md`` is refused rather than repaired, because it was not meant as a name.
    """
    name = text.strip()
    if name.lower().endswith(".md"):
        name = name[:-3].strip()
    segments = re.split(r"[\\/]", name)
    if (
        not name
        or any(segment.startswith(".") for segment in segments)
        or not segments[0].strip()
        or "\\" in name
        or segments[0] == "~"
        or _DRIVE.match(name)
    ):
        raise MalformedOp(f"{field} is a path, not a name: {text.strip()[:80]}")
    last = fold(segments[-1].split(".")[0])
    if last == "memory" or _DEVICES.fullmatch(last):
        raise MalformedOp(f"{field} is a reserved file name: {name[:80]}")
    if len(name) > MAX_NAME or any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for char in name):
        raise MalformedOp(f"{field} is too long or holds control characters")
    return name


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise MalformedOp(f"delete_source is {_named(value)}, not true or false")
    return value


def _frontmatter(value: Any) -> dict[str, Any] | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise MalformedOp(f"new_frontmatter is {_named(value)}, not an object")
    fields: dict[str, Any] = {}
    for key, item in value.items():
        if key in ("name", "description"):
            if item is not None:
                fields[key] = one_line(_filled(item, f"new_frontmatter.{key}"))
        elif key == "metadata":
            fields.update(_metadata(item))
        else:
            raise MalformedOp(f"new_frontmatter.{key} is not a field of the plan (invented?)")
    if "name" in fields:
        fields["name"] = entry_name(fields["name"], "new_frontmatter.name")
    return fields or None


def _metadata(value: Any) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise MalformedOp(f"new_frontmatter.metadata is {_named(value)}, not an object")
    unknown = sorted(str(key) for key in value if key != "type")
    if unknown:
        # Provenance comes from the files alone: a model that writes it can launder an invention.
        raise MalformedOp(f"new_frontmatter.metadata.{unknown[0]} is not a field of the plan (invented?)")
    if value.get("type") is None:
        return {}
    return {"type": one_line(_filled(value["type"], "new_frontmatter.metadata.type"))}


def _body(value: Any) -> str | None:
    return None if value is None else _text(value, "new_body")


def _links(value: Any) -> tuple[str, ...]:
    return tuple(_link(item) for item in _list(value, "links"))


def _link(item: Any) -> str:
    text = one_line(_filled(item, "links"))
    if text.startswith("[[") and text.endswith("]]"):
        text = text[2:-2].strip()
    if not text or any(char in text for char in "[]|"):
        raise MalformedOp(f"links holds something that is no link target: {text[:80]}")
    return text


def _superseded(value: Any) -> tuple[Superseded, ...]:
    return tuple(_superseded_item(item) for item in _list(value, "superseded"))


def _superseded_item(item: Any) -> Superseded:
    if not isinstance(item, Mapping) or set(item) != {"text", "by"}:
        raise MalformedOp("superseded holds something else than {text, by}")
    return Superseded(_filled(item["text"], "superseded.text"), _filled(item["by"], "superseded.by"))


def _confidence(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise MalformedOp(f"confidence is {_named(value)}, not a number")
    if not 0 <= value <= 1:  # also refuses NaN
        raise MalformedOp("confidence is not from 0 to 1")
    return float(value)


def _rationale(value: Any) -> str:
    text = one_line(_text(value, "rationale"))
    return text if len(text) <= MAX_RATIONALE else text[: MAX_RATIONALE - 1] + "…"


_FIELDS: Mapping[str, tuple[Callable[[Any], object], bool]] = {
    "op": (_verb, True),
    "target_ids": (_target_ids, True),
    "new_name": (_new_name, False),
    "delete_source": (_flag, False),
    "new_frontmatter": (_frontmatter, False),
    "new_body": (_body, False),
    "links": (_links, False),
    "superseded": (_superseded, False),
    "confidence": (_confidence, True),
    "rationale": (_rationale, False),
}
"""Every field of an op (SPEC §7): how it is read, and whether it must be there."""


def _named(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, (int, float)):
        return "a number"
    return "an object" if isinstance(value, Mapping) else "a list"


