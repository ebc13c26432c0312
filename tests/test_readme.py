"""The README says what the code does, or it is wrong."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from dream_kit import PORT, RELEASE, ROOT, Bed, fill, make_bed

from agentops_dream import settings, staging
from agentops_dream.cli.main import cli
from agentops_dream.journal import runs

README = (ROOT / "README.md").read_text(encoding="utf-8")


def settings_table() -> str:
    """Return the table of settings as the README must show it."""
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    for name, _, default, meaning, _ in settings.TABLE:
        if isinstance(default, bool):
            shown = str(int(default))
        elif isinstance(default, float):
            shown = f"{default:.2f}" if "USD" in name else f"{default:g}"
        else:
            shown = str(default)
        rows.append(f"| `{settings.PREFIX}{name}` | {f'`{shown}`' if shown else 'see meaning'} | {meaning} |")
    return "\n".join(rows)


def test_the_settings_table_is_the_one_in_the_code() -> None:
    between = README.split("<!-- settings:start -->")[1].split("<!-- settings:end -->")[0]
    assert between.strip() == settings_table()


def test_readme_opens_with_what_the_user_gets_and_then_the_two_commands() -> None:
    first = re.search(r"```sh\n(.*?)```", README, re.DOTALL)
    assert first and first[1].split("\n")[:2] == ["bin/agentops-dream demo", "tests/run"]


@pytest.mark.parametrize("line", sorted(set(re.findall(r"^agentops-dream [a-z][^\n#]*", README, re.MULTILINE))))
def test_every_command_in_the_readme_exists_with_its_options(line: str) -> None:
    """A user who copies a line from the README must not be told that it is wrong usage."""
    words = line.split()[1:]
    command = cli.commands[words[0]]
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words[1:] if word.startswith("-")} <= known


EXAMPLES = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
RELEASE_BETTER = {"op": "update", "target_ids": ["release"], "new_body": RELEASE, "confidence": 0.95, "rationale": "Filler words."}
PORT_LOST = {"op": "update", "target_ids": ["staging-db"], "new_body": PORT.replace("6432", "a port"), "confidence": 0.95, "rationale": ""}
JUNK = [{"op": "relink", "target_ids": [name], "links": ["nowhere"], "confidence": 0.95, "rationale": ""} for name in ("outbox", "outbox-events", "staging-db")]


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    """A memory directory with a dream behind it, whose op 3 changed an entry, and a plan that waits."""
    made = make_bed(tmp_path)
    fill(made)
    for name, ops in (("dreamt", [*JUNK, RELEASE_BETTER]), ("waiting", [PORT_LOST, {**RELEASE_BETTER, "target_ids": ["waits"]}])):
        if name == "waiting":
            made.write("waits", f"Note to self: {RELEASE}", type="feedback")
        reply = made.folder / f"{name}.json"
        reply.write_text(json.dumps({"ops": ops, "summary": ""}), encoding="utf-8")
        made.dream(str(reply), again=True, PROMOTE="audit" if name == "waiting" else "apply")
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "agentops-dream"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agentops_dream.cli "$@"\n')
    program.chmod(0o755)
    made.env.update(PATH=f"{folder}:{made.env['PATH']}", PYTHONPATH=str(ROOT), AGENTOPS_DREAM_PYTHON=sys.executable)
    return made


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_work_as_they_stand(bed: Bed, example: str) -> None:
    """Who copies a block from the README gets what the words beside it say."""
    first, *_ = runs.every(bed.order().state)
    script = example.replace("tests/run\n", "sh -n tests/run\n").replace("review --web ", "review --web --idle 1 ")
    if "RUN" in script:
        (done,) = [receipt.run for receipt in runs.every(bed.order().state) if receipt.outcome == "applied"]
        script = script.replace("RUN", done)
    done = subprocess.run(
        ["sh", "-eux", "-c", script],
        env=bed.env,
        cwd=ROOT if "bin/agentops-dream" in script else bed.project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout
    if "demo" in script:
        assert "every byte is as it was" in said
    elif "apply" in script:
        assert "1 applied" in said and "discarded" in said and not staging.waiting(bed.order().staging)[0]
    elif "undo" in script:
        assert "took back run" in said and "nothing to take back of op 3" in said and "Note to self" in (bed.memory / "release.md").read_text()
    elif "report" in script:
        assert first.run in said and "nothing was carried out" in said and (bed.project / "dream.html").exists()


def test_every_example_was_looked_at() -> None:
    """A new block needs words above about what it must do."""
    known = ("bin/agentops-dream demo", "export AGENTOPS_DREAM_PROMOTE=audit", "agentops-dream apply", "--web", "undo RUN --op 3")
    assert len(EXAMPLES) == len(known) and all(any(word in example for example in EXAMPLES) for word in known)


def test_audit_mode_as_the_readme_sets_it_touches_nothing(bed: Bed) -> None:
    (line,) = re.findall(r"^export (\S+)=(\S+)", README, re.MULTILINE)
    bed.write("new", f"Note to self: {RELEASE}")
    before = bed.tree()
    done = subprocess.run(
        ["agentops-dream", "run"], env={**bed.env, line[0]: line[1], "FAKE_CLAUDE_SCENARIO": "tidy"}, cwd=bed.project, capture_output=True, text=True
    )
    assert done.returncode == 0 and done.stdout.startswith("staged"), done.stderr
    assert bed.tree() == before


def test_the_list_of_commands_is_of_whole_sentences() -> None:
    listed = CliRunner().invoke(cli, ["--help"], terminal_width=80).output.split("Commands:\n")[1].splitlines()
    assert len(listed) >= len(cli.commands) and all(line.endswith(".") and not line.endswith("...") for line in listed)


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_explains_itself_and_stands_in_the_readme(name: str) -> None:
    done = CliRunner().invoke(cli, [name, "--help"])
    assert done.exit_code == 0 and len(done.output.splitlines()) > 5
    assert re.search(rf"`?agentops-dream {name}\b|`{name}`", README), f"{name} is missing from the README"
