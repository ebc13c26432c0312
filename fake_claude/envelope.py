"""What ``claude -p --output-format json`` prints, in the forms measured with the real client."""

from __future__ import annotations

import json
from typing import Any

from fake_claude.answer import Answer
from fake_claude.flags import Call

_USD_IN, _USD_OUT = 1e-6, 5e-6
_SESSION = "00000000-0000-4000-8000-000000000000"


def render(answer: Answer, call: Call, prompt: str) -> tuple[str, int]:
    """Return stdout and the exit code."""
    if answer.dead:
        return "", 137
    if answer.stdout is not None:
        return answer.stdout, answer.rc or 0
    envelope, rc = _envelope(answer, call, prompt)
    envelope.update(answer.envelope)
    return json.dumps(envelope, ensure_ascii=False) + "\n", rc if answer.rc is None else answer.rc


def _envelope(answer: Answer, call: Call, prompt: str) -> tuple[dict[str, Any], int]:
    block = answer.structured
    spoken = answer.text if block is None else json.dumps(block.input, ensure_ascii=False)
    tokens = {"input_tokens": len(prompt) // 4 + 1, "output_tokens": len(spoken) // 4 + 1, **answer.usage}
    if answer.status != 200:
        tokens = {"input_tokens": 0, "output_tokens": 0}
    usd = round(tokens["input_tokens"] * _USD_IN + tokens["output_tokens"] * _USD_OUT, 6)
    base = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "api_error_status": None,
        "duration_ms": 63,
        "duration_api_ms": 51,
        "num_turns": 2 if block else 1,
        "stop_reason": answer.reason,
        "session_id": _SESSION,
        "total_cost_usd": usd,
        "usage": {**tokens, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
        "modelUsage": {
            call.model: {
                "inputTokens": tokens["input_tokens"],
                "outputTokens": tokens["output_tokens"],
                "cacheReadInputTokens": 0,
                "cacheCreationInputTokens": 0,
                "webSearchRequests": 0,
                "costUSD": usd,
            }
        },
        "permission_denials": [],
        "terminal_reason": "completed",
    }
    if answer.status == 401:
        return {**base, **_failed("Invalid API key · Fix external API key", 401)}, 1
    if answer.status != 200:
        return {**base, **_failed(f"API Error: {answer.status} {answer.message}", answer.status)}, 1
    if usd > call.budget:
        errors = [f"Reached maximum budget (${call.budget:g})"]
        return {
            **base,
            "subtype": "error_max_budget_usd",
            "is_error": True,
            "stop_reason": None,
            "errors": errors,
        }, 1
    if answer.cut == "reset":
        return {**base, **_failed("API Error: Connection to the API was lost (ECONNRESET).", None)}, 1
    if answer.cut:
        return {**base, "stop_reason": None, "result": spoken[: max(1, len(spoken) // 2)]}, 0
    if answer.reason == "refusal":
        text = "API Error: Claude Code is unable to respond to this request"
        return {**base, "is_error": True, "result": text}, 1
    if answer.reason == "max_tokens":
        text = "API Error: Claude's response exceeded the 32000 output token maximum."
        return {**base, **_failed(text, None)}, 1
    if block is None:
        return {**base, "result": spoken}, 0
    return {**base, "result": spoken, "structured_output": block.input}, 0


def _failed(text: str, status: int | None) -> dict[str, Any]:
    """API errors come back as a "success" that is an error."""
    return {"is_error": True, "api_error_status": status, "stop_reason": "stop_sequence", "result": text}
