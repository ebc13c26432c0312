"""From what a client printed to a list of raw ops, or a refusal (SPEC §7, "The reply").

Structured output is taken as it is. Otherwise the text must hold one JSON object with a list ``ops``,
in prose or fences. If several do, the last one counts when all before it can be told to be examples:
they have no ops, ops of a wrong form, or targets that were never shown. Anything else is refused: a
model that quotes an entry's "instructions" after its own answer must not have them carried out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from agentops_dream.rem import jsontext
from agentops_dream.rem.errors import RemError, one_line
from agentops_dream.rem.schema import SUMMARY_LENGTH, fits, validate_op

LONGEST = 8_000_000
"""Characters; a reply to the largest usual prompt has fifty thousand."""

_OUTER = re.compile(r'\{\s*"(?:ops|summary)"\s*:')
_BEGUN = re.compile(r'\{\s*"(?:o|op|ops"?|s|su|sum|summ|summa|summar|summary"?)?\s*\Z')


@dataclass(frozen=True)
class Parsed:
    """The outside of a reply; the ops are as the model wrote them, storable, not yet judged."""

    ops: tuple[Any, ...]
    summary: str


def parse(structured: Any, text: str, shown: Collection[str]) -> Parsed:
    """Return the ops of a reply.

    ``structured`` is the client's structured output (``None``: it gave none), ``text`` the model's words,
    ``shown`` the ids of the entries in the prompt. Raises ``RemError`` of kind ``empty``, ``truncated``
    or ``malformed``; its message quotes nothing of the reply but its first words.
    """
    if structured is not None:
        if not fits(structured):
            raise RemError("malformed", "the structured output is not an object with a list of ops")
        return _outside(structured)
    if not text.strip():
        raise RemError("empty", "the model said nothing")
    if len(text) > LONGEST:
        raise RemError("malformed", f"the reply has {len(text)} characters")
    return _outside(_one(_candidates(text), text, shown))


def _candidates(text: str) -> list[Mapping[str, Any]]:
    fitting: list[Mapping[str, Any]] = []
    for found in jsontext.objects(text, _OUTER):
        if found.state == "cut":
            raise RemError("truncated", "the reply ends in the middle of its JSON")
        if found.state == "broken":
            if found.end == len(text):
                raise RemError("malformed", "the reply's JSON is broken")
            continue  # `{"ops": [...]}` with dots in it: a way to describe the format
        try:
            value = jsontext.loads(text[found.start : found.end])
        except ValueError as error:
            raise RemError("malformed", f"unreadable JSON in the reply: {one_line(str(error), 80)}") from None
        if fits(value):
            fitting.append(value)
    if _BEGUN.search(text):
        raise RemError("truncated", "the reply ends where its JSON begins")
    return fitting


def _one(fitting: list[Mapping[str, Any]], text: str, shown: Collection[str]) -> Mapping[str, Any]:
    if not fitting:
        raise RemError("malformed", f"no JSON object with a list of ops in the reply: {_first_words(text)}")
    *earlier, last = fitting
    if any(value != last and not _example(value, shown) for value in earlier):
        raise RemError("malformed", f"the reply holds {len(fitting)} different plans")
    return last


def _example(value: Mapping[str, Any], shown: Collection[str]) -> bool:
    known = set(shown)
    ops = value["ops"]
    return not ops or any(validate_op(op) is not None or not known.issuperset(op["target_ids"]) for op in ops)


def _outside(value: Mapping[str, Any]) -> Parsed:
    summary = value.get("summary")
    ops = tuple(jsontext.mend(op) for op in value["ops"])
    return Parsed(ops, one_line(summary, SUMMARY_LENGTH) if isinstance(summary, str) else "")


def _first_words(text: str) -> str:
    return repr(one_line(text, 80))
