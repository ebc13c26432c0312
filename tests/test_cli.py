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


def test_every_command_answers_json_and_only_json(bed: Bed) -> None:
    """A script must not have to guess where the document begins."""
    assert data(bed, "run", "--audit")["outcome"] == "staged"
    (proposal,) = data(bed, "review")["proposals"]
    assert {"index", "status", "kind", "targets", "reason", "takeable"} <= set(proposal["ops"][0])
    assert data(bed, "discard")["run"] == proposal["run"]
    (run,) = data(bed, "run", "--again")["runs"]
    assert run["outcome"] == "applied"
    assert data(bed, "status")["last_run"]["run"] == run["run"]
    assert data(bed, "log")[0]["run"] == run["run"]
    assert data(bed, "show")["verdicts"]
    assert data(bed, "diff")["files"]
    assert data(bed, "undo")["undoes"] == run["run"]
    assert {item["what"] for item in data(bed, "doctor")["checks"]} >= {"memory directory", "model", "disk"}
    assert data(bed, "purge", "--run", run["run"], "--yes")["runs"] == [run["run"]]


def test_a_failed_dream_is_exit_code_1_and_one_line_with_the_reason(bed: Bed) -> None:
    before = bed.tree()
    done = call(bed, "run", scenario="login")
    assert done.returncode == 1 and done.stdout == ""
    assert "login" in done.stderr and len(done.stderr.strip().splitlines()) == 1
    assert bed.tree() == before


@pytest.mark.parametrize("words", [("ru",), ("run", "--nope"), ("apply", "--ops", "x"), ("purge",), ("log", "-n", "-3"), ("purge", "--older-than", "-1")])
def test_wrong_usage_is_exit_code_2(bed: Bed, words: tuple[str, ...]) -> None:
    assert call(bed, *words).returncode == 2


def test_run_all_goes_on_until_every_entry_is_covered(bed: Bed) -> None:
    for number in range(12):
        bed.write(f"note-{number:02d}", f"Fact number {number} about topic{number}. " + "word " * 60)
    runs = data(bed, "run", "--all", scenario="nothing", AGENTOPS_DREAM_MAX_BYTES="3000")["runs"]
    assert len(runs) > 2
    seen = [path for run in runs for path in run["focus"]]
    assert len(seen) == len(set(seen)) == 16
    assert data(bed, "status")["waiting"] == 0


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


def test_run_all_in_audit_mode_stages_every_step_once(bed: Bed) -> None:
    for number in range(12):
        bed.write(f"note-{number:02d}", f"Note to self: fact number {number} about topic{number}. " + "word " * 60)
    runs = data(bed, "run", "--all", "--audit", AGENTOPS_DREAM_MAX_BYTES="3000")["runs"]
    seen = [path for run in runs for path in run["focus"]]
    assert len(seen) == len(set(seen)) == 16
    assert len(data(bed, "review")["proposals"]) == len(runs)


def test_purge_forgets_a_secret_everywhere(bed: Bed) -> None:
    bed.write("person", "Note to self: Ms. Invented lives at 12 Nowhere Road.")
    call(bed, "run")
    root = Path(bed.order().places.state_root)
    assert any("Nowhere Road" in path.read_text(errors="replace") for path in root.rglob("*") if path.is_file())
    assert call(bed, "purge", "--text", "Nowhere Road", "--yes").returncode == 0
    assert not [path for path in root.rglob("*") if path.is_file() and "Nowhere Road" in path.read_text(errors="replace")]


def test_purge_names_the_live_files_that_still_hold_the_text(bed: Bed) -> None:
    """Who believes a secret to be gone that stands in an entry has been misled."""
    text = "Ms. Invented lives at 12 Nowhere Road."
    bed.write("person", f"Note to self: {text}")
    call(bed, "run")
    (bed.memory / "MEMORY.md").open("a").write("\nSee 12 Nowhere Road.\n")
    done = call(bed, "purge", "--text", "Nowhere Road", "--yes").stdout
    assert f"still stands in {bed.memory / 'person.md'}" in done and f"still stands in {bed.memory / 'MEMORY.md'}" in done
    assert "release.md" not in done
    assert data(bed, "purge", "--entry", "person.md", "--yes")["standing"] == [str(bed.memory / "person.md")]
    (bed.memory / "person.md").unlink()
    assert data(bed, "purge", "--entry", "person.md", "--yes")["standing"] == []


def test_a_broken_proposal_goes_away_with_a_clear_word(bed: Bed) -> None:
    call(bed, "run", "--audit")
    (path,) = bed.order().staging.iterdir()
    path.write_text("{")
    name = path.stem.removeprefix("ops-")
    for words in (("status",), ("review",), ("apply",)):
        done = call(bed, *words)
        assert f"agentops-dream discard {name}" in done.stdout + done.stderr
    assert call(bed, "discard").stdout == f"discarded {name}, which could not be read\n"
    assert not path.exists() and "Nothing waits" in call(bed, "review").stdout


def test_a_name_can_be_copied_from_the_log_of_a_narrow_terminal(bed: Bed) -> None:
    runs = [data(bed, "run", AGENTOPS_DREAM_MODEL="a-model")["runs"][0]["run"], data(bed, "undo")["run"]]
    for columns in ("80", "60"):
        lines = call(bed, "log", COLUMNS=columns).stdout.splitlines()
        assert max(map(len, lines)) <= int(columns)
        assert [line.split()[0] for line in lines if line.startswith("20")] == runs[::-1]


def test_one_is_one_and_two_are_two(bed: Bed) -> None:
    """`1 entries` is how a program talks that nobody has read."""
    for name in ("outbox-events", "staging-db", "release"):
        (bed.memory / f"{name}.md").unlink()
    said = "".join(
        call(bed, *words).stdout
        for words in (("run",), ("status",), ("log",), ("show",), ("stats",), ("undo",), ("undo",), ("doctor",), ("run",), ("purge", "--entry", "x.md", "--yes"))
    )
    assert not re.search(r"\b1 (entries|files|dreams|runs|ops|changes|calls|proposals)\b", said), said


def test_what_was_only_proposed_is_never_called_applied(bed: Bed) -> None:
    run = call(bed, "run", "--audit").stdout
    for out in (run, call(bed, "review", "--list").stdout, call(bed, "show").stdout, call(bed, "report", "last", "-o", "-").stdout):
        assert "applied" not in re.sub(r"<style>.*?</style>|<script>.*?</script>|class=\"[^\"]*\"", "", out, flags=re.S)
        assert "passed" in out


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


def test_status_names_the_one_thing_to_do_next(bed: Bed) -> None:
    """A page of figures without it leaves a person to find out what they mean."""

    def told(**env: str) -> str:
        return call(bed, "status", **env).stdout.splitlines()[-1]

    assert told() == "Nothing for you to do: 4 entries wait for the next dream. To dream now: agentops-dream run."
    assert told(AGENTOPS_DREAM_DISABLE="1").startswith("Dreaming is off")
    call(bed, "run", scenario="login")
    assert told() == "Next: agentops-dream doctor (the last run failed)."
    call(bed, "run", scenario="flag")
    assert told() == "Next: look at the flagged entries, then agentops-dream unflag ENTRY."
    (bed.order().staging / "ops-broken.json").parent.mkdir(parents=True, exist_ok=True)
    (bed.order().staging / "ops-broken.json").write_text("{")
    assert told() == "Next: agentops-dream discard broken (it cannot be read)."
    call(bed, "run", "--audit", "--again")
    assert told() == "Next: agentops-dream review (1 waiting)."
    for path in bed.order().staging.iterdir():
        path.unlink()
    for path in bed.memory.iterdir():
        path.unlink()
    assert told() == "Nothing to do: there is no memory here yet."


def test_a_misspelt_setting_is_named_by_status(bed: Bed) -> None:
    assert "AGENTOPS_DREAM_MODLE" in call(bed, "status", AGENTOPS_DREAM_MODLE="x").stdout


def test_the_installed_command_runs() -> None:
    """`pip install .` must give a command that works."""
    scripts = dict(re.findall(r'^(agentops-dream) = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.M))
    module, _, name = scripts["agentops-dream"].partition(":")
    assert getattr(importlib.import_module(module), name)(["--version"]) == 0
