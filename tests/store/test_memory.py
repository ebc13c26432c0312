"""A store is read whole: every file is an entry or is named with a reason, and no two share an id."""

from __future__ import annotations

import os
import tempfile
import unicodedata
from pathlib import Path

import pytest
import store_strategies as shapes
from hypothesis import given, settings

from agentops_dream.models import Unreadable
from agentops_dream.store import fingerprint, memory
from agentops_dream.store.fingerprint import walk
from agentops_dream.store.memory import read_store
from agentops_dream.store.names import fold


def make(root: Path, **files: str | bytes) -> Path:
    shapes.write_store(
        root, {path: raw if isinstance(raw, bytes) else raw.encode() for path, raw in files.items()}
    )
    return root


@settings(max_examples=80, deadline=None)
@given(shapes.stores())
def test_every_file_is_an_entry_or_reported_and_ids_tell_them_apart(files):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shapes.write_store(root, files)
        store = read_store(root)
        assert read_store(root) == store
        seen = [entry.path for entry in store.entries] + [item.path for item in store.unreadable]
        assert sorted(seen) == sorted(walk(folder)) == sorted(path for path in files if path != "MEMORY.md")
        assert [entry.path for entry in store.entries] == sorted(entry.path for entry in store.entries)
        assert store.index == files.get("MEMORY.md")
        ids = [fold(entry.id) for entry in store.entries]
        assert len(set(ids)) == len(ids)
        for entry in store.entries:
            assert entry.raw == files[entry.path] and entry.readonly == (
                "team" if entry.path.startswith("team/") else ""
            )
            assert store.by_path(entry.path) is entry
            other_form = unicodedata.normalize("NFD", entry.id).swapcase()
            assert store.by_id(entry.id) is entry is store.by_id(other_form)
            assert store.resolve(entry.id) is entry


def test_one_bad_file_costs_no_other(tmp_path):
    good = {f"n{number}.md": f"---\nname: n{number}\n---\nx\n" for number in range(20)}
    make(tmp_path, **good, **{"bad.md": b"---\nname: \xff\n---\n", "odd.md": "---\nname: a: b: c\n---\nx\n"})
    store = read_store(tmp_path)
    assert len(store.entries) == 21
    assert store.unreadable == (Unreadable("bad.md", "bad.md is not UTF-8 (byte 0xFF); save it as UTF-8"),)
    odd = store.by_path("odd.md")
    assert odd is not None and odd.name == "a: b: c" and odd.warnings


def test_what_is_named_like_an_entry_and_is_none_is_reported_and_does_not_hang(tmp_path):
    make(tmp_path, **{"good.md": "x", "folder.md/inner.md": "y", "sub/deep.md": "z"})
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "dangling.md").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop.md").symlink_to(tmp_path / "loop.md")
    (tmp_path / "tofolder.md").symlink_to(tmp_path / "sub")
    (tmp_path / "topipe.md").symlink_to(tmp_path / "pipe.md")
    with (tmp_path / "huge.md").open("wb") as file:
        file.truncate(50 * 1024**3)
    store = read_store(tmp_path)
    assert [entry.path for entry in store.entries] == ["folder.md/inner.md", "good.md", "sub/deep.md"]
    reasons = {item.path: item.reason for item in store.unreadable}
    assert sorted(reasons) == [
        "dangling.md",
        "folder.md",
        "huge.md",
        "loop.md",
        "pipe.md",
        "tofolder.md",
        "topipe.md",
    ]
    assert "folder named like an entry; rename it" in reasons["folder.md"]
    assert "link to nothing" in reasons["dangling.md"] and "link to a folder" in reasons["tofolder.md"]
    assert "not a regular file" in reasons["pipe.md"] and "split it" in reasons["huge.md"]


def test_a_link_is_context_and_is_read_where_it_points(tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_text("---\nname: far\n---\nx\n")
    root = tmp_path / "memory"
    make(root, **{"near.md": "x", "team/shared.md": "y", "sub/team/own.md": "z"})
    (root / "far.md").symlink_to(outside)
    store = read_store(root)
    assert {entry.path: entry.readonly for entry in store.entries} == {
        "far.md": "symlink",
        "near.md": "",
        "sub/team/own.md": "",
        "team/shared.md": "team",
    }
    far = store.by_id("far")
    assert far is not None and far.raw == outside.read_bytes()
    linked = tmp_path / "linked"
    linked.symlink_to(root)
    assert [entry.raw for entry in read_store(linked).entries] == [entry.raw for entry in store.entries]


def test_a_file_that_may_not_be_read_is_reported(tmp_path, monkeypatch):
    make(tmp_path, **{"a.md": "x", "secret.md": "y", "gone.md": "z", "MEMORY.md": "i"})
    real = os.open

    def refusing(path, *rest, **more):
        if str(path).endswith(("secret.md", "MEMORY.md")):
            raise PermissionError(13, "Permission denied", path)
        if str(path).endswith("gone.md"):
            raise FileNotFoundError(2, "No such file or directory", path)
        return real(path, *rest, **more)

    monkeypatch.setattr(os, "open", refusing)
    store = read_store(tmp_path)
    assert [entry.path for entry in store.entries] == ["a.md"]
    assert store.unreadable == (
        Unreadable("secret.md", "it cannot be read (Permission denied); check its permissions"),
    )
    assert store.index is None and "Permission denied" in store.warnings[0]


def test_a_file_that_grows_or_shrinks_while_it_is_read_is_read_to_its_end(tmp_path, monkeypatch):
    make(tmp_path, **{"a.md": "x" * 10})
    real = os.read
    monkeypatch.setattr(os, "read", lambda file, size: real(file, min(size, 3)))
    assert read_store(tmp_path).entries[0].raw == b"x" * 10
    monkeypatch.setattr(memory, "MAX_BYTES", 8)
    monkeypatch.setattr(os, "fstat", lambda file: os.stat_result((0o100644, 1, 1, 1, 0, 0, 4, 0, 0, 0)))
    assert "split it" in read_store(tmp_path).unreadable[0].reason


def test_a_directory_that_is_not_there_is_an_error_and_not_an_empty_store(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_store(tmp_path / "nowhere")


@pytest.mark.parametrize("kind", ["missing", "folder", "dangling", "fifo", "huge"])
def test_an_index_that_cannot_be_read_is_none_and_said(tmp_path, kind):
    index = tmp_path / "MEMORY.md"
    if kind == "folder":
        index.mkdir()
    elif kind == "dangling":
        index.symlink_to("nothing")
    elif kind == "fifo":
        os.mkfifo(index)
    elif kind == "huge":
        with index.open("wb") as file:
            file.truncate(4 * 1024 * 1024 + 1)
    store = read_store(tmp_path)
    assert store.index is None and bool(store.warnings) == (kind != "missing")
    assert store.warnings == ((store.index_problem,) if store.index_problem else ())
    assert store.with_changes({}).index_problem == store.index_problem


# ---------------------------------------------------------------- ids


def ids(tmp_path: Path, **names: str | None) -> dict[str, str]:
    files = {
        path.replace("__", "/") + ".md": "body" if name is None else f'---\nname: "{name}"\n---\nx\n'
        for path, name in names.items()
    }
    return {entry.path: entry.id for entry in read_store(make(tmp_path, **files)).entries}


def test_the_id_is_the_name_else_the_stem_else_the_path(tmp_path):
    assert ids(tmp_path, a="Alpha", b="", sub__c=None, sub__d="", other__d="") == {
        "a.md": "Alpha",
        "b.md": "b",
        "other/d.md": "other/d.md",
        "sub/c.md": "c",
        "sub/d.md": "sub/d.md",
    }


def test_two_entries_with_an_empty_or_the_same_name_do_not_collide(tmp_path):
    store = read_store(
        make(
            tmp_path,
            **{
                "a.md": '---\nname: ""\n---\n',
                "b.md": '---\nname: ""\n---\n',
                "c.md": "---\nname: X\n---\n",
                "d.md": "---\nname: x\n---\n",
            },
        )
    )
    assert [entry.id for entry in store.entries] == ["a", "b", "c", "d"]
    assert store.warnings == ("c.md and d.md have the same name; give one of them another",)


@pytest.mark.parametrize("pair", [("\u00e9", "e\u0301"), ("Straße", "STRASSE"), ("K", "k")])
def test_names_are_compared_by_form_and_case(tmp_path, pair):
    assert ids(tmp_path, a=pair[0], b=pair[1]) == {"a.md": "a", "b.md": "b"}


def test_a_name_that_reads_like_another_entrys_file_or_id_does_not_take_it(tmp_path):
    assert ids(tmp_path, a="b", b=None, c="d.md", d=None) == {
        "a.md": "b",
        "b.md": "b.md",
        "c.md": "c",
        "d.md": "d",
    }


def test_names_that_are_other_things_to_yaml_are_ids(tmp_path):
    files = {
        f"f{number}.md": f"---\nname: {name}\n---\n"
        for number, name in enumerate(["404", "yes", "2026-06-03", "null"])
    }
    assert [entry.id for entry in read_store(make(tmp_path, **files)).entries] == [
        "404",
        "yes",
        "2026-06-03",
        "null",
    ]


def test_a_name_that_is_no_text_is_named_and_holds_nothing_up(tmp_path: Path) -> None:
    """Lost if wrong: one file with a Latin-1 name, and no entry of the store is dreamt over any more."""
    (tmp_path / "good.md").write_text("fine\n")
    for name in (b"caf\xe9.md", b"d\xe9p\xf4t"):
        path = os.fsencode(tmp_path) + b"/" + name
        if name.endswith(b".md"):
            Path(os.fsdecode(path)).write_text("x\n")
        else:
            os.mkdir(path)
    store = read_store(tmp_path)
    assert [entry.path for entry in store.entries] == ["good.md"]
    assert [item.path for item in store.unreadable] == ["caf\\udce9.md", "d\\udce9p\\udcf4t"]
    assert all("rename it" in item.reason for item in store.unreadable)
    assert fingerprint.scan(str(tmp_path), fingerprint.Fingerprint({})) == ("good.md",)
    assert list(fingerprint.walk(str(tmp_path))) == ["good.md"]
