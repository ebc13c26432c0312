"""What the commands say: words that a person can act on, documents that a script can read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cli_kit import Shell
from dream_kit import fill, make_bed


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """The command line over a small store, with a model that tidies up."""
    bed = make_bed(tmp_path)
    fill(bed)
    bed.env["FAKE_CLAUDE_SCENARIO"] = "tidy"
    return Shell(bed, monkeypatch, capfd)


def out(say: Shell, *words: str, **env: str) -> str:
    """Return what a command that goes well prints."""
    code, stdout, stderr = say(*words, **env)
    assert code == 0, stderr
    return stdout


def data(say: Shell, *words: str, **env: str) -> Any:
    return json.loads(out(say, *words, "--json", **env))


def test_every_command_answers_json_and_only_json(say: Shell) -> None:
    """A script must not have to guess where the document begins."""
    assert data(say, "run", "--audit")["outcome"] == "staged"
    (proposal,) = data(say, "review")["proposals"]
    assert {"index", "status", "kind", "targets", "reason", "takeable"} <= set(proposal["ops"][0])
    assert data(say, "discard")["run"] == proposal["run"]
    (run,) = data(say, "run", "--again")["runs"]
    assert run["outcome"] == "applied"
    assert data(say, "status")["last_run"]["run"] == run["run"]
    assert data(say, "log")[0]["run"] == run["run"]
    assert data(say, "show")["verdicts"]
    assert data(say, "diff")["files"]
    assert data(say, "undo")["undoes"] == run["run"]
    assert {item["what"] for item in data(say, "doctor")["checks"]} >= {"memory directory", "model", "disk"}
    assert data(say, "purge", "--run", run["run"], "--yes")["runs"] == [run["run"]]


def test_purge_names_the_live_files_that_still_hold_the_text(say: Shell) -> None:
    """Who believes a secret to be gone that stands in an entry has been misled."""
    text = "Ms. Invented lives at 12 Nowhere Road."
    say.bed.write("person", f"Note to self: {text}")
    out(say, "run")
    (say.bed.memory / "MEMORY.md").open("a").write("\nSee 12 Nowhere Road.\n")
    done = out(say, "purge", "--text", "Nowhere Road", "--yes")
    assert f"still stands in {say.bed.memory / 'person.md'}" in done and f"still stands in {say.bed.memory / 'MEMORY.md'}" in done
    assert "release.md" not in done
    assert data(say, "purge", "--entry", "person.md", "--yes")["standing"] == [str(say.bed.memory / "person.md")]
    (say.bed.memory / "person.md").unlink()
    assert data(say, "purge", "--entry", "person.md", "--yes")["standing"] == []


def test_a_broken_proposal_goes_away_with_a_clear_word(say: Shell) -> None:
    out(say, "run", "--audit")
    (path,) = say.bed.order().staging.iterdir()
    path.write_text("{")
    name = path.stem.removeprefix("ops-")
    for words in (("status",), ("review",), ("apply",)):
        assert f"agentops-dream discard {name}" in "".join(say(*words)[1:])
    assert out(say, "discard") == f"discarded {name}, which could not be read\n"
    assert not path.exists() and "Nothing waits" in out(say, "review")


def test_a_name_can_be_copied_from_the_log_of_a_narrow_terminal(say: Shell) -> None:
    runs = [data(say, "run", AGENTOPS_DREAM_MODEL="a-model")["runs"][0]["run"], data(say, "undo")["run"]]
    for columns in ("80", "60"):
        lines = out(say, "log", COLUMNS=columns).splitlines()
        assert max(map(len, lines)) <= int(columns)
        assert [line.split()[0] for line in lines if line.startswith("20")] == runs[::-1]


def test_one_is_one_and_two_are_two(say: Shell) -> None:
    """`1 entries` is how a program talks that nobody has read."""
    for name in ("outbox-events", "staging-db", "release"):
        (say.bed.memory / f"{name}.md").unlink()
    said = "".join(
        "".join(say(*words)[1:])
        for words in (("run",), ("status",), ("log",), ("show",), ("stats",), ("undo",), ("undo",), ("doctor",), ("run",), ("purge", "--entry", "x.md", "--yes"))
    )
    assert not re.search(r"\b1 (entries|files|dreams|runs|ops|changes|calls|proposals)\b", said), said


def test_what_was_only_proposed_is_never_called_applied(say: Shell) -> None:
    run = out(say, "run", "--audit")
    for text in (run, out(say, "review", "--list"), out(say, "show"), out(say, "report", "last", "-o", "-")):
        assert "applied" not in re.sub(r"<style>.*?</style>|<script>.*?</script>|class=\"[^\"]*\"", "", text, flags=re.S)
        assert "passed" in text


def test_status_names_the_one_thing_to_do_next(say: Shell) -> None:
    """A page of figures without it leaves a person to find out what they mean."""

    def told(**env: str) -> str:
        return out(say, "status", **env).splitlines()[-1]

    assert told() == "Nothing for you to do: 4 entries wait for the next dream. To dream now: agentops-dream run."
    assert told(AGENTOPS_DREAM_DISABLE="1").startswith("Dreaming is off")
    assert say("run", FAKE_CLAUDE_SCENARIO="login")[0] == 1
    assert told() == "Next: agentops-dream doctor (the last run failed)."
    out(say, "run", FAKE_CLAUDE_SCENARIO="flag")
    assert told() == "Next: look at the flagged entries, then agentops-dream unflag ENTRY."
    (say.bed.order().staging / "ops-broken.json").parent.mkdir(parents=True, exist_ok=True)
    (say.bed.order().staging / "ops-broken.json").write_text("{")
    assert told() == "Next: agentops-dream discard broken (it cannot be read)."
    out(say, "run", "--audit", "--again")
    assert told() == "Next: agentops-dream review (1 waiting)."
    for path in say.bed.order().staging.iterdir():
        path.unlink()
    for path in say.bed.memory.iterdir():
        path.unlink()
    assert told() == "Nothing to do: there is no memory here yet."


def test_run_all_goes_on_until_every_entry_is_covered(say: Shell) -> None:
    for number in range(12):
        say.bed.write(f"note-{number:02d}", f"Fact number {number} about topic{number}. " + "word " * 60)
    runs = data(say, "run", "--all", FAKE_CLAUDE_SCENARIO="nothing", AGENTOPS_DREAM_MAX_BYTES="3000")["runs"]
    assert len(runs) > 2
    seen = [path for run in runs for path in run["focus"]]
    assert len(seen) == len(set(seen)) == 16
    assert data(say, "status")["waiting"] == 0


def test_run_all_in_audit_mode_stages_every_step_once(say: Shell) -> None:
    for number in range(12):
        say.bed.write(f"note-{number:02d}", f"Note to self: fact number {number} about topic{number}. " + "word " * 60)
    runs = data(say, "run", "--all", "--audit", AGENTOPS_DREAM_MAX_BYTES="3000")["runs"]
    seen = [path for run in runs for path in run["focus"]]
    assert len(seen) == len(set(seen)) == 16
    assert len(data(say, "review")["proposals"]) == len(runs)


def test_a_misspelt_setting_is_named_by_status(say: Shell) -> None:
    assert "AGENTOPS_DREAM_MODLE" in out(say, "status", AGENTOPS_DREAM_MODLE="x")


def test_purge_lists_what_goes_before_it_asks(say: Shell) -> None:
    """Yes to an unknown number of runs, or to a proposal that still waits, is no yes."""
    out(say, "run", "--audit")
    staged = data(say, "review")["proposals"][0]["run"]
    before = {path: path.read_bytes() for path in say.bed.folder.rglob("*") if path.is_file()}
    code, told, _ = say("purge", "--run", staged)
    assert code == 1 and "This would erase" in told and "1 run, 1 proposal" in told
    assert f"ops-{staged}.json: it no longer waits for review" in told
    assert {path: path.read_bytes() for path in before} == before
    assert f"ops-{staged}.json: it no longer waits for review" in out(say, "purge", "--run", staged, "--yes")
    assert f"nothing in the history of {say.bed.memory} is to be erased" in out(say, "purge", "--entry", "zzz", "--yes")


def test_a_look_at_a_purge_tells_the_figures_of_the_purge(say: Shell) -> None:
    run = data(say, "run")["runs"][0]["run"]
    would = say("purge", "--text", "order_outbox")[1]
    assert f"run {run}: it cannot be taken back any more" in would
    done = out(say, "purge", "--text", "order_outbox", "--yes")
    assert re.findall(r"[\d,]+ \w+", would.splitlines()[0]) == re.findall(r"[\d,]+ \w+", done.splitlines()[0])


def test_purge_names_the_other_histories_that_hold_the_text(say: Shell, tmp_path: Path) -> None:
    """A token gets around; who purges it in one project would believe it gone from all."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "outbox.md").write_bytes((say.bed.memory / "outbox.md").read_bytes())
    (other / "twin.md").write_bytes((say.bed.memory / "outbox-events.md").read_bytes())
    out(say, "run")
    out(say, "run", "--memory-dir", str(other))
    told = out(say, "purge", "--text", "order_outbox", "--yes")
    assert f"the history of {other} holds the text too; purge it there with --memory-dir {other}" in told
    out(say, "purge", "--text", "order_outbox", "--yes", "--memory-dir", str(other))
    assert "holds the text too" not in out(say, "purge", "--text", "order_outbox", "--yes")


def test_a_file_that_is_left_alone_is_named_once_everywhere_and_breaks_nothing(say: Shell) -> None:
    """Who is not told keeps a note that no dream ever looks at; who is told it failed looks for a fault."""
    (say.bed.memory / "latin1.md").write_bytes(b"Caf\xe9 opens at 7.\n")
    wanted = "latin1.md is not UTF-8 (byte 0xE9); save it as UTF-8"
    assert f"note: left alone: {wanted}" in out(say, "run")
    assert f"note: left alone: {wanted}" in out(say, "show")
    assert f"problem           {wanted}" in out(say, "status")
    assert f"warn  left alone: {wanted}" in out(say, "doctor")
    for path in say.bed.memory.glob("*.md"):
        if path.name != "latin1.md":
            path.unlink()
    assert f"there are no entries in {say.bed.memory}; left alone: {wanted}" in out(say, "run")
