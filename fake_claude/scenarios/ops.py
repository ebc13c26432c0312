"""Edit ops as a model writes them, and the registry that scenarios enter themselves into."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from fake_claude.answer import Answer, structured
from fake_claude.prompt import Prompt, Shown

Dream = Callable[[Prompt], Answer]
REGISTRY: dict[str, Dream] = {}


def scenario(function: Dream) -> Dream:
    """Enter ``function`` under its name; its docstring says what is good or bad about it."""
    assert function.__doc__, f"{function.__name__} does not say what it is"
    REGISTRY[function.__name__] = function
    return function


def plan(ops: Sequence[Any], summary: str = "Tidied up.") -> Answer:
    """Return the answer that proposes ``ops``."""
    return structured({"ops": list(ops), "summary": summary})


def op(verb: str, targets: Sequence[str], confidence: Any = 0.95, **more: Any) -> dict[str, Any]:
    """Return one op with every field of the schema."""
    return {
        "op": verb,
        "target_ids": list(targets),
        "new_name": None,
        "delete_source": False,
        "new_frontmatter": None,
        "new_body": None,
        "links": [],
        "superseded": [],
        "confidence": confidence,
        "rationale": "",
        **more,
    }


def header(entry: Shown, **changes: str) -> dict[str, Any]:
    """Return a ``new_frontmatter`` that keeps what ``changes`` (``name``, ``description``) does not name."""
    return {
        "name": changes.get("name", entry.name or entry.id),
        "description": changes.get("description", entry.description),
        "metadata": {"type": entry.type or "project"},
    }


def update(
    entry: Shown, *, body: str | None = None, description: str | None = None, **more: Any
) -> dict[str, Any]:
    """Return an ``update`` of body, description or both."""
    if description is not None:
        more["new_frontmatter"] = header(entry, description=description)
    return op("update", [entry.id], **{"new_body": body, "rationale": "Clearer wording.", **more})


def merge(survivor: Shown, loser: Shown, body: Any, **more: Any) -> dict[str, Any]:
    """Return a ``merge`` of ``loser`` into ``survivor``."""
    fields = {"new_frontmatter": header(survivor), "new_body": body, "rationale": "Same subject.", **more}
    return op("merge", [survivor.id, loser.id], **fields)


def body_of(entry: Shown) -> str:
    """Return the body without the white space around it."""
    return entry.body.strip()


def sentences(text: str) -> list[str]:
    """Return the sentences and lines of ``text``, white space around them removed."""
    pieces = re.split(r"(?<=[.!?])\s+|(?<=[。\uff01\uff1f])|\n+", text)
    return [piece.strip() for piece in pieces if piece.strip()]


def numbers(text: str) -> list[str]:
    """Return the numbers of ``text`` in order."""
    return re.findall(r"(?<![\w.])\d+(?:\.\d+)*(?![\w.]*\w)", text)
