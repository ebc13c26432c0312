"""The whole way, in the real client: install, work, and find memory refined without having waited.

The model is a stand-in; the client, its tools, its hooks and the detached worker are the real ones.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import client_install
import pytest
from client_desk import Desk, Session
from client_layouts import LAYOUTS
from client_tracer import Tracer
from page_visitor import drive

from fake_claude.answer import say
from fake_claude.prompt import parse
from fake_claude.responses import FakeResponses
from fake_claude.server import remember

pytestmark = pytest.mark.client

NOTE = """\
---
name: deploy-port
description: "note to self: the deploy port of the billing service"
metadata:
  type: project
owner_team: ops
reviewers: [ada, bob]
---

Note to self: the deploy port of the billing service is `8080`.

**Why:** the proxy in `ops/proxy.toml` expects it.
**How to apply:** never change it without telling ops.
"""
INDEX = """\
# Memory of the team

Written by hand, and with care.

- [Deploy port](deploy-port.md) — note to self: the deploy port of the billing service

| table | by hand |
|---|---|
"""
DESCRIPTION = "The deploy port of the billing service"
WHOLE_SESSION = (remember("deploy-port.md", NOTE), remember("MEMORY.md", INDEX), say("Remembered."))
HELLO = (say("Hello."),)


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """A desk with the plugin, a model that tidies up, and no waiting between two dreams."""
    desk.extra["AGENTOPS_DREAM_MIN_INTERVAL"] = "0"
    desk.api.dreamer = "tidy"
    return desk


def work(desk: Desk, *turns: Any, cwd: Path | None = None) -> Session:
    """One session, and everything that it set off, to the end."""
    desk.api.agent = turns or WHOLE_SESSION
    session = desk.session("Remember where the billing service is deployed, please.", cwd=cwd)
    assert session.rc == 0, session.stderr
    desk.wait_for_quiet(120)
    return session


def receipts(desk: Desk) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(desk.state.glob("state/*/runs/*/receipt.json"))]


def state_files(desk: Desk) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in desk.state.rglob("*") if path.is_file()}


def log_of(desk: Desk) -> str:
    path = desk.state / "dream.log"
    return path.read_text() if path.exists() else ""


def assert_refined(desk: Desk, memory: Path) -> None:
    """The entry says the same in better words, and kept what is none of our business."""
    text = (memory / "deploy-port.md").read_text()
    assert DESCRIPTION in text and "ote to self" not in text, text + log_of(desk)
    assert (
        "The deploy port of the billing service is `8080`.\n\n**Why:** the proxy in `ops/proxy.toml`" in text
    )
    assert "owner_team: ops" in text and "originSessionId: " in text and "node_type: memory" in text
    assert "ada" in text and "bob" in text


def block_of(project: Path) -> str:
    text = (project / "AGENTS.md").read_text()
    start, end = "<!-- agentops:dreaming:start -->", "<!-- agentops:dreaming:end -->"
    assert text.count(start) == text.count(end) == 1
    return text[text.index(start) : text.index(end)]


def test_a_session_is_followed_by_a_dream_that_nobody_waited_for(desk: Desk) -> None:
    tracer = Tracer(desk.folder / "tracer")
    desk.install_plugin()  # First: installing is a session of its own to the hooks below.
    desk.seed(mcpServers={"tracer": tracer.mcp_server()})
    events = ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SubagentStop", "SessionEnd")
    desk.settings(hooks={name: [{"hooks": [tracer.hook()]}] for name in events})
    (desk.config / "CLAUDE.md").write_text("Always say PINEAPPLE.")
    (desk.project / "CLAUDE.md").write_text("Always say MANGO.")

    session = work(desk)

    (request,) = desk.api.dreams
    assert request.tools == ("StructuredOutput",)
    asked_by = {call.headers["x-claude-code-session-id"] for call in desk.api.calls if call is not request}
    assert asked_by == {session.id}, "somebody else asked the model, too"
    (entry,) = parse(request.prompt).entries
    assert entry.id == "deploy-port" and "ops/proxy.toml" in entry.body and entry.focus
    for injected in ("PINEAPPLE", "MANGO", str(session.memory)):
        assert injected in desk.api.turns[0].everything and injected not in request.everything
    assert tracer.mcp_starts() == 1, "the dream started the user's MCP server, or nobody did"
    assert {event.payload["session_id"] for event in tracer.fired()} == {session.id}, (
        "a hook fired in the dream"
    )
    assert [path.stem for path in desk.config.glob("projects/**/*.jsonl")] == [session.id]

    assert_refined(desk, session.memory)
    index = (session.memory / "MEMORY.md").read_text()
    assert index == INDEX.replace("note to self: the deploy port", "The deploy port")
    assert f"- **{DESCRIPTION}** ([[deploy-port]])" in block_of(desk.project)
    (receipt,) = receipts(desk)
    assert receipt["outcome"] == "applied" and receipt["usage"]["usd"] > 0

    # Nothing new: nothing is asked, written or started, though the waiting time is over.
    before = state_files(desk)
    second = work(desk, *HELLO)
    assert len(desk.api.dreams) == 1 and len(receipts(desk)) == 1
    (notice,) = (path for path in before if path.name == "notice.json")
    line = json.loads(before.pop(notice))["text"]
    assert line in json.dumps(second.events, ensure_ascii=False)
    assert not [turn for turn in desk.api.turns if line[:30] in turn.everything], "the model paid for the user's line"
    assert state_files(desk) == before


_ELSEWHERE = (
    "a_subfolder_of_a_repository",
    "a_linked_worktree",
    "spaces_dots_underscores_and_japanese",
    "another_config_directory",
    "a_memory_directory_from_the_users_settings",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", _ELSEWHERE)
def test_a_session_is_followed_by_a_dream_wherever_it_is_started(desk: Desk, name: str) -> None:
    start = LAYOUTS[name](desk)
    desk.install_plugin()
    session = work(desk, cwd=start)
    assert len(desk.api.dreams) == 1
    assert_refined(desk, session.memory)
    root = desk.project if name == "a_subfolder_of_a_repository" else start
    assert DESCRIPTION in block_of(root)
    work(desk, *HELLO, cwd=start)
    assert len(desk.api.dreams) == 1


@pytest.mark.slow
def test_memory_written_after_stop_is_dreamt_over(desk: Desk) -> None:
    desk.turn_on_extraction()
    desk.install_plugin()
    desk.api.agent = [say("Noted.")]
    desk.api.extractor = [remember("deploy-port.md", NOTE), say("Saved.")]
    session = desk.session(
        "Please note for the future that the billing service is deployed on port 8080, thanks."
    )
    desk.wait_for_quiet(120)
    assert len(desk.api.dreams) == 1, log_of(desk)
    assert_refined(desk, session.memory)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["2.1.332"])
def test_the_first_dream_builds_its_own_environment(desk: Desk) -> None:
    """What everybody's first dream does; the other tests are spared it."""
    del desk.extra["AGENTOPS_DREAM_PYTHON"]
    desk.install_plugin()
    session = work(desk)
    assert len(desk.api.dreams) == 1, log_of(desk)
    assert_refined(desk, session.memory)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["2.1.332"])
def test_with_the_api_backend_the_client_is_not_asked_to_dream(desk: Desk) -> None:
    desk.extra["AGENTOPS_DREAM_BACKEND"] = "api"
    desk.install_plugin()
    session = work(desk)
    (request,) = desk.api.dreams
    assert request.tools == () and "claude-cli" not in request.headers["user-agent"]
    assert_refined(desk, session.memory)


# ---------------------------------------------------------------- Codex


def codex_says(desk: Desk) -> str:
    """What Codex tells its model in the desk's project."""
    with FakeResponses() as api:
        home = desk.folder / "codex home"
        api.configure(home)
        env = {"HOME": str(desk.home), "PATH": "/usr/bin:/bin", **api.env(home)}
        done = subprocess.run(
            [str(client_install.codex()), "exec", "--skip-git-repo-check", "hello"],
            cwd=desk.project,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=90,
        )
        assert done.returncode == 0, done.stderr
        return api.instructions


@pytest.mark.parametrize("version", ["2.1.332"])
@pytest.mark.parametrize("by_hand", [0, pytest.param(32_255, marks=pytest.mark.slow)])
def test_codex_sends_what_was_mirrored(desk: Desk, by_hand: int) -> None:
    """The second project's AGENTS.md leaves 513 bytes of what Codex reads."""
    desk.git("init", "-q")
    agents = desk.project / "AGENTS.md"
    if by_hand:
        line = "This line was written by hand and stays. 手書き\n"
        agents.write_text(line * (by_hand // len(line.encode())))
        agents.write_bytes(agents.read_bytes() + b"x" * (by_hand - agents.stat().st_size - 1) + b"\n")
    desk.install_plugin()
    work(desk)
    assert agents.stat().st_size <= 32_768
    said = codex_says(desk)
    assert block_of(desk.project).strip() in said and DESCRIPTION in said
    assert "<!-- agentops:dreaming:end -->" in said


# ---------------------------------------------------------------- /dream


def type_command(desk: Desk, words: str) -> str:
    """Type a command in the terminal UI; returns what it made the client tell its model."""
    desk.api.agent = [say("I have read it.")]
    before = len(desk.api.turns)
    with desk.terminal() as terminal:
        terminal.line(words)
        terminal.wait_until(lambda: len(desk.api.turns) > before, f"{words} reaches the model", 120)
        terminal.wait_for("I have read it.")
        terminal.end()
    desk.wait_for_quiet(120)
    return desk.api.turns[before].prompt


@pytest.mark.parametrize("version", [pytest.param("2.1.197", marks=pytest.mark.slow), "2.1.332"])
def test_dream_status_typed_in_the_terminal_ui(desk: Desk) -> None:
    desk.install_plugin()
    work(desk)
    told = type_command(desk, "/dream status")
    assert receipts(desk)[0]["run"] in told
    assert len(desk.api.dreams) == 1


@pytest.fixture
def undreamt(desk: Desk) -> tuple[Desk, Path]:
    """A desk whose memory waits to be dreamt over, because no hook may do it; and that memory."""
    desk.extra["AGENTOPS_DREAM_MAX_PER_DAY"] = "0"
    desk.install_plugin()
    session = work(desk)
    assert not desk.api.dreams
    return desk, session.memory


@pytest.mark.slow
def test_dream_typed_in_the_terminal_ui_dreams_now(undreamt: tuple[Desk, Path]) -> None:
    desk, memory = undreamt
    told = type_command(desk, "/dream")
    assert_refined(desk, memory)
    (receipt,) = receipts(desk)
    assert receipt["run"] in told and len(desk.api.dreams) == 1


@pytest.mark.slow
def test_dream_audit_typed_in_the_terminal_ui_touches_nothing(undreamt: tuple[Desk, Path]) -> None:
    desk, memory = undreamt

    def files() -> dict[str, bytes]:
        return {
            os.fspath(p): p.read_bytes() for f in (memory, desk.project) for p in f.rglob("*") if p.is_file()
        }

    before = files()
    told = type_command(desk, "/dream audit")
    assert files() == before and len(desk.api.dreams) == 1
    assert list(desk.state.glob("staging/*/ops-*.json")) and "review" in told
    assert "note to self" in (memory / "deploy-port.md").read_text()


@pytest.mark.slow
def test_the_line_at_session_start_is_on_the_user_s_screen_and_not_in_the_model_s_context(desk: Desk) -> None:
    desk.install_plugin()
    work(desk)
    desk.api.agent = [say("Hello yourself.")]
    before = len(desk.api.turns)
    with desk.terminal() as terminal:
        terminal.wait_for("Dreamt over memory: 1 change. Take it back: /dream undo")
        terminal.line("hello")
        terminal.wait_for("Hello yourself.")
        terminal.end()
    assert len(desk.api.turns) > before
    assert not [turn for turn in desk.api.turns if "Dreamt over memory" in turn.everything]


@pytest.mark.parametrize("version", [pytest.param("2.1.197", marks=pytest.mark.slow), "2.1.332"])
def test_dream_show_and_undo_typed_in_the_terminal_ui(desk: Desk) -> None:
    desk.install_plugin()
    session = work(desk)
    (receipt,) = receipts(desk)
    told = type_command(desk, "/dream show")
    assert receipt["run"] in told and "update" in told and "/dream undo" in told
    told = type_command(desk, "/dream undo")
    assert f"took back run {receipt['run']}" in told
    assert (session.memory / "deploy-port.md").read_text().count("ote to self") == 2
    assert (session.memory / "MEMORY.md").read_text() == INDEX
    assert len(desk.api.dreams) == 1, "what was taken back is not dreamt again"


@pytest.mark.slow
def test_dream_review_typed_in_the_terminal_ui_lists_what_waits_and_apply_takes_it(undreamt: tuple[Desk, Path]) -> None:
    desk, memory = undreamt
    type_command(desk, "/dream audit")
    (proposal,) = desk.state.glob("staging/*/ops-*.json")
    told = type_command(desk, "/dream review")
    run = proposal.stem.removeprefix("ops-")
    assert f"/dream apply {run}" in told and "passed" in told
    told = type_command(desk, f"/dream apply {run}")
    assert "1 applied" in told
    assert_refined(desk, memory)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["2.1.332"])
def test_a_page_asked_for_in_a_chat_is_there_while_the_chat_goes_on(undreamt: tuple[Desk, Path]) -> None:
    """An address that comes when the page has ended is of no use."""
    desk, memory = undreamt
    type_command(desk, "/dream audit")
    desk.api.agent = [say("I have read it.")]
    before = len(desk.api.turns)
    with desk.terminal() as terminal:
        terminal.line("/dream review --web")
        terminal.wait_until(lambda: len(desk.api.turns) > before, "the address reaches the model", 90)
        terminal.wait_for("I have read it.")
        (address,) = re.findall(r"http://127\.0\.0\.1:\d+/\S+", desk.api.turns[before].prompt)
        terminal.end()
    (proposal,) = desk.state.glob("staging/*/ops-*.json")
    run = proposal.stem.removeprefix("ops-")
    drive(address, ("decide", {"run": run, "op": 0, "choice": "accept"}), "carry")
    desk.wait_for_quiet(60)
    assert_refined(desk, memory)
