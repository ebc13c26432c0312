"""A dream that cannot be saved is not paid for."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest
from transaction_kit import Swift, scene, tree

from agentops_dream.transaction import native
from agentops_dream.transaction.disk import make_folders
from agentops_dream.transaction.probe import probe


def as_user(work):
    """Return ``work()``, done by somebody who is not root (root may write anywhere)."""
    if os.geteuid() != 0:
        return work()
    here, there = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setgid(65534)
            os.setuid(65534)
            os.write(there, pickle.dumps(work()))
        finally:
            os._exit(0)
    os.close(there)
    os.waitpid(pid, 0)
    with os.fdopen(here, "rb") as stream:
        return pickle.loads(stream.read())


@pytest.fixture
def place(tmp_path):
    found = scene(tmp_path)
    for path in [tmp_path, *tmp_path.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o777 if path.is_dir() else 0o666)
    parent = tmp_path.parent
    while parent != parent.parent and parent.stat().st_uid == os.geteuid() and os.geteuid() == 0:
        if parent.stat().st_mode & 0o011 != 0o011 and str(parent).startswith("/tmp/"):
            parent.chmod(parent.stat().st_mode | 0o011)
        parent = parent.parent
    return found


def ask(place, disk=None):
    return probe(
        state=place.state / "key",
        folders=[place.root / "memory", place.root / "memory/sub"],
        files=[place.root / "memory/MEMORY.md", place.root / "project/AGENTS.md"],
        need=1000,
        disk=disk or Swift(),
    )


def test_all_is_well_and_nothing_is_left(place):
    before = place.snapshot()
    assert as_user(lambda: ask(place)) == ()
    assert place.snapshot() == before and tree(place.state) == {}


@pytest.mark.parametrize("name", ["memory", "memory/sub", "project/docs", "state"])
def test_a_folder_that_takes_no_file_is_named(place, name):
    folder = place.root / name
    folder.mkdir(exist_ok=True)
    folder.chmod(0o555)
    problems = as_user(lambda: ask(place))
    folder.chmod(0o755)
    assert len(problems) == 1 and str(folder) in problems[0] and "Give your user the right" in problems[0]


@pytest.mark.parametrize("name", ["memory/MEMORY.md", "project/docs/AGENTS.md"])
def test_a_read_only_file_is_named_even_for_root(place, name):
    (place.root / name).chmod(0o444)
    problems = ask(place)
    assert len(problems) == 1 and Path(name).name in problems[0] and "read-only" in problems[0]


def test_a_missing_file_is_no_problem_a_missing_folder_is(place):
    (place.root / "project/docs/AGENTS.md").unlink()
    assert ask(place) == ()
    (place.root / "memory").rename(place.root / "moved")
    assert [problem for problem in ask(place) if str(place.root / "memory") in problem]


def test_a_folder_in_place_of_the_file_is_named(place):
    path = place.root / "memory/MEMORY.md"
    path.unlink()
    path.mkdir()
    (problem,) = ask(place)
    assert "no regular file" in problem


class Named(Swift):
    """No nameless files: macOS, Windows, network file systems."""

    def create_nameless(self, folder):
        raise native.Unsupported(95, "no nameless files", folder)


def test_without_nameless_files_nothing_is_left_either(place):
    (place.root / "memory/.agentops-probe").write_bytes(b"of a probe that was killed")
    before = place.snapshot()
    before.pop("memory/.agentops-probe")
    assert ask(place, Named()) == ()
    assert place.snapshot() == before


def test_a_disk_that_takes_no_byte_is_told(place):
    class Full(Named):
        def write(self, fd, data):
            raise OSError(28, "No space left on device")

    before = place.snapshot()
    assert all("No space left" in problem and "Free some space" in problem for problem in ask(place, Full()))
    assert ask(place, Full()) and place.snapshot() == before


def test_looking_makes_no_folder(tmp_path):
    """Who mistypes a place and asks the doctor would otherwise have made it, and be told that all is well."""
    state = tmp_path / "missing" / "state" / "key"
    assert probe(state=state, folders=[], need=1000) == ()
    assert list(tmp_path.iterdir()) == []


def test_looking_at_a_relative_place_comes_to_an_end(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert probe(state=Path("missing/state"), folders=[], need=1000) == ()


def test_a_relative_folder_is_made(tmp_path, monkeypatch):
    """Going up a relative path ends at nothing, where one could go up for ever."""
    monkeypatch.chdir(tmp_path)
    assert make_folders(Swift(), "a/b") == ("a", "a/b")
    assert (tmp_path / "a" / "b").is_dir()
