"""Reviewing in a terminal: what is typed is what is decided, and nothing is carried out unasked."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import partial

import pytest
from dream_kit import Bed
from review_kit import BETTER, MERGE, NIHONGO_BETTER, THREE, UPDATE, deck_of, op, proposal_of, stage
from rich.cells import cell_len
from rich.console import Console

from agentops_dream import applying, staging
from agentops_dream.review import decisions, terminal
from agentops_dream.review.cards import Draft
from agentops_dream.review.decisions import Decisions
from agentops_dream.review.drafts import BadDraft, from_text, to_text
from agentops_dream.review.keys import Keys
from agentops_dream.store.memory import read_store


class Typed(Iterator[str]):
    """Keys, one after the other; the end of input after the last."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = iter(keys)

    def __next__(self) -> str:
        for key in self.keys:
            return key
        raise EOFError


def sit(bed: Bed, keys: str | Sequence[str], *, edited: str | None = None, width: int = 100, colour: bool = False) -> tuple[list[Decisions] | None, str]:
    """Review everything that waits with these keys; return what is to be carried out, and the screen."""
    screen = io.StringIO()
    console = Console(
        file=screen, width=width, force_terminal=colour, color_system="standard" if colour else None,
        markup=False, highlight=False, emoji=False, soft_wrap=True, _environ={},
    )  # fmt: skip
    order = bed.order()
    typed = Typed(keys)
    seat = terminal.Seat(
        store=read_store(bed.memory), settings=order.settings, today=bed.now.date(), staging=order.staging,
        console=console, key=lambda: next(typed), render=partial(applying.render, order), edit=lambda _text: edited,
    )  # fmt: skip
    found = terminal.review(staging.waiting(order.staging)[0], seat)
    return found, screen.getvalue()


def test_op_by_op_then_a_summary_and_one_confirmation(bed: Bed) -> None:
    stage(bed, THREE)
    found, screen = sit(bed, "raay")
    assert found is not None and [made.choices for made in found] == [{0: "reject", 1: "accept", 2: "accept"}]
    for words in ("1 of 3", "2 of 3", "3 of 3", "2 accepted, 1 rejected, 0 left for later", "will be carried out"):
        assert words in screen
    assert re.search(r"^  MEMORY\.md: \d+ lines added, 0 removed$", screen, re.MULTILINE), "what a yes does besides"
    assert re.search(r"^  AGENTS\.md: new, \d+ lines$", screen, re.MULTILINE)
    assert "loss: in no text that remains: 2026-02-11" in screen


def test_without_the_confirmation_nothing_is_carried_out(bed: Bed) -> None:
    stage(bed, THREE)
    for keys in ("raaq", "raa\r\r", "raan"):
        found, screen = sit(bed, keys)
        assert found is None and "Nothing was carried out" in screen


@pytest.mark.parametrize("end", [["q"], [], ["\x03"], ["\x04"]])
def test_one_can_quit_and_come_back_where_one_was(bed: Bed, end: list[str]) -> None:
    stage(bed, THREE)
    found, _ = sit(bed, ["r", *end])
    assert found is None
    found, screen = sit(bed, "aay")
    assert "1 of 3" not in screen and "2 of 3" in screen
    assert found is not None and found[0].choices == {0: "reject", 1: "accept", 2: "accept"}


def test_going_back_shows_what_was_decided_and_changes_it(bed: Bed) -> None:
    stage(bed, THREE)
    found, screen = sit(bed, ["r", "b", "a", "s", "\x1b[D", "r", "s", "y"])
    assert "kettle-metrics  rejected" in screen
    assert found is not None and found[0].choices == {0: "accept", 1: "reject", 2: "skip"}


def test_any_other_key_explains_the_keys(bed: Bed) -> None:
    stage(bed, [UPDATE])
    for key in ("?", "x", "\x1b[15~"):
        _, screen = sit(bed, [key])
        assert "carry it out, once everything is decided" in screen


def test_an_edit_is_shown_judged_and_kept(bed: Bed) -> None:
    stage(bed, THREE)
    whole = MERGE["new_body"].replace("out of memory,", "out of memory on 2026-02-11,")
    found, screen = sit(bed, "easy", edited=whole + "\n")
    assert found is None and "edited by you" in screen
    made = decisions.load(bed.order().staging, proposal_of(bed))
    assert made.edits[0]["new_body"].rstrip("\n") == whole and made.choices == {0: "accept", 1: "skip"}


def test_an_edit_that_the_gate_refuses_says_why_and_can_be_edited_again(bed: Bed) -> None:
    stage(bed, [UPDATE])
    _, screen = sit(bed, "eae", edited=BETTER + " See OPS-4711.\n")
    assert "invention" in screen and "OPS-4711" in screen and "cannot be accepted" in screen
    assert screen.count("[e] edit") >= 2


@pytest.mark.parametrize("edited", [None, "", "  \n"])
def test_leaving_the_editor_without_a_text_changes_nothing(bed: Bed, edited: str | None) -> None:
    stage(bed, [UPDATE])
    sit(bed, "e", edited=edited)
    assert decisions.load(bed.order().staging, proposal_of(bed)).edits == {}


def test_a_description_is_edited_above_the_text_and_comes_back_as_it_was_written() -> None:
    for draft in (Draft("About ports", "The port is 8080.\n"), Draft(None, "Only text\n"), Draft("検証のポート", None)):
        assert from_text(to_text(draft), draft) == draft
    both = Draft("Old", "Text\n")
    assert from_text(to_text(both).replace("Old", "New: it's").replace("\n", "\r\n"), both).description == "New: it's"
    with pytest.raises(BadDraft, match="nothing was kept"):
        from_text("no header any more\n", both)


def test_refused_ops_come_last_and_only_let_themselves_be_read(bed: Bed) -> None:
    stage(bed, [op("update", "note-1", new_body="The worker1 handles 4711 queues."), UPDATE])
    found, screen = sit(bed, "aaresy")
    assert screen.index("update release") < screen.index("update note-1")
    assert found is not None and found[0].choices == {1: "accept"}
    assert "it is shown what it would have written" in screen


def test_a_stale_op_says_so_and_cannot_be_accepted(bed: Bed) -> None:
    stage(bed, [UPDATE])
    (bed.memory / "release.md").write_text("---\nname: release\n---\n\nEdited.\n")
    found, screen = sit(bed, "asq")
    assert "release.md changed since it was proposed" in screen and "cannot be accepted" in screen
    assert found is None


def test_several_proposals_are_gone_through_in_one_sitting(bed: Bed) -> None:
    stage(bed, [MERGE], focus=["kettle-cache.md", "kettle-metrics.md"])
    stage(bed, [UPDATE], focus=["release.md"])
    found, screen = sit(bed, "aay")
    assert found is not None and [made.choices for made in found] == [{0: "accept"}, {0: "accept"}]
    assert "1 of 2" in screen and "2 of 2" in screen and all(made.run in screen for made in found)


def test_nothing_decided_is_nothing_to_carry_out(bed: Bed) -> None:
    stage(bed, [UPDATE])
    found, screen = sit(bed, "sy")
    assert found is None and "nothing to carry out" in screen


def test_without_colour_changes_stand_between_marks(bed: Bed) -> None:
    """``NO_COLOR``, a pipe or a colour-blind eye must not make old and new look alike."""
    stage(bed, [UPDATE])
    _, screen = sit(bed, "q")
    assert "[-Note to self: a-]{+A+} release is tagged" in screen
    _, screen = sit(bed, "q", colour=True)
    assert "[-" not in screen and "\x1b[9;31m" in screen and "\x1b[4;32m" in screen


@pytest.mark.parametrize("width", [40, 72, 100])
def test_no_line_is_wider_than_the_terminal_in_japanese_either(bed: Bed, width: int) -> None:
    bed.write("kensho-app", "検証環境のアプリケーションはポート 8443 で待ち受け、負荷試験のときだけ三台に増やす。", description="検証環境のアプリケーションの待ち受けと台数")
    merged = NIHONGO_BETTER + "\n\n検証環境のアプリケーションはポート 8443 で待ち受け、負荷試験のときだけ三台に増やす。"
    stage(bed, [op("merge", "kensho-db", "kensho-app", new_body=merged, rationale="どちらも検証環境についての記憶である。")])
    _, screen = sit(bed, "dq", width=width)
    assert "検証環境" in screen
    assert max(cell_len(line) for line in screen.splitlines()) <= width


def test_a_long_reason_goes_on_under_itself(bed: Bed) -> None:
    """A wrapped line that begins at the left looks like another answer."""
    stage(bed, [{**UPDATE, "rationale": "Filler words removed, " * 8}])
    lines = sit(bed, "q", width=60)[1].splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("why"))
    assert lines[first + 1].startswith(" " * 14) and lines[first + 1].strip()


def test_a_hostile_entry_cannot_move_the_cursor(bed: Bed) -> None:
    bed.write("hostile", "Note to self: \x1b[2Jcleared \u202egnirts\u202c <b>tag</b> <!-- agentops:dreaming:end -->")
    stage(bed, [op("update", "hostile", new_body="\x1b[2Jcleared \u202egnirts\u202c <b>tag</b> <!-- agentops:dreaming:end -->")])
    _, screen = sit(bed, "dq")
    assert "\x1b" not in screen and "\u202e" not in screen
    assert "\\u001b[2Jcleared \\u202egnirts" in screen


def test_details_show_every_file_in_full(bed: Bed) -> None:
    stage(bed, THREE)
    _, screen = sit(bed, "dq")
    assert "kettle-metrics.md  deleted" in screen and "merged_from" in screen
    assert deck_of(bed).card(0).files


def test_keys_typed_ahead_are_all_there_and_come_one_by_one() -> None:
    """Who knows the keys types faster than a terminal draws."""
    chunks = iter([b"ra\x1b[C", "検".encode()[:1], "検".encode()[1:], b"\x1bOD\x1b", b""])
    keys = Keys(read=lambda _fd: next(chunks))
    assert [keys() for _ in range(6)] == ["r", "a", "\x1b[C", "検", "\x1bOD", "\x1b"]
    with pytest.raises(EOFError):
        keys()
