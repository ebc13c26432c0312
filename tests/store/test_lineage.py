"""A merge keeps where everything came from, and no frontmatter fact of a loser goes unreported."""

from __future__ import annotations

import pytest
import store_strategies as shapes
from hypothesis import given, settings
from hypothesis import strategies as st

from agentops_dream.models import Entry
from agentops_dream.store import entry as edits
from agentops_dream.store.document import EditRefused, NotText, parse
from agentops_dream.store.keys import lookup
from agentops_dream.store.lineage import Difference, absorb, is_provenance, lineage


def entry(header: str, path: str = "b.md") -> Entry:
    return edits.read_entry(path, f"---\n{header}---\nbody\n".encode(), 0.0)


def merged(header: str, *losers: str) -> dict:
    sources = [entry(text, f"l{number}.md") for number, text in enumerate(losers)]
    return dict(parse(lineage(entry(header).raw, sources)).fields)


def test_the_ids_of_all_that_ever_went_in_are_kept_across_merges():
    first = lineage(entry("name: d\n").raw, [entry("name: a\n"), entry("name: b\n")])
    second = lineage(entry("name: z\ntype: user\n").raw, [edits.read_entry("d.md", first, 0.0)])
    assert parse(second).get(("metadata", "merged_from")) == ["d", "a", "b"]
    assert lineage(second, [edits.read_entry("d.md", first, 0.0)]) == second
    many = [entry(f"name: e{number}\n") for number in range(300)]
    assert len(parse(lineage(second, many)).get(("metadata", "merged_from"))) == 303


def test_provenance_lists_are_united_where_the_file_keeps_them():
    made = merged(
        "type: user\nsource_files: [a.md]\n",
        "source_files: [b.md, a.md]\nsource_context_ids: [1, 2]\n",
        "metadata:\n  source_files: c.md\n  source_memory_ids:\n  - m\n",
    )
    assert made["source_files"] == ["a.md", "b.md", "c.md"] and made["source_context_ids"] == ["1", "2"]
    assert made["metadata"] == {"merged_from": ["l0", "l1"], "source_memory_ids": ["m"]}


def test_a_session_id_of_a_loser_is_not_lost_even_after_three_merges():
    one = "metadata:\n  originSessionId: s1\n"
    made = merged(
        one,
        "metadata:\n  originSessionId: s2\n",
        "metadata:\n  originSessionId: s1\n",
        "originSessionId: s3\n",
    )
    assert made["metadata"] == {
        "originSessionId": "s1",
        "merged_from": ["l0", "l1", "l2"],
        "merged_originSessionId": ["s2", "s3"],
    }
    again = merged(
        "metadata:\n  originSessionId: s9\n",
        "metadata:\n  originSessionId: s1\n  merged_originSessionId: [s2, s3]\n",
    )
    assert again["metadata"]["originSessionId"] == "s9"
    assert sorted(again["metadata"]["merged_originSessionId"]) == ["s1", "s2", "s3"]
    assert merged("name: x\n", one)["metadata"]["originSessionId"] == "s1"


@pytest.mark.parametrize(
    ("own", "other", "result"),
    [
        ("grounding: verified\n", "metadata:\n  grounding: inferred\n", "inferred"),
        ("grounding: inferred\n", "grounding: verified\n", "inferred"),
        ("name: x\n", "grounding: Inferred # by a model\n", "inferred"),
        ("name: x\n", "grounding: verified\n", None),
        ("grounding: verified\n", "name: y\n", "verified"),
    ],
)
def test_an_inferred_source_makes_the_result_inferred_and_nothing_promotes_it(own, other, result):
    assert lookup(merged(own, other), "grounding") == result


def test_a_split_half_inherits_provenance_without_a_merge():
    made = parse(lineage(entry("name: half\n").raw, [entry("source_files: [a]\ngrounding: inferred\n")], merged=False))
    assert made.fields["metadata"] == {"source_files": ["a"], "grounding": "inferred"}


def test_own_keys_are_united_and_what_differs_is_reported():
    survivor = entry("name: a\ntype: user\ntags: [x]\nowner: mira\nopts:\n  a: 1\n")
    loser = entry(
        "name: b\ndescription: d\nmetadata:\n  type: user\n  tags: [y, x]\n  owner: juno\n  version: 1.0\n"
        "  relates_to:\n  - c.md\n  modified: 2026-01-01\n  opts: {a: 2, b: 3}\n  status: done\n  pinned: true\n"
    )
    made = absorb(survivor.raw, [loser])
    assert parse(made.raw).fields == {
        "name": "a",
        "type": "user",
        "tags": ["x", "y"],
        "owner": "mira",
        "opts": {"a": "1", "b": "3"},
        "metadata": {"version": "1.0", "relates_to": ["c.md"]},
    }
    assert set(made.differences) == {
        Difference("owner", "mira", "juno", "b"),
        Difference("opts.a", "1", "2", "b"),
        Difference("status", None, "done", "b"),
    }


@pytest.mark.parametrize("key", ["ended", "status", "superseded_by", "title"])
def test_what_is_said_about_one_entry_is_not_said_about_another(key):
    """A copied ``ended`` would let the next dream delete a living entry."""
    made = absorb(entry("name: a\n").raw, [entry(f"name: b\n{key}: '2026-01-01'\n")])
    assert made.raw == entry("name: a\n").raw and made.differences == (Difference(key, None, "2026-01-01", "b"),)


def test_a_text_that_becomes_a_list_takes_what_differed_from_it():
    made = absorb(entry("tags: a\n").raw, [entry("tags: b\n"), entry("tags: [c]\n")])
    assert parse(made.raw).fields == {"tags": ["a", "c", "b"]} and made.differences == ()


def test_a_metadata_that_is_no_mapping_is_reported():
    made = absorb(entry("name: a\n").raw, [entry("name: b\nmetadata: a note\n")])
    assert made.differences == (Difference("metadata", None, "a note", "b"),)


def test_private_stays_private_in_a_merge():
    made = absorb(entry("name: a\n").raw, [entry("name: b\nprivate: true\n")])
    assert edits.read_entry("a.md", made.raw, 0.0).private and made.differences == ()
    assert edits.read_entry("a.md", absorb(entry("tags: x\n").raw, [entry("tags: [private]\n")]).raw, 0.0).private


@settings(max_examples=80, deadline=None)
@given(shapes.documents(), st.lists(st.one_of(shapes.documents(), shapes.entry_files()), min_size=1, max_size=3))
def test_no_frontmatter_fact_of_any_store_is_lost_in_a_merge(raw, others):
    sources = []
    for number, other in enumerate(others):
        try:
            sources.append(edits.read_entry(f"l{number}.md", other, 0.0))
        except NotText:
            continue
    try:
        absorbed = absorb(lineage(raw, sources), sources)
    except EditRefused:
        assert not isinstance(parse(raw).get("metadata") or {}, dict)
        return
    before, after = parse(raw), parse(absorbed.raw)
    assert after.body == before.body and lookup(after.fields, "modified") == lookup(before.fields, "modified")
    held = repr(list(values(after.fields))) + repr([list(values({"x": d.other})) for d in absorbed.differences])
    for source in sources:
        assert source.id in lookup(after.fields, "merged_from")
        for path, value in paths(source.fields):
            if path[-1] not in NOT_FACTS and path[0] not in NOT_FACTS and value not in ("", False):
                assert repr(value) in held, path
    for path, value in paths(before.fields):
        if path[-1] != "grounding" and value != "":
            assert repr(value) in held
    assert absorb(lineage(absorbed.raw, sources), sources).raw == absorbed.raw


NOT_FACTS = {
    "name",
    "description",
    "type",
    "metadata",
    "node_type",
    "modified",
    "grounding",
    "flagged",
    "pinned",
}


def paths(fields, prefix=()):
    for key, value in fields.items():
        if isinstance(value, dict):
            yield from paths(value, (*prefix, key))
        else:
            for item in value if isinstance(value, list) else [value]:
                yield (*prefix, key), item


def values(fields):
    return (value for _, value in paths(fields))


def test_what_counts_as_provenance():
    yes = "source source_files sourceIds originSessionId derived_from merged_owner session_ids provenance"
    assert all(map(is_provenance, yes.split()))
    assert not any(map(is_provenance, ["tags", "relates_to", "name", "session", "resource"]))
