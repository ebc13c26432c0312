"""What a stand-in model answers, before anybody knows how it travels.

A scenario returns one ``Answer``. The executable renders it as the envelope that ``claude -p
--output-format json`` prints; the Messages API server renders it as an HTTP response. So one bad
model is written once and meets the product through its command line client, through the real
client, and through the SDK.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Union

STRUCTURED = "StructuredOutput"
"""Name of the one tool that the client offers for ``--json-schema``."""


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class ToolUse:
    name: str
    input: Any


Block = Union[Text, ToolUse]  # noqa: UP007 - evaluated at run time, also on Python 3.9


@dataclass(frozen=True)
class Answer:
    """One reply of the model, or the way in which there is none."""

    blocks: tuple[Block, ...] = ()
    stop_reason: str | None = None
    """``None``: ``tool_use`` or ``end_turn``, as the blocks say."""
    wait: float = 0.0
    """Seconds before the first byte."""
    usage: Mapping[str, int] = field(default_factory=dict)
    """Figures to report instead of counted ones."""

    status: int = 200
    """HTTP status; anything but 200 is an error of ``error_type`` with ``message``."""
    error_type: str = ""
    message: str = ""
    cut: str = ""
    """The stream ends in the middle of the last block: ``clean`` (properly closed) or ``reset``."""
    dead: bool = False
    """Nobody answers: the connection drops, the executable dies with 137."""

    stdout: str | None = None
    """For the executable alone: exactly this on stdout, no envelope."""
    rc: int | None = None
    """For the executable alone: exit code instead of the usual one."""
    envelope: Mapping[str, Any] = field(default_factory=dict)
    """For the executable alone: keys of the envelope to overwrite; ``None`` values stay ``null``."""

    def after(self, seconds: float) -> Answer:
        """Return the same answer, later."""
        return replace(self, wait=seconds)

    @property
    def text(self) -> str:
        """All text blocks together."""
        return "".join(block.text for block in self.blocks if isinstance(block, Text))

    @property
    def structured(self) -> ToolUse | None:
        """The ``StructuredOutput`` block, if there is one."""
        for block in self.blocks:
            if isinstance(block, ToolUse) and block.name == STRUCTURED:
                return block
        return None

    def as_text(self) -> Answer:
        """Return the same answer with its structured output said as JSON text."""
        blocks = (
            Text(json.dumps(b.input, ensure_ascii=False)) if b is self.structured else b for b in self.blocks
        )
        return replace(self, blocks=tuple(blocks))

    @property
    def reason(self) -> str:
        """The ``stop_reason`` in force."""
        if self.stop_reason is not None:
            return self.stop_reason
        return "tool_use" if any(isinstance(block, ToolUse) for block in self.blocks) else "end_turn"


def say(text: str, **more: Any) -> Answer:
    """Return an answer of text alone."""
    return Answer((Text(text),), **more)


def use(tool: str, **arguments: Any) -> Answer:
    """Return an answer that calls one tool."""
    return Answer((ToolUse(tool, arguments),))


def structured(value: Any, **more: Any) -> Answer:
    """Return an answer through the ``StructuredOutput`` tool; ``value`` may be nonsense."""
    return Answer((ToolUse(STRUCTURED, value),), **more)


def error(status: int, error_type: str, message: str, **more: Any) -> Answer:
    """Return an API error."""
    return Answer(status=status, error_type=error_type, message=message, **more)


def dead() -> Answer:
    """Return the answer of nobody."""
    return Answer(dead=True)
