"""What a delete needs besides confidence (SPEC §8)."""

from __future__ import annotations

import datetime

import pytest
from deep_world import FREEZE, OUTBOX, STYLE, World, after, codes, op, page, statuses


def cited(by: str, text: str = "see there") -> list[dict[str, str]]:
    return [{"text": text, "by": by}]


def test_a_named_survivor_that_keeps_the_facts(world: World) -> None:
    """Lost if wrong: a duplicate that the model names properly can never be removed."""
    judged = world.judge(op("delete", "outbox-events", superseded=cited("outbox")))
    assert statuses(judged) == ["applied"]
    assert judged.changes.heirs == {"outbox-events.md": "outbox.md"}
    worker = after(judged)["worker.md"]
    assert worker is not None and b"See [[outbox]]." in worker


def test_a_named_survivor_that_lacks_a_fact_is_none(world: World) -> None:
    """Lost if wrong: a fooled model names any entry, and the facts are gone."""
    verdict = world.one(op("delete", "paging", superseded=cited("outbox")))
    assert verdict.status == "flagged" and codes(verdict) == ["evidence"]
    assert "ORD-1422" in verdict.reason


def test_a_survivor_without_literals_to_check_must_say_it_too(world: World) -> None:
    """Lost if wrong: an entry of plain words goes in favour of one about something else."""
    world.write("tone.md", page("tone", "Tone", "project", "Explanations should be patient and never sound annoyed.\n"))
    verdict = world.one(op("delete", "tone", superseded=cited("outbox")))
    assert verdict.status == "flagged"


def test_a_near_verbatim_twin_that_lives(world: World) -> None:
    """Lost if wrong: an exact duplicate stays for ever, or both of a pair go."""
    assert world.one(op("delete", "outbox-events")).status == "applied"
    both = world.judge(op("delete", "outbox-events"), op("delete", "outbox"))
    assert sorted(statuses(both)) == ["applied", "flagged"]
    at_once = world.judge(op("delete", "outbox-events", "outbox"))
    assert statuses(at_once) == ["flagged"]


def test_a_twin_with_a_changed_value_is_no_twin(world: World) -> None:
    """Lost if wrong: of two ports one is deleted as a duplicate."""
    world.write("dev.md", page("dev", "Database", "reference", "The database listens on port 6432 with role `orders_dev`.\n"))
    world.write("prod.md", page("prod", "Database", "reference", "The database listens on port 6433 with role `orders_dev`.\n"))
    assert world.one(op("delete", "dev")).status == "flagged"


def test_a_twin_that_is_rewritten_must_still_say_it_afterwards(world: World) -> None:
    """Lost if wrong: the twin is trimmed in the same plan, and the fact is in neither."""
    trimmed = OUTBOX.replace("polls every 250 ms,\ntakes", "takes")
    judged = world.judge(
        op("update", "outbox", new_body=trimmed), op("delete", "outbox-events"), waived=["loss"]
    )
    assert statuses(judged) == ["applied", "flagged"]


def test_an_end_date_of_its_own_that_has_passed(world: World) -> None:
    """Lost if wrong: what is over stays, or what is not over goes."""
    assert world.one(op("delete", "freeze")).status == "applied"
    early = world.one(op("delete", "freeze"), today=datetime.date(2026, 10, 30))
    assert early.status == "flagged"


def test_an_empty_entry(world: World) -> None:
    """Lost if wrong: an empty file can never be removed; or one whose description is its only text can."""
    world.write("void.md", "")
    world.write("title.md", page("title", "The port is 6432", "project", ""))
    assert world.one(op("delete", "void")).status == "applied"
    assert world.one(op("delete", "title")).status == "flagged"


@pytest.mark.parametrize("kind", ["user", "feedback"])
def test_user_and_feedback_need_a_named_survivor(world: World, kind: str) -> None:
    """Lost if wrong: what the user said about themselves goes for a date or a look-alike."""
    world.write("a.md", page("a", "Style", kind, STYLE))
    world.write("b.md", page("b", "Style", kind, STYLE))
    world.write("over.md", page("over", "Freeze", kind, FREEZE))
    world.write("blank.md", page("blank", "", kind, ""))
    for name in ("a", "over", "blank"):
        assert world.one(op("delete", name)).status == "flagged", name
        assert world.one(op("delete", name), env={"DELETE": "confidence"}).status == "flagged", name
    assert world.one(op("delete", "a", superseded=cited("b"))).status == "applied"
    lost = op("delete", "a", superseded=cited("paging"))
    assert world.one(lost).status == "flagged"
    assert world.one(lost, env={"DELETE": "confidence"}).status == "applied"


def test_the_setting_confidence_drops_the_condition_and_nothing_else(world: World) -> None:
    """Lost if wrong: the setting has no effect, or lets an unsure delete through."""
    env = {"DELETE": "confidence"}
    assert world.one(op("delete", "paging"), env=env).status == "applied"
    assert world.one(op("delete", "paging", confidence=0.84), env=env).status == "flagged"
    world.focus = ["outbox"]
    assert world.one(op("delete", "paging"), env=env).status == "rejected"


def test_one_of_two_without_evidence_keeps_both(world: World) -> None:
    """Lost if wrong: a delete of many hides the one that must not go."""
    judged = world.judge(op("delete", "freeze", "paging"))
    assert statuses(judged) == ["flagged"]
    assert set(after(judged)) == {"freeze.md", "paging.md"}
    assert all(raw is not None for raw in after(judged).values())


def test_a_survivor_that_goes_itself_is_none(world: World) -> None:
    """Lost if wrong: A goes in favour of B, and B is deleted too."""
    cycle = world.judge(
        op("delete", "outbox", superseded=cited("outbox-events")),
        op("delete", "outbox-events", superseded=cited("outbox")),
    )
    assert "applied" in statuses(cycle) and len([raw for raw in after(cycle).values() if raw is None]) == 1


def test_no_entry_vouches_for_its_own_removal(world: World) -> None:
    """Lost if wrong: a model names the entry itself as the one that keeps its facts."""
    assert world.one(op("delete", "paging", superseded=cited("paging"))).status == "flagged"
    assert world.one(op("delete", "style", superseded=cited("style")), env={"DELETE": "confidence"}).status == "flagged"


def test_a_declared_value_may_leave_with_a_survivor_that_replaces_it(world: World) -> None:
    """Lost if wrong: an old value stays for ever beside the new one."""
    world.write("old.md", page("old", "Timeout", "project", "The timeout of the ledger gateway is 8 s.\n"))
    world.write("new.md", page("new", "Timeout raised", "project", "Since 2026-11-23 the timeout of the ledger gateway is 12 s; before it was lower.\n"))
    bare = world.one(op("delete", "old", superseded=cited("new", "see the newer note")))
    assert bare.status == "flagged" and "8 s" in bare.reason
    told = world.one(op("delete", "old", superseded=cited("new", "The timeout of the ledger gateway is 8 s.")))
    assert told.status == "applied", told.reason


BLUE = "The blue cache listens on port 7017.\n"
GREY = "The grey queue listens on port 7012.\n"


def test_a_value_of_something_else_is_no_replacement(world: World) -> None:
    """Lost if wrong: a model declares a whole entry superseded by one that is built alike."""
    world.write("blue.md", page("blue", "Blue", "project", BLUE))
    world.write("grey.md", page("grey", "Grey", "project", GREY))
    verdict = world.one(op("delete", "blue", superseded=cited("grey", BLUE.strip())))
    assert verdict.status == "flagged" and BLUE.strip() in verdict.reason


def test_a_swap_does_not_hide_in_what_a_delete_declares(world: World) -> None:
    """Lost if wrong: two ports change places while an entry is taken into another one."""
    world.write("two.md", page("two", "Ports", "project", BLUE + GREY))
    taken = op("update", "worker", new_body=world.entry("worker.md").body + "\n" + BLUE + GREY)
    given = op("delete", "two", superseded=cited("worker", (BLUE + GREY).strip()))
    assert statuses(world.judge(taken, given)) == ["applied", "applied"]
    taken["new_body"] = taken["new_body"].replace("7017", "70xx").replace("7012", "7017").replace("70xx", "7012")
    judged = world.judge(taken, given)
    assert statuses(judged) == ["rejected", "rejected"] and not judged.changes


def test_a_survivor_about_the_other_place_is_none(world: World) -> None:
    """Lost if wrong: what holds at work is deleted in favour of what holds at home."""
    world.write("work.md", page("work", "Answers at work", "feedback", "At work the user wants short answers.\n"))
    world.write("home.md", page("home", "Answers at home", "feedback", "At home the user wants short answers.\n"))
    verdict = world.one(op("delete", "work", superseded=cited("home", "At work the user wants short answers.")))
    assert verdict.status == "flagged"
