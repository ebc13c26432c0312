"""What goes to a model and what comes back: the interface of a backend (SPEC §7).

A backend is a function from ``Call`` to ``Answer``. It knows how a model is reached and what an
error looks like there; prompt, parsing and secrets are none of its business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentops_dream.models import Usage


@dataclass(frozen=True)
class Call:
    """One request to a model."""

    system: str
    """The rules. Never holds anything from memory, so it may stand on a command line."""
    user: str
    """The data and today's date."""
    model: str
    timeout: float
    """Seconds for everything, retries included."""
    budget_usd: float
    """No more than this may be spent on this call."""
    env: Mapping[str, str]
    workdir: Path
    """A private directory in which the backend may make and remove its own."""
    binary: str = ""
    """``AGENTOPS_DREAM_CLAUDE_BIN``; ``""``: search."""


@dataclass(frozen=True)
class Answer:
    """What the model said, complete as far as the backend can tell."""

    structured: Any
    """The value that the client says satisfies the schema; ``None`` if it says nothing."""
    text: str
    usage: Usage
