"""Numbers as people say them."""

from __future__ import annotations

import pytest

from agentops_dream.wording import counted, ops_named


@pytest.mark.parametrize(
    ("indexes", "told"),
    [
        ([3], "op 3"),
        ([1, 0], "ops 0, 1"),
        ([0, 2], "ops 0, 2"),
        ([*range(120), *range(121, 200)], "ops 0-119, 121-199"),
        ([0, 1, 2, 5, 7, 8], "ops 0-2, 5, 7, 8"),
    ],
)
def test_ops_are_named_in_few_words_however_many_there_are(indexes: list[int], told: str) -> None:
    """A page that ends in two hundred numbers tells nobody anything."""
    assert ops_named(indexes) == told


def test_one_and_many() -> None:
    assert [counted(n, "entry", "entries") for n in (0, 1, 2, 1234)] == ["0 entries", "1 entry", "2 entries", "1,234 entries"]
