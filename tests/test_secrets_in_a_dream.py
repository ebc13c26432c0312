"""A whole dream over a store full of secrets: none is in what the model reads, nor in any text of ours.

Entries keep theirs, and so do the copies of them that a run keeps for its undo (``bak``, ``new``). All
else that a dream writes is read by people, sent around, or committed.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dream_kit import OUTBOX, TWIN, Bed, make_bed

NAMES = ("name", "value", "key", "body", "description", "index", "rationale", "summary", "new_name", "cell", "plain")
SECRETS = {name: f"ghp_{number:02d}" + "aB3dE6gH9j" * 4 for number, name in enumerate(NAMES)}
SECRETS["plain"] = "Tr0ub4dor" + "-Kx93z"
SECRETS["cell"] = "Sw0rdf1sh" + "-Qq71"


@pytest.fixture
def bed(tmp_path: Path) -> Bed:
    """A store in which every place of an entry has a secret of its own, and a good merge to be made."""
    bed = make_bed(tmp_path)
    s = SECRETS
    bed.write("outbox", OUTBOX.replace("Note to self: e", "E"), description="Events go through order_outbox")
    bed.write("outbox-events", TWIN, description="Events go through the order_outbox table")
    bed.write("body", f"The job `ship` needs {s['body']} at start.")
    bed.write("plain", "The job `dock` runs at 04:00.", description=f"Dock job, log in with {s['plain']}")
    bed.write("cell", f"| user | password |\n|---|---|\n| admin | {s['cell']} |")
    bed.write("described", "The job `sail` runs at 05:00.", description=f"Sail job, token {s['description']}")
    bed.write("reader", "The job `swim` runs at 07:00.")
    bed.write("named", "The job `row` runs at 06:00.")
    for name, line in {
        "plain": f"db_password: {s['plain']}",
        "described": f"{s['key']}: v",
        "body": f"api_token: {s['value']}",
    }.items():
        path = bed.memory / f"{name}.md"
        path.write_text(path.read_text().replace("  owner: kit", f"  {line}"))
    named = bed.memory / "named.md"
    named.write_text(named.read_text().replace("name: named", f"name: {s['name']}"))
    (bed.memory / "MEMORY.md").write_text(f"# Mine {s['index']}\n\n- [Body](body.md) — ask Ilse\n")
    return bed


def ops() -> list[dict[str, object]]:
    def op(verb: str, *targets: str, **fields: object) -> dict[str, object]:
        made = {
            "op": verb, "target_ids": list(targets), "new_name": None, "delete_source": False, "new_frontmatter": None,
            "new_body": None, "links": [], "superseded": [], "confidence": 0.95, "rationale": f"see {SECRETS['rationale']}",
        }  # fmt: skip
        return {**made, **fields}

    return [
        op("merge", "outbox", "outbox-events", new_body=OUTBOX.replace("Note to self: e", "E")),
        op("flag", "plain"),
        op("update", "cell", new_name=f"x-{SECRETS['new_name']}", delete_source=True),
        op("relink", "reader", links=["named.md"]),
        op("update", "described", new_body=f"The job `sail` runs at 05:00 with {SECRETS['new_name']}."),
        op("delete", "body", superseded=[{"text": SECRETS["new_name"], "by": "outbox"}]),
        op("update", SECRETS["new_name"], new_body="x"),
        {"op": SECRETS["new_name"], SECRETS["new_name"]: SECRETS["new_name"]},
    ]


@pytest.mark.parametrize("promote", ["apply", "audit"])
def test_no_secret_leaves_its_entry(bed: Bed, promote: str) -> None:
    """Lost if wrong: a token is in a prompt, a log or a committed file, where it cannot be called back."""
    reply = bed.folder / "reply.json"
    reply.write_text(json.dumps({"ops": ops(), "summary": f"did {SECRETS['summary']}"}))
    receipt = bed.dream(str(reply), PROMOTE=promote)
    assert receipt.outcome == ("applied" if promote == "apply" else "staged")
    assert [verdict.status for verdict in receipt.verdicts][:3] == ["applied", "applied", "rejected"]

    (call,) = bed.calls
    asked = json.dumps([call["argv"], call["stdin"]])
    assert "SECRET_" in asked
    assert [name for name, value in SECRETS.items() if value in asked] == []

    own = {name: (bed.memory / name) for name in ("body.md", "plain.md", "cell.md", "described.md", "named.md")}
    leaks = []
    for path in sorted(bed.folder.rglob("*")):
        relative = path.relative_to(bed.folder)
        if not path.is_file() or path in (reply, *own.values()) or {"bak", "new"} & set(relative.parts):
            continue
        data = path.read_bytes()
        leaks += [(name, str(relative)) for name, value in SECRETS.items() if value.encode() in data]
    assert leaks == [("index", "memory/MEMORY.md")]  # where the user has put it
    assert f"run {receipt.run}" in bed.log
