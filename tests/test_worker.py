"""The worker lives apart from everything: the session, the plugin's folder, and its own mistakes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agentops_dream import environment, places

ROOT = Path(__file__).resolve().parent.parent
NOTE = "---\nname: port\ndescription: the port\nmetadata:\n  type: project\n---\nNote to self: staging listens on 8443.\n"


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    ignore = shutil.ignore_patterns("__pycache__", "*cache")
    shutil.copytree(ROOT / "agentops_dream", tmp_path / "plugin" / "agentops_dream", ignore=ignore)
    shutil.copytree(ROOT / "requirements", tmp_path / "plugin" / "requirements")
    return tmp_path / "plugin"


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "home" / ".claude").mkdir(parents=True)
    (tmp_path / "project").mkdir()
    return {
        "HOME": str(tmp_path / "home"),
        "PATH": "/usr/bin:/bin",
        "CLAUDE_PROJECT_DIR": str(tmp_path / "project"),
        "CLAUDE_PLUGIN_DATA": str(tmp_path / "data"),
        "AGENTOPS_DREAM_CHILD": "1",
        "AGENTOPS_DREAM_TRIGGER": "Stop",
        "AGENTOPS_DREAM_CLAUDE_BIN": str(ROOT / "fake_claude" / "claude"),
        "FAKE_CLAUDE_SCENARIO": "tidy",
        environment.OWN: sys.executable,
    }


def start(plugin: Path, env: dict[str, str]) -> subprocess.Popen[bytes]:
    code = "import sys; sys.path.insert(0, sys.argv[1]); from agentops_dream.worker import main; main(sys.argv[1])"
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", code, str(plugin)],
        env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def entry(env: dict[str, str]) -> Path:
    memory = Path(places.resolve(env).memory)
    memory.mkdir(parents=True)
    (memory / "port.md").write_text(NOTE)
    return memory / "port.md"


def log(env: dict[str, str]) -> str:
    path = Path(places.resolve(env).log)
    return path.read_text() if path.exists() else ""


def test_a_dream_outlives_the_plugin_s_folder(plugin: Path, env: dict[str, str], tmp_path: Path) -> None:
    """An update deletes the folder that a running worker came from: all it needs is in memory by then."""
    path = entry(env)
    env.update(FAKE_CLAUDE_SCENARIO=str(tmp_path / "late.py"), FAKE_CLAUDE_LOG=str(tmp_path / "calls"))
    (tmp_path / "late.py").write_text(
        "import time\nfrom fake_claude.scenarios import honest\n"
        "def dream(prompt):\n    time.sleep(2)\n    return honest.tidy(prompt)\n"
    )
    worker = start(plugin, env)
    called = tmp_path / "calls"
    for _ in range(1000):
        if called.exists():
            break
        time.sleep(0.02)
    shutil.rmtree(plugin)
    assert worker.communicate(timeout=60) == (b"", b"")
    assert worker.returncode == 0
    assert path.read_text().endswith("\nstaging listens on 8443.\n"), log(env)
    notice = Path(places.resolve(env).state) / "notice.json"
    assert "Dreamt over memory" in json.loads(notice.read_text())["text"]


def test_no_environment_is_told_once_and_only_in_log_and_notice(plugin: Path, env: dict[str, str]) -> None:
    entry(env)
    del env[environment.OWN]
    env["CLAUDE_PLUGIN_DATA"] = "/dev/null"
    for _ in range(2):
        worker = start(plugin, env)
        assert worker.communicate(timeout=60) == (b"", b"")
        assert worker.returncode == 0
    (line,) = log(env).splitlines()
    assert "no dream: /dev/null/env cannot be written" in line
    notice = Path(places.resolve(env).state) / "notice.json"
    assert "not possible yet" in json.loads(notice.read_text())["text"]


def test_an_environment_that_broke_is_built_again(plugin: Path, env: dict[str, str], tmp_path: Path) -> None:
    """A system upgrade may take away the library that a wheel was made for."""
    home = tmp_path / "env"
    (home / "bin").mkdir(parents=True)
    (home / "ready").touch()
    # No site-packages: as if they had all stopped loading.
    (home / "bin" / "python").write_text(f'#!/bin/sh\nshift; exec "{sys.executable}" -S -I "$@"\n')
    (home / "bin" / "python").chmod(0o755)
    shim = (
        "import sys; sys.path.insert(0, sys.argv[1]); sys.executable = sys.argv[2]\n"
        "from agentops_dream.worker import dream; dream(sys.argv[1])"
    )
    done = subprocess.run(
        [str(home / "bin" / "python"), "-I", "-c", shim, str(plugin), str(home / "bin" / "python")],
        env=env, capture_output=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "is broken" in log(env)
    assert not (home / "ready").exists()


def test_the_interpreter_is_remembered_for_the_next_hook(plugin: Path, env: dict[str, str]) -> None:
    assert start(plugin, env).wait(60) == 0
    remembered = Path(places.resolve(env).state_root, "python").read_text().strip()
    assert os.path.realpath(remembered) == os.path.realpath(sys.executable)


def test_a_worker_ends_at_its_deadline_with_all_that_it_started(tmp_path: Path) -> None:
    """One that hangs must not hang for ever, nor leave a paid call running."""
    code = f"""
import subprocess, sys, time
sys.path.insert(0, {str(ROOT)!r})
from agentops_dream import worker
worker.end_at(time.time() + 1)
call = subprocess.Popen(["sleep", "60"], start_new_session=True)
print(call.pid, flush=True)
try:
    call.wait()
finally:
    call.kill()
    call.wait()
"""
    begun = time.monotonic()
    worker = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
    assert worker.stdout is not None
    call = int(worker.stdout.readline())
    worker.wait(30)
    assert time.monotonic() - begun < 30
    with pytest.raises(ProcessLookupError):
        os.kill(call, 0)


def test_a_worker_that_does_not_listen_is_ended_too(tmp_path: Path) -> None:
    code = f"""
import signal, subprocess, sys, time
sys.path.insert(0, {str(ROOT)!r})
from agentops_dream import worker
worker._GRACE = 1
worker.end_at(time.time() + 1)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(subprocess.Popen(["sleep", "60"]).pid, flush=True)
time.sleep(60)
"""
    worker = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
    assert worker.stdout is not None
    child = int(worker.stdout.readline())
    assert worker.wait(30) == -signal.SIGKILL
    for _ in range(500):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            break
        state = Path(f"/proc/{child}/stat")
        if state.exists() and ") Z " in state.read_text():
            break
        time.sleep(0.02)
    else:
        raise AssertionError("a child of the worker is still there")


# ---------------------------------------------------------------- the same way from a shell


def shell(env: dict[str, str], *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [str(ROOT / "bin" / "agentops-dream"), *words], env=env, input=stdin, capture_output=True, timeout=120
    )


def test_the_command_line_runs_in_the_environment(env: dict[str, str]) -> None:
    done = shell(env, "status", "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)
    assert shell(env, "no-such-command").returncode == 2


def test_a_chat_gets_every_word_on_stdout_and_exit_code_0(env: dict[str, str], tmp_path: Path) -> None:
    other = tmp_path / "other project"
    other.mkdir()
    done = shell(env, "--from-chat", stdin=f"{other}\n{tmp_path}/d\nstatus\n".encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert places.slug(str(other)).encode() in done.stdout.replace(b"\n", b"")
    done = shell(env, "--from-chat", stdin=f"{other}\n{tmp_path}/d\n$(touch {tmp_path}/x); audit\n".encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"No such command" in done.stdout
    assert not (tmp_path / "x").exists()


def test_a_shell_is_told_why_there_is_no_environment(env: dict[str, str]) -> None:
    del env[environment.OWN]
    env["CLAUDE_PLUGIN_DATA"] = "/dev/null"
    done = shell(env, "status")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"cannot be written" in done.stderr
    done = shell(env, "--from-chat", stdin=b"\n\nstatus\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"cannot be written" in done.stdout


@pytest.mark.parametrize("python", ["missing", "plain file"])
def test_an_interpreter_that_cannot_run_is_named_and_so_is_the_setting(
    plugin: Path, env: dict[str, str], tmp_path: Path, python: str
) -> None:
    """A typo in a setting must not end in a traceback, nor in a session where nothing happens and nobody says why."""
    named = tmp_path / python
    if python != "missing":
        named.write_text("no program")
    env[environment.OWN] = str(named)
    entry(env)
    for words, code in ((("status",), 1), (("--from-chat",), 0)):
        done = shell(env, *words, stdin=b"\n\nstatus\n")
        assert done.returncode == code
        (line,) = (done.stdout + done.stderr).decode().splitlines()
        assert f"{named} cannot be run" in line and "correct or unset AGENTOPS_DREAM_PYTHON" in line
    worker = start(plugin, env)
    assert worker.communicate(timeout=60) == (b"", b"")
    assert worker.returncode == 0
    (line,) = log(env).splitlines()
    assert f"no dream: {named} cannot be run" in line
