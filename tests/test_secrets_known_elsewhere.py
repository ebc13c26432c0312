"""A password that only the word before it gives away in one entry stands bare in another, and nobody is told it.

Nothing in the other entry's text shows that it is one. The model, a receipt, a proposal, a page and the
committed mirror all have to know it from the entry that does, though the dream was not about that one.
"""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_kit import Say
from dream_kit import Bed, make_bed

from agentops_dream import dream as story
from agentops_dream import staging, undoing
from agentops_dream.journal import runs
from agentops_dream.models import Receipt
from agentops_dream.review import decisions
from agentops_dream.review.cards import Draft
from agentops_dream.review.decisions import BadDecision, Decisions
from agentops_dream.review.desk import Desk
from agentops_dream.review.server import Door, serving
from agentops_dream.secrets import Vault
from agentops_dream.secrets.entries import redactor
from agentops_dream.store.memory import read_store
from fake_claude.scenarios import ops

LONG = "hunter2-" + "Kx9vQ-77"
SHORT = "Zebra" + "7x"
"""Too short to be sought within words."""
SECRETS = (LONG, SHORT)
START = f"Note to self: start the panel with {LONG} as the second word and {SHORT} as the third; wait for the green light."
BETTER = START.replace("Note to self: start", "Start")
WORSE = BETTER.replace(SHORT, "nothing")
UPDATE = ops.op("update", ["panel"], new_body=BETTER, rationale=f"As {LONG} is the second word.")


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    """A panel whose words are passwords elsewhere, in an entry that is too large to be shown to the model."""
    bed = make_bed(tmp_path)
    bed.env["AGENTOPS_DREAM_MAX_BYTES"] = "6000"
    doors = "The doors of the east wing are painted green.\n" * 200
    bed.write("admin", f"Admin login password: {LONG}\n\nThe other door has the password: {SHORT}\n\n{doors}", type="reference")
    bed.write("panel", START, description=f"How the panel is started: {LONG}")
    bed.write("green", "Wait for the green light.", type="feedback")
    for number in range(6):
        bed.write(f"note-{number}", f"The worker{number} handles queue number {number} of the intake.")
    return bed


def dream(bed: Bed, *plan: dict[str, Any], **env: Any) -> Receipt:
    return bed.dream(reply(bed, *plan), **env)


def reply(bed: Bed, *plan: dict[str, Any]) -> str:
    path = bed.folder / "reply.json"
    path.write_text(json.dumps({"ops": plan, "summary": f"With {LONG}."}), encoding="utf-8")
    return str(path)


def told(say: Say) -> Iterator[tuple[str, str]]:
    """Yield what every command says, as text and as JSON."""
    for words in (("status",), ("log",), ("show",), ("diff",), ("review", "--list"), ("stats",), ("doctor",)):
        yield " ".join(words), say(*words)
        yield f"{' '.join(words)} --json", say(*words, "--json")
    yield "report last", say("report", "last", "-o", "-")


def kept(bed: Bed) -> Iterator[tuple[str, str]]:
    """Yield all files but the entries and the copies of them that an undo needs."""
    for path in sorted(bed.folder.rglob("*")):
        relative = path.relative_to(bed.folder)
        if path.is_file() and path.name not in ("reply.json", "admin.md", "panel.md") and not {"bak", "new"} & set(relative.parts):
            yield str(relative), path.read_text(encoding="utf-8", errors="replace")


def leaks(said: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{where}: {value}" for where, text in said for value in SECRETS if value in text]


def test_what_a_dream_leaves_behind_does_not_tell_it(bed: Bed, say: Say) -> None:
    receipt = dream(bed, UPDATE)
    assert [verdict.status for verdict in receipt.verdicts] == ["applied"]
    assert BETTER in (bed.memory / "panel.md").read_text()
    assert "note-1" in (bed.project / "AGENTS.md").read_text() and "panel.md" in (bed.memory / "MEMORY.md").read_text()
    assert leaks(told(say)) == []
    assert leaks(kept(bed)) == []
    assert "[redacted-password] as the second word and [redacted-password]" in say("diff")
    say("undo")
    assert START in (bed.memory / "panel.md").read_text()
    assert leaks(told(say)) == []


def test_a_refused_op_does_not_tell_it(bed: Bed, say: Say) -> None:
    """A verdict names what would be lost, and quotes the sentence that nothing supports."""
    added = ops.op("update", ["green"], new_body=f"Wait for the green light. Then type {LONG}, see OPS-4711.")
    receipt = dream(bed, {**UPDATE, "new_body": WORSE}, added)
    assert not {"applied", "flagged"} & {verdict.status for verdict in receipt.verdicts}
    assert leaks(told(say)) == []
    assert leaks(kept(bed)) == []


@pytest.mark.parametrize("promote", ["apply", "audit"])
def test_a_reply_that_names_it_does_not_tell_it(bed: Bed, say: Say, promote: str) -> None:
    """As a target, a link or what vouches for a fact; the names of entries stay."""
    plan = [
        ops.op("merge", ["green", LONG], new_body="Wait for the green light."),
        ops.op("relink", ["note-1"], links=[LONG]),
        ops.op("update", ["note-2"], new_body="The worker2 handles a queue.", superseded=[{"text": "queue number 2", "by": LONG}]),
        {**UPDATE, SHORT: LONG},
    ]
    receipt = dream(bed, *plan, PROMOTE=promote)
    assert receipt.verdicts[1].targets == ("note-1",)
    assert leaks(told(say)) == []
    assert leaks(kept(bed)) == []


def test_a_proposal_is_shown_and_taken_without_telling_it(bed: Bed, say: Say) -> None:
    """The op comes back with the passwords in it once it is carried out."""
    assert leaks([("run", say("run", "--audit", "--json", FAKE_CLAUDE_SCENARIO=reply(bed, UPDATE)))]) == []
    assert leaks(told(say)) == []
    assert leaks([("report", say("report", "-o", "-"))]) == []
    with serving(Desk(bed.order()), Door(60)) as server:
        with urllib.request.urlopen(server.address, timeout=20) as answer:
            cookie = {"Cookie": answer.headers["Set-Cookie"].split(";")[0]}
        place = f"{server.origin}/{server.door.place}/"
        with urllib.request.urlopen(urllib.request.Request(place, headers=cookie), timeout=20) as answer:
            page = answer.read().decode()
        assert "green light" in page
        assert leaks([("page", page)]) == []
    assert leaks(kept(bed)) == []
    say("apply", "--ops", "0")
    assert BETTER in (bed.memory / "panel.md").read_text()
    assert leaks(told(say)) == []


def test_the_model_is_not_told_it(bed: Bed) -> None:
    dream(bed, UPDATE)
    (call,) = bed.calls
    asked = json.dumps([call["argv"], call["stdin"]])
    assert "the green light" in asked and "east wing" not in asked
    assert [value for value in SECRETS if value in asked] == []


def test_one_that_only_the_index_gives_away_is_known_too(bed: Bed, say: Say) -> None:
    (bed.memory / "admin.md").unlink()
    (bed.memory / "MEMORY.md").write_text(f"# Mine\n\nAdmin login password: {LONG}\nThe other door has the password: {SHORT}\n")
    receipt = dream(bed, UPDATE)
    assert [verdict.status for verdict in receipt.verdicts] == ["applied"]
    assert leaks(told(say)) == []
    assert leaks((where, text) for where, text in kept(bed) if where != "memory/MEMORY.md") == []


def test_an_edit_does_not_bring_it_into_a_proposal(bed: Bed) -> None:
    dream(bed, UPDATE, PROMOTE="audit")
    (proposal,) = staging.waiting(bed.order().staging)[0]
    redact = redactor(read_store(bed.memory).entries)
    with pytest.raises(BadDecision, match="secret"):
        decisions.edit(Decisions(proposal.run), proposal, 0, Draft(None, f"Start the panel with {LONG}."), redact)


# ---------------------------------------------------------------- other places, other shapes


@pytest.mark.parametrize(
    ("given", "bare"),
    [
        ("Admin login password: {}", "語は{}で、次は緑"),
        ("Admin login password: {}", "_{}_"),
        ("Admin login password: {}", "the word {}"),
        ("curl -u admin:{} https://door.example", "the word {}"),
        ("postgres://app:{}@db.example/x", "the word {}"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("value", [SHORT, LONG])
def test_it_is_known_beside_any_letter_and_out_of_any_line(tmp_path: Path, given: str, bare: str, value: str) -> None:
    bed = make_bed(tmp_path)
    bed.write("admin", given.format(value))
    redact = redactor(read_store(bed.memory).entries)
    assert value not in redact(bare.format(value))
    assert redact(redact(bare.format(value))) == redact(bare.format(value))


@pytest.mark.parametrize("header", ["password: {prod: X}", "password:\n    value: X", "password: 'X'", "password: \"  X  \""])
def test_it_is_known_however_a_header_holds_it(tmp_path: Path, header: str) -> None:
    bed = make_bed(tmp_path)
    path = bed.write("admin", "Nothing here.")
    path.write_text(path.read_text().replace("owner: kit", header.replace("X", LONG)))
    assert LONG not in redactor(read_store(bed.memory).entries)(f"the word {LONG} again")


def test_what_nobody_sees_does_not_hide_it(tmp_path: Path) -> None:
    bed = make_bed(tmp_path)
    bed.write("admin", f"Admin login password: {LONG}")
    entries = read_store(bed.memory).entries
    veiled = LONG[:5] + "\u200b" + LONG[5:]
    assert redactor(entries)(f"the word {veiled}!") == "the word [redacted-password]!"
    vault = Vault("n1")
    vault.keep([LONG])
    assert veiled not in vault.mask(f"the word {veiled}!") and vault.unmask(vault.mask(veiled)) == veiled


def test_a_line_of_a_key_is_known_without_the_rest(bed: Bed, say: Say) -> None:
    """A difference below a key begins inside it."""
    lines = [f"MIIEv{number}" + "aB3dE6gH9j" * 5 for number in range(12)]
    key = "\n".join(["-----BEGIN " + "PRIVATE KEY-----", *lines, "-----END " + "PRIVATE KEY-----"])
    bed.write("key", f"{key}\nNote to self: the job `ship` needs it at start.")
    plan = ops.op("update", ["key"], new_body=f"{key}\nThe job `ship` needs it at start.")
    receipt = dream(bed, plan)
    assert [verdict.status for verdict in receipt.verdicts] == ["applied"]
    assert [line for line in lines if line in say("diff") or line in say("show", "--json")] == []


def test_what_came_while_the_model_thought_is_known_too(bed: Bed, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    admin = (bed.memory / "admin.md").read_bytes()
    (bed.memory / "admin.md").unlink()
    asked = story.rem.ask

    def ask(*args: Any, **options: Any) -> Any:
        reply = asked(*args, **options)
        (bed.memory / "admin.md").write_bytes(admin)
        return reply

    monkeypatch.setattr(story.rem, "ask", ask)
    dream(bed, UPDATE, PROMOTE="audit")
    assert leaks(told(say)) == []
    assert leaks((where, text) for where, text in kept(bed) if not where.endswith("calls.jsonl")) == []


def test_what_went_while_the_model_thought_is_still_known(bed: Bed, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = story.rem.ask

    def ask(*args: Any, **options: Any) -> Any:
        reply = asked(*args, **options)
        (bed.memory / "admin.md").unlink()
        return reply

    monkeypatch.setattr(story.rem, "ask", ask)
    receipt = dream(bed, UPDATE)
    assert [verdict.status for verdict in receipt.verdicts] == ["applied"]
    assert leaks(told(say)) == []
    # Index and mirror are made from the entries that are left, of which none tells that it is a password.
    left = ("memory/MEMORY.md", "project/AGENTS.md")
    assert leaks((where, text) for where, text in kept(bed) if where not in left) == []


def test_a_proposal_with_one_that_the_index_gives_away_can_be_taken(bed: Bed, say: Say) -> None:
    (bed.memory / "admin.md").unlink()
    (bed.memory / "MEMORY.md").write_text(f"# Mine\n\nAdmin login password: {LONG}\nThe other door has the password: {SHORT}\n")
    dream(bed, UPDATE, PROMOTE="audit")
    say("apply", "--ops", "0")
    assert BETTER in (bed.memory / "panel.md").read_text()


def test_it_does_not_move_into_another_entry(bed: Bed) -> None:
    moved = ops.op("merge", ["green", "note-0"], new_body=f"Wait for the green light. The worker0 handles queue number 0 of the intake with {LONG}.")
    receipt = dream(bed, moved)
    assert [verdict.status for verdict in receipt.verdicts] == ["rejected"]
    assert "secret" in {fault.code for fault in receipt.verdicts[0].faults}


def test_the_reason_of_a_flag_does_not_tell_it(bed: Bed, say: Say) -> None:
    green = bed.memory / "green.md"
    green.write_text(green.read_text().replace("  owner: kit", f"  flagged: true\n  flagged_reason: start with {LONG}"))
    assert "green.md" in say("status") and "green.md" in say("review", "--list")
    assert leaks(told(say)) == []


def test_a_plain_word_stays_legible_where_it_is_none(tmp_path: Path) -> None:
    bed = make_bed(tmp_path)
    bed.write("door", "Open it with `sshpass -p applied ssh door`.")
    redact = redactor(read_store(bed.memory).entries)
    assert redact("1 applied; 2 files changed") == "1 applied; 2 files changed"
    assert "-p [redacted-" in redact("Open it with `sshpass -p applied ssh door`.")


@pytest.mark.parametrize("word", ["applied", "dream", "focus", "entries", "body", "memory", "panel2", "T12:00:00Z", "redacted-password"])
def test_a_word_of_ours_that_is_somebodys_password_breaks_nothing(tmp_path: Path, word: str) -> None:
    """Lost if wrong: each dream fails after it was paid for, or what a person took back is done again."""
    bed = make_bed(tmp_path)
    bed.write("door", f"Open it with `sshpass -p {word} ssh door`.\n\npassword: {word}")
    bed.write("panel2", START.replace(LONG, "Start").replace(SHORT, "Go"))
    better = START.replace(LONG, "Start").replace(SHORT, "Go").replace("Note to self: start", "Start")
    bed.write("bell", "Note to self: the bell `b4` rings at 05:00.")
    plan = ops.op("update", ["panel2"], new_body=better)
    receipt = dream(bed, plan)
    assert [verdict.status for verdict in receipt.verdicts] == ["applied"]
    assert runs.find(bed.order().state, "last").outcome == "applied"
    undoing.undo(bed.order(), receipt.run)
    again = dream(bed, plan, again=True)
    assert [verdict.status for verdict in again.verdicts] == ["dropped"]
    staged = dream(bed, ops.op("update", ["bell"], new_body="The bell `b4` rings at 05:00."), PROMOTE="audit", again=True)
    assert [verdict.status for verdict in staged.verdicts] == ["applied"]
    (proposal,) = staging.waiting(bed.order().staging)[0]
    assert staging.offered(proposal) == (0,)
