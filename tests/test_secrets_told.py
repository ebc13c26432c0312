"""A secret in an entry, in any field of a reply or in an error is in nothing that a person reads or a program keeps.

``test_secrets_in_a_dream`` holds the files of one dream to it; here it is everything that is said of it afterwards:
by every command, as text and as JSON, on every page, in the line at session start.
"""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_kit import Say
from dream_kit import OUTBOX, TWIN, Bed, make_bed

from agentops_dream import hooked
from agentops_dream.notice import take
from agentops_dream.review.desk import Desk
from agentops_dream.review.server import Door, serving
from fake_claude.scenarios import ops

PLACES = (
    "entry", "rationale", "long", "summary", "superseded", "by", "new_name", "body", "description", "link", "target", "field",
    "key", "error", "first", "file",
)  # fmt: skip
SECRETS = {name: f"ghp_{number:02d}" + "aB3dE6gH9j" * 4 for number, name in enumerate(PLACES)}
LOOKED_AT = 14
"""Characters of a secret that must not be seen either: cut, it is not known for one any more."""


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    bed = make_bed(tmp_path)
    s = SECRETS
    bed.write("outbox", OUTBOX.replace("Note to self: e", "E"), description="Events go through order_outbox")
    bed.write("outbox-events", TWIN, description="Events go through the order_outbox table")
    bed.write("ship", f"Note to self: the job `ship` needs {s['entry']} at start.", description=f"Ship job, token {s['description']}")
    bed.write(f"x-{s['file']}", "Note to self: the job `sail` runs at 05:00.")
    for number in range(6):
        bed.write(f"note-{number}", f"The worker{number} handles queue number {number} of the intake.")
    return bed


def op(verb: str, *targets: str, **fields: Any) -> dict[str, Any]:
    return ops.op(verb, targets, **{"rationale": f"see {SECRETS['rationale']}", **fields})


def reply(bed: Bed) -> str:
    s = SECRETS
    plan = [
        op("merge", "outbox", "outbox-events", new_body=OUTBOX.replace("Note to self: e", "E"), rationale="x" * 222 + " " + s["long"]),
        op("update", "ship", new_body=f"The job `ship` needs {s['entry']} at start."),
        op("update", f"x-{s['file']}", new_body="The job `sail` runs at 05:00."),
        op("flag", "note-0", rationale="y" * 222 + " " + s["long"]),
        op("update", "note-1", new_body=f"The worker1 handles {s['body']}."),
        op("update", "note-2", new_name=f"x-{s['new_name']}", delete_source=True),
        op("update", "note-3", new_frontmatter={"description": f"Use {s['description']}", "name": s["field"]}),
        op("delete", "note-4", superseded=[{"text": s["superseded"], "by": s["by"]}]),
        op("relink", "note-5", links=[s["link"]]),
        op("update", s["target"], new_body="x"),
        op("update", "note-5", new_body="x", **{s["key"]: 1}),
        {"op": s["field"], s["key"]: s["key"]},
    ]
    path = bed.folder / "reply.json"
    path.write_text(json.dumps({"ops": plan, "summary": "z" * 280 + " " + s["summary"]}), encoding="utf-8")
    return str(path)


def failing(bed: Bed, name: str, answer: str) -> str:
    path = bed.folder / f"{name}.py"
    path.write_text(f"from fake_claude.answer import error, say\ndef dream(prompt):\n    return {answer}\n", encoding="utf-8")
    return str(path)


def leaks(said: Iterable[tuple[str, str]]) -> list[str]:
    """Return where a secret is told, and which, with what stands around it."""
    found = []
    for words, text in said:
        for name, value in SECRETS.items():
            if (at := text.find(value[:LOOKED_AT])) >= 0:
                found.append(f"{words}: {name}: {text[max(0, at - 80) : at + 30]!r}")
    return found


def kept(bed: Bed) -> Iterator[tuple[str, str]]:
    """Yield what is on disk of our own, the bytes for undo aside.

    A file's name stands where it must be found again; it is the file's own.
    """
    for path in sorted(Path(bed.order().places.state_root).rglob("*")):
        if path.is_file() and not {"bak", "new"} & set(path.parts):
            text = path.read_text(encoding="utf-8", errors="replace")
            told = path.suffix == ".log" or path.name in ("receipt.json", "notice.json")
            yield os.fspath(path.relative_to(bed.folder)), text if told else text.replace(SECRETS["file"], "")


def page(bed: Bed) -> Iterator[tuple[str, str]]:
    """Yield all that the live page says to somebody who accepts everything."""
    with serving(Desk(bed.order()), Door(60)) as server:
        with urllib.request.urlopen(server.address, timeout=20) as answer:
            cookie = answer.headers["Set-Cookie"].split(";")[0]
        place = f"{server.origin}/{server.door.place}/"
        headers = {"Cookie": cookie, "X-CSRF-Token": server.door.csrf, "Content-Type": "application/json", "Origin": server.origin}
        with urllib.request.urlopen(urllib.request.Request(place, headers={"Cookie": cookie}), timeout=20) as answer:
            yield "page", answer.read().decode()
        (proposal,) = Desk(bed.order())._proposals()
        for what, data in [
            *(("decide", {"run": proposal.run, "op": index, "choice": "accept"}) for index in proposal.ops),
            *(("draft", {"run": proposal.run, "op": index}) for index in proposal.ops),
            ("summary", {}),
            ("carry", {}),
        ]:
            request = urllib.request.Request(place + what, json.dumps(data).encode(), headers)
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    yield what, answer.read().decode()
            except urllib.error.HTTPError as refused:
                yield what, refused.read().decode()


def test_whatever_is_said_of_a_dream_holds_no_secret(bed: Bed, say: Say) -> None:
    said: list[tuple[str, str]] = []

    def tell(*words: str, **env: str) -> None:
        said.append((" ".join(words), say(*words, **env)))

    def tell_all() -> None:
        for words in (
            ("status",), ("log",), ("show",), ("diff",), ("review", "--list"), ("stats",), ("doctor",),
            ("report", "last", "-o", "-"), ("report", "--stats", "-o", "-"),
        ):  # fmt: skip
            tell(*words)
            if "-" not in words:
                tell(*words, "--json")

    tell("run", "--audit", FAKE_CLAUDE_SCENARIO=reply(bed))
    tell_all()
    tell("report", "-o", "-")
    said += page(bed)
    tell_all()
    tell("run", "--again", "--json", FAKE_CLAUDE_SCENARIO=reply(bed))
    tell("undo")
    tell("run", "--again", FAKE_CLAUDE_SCENARIO=reply(bed))
    tell_all()
    tell("show", SECRETS["field"])
    assert {words for words, text in said if not text} == set()
    found = leaks([*said, *kept(bed)])
    assert not found, "\n".join(found)
    assert sum("[redacted-github-token]" in text for _, text in said) > 10


@pytest.mark.parametrize(
    "answer",
    [
        f"error(500, 'api_error', {'e' * 370 + ' ' + SECRETS['error']!r})",
        f"error(400, 'api_error', 'refused: ' + {SECRETS['error']!r})",
        f"say({'no plan: ' + SECRETS['first']!r})",
        f"say({'w' * 60 + ' ' + SECRETS['first']!r})",
        f"say('{{\"ops\": [], ' + {json.dumps(SECRETS['key'])!r} + ': 1, ' + {json.dumps(SECRETS['key'])!r} + ': 1}}')",
    ],
)
def test_whatever_is_said_of_a_failure_holds_no_secret(bed: Bed, say: Say, answer: str) -> None:
    scenario = failing(bed, "failing", answer)
    said = [("run", say("run", FAKE_CLAUDE_SCENARIO=scenario))]
    hooked.from_hook(bed.order(trigger="Stop", FAKE_CLAUDE_SCENARIO=scenario))
    for words in (("status",), ("log",), ("show",), ("doctor",), ("report", "last", "-o", "-")):
        said.append((" ".join(words), say(*words)))
    said.append(("session start", take({**bed.env}, json.dumps({"cwd": str(bed.project)}).encode())))
    found = leaks([*said, *kept(bed)])
    assert not found, "\n".join(found)
