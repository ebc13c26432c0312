"""A pair that was judged is not paid for again until one of its entries changes."""

from __future__ import annotations

import pytest

from agentops_dream.journal import ledger

HASHES = {"a.md": "1", "b.md": "2", "c.md": "3"}


def test_a_pair_is_settled_until_one_of_it_changes(tmp_path):
    ledger.settle(tmp_path, [("b.md", "a.md"), ("b.md", "c.md")], HASHES)
    assert ledger.settled(tmp_path, HASHES) == {("a.md", "b.md"), ("b.md", "c.md")}
    assert ledger.settled(tmp_path, {**HASHES, "a.md": "9"}) == {("b.md", "c.md")}
    assert ledger.settled(tmp_path, {"b.md": "2"}) == frozenset()


def test_pairs_add_up_and_stale_ones_drop_out(tmp_path):
    ledger.settle(tmp_path, [("a.md", "b.md")], HASHES)
    ledger.settle(tmp_path, [("a.md", "c.md")], HASHES)
    assert ledger.settled(tmp_path, HASHES) == {("a.md", "b.md"), ("a.md", "c.md")}
    changed = {**HASHES, "b.md": "9"}
    ledger.settle(tmp_path, [("b.md", "gone.md")], changed)
    assert ledger.settled(tmp_path, changed) == {("a.md", "c.md")}
    assert ledger.settled(tmp_path, HASHES) == {("a.md", "c.md")}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pairs": 1}', '{"pairs": [1, ["a"], ["a", "b", 1, 2], null]}'])
def test_a_broken_ledger_costs_a_question_and_no_more(tmp_path, text):
    ledger.path_in(tmp_path).write_text(text)
    assert ledger.settled(tmp_path, HASHES) == frozenset()
    ledger.settle(tmp_path, [("a.md", "b.md")], HASHES)
    assert ledger.settled(tmp_path, HASHES) == {("a.md", "b.md")}
