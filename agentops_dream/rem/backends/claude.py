"""The ``claude`` command line client as a backend, with the least privilege it can have (SPEC §7).

Measured with the clients themselves. Three things beyond the flags matter: variables in the ``env`` of a
user's ``settings.json`` override the child's environment, so what protects the call is repeated in
``--settings``, which overrides both; ``--permission-mode plan`` would add a page of instructions about
writing plans to every prompt, ``dontAsk`` adds nothing and denies as much; without a limit the client
lets the model think for 31,999 tokens of the 32,000 that its reply may have.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agentops_dream.models import Usage
from agentops_dream.rem import binary, jsontext, process, schema
from agentops_dream.rem.call import Answer, Call
from agentops_dream.rem.errors import RemError, kind_of, one_line
from agentops_dream.rem.prices import estimate

RETRIES = 2
"""Of the client, on errors of the API; its own default keeps trying for three minutes."""
THINKING_TOKENS = 4096
TURNS = 2
"""One for the reply; one more if the model forgot to use the tool for it."""

PROTECTION: Mapping[str, str] = {
    "CLAUDE_CODE_SAFE_MODE": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    # With larger models 2.1.332 offers a placeholder tool otherwise.
    "ENABLE_TOOL_SEARCH": "false",
    "MAX_THINKING_TOKENS": str(THINKING_TOKENS),
    # The second barrier against a dream that starts a dream: the hook leaves when it sees this.
    "AGENTOPS_DREAM_CHILD": "1",
}

_PARENT = re.compile(
    r"CLAUDECODE|CLAUDE_CODE_ENTRYPOINT|CLAUDE_CODE_SESSION.*|CLAUDE_CODE_MESSAGING.*|CLAUDE_CODE_SSE_PORT"
    r"|CLAUDE_CODE_.*_FILE_DESCRIPTOR|CLAUDE_CODE_SIMPLE|CLAUDE_CODE_PARENT.*|CLAUDE_CODE_AGENT.*"
    r"|CLAUDE_CODE_ADDITIONAL_DIRECTORIES.*|CLAUDE_CODE_EXIT_AFTER_STOP_DELAY|CLAUDE_PROJECT_DIR"
    r"|CLAUDE_PLUGIN_.*|CLAUDE_ENV_FILE|NODE_CHANNEL_.*|VSCODE_INSPECTOR_OPTIONS"
)
"""Variables that belong to the session, plugin or debugger that we were started from."""


def ask(call: Call) -> Answer:
    """Return the client's answer to one call; raises ``RemError`` for everything that is none."""
    found = binary.find(call.env, call.binary)
    try:
        folder = Path(tempfile.mkdtemp(prefix="rem-", dir=call.workdir))
    except OSError as error:
        raise RemError("failed", f"no working directory in {call.workdir}: {error.strerror}") from None
    try:
        ended = process.run(
            [*found.argv, *flags(call)],
            stdin=call.user.encode("utf-8"),
            env=environment(call, found),
            cwd=folder,
            timeout=call.timeout,
        )
    except OSError as error:
        raise RemError("failed", f"{found.path} cannot be started: {error.strerror}") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if ended.how == "timeout":
        usage = estimate(call.model, call.system, call.user, seconds=ended.seconds)
        raise RemError("timeout", f"no answer within {call.timeout:g} s; the cost is an estimate", usage)
    if ended.how == "flood":
        usage = estimate(call.model, call.system, call.user, seconds=ended.seconds)
        raise RemError("failed", "the client printed without end; the cost is an estimate", usage)
    envelope = _envelope(ended.stdout)
    if envelope is None:
        raise _no_envelope(ended, found)
    return _answer(envelope, ended, call)


def flags(call: Call) -> tuple[str, ...]:
    """Return the arguments of the least-privilege call. None of them holds anything from memory."""
    return (
        "-p",
        *("--model", call.model),
        *("--permission-mode", "dontAsk"),
        *("--setting-sources", "user"),
        *("--settings", json.dumps({"disableAllHooks": True, "env": _fixed(call)}, separators=(",", ":"))),
        *("--tools", ""),
        "--strict-mcp-config",
        "--no-session-persistence",
        "--disable-slash-commands",
        *("--system-prompt", call.system),
        *("--output-format", "json"),
        *("--json-schema", json.dumps(schema.client_schema(), separators=(",", ":"))),
        *("--max-turns", str(TURNS)),
        *("--max-budget-usd", f"{call.budget_usd:.4f}"),
    )


def environment(call: Call, found: binary.Binary) -> dict[str, str]:
    """Return the child's environment: the given one without its parent's session, and protected."""
    kept = {name: value for name, value in call.env.items() if not _PARENT.fullmatch(name)}
    return {**kept, "PATH": binary.search_path(call.env, found), **_fixed(call)}


def _fixed(call: Call) -> dict[str, str]:
    # The time until a reply begins. All tries together, start and pauses included, stay within the time,
    # so that the client ends by itself and says what it spent.
    each = max(1.0, (call.timeout - min(12.0, call.timeout / 2)) / (RETRIES + 1))
    return {
        **PROTECTION,
        "CLAUDE_CODE_MAX_RETRIES": str(RETRIES),
        "API_TIMEOUT_MS": str(int(each * 1000)),
    }


# ---------------------------------------------------------------- what it printed


def _envelope(stdout: bytes) -> dict[str, Any] | None:
    try:
        text = stdout.decode("utf-8").strip()
    except UnicodeDecodeError:
        return None  # mended text would no longer be what the model wrote
    # A warning may stand before it; "verbose" in a user's settings makes it the last of a list.
    for part in (text, text.rpartition("\n")[2]):
        try:
            value = jsontext.loads(part)
        except ValueError:
            continue
        for message in reversed(value if isinstance(value, list) else [value]):
            if isinstance(message, dict) and message.get("type") == "result":
                return message
    return None


_REFUSED = re.compile(r"unknown (?:option|argument)|json.?schema|argument .* is invalid|missing --", re.I)


def _no_envelope(ended: process.Ended, found: binary.Binary) -> RemError:
    said = one_line(ended.stdout.decode("utf-8", "replace"))
    complained = one_line(ended.stderr.decode("utf-8", "replace"), 200)
    if _REFUSED.search(complained):
        return RemError("refused-flag", f"{found.path} is too old or too new for this call: {complained}")
    kind = kind_of(said) or kind_of(complained)
    if kind:
        return RemError(kind, said or complained)
    if ended.rc == 0 and not said:
        return RemError("empty", "the client said nothing")
    return RemError("failed", f"the client ended with {ended.rc}: {complained or said or 'no message'}")


def _answer(envelope: Mapping[str, Any], ended: process.Ended, call: Call) -> Answer:
    usage = _usage(envelope, ended.seconds, call.model)
    text = envelope.get("result")
    text = text if isinstance(text, str) else ""
    structured = envelope.get("structured_output")
    failed = ended.rc != 0 or envelope.get("is_error") is not False or envelope.get("subtype") != "success"
    if failed:
        raise _failure(envelope, text, ended.rc, usage)
    if structured is None:
        if "{" not in text:
            kind = kind_of(text)
            if kind:
                raise RemError(kind, text, usage)
        if "stop_reason" in envelope and envelope["stop_reason"] is None:
            # A stream that broke off looks like success in every other way, and mostly as if it were free.
            guess = estimate(call.model, call.system, call.user, seconds=ended.seconds)
            raise RemError("truncated", "the reply broke off", usage if usage.usd else guess)
        if envelope.get("stop_reason") == "max_tokens":
            raise RemError("truncated", "the reply was longer than it may be", usage)
    return Answer(structured, text, usage)


def _failure(envelope: Mapping[str, Any], text: str, rc: int, usage: Usage) -> RemError:
    subtype = str(envelope.get("subtype") or "")
    errors = envelope.get("errors")
    listed = "; ".join(map(str, errors)) if isinstance(errors, list) else ""
    words = text or listed or subtype or f"exit code {rc}"
    if envelope.get("stop_reason") == "refusal":
        return RemError("refusal", words, usage)
    if subtype == "error_max_budget_usd":
        return RemError("budget", f"the money cap of this call was reached: {words}", usage)
    if subtype in ("error_max_turns", "error_max_structured_output_retries"):
        return RemError("malformed", f"the model gave no reply that fits the schema ({subtype})", usage)
    status = envelope.get("api_error_status")
    return RemError(kind_of(words, status if isinstance(status, int) else 0) or "api", words, usage)


def _usage(envelope: Mapping[str, Any], seconds: float, model: str) -> Usage:
    """The client's own figures. After a broken stream ``usage`` is zero and ``modelUsage`` is not."""
    per_model = envelope.get("modelUsage")
    rows = [row for row in per_model.values() if isinstance(row, dict)] if isinstance(per_model, dict) else []
    flat = envelope.get("usage")
    flat = flat if isinstance(flat, dict) else {}
    read = sum(
        _count(row.get(key))
        for row in rows
        for key in ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
    )
    wrote = sum(_count(row.get("outputTokens")) for row in rows)
    usd = envelope.get("total_cost_usd")
    spent = float(usd) if isinstance(usd, (int, float)) and not isinstance(usd, bool) and usd >= 0 else 0.0
    return Usage(
        usd=spent,
        input_tokens=read
        or sum(
            _count(flat.get(key))
            for key in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        ),
        output_tokens=wrote or _count(flat.get("output_tokens")),
        calls=1,
        model=next(iter(per_model), model) if isinstance(per_model, dict) else model,
        seconds=seconds,
    )


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
