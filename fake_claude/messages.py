"""The Messages API on the wire: requests as they come, answers as JSON or as an event stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fake_claude.answer import STRUCTURED, Answer, Text, ToolUse

_CHUNK = 400
"""Characters per text or JSON delta: small enough that a reply arrives in several events."""


@dataclass(frozen=True)
class Request:
    """One recorded request. Header values that could authenticate somebody are not kept."""

    number: int
    method: str
    path: str
    """Without the query."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    body: Any = None
    """Parsed JSON; the text if it is none; ``None`` without a body."""
    role: str = ""
    """``dreamer``, ``agent``, ``other`` for model requests; ``""`` for anything else."""

    def as_role(self, role: str) -> Request:
        """Return the same request with its role filled in."""
        return replace(self, role=role)

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools on offer."""
        return tuple(str(tool.get("name", "")) for tool in self._get("tools") or ())

    @property
    def system(self) -> str:
        """The system prompt as one text."""
        return text_of(self._get("system"))

    @property
    def messages(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(self._get("messages") or ())

    @property
    def prompt(self) -> str:
        """All that the user side said, tool results left out, as one text."""
        return "\n".join(text_of(m.get("content")) for m in self.messages if m.get("role") == "user")

    @property
    def last(self) -> str:
        """Text of the last user message."""
        users = [m for m in self.messages if m.get("role") == "user"]
        return text_of(users[-1].get("content")) if users else ""

    @property
    def everything(self) -> str:
        """The whole body as text, to assert that something is nowhere in it."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON schema that the reply has to satisfy, ``{}`` if none is asked for."""
        for tool in self._get("tools") or ():
            if tool.get("name") == STRUCTURED:
                return dict(tool.get("input_schema") or {})
        for holder in (self._get("output_config") or {}, self.body if isinstance(self.body, dict) else {}):
            shape = holder.get("format") or holder.get("output_format") or {}
            if isinstance(shape, dict) and shape.get("type") == "json_schema":
                return dict(shape.get("schema") or {})
        return {}

    @property
    def results(self) -> tuple[Mapping[str, Any], ...]:
        """The tool results in the last user message."""
        users = [m for m in self.messages if m.get("role") == "user"]
        content = users[-1].get("content") if users else None
        if not isinstance(content, list):
            return ()
        return tuple(block for block in content if block.get("type") == "tool_result")

    @property
    def answered(self) -> int:
        """How many times the model has already spoken since the user's last own words."""
        count = 0
        for message in reversed(self.messages):
            if message.get("role") == "assistant":
                count += 1
            elif message.get("role") == "user" and not _is_result(message):
                break
        return count

    def _get(self, key: str) -> Any:
        return self.body.get(key) if isinstance(self.body, dict) else None


def text_of(content: Any) -> str:
    """Return the text of a ``system`` or ``content`` value, which may be a string or blocks."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(
            str(b.get("text", "")) for b in content if isinstance(b, dict) and b.get("type") == "text"
        )
    return ""


def _is_result(message: Mapping[str, Any]) -> bool:
    content = message.get("content")
    return isinstance(content, list) and any(
        isinstance(b, dict) and b.get("type") == "tool_result" for b in content
    )


def usage(request: Request, answer: Answer) -> dict[str, int]:
    """Return plausible figures (four bytes a token), or those that the answer insists on."""
    spoken = sum(len(_payload(block)) for block in answer.blocks)
    counted = {"input_tokens": max(1, len(request.everything) // 4), "output_tokens": max(1, spoken // 4)}
    return {**counted, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, **answer.usage}


def message(request: Request, answer: Answer) -> dict[str, Any]:
    """Return the body of a reply that is not streamed."""
    blocks = []
    for index, block in enumerate(answer.blocks):
        if isinstance(block, Text):
            blocks.append({"type": "text", "text": block.text})
        else:
            blocks.append(
                {"type": "tool_use", "id": _tool_id(request, index), "name": block.name, "input": block.input}
            )
    return {
        "id": f"msg_fake{request.number:06d}",
        "type": "message",
        "role": "assistant",
        "model": str(request._get("model") or "fake"),
        "content": blocks,
        "stop_reason": answer.reason,
        "stop_sequence": None,
        "usage": usage(request, answer),
    }


def failure(answer: Answer) -> dict[str, Any]:
    """Return the body of an error reply."""
    return {"type": "error", "error": {"type": answer.error_type, "message": answer.message}}


def events(request: Request, answer: Answer) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the events of a streamed reply; a cut one ends midway through its last block."""
    whole = message(request, answer)
    start = {**whole, "content": [], "stop_reason": None, "usage": {**whole["usage"], "output_tokens": 1}}
    yield "message_start", {"type": "message_start", "message": start}
    for index, block in enumerate(whole["content"]):
        empty = {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": empty}
        text = _payload(answer.blocks[index])
        last = index == len(whole["content"]) - 1
        if answer.cut and last:
            text = text[: max(1, len(text) // 2)]
        for at in range(0, len(text), _CHUNK):
            piece = text[at : at + _CHUNK]
            delta = (
                {"type": "text_delta", "text": piece}
                if block["type"] == "text"
                else {"type": "input_json_delta", "partial_json": piece}
            )
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        if answer.cut == "reset" and last:
            return
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    if answer.cut:
        return
    yield (
        "message_delta",
        {
            "type": "message_delta",
            "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
            "usage": {"output_tokens": whole["usage"]["output_tokens"]},
        },
    )
    yield "message_stop", {"type": "message_stop"}


def _payload(block: Text | ToolUse) -> str:
    return block.text if isinstance(block, Text) else json.dumps(block.input, ensure_ascii=False)


def _tool_id(request: Request, index: int) -> str:
    return f"toolu_fake{request.number:06d}{index:02d}"
