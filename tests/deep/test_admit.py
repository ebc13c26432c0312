"""What an op may touch, and guards on what it writes (SPEC §8 "rejected")."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from deep_world import MIXED, OUTBOX, PAGES, STYLE, World, after, codes, op, page

BODY = "Orders.\n\n" + PAGES
TOKEN = "ghp_" + "a1B2" * 9
OTHER = "ghp_" + "z9Y8" * 9


def rewrites(target: str) -> list[dict[str, object]]:
    return [
        op("update", target, new_body=BODY),
        op("update", target, new_name="else", new_body=BODY),
        op("update", target, new_name="else", delete_source=True),
        op("merge", target, "outbox", new_body=BODY + OUTBOX),
        op("delete", target),
        op("relink", target, links=["outbox"]),
        op("flag", target),
    ]


def test_pinned_entries_are_not_touched_by_any_op(world: World) -> None:
    """Lost if wrong: what the user pinned is rewritten."""
    world.write("pin.md", page("pin", "Pinned", "reference", PAGES, "pinned: true"))
    for raw in rewrites("pin"):
        judged = world.judge(raw)
        assert judged.verdicts[0].status == "rejected" and "pinned" in codes(judged.verdicts[0])
        assert not judged.changes


def test_team_entries_and_links_are_context_only(world: World, tmp_path: Path) -> None:
    """Lost if wrong: a dream writes through a link into a file that is not memory."""
    world.write("team/rules.md", page("rules", "Rules of the team", "reference", PAGES))
    target = tmp_path / "real.md"
    target.write_text(page("linked", "A link", "reference", PAGES))
    os.symlink(target, world.root / "linked.md")
    for name in ("rules", "linked"):
        for raw in rewrites(name):
            judged = world.judge(raw)
            assert judged.verdicts[0].status == "rejected" and "readonly" in codes(judged.verdicts[0])
            assert not judged.changes


def test_an_entry_that_changed_since_it_was_shown_is_stale(world: World) -> None:
    """Lost if wrong: an edit made during the model call is overwritten."""
    shown = world.working_set()
    world.write("paging.md", world.entry("paging.md").raw + b"One more line.\n")
    (world.root / "worker.md").unlink()
    for raw in [*rewrites("paging"), op("flag", "worker")]:
        judged = world.judge(raw, shown=shown)
        assert judged.verdicts[0].status == "stale", judged.verdicts[0]
        assert not judged.changes
    beside = world.judge(op("flag", "paging"), op("flag", "outbox"), shown=shown)
    assert [verdict.status for verdict in beside.verdicts] == ["stale", "applied"]


def test_evidence_that_changed_since_it_was_shown_is_none(world: World) -> None:
    """Lost if wrong: a delete leans on a survivor that no longer says it."""
    shown = world.working_set()
    world.write("outbox.md", page("outbox", "Events", "project", "Nothing.\n"))
    cited = [{"text": "Events", "by": "outbox"}]
    verdict = world.one(op("delete", "outbox-events", superseded=cited), shown=shown)
    assert verdict.status == "rejected" and codes(verdict) == ["stale"]


def test_a_deferred_entry_is_no_target(world: World) -> None:
    """Lost if wrong: the model edits what it has not read."""
    world.hidden = ["mixed"]
    for raw in rewrites("mixed"):
        assert codes(world.one(raw)) == ["not-shown"]


def test_only_focus_is_deleted_or_renamed_and_a_merge_has_one_in_focus(world: World) -> None:
    """Lost if wrong: entries that nobody touched in weeks vanish."""
    world.focus = ["outbox-events"]
    assert world.one(op("delete", "freeze")).status == "rejected"
    assert world.one(op("update", "mixed", new_name="ci", delete_source=True)).status == "rejected"
    assert world.one(op("merge", "paging", "mixed", new_body=PAGES + MIXED)).status == "rejected"
    assert world.one(op("merge", "outbox", "outbox-events", new_body=OUTBOX)).status == "applied"
    assert world.one(op("update", "paging", new_body=BODY)).status == "applied"
    assert world.one(op("flag", "paging")).status == "applied"


# ---------------------------------------------------------------- bodies


def test_a_body_under_half_is_refused_from_200_bytes_on(world: World) -> None:
    """Lost if wrong: an entry is cut to a stub whose literals happen to survive."""
    words = " ".join(f"word{chr(97 + i % 26)}" for i in range(33))  # 197 bytes, no hard literal
    world.write("short.md", page("short", "Short", "project", words[:199]))
    world.write("long.md", page("long", "Long", "project", (words + " tail")[:200].ljust(200, "x")))
    assert len(world.entry("long.md").body.strip().encode()) == 200
    for name in ("short", "long"):
        entry = world.entry(f"{name}.md")
        verdict = world.one(op("update", name, new_body=entry.body.strip()[:99]))
        assert ("body-short" in codes(verdict)) == (name == "long")
    half = world.one(op("update", "long", new_body=world.entry("long.md").body.strip()[:100]))
    assert "body-short" not in codes(half)


def test_a_merge_is_at_least_half_of_its_largest_target_whatever_its_size(world: World) -> None:
    """Lost if wrong: a merge keeps the small entry and drops the large one."""
    world.write("a.md", page("a", "A", "project", "alpha beta gamma delta\n"))
    world.write("b.md", page("b", "B", "project", "alpha\n"))
    assert "body-short" in codes(world.one(op("merge", "a", "b", new_body="alpha beta")))
    assert "body-short" not in codes(world.one(op("merge", "a", "b", new_body="alpha beta gamma")))


def test_null_keeps_the_body(world: World) -> None:
    """Lost if wrong: a frontmatter repair costs the text."""
    judged = world.judge(op("update", "paging", new_frontmatter={"description": "Paging of the list of orders"}))
    raw = after(judged)["paging.md"]
    assert raw is not None and raw.endswith(world.entry("paging.md").body.encode())
    assert b'description: Paging of the list of orders\n' in raw or b'description: "Paging of the list of orders"\n' in raw


@pytest.mark.parametrize(
    "text",
    ["API Error: 529 overloaded", "Invalid API key · Please run /login", 'API Error: 401 {"type":"error"}',
     "Claude AI usage limit reached|1790000000", "You've hit your session limit", '{"type": "error", "error": {}}'],
)  # fmt: skip
def test_messages_of_the_client_are_never_content(world: World, text: str) -> None:
    """Lost if wrong: a login message lands in memory as if it were a fact."""
    world.write("tiny.md", page("tiny", "Tiny", "project", "Tiny note.\n"))
    verdict = world.one(op("update", "tiny", new_body=text))
    assert verdict.status == "rejected" and "body" in codes(verdict)


def test_a_note_about_an_error_may_be_edited(world: World) -> None:
    """Lost if wrong: an entry that records an error message can never be refined."""
    world.write("error.md", page("error", "Error", "project", "API Error: 529 means overloaded; try again later.\n"))
    assert world.one(op("update", "error", new_body="API Error: 529 means overloaded. Try again later.\n")).status == "applied"


def test_a_body_with_a_header_of_its_own_is_refused(world: World) -> None:
    """Lost if wrong: the model answers with the whole file and the frontmatter stands in it twice."""
    verdict = world.one(op("update", "paging", new_body="---\nname: paging\n---\n" + PAGES))
    assert verdict.status == "rejected" and "body" in codes(verdict)


# ---------------------------------------------------------------- secrets


def test_secrets_stay_in_their_own_entry_and_none_comes_in(world: World) -> None:
    """Lost if wrong: a token spreads to an entry that is mirrored into a committed file."""
    world.write("key.md", page("key", "Key of the bot", "project", f"The token of the bot is {TOKEN} for now.\n"))
    own = world.one(op("update", "key", new_body=f"For now the token of the bot is {TOKEN}.\n"))
    assert own.status == "applied"
    moved = world.one(op("update", "key", new_name="bot-key", new_body=f"The token of the bot is {TOKEN}.\n"))
    assert moved.status == "rejected" and "secret" in codes(moved)
    merged = world.one(op("merge", "paging", "key", new_body=f"{PAGES}\nThe token of the bot is {TOKEN} for now.\n"))
    assert merged.status == "rejected" and "secret" in codes(merged)
    invented = world.one(op("update", "paging", new_body=f"{BODY}\nToken: {OTHER}\n"))
    assert invented.status == "rejected" and "secret" in codes(invented)
    for verdict in (moved, merged, invented):
        assert TOKEN not in verdict.reason and OTHER not in verdict.reason  # not repeated for people


def test_a_dropped_secret_is_a_loss(world: World) -> None:
    """Lost if wrong: a password is gone and nobody is told."""
    world.write("pw.md", page("pw", "Password", "project", "The pass phrase is tulip and opens the test box in the cellar.\n"))
    word = lambda text: ("tulip",) if "tulip" in text else ()  # noqa: E731
    dropped = op("update", "pw", new_body="The pass phrase is known and opens the test box in the cellar.\n")
    verdict = world.one(dropped, find_secrets=word)
    assert verdict.status in ("parked", "rejected") and "looks like a secret" in verdict.reason
    kept = op("update", "pw", new_body="The pass phrase is tulip. It opens the test box in the cellar.\n")
    assert world.one(kept, find_secrets=word).status == "applied"


def test_placeholders_that_stand_for_nothing_are_refused(world: World) -> None:
    """Lost if wrong: `⟦SECRET_x_7⟧` is written into an entry in place of a secret."""
    raw = op("update", "paging", new_body=BODY + "\n⟦SECRET_n_7⟧\n")
    marks = lambda text: ("⟦SECRET_n_7⟧",) if "SECRET_n_7" in text else ()  # noqa: E731
    verdict = world.one(raw, placeholders=marks)
    assert verdict.status == "rejected" and "secret" in codes(verdict)


# ---------------------------------------------------------------- types and names


def test_user_and_feedback_stay_what_they_are(world: World) -> None:
    """Lost if wrong: a preference becomes a project note: deletable, and mirrored for everybody."""
    for kind in ("project", "reference"):
        verdict = world.one(op("update", "style", new_frontmatter={"metadata": {"type": kind}}))
        assert verdict.status == "rejected" and codes(verdict) == ["retype"]
    world.write("habit.md", page("habit", "Mirela likes file names first", "project", STYLE))
    retyped = op("merge", "habit", "style", new_body=STYLE, new_frontmatter={"metadata": {"type": "project"}})
    assert "retype" in codes(world.one(retyped))
    judged = world.judge(op("merge", "habit", "style", new_body=STYLE))
    raw = after(judged)["habit.md"]
    assert raw is not None and b"type: user" in raw


def test_a_missing_type_may_be_given(world: World) -> None:
    """Lost if wrong: frontmatter cannot be repaired."""
    world.write("plain.md", PAGES)
    given = {"name": "plain", "description": "Paging", "metadata": {"type": "reference"}}
    judged = world.judge(op("update", "plain", new_frontmatter=given))
    assert judged.verdicts[0].status == "applied", judged.verdicts[0]
    made = after(judged)["plain.md"]
    assert made is not None and made.startswith(b"---\nname: plain\n") and made.endswith(PAGES.encode())
    assert b"type: reference" in made


def test_a_name_that_is_taken_is_not_given_again(world: World) -> None:
    """Lost if wrong: two entries go by one name, and links lead to the wrong one."""
    for name in ("outbox", "OUTBOX", "outbox_events"):
        verdict = world.one(op("update", "paging", new_name=name, new_body=BODY))
        assert verdict.status == "rejected" and "name-taken" in codes(verdict), name
    twice = world.judge(
        op("update", "paging", new_name="limits", new_body=BODY),
        op("update", "mixed", new_name="Limits", new_body=MIXED),
    )
    assert [verdict.status for verdict in twice.verdicts] == ["applied", "rejected"]


def test_a_name_in_the_frontmatter_alone_renames_nothing(world: World) -> None:
    """Lost if wrong: ids move with the model's taste, and every link to them breaks."""
    judged = world.judge(op("update", "paging", new_frontmatter={"name": "Order paging"}, new_body=BODY))
    raw = after(judged)["paging.md"]
    assert raw is not None and raw.startswith(b"---\nname: paging\n")
    own = world.judge(op("update", "paging", new_name="Paging", new_body=BODY))
    assert set(after(own)) == {"paging.md"}


def test_a_name_brings_nothing_in(world: World) -> None:
    """Lost if wrong: a number that no entry holds gets into MEMORY.md by way of a name."""
    verdict = world.one(op("update", "paging", new_name="paging-500", delete_source=True))
    assert verdict.status == "rejected" and codes(verdict) == ["invention"] and "500" in verdict.reason
    assert world.one(op("update", "paging", new_name="paging-200", delete_source=True)).status == "applied"


def test_an_id_means_the_entry_that_has_it(world: World) -> None:
    """Lost if wrong: a file name that looks like a hidden entry's id stands in for it."""
    world.write("zebra.md", page("Stripes", "Stripes", "project", "Stripes are white.\n"))
    world.write("other.md", page("zebra", "Zebra", "project", "Zebras run.\n"))
    assert set(after(world.judge(op("flag", "zebra")))) == {"other.md"}
    world.hidden = ["zebra"]
    assert codes(world.one(op("flag", "zebra"))) == ["not-shown"]
