"""Undo of one op: an edit of either side must not be lost, and nothing may be guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentops_dream.store.merge3 import merge3

files = st.lists(
    st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"\n", b"d\r", b"e"]), max_size=8
).map(b"".join)  # fmt: skip


@given(files, files)
def test_one_sided_changes_would_be_lost(base, other):
    assert merge3(base, base, other) == other
    assert merge3(base, other, base) == other
    assert merge3(base, other, other) == other


@given(files, files, files)
def test_the_order_of_the_sides_would_matter(base, ours, theirs):
    assert merge3(base, ours, theirs) == merge3(base, theirs, ours)


@given(st.lists(st.sampled_from(["keep", "ours", "theirs"]), max_size=12), st.lists(st.booleans(), min_size=12, max_size=12))
def test_changes_of_different_lines_would_conflict(who, deleted):
    def side(name):
        return b"".join(
            b"" if gone and actor == name else b"%s %d\n" % (b"new" if actor == name else b"line", n)
            for n, (actor, gone) in enumerate(zip(who, deleted, strict=False))
        )

    both = b"".join(
        b"" if gone and actor != "keep" else b"%s %d\n" % (b"line" if actor == "keep" else b"new", n)
        for n, (actor, gone) in enumerate(zip(who, deleted, strict=False))
    )
    assert merge3(side("nobody"), side("ours"), side("theirs")) == both


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        (b"a\n", b"b\n", b"c\n"),  # the same line
        (b"a\nb\n", b"a\n", b"a\nc\n"),  # deleted here, changed there
        (b"a\n", b"a\nb\n", b"a\nc\n"),  # both add at the same place
        (b"", b"b\n", b"c\n"),
        (b"a\nb\n", b"a\nb", b"a\nb\nc\n"),  # the final line end goes while a line comes behind it
        (b"a\nb", b"a\nb\n", b"a\nB"),
    ],
)
def test_a_conflict_would_be_guessed_at(base, ours, theirs):
    assert merge3(base, ours, theirs) is None


def test_the_same_line_added_by_both_would_come_twice():
    assert merge3(b"a\n", b"a\nb\n", b"a\nb\n") == b"a\nb\n"
    assert merge3(b"x\na\n", b"X\na\nb\n", b"x\na\nb\n") == b"X\na\nb\n"


def test_line_ends_would_be_mixed_up():
    assert merge3(b"a\r\nb\r\nc", b"a\r\nb\r\nC", b"A\r\nb\r\nc") == b"A\r\nb\r\nC"
