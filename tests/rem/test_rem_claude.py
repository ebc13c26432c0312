"""The call of the client. Too loose: hooks, tools, memory and CLAUDE.md come along, or it starts itself again."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from rem_parts import (
    PORT,
    TODAY,
    TOKEN,
    USUAL,
    ask_client,
    calls,
    client,
    configured,
    entry,
    environment,
    shown,
)

from agentops_dream.rem.ask import ask
from agentops_dream.rem.backends.claude import PROTECTION
from agentops_dream.rem.errors import RemError


def refused(folder: Path, scenario: str = "tidy", **more: Any) -> RemError:
    with pytest.raises(RemError) as caught:
        ask_client(folder, scenario, **more)
    return caught.value


def value_of(flag: str, call: dict[str, Any]) -> str:
    argv: list[str] = call["argv"]
    assert argv.count(flag) == 1
    return argv[argv.index(flag) + 1]


def test_the_call_has_the_least_privilege_and_carries_the_prompt_on_stdin(tmp_path: Path) -> None:
    ask_client(tmp_path, "nothing", budget_usd=0.25, settings={"model": "claude-x"})
    [call] = calls(tmp_path)
    assert call["refused"] == ""
    assert value_of("--model", call) == "claude-x" and value_of("--max-budget-usd", call) == "0.2500"
    assert "deploy port" in call["stdin"]
    assert not any(text in word for word in call["argv"] for text in ("8080", "Today is", "port.yaml"))
    assert call["listing"] == [] and not os.path.exists(call["cwd"])
    assert Path(call["cwd"]).parent == tmp_path / "work"


def test_what_protects_the_call_is_also_in_the_settings_that_win(tmp_path: Path) -> None:
    """``env`` in a user's own settings would switch it off otherwise."""
    ask_client(tmp_path, "nothing")
    [call] = calls(tmp_path)
    settings = json.loads(value_of("--settings", call))
    assert settings["disableAllHooks"] is True
    for name, value in PROTECTION.items():
        assert settings["env"][name] == value
    assert settings["env"]["AGENTOPS_DREAM_CHILD"] == "1"


def test_nothing_of_the_session_it_came_from_comes_along(tmp_path: Path) -> None:
    ask_client(
        tmp_path, "nothing", env={"CLAUDE_CONFIG_DIR": "/c", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}
    )
    [call] = calls(tmp_path)
    left = {name for name in environment(tmp_path) if name.startswith("CLAUDE")} & set(call["env"])
    assert left == set()
    assert call["env"]["AGENTOPS_DREAM_CHILD"] == "1"
    assert call["env"]["CLAUDE_CONFIG_DIR"] == "/c", "the login is there"
    assert call["env"]["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:1"


@pytest.mark.parametrize("timeout", [5, 30, 120, 900])
def test_the_clients_own_tries_end_within_the_time(tmp_path: Path, timeout: int) -> None:
    """A client that is killed cannot say what it spent."""
    ask_client(tmp_path, "nothing", settings={"timeout": timeout})
    [call] = calls(tmp_path)
    tries = int(call["env"]["CLAUDE_CODE_MAX_RETRIES"]) + 1
    assert 0 < tries * int(call["env"]["API_TIMEOUT_MS"]) < timeout * 1000


@pytest.mark.parametrize("flag", ["--json-schema", "--tools", "--no-session-persistence", "--max-budget-usd"])
def test_a_client_that_does_not_know_a_flag_is_not_asked_with_less(tmp_path: Path, flag: str) -> None:
    error = refused(tmp_path, env={"FAKE_CLAUDE_UNKNOWN": flag})
    assert error.kind == "refused-flag" and flag in error.message
    assert len(calls(tmp_path)) == 1


@pytest.mark.parametrize(
    ("scenario", "kind"),
    [
        ("nothing_at_all", "empty"),
        ("error_with_rc_0", "api"),
        ("error_as_success", "api"),
        ("login", "login"),
        ("login_envelope", "login"),
        ("limit", "limit"),
        ("over_budget", "budget"),
    ],
)
def test_messages_of_the_client_are_errors_whatever_its_exit_code(
    tmp_path: Path, scenario: str, kind: str
) -> None:
    """A login text once ended up as a memory."""
    assert refused(tmp_path, scenario).kind == kind


def script(folder: Path, code: str) -> Path:
    path = folder / "bin" / "claude"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!{sys.executable}\nimport json, os, sys, time\n{code}\n")
    path.chmod(0o755)
    return path


def ask_script(folder: Path, code: str, **settings: Any) -> Any:
    script(folder, code)
    return ask(USUAL, configured(**settings), env=environment(folder), workdir=folder, today=TODAY)


ENVELOPE: dict[str, Any] = {
    "type": "result", "subtype": "success", "is_error": False, "stop_reason": "end_turn", "num_turns": 1,
    "result": '{"ops": [], "summary": "fine"}', "total_cost_usd": 0.01, "something_new": {"in": "a later version"},
    "usage": {"input_tokens": 3, "cache_read_input_tokens": 4, "output_tokens": 5},
}  # fmt: skip


def printing(*things: Any) -> str:
    return "".join(f"print({(t if isinstance(t, str) else json.dumps(t))!r});" for t in things)


@pytest.mark.parametrize(
    "printed",
    [
        (ENVELOPE,),
        ("(node:1) Warning: something is deprecated", ENVELOPE),
        ([{"type": "system"}, {"type": "assistant"}, ENVELOPE],),
        ({k: v for k, v in ENVELOPE.items() if k != "stop_reason"},),
        (
            {
                **ENVELOPE,
                "structured_output": {"ops": [], "summary": "fine"},
                "stop_reason": None,
                "result": "",
            },
        ),
    ],
    ids=["plain", "after a warning", "verbose", "an older version", "structured"],
)
def test_the_envelope_is_read_by_its_keys(tmp_path: Path, printed: tuple[Any, ...]) -> None:
    reply = ask_script(tmp_path, printing(*printed))
    assert reply.summary == "fine" and reply.usage.usd == 0.01
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (7, 5)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"stop_reason": None}, "truncated"),
        ({"stop_reason": "max_tokens"}, "truncated"),
        ({"is_error": True}, "api"),
        ({"is_error": None}, "api"),
        ({"subtype": "error_during_execution"}, "api"),
        ({"subtype": "error_max_turns", "is_error": True, "result": None}, "malformed"),
        ({"subtype": "error_max_structured_output_retries", "is_error": True}, "malformed"),
        ({"subtype": "error_max_budget_usd", "is_error": True, "errors": ["Reached"]}, "budget"),
        ({"stop_reason": "refusal", "is_error": True}, "refusal"),
        ({"is_error": True, "api_error_status": 413, "result": "API Error: 413"}, "too-long"),
        ({"is_error": True, "result": "API Error: Request timed out."}, "timeout"),
        ({"result": None}, "empty"),
        ({"result": 7}, "empty"),
        ({"structured_output": "text"}, "malformed"),
        ({"total_cost_usd": "a lot", "usage": None, "modelUsage": [], "result": ""}, "empty"),
    ],
)
def test_an_envelope_that_is_no_success_is_an_error(
    tmp_path: Path, change: dict[str, Any], kind: str
) -> None:
    with pytest.raises(RemError) as caught:
        ask_script(tmp_path, printing({**ENVELOPE, **change}))
    assert caught.value.kind == kind


def test_a_stream_that_broke_off_is_not_taken_for_free(tmp_path: Path) -> None:
    """Then the client's own figures are zero, or stand only under ``modelUsage``."""
    broken = {**ENVELOPE, "stop_reason": None, "total_cost_usd": 0, "usage": {"input_tokens": 0}}
    model = {"inputTokens": 30, "cacheReadInputTokens": 4, "cacheCreationInputTokens": 1, "outputTokens": 7}
    with pytest.raises(RemError) as caught:
        ask_script(tmp_path, printing(broken))
    assert caught.value.usage.usd > 0
    with pytest.raises(RemError) as caught:
        ask_script(tmp_path, printing({**broken, "total_cost_usd": 0.5, "modelUsage": {"claude-x": model}}))
    spent = caught.value.usage
    assert (spent.usd, spent.input_tokens, spent.output_tokens, spent.model) == (0.5, 35, 7, "claude-x")


def test_a_success_with_a_bad_exit_code_is_none(tmp_path: Path) -> None:
    with pytest.raises(RemError):
        ask_script(tmp_path, printing(ENVELOPE) + "sys.exit(1)")


@pytest.mark.parametrize(
    "code",
    [
        "print('Segmentation fault'); sys.exit(139)",
        "os.write(1, b'\\xff\\xfe{'); sys.exit(0)",
        "print('[' * 100000)",
        f"os.write(1, json.dumps({ENVELOPE!r}).encode().replace(b'fine', b'\\xfffine'))",
        "print('[1, 2]')",
        "print(json.dumps({'ops': []}))",
    ],
)
def test_anything_else_on_stdout_is_an_error(tmp_path: Path, code: str) -> None:
    with pytest.raises(RemError) as caught:
        ask_script(tmp_path, code)
    assert caught.value.kind == "failed"


def test_a_complaint_is_passed_on_in_one_line_without_secrets(tmp_path: Path) -> None:
    with pytest.raises(RemError) as caught:
        ask_script(tmp_path, f"sys.stderr.write('bad\\nkey {TOKEN} ' + 'x' * 5000); sys.exit(1)")
    assert "bad key" in caught.value.message and TOKEN not in caught.value.message
    assert len(caught.value.message) < 500


def test_output_without_end_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RemError) as caught:
        ask_script(tmp_path, "while True: sys.stdout.write('x' * 1_000_000)")
    assert caught.value.kind == "failed" and caught.value.usage.usd > 0


def test_a_program_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    path = script(tmp_path, "")
    path.write_text("#!/no/such/interpreter\n")
    with pytest.raises(RemError) as caught:
        ask(USUAL, configured(), env=environment(tmp_path), workdir=tmp_path, today=TODAY)
    assert caught.value.kind == "failed" and str(path) in caught.value.message


def test_a_work_directory_that_cannot_be_used_is_an_error_before_money(tmp_path: Path) -> None:
    client(tmp_path)
    with pytest.raises(RemError) as caught:
        ask(USUAL, configured(), env=environment(tmp_path), workdir=tmp_path / "no", today=TODAY)
    assert caught.value.kind == "failed" and calls(tmp_path) == []


def test_its_directory_is_private(tmp_path: Path) -> None:
    code = "m = os.stat('.').st_mode; print(json.dumps({**%r, 'result': '{\"ops\": [], \"summary\": \"%%o\"}' %% (m & 0o777)}))"
    reply = ask_script(tmp_path, code % ENVELOPE)
    assert int(reply.summary, 8) == stat.S_IRWXU


def test_a_large_prompt_in_any_script_arrives_whole(tmp_path: Path) -> None:
    big = entry("big.md", "記憶は眠りの中で整理される。 " * 8_000 + "THE END")
    ask_client(tmp_path, "nothing", shown(big, context=(PORT,)))
    [call] = calls(tmp_path)
    assert "THE END" in call["stdin"] and call["stdin"].count("整理") == 8_000
