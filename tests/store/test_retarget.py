"""After a merge or a rename no link points to nothing, and nothing but links has changed."""

from __future__ import annotations

import pytest
import store_strategies as shapes
from hypothesis import given, settings
from hypothesis import strategies as st

from agentops_dream.models import Entry
from agentops_dream.store import entry as edits
from agentops_dream.store.document import EditRefused, parse
from agentops_dream.store.links import Resolver, targets
from agentops_dream.store.memory import with_ids
from agentops_dream.store.retarget import Moves, retarget


def store(**headers: str) -> dict[str, Entry]:
    made = [
        edits.read_entry(f"{path.replace('__', '/')}.md", f"---\n{header}---\nx\n".encode(), 0.0)
        for path, header in headers.items()
    ]
    return {entry.path: entry for entry in with_ids(made)[0]}


STORE = store(
    a="name: A\n",
    b="name: Old Title\n",
    c="name: C\n",
    d="name: New Title\n",
    sub__d="name: Other\n",
    sub__b2="name: B2\n",
)
MOVES = Moves(STORE.values(), {"b.md": STORE["d.md"], "sub/b2.md": STORE["c.md"]})


def moved(text: str, own: str = "") -> str:
    return retarget(text.encode(), MOVES, own=own).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "[[b]] [[Old Title]] [[B]] [[old_title]]",
            "[[d]] [[d]] [[d]] [[d]]",
        ),
        (
            "[[b|alias]] [[b#h]] [[ b ]] ![[b.md]]",
            "[[d|alias]] [[d#h]] [[ d ]] ![[d]]",
        ),
        ("| [[b\\|x]] |", "| [[d\\|x]] |"),
        ("`[[b]]`\n\n```\n[[b]]\n```\n\n    [[b]]\n", "`[[b]]`\n\n```\n[[b]]\n```\n\n    [[b]]\n"),
        ("[[a]] [[missing]] b b.md", "[[a]] [[missing]] b b.md"),
        ("[[b2]] [[sub/b2]]", "[[c]] [[c]]"),
    ],
)
def test_links_in_a_body_follow(before, after):
    assert moved(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("relates_to: [b.md]", "relates_to: [d.md]"),
        ("relates_to: [a.md, b2.md, 'x']", "relates_to: [a.md, c.md, 'x']"),
        ("relates_to:\n- sub/b2.md\n- a", "relates_to:\n- c.md\n- a"),
        ("relates_to: [c.md, b2.md]", "relates_to: [c.md]"),
        ("supersedes: b2", "supersedes: c"),
        ("superseded_by: 'B2'", "superseded_by: 'C'"),
        ("See-Also: b2, a, zzz", "See-Also: c, a, zzz"),
        ("see_also: b2, c", "see_also: c"),
        ('links: ["[[b2]]", "[[a]]"]', 'links: ["[[c]]", "[[a]]"]'),
        ("description: as in [[b2|that]]", "description: as in [[c|that]]"),
        ("metadata:\n  relates_to:\n    - b2.md # why", "metadata:\n  relates_to:\n    - b2.md # why"),
        ("own_note: b2.md", "own_note: c.md"),
        ("own_note: b2", "own_note: b2"),
        ("tags: [b2, b2.md]", "tags: [b2, b2.md]"),
        ("merged_from: [b2, b2.md]", "merged_from: [b2, b2.md]"),
        ("source_files: [b2.md]", "source_files: [b2.md]"),
        ("name: b2.md", "name: b2.md"),
        ("relates_to: docs/guide/b2.md", "relates_to: docs/guide/b2.md"),
    ],
)
def test_references_in_frontmatter_follow_and_history_does_not(before, after):
    frame = "---\nname: z # 1\n{}\nlast: 'x'\n---\nbody\n"
    assert moved(frame.format(before)) == frame.format(after)


def test_what_would_point_to_the_file_itself_is_dropped_when_told():
    raw = "---\nname: C\nrelates_to: [b2.md, a.md]\nsupersedes: b2\n---\n[[b2]] and [[b2|that one]], [[c]], [[b]]\n"
    made = "---\nname: C\nrelates_to: [a.md]\n---\nb2 and that one, [[c]], [[d]]\n"
    assert moved(raw, own="c.md") == made
    assert "[[c]] and [[c|that one]]" in moved(raw)


def test_a_chain_of_moves_ends_at_the_last_heir():
    files = store(a="name: A\n", b="name: B\n", c="name: C\n")
    moves = Moves(files.values(), {"a.md": files["b.md"], "b.md": files["c.md"]})
    assert retarget(b"[[a]] [[b]]", moves) == b"[[c]] [[c]]"
    loop = Moves(files.values(), {"a.md": files["b.md"], "b.md": files["a.md"]})
    assert retarget(b"[[c]] [[a]]", loop).startswith(b"[[c]]")


def test_a_renamed_entry_is_linked_by_its_new_file():
    old = STORE["b.md"]
    new = edits.read_entry("fresh-name.md", old.raw, 0.0)
    moves = Moves(STORE.values(), {"b.md": new})
    assert retarget(b"---\nrelates_to: b.md\n---\n[[b]] [[Old Title]]\n", moves) == (
        b"---\nrelates_to: fresh-name.md\n---\n[[fresh-name]] [[fresh-name]]\n"
    )


def test_an_heir_that_shares_its_stem_is_linked_by_id_or_path():
    moves = Moves(STORE.values(), {"b.md": STORE["sub/d.md"]})
    assert retarget(b"[[b]]", moves) == b"[[Other]]"
    files = store(b="name: B\n", d="name: same\n", sub__d="name: same\n")
    moves = Moves(files.values(), {"b.md": files["sub/d.md"]})
    assert (
        retarget(b"---\nrelates_to: b.md\n---\n[[b]]", moves)
        == b"---\nrelates_to: sub/d.md\n---\n[[sub/d.md]]"
    )


def test_nothing_to_move_is_no_edit():
    raw = b"\xff"
    assert retarget(raw, Moves(STORE.values(), {})) is raw


@settings(max_examples=80, deadline=None)
@given(shapes.stores(max_entries=6), st.data())
def test_over_any_store_the_links_to_the_removed_one_reach_its_heir_and_others_stay(files, data):
    entries = shapes.entries_of(files)
    if len(entries) < 2:
        return
    old, heir = data.draw(st.permutations(entries))[:2]
    moves = Moves(entries, {old.path: heir})
    before, after = Resolver(entries), Resolver([entry for entry in entries if entry is not old])
    for entry in entries:
        try:
            made = parse(retarget(entry.raw, moves))
        except EditRefused:
            continue
        assert len(targets(made.body)) <= len(entry.links)
        for target in targets(made.body):
            assert (
                (known := before.resolve(target)) is None
                or known.path != old.path
                or after.resolve(target) is heir
            )
        expected = []
        for target in entry.links:
            known = before.resolve(target)
            expected.append(moves.spelling(heir) if known is not None and known.path == old.path else target)
        assert list(targets(made.body)) == list(dict.fromkeys(expected))
        assert after.resolve(moves.spelling(heir)) is heir
        assert set(made.fields) <= set(entry.fields)
