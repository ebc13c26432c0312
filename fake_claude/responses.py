"""An OpenAI Responses API on the loopback, so that the real Codex CLI runs without a network.

It answers every turn with one sentence and records what it was asked: enough to see which
instructions Codex found in ``AGENTS.md``.

    with FakeResponses() as api:
        api.configure(codex_home)
        subprocess.run(["codex", "exec", "hello"], env={**env, **api.env(codex_home)})
    assert "remembered" in api.instructions
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fake_claude.loopback import Call, Loopback

_CONFIG = """\
model = "gpt-5"
model_provider = "stand-in"
[model_providers.stand-in]
name = "stand-in"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "FAKE_RESPONSES_KEY"
request_max_retries = 0
stream_max_retries = 0
"""


class FakeResponses(Loopback):
    """The server, as a context manager."""

    def __init__(self, *, reply: str = "Understood.", **bounds: Any) -> None:
        super().__init__(**bounds)
        self.reply = reply
        self.bodies: list[dict[str, Any]] = []
        """Bodies of the model requests, in order."""

    def configure(self, codex_home: str | os.PathLike[str]) -> None:
        """Write the ``config.toml`` that sends Codex here."""
        folder = Path(codex_home)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.toml").write_text(_CONFIG.format(url=self.url), encoding="utf-8")

    def env(self, codex_home: str | os.PathLike[str]) -> dict[str, str]:
        """Return what Codex needs in its environment."""
        return {"CODEX_HOME": os.fspath(codex_home), "FAKE_RESPONSES_KEY": "fake-key-for-a-local-stand-in"}

    @property
    def instructions(self) -> str:
        """All text that Codex sent to the model, over all requests."""
        with self.lock:
            bodies = list(self.bodies)
        texts = []
        for body in bodies:
            texts.append(str(body.get("instructions") or ""))
            for item in body.get("input") or ():
                content = item.get("content") or ()
                parts = (
                    [content] if isinstance(content, str) else [str(part.get("text", "")) for part in content]
                )
                texts.extend(parts)
        return "\n".join(texts)

    def handle(self, call: Call) -> None:
        """Answer one HTTP request."""
        if call.command == "POST" and call.where == "/v1/responses" and isinstance(call.payload, dict):
            with self.lock:
                self.bodies.append(call.payload)
            call.stream(_events(self.reply, len(json.dumps(call.payload)) // 4))
        elif call.where == "/v1/models":
            call.json(200, {"object": "list", "data": [{"id": "gpt-5", "object": "model"}]})
        else:
            call.json(404, {"error": {"message": "not part of the stand-in", "type": "not_found"}})


def _events(text: str, tokens: int) -> Iterator[tuple[str, dict[str, Any]]]:
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {
        "type": "message",
        "id": "msg_fake",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }
    opened = {**item, "status": "in_progress", "content": []}
    response = {
        "id": "resp_fake",
        "object": "response",
        "status": "in_progress",
        "model": "gpt-5",
        "output": [],
    }
    usage = {
        "input_tokens": tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 3,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens + 3,
    }
    done = {**response, "status": "completed", "output": [item], "usage": usage}
    at = {"item_id": "msg_fake", "output_index": 0, "content_index": 0}
    for event in (
        {"type": "response.created", "response": response},
        {"type": "response.output_item.added", "output_index": 0, "item": opened},
        {"type": "response.output_text.delta", **at, "delta": text},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": done},
    ):
        yield str(event["type"]), event
