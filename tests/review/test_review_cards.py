"""Cards: what a person is shown of an op is what taking it would do."""

from __future__ import annotations

import pytest
from dream_kit import Bed
from review_kit import (
    BETTER,
    DELETE,
    FREEZE,
    MERGE,
    NIHONGO_BETTER,
    RELEASE,
    THREE,
    UPDATE,
    deck_of,
    op,
    proposal_of,
    stage,
)

from agentops_dream import deciding
from agentops_dream.review import decisions
from agentops_dream.review.cards import Draft, draft_of
from agentops_dream.review.decisions import Decisions
from agentops_dream.review.facts import account
from agentops_dream.store.memory import read_store


def test_each_card_says_what_why_how_sure_and_what_is_wrong(bed: Bed) -> None:
    stage(bed, THREE)
    merge, update, delete = deck_of(bed).cards
    assert (merge.verdict, update.verdict, delete.verdict) == ("parked", "applied", "applied")
    assert merge.title == "merge kettle-cache, kettle-metrics" and merge.confidence == 0.95
    assert merge.rationale == "Both are about the kettle cache."
    assert [(fault.code, fault.literals) for fault in merge.faults] == [("loss", ("2026-02-11",))]
    assert merge.waives == ("loss",) and update.waives == ()
    assert all(card.takeable and not card.refused for card in (merge, update, delete))
    assert [source.name for source in merge.sources] == ["kettle-cache.md", "kettle-metrics.md"]
    assert "/metrics/kettle" in merge.result and "2026-02-11" not in merge.result


def test_the_facts_kept_dropped_and_declared_are_told_apart(bed: Bed) -> None:
    declared = {**MERGE, "superseded": []}
    stage(bed, [declared, DELETE])
    merge, delete = deck_of(bed).cards
    assert merge.facts.dropped == ("2026-02-11",)
    assert {"512", "7017", "/metrics/kettle", "KETTLE_CACHE_MAX"} <= set(merge.facts.kept)
    assert "2025-03-31" in delete.facts.dropped and delete.facts.kept == ()


def test_a_fact_that_another_entry_replaces_counts_as_declared(bed: Bed) -> None:
    bed.write("port-old", "The mail relay listens on port 2525.", description="Mail relay port")
    bed.write("port-new", "The mail relay was moved and now listens on port 2587.", description="Mail relay port since the move")
    superseded = [{"text": "port 2525", "by": "port-new"}]
    body = "The mail relay was moved and now listens on port 2587."
    stage(bed, [op("merge", "port-new", "port-old", new_body=body, superseded=superseded)])
    (card,) = deck_of(bed).cards
    assert card.facts.declared and not card.facts.dropped, card
    assert [(item.text, item.by) for item in card.superseded] == [("port 2525", "port-new")]


def test_links_between_the_texts_themselves_are_no_facts() -> None:
    from agentops_dream.facts.weigh import Text

    found = account([Text("a", "", "See [[b]] and port 8080."), Text("b", "", "See [[a]].")], [Text("a", "", "Port 8080.")])
    assert "8080" in " ".join(found.kept) and not [text for text in found.kept if "[[" in text]


def test_what_is_shown_before_and_after_is_what_taking_the_op_writes(bed: Bed) -> None:
    """Approving one text and getting another would be the end of trust."""
    stage(bed, THREE)
    shown = {file.path: file for card in deck_of(bed).cards for file in card.files}
    before = {path: (bed.memory / path).read_text() for path in shown}
    deciding.apply(bed.order(), ops=[0, 1, 2])
    for path, file in shown.items():
        assert file.before == before[path]
        now = bed.memory / path
        assert file.after == (now.read_text() if now.exists() else None), path


def test_a_refused_op_shows_what_it_would_have_written_and_cannot_be_taken(bed: Bed) -> None:
    invented = op("update", "note-1", new_body="The worker1 handles queue number 1 of the intake at 4711 rpm.")
    unsure = op("update", "note-2", new_body="The worker2 handles queue number 2.", confidence=0.2)
    unknown = op("delete", "nowhere", confidence=0.99)
    stage(bed, [UPDATE, invented, unsure, unknown, "junk", None])
    deck = deck_of(bed)
    assert [card.verdict for card in deck.cards] == ["applied", "rejected", "dropped", "rejected", "rejected", "rejected"]
    assert [card.takeable for card in deck.cards] == [True] + [False] * 5
    assert "4711 rpm" in (deck.card(1).files[0].after or "")
    assert "intake" not in (deck.card(2).files[0].after or "").split("---")[2]
    assert [card.index for card in deck.in_order] == [0, 1, 2, 3, 4, 5]
    assert all(card.draft is None for card in deck.cards[1:])


def test_an_unsure_merge_shows_the_flags_it_sets_and_the_text_it_does_not_write(bed: Bed) -> None:
    body = "The worker2 handles queue number 2 and worker3 handles queue number 3 of the intake."
    stage(bed, [op("merge", "note-2", "note-3", new_body=body, confidence=0.6)])
    (card,) = deck_of(bed).cards
    assert card.flags and card.takeable and card.draft is None and card.waives == ()
    assert all("flagged: true" in (file.after or "") for file in card.files) and len(card.files) == 2
    assert body in card.result


def test_an_op_whose_entry_was_edited_or_removed_is_stale_and_the_others_are_not(bed: Bed) -> None:
    stage(bed, THREE)
    release = bed.memory / "release.md"
    release.write_text(release.read_text() + "\nA later word.\n")
    (bed.memory / "spring-freeze.md").unlink()
    merge, update, delete = deck_of(bed).cards
    assert (merge.verdict, update.verdict, delete.verdict) == ("parked", "stale", "stale")
    assert (merge.takeable, update.takeable, delete.takeable) == (True, False, False)
    assert update.stale == ("release.md",) and "release.md changed" in update.objections[0]


def test_an_edit_is_judged_again_and_shown(bed: Bed) -> None:
    stage(bed, THREE)
    whole = MERGE["new_body"].replace("out of memory,", "out of memory on 2026-02-11,")
    repaired = deck_of(bed, {0: {"new_body": whole}}).card(0)
    assert repaired.edited and repaired.takeable and repaired.verdict == "applied"
    assert repaired.facts.dropped == () and repaired.waives == ()
    invented = deck_of(bed, {1: {"new_body": f"{BETTER} See ticket OPS-4711."}}).card(1)
    assert not invented.takeable and "OPS-4711" in invented.reason
    assert "OPS-4711" in (invented.files[0].after or ""), "a person must see what they wrote"
    assert invented.draft is not None and not invented.refused, "and be able to write something else"
    shortened = deck_of(bed, {1: {"new_body": "A release is tagged, never by hand, because the signature is then missing."}}).card(1)
    assert shortened.takeable and shortened.waives == ("loss",), shortened


def test_ops_that_hang_together_name_each_other(bed: Bed) -> None:
    split = op("update", "kettle-cache", new_name="kettle-limit", new_body="Raise `KETTLE_CACHE_MAX` only together with the container limit.\n\nA larger cache ran out of memory on 2026-02-11.")
    rest = op("update", "kettle-cache", new_body="The kettle cache keeps 512 entries and listens on port 7017. See [[kettle-limit]].")
    stage(bed, [split, rest])
    one, other = deck_of(bed).cards
    assert one.partners == (1,) and other.partners == (0,), (one, other)
    assert one.title == "split kettle-cache → kettle-limit"


def test_no_card_shows_a_secret(bed: Bed) -> None:
    """A screen is shared, a report is sent around."""
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    bed.write("deploy", f"Note to self: deploy with the token {token} from the vault, never by hand.")
    bed.write("plain", f"Note to self: the other token is {token}.")
    stage(bed, [op("update", "deploy", new_body=f"Deploy with the token {token} from the vault, never by hand.")])
    assert token not in repr(proposal_of(bed)) and token not in repr(deck_of(bed))
    (card,) = deck_of(bed).cards
    assert "[redacted-" in (card.files[0].after or "")


def test_what_can_be_edited_is_what_the_op_brings() -> None:
    assert draft_of(UPDATE) == Draft(None, BETTER)
    assert draft_of(DELETE) is None and draft_of("junk") is None and draft_of(op("relink", "a", links=["b"])) is None
    header = {"name": "x", "description": "Old", "metadata": {"type": "project"}}
    assert draft_of(op("update", "x", new_frontmatter=header)) == Draft("Old", None)
    assert draft_of(op("update", "x", new_body="a\r\nb"), {"new_body": "c"}) == Draft(None, "c")


@pytest.mark.parametrize("body", [NIHONGO_BETTER, RELEASE + "\n\n" + FREEZE])
def test_cards_of_any_op_can_be_made_over_an_empty_store(bed: Bed, body: str) -> None:
    """The memory directory may be gone by the time a person looks."""
    stage(bed, [*THREE, op("update", "kensho-db", new_body=body)])
    for path in bed.memory.glob("*.md"):
        path.unlink()
    assert {card.verdict for card in deck_of(bed).cards if card.offered} <= {"stale"}


def test_ops_of_which_only_some_fit_together_are_each_shown_as_they_can_be_taken(bed: Bed) -> None:
    """A dream removes at most a fifth of ten entries: whoever wants the parked merge must leave one delete."""
    bed.write("autumn-freeze", FREEZE.replace("spring", "autumn"), description="Autumn code freeze and its end")
    (bed.memory / "note-4.md").unlink()
    stage(bed, [DELETE, op("delete", "autumn-freeze", confidence=0.97), MERGE])
    deck = deck_of(bed)
    assert [card.verdict for card in deck.cards] == ["applied", "applied", "parked"]
    assert all(card.takeable and card.files for card in deck.cards), deck
    assert deck.card(2).files[0].after is not None
    chosen = Decisions(deck.run, {0: "accept", 1: "accept", 2: "accept"}, waived={2: deck.card(2).waives})
    order = bed.order()
    store = read_store(bed.memory)
    said = decisions.rehearse(proposal_of(bed), chosen, store, settings=order.settings, today=bed.now.date())
    assert [verdict.status for verdict in said.verdicts] == ["applied", "applied", "parked"], "the summary says it before it happens"
    done = decisions.carry_out(order, chosen)
    assert done.left == (2,) and (bed.memory / "kettle-metrics.md").exists()
