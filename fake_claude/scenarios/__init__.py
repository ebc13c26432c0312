"""Good and bad models, as small functions from what the prompt shows to what is answered.

``get`` finds one by name (``tidy``, ``slow:5``, with ``-`` or ``_``), as a ``.py`` file that defines
``dream(prompt)``, or as a ``.json`` file with a reply (``{"ops": …}``). All are deterministic.
"""

from __future__ import annotations

import json
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fake_claude.answer import Answer, structured
from fake_claude.prompt import Prompt
from fake_claude.scenarios import broken, dishonest, honest
from fake_claude.scenarios.ops import REGISTRY, Dream

__all__ = ["broken", "dishonest", "dream", "get", "honest", "names"]


def names() -> tuple[str, ...]:
    """Return the names of all scenarios."""
    return tuple(sorted(REGISTRY))


def get(name: str) -> Dream:
    """Return the scenario; raises ``LookupError`` that lists the known ones."""
    if name.endswith(".json"):
        reply = json.loads(Path(name).read_text(encoding="utf-8"))
        return lambda prompt: structured(reply)
    if name.endswith(".py"):
        found: Dream = runpy.run_path(name)["dream"]
        return found
    plain, _, number = name.partition(":")
    known = REGISTRY.get(plain.replace("-", "_"))
    if known is None:
        raise LookupError(f"no scenario {name!r}; known: {', '.join(names())}")
    if number:
        return lambda prompt: known(prompt).after(float(number))
    return known


def dream(which: str | Answer | Dream | Sequence[Any], prompt: Prompt, nth: int = 0) -> Answer:
    """Return what the dreamer ``which`` answers to its ``nth`` call (from 0).

    ``which``: a name or path, several with commas between them, an answer, a function, or a list of
    these. In a list each call has its own; the last one repeats.
    """
    if isinstance(which, Answer):
        return which
    if isinstance(which, str):
        parts = which.split(",")
        return get(parts[min(nth, len(parts) - 1)].strip())(prompt)
    if callable(which):
        return which(prompt)
    return dream(which[min(nth, len(which) - 1)], prompt)
