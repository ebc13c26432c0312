"""Differences word by word: nothing left out, nothing made up, and readable."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentops_dream.journal.diff import unified
from agentops_dream.review import words
from agentops_dream.review.words import Block, Span

TEXTS = st.lists(
    st.sampled_from(["the ", "port ", "8080", " ", "\n", "\n\n", "- ", "検証", "環境", "は、", "never ", "`x`", "é", "\r\n", "```", "👩‍💻"]),
    max_size=25,
).map("".join)


def told(before: str, after: str) -> str:
    marks = {"same": "{}", "del": "[-{}-]", "ins": "{{+{}+}}"}
    return "".join(marks[span.kind].format(span.text) for block in words.compare(before, after) for span in block.spans)


def count(text: str) -> int:
    """Return the number of lines, one without an end among them."""
    return text.count("\n") + bool(text and not text.endswith("\n"))


def spelled(spans: tuple[Span, ...]) -> str:
    return "".join(span.text for span in spans)


@given(TEXTS, TEXTS)
def test_the_blocks_spell_both_texts(before: str, after: str) -> None:
    """A change that the difference does not show would be approved unseen."""
    blocks = words.compare(before, after)
    assert "".join(spelled(block.before) for block in blocks) == before
    assert "".join(spelled(block.after) for block in blocks) == after
    for block in blocks:
        assert block.changed == any(span.kind != "same" for span in block.spans)
        assert all(span.text for span in block.spans)


@given(st.text(alphabet="ab \n漢", max_size=80), st.text(alphabet="ab \n漢", max_size=80))
def test_shortening_leaves_every_change_and_counts_what_it_leaves_out(before: str, after: str) -> None:
    blocks = words.compare(before, after)
    short = words.shorten(blocks)
    assert [block for block in short if block.changed] == [block for block in blocks if block.changed]
    lines = sum(count(spelled(block.before)) + block.skipped for block in short)
    assert lines == count(before)


@given(TEXTS, TEXTS)
def test_the_blocks_of_a_receipts_diff_hold_its_very_lines(before: str, after: str) -> None:
    rows = unified(before.encode(), after.encode(), "memory/x.md").split("\n")[2:]
    blocks = words.from_unified(unified(before.encode(), after.encode(), "memory/x.md"))
    for mark, side in (("-", "before"), ("+", "after")):
        wanted = "".join(row[1:] + "\n" for row in rows if row[:1] in (mark, " "))
        found = "".join(spelled(getattr(block, side)) for block in blocks)
        assert found.rstrip("\n") == wanted.rstrip("\n")


def test_a_removed_line_of_dashes_is_no_header() -> None:
    """Frontmatter begins with three dashes; taking its removal for the head of a diff would hide it."""
    diff = unified(b"-- x\n---\nbody\n", b"body\n", "memory/x.md")
    (block, _) = words.from_unified(diff)
    assert block == Block(True, (Span("del", "-- x\n---\n"),))


def test_what_is_skipped_before_a_hunk_is_counted() -> None:
    text = "".join(f"line {number}\n" for number in range(30))
    blocks = words.from_unified(unified(text.encode(), text.replace("line 20\n", "line X\n").encode(), "x"))
    assert blocks[0].skipped == 17


def test_words_are_compared_as_words_and_cjk_as_characters() -> None:
    assert told("listens on port 6432.", "listens on port 9432.") == "listens on port [-6432-]{+9432+}."
    assert told("ポートは 8443。", "ポートは 9443。") == "ポートは [-8443-]{+9443+}。"
    assert told("本番では変更しない。", "本番では変更する。") == "本番では変更[-しない-]{+する+}。"


def test_a_sentence_that_is_new_is_not_woven_into_the_old_one() -> None:
    """Two sentences that have only "the" in common, woven into each other, cannot be read."""
    before = "We never deploy on Friday because the on-call team is small."
    after = "Since March the release is tagged by a script, and the tag is signed."
    assert told(before, after).count("[-") == 1


def test_a_long_entry_that_changed_throughout_is_compared_in_no_time() -> None:
    """The largest entries seen have 90 KB; a person does not wait a minute for a page."""
    before = " ".join(f"w{number * number % 997}" for number in range(15000))
    after = " ".join(f"w{number * number % 991}" for number in range(15000))
    assert "".join(spelled(block.after) for block in words.compare(before, after)) == after


@given(TEXTS, TEXTS, TEXTS)
def test_sources_and_result_of_a_merge_are_whole(one: str, other: str, result: str) -> None:
    assert spelled(words.against(one, result)) == one
    gathered = words.gathered(result, [one, other])
    assert spelled(gathered) == result
    assert {span.kind for span in gathered} <= {"same", "ins"}
    assert all(span.kind == "same" for span in words.gathered(one, [other, one]))
