"""Losses, inventions, links, sentences without a literal, translations."""

from __future__ import annotations

import pytest

from agentops_dream.facts.weigh import Text, weigh

NOTE = Text(
    "relay",
    "Outbox relay",
    "The relay polls every 250 ms and sets `published_at`. Publishing inside the request lost events when the broker restarted. "
    "Details are in [[broker-notes]].\n",
)


def codes(body: str, *, inputs: tuple[Text, ...] = (NOTE,), description: str = NOTE.description, **more: object) -> set[str]:
    return {fault.code for fault in weigh(inputs, [Text("relay", description, body)], **more)}  # type: ignore[arg-type]


def test_a_dropped_reason_is_a_loss() -> None:
    """Why a rule holds is what keeps people from breaking it."""
    faults = weigh([NOTE], [Text("relay", NOTE.description, "The relay polls every 250 ms and sets `published_at`. Details are in [[broker-notes]].\n")])
    assert [fault.code for fault in faults] == ["loss"]
    assert "broker restarted" in faults[0].literals[0]


def test_a_link_may_go_with_its_entry_or_to_its_heir() -> None:
    """A merge leaves no link to itself; a link to a merged entry follows."""
    without = NOTE.body.replace("[[broker-notes]]", "the notes")
    assert codes(without) == {"loss"}
    other = Text("broker-notes", "Broker", "The broker restarts on Sundays.")
    merged = without + "The broker restarts on Sundays.\n"
    assert codes(merged, inputs=(NOTE, other), description="Outbox relay, broker") == set()
    moved = NOTE.body.replace("broker-notes", "broker")
    assert codes(moved, heirs={"broker-notes": "broker"}, planned=("broker",)) == set()
    assert codes(moved) == {"loss", "invention"}


def test_links_to_what_exists_are_no_invention() -> None:
    assert codes(NOTE.body + "See also [[other]].\n", shown={"other": Text("other", "", "x")}) == set()
    assert codes(NOTE.body + "See also [[other]].\n", planned=("other",)) == set()
    assert codes(NOTE.body + "See also [[other]].\n") == {"invention"}


def test_a_note_about_the_notes_claims_nothing() -> None:
    extra = "\nUnresolved: [[broker-notes]] states a different interval.\n\nPossibly stale: other notes are newer.\n"
    assert codes(NOTE.body + extra) == set()


@pytest.mark.parametrize(
    "extra",
    [
        "Rows that fail are handed to the night shift.",
        "The buffer is flushed whenever a consumer subscribes.",
        "上限に達すると古い行から順に消える。",
        "The relay polls every 250 ms, and stops early on battery power.",
    ],
)
def test_a_plausible_sentence_is_unsupported(extra: str) -> None:
    """Nobody can tell it from a fact a week later."""
    assert "unsupported" in codes(NOTE.body + "\n" + extra + "\n")


def test_a_fact_of_another_entry_wanders() -> None:
    """That it stands somewhere else in the store is no excuse."""
    other = Text("retry", "", "Bad messages go to `orders.dead` after 5 attempts.")
    assert "invention" in codes(NOTE.body + "\nBad rows go to `orders.dead` after 5 attempts.\n", shown={"retry": other})


def test_a_translation_is_no_rewriting() -> None:
    after = "リレーは 250 ms ごとに確認し、`published_at` を設定する。要求の中で公開すると、ブローカーの再起動時にイベントを失った。詳細は [[broker-notes]]。\n"
    assert "unsupported" in codes(after)


def test_hidden_changes_in_the_description_are_seen() -> None:
    """The description is what every session loads."""
    assert "invention" in codes(NOTE.body, description="Outbox relay, polls every 100 ms")
    described = Text("relay", "Outbox relay, 250 ms, alarm at 900 rows", NOTE.body)
    assert "loss" in codes(NOTE.body, inputs=(described,), description="Outbox relay, 250 ms")


def test_two_facts_with_one_value_need_two_places() -> None:
    """ "Mirela" left in one sentence is no comfort for the other."""
    before = Text("relay", "", "Mirela wrote the manual of the boiler. Every change of the burner is reviewed by Mirela.\n")
    after = "Mirela wrote the manual of the boiler. Every change of the burner is reviewed by someone.\n"
    assert "loss" in codes(after, inputs=(before,), description="")


def test_the_message_names_what_was_wrong() -> None:
    faults = weigh([NOTE], [Text("relay", NOTE.description, NOTE.body.replace("250 ms", "300 ms"))])
    said = {fault.code: fault.message for fault in faults}
    assert "250 ms" in said["loss"] and "300 ms" in said["invention"]
