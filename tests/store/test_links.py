"""Links find their entries: a false dangling link makes a dream repair what is not broken."""

from __future__ import annotations

import pytest
import store_strategies as shapes
from hypothesis import given, settings
from hypothesis import strategies as st

from agentops_dream.models import Entry
from agentops_dream.store import entry as edits
from agentops_dream.store.links import Resolver, found, targets
from agentops_dream.store.memory import with_ids
from agentops_dream.store.names import fold


def store(*files: tuple[str, str]) -> tuple[Entry, ...]:
    """Entries from (path, name) pairs; a third item would be the header."""
    entries = []
    for path, name in files:
        header = f"name: {name}\n" if ":" not in name else name
        entries.append(edits.read_entry(path, f"---\n{header}---\nx\n".encode(), 0.0))
    return with_ids(entries)[0]


def test_only_what_is_a_link_and_has_no_entry_dangles():
    body = (
        "[[feedback-testing]] [[Human Title]] `[[ -f x ]]` [[missing]] [[a|alias]] [[a#h]]\n\n```sh\n"
        "[[:alpha:]]\n```\n\nif [[ -z $x ]] && [[ $a == b ]] [[:space:]] [[#here]] [[ ]]\n"
    )
    resolver = Resolver(store(("feedback_testing.md", "Testing"), ("h.md", "Human Title"), ("a.md", "A")))
    assert targets(body) == ("feedback-testing", "Human Title", "missing", "a")
    assert [target for target in targets(body) if resolver.resolve(target) is None] == ["missing"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[a]] [[a]] [[b]]", ("a", "b")),
        ("[[ a ]] ![[b]] [[c.md]]", ("a", "b", "c.md")),
        ("| [[a\\|x]] | [[b|y]] |", ("a", "b")),
        ("[[a#h|x]] [[b#^1]]", ("a", "b")),
        ("[[a]b]] [[c\nd]] [[]] [e]]", ()),
        ("- x\n    - [[a]]", ("a",)),
        ("text\n\n    [[a]]", ()),
        ("`x` [[a]] `y [[b]]`", ("a",)),
        ("it`s [[a]]", ("a",)),
        ("```\nopen [[a]]", ()),
        ("<!-- [[a]] -->", ("a",)),
        ("設定は[[設定メモ]]を参照", ("設定メモ",)),
        ("[[a-b -c d]] [[x = y]]", ("a-b -c d",)),
    ],
)
def test_targets_are_named_without_alias_and_heading(text, expected):
    assert targets(text) == expected


@settings(max_examples=150, deadline=None)
@given(shapes.bodies())
def test_where_a_link_stands_is_exact(text):
    links = list(found(text))
    assert tuple(dict.fromkeys(link.target for link in links)) == targets(text)
    for link in links:
        assert text[link.inner[0] : link.inner[1]] == link.target
        assert text[link.start : link.start + 2] == "[[" and text[link.end - 2 : link.end] == "]]"
        assert link.start < link.inner[0] <= link.inner[1] < link.end


FILES = store(
    ("deploy-notes.md", "Deploy Notes"),
    ("feedback_testing.md", "no mocks"),
    ("user-role.md", ""),
    ("sub/cache.md", "Cache, sub"),
    ("other/cache.md", "Cache, other"),
    ("foo-bar.md", "one"),
    ("foo_bar.md", "two"),
    ("e\u0301.md", "accent"),
    ("t.md", "title: The Long Title\nname: t1\n"),
    ("x.md.md", "dots"),
)


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("deploy-notes", "deploy-notes.md"),
        ("deploy-notes.md", "deploy-notes.md"),
        ("./deploy-notes.md", "deploy-notes.md"),
        ("Deploy Notes", "deploy-notes.md"),
        ("DEPLOY_NOTES", "deploy-notes.md"),
        ("feedback-testing", "feedback_testing.md"),
        ("testing", "feedback_testing.md"),
        ("reference_testing", "feedback_testing.md"),
        ("No Mocks", "feedback_testing.md"),
        ("role", "user-role.md"),
        ("cache", None),
        ("sub/cache", "sub/cache.md"),
        ("other/cache.md", "other/cache.md"),
        ("foo-bar", "foo-bar.md"),
        ("foo_bar", "foo_bar.md"),
        ("Foo Bar", None),
        ("\u00c9", "e\u0301.md"),
        ("the long title", "t.md"),
        ("x.md", "x.md.md"),
        ("nothing", None),
        ("", None),
        ("user", None),
    ],
)
def test_a_target_resolves_from_exact_to_loose_and_never_by_a_coin_toss(target, path):
    entry = Resolver(FILES).resolve(target)
    assert (entry.path if entry else None) == path


@settings(max_examples=50, deadline=None)
@given(shapes.stores(), st.data())
def test_every_entry_is_found_by_its_id_and_its_path(files, data):
    resolved = shapes.entries_of(files)
    resolver = Resolver(resolved)
    for entry in resolved:
        by_id = resolver.resolve(entry.id)
        assert by_id is not None and by_id.path == entry.path
        by_path = resolver.resolve(entry.path)
        assert by_path is not None and (by_path.path == entry.path or fold(by_path.id) == fold(entry.path))
