"""The op format of SPEC §7: the schema that clients enforce, and the check of a single op.

``schema.json`` is written for the pickiest reader of each kind. The command line client knows no
``$schema`` key (2.1.332 refuses it, 2.1.197 then drops the whole schema without a word); the API takes
no ranges and lengths. What a schema cannot say is said in ``validate_op``.
"""

from __future__ import annotations

import copy
import json
import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentops_dream.rem.errors import one_line
from agentops_dream.rem.jsontext import is_mark

if TYPE_CHECKING:
    import jsonschema

RATIONALE_LENGTH = 240
SUMMARY_LENGTH = 300

# Read on import: an update may remove the plugin's folder while a worker runs.
_SCHEMA: dict[str, Any] = json.loads(Path(__file__).with_name("schema.json").read_text(encoding="utf-8"))


def strict_schema() -> dict[str, Any]:
    """Return the schema of a whole reply, for an API that generates nothing else."""
    return copy.deepcopy(_SCHEMA)


def client_schema() -> dict[str, Any]:
    """Return the schema for a client that checks after the fact.

    It shows the model the strict form and accepts any op: one bad op must not cost a second call
    or the good ops beside it. ``deep`` refuses it alone.
    """
    schema = strict_schema()
    ops = schema["properties"]["ops"]
    ops["items"] = {"anyOf": [ops["items"], {"description": "Anything else is refused, op by op."}]}
    return schema


def fits(value: Any) -> bool:
    """Return whether ``value`` is a reply from the outside: an object with a list ``ops``."""
    return isinstance(value, dict) and isinstance(value.get("ops"), list) and not any(map(is_mark, value))


def validate_op(raw: Any) -> str | None:
    """Return what is wrong with the form of one op, in words for a person; ``None`` if nothing.

    Knows the format alone. Whether its targets were shown, whether a merge has a body and whether it
    is honest are questions for ``deep``.
    """
    if not isinstance(raw, dict):
        return f"not an object but {_kind(raw)}"
    mark = next(filter(is_mark, raw), None)
    if mark is not None:
        return one_line(str(mark), 120)
    error = next(iter(sorted(load().iter_errors(raw), key=_importance)), None)
    if error is not None:
        return _words(error)
    confidence = raw["confidence"]
    if not math.isfinite(confidence) or not 0 <= confidence <= 1:
        return "confidence is not a number from 0 to 1"
    targets = raw["target_ids"]
    if not targets:
        return "it names no target"
    if not all(target.strip() for target in targets):
        return "a target is blank"
    if len(set(targets)) < len(targets):
        return "it names a target twice"
    return None


@cache
def load() -> jsonschema.Draft202012Validator:
    """Return the check of one op. Loading it takes its time: once, and not for those who only look."""
    from jsonschema import Draft202012Validator

    return Draft202012Validator(_SCHEMA["properties"]["ops"]["items"])


def _importance(error: jsonschema.ValidationError) -> tuple[int, str]:
    order = ("required", "enum", "type", "anyOf", "additionalProperties")
    kind = str(error.validator)
    return (order.index(kind) if kind in order else len(order), error.json_path)


def _words(error: jsonschema.ValidationError) -> str:
    # Not jsonschema's own message: it repeats the value, which may be long or private.
    where = ".".join(str(step) for step in error.absolute_path) or "the op"
    value: Any = error.instance
    schema: Any = error.schema
    if error.validator == "required":
        return f"{where} lacks {', '.join(name for name in schema['required'] if name not in value)}"
    if error.validator == "additionalProperties":
        unknown = sorted(one_line(str(name), 40) for name in value if name not in schema["properties"])
        return f"{where} has an unknown field: {', '.join(unknown)}"
    if error.validator == "enum":
        return f"unknown {where}: {one_line(str(value), 40)}"
    if error.validator == "anyOf" and isinstance(value, dict):
        # It was meant to be the object that is allowed here, so say what is wrong with that.
        for inner in error.context or ():
            if inner.absolute_path != error.absolute_path or inner.validator != "type":
                return _words(inner)
    return f"{where} is {_kind(value)}"


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
