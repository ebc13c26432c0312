"""Dreaming by rule. It is what a first-time user sees, and nobody checks it but the gate."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from rem_parts import bare, configured, entry, shown

from agentops_dream.deep.judge import judge
from agentops_dream.models import Entry, Judgement, Signal, WorkingSet
from agentops_dream.rem.backends.offline import dream
from agentops_dream.rem.schema import validate_op
from agentops_dream.store.memory import Store, read_store

TODAY = date(2026, 11, 30)
CACHE = "Previews are cached for 15 minutes in `shop/cache.py`.\n\n**Why:** rendering takes 1.8 s."
SAME = "Previews are cached for\n15 minutes in `shop/cache.py`.\n\nWhy: rendering takes **1.8 s**."


def ops(*focus: Entry, **more: Any) -> list[dict[str, Any]]:
    reply = dream(shown(*focus, **more))
    assert all(validate_op(op) is None for op in reply.ops)
    json.dumps(reply.ops)
    return list(reply.ops)


def written(folder: Path, *entries: Entry) -> Store:
    for one in entries:
        path = folder / one.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(one.raw)
    return read_store(folder)


def slept(store: Store, signals: tuple[Signal, ...] = ()) -> Judgement:
    """One dream over a whole store, judged by the real gate and carried out."""
    working_set = WorkingSet(store.entries, (), "", signals)
    reply = dream(working_set)
    judgement = judge(reply.ops, working_set, store, settings=configured(), today=TODAY)
    for change in judgement.changes.entries:
        path = Path(store.root) / change.path
        if change.after is None:
            path.unlink()
        else:
            path.write_bytes(change.after)
    return judgement


class TestFrontmatter:
    def test_a_missing_name_comes_from_the_file(self) -> None:
        [op] = ops(
            bare(
                "feedback_x.md",
                '---\nname: ""\ndescription: d\nmetadata:\n  type: feedback\n---\n\nBody text.\n',
            )
        )
        assert op["op"] == "update" and op["new_frontmatter"] == {"name": "feedback_x"}
        assert "new_body" not in op

    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_a_header_that_never_ends_is_left_for_a_person(self, end: str) -> None:
        """A second header with the lines of the first as its description buries what the user wrote there."""
        text = "---\nname: x\ndescription: The port of staging\ntype: project\n\nStaging listens on 6432.\n"
        cut = bare("x.md", text.replace("\n", end))
        assert ops(cut) == []
        assert ops(cut, bare("y.md", text.replace("\n", end))) == [], "nor is one merged away"
        assert ops(bare("z.md", text.replace("---\n", "***\n").replace("\n", end))), "a plain rule begins no header"

    def test_two_files_of_one_name_do_not_get_the_same(self) -> None:
        assert (
            ops(
                bare("a/x.md", "---\ndescription: d\n---\nOne.\n"),
                bare("b/x.md", "---\ndescription: e\n---\nTwo.\n"),
            )
            == []
        )

    @pytest.mark.parametrize(
        ("body", "description"),
        [
            ("The port is 8080. It was 80 before.", "The port is 8080. It was 80 before."),
            ("# Port\n\n- The **port** is `8080`\n- and another\n", "The port is `8080`"),
            ("# Only a heading\n", "Only a heading"),
            ("```\ncode first\n```\n\nThen text.", "Then text"),
            ("| a | b |\n|---|---|\n\nAfter the table.", "After the table"),
            ("<!-- hidden -->\nSeen.", "Seen"),
            ("Use v1.2 e.g. here. " + "X" * 300, "Use v1.2 e.g. here."),
            ("ポートは 8080。" + "あ" * 300, "ポートは 8080。"),
            ("Wrapped\nover two lines.\n\nMore.", "Wrapped over two lines"),
        ],
    )
    def test_a_missing_description_is_the_first_sentences_word_for_word(
        self, body: str, description: str
    ) -> None:
        [op] = ops(entry("x-y.md", body, description='""'))
        assert op["new_frontmatter"] == {"description": description}

    @pytest.mark.parametrize(
        "body",
        [
            "The vendor allows 40 requests. " + "More about it. " * 20 + "All of this is unverified.",
            "上限は 40。" + "説明が続く、" * 60 + "未確認。",
            "x" * 400,
            "```\nonly code\n```\n",
        ],
    )
    def test_no_description_is_better_than_one_that_misleads(self, body: str) -> None:
        assert ops(entry("x-y.md", body, description='""')) == []

    def test_broken_yaml_is_written_anew_with_the_same_values(self, tmp_path: Path) -> None:
        broken = bare(
            "a-b.md",
            "---\nname: a-b\ndescription: Root cause: the server died\ntype: project\nown: 1\n---\n\nText.\n",
        )
        [op] = ops(broken)
        assert op["new_frontmatter"] == {"description": "Root cause: the server died"}
        slept(written(tmp_path, broken))
        import yaml

        fields = yaml.safe_load((tmp_path / "a-b.md").read_text().split("---")[1])
        assert fields == {
            "name": "a-b",
            "description": "Root cause: the server died",
            "type": "project",
            "own": 1,
        }

    @pytest.mark.parametrize("text", ["", "   \n", "---\nname: a\n---\n", "\ufeff"])
    def test_an_empty_entry_is_left_alone(self, text: str) -> None:
        assert ops(bare("x.md", text)) == []


class TestDuplicates:
    def test_the_same_text_becomes_one_entry(self) -> None:
        [op] = ops(
            entry("cache-a.md", CACHE), entry("cache-b.md", SAME, description="Where previews are kept")
        )
        assert (op["op"], op["target_ids"], op["new_body"]) == ("merge", ["cache-a", "cache-b"], CACHE)
        assert op["new_frontmatter"]["description"] == "About it; Where previews are kept"

    def test_the_one_that_others_link_to_stays(self) -> None:
        linking = entry("linking.md", "See [[cache-b]] for the time.")
        [op] = ops(entry("cache-a.md", CACHE), entry("cache-b.md", SAME), linking)
        assert op["target_ids"] == ["cache-b", "cache-a"]

    @pytest.mark.parametrize(
        "other",
        [
            entry("cache-b.md", CACHE.replace("15", "20")),
            entry("cache-b.md", CACHE.replace("cached", "not cached")),
            entry("cache-b.md", CACHE + "\nOne more fact."),
            entry("cache-b.md", CACHE, type="reference"),
            entry("cache-b.md", CACHE, pinned=True),
            entry("cache-b.md", CACHE, flagged=True),
            replace(entry("cache-b.md", CACHE), readonly="symlink"),
        ],
        ids=["a value", "a negation", "a fact more", "another type", "pinned", "flagged", "readonly"],
    )
    def test_what_differs_in_anything_is_not_merged(self, other: Entry) -> None:
        assert not [op for op in ops(entry("cache-a.md", CACHE), other) if op["op"] == "merge"]

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Lint only `*.py` files.", "Lint only `.py` files."),
            ("Import `__init__` first.", "Import `init` first."),
            ("Run:\n\n```\nif x:\n  y\nz\n```\n", "Run:\n\n```\nif x:\n  y\n  z\n```\n"),
            (f"{CACHE}\n\nRelated: [[cache-b]]", f"{CACHE}\n\nRelated: [[cache-b]]"),
        ],
        ids=[
            "a star that is no emphasis",
            "underscores that are none",
            "an indent in code",
            "a link to one another",
        ],
    )
    def test_what_only_looks_the_same_is_not_merged(self, one: str, other: str) -> None:
        found = ops(entry("cache-a.md", one), entry("cache-b.md", other))
        assert not [op for op in found if op["op"] == "merge"]

    def test_context_may_be_merged_with_but_not_alone(self) -> None:
        old, new = entry("cache-a.md", CACHE), entry("cache-b.md", SAME)
        assert [op["op"] for op in ops(new, context=(old,))] == ["merge"]
        assert ops(context=(old, new)) == []

    def test_each_entry_is_in_one_merge_and_in_nothing_else_that_rewrites(self) -> None:
        many = [bare(f"c-{n}.md", f'---\nname: ""\ntype: project\n---\n{CACHE}\n') for n in range(3)]
        [op] = ops(*many)
        assert op["op"] == "merge" and len(op["target_ids"]) == 3


class TestLinks:
    def test_an_entry_that_names_another_gets_a_link(self) -> None:
        cache = entry("kettle-cache.md", "About the cache.")
        [op] = ops(entry("a.md", "The price comes from `kettle-cache`."), cache)
        assert (op["op"], op["target_ids"], op["links"]) == ("relink", ["a"], ["kettle-cache"])

    @pytest.mark.parametrize(
        "body",
        [
            "Already linked: [[kettle-cache]], that is kettle-cache.",
            "Linked by its other spelling: [[Kettle_Cache]], that is kettle-cache.",
            "In `shop/kettle-cache/x.py` and https://x.example/kettle-cache and my-kettle-cache-2.",
            "kettle-cache.py is a file.",
            "<!-- kettle-cache -->",
            "See kettle-cache:\n\n```\nunclosed fence",
        ],
    )
    def test_what_is_no_mention_gets_none(self, body: str) -> None:
        assert ops(entry("a.md", body), context=(entry("kettle-cache.md", "About the cache."),)) == []

    def test_common_words_are_no_names(self) -> None:
        assert (
            ops(entry("a.md", "These are my notes on misc."), entry("notes.md", "x"), entry("misc.md", "y"))
            == []
        )

    def test_names_in_other_scripts_are_found_within_a_sentence(self) -> None:
        other = entry("cart.md", "本文。", name="カートは保存しない")
        [op] = ops(entry("a.md", "これはカートは保存しないの続き。"), context=(other,))
        assert op["links"] == ["カートは保存しない"]


class TestEndDates:
    PASSED = Signal("date_passed", ("freeze.md",), "2026-10-30")

    def test_an_entry_past_its_own_end_is_flagged_once(self) -> None:
        freeze = entry("freeze.md", "Freeze until 2026-10-30.")
        [op] = ops(freeze, signals=(self.PASSED,))
        assert (op["op"], op["target_ids"]) == ("flag", ["freeze"]) and "2026-10-30" in op["rationale"]
        assert ops(entry("freeze.md", "Freeze until 2026-10-30.", flagged=True), signals=(self.PASSED,)) == []
        assert ops(entry("freeze.md", "Freeze until 2026-10-30.", pinned=True), signals=(self.PASSED,)) == []


MESSY = (
    entry("kettle-cache.md", CACHE),
    entry("kettle-preview-cache.md", SAME, description="Where previews are kept"),
    entry(
        "checkout.md", "A cold `kettle-cache` makes the first checkout slow. So does kettle-preview-cache."
    ),
    bare(
        "feedback_queue.md",
        '---\nname: ""\nmetadata: \n  node_type: memory\n---\n\nJuno: never mock the queue.\n',
    ),
    bare(
        "cause.md",
        "---\nname: cause\ndescription: Root cause: it died\ntype: project\n---\n\nIt died on 2026-03-02.\n",
    ),
    bare("no-header.md", "Just a note about kettle-cache, without a header.\r\n"),
    entry("freeze.md", "Freeze until 2026-10-30."),
    entry("pinned.md", CACHE, pinned=True),
)


def test_the_gate_takes_every_op_and_a_second_dream_proposes_nothing(tmp_path: Path) -> None:
    """The demo and the first dream of a user without a model; a rule at odds with the gate would show here."""
    before = written(tmp_path, *MESSY)
    first = slept(before, (TestEndDates.PASSED,))
    assert [(v.kind, v.status) for v in first.verdicts if v.status != "applied"] == []
    assert {v.kind for v in first.verdicts} == {"merge", "update", "relink", "flag"}
    after = read_store(tmp_path)
    assert len(after.entries) == len(before.entries) - 1
    assert dream(WorkingSet(after.entries, (), "", (TestEndDates.PASSED,))).ops == ()


def test_the_order_of_entries_does_not_matter_to_what_is_done() -> None:
    def key(op: dict[str, Any]) -> str:
        return json.dumps(op, sort_keys=True)

    assert sorted(map(key, ops(*MESSY))) == sorted(map(key, ops(*reversed(MESSY))))
