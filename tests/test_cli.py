"""The command line, as a person and a script meet it."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from client_terminal import Terminal
from dream_kit import ROOT, Bed, fill, make_bed


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    made = make_bed(tmp_path)
    fill(made)
    return made


def call(bed: Bed, *words: str, scenario: str = "tidy", **env: str) -> subprocess.CompletedProcess[str]:
    given = {**bed.env, "PYTHONPATH": str(ROOT), "FAKE_CLAUDE_SCENARIO": scenario, **env}
    return subprocess.run(
        [sys.executable, "-m", "agentops_dream.cli", *words],
        env=given,
        cwd=bed.project,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )


def data(bed: Bed, *words: str, **env: str) -> Any:
    done = call(bed, *words, "--json", **env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_run_status_log_show_diff_undo_as_a_person_types_them(bed: Bed) -> None:
    before = bed.tree()
    assert "4 entries wait" in call(bed, "status").stdout
    done = call(bed, "run")
    assert done.returncode == 0 and "applied" in done.stdout and "agentops-dream undo" in done.stdout
    run = json.loads(call(bed, "log", "--json").stdout)[0]["run"]
    assert run in call(bed, "log").stdout
    shown = call(bed, "show").stdout
    assert "merge" in shown and "outbox" in shown
    assert "-description" in call(bed, "diff").stdout or "--- a/memory/" in call(bed, "diff").stdout
    assert "nothing has changed" in call(bed, "run").stdout
    assert call(bed, "undo", run[-6:]).returncode == 0
    assert bed.tree() == before


def test_audit_review_apply_as_a_person_types_them(bed: Bed) -> None:
    before = bed.tree()
    assert "staged" in call(bed, "run", "--audit").stdout
    assert bed.tree() == before
    listed = call(bed, "review").stdout
    assert "merge" in listed and "agentops-dream apply" in listed
    assert "agentops-dream review" in call(bed, "status").stdout
    assert "applied" in call(bed, "apply").stdout
    assert bed.tree() != before
    assert "Nothing waits" in call(bed, "review").stdout


def test_a_failed_dream_is_exit_code_1_and_one_line_with_the_reason(bed: Bed) -> None:
    before = bed.tree()
    done = call(bed, "run", scenario="login")
    assert done.returncode == 1 and done.stdout == ""
    assert "login" in done.stderr and len(done.stderr.strip().splitlines()) == 1
    assert bed.tree() == before


@pytest.mark.parametrize("words", [("ru",), ("run", "--nope"), ("apply", "--ops", "x"), ("purge",), ("log", "-n", "-3"), ("purge", "--older-than", "-1")])
def test_wrong_usage_is_exit_code_2(bed: Bed, words: tuple[str, ...]) -> None:
    assert call(bed, *words).returncode == 2


def test_run_all_tells_how_far_it_is_in_a_pipe_and_in_a_terminal(bed: Bed) -> None:
    """Minutes without a word look like a program that hangs."""
    for number in range(12):
        bed.write(f"note-{number:02d}", f"Fact number {number} about topic{number}. " + "word " * 60)
    given = {"AGENTOPS_DREAM_MAX_BYTES": "3000", "FAKE_CLAUDE_SCENARIO": "nothing"}
    told = re.findall(r"^(\d+) of 16 entries covered$", call(bed, "run", "--all", scenario="nothing", **given).stdout, re.M)
    assert len(told) > 2 and told[-1] == "16" and told == sorted(told, key=int)
    command = [sys.executable, "-m", "agentops_dream.cli", "run", "--all", "--again"]
    with Terminal(command, cwd=bed.project, env={**bed.env, "PYTHONPATH": str(ROOT), **given}) as terminal:
        terminal.wait_for("dreaming … 0 of 16 entries covered")
        terminal.wait_for("16 of 16 entries covered")
        assert terminal.process.wait(30) == 0


def test_purge_forgets_a_secret_everywhere(bed: Bed) -> None:
    bed.write("person", "Note to self: Ms. Invented lives at 12 Nowhere Road.")
    call(bed, "run")
    root = Path(bed.order().places.state_root)
    assert any("Nowhere Road" in path.read_text(errors="replace") for path in root.rglob("*") if path.is_file())
    assert call(bed, "purge", "--text", "Nowhere Road", "--yes").returncode == 0
    assert not [path for path in root.rglob("*") if path.is_file() and "Nowhere Road" in path.read_text(errors="replace")]


def test_a_variable_that_was_not_set_purges_nothing(bed: Bed) -> None:
    """`purge --yes --run "$RUN"` must not take the newest run for good because RUN is empty."""
    bed.write("person", "Note to self: Ms. Invented lives at 12 Nowhere Road.")
    call(bed, "run")
    for words in (("--run", ""), ("--entry", " ")):
        assert call(bed, "purge", "--yes", *words).returncode == 2
    assert call(bed, "undo").returncode == 0


def test_control_characters_of_a_memory_do_not_reach_the_terminal(bed: Bed) -> None:
    """An entry that moves the cursor could show a verdict that was never given."""
    bed.write("hostile", "Note to self: \x1b[2Jcleared \u202egnirts", description="Note \x1b[31mred")
    for words in (("run",), ("show",), ("diff",), ("status",)):
        out = call(bed, *words, NO_COLOR="1").stdout
        assert "\x1b" not in out and "\u202e" not in out, words


def test_output_survives_a_terminal_that_is_not_utf_8(bed: Bed) -> None:
    bed.write("nihongo", "検証環境のポートは 8443。", description="検証環境のポート")
    done = subprocess.run(
        [sys.executable, "-m", "agentops_dream.cli", "run"],
        env={**bed.env, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "cp1252", "LC_ALL": "C", "FAKE_CLAUDE_SCENARIO": "flag"},
        cwd=bed.project,
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


def test_demo_dreams_shows_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """The first command of the README."""
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "agentops_dream.cli", "demo"], env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    for words in ("merge", "kettle-cache", "-description:", "AGENTS.md", "every byte is as it was"):
        assert words in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words", [("run",), ("run", "--all"), ("run", "--audit"), ("unflag", "x"), ("status",), ("log",), ("review",)]
)
def test_no_memory_yet_is_said_in_one_sentence_and_is_no_failure(tmp_path: Path, words: tuple[str, ...]) -> None:
    """The first thing a new user does is to try it before there is anything."""
    made = make_bed(tmp_path)
    made.memory.rmdir()
    done = call(made, *words)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr and done.stdout.strip()


def test_the_installed_command_runs() -> None:
    """`pip install .` must give a command that works."""
    scripts = dict(re.findall(r'^(agentops-dream) = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.M))
    module, _, name = scripts["agentops-dream"].partition(":")
    assert getattr(importlib.import_module(module), name)(["--version"]) == 0
