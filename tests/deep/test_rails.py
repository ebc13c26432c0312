"""Bounds on the plan as a whole: caps, a fifth of the store, reachability, recall, probes (SPEC §8)."""

from __future__ import annotations

from pathlib import Path

import pytest
from deep_world import MIXED, OUTBOX, World, after, codes, op, page, statuses

from agentops_dream.deep import rails
from agentops_dream.deep.recall import Probe


def pairs(world: World, count: int) -> list[dict[str, object]]:
    """Add ``count`` pairs of twins and return the merges of them."""
    for number in range(count):
        text = f"The worker {number} listens on port {7000 + number} and logs to `var/log/w{number}.log`.\n"
        for half in "ab":
            name = f"w{number}{half}"
            world.write(f"{name}.md", page(name, f"Worker {number} of the pool {half}", "project", text))
    return [
        op("merge", f"w{n}a", f"w{n}b",
           new_body=f"The worker {n} listens on port {7000 + n} and logs to `var/log/w{n}.log`.\n")
        for n in range(count)
    ]  # fmt: skip


def test_no_more_than_the_cap_and_the_rest_is_parked(world: World) -> None:
    """Lost if wrong: 23 of 50 entries go on the first day, or ops over the cap are silently gone."""
    merges = pairs(world, 9)
    for number in range(30):
        world.write(f"more-{number}.md", page(f"more-{number}", "More", "project", f"More {number}.\n"))
    judged = world.judge(*merges)
    assert statuses(judged) == ["applied"] * 6 + ["parked"] * 3
    assert all(codes(verdict) == ["rail-destructive"] for verdict in judged.verdicts[6:])
    assert sum(raw is None for raw in after(judged).values()) == 6
    assert statuses(world.judge(*merges, env={"MAX_DESTRUCTIVE": "0"})) == ["parked"] * 9
    assert statuses(world.judge(*merges, env={"MAX_DESTRUCTIVE": "2"}))[:3] == ["applied", "applied", "parked"]


def test_the_cap_counts_entries_and_renames(world: World) -> None:
    """Lost if wrong: one delete of ten entries, or ten renames, pass as one."""
    for number in range(8):
        world.write(f"more-{number}.md", page(f"more-{number}", "More", "project", f"Ended 2026-0{number + 1}-01, until 2026-0{number + 1}-01.\n"))
    env = {"MAX_DESTRUCTIVE": "2", "DELETE": "confidence"}
    assert statuses(world.judge(op("delete", "more-0", "more-1", "more-2"), env=env)) == ["parked"]
    assert statuses(world.judge(op("delete", "more-0", "more-1"), env=env)) == ["applied"]
    renames = [op("update", f"more-{n}", new_name=f"fresh-{n}", delete_source=True) for n in range(3)]
    assert statuses(world.judge(*renames, env=env)) == ["applied", "applied", "parked"]


def test_never_more_than_a_fifth_of_the_store(empty: World) -> None:
    """Lost if wrong: a small store is halved in one night, under the cap."""
    merges = pairs(empty, 5)
    for number in range(4):  # fourteen entries: two may go
        empty.write(f"more-{number}.md", page(f"more-{number}", "More", "project", f"More {number}.\n"))
    judged = empty.judge(*merges)
    assert statuses(judged) == ["applied"] * 2 + ["parked"] * 3
    assert all("a fifth" in verdict.reason and codes(verdict) == ["rail-fifth"] for verdict in judged.verdicts[2:])


def test_one_removal_is_always_allowed(empty: World) -> None:
    """Lost if wrong: a store of two duplicates can never be tidied."""
    assert statuses(empty.judge(*pairs(empty, 1))) == ["applied"]


def test_what_leaned_on_a_parked_op_falls_with_it(world: World) -> None:
    """Lost if wrong: links are moved to a survivor of a merge that waits for review."""
    merge = op("merge", "outbox", "outbox-events", new_body=OUTBOX)
    moved = op("update", "worker", new_body="Bad messages go to `orders.dead`. See [[outbox]].\n")
    judged = world.judge(merge, moved, op("flag", "paging"), env={"MAX_DESTRUCTIVE": "0"})
    assert statuses(judged) == ["parked", "parked", "applied"]
    assert set(after(judged)) == {"paging.md"}


def test_a_person_may_wave_a_rail_through(world: World) -> None:
    """Lost if wrong: an op that was parked by a cap can never be applied from review."""
    merge = op("merge", "outbox", "outbox-events", new_body=OUTBOX)
    judged = world.judge(merge, env={"MAX_DESTRUCTIVE": "0"}, waived=["rail-destructive"])
    assert statuses(judged) == ["applied"]


# ---------------------------------------------------------------- recall


def test_a_description_that_no_longer_finds_its_facts_is_parked(world: World) -> None:
    """Lost if wrong: the facts are there, and nobody who asks for them finds them."""
    world.write("kiwi.md", page("kiwi", "Thermostat schedule of the greenhouse", "reference",
                                "The greenhouse runs on schedule `gh-7` at dawn and at dusk, as agreed.\n"))  # fmt: skip
    for number in range(8):
        world.write(f"green-{number}.md", page(f"green-{number}", f"Greenhouse thermostat schedule {number}", "reference",
                                               f"Greenhouse thermostat schedule note `g{number}`.\n"))  # fmt: skip
    blurred = op("update", "kiwi", new_frontmatter={"description": "Assorted remarks"},
                 new_body="Runs `gh-7` at dawn and at dusk, as was agreed upon here some while ago.\n")  # fmt: skip
    judged = world.judge(blurred, op("flag", "paging"), waived=["unsupported", "loss", "hardening"])
    assert statuses(judged) == ["parked", "applied"], [v.reason for v in judged.verdicts]
    assert codes(judged.verdicts[0]) == ["rail-recall"]
    kept = {**blurred, "new_frontmatter": None}
    kept["new_body"] = "The greenhouse runs on schedule `gh-7` at dawn and at dusk, as agreed.\n\nSo it stays.\n"
    assert world.one(kept, waived=["unsupported"]).status == "applied"


def test_an_entry_that_was_not_found_before_is_no_reason(world: World) -> None:
    """Lost if wrong: entries with a poor description can never be improved."""
    world.write("mute.md", page("mute", "…", "project", "The pump starts at 06:15 and stops at 07:00.\n"))
    assert world.one(op("update", "mute", new_body="The pump stops at 07:00 and starts at 06:15.\n")).status == "applied"


def test_a_probe_must_not_get_worse(world: World) -> None:
    """Lost if wrong: what the user asked us to watch over is lost all the same."""
    probe = Probe("how often does the relay poll", all_of=("250 ms",), k=3)
    lossy = op("update", "outbox", new_body=OUTBOX.replace("polls every 250 ms,\n", ""))
    twin = op("update", "outbox-events", new_body=OUTBOX.replace("polls every 250 ms,\n", ""))
    plan = (lossy, op("relink", "paging", links=["mixed"]), twin)
    free = world.judge(*plan, waived=["loss"])
    assert statuses(free) == ["applied"] * 3
    judged = world.judge(*plan, waived=["loss"], probes=[probe])
    assert sorted(statuses(judged)) == ["applied", "applied", "parked"]
    parked = next(verdict for verdict in judged.verdicts if verdict.status == "parked")
    assert codes(parked) == ["rail-probe"] and probe.question in parked.reason


def test_a_probe_that_fails_already_holds_nothing_back(world: World) -> None:
    """Lost if wrong: one stale probe stops every dream."""
    probe = Probe("what is the answer", all_of=("forty-two",))
    assert world.one(op("merge", "outbox", "outbox-events", new_body=OUTBOX), probes=[probe]).status == "applied"


# ---------------------------------------------------------------- reachability


def test_new_and_renamed_entries_can_be_reached(world: World) -> None:
    """Lost if wrong: an entry is written that no session ever loads."""
    judged = world.judge(
        op("update", "mixed", new_name="ci-and-invoices", delete_source=True, new_body="Two topics.\n\n" + MIXED),
        waived=["unsupported"],
    )
    assert statuses(judged) == ["applied"], judged.verdicts[0].reason


def test_an_op_whose_entry_cannot_be_reached_is_parked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lost if wrong: a fault in the index is found by the user, not by the dream."""
    real = rails.index.reachable
    monkeypatch.setattr(rails.index, "reachable", lambda raw, entries: real(raw, entries) - {"outbox.md"})
    before = {"paging.md", "mixed.md"}
    merge = op("merge", "outbox", "outbox-events", new_body=OUTBOX)
    assert world.one(merge).status == "applied"  # it could not be reached before either
    monkeypatch.setattr(
        rails.index, "reachable", lambda raw, es: real(raw, es) - ({"outbox.md"} if len(es) < 19 else set())
    )
    judged = world.judge(merge, op("flag", "paging"))
    assert statuses(judged) == ["parked", "applied"] and codes(judged.verdicts[0]) == ["rail-reach"]
    assert before & set(after(judged)) == {"paging.md"}


def test_an_index_that_cannot_be_reconciled_holds_new_entries_back(world: World, tmp_path: Path) -> None:
    """Lost if wrong: MEMORY.md is damaged, and new entries pile up beside it unseen."""
    world.write("MEMORY.md", b"# Orders\0\n- [Paging](paging.md)\n")
    half = op("update", "mixed", new_name="rounding",
              new_body="Invoices: amounts are stored in `amount_minor` and rounded half to even per line.\n")  # fmt: skip
    verdict = world.one(half)
    assert verdict.status == "parked" and codes(verdict) == ["rail-reach"]
