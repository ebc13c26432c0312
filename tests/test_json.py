"""``docs/json.md`` says what every command prints with ``--json``: a script that relies on it must not break."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from cli_kit import Shell
from dream_kit import ROOT, fill, make_bed

from agentops_dream.cli.main import cli
from agentops_dream.review.data import done_data
from agentops_dream.review.decisions import Done

DOCUMENT = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
RECORDS = {
    name: dict(re.findall(r"^\| `(\w+)` \| ([^|]+?) \|", table, re.MULTILINE))
    for name, table in re.findall(r"^### (\w+)\n(.*?)(?=^### |\Z)", DOCUMENT, re.MULTILINE | re.DOTALL)
}
PRINTS = {
    command: re.match(r"[^;,]*", prints)[0].replace("`", "").strip()  # type: ignore[index]
    for command, prints in re.findall(r"^\| `([a-z][a-z -]*)` \| ([^|]+) \|$", DOCUMENT, re.MULTILINE)
}
PLAIN: dict[str, Any] = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}


def faults(value: Any, wanted: str, where: str, seen: set[str]) -> Iterator[str]:
    """Yield what is wrong with ``value`` of the documented type ``wanted``; add its records to ``seen``."""
    if " or " in wanted:
        found = [list(faults(value, one, where, seen)) for one in wanted.split(" or ")]
        yield from [] if [] in found else min(found, key=len)
    elif wanted.startswith("list of "):
        if not isinstance(value, list):
            yield f"{where}: no list"
        else:
            for number, item in enumerate(value):
                yield from faults(item, wanted.removeprefix("list of "), f"{where}[{number}]", seen)
    elif wanted.startswith("map of "):
        if not isinstance(value, dict):
            yield f"{where}: no map"
        else:
            for name, item in value.items():
                yield from faults(item, wanted.removeprefix("map of "), f"{where}[{name!r}]", seen)
    elif wanted in PLAIN:
        if not isinstance(value, PLAIN[wanted]) or (isinstance(value, bool) and wanted != "boolean"):
            yield f"{where}: {value!r} is no {wanted}"
    elif wanted != "anything":
        fields = RECORDS[wanted]
        if not isinstance(value, dict):
            yield f"{where}: no {wanted}"
            return
        yield from (f"{where}.{name}: not documented" for name in value.keys() - fields.keys())
        yield from (f"{where}.{name}: missing" for name in fields.keys() - value.keys())
        if value.keys() == fields.keys():
            seen.add(wanted)
        for name in fields.keys() & value.keys():
            yield from faults(value[name], fields[name], f"{where}.{name}", seen)


class Script:
    """Runs commands with ``--json`` and holds what they print against the document."""

    def __init__(self, shell: Shell) -> None:
        self.bed, self.shell = shell.bed, shell
        self.seen: set[str] = set()
        self.commands: set[str] = set()

    def run(self, *words: str, **env: str) -> tuple[int, str, str]:
        return self.shell(*words, "--json", **{"FAKE_CLAUDE_SCENARIO": "tidy", **env})

    def __call__(self, *words: str, code: int = 0, documented: str = "", **env: str) -> Any:
        documented = documented or words[0]
        found, out, err = self.run(*words, **env)
        assert found == code, err
        value = json.loads(out)
        assert list(faults(value, PRINTS[documented], documented, self.seen)) == []
        self.commands.add(documented)
        return value


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Script:
    bed = make_bed(tmp_path)
    fill(bed)
    return Script(Shell(bed, monkeypatch, capfd))


def one_store(folder: Path) -> Path:
    """Return a corpus of one store."""
    corpus, name = ROOT / "tests" / "data" / "recorded", "03-data-pipeline"
    for part in ("stores", "replies"):
        shutil.copytree(corpus / part / name, folder / part / name)
    (folder / "focus").mkdir()
    shutil.copy(corpus / "focus" / f"{name}.json", folder / "focus")
    return folder


def every_command() -> Iterator[str]:
    for name, command in cli.commands.items():
        inner = command.commands if isinstance(command, click.Group) else {}
        yield from [f"{name} {other}" for other in inner] or [name]


def test_every_command_and_every_record_is_as_documented(script: Script) -> None:
    bed = script.bed
    script("status")
    script("run", "--audit")
    (proposal,) = script("review")["proposals"]
    script("log")
    script("diff")
    script("discard", "--ops", str(proposal["ops"][0]["index"]))
    script("discard")
    script("run", "--audit", "--again", FAKE_CLAUDE_SCENARIO="flag")
    script("apply")
    entry = script("status")["flagged"][0]["path"]
    script("review")
    script("unflag", entry)
    script("run", "--again", "--backend", "claude")
    script("undo")
    script("show")
    script("stats")
    script("report", "last", "-o", "page.html")
    script("doctor")
    script("doctor", code=1, AGENTOPS_DREAM_TIMEOUT="soon")
    script("completion", "bash")
    script("demo")
    script("eval", "recorded", str(one_store(bed.folder / "corpus")), documented="eval recorded")
    bed.write("note", "Note to self: the intake queue is drained every 30 minutes.")
    script("run", "--audit")
    script("review", "--web", "--idle", "1", documented="review --web")
    script("review", "--web", "--detach", "--idle", "1", documented="review --web --detach")
    (bed.order().staging / "ops-broken.json").write_text("{")
    script("discard", "broken")
    script("purge", "--older-than", "0", "--yes")
    assert script.commands == set(PRINTS) >= set(every_command())
    assert set(RECORDS) - script.seen == {"Nothing", "Done"}, "both have tests of their own"


def test_a_sitting_tells_what_was_done() -> None:
    assert list(faults(done_data(Done("a", None, (1,), (0,)), None), "Done", "done", set())) == []


def test_where_there_is_nothing_to_do_a_script_gets_a_document_too(script: Script) -> None:
    for path in script.bed.memory.iterdir():
        path.unlink()
    script.bed.memory.rmdir()
    for words in (("run",), ("status",), ("log",), ("review",), ("stats",), ("unflag", "x")):
        script(*words)
    assert "Nothing" in script.seen


@pytest.mark.parametrize("words", [("apply",), ("discard",), ("undo",), ("unflag", "outbox")])
def test_nothing_to_do_is_no_failure(script: Script, words: tuple[str, ...]) -> None:
    """A nightly script that takes what waits must not break in a night in which nothing waits."""
    assert script(*words)["outcome"] == "nothing"


def test_of_run_all_a_script_learns_what_stands_though_a_later_dream_failed(script: Script) -> None:
    """Else it believes that nothing was changed."""
    bed = script.bed
    for number in range(12):
        bed.write(f"note-{number:02d}", f"Note to self: fact number {number} about topic{number}. " + "word " * 60)
    told = script("run", "--all", code=1, FAKE_CLAUDE_SCENARIO="tidy,login", AGENTOPS_DREAM_MAX_BYTES="3000")
    assert told["outcome"] == "failed" and len(told["runs"]) == 1 and told["runs"][0]["outcome"] == "applied"
    assert "what came before it stands: agentops-dream log" in told["message"]


@pytest.mark.parametrize("words", [("show", "x"), ("apply", "x"), ("discard", "x"), ("undo", "x"), ("unflag", "x"), ("run",)])
def test_a_failure_prints_nothing_on_stdout(script: Script, words: tuple[str, ...]) -> None:
    code, out, err = script.run(*words, FAKE_CLAUDE_SCENARIO="login")
    assert (code, out, len(err.splitlines())) == (1, "", 1)
