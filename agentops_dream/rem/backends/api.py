"""The Anthropic API as a backend, through its SDK (SPEC §3 ``BACKEND=api``, §7).

No tools: the reply is bound to the schema by ``output_config``. The reply is streamed, so that a
deadline can be kept and a reply that breaks off is seen as such. The SDK is imported only here; who
does not choose this backend does not need it.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agentops_dream.models import Usage
from agentops_dream.rem import prices, schema
from agentops_dream.rem.call import Answer, Call
from agentops_dream.rem.errors import RemError, kind_of

if TYPE_CHECKING:
    import anthropic

RETRIES = 2
MOST_OUTPUT = 32_000
"""Tokens. A reply holds each entry at most once, and all entries together have fewer."""
LEAST_OUTPUT = 2_000
"""With less than this left in the budget no useful reply can be had."""

_OUTPUT = {"format": {"type": "json_schema", "schema": schema.strict_schema()}}


def ask(
    call: Call, *, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
) -> Answer:
    """Return the model's answer to one call; raises ``RemError`` for everything that is none."""
    sdk = _sdk()
    client = _client(sdk, call)
    limit = _output_limit(call)
    started = clock()
    deadline = started + call.timeout
    for attempt in range(RETRIES + 1):
        try:
            return _once(sdk, client, call, limit, deadline, clock, started)
        except sdk.APIError as error:
            pause = _pause(sdk, error, attempt)
            if pause is None or attempt == RETRIES or clock() + pause >= deadline:
                raise _failure(sdk, error, call) from None
            sleep(pause)
    raise AssertionError("the last attempt returns or raises")


def load() -> str:
    """Return the name and version of the SDK, loading it; raises ``RemError`` if it is not installed."""
    return f"anthropic {_sdk().__version__}"


def _sdk() -> Any:
    try:
        return importlib.import_module("anthropic")
    except ImportError:
        remedy = "pip install 'agentops-dreaming[api]', or choose another AGENTOPS_DREAM_BACKEND"
        raise RemError("not-found", f"the api backend needs the anthropic package: {remedy}") from None


def _client(sdk: Any, call: Call) -> anthropic.Anthropic:
    key, token = call.env.get("ANTHROPIC_API_KEY"), call.env.get("ANTHROPIC_AUTH_TOKEN")
    if not key and not token:
        raise RemError("login", "the api backend needs ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN")
    credential = {"api_key": key} if key else {"auth_token": token}
    client: anthropic.Anthropic = sdk.Anthropic(
        base_url=call.env.get("ANTHROPIC_BASE_URL") or "https://api.anthropic.com",
        max_retries=0,  # ours know the deadline
        **credential,
    )
    return client


def _output_limit(call: Call) -> int:
    """Output tokens that the budget allows; raises ``RemError`` before any money is spent."""
    per_input, per_output = prices.per_token(call.model)
    left = call.budget_usd - per_input * (prices.tokens(call.system) + prices.tokens(call.user))
    affordable = int(left / per_output)
    if affordable < LEAST_OUTPUT:
        raise RemError("budget", f"${call.budget_usd:.2f} is not enough for this call; nothing was sent")
    return min(MOST_OUTPUT, affordable)


def _once(
    sdk: Any,
    client: anthropic.Anthropic,
    call: Call,
    limit: int,
    deadline: float,
    clock: Callable[[], float],
    started: float,
) -> Answer:
    message: Any = None
    try:
        with client.messages.stream(
            model=call.model,
            max_tokens=limit,
            system=call.system,
            messages=[{"role": "user", "content": call.user}],
            # Not as an argument of its own: older versions of the SDK do not know its name.
            extra_body={"output_config": _OUTPUT},
            timeout=max(0.1, deadline - clock()),
        ) as stream:
            for _ in stream:
                message = stream.current_message_snapshot
                if clock() > deadline:
                    usage = _usage(message, call, clock() - started)
                    raise RemError("timeout", f"no complete answer within {call.timeout:g} s", usage)
    except _transport_errors() as error:
        if message is None:
            raise RemError("api", f"the connection broke: {error}") from None
        raise RemError("truncated", "the reply broke off", _usage(message, call, clock() - started)) from None
    except sdk.APIError as error:
        if message is None:
            raise
        failure = _failure(sdk, error, call)
        raise RemError(failure.kind, failure.message, _usage(message, call, clock() - started)) from None
    if message is None:
        raise RemError("empty", "the API sent no message")
    return _complete(message, _usage(message, call, clock() - started))


def _complete(message: Any, usage: Usage) -> Answer:
    text = "".join(block.text for block in message.content if block.type == "text")
    reason = message.stop_reason
    if reason == "refusal":
        raise RemError("refusal", "the model declined", usage)
    if reason in ("max_tokens", "model_context_window_exceeded"):
        raise RemError("truncated", f"the reply was longer than it may be ({reason})", usage)
    if reason is None:
        raise RemError("truncated", "the reply broke off", usage)
    return Answer(None, text, usage)


def _usage(message: Any, call: Call, seconds: float) -> Usage:
    counted = message.usage
    read = counted.input_tokens or 0
    cache_read = counted.cache_read_input_tokens or 0
    cache_write = counted.cache_creation_input_tokens or 0
    wrote = counted.output_tokens or 0
    return Usage(
        usd=prices.cost(call.model, read=read, wrote=wrote, cache_read=cache_read, cache_write=cache_write),
        input_tokens=read + cache_read + cache_write,
        output_tokens=wrote,
        calls=1,
        model=message.model or call.model,
        seconds=seconds,
    )


def _pause(sdk: Any, error: Exception, attempt: int) -> float | None:
    """Seconds until another try makes sense; ``None`` if none does."""
    if isinstance(error, sdk.APITimeoutError):
        return None  # the time is up
    if isinstance(error, sdk.APIStatusError):
        if error.status_code not in (408, 409, 429) and error.status_code < 500:
            return None
        try:
            return max(0.0, float(error.response.headers.get("retry-after", "")))
        except ValueError:
            pass
    return 0.5 * 2.0**attempt


def _failure(sdk: Any, error: Exception, call: Call) -> RemError:
    if isinstance(error, sdk.APITimeoutError):
        usage = prices.estimate(call.model, call.system, call.user, seconds=call.timeout)
        return RemError("timeout", f"no answer within {call.timeout:g} s; the cost is an estimate", usage)
    status = error.status_code if isinstance(error, sdk.APIStatusError) else 0
    words = _words(error)
    return RemError(kind_of(words, status) or "api", f"{status} {words}" if status else words)


def _words(error: Exception) -> str:
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    message = inner.get("message") if isinstance(inner, dict) else None
    return message if isinstance(message, str) and message else str(error)


def _transport_errors() -> tuple[type[Exception], ...]:
    """What breaks out of a stream that dies: the SDK does not wrap the errors of its HTTP library."""
    found = []
    for name in ("httpx2", "httpx"):
        try:
            found.append(importlib.import_module(name).TransportError)
        except ImportError:
            continue
    return tuple(found)
