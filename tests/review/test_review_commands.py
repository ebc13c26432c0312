"""``review`` as a person and a script meet it, in a real terminal and as a page."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from client_terminal import Terminal
from dream_kit import ROOT, Bed, make_bed
from page_visitor import drive
from review_kit import BETTER, THREE, furnish, many, proposal_of, stage

from agentops_dream import deciding, staging
from agentops_dream.review import decisions
from agentops_dream.review.desk import Desk

Call = Callable[..., "tuple[int, str, str]"]
CLI = [sys.executable, "-m", "agentops_dream.cli"]


def env(bed: Bed, **more: str) -> dict[str, str]:
    return {**bed.env, "PYTHONPATH": str(ROOT), **more}


def call(bed: Bed, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*CLI, *words], env=env(bed, **more), cwd=bed.project, capture_output=True, text=True, encoding="utf-8", timeout=120
    )


def sitting(bed: Bed, *words: str, **more: str) -> Terminal:
    return Terminal([*CLI, "review", *words], cwd=bed.project, env=env(bed, **more))


def decide(terminal: Terminal, told: str) -> None:
    """Reject the first of three ops, accept the others, carry out; ``told``: what the end then says."""
    for key, wanted in (("r", "2 of 3"), ("a", "3 of 3"), ("a", "carry it out")):
        terminal.send(key)
        terminal.wait_for(wanted)
    terminal.send("y")
    terminal.wait_for(told)
    assert terminal.process.wait(20) == 0


def twin(bed: Bed, folder: Path) -> Bed:
    """Return another memory directory of the same bytes, with the same proposal, for what a script does."""
    other = make_bed(folder)
    furnish(other)
    stage(other, THREE)
    return other


def essence(bed: Bed) -> Any:
    """Return what the newest receipt says, without what names the moment and the place."""
    receipt = json.loads(call(bed, "show", "--json").stdout)
    kept = ("kind", "outcome", "message", "verdicts", "files", "focus", "shown", "notes")
    return json.loads(json.dumps({name: receipt[name] for name in kept}))


def test_in_a_real_terminal_the_good_ones_are_accepted_and_the_bad_one_sent_away(bed: Bed, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The person's way ends in the same bytes and the same receipt as the script's."""
    other = twin(bed, tmp_path_factory.mktemp("script"))
    deciding.apply(other.order(), ops=[1, 2])
    deciding.discard(other.order(), ops=[0])
    stage(bed, THREE)
    with sitting(bed) as terminal:
        terminal.wait_for("[?] help")
        assert "1of3" in terminal.text and "2026-02-11" in terminal.text
        decide(terminal, "sent away: op 0")
    assert bed.tree() == other.tree()
    assert essence(bed) == essence(other)
    assert list(bed.order().staging.iterdir()) == []


def test_the_editor_that_the_person_has_set_is_used(bed: Bed) -> None:
    stage(bed, THREE)
    editor = bed.folder / "my editor.sh"
    editor.write_text('#!/bin/sh\nsed -i "s/never by hand/never ever by hand/" "$1"\n')
    editor.chmod(0o755)
    with sitting(bed, VISUAL=f"'{editor}'") as terminal:
        terminal.wait_for("[?] help")
        terminal.send("s")
        terminal.wait_for("2 of 3")
        terminal.send("e")
        terminal.wait_for("edited by you")
        terminal.send("q")
        terminal.wait_for("is kept")
        assert terminal.process.wait(20) == 0
    edits = decisions.load(bed.order().staging, proposal_of(bed)).edits
    assert edits[1]["new_body"].rstrip("\n") == BETTER.replace("never by hand", "never ever by hand")


def test_an_editor_that_does_not_work_is_named_and_ends_nothing(bed: Bed) -> None:
    stage(bed, THREE)
    with sitting(bed, VISUAL="/nowhere/editor") as terminal:
        terminal.wait_for("[?] help")
        terminal.send("e")
        terminal.wait_for("set VISUAL or EDITOR")
        terminal.send("q")
        assert terminal.process.wait(20) == 0


def test_ctrl_c_keeps_what_was_decided(bed: Bed) -> None:
    stage(bed, THREE)
    before = bed.tree()
    with sitting(bed) as terminal:
        terminal.wait_for("[?] help")
        terminal.send("r")
        terminal.wait_for("2 of 3")
        terminal.process.send_signal(signal.SIGINT)  # what a terminal does for Ctrl-C
        terminal.wait_for("is kept")
        assert terminal.process.wait(20) == 0
    assert bed.tree() == before
    assert decisions.load(bed.order().staging, proposal_of(bed)).choices == {0: "reject"}


@pytest.mark.parametrize("words", [(), ("--list",)])
def test_without_a_terminal_it_lists_and_asks_nothing(bed: Bed, here: Call, words: tuple[str, ...]) -> None:
    run = stage(bed, THREE).run
    code, out, _ = here("review", *words)
    assert code == 0 and f"agentops-dream apply {run}" in out and "parked" in out
    assert "1 of 3" not in out


@pytest.mark.parametrize("ops", [THREE, THREE[:1], THREE[1:]])
def test_the_command_that_the_list_names_takes_what_can_be_taken(bed: Bed, here: Call, ops: Any) -> None:
    """Who copies a line that answers with an error has been sent in a circle."""
    stage(bed, ops)
    (line,) = re.findall(r"^take: +agentops-dream (.*)", here("review", "--list", COLUMNS="80")[1], re.MULTILINE)
    code, out, err = here(*line.split())
    assert code == 0 and "applied" in out, err


def test_ops_can_be_named_as_the_program_names_them(bed: Bed, here: Call) -> None:
    stage(bed, THREE)
    assert here("apply", "--ops", "0-7")[0] == 1, "there is no op 3"
    assert here("discard", "--ops", "1-2")[1].startswith("discarded ops 1, 2 of ")
    for words in ("2-x", "-1", "2-1", "", ","):
        assert here("discard", f"--ops={words}")[0] == here("apply", f"--ops={words}")[0] == 2, words
    assert set(proposal_of(bed).ops) == {0}


def keep(bed: Bed, choices: Any, edits: Any) -> None:
    decisions.save(bed.order().staging, decisions.Decisions(proposal_of(bed).run, choices, edits))


def test_apply_carries_out_what_was_decided_in_a_review_that_was_left(bed: Bed, here: Call) -> None:
    """"What you decided is kept": a rejected op that is carried out all the same breaks that promise."""
    ops = many(bed, 6)
    run = stage(bed, ops).run
    before = (bed.memory / "queue-000.md").read_bytes()
    edited = ops[2]["new_body"] + "\n\nSee the runbook."
    keep(bed, {0: "reject", 1: "accept", 2: "accept", 3: "skip"}, {2: {"new_body": edited}})
    code, out, err = here("apply", run)
    assert code == 0, err
    assert "4 decisions of your review honoured: 2 accepted, 1 rejected, 1 skipped, 1 edited" in out
    assert "sent away: op 0" in out and "still waiting: op 3" in out
    assert (bed.memory / "queue-000.md").read_bytes() == before
    assert "See the runbook." in (bed.memory / "queue-002.md").read_text()
    for number in (1, 4, 5):
        assert "Note to self" not in (bed.memory / f"queue-00{number}.md").read_text()
    assert set(proposal_of(bed).ops) == {3} and "Note to self" in (bed.memory / "queue-003.md").read_text()


def test_apply_of_a_named_op_uses_the_edit_and_leaves_other_decisions_alone(bed: Bed, here: Call) -> None:
    ops = many(bed, 3)
    stage(bed, ops)
    keep(bed, {0: "reject"}, {1: {"new_body": ops[1]["new_body"] + "\n\nSee the runbook."}})
    code, _, err = here("apply", "--ops", "1")
    assert code == 0, err
    assert "See the runbook." in (bed.memory / "queue-001.md").read_text()
    assert decisions.load(bed.order().staging, proposal_of(bed)).choices == {0: "reject"}


def test_an_edit_that_the_gate_refuses_is_never_replaced_by_what_was_proposed(bed: Bed, here: Call) -> None:
    ops = many(bed, 2)
    stage(bed, ops)
    before = bed.tree()
    keep(bed, {}, {1: {"new_body": ops[1]["new_body"] + "\n\nIt listens on port 4711."}})
    (proposal,) = json.loads(here("review", "--json")[1])["proposals"]
    assert proposal["ops"][1]["takeable"] is False
    code, _, err = here("apply", "--ops", "1")
    assert code == 1 and "your edit" in err and "4711" in err
    assert bed.tree() == before
    assert here("apply")[0] == 0
    assert "Note to self" in (bed.memory / "queue-001.md").read_text() and set(proposal_of(bed).ops) == {1}


def test_apply_after_everything_was_rejected_sends_it_away_and_touches_nothing(bed: Bed, here: Call) -> None:
    stage(bed, THREE[1:2])
    before = bed.tree()
    keep(bed, {0: "reject"}, {})
    code, out, err = here("apply", "--json")
    assert code == 0 and json.loads(out)["outcome"] == "nothing", err
    assert bed.tree() == before and list(bed.order().staging.iterdir()) == []


def test_of_a_plan_that_was_partly_carried_out_it_is_said_what_waits(bed: Bed, here: Call) -> None:
    stage(bed, THREE)
    assert "a whole plan; nothing was touched" in here("review", "--list")[1]
    assert here("apply", "--ops", "1")[0] == 0
    out = here("review", "--list")[1]
    assert "2 of 3 ops wait" in out and "nothing was touched" not in out
    assert "2 of 3 ops wait" in Desk(bed.order()).page("x")


def test_a_proposal_with_nothing_left_to_take_asks_for_no_review(bed: Bed, here: Call) -> None:
    """Status would send a person for ever to a review in which there is nothing to decide."""
    first, second = (stage(bed, THREE[1:2], focus=focus).run for focus in (["release.md"], None))
    assert here("discard", first)[0] == 0
    out = here("review")[1]
    assert "nothing of it can be taken any more" in out and f"agentops-dream discard {second}" in out
    assert "agentops-dream apply" not in out
    said = json.loads(here("status", "--json")[1])
    assert said["proposals"] == 0 and "review" not in said["next"]


def three_proposals(bed: Bed) -> list[str]:
    """Stage the three one by one, as three nights do; return their names."""
    shown = (["kettle-cache.md", "kettle-metrics.md"], ["release.md"], ["spring-freeze.md"])
    return [stage(bed, [op], focus=focus).run for op, focus in zip(THREE, shown, strict=True)]


def decided_by_script(folder: Path) -> Bed:
    other = make_bed(folder)
    furnish(other)
    merge, update, delete = three_proposals(other)
    deciding.discard(other.order(), merge)
    for run in (update, delete):
        deciding.apply(other.order(), run)
    return other


def receipts(bed: Bed) -> Any:
    """Return what the receipts of all that was applied say, without what names the moment and the place."""
    found = [receipt for receipt in json.loads(call(bed, "log", "--json").stdout) if receipt["kind"] == "apply"]
    kept = ("kind", "outcome", "message", "verdicts", "files", "focus", "shown", "notes")
    return [{name: receipt[name] for name in kept} for receipt in found]


@pytest.mark.parametrize("way", ["terminal", "page"])
def test_three_proposals_end_in_the_same_bytes_and_receipts_on_every_way(bed: Bed, way: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A merge with a lost fact is sent away, a good update and a delete are accepted, each of a night of its own."""
    other = decided_by_script(tmp_path_factory.mktemp("script"))
    names = three_proposals(bed)
    if way == "terminal":
        with sitting(bed) as terminal:
            terminal.wait_for("[?] help")
            decide(terminal, "applieddeletespring-freeze")
    else:
        process, address = page(bed)
        choices = zip(names, ("reject", "accept", "accept"), strict=True)
        drive(address, *(("decide", {"run": run, "op": 0, "choice": choice}) for run, choice in choices), "summary", "carry")
        assert process.wait(30) == 0
    assert bed.tree() == other.tree()
    assert receipts(bed) == receipts(other) and len(receipts(bed)) == 2
    assert list(bed.order().staging.iterdir()) == []


def test_json_holds_all_that_a_card_holds(bed: Bed, here: Call) -> None:
    stage(bed, THREE)
    made = decisions.Decisions(proposal_of(bed).run, {1: "accept"})
    decisions.save(bed.order().staging, made)
    (proposal,) = json.loads(here("review", "--json")[1])["proposals"]
    assert set(proposal) == {"run", "kind", "created", "summary", "focus", "stale", "indexes", "ops"}
    merge, update, delete = proposal["ops"]
    assert set(merge) == {
        "index", "kind", "title", "status", "reason", "now", "stale", "takeable", "only_flags", "targets", "confidence",
        "rationale", "faults", "goes_with", "facts", "files", "edited", "choice", "op",
    }  # fmt: skip
    assert merge["facts"]["dropped"] == ["2026-02-11"] and merge["faults"][0]["code"] == "loss"
    assert "-Note to self: a release" in update["files"][0]["diff"] and update["choice"] == "accept"
    assert delete["files"][0]["diff"].startswith("--- a/memory/spring-freeze.md\n+++ /dev/null\n")


def test_before_the_yes_it_is_said_what_becomes_of_the_indexes_and_so_it_happens(bed: Bed, here: Call) -> None:
    """A person who accepts an op on one entry must not find AGENTS.md changed without having been told."""
    stage(bed, THREE)
    decisions.save(bed.order().staging, decisions.Decisions(proposal_of(bed).run, {1: "accept", 2: "reject"}))
    (proposal,) = json.loads(here("review", "--json")[1])["proposals"]
    page = Desk(bed.order()).answer("summary", {})["html"]
    diffs = {file["label"]: file["diff"] for file in json.loads(here("apply", "--json")[1])["files"]}
    added, removed = (
        sum(line[0] == mark for line in diffs["memory/MEMORY.md"].splitlines()[2:]) for mark in "+-"
    )
    written = sum(line[0] == "+" for line in diffs["project/AGENTS.md"].splitlines()[2:])
    assert added and written
    lines = [f"MEMORY.md: {added} lines added, {removed} removed", f"AGENTS.md: new, {written} lines"]
    assert proposal["indexes"] == lines and all(line in page for line in lines)


def test_a_name_that_is_no_proposal_is_an_error(bed: Bed, here: Call) -> None:
    stage(bed, THREE)
    code, _, err = here("review", "nonsense")
    assert code == 1 and "nonsense" in err


def test_options_of_the_page_without_the_page_are_a_mistake_and_not_passed_over(bed: Bed, here: Call) -> None:
    stage(bed, THREE)
    for words in (("--idle", "5"), ("--detach",), ("--list", "--detach")):
        code, _, err = here("review", *words)
        assert code == 2 and "--web" in err


def page(bed: Bed, *words: str) -> tuple[subprocess.Popen[str], str]:
    """Start the page; return the process and the address that it prints."""
    process = subprocess.Popen(
        [*CLI, "review", "--web", *words], env=env(bed), cwd=bed.project, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, text=True, encoding="utf-8",
    )  # fmt: skip
    stream = process.stderr if "--json" in words else process.stdout
    assert stream is not None
    for line in stream:
        if match := re.search(r"http://127\.0\.0\.1:\d+/\S+", line):
            return process, match[0]
    raise AssertionError(process.communicate())


def test_nothing_listens_after_the_page_has_ended(bed: Bed) -> None:
    stage(bed, THREE)
    for end in (signal.SIGINT, None):
        process, address = page(bed, *([] if end else ["--idle", "1"]))
        port = int(address.split(":")[2].split("/")[0])
        if end:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            process.send_signal(end)
        out, err = process.communicate(timeout=30)
        assert process.returncode == 0 and "nothing was carried out" in out, (out, err)
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=2)


def listening(address: str) -> bool:
    try:
        socket.create_connection(("127.0.0.1", int(address.split(":")[2].split("/")[0])), timeout=5).close()
    except ConnectionError:
        return False
    return True


def test_a_page_left_to_itself_tells_its_address_at_once_and_ends_when_nobody_is_there(bed: Bed) -> None:
    """A chat shows what a command says once it has ended; a person would wait for the address for ever."""
    stage(bed, THREE)
    told = json.loads(call(bed, "review", "--web", "--detach", "--idle", "3", "--json").stdout)
    assert set(told) == {"address", "idle"} and listening(told["address"])
    deadline = time.monotonic() + 60
    while listening(told["address"]):
        assert time.monotonic() < deadline, "it listens for ever"
        time.sleep(0.1)
    said = call(bed, "review", "--web", "--detach", "--idle", "60").stdout.splitlines()
    address = next(line for line in said if line.startswith("http://127.0.0.1:"))
    assert any("nobody is there for 1 minute" in line for line in said)
    drive(address, "quit")
    while listening(address):
        assert time.monotonic() < deadline, "it listens after its end"
        time.sleep(0.1)


def test_a_page_that_cannot_be_served_says_so(bed: Bed) -> None:
    stage(bed, THREE)
    done = call(bed, "review", "--web", "--detach", "nonsense")
    assert done.returncode == 1 and "nonsense" in done.stderr


def test_the_page_can_be_driven_by_a_script_with_json_at_its_end(bed: Bed) -> None:
    stage(bed, THREE)
    process, address = page(bed, "--json")
    drive(address, ("decide", {"run": proposal_of(bed).run, "op": 1, "choice": "accept"}), "carry")
    out, _ = process.communicate(timeout=30)
    told = json.loads(out)
    assert told["ended"] == "carried" and told["done"][0]["left"] == [0, 2]
    assert told["done"][0]["receipt"]["verdicts"][0]["status"] == "applied"


def test_parked_ops_of_a_dream_are_reviewed_like_a_plan(bed: Bed) -> None:
    reply = bed.folder / "three.json"
    reply.write_text(json.dumps({"ops": list(THREE), "summary": ""}), encoding="utf-8")
    bed.dream(str(reply))
    (proposal,) = staging.waiting(bed.order().staging)[0]
    assert proposal.kind == "parked" and set(proposal.ops) == {0}
    with sitting(bed) as terminal:
        terminal.wait_for("[?] help")
        terminal.send("a")
        terminal.wait_for("carry it out")
        terminal.send("y")
        terminal.wait_for("agentops-dream undo")
        assert terminal.process.wait(20) == 0
    assert not (bed.memory / "kettle-metrics.md").exists()
    assert os.listdir(bed.order().staging) == []
