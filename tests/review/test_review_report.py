"""``report``, ``stats`` and ``completion``: pages to keep, and figures that add up."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from client_terminal import Terminal
from dream_kit import Bed
from review_kit import MERGE, THREE, op, stage
from test_review_commands import CLI, env

from agentops_dream import deciding, undoing
from agentops_dream.journal import runs
from agentops_dream.journal.stats import Stats, gather
from agentops_dream.review import charts
from agentops_dream.review.page import policy
from agentops_dream.review.report import run_page, stats_page

Call = Callable[..., "tuple[int, str, str]"]


class Outside(HTMLParser):
    """Everything on a page that could lead out of it, and the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.said = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "href", "action", "srcset", "data", "formaction") and value and not value.startswith("#"):
                self.found.append(f"{tag} {name}={value}")
            if name.startswith("on") or name == "style":
                self.found.append(f"{tag} {name}")

    def handle_data(self, data: str) -> None:
        self.said += data


@pytest.fixture
def report(bed: Bed, here: Call) -> Callable[..., str]:
    """Return what makes a report from words of the command line, and returns the page."""
    return lambda *words: written(bed, here, *words)


def written(bed: Bed, here: Call, *words: str) -> str:
    target = bed.folder / "report.html"
    code, _, err = here("report", *words, "-o", str(target))
    assert code == 0, err
    assert target.stat().st_mode & 0o077 == 0, "it holds a memory"
    return target.read_text(encoding="utf-8")


def test_a_report_of_what_waits_can_only_be_read_and_leads_nowhere(bed: Bed, report: Callable[..., str]) -> None:
    stage(bed, [*THREE, op("update", "note-1", new_body="The worker1 handles 4711 queues."), "junk"])
    page = Outside(report())
    assert page.found == ["link href=data:,"]
    for words in ("merge kettle-cache, kettle-metrics", "2026-02-11", "parked", "4711 queues", '"junk"'):
        assert words in page.said
    assert "connect-src 'none'" in policy(live=False) and "data-act" not in report().split("<script>")[0]


def test_a_report_of_a_run_shows_its_receipt(bed: Bed, report: Callable[..., str]) -> None:
    stage(bed, THREE)
    bed.later(60)
    receipt = deciding.apply(bed.order(), ops=[0, 1])
    page = Outside(report(receipt.run))
    for words in (receipt.run, receipt.message, "memory/MEMORY.md", "merged_from", "Filler words removed."):
        assert words in page.said, words
    assert page.found == ["link href=data:,"]
    assert Outside(report("last")).said == page.said


def test_a_staged_runs_name_means_its_proposal_until_it_is_decided(bed: Bed, report: Callable[..., str]) -> None:
    run = stage(bed, THREE).run
    assert "Facts dropped" in report(run)
    deciding.discard(bed.order())
    assert "Facts dropped" not in report(run) and run in report(run)


def test_a_report_that_cannot_be_made_says_why(bed: Bed, here: Call) -> None:
    assert here("report")[0] == 2, "no file was named"
    code, _, err = here("report", "-o", "x.html")
    assert code == 1 and "no run" in err.lower()
    stage(bed, THREE)
    code, _, err = here("report", "-o", "nowhere/x.html")
    assert code == 1 and "there is no folder nowhere" in err
    assert not (bed.project / "nowhere").exists()
    code, _, err = here("report", "-o", str(bed.folder))
    assert code == 1 and f"{bed.folder} is a folder" in err
    os.mkfifo(bed.folder / "pipe")
    code, _, err = here("report", "-o", str(bed.folder / "pipe"))
    assert code == 1 and "-o - prints the page" in err
    assert here("report", "-o", "-")[1].startswith("<!doctype html>")
    assert here("report", "-o", "-", "--json")[0] == 2
    told = json.loads(here("report", "-o", "x.html", "--json")[1])
    assert set(told) == {"what", "file", "bytes"} and told["bytes"] == os.stat(told["file"]).st_size


def test_no_page_holds_a_planted_secret(bed: Bed, report: Callable[..., str], here: Call) -> None:
    """In an entry, in a reply, in an error: pages are sent around."""
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    bed.write("deploy", f"Note to self: deploy with the token {token} from the vault, never by hand.")
    stage(bed, [op("update", "deploy", new_body=f"Deploy with the token {token} from the vault, never by hand.", rationale=f"Uses {token}."), op("update", "note-1", new_body=f"The worker1 uses {token} for queue number 1 of the intake.")])
    pages = [report(), here("review", "--list")[1], here("review", "--json")[1]]
    bed.later(60)
    receipt = deciding.apply(bed.order())
    undoing.undo(bed.order(), receipt.run)
    failed = replace(receipt, outcome="failed", message=f"error with {token}", run="20260504T130000Z-aaaaaa")
    runs.write(bed.order().state, failed)
    pages += [report(receipt.run), report(failed.run), report("--stats")]
    for page in pages:
        assert token not in page
    assert sum("redacted-" in page for page in pages) >= 4


def test_a_purged_difference_is_said_to_be_purged(bed: Bed) -> None:
    bed.dream("tidy")
    receipt = next(runs.every(bed.order().state))
    page = run_page(replace(receipt, files=tuple({**row, "diff": ""} for row in receipt.files)))
    assert "the difference was purged" in page


def test_stats_add_up_in_every_form(bed: Bed, report: Callable[..., str], here: Call) -> None:
    stage(bed, THREE)
    bed.later(86400)
    receipt = deciding.apply(bed.order(), ops=[1, 2])
    bed.later(60)
    undoing.undo(bed.order(), receipt.run)
    told = json.loads(here("stats", "--json")[1])
    assert set(told) == {
        "runs", "dreams", "first", "last", "outcomes", "undone", "ops", "faults", "changed", "created", "removed", "calls",
        "usd", "input_tokens", "output_tokens", "seconds", "usd_by_day", "days", "sizes", "now",
    }  # fmt: skip
    assert (told["runs"], told["dreams"], told["undone"]) == (3, 1, 1)
    assert told["ops"] == {"delete": {"applied": 1, "staged": 1}, "merge": {"parked": 1}, "update": {"applied": 1, "staged": 1}}
    assert [day["applied"] for day in told["days"].values()] == [0, 2]
    assert [size["entries"] for size in told["sizes"]] == [9, 10]
    assert told["now"] == {"entries": 10, "index_bytes": (bed.memory / "MEMORY.md").stat().st_size}
    screen = here("stats")[1]
    assert "1 of 3 runs, 1 taken back" in screen and "9 → 10" in screen and "2026-05-05" in screen
    for drawn in ("dreams a day", "tokens a day", "dollars a day", "entries", "MEMORY.md, bytes"):
        assert re.search(rf"^{drawn} +[▁▂▃▄▅▆▇█]{{2}}  \S+ → \S+$", screen, re.MULTILINE), drawn
    assert re.search(r"^update +1 +1 +█+", screen, re.MULTILINE) and re.search(r"^2026-05-05 .* 2  █+", screen, re.MULTILINE)
    page = Outside(report("--stats"))
    assert page.found == ["link href=data:,"] and "Entries after each run" in page.said and "Ops by verb and verdict" in page.said


def test_ops_by_verb_are_drawn_as_well(bed: Bed, report: Callable[..., str]) -> None:
    stage(bed, [*THREE, op("flag", "note-1"), op("flag", "note-2")])
    widths = re.findall(r'<td>(\d+) <svg[^>]*><rect [^>]*width="([^"]+)"', report("--stats"))
    assert sorted(widths) == [("1", "80.0"), ("1", "80.0"), ("1", "80.0"), ("2", "160.0")]


def test_stats_of_nothing_at_all(bed: Bed, here: Call) -> None:
    assert "0 of 0 runs" in here("stats")[1]
    assert "Nothing yet." in stats_page(gather([]), "/m", 0, 0) and gather([]) == Stats()


@pytest.mark.parametrize("values", [[], [0], [0, 0], [7], [1, 999999], [0.0004, 0.02], [3] * 200])
def test_every_chart_stays_within_its_frame(values: list[float]) -> None:
    points = [(f"2026-01-{number:02d}", value) for number, value in enumerate(values)]
    for drawing in (charts.bars("Title", points), charts.line("Title", points)):
        for name, most in (("x", charts.WIDTH), ("y", charts.HEIGHT), ("cx", charts.WIDTH), ("cy", charts.HEIGHT)):
            assert all(0 <= float(found) <= most for found in re.findall(rf' {name}="([^"]+)"', drawing))
        heights = [float(found) for found in re.findall(r' height="([^"]+)"', drawing)]
        assert all(0 <= height <= charts.HEIGHT for height in heights)
        assert len(heights) <= charts.MOST


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_completion_script(here: Call, shell: str) -> None:
    code, script, _ = here("completion", shell)
    assert code == 0 and "_AGENTOPS_DREAM_COMPLETE" in script
    assert json.loads(here("completion", shell, "--json")[1]) == {"shell": shell, "script": script.removesuffix("\n")}
    if shell == "bash" and shutil.which("bash"):
        subprocess.run(["bash", "-n"], input=script, text=True, check=True, timeout=20)


def complete(bed: Bed, words: str) -> list[str]:
    """Return what bash is offered for the last of ``words``."""
    given = words.split(" ")
    more = {"_AGENTOPS_DREAM_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(given) - 1)}
    done = subprocess.run(CLI, env=env(bed, **more), cwd=bed.project, capture_output=True, text=True, timeout=60)
    return [line.split(",")[1] for line in done.stdout.splitlines()]


def test_commands_runs_and_proposals_are_completed(bed: Bed) -> None:
    run = stage(bed, [MERGE]).run
    assert {"review", "report"} <= set(complete(bed, "agentops-dream re"))
    assert complete(bed, "agentops-dream show ") == ["last", run]
    assert complete(bed, f"agentops-dream apply {run[:4]}") == [run]
    assert complete(bed, "agentops-dream undo la") == ["last"]
    assert "--web" in complete(bed, "agentops-dream review --")


INTERACTIVE = {
    "bash": ("--norc", "--noprofile", "-i"),
    "zsh": ("-f", "-i"),
    "fish": ("--no-config", "-i"),
}
SOURCE = {
    "bash": 'eval "$(agentops-dream completion bash)"',
    "zsh": 'autoload -U compinit; compinit -u -D; eval "$(agentops-dream completion zsh)"',
    "fish": "agentops-dream completion fish | source",
}


@pytest.mark.parametrize("shell", [shell for shell in INTERACTIVE if shutil.which(shell)])
def test_the_tab_key_completes_in_the_shells_that_are_here(bed: Bed, shell: str) -> None:
    """A script that a shell reads without complaint may still complete nothing."""
    run = stage(bed, [MERGE]).run
    folder = bed.folder / "bin"
    folder.mkdir()
    program = folder / "agentops-dream"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agentops_dream.cli "$@"\n')
    program.chmod(0o755)
    given = env(bed, PATH=f"{folder}:{bed.env['PATH']}", PS1="$ ", HOME=str(bed.folder))
    with Terminal([str(shutil.which(shell)), *INTERACTIVE[shell]], cwd=bed.project, env=given, controlling=True) as terminal:
        terminal.send(f"{SOURCE[shell]}; echo rea''dy\r")
        terminal.wait_for("ready")
        for typed, wanted in (("undo la", "undo last"), (f"apply {run[:-4]}", f"apply {run}"), ("review --we", "review --web")):
            terminal.send(f"agentops-dream {typed}\t")
            terminal.wait_for(f"agentops-dream {wanted}")
            terminal.send("\x15")  # the line away


def test_a_report_replaces_a_file_whole_or_not_at_all(bed: Bed, here: Call) -> None:
    stage(bed, THREE)
    folder = Path(bed.folder / "out")
    folder.mkdir()
    (folder / "r.html").write_text("old")
    assert here("report", "-o", str(folder / "r.html"), "--force")[0] == 0
    assert os.listdir(folder) == ["r.html"] and (folder / "r.html").read_text().startswith("<!doctype")


def test_a_report_replaces_reports_only_unless_told_to(bed: Bed, here: Call) -> None:
    """Who mistypes a name would lose a file of their own, and others the right to read it."""
    stage(bed, THREE)
    target = bed.folder / "keep.txt"
    target.write_text("mine")
    target.chmod(0o644)
    code, _, err = here("report", "-o", str(target))
    assert code == 1 and "--force" in err and target.read_text() == "mine"
    assert here("report", "-o", str(target), "--force")[0] == 0
    assert target.stat().st_mode & 0o777 == 0o644
    target.write_text(target.read_text().replace("</html>", "<!-- old --></html>"))
    assert here("report", "-o", str(target))[0] == 0 and "<!-- old -->" not in target.read_text()
