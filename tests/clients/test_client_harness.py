"""The real clients and the stand-ins understand each other.

Slow for the sake of the default run, in which ``test_client_dream.py`` shows as much.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import client_install
import pytest
from client_desk import Desk
from client_tracer import Tracer

from fake_claude.answer import say
from fake_claude.responses import FakeResponses
from fake_claude.server import remember

pytestmark = [pytest.mark.client, pytest.mark.slow]

NOTE = (
    "---\nname: Deploy port\ndescription: the port\ntype: project\nowner_team: ops\n---\nThe port is 8080.\n"
)
_SCHEMA = {
    "type": "object",
    "properties": {"ops": {"type": "array", "items": {"type": "object"}}, "summary": {"type": "string"}},
    "required": ["ops", "summary"],
}
LEAST = {
    "CLAUDE_CODE_SAFE_MODE": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
}


def least_privilege_call(desk: Desk) -> tuple[int, dict[str, object]]:
    empty = desk.folder / "empty"
    empty.mkdir(exist_ok=True)
    flags = ["-p", "--setting-sources", "user", "--settings", '{"disableAllHooks":true}', "--tools", ""]
    flags += ["--strict-mcp-config", "--no-session-persistence", "--disable-slash-commands"]
    flags += [
        "--system-prompt",
        "You dream.",
        "--output-format",
        "json",
        "--json-schema",
        json.dumps(_SCHEMA),
    ]
    flags += ["--max-turns", "2", "--max-budget-usd", "0.5", "--model", "claude-haiku-4-5-20251001"]
    done = subprocess.run(
        [str(desk.bin / "claude"), *flags],
        cwd=empty,
        env={**desk.env, **LEAST},
        input="Hello.",
        capture_output=True,
        text=True,
        timeout=90,
    )
    return done.returncode, json.loads(done.stdout)


def test_the_model_writes_a_memory_with_the_clients_own_tool(desk: Desk, tmp_path: Path) -> None:
    """Also shows that plugin hooks fire and that the client moves unknown keys below ``metadata``."""
    tracer = Tracer(tmp_path / "tracer")
    desk.install_plugin(tracer.folder)
    desk.api.agent = [remember("deploy-port.md", NOTE), say("Remembered.")]
    session = desk.session("Remember the port, please.")
    desk.wait_for_quiet()
    assert (session.rc, session.result) == (0, "Remembered.")
    assert session.memory.is_relative_to(desk.config / "projects")
    text = (session.memory / "deploy-port.md").read_text()
    assert "node_type: memory" in text and "owner_team: ops" in text and "The port is 8080." in text
    assert tracer.names() == ["Stop", "SessionEnd"]


def test_the_least_privilege_call_offers_one_tool_and_leaves_nothing(desk: Desk, tmp_path: Path) -> None:
    tracer = Tracer(tmp_path / "tracer")
    desk.install_plugin(tracer.folder)
    (desk.config / "CLAUDE.md").write_text("Always say PINEAPPLE.")
    desk.api.dreamer = "nothing"
    rc, envelope = least_privilege_call(desk)
    assert rc == 0 and envelope["structured_output"] == {"ops": [], "summary": "Nothing to do."}
    (request,) = desk.api.dreams
    assert request.tools == ("StructuredOutput",)
    assert "PINEAPPLE" not in request.everything
    assert tracer.names() == [] and not list(desk.config.glob("projects/*/*.jsonl"))


@pytest.mark.parametrize(
    ("name", "rc", "expected"),
    [
        ("reply_text", 0, {"is_error": False, "subtype": "success"}),
        ("reply_empty", 0, {"result": ""}),
        ("ops_null", 1, {"subtype": "error_max_turns"}),
        ("bad_request", 1, {"is_error": True, "api_error_status": 400, "subtype": "success"}),
        ("unauthorized", 1, {"is_error": True, "api_error_status": 401}),
        ("rate_limited", 1, {"is_error": True, "api_error_status": 429}),
        ("overloaded", 1, {"is_error": True, "api_error_status": 529}),
        ("refusal", 1, {"is_error": True, "stop_reason": "refusal"}),
        ("out_of_tokens", 1, {"is_error": True, "api_error_status": None}),
        ("over_budget", 1, {"subtype": "error_max_budget_usd", "is_error": True}),
        ("cut_off", 1, {"is_error": True, "api_error_status": None}),
        ("dead", 1, {"is_error": True, "api_error_status": None}),
    ],
)
def test_failures_look_as_the_stand_in_executable_says(
    desk: Desk, name: str, rc: int, expected: dict[str, object]
) -> None:
    """The executable's envelopes are only worth something if the real client's look like them."""
    desk.api.dreamer = name
    real_rc, envelope = least_privilege_call(desk)
    assert real_rc == rc
    assert {key: envelope.get(key) for key in expected} == expected


def test_a_stream_cut_midway_looks_like_success_in_one_version(desk: Desk) -> None:
    desk.api.dreamer = "cut"
    rc, envelope = least_privilege_call(desk)
    if desk.version == "2.1.197":
        assert (rc, envelope["is_error"], envelope["stop_reason"]) == (0, False, None) and envelope["result"]
    else:
        assert (rc, envelope["is_error"]) == (1, True)


def test_memory_written_after_stop_is_followed_by_another_event(desk: Desk, tmp_path: Path) -> None:
    tracer = Tracer(tmp_path / "tracer")
    desk.turn_on_extraction()
    desk.install_plugin(tracer.folder)
    desk.api.agent = [say("Noted.")]
    desk.api.extractor = [remember("late.md", NOTE), say("Saved.")]
    session = desk.session(
        "Please note for the future that we always deploy on port 8080 on Fridays, thank you."
    )
    desk.wait_for_quiet()
    assert "The port is 8080." in (session.memory / "late.md").read_text()
    # The pass does not wait for the hooks of Stop: on a loaded machine either may be done first.
    assert sorted(tracer.names()[:2]) == ["Stop", "SubagentStop"] and tracer.names()[2:] == ["SessionEnd"]


def test_a_command_typed_in_the_terminal_ui_reaches_the_model(desk: Desk, tmp_path: Path) -> None:
    desk.install_plugin(Tracer(tmp_path / "tracer").folder)
    desk.api.agent = [say("I have seen it.")]
    with desk.terminal() as terminal:
        terminal.line("/trace one two")
        terminal.wait_until(lambda: desk.api.turns, "a request of the agent")
        terminal.wait_for("I have seen it.")
        terminal.end()
    desk.wait_for_quiet()
    assert "traced one two" in desk.api.turns[0].prompt


def test_codex_sends_the_agents_file(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    project.mkdir()
    (project / "AGENTS.md").write_text("# Mine\n\nAlways say PINEAPPLE.\n")
    with FakeResponses() as api:
        api.configure(home / ".codex")
        env = {"HOME": str(home), "PATH": "/usr/bin:/bin", **api.env(home / ".codex")}
        command = [str(client_install.codex()), "exec", "--skip-git-repo-check", "hello"]
        done = subprocess.run(
            command,
            cwd=project,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=90,
        )
    assert done.returncode == 0 and "Understood." in done.stdout
    assert "Always say PINEAPPLE." in api.instructions
