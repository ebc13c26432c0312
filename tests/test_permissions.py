"""Where writing is not allowed, the message names the file that a person knows, and what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_kit import Shell
from common_user import common_user
from dream_kit import fill, make_bed

from agentops_dream.journal import files


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Shell]:
    bed = make_bed(tmp_path)
    fill(bed)
    bed.env["FAKE_CLAUDE_SCENARIO"] = "tidy"
    with common_user():
        yield Shell(bed, monkeypatch, capfd)
    for base, _, _ in os.walk(tmp_path):  # else nobody could clear up
        os.chmod(base, 0o700)


def failed(say: Shell, *words: str) -> str:
    code, _, told = say(*words)
    assert code == 1
    assert ".agentops-" not in told and ".part" not in told and "keeps changing" not in told
    return told


def lock_up(folder: Path, *, files_too: bool) -> None:
    for path in folder.iterdir() if files_too else ():
        path.chmod(0o444)
    folder.chmod(0o555)


@pytest.mark.parametrize("files_too", [True, False])
@pytest.mark.parametrize("words", [("run",), ("apply",)])
def test_memory_that_may_not_be_written_is_not_called_changing(
    say: Shell, words: tuple[str, ...], files_too: bool
) -> None:
    """Who is told that files keep changing looks for a program that is not there."""
    assert say("run", "--audit")[0] == 0
    lock_up(say.bed.memory, files_too=files_too)
    if words == ("run",):
        say("discard")
    told = failed(say, *words, *(["--again"] if words == ("run",) else []))
    assert f"{say.bed.memory}" in told and "Permission denied. Give your user the right to write there." in told


def test_a_read_only_index_is_named(say: Shell) -> None:
    """Nothing that a dream plans gets past it, so planning again is of no use."""
    say("run", "--audit")
    (say.bed.memory / "MEMORY.md").chmod(0o444)
    told = failed(say, "apply")
    assert f"{say.bed.memory / 'MEMORY.md'}: is read-only. Make it writable for your user." in told


def test_a_read_only_entry_is_left_out_for_what_it_is(say: Shell) -> None:
    """The others go through, and nobody looks for a program that has the file open."""
    say("run", "--audit")
    for name in ("outbox", "outbox-events"):
        (say.bed.memory / f"{name}.md").chmod(0o444)
    code, told, _ = say("apply")
    assert code == 0 and "context only (read-only)" in told and "another program" not in told


@pytest.mark.parametrize("words", [("run", "--again"), ("apply",)])
def test_a_project_that_may_not_be_written_leads_to_the_setting_that_spares_it(say: Shell, words: tuple[str, ...]) -> None:
    """The mirror is the one file in a checkout that may well belong to somebody else."""
    say("run", "--audit")
    if words[0] == "run":
        say("discard")
    say.bed.project.chmod(0o555)
    told = failed(say, *words)
    assert f"{say.bed.project / 'AGENTS.md'}: Permission denied." in told
    assert "AGENTOPS_DREAM_MIRROR_AGENTS=0 leaves it out" in told


def test_a_lock_that_may_not_be_taken_comes_with_a_remedy(say: Shell) -> None:
    say("run")
    state = Path(say.bed.order().places.state)
    (state / "lock").chmod(0o400)
    assert "lock: Permission denied. Give your user the right to write there." in failed(say, "run", "--again")


def test_a_state_file_that_cannot_be_written_is_named_itself(tmp_path: Path) -> None:
    """Its name for a moment is nowhere to be found by who is told of it."""
    (tmp_path / "state").write_text("a file where a folder should be")
    with pytest.raises(OSError) as caught:
        files.write_json(tmp_path / "state" / "rate.json", {})
    assert caught.value.filename == str(tmp_path / "state" / "rate.json")
