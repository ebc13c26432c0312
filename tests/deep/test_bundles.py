"""What hangs together stands and falls together; what does not, does not (SPEC §8)."""

from __future__ import annotations

from typing import Any

from deep_world import FREEZE, OUTBOX, PAGES, World, after, codes, op, page, statuses

CI = "CI: the build cache is keyed on `go.sum` plus the runner image, which cut the pipeline from 11 to 4 minutes.\n"
ROUNDING = "Invoices: amounts are stored in `amount_minor` and rounded half to even per line. Decided on 2026-06-17.\n"
LOSSY = PAGES.replace(" and the largest page has 200 rows", "")


def split(**more: Any) -> list[dict[str, Any]]:
    return [
        op("update", "mixed", new_name="rounding", new_body=ROUNDING, new_frontmatter={"description": "Rounding"}),
        op("update", "mixed", new_body=CI, new_frontmatter={"description": "CI build cache"}, **more),
    ]


# ---------------------------------------------------------------- splits


def test_the_halves_of_a_split_are_honest_together(world: World) -> None:
    """Lost if wrong: every honest split is refused, because each half lacks the other."""
    judged = world.judge(*split())
    assert statuses(judged) == ["applied", "applied"], [v.reason for v in judged.verdicts]
    assert judged.bundles == ((0, 1),)
    made = after(judged)
    assert set(made) == {"mixed.md", "rounding.md"}
    assert made["rounding.md"] is not None and ROUNDING.encode() in made["rounding.md"]


def test_the_trimmed_half_alone_is_parked(world: World) -> None:
    """Lost if wrong: half an entry is gone because its other half did not get through."""
    judged = world.judge(split()[1])
    assert statuses(judged) == ["parked"] and not judged.changes
    assert "amount_minor" in judged.verdicts[0].reason


def test_the_new_half_alone_goes_through_and_the_source_stays_whole(world: World) -> None:
    """Lost if wrong: a harmless copy is refused, or costs the source its text."""
    judged = world.judge(split()[0])
    assert statuses(judged) == ["applied"]
    assert set(after(judged)) == {"rounding.md"}


def test_a_split_falls_as_a_whole(world: World) -> None:
    """Lost if wrong: an invention in one half lets the other trim the source."""
    halves = split()
    halves[0]["new_body"] += "The currency list has 41 rows.\n"
    judged = world.judge(*halves, op("flag", "worker"))
    assert statuses(judged) == ["rejected", "rejected", "applied"]
    assert "41" in judged.verdicts[0].reason and codes(judged.verdicts[1]) == ["bundle"]
    assert set(after(judged)) == {"worker.md"}


def test_a_split_whose_new_half_is_not_sure_enough_leaves_the_source(world: World) -> None:
    """Lost if wrong: the sure trim goes through without the unsure half that holds its facts."""
    halves = split()
    halves[0]["confidence"] = 0.6
    judged = world.judge(*halves)
    assert statuses(judged) == ["dropped", "parked"] and not judged.changes


def test_a_split_may_rename_what_is_left_but_only_in_focus(world: World) -> None:
    """Lost if wrong: links to a context entry break, or an honest split of one is refused for its name."""
    halves = split()
    halves[1].update(new_name="ci-cache", delete_source=True)
    halves[0]["new_body"] += "See [[ci-cache]].\n"
    judged = world.judge(*halves)
    assert statuses(judged) == ["applied", "applied"]
    assert set(after(judged)) == {"mixed.md", "ci-cache.md", "rounding.md"} and after(judged)["mixed.md"] is None
    assert judged.changes.heirs == {"mixed.md": "ci-cache.md"}
    world.focus = ["paging"]
    judged = world.judge(*halves)
    assert statuses(judged) == ["applied", "applied"]
    assert codes(judged.verdicts[1]) == ["name-kept"]
    made = after(judged)
    assert set(made) == {"mixed.md", "rounding.md"}
    assert made["rounding.md"] is not None and b"[[mixed]]" in made["rounding.md"]


def test_two_renames_of_one_entry_are_a_split(world: World) -> None:
    """Lost if wrong: a split whose halves both say that the source goes is refused."""
    halves = split()
    halves[0]["delete_source"] = True
    halves[1].update(new_name="ci-cache", delete_source=True)
    judged = world.judge(*halves)
    assert statuses(judged) == ["applied", "applied"], [v.reason for v in judged.verdicts]
    assert {path for path, raw in after(judged).items() if raw is not None} == {"rounding.md", "ci-cache.md"}
    world.focus = ["paging"]
    judged = world.judge(*halves)
    assert statuses(judged) == ["applied", "applied"]
    assert {path for path, raw in after(judged).items() if raw is not None} == {"mixed.md", "ci-cache.md"}


def test_links_to_the_title_of_a_planned_entry_lead_to_it(world: World) -> None:
    """Lost if wrong: a plan that says `new_name: rounding` and links to its title is refused."""
    halves = split()
    halves[0]["new_frontmatter"] = {"name": "Rounding of invoices", "description": "Rounding"}
    halves[1]["new_body"] += "See [[Rounding of invoices]].\n"
    judged = world.judge(*halves)
    assert statuses(judged) == ["applied", "applied"], [v.reason for v in judged.verdicts]
    assert b"See [[rounding]]." in (after(judged)["mixed.md"] or b"")


def test_a_source_may_go_in_favour_of_its_parts(world: World) -> None:
    """Lost if wrong: a split into two new entries is refused, or its source goes without one of them."""
    parts = [
        op("update", "mixed", new_name="rounding", new_body=ROUNDING),
        op("update", "mixed", new_name="ci-cache", new_body=CI),
        op("delete", "mixed", superseded=[{"text": "CI", "by": "ci-cache"}, {"text": "Invoices", "by": "rounding"}]),
    ]
    judged = world.judge(*parts)
    assert statuses(judged) == ["applied"] * 3, [v.reason for v in judged.verdicts]
    assert after(judged)["mixed.md"] is None
    judged = world.judge(parts[0], parts[2])
    assert judged.verdicts[1].status == "rejected" and after(judged).get("mixed.md", b"") is not None


def test_a_replacement_that_is_made_of_another_entry_is_none(world: World) -> None:
    """Lost if wrong: an entry is deleted in favour of one that was never about it."""
    judged = world.judge(
        op("update", "mixed", new_name="rounding", new_body=ROUNDING),
        op("delete", "freeze", superseded=[{"text": "Deploy freeze", "by": "rounding"}]),
    )
    assert statuses(judged) == ["applied", "rejected"] and codes(judged.verdicts[1]) == ["replacement"]


# ---------------------------------------------------------------- one entry, one change


def test_a_second_content_change_of_an_entry_is_refused(world: World) -> None:
    """Lost if wrong: the last of two rewrites wins, and the first one's facts are gone."""
    first = op("update", "paging", new_body="Orders.\n\n" + PAGES)
    for second in (
        op("update", "paging", new_body="Pages.\n\n" + PAGES),
        op("merge", "worker", "paging", new_body=PAGES + world.entry("worker.md").body),
        op("delete", "paging"),
        op("update", "paging", new_name="pages", delete_source=True),
    ):
        judged = world.judge(first, second)
        assert statuses(judged) == ["applied", "rejected"] and codes(judged.verdicts[1]) == ["second-change"]


def test_keeping_goes_before_deleting_whatever_the_order(world: World) -> None:
    """Lost if wrong: delete, then update, and the entry is gone with its new text."""
    judged = world.judge(op("delete", "freeze"), op("update", "freeze", new_body="Frozen.\n\n" + FREEZE))
    assert statuses(judged) == ["rejected", "applied"]


def test_a_delete_beside_the_merge_of_its_target_never_goes_through(world: World) -> None:
    """Lost if wrong: the merge is refused and its deletes go through."""
    lossy = OUTBOX.replace(" and publishes them to the subject `orders.v2.events`", "")
    judged = world.judge(op("merge", "outbox", "outbox-events", new_body=lossy), op("delete", "outbox-events"))
    assert statuses(judged) == ["parked", "rejected"] and not judged.changes


def test_two_ops_on_one_entry_fall_together(world: World) -> None:
    """Lost if wrong: half of what was meant for an entry is done."""
    judged = world.judge(op("update", "paging", new_body=LOSSY), op("relink", "paging", links=["outbox"]))
    assert statuses(judged) == ["parked", "parked"] and codes(judged.verdicts[1]) == ["bundle"]
    assert judged.bundles == ((0, 1),) and not judged.changes
    both = world.judge(op("update", "paging", new_body="Orders.\n\n" + PAGES), op("relink", "paging", links=["outbox"]))
    assert statuses(both) == ["applied", "applied"]
    (change,) = both.changes.entries
    assert change.ops == (0, 1) and change.after is not None and b"Related: [[outbox]]" in change.after


def test_a_relink_to_itself_is_refused(world: World) -> None:
    """Lost if wrong: the receipt tells of a link that was never made."""
    assert codes(world.one(op("relink", "paging", links=["paging", "paging.md"]))) == ["self-link"]
    assert world.one(op("relink", "paging", links=["paging", "outbox"])).status == "applied"


def test_a_lost_link_to_nothing_is_quoted_as_it_was_spelled(world: World) -> None:
    """Lost if wrong: a secret inside is folded, and no redaction knows it again."""
    world.write("map.md", page("map", "Map", "project", "See [[Old_Map KEY]]. The map is in `dir/map.svg`.\n"))
    found = world.one(op("update", "map", new_body="The map is in `dir/map.svg`.\n"))
    assert codes(found) == ["loss"] and "[[Old_Map KEY]]" in found.reason


# ---------------------------------------------------------------- merges, links and deletes


def test_loss_is_parked_and_invention_is_rejected(world: World) -> None:
    """Lost if wrong: a person is asked about inventions, or a loss is refused without a review."""
    assert world.one(op("update", "paging", new_body=LOSSY)).status == "parked"
    assert world.one(op("update", "paging", new_body=PAGES + "\nAn index on `paid_at` helps.\n")).status == "rejected"
    both = world.one(op("update", "paging", new_body=LOSSY + "\nAn index on `paid_at` helps.\n"))
    assert both.status == "rejected" and {"loss", "invention"} <= set(codes(both))


def test_a_link_that_moved_to_a_survivor_falls_with_the_merge(world: World) -> None:
    """Lost if wrong: a link to a living entry is turned to another one by a merge that never was."""
    moved = op("update", "worker", new_body="Bad messages go to `orders.dead`. See [[outbox]].\n")
    merge = op("merge", "outbox", "outbox-events", new_body=OUTBOX)
    judged = world.judge(merge, moved)
    assert statuses(judged) == ["applied", "applied"] and judged.bundles == ((0, 1),)
    merge["new_body"] = OUTBOX.replace("100 rows", "many rows")
    judged = world.judge(merge, moved)
    assert statuses(judged) == ["parked", "parked"] and not judged.changes


def test_a_merge_does_not_fall_with_what_links_to_it(world: World) -> None:
    """Lost if wrong: one bad update takes an honest merge down, and every op that links to it."""
    bad = op("update", "worker", new_body="Bad messages go to `orders.limbo`. See [[outbox]].\n")
    judged = world.judge(op("merge", "outbox", "outbox-events", new_body=OUTBOX), bad)
    assert judged.verdicts[0].status == "applied" and judged.verdicts[1].status == "rejected"
    worker = after(judged)["worker.md"]
    assert worker is not None and b"`orders.dead`. See [[outbox]]." in worker  # followed by the merge itself


def test_a_link_to_a_planned_entry_falls_with_it(world: World) -> None:
    """Lost if wrong: memory links to an entry that was never made."""
    halves = split()
    relink = op("relink", "paging", links=["rounding"])
    assert statuses(world.judge(*halves, relink)) == ["applied"] * 3
    halves[0]["new_body"] += "The currency list has 41 rows.\n"
    judged = world.judge(*halves, relink)
    assert statuses(judged) == ["rejected"] * 3 and codes(judged.verdicts[2]) == ["unknown-link"]


def test_a_delete_in_favour_of_a_survivor_falls_with_the_merge(world: World) -> None:
    """Lost if wrong: the merge that was to keep the facts is parked, and the entry is deleted all the same."""
    world.write("copy.md", page("copy", "Events, a copy", "project", OUTBOX))
    cited = [{"text": "Events", "by": "outbox"}]
    judged = world.judge(
        op("merge", "outbox", "outbox-events", new_body=OUTBOX), op("delete", "copy", superseded=cited)
    )
    assert statuses(judged) == ["applied", "applied"] and judged.bundles == ((0, 1),)
    lossy = OUTBOX.replace("250 ms", "often")
    judged = world.judge(
        op("merge", "outbox", "outbox-events", new_body=lossy), op("delete", "copy", superseded=cited)
    )
    assert statuses(judged) == ["parked", "parked"] and not judged.changes


def test_an_update_that_takes_in_what_a_delete_gives_up_stands_with_it(world: World) -> None:
    """Lost if wrong: a merge written as update and delete is refused as invention, or leaves a copy."""
    taken = op("update", "outbox", new_body=OUTBOX + "\nBad messages go to `orders.dead`. See [[outbox-events]].\n")
    given = op("delete", "worker", superseded=[{"text": "Bad messages", "by": "outbox"}])
    assert statuses(world.judge(taken)) == ["rejected"]
    judged = world.judge(taken, given)
    assert statuses(judged) == ["applied", "applied"], [v.reason for v in judged.verdicts]
    assert after(judged)["worker.md"] is None
    given["confidence"] = 0.6  # the delete is not done, so the facts would stand twice
    judged = world.judge(taken, given)
    assert statuses(judged) == ["rejected", "flagged"]


def test_good_ops_beside_a_bad_one_go_through(world: World) -> None:
    """Lost if wrong: one bad op throws away a whole paid plan."""
    judged = world.judge(
        op("update", "paging", new_body=LOSSY),
        op("merge", "outbox", "outbox-events", new_body=OUTBOX),
        op("relink", "mixed", links=["paging"]),
        op("flag", "freeze"),
    )
    assert statuses(judged) == ["parked", "applied", "applied", "applied"]


def test_what_a_person_accepted_is_let_through_and_nothing_else(world: World) -> None:
    """Lost if wrong: a reviewed loss can never be applied, or takes an invention with it."""
    assert world.one(op("update", "paging", new_body=LOSSY), waived=["loss"]).status == "applied"
    bad = op("update", "paging", new_body=LOSSY + "\nAn index on `paid_at` helps.\n")
    assert codes(world.one(bad, waived=["loss"])) == ["invention"]


def test_an_entry_about_something_else_supersedes_nothing(world: World) -> None:
    """Lost if wrong: a fooled model drops any fact by naming an entry that is built alike."""
    things = ("blue cache", "grey queue", "pink relay", "gold worker", "teal broker", "plum mirror", "rust ledger")
    for number, thing in enumerate(things):
        name = thing.replace(" ", "-")
        text = f"The {thing} listens on port {7010 + number}.\n\nThe {thing} logs to `var/{name}.log`.\n"
        world.write(f"{name}.md", page(name, f"The {thing}", "project", text))
    world.write("moved.md", page("moved", "The blue cache moved", "project", "Since 2026-11-02 the blue cache listens on port 7110.\n"))
    gone = "The blue cache listens on port 7010."
    body = "The blue cache logs to `var/blue-cache.log`, as it did before.\n"
    false = op("update", "blue-cache", new_body=body, superseded=[{"text": gone, "by": "plum-mirror"}])
    verdict = world.one(false)
    assert verdict.status == "parked" and "about something else" in verdict.reason and "7010" in verdict.reason
    true = op("update", "blue-cache", new_body=body, superseded=[{"text": gone, "by": "moved"}])
    assert world.one(true).status == "applied", world.one(true).reason


def test_links_of_the_plan(world: World) -> None:
    """Lost if wrong: honest cross-links are refused, or links to nothing are written."""
    world.write("old.md", page("old", "Old", "project", "See [[long-gone]] for the wiring of the pier box.\n"))
    kept = op("update", "old", new_body="For the wiring of the pier box see [[long-gone]] and [[Paging]].\n")
    assert world.one(kept).status == "applied"
    gone = op("update", "old", new_body="For the wiring of the pier box see [[long-gone]] and [[other-gone]].\n")
    assert codes(world.one(gone)) == ["unknown-link"]
    dropped = op("update", "old", new_body="For the wiring of the pier box see another note about it.\n")
    assert "loss" in codes(world.one(dropped))
    code = op("update", "old", new_body="See [[long-gone]] for the wiring of the pier box. `[[ -f x ]]`\n")
    assert "unknown-link" not in codes(world.one(code))


def test_a_link_may_move_from_the_text_to_the_links_of_the_op(world: World) -> None:
    """Lost if wrong: a model that lists its links instead of writing them is refused as losing them."""
    moved = op("update", "worker", new_body="Bad messages go to `orders.dead`.\n", links=["outbox-events"])
    judged = world.judge(moved)
    assert statuses(judged) == ["applied"], judged.verdicts[0].reason
    raw = after(judged)["worker.md"]
    assert raw is not None and raw.endswith(b"`orders.dead`.\n\nRelated: [[outbox-events]]\n")


def test_a_description_is_weighed_too(world: World) -> None:
    """Lost if wrong: a value invented in a description gets into MEMORY.md and AGENTS.md."""
    bad = op("update", "paging", new_frontmatter={"description": "Paging of orders: page size 500"})
    assert world.one(bad).status == "rejected" and "500" in world.one(bad).reason
    good = op("update", "paging", new_frontmatter={"description": "Paging of orders: at most 200 rows a page"})
    assert world.one(good).status == "applied"


def test_a_flag_stands_when_the_rewrite_beside_it_falls(world: World) -> None:
    """Lost if wrong: what a person should look at is hidden, because a model also wrote something bad."""
    judged = world.judge(op("update", "paging", new_body=LOSSY), op("flag", "paging", rationale="orders: which page size holds?"))
    assert statuses(judged) == ["parked", "applied"] and judged.bundles == ()
    (change,) = judged.changes.entries
    assert change.ops == (1,) and change.after is not None and b"flagged: true" in change.after
