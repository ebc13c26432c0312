"""The delta decides whether a dream happens at all: an edit it does not see is never dreamt over."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentops_dream.store import coverage, fingerprint

HOUR = 3600 * 10**9


def write(root: Path, path: str, text: str = "text") -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def sha(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def cover(root: Path, *paths: str) -> dict[str, tuple[str, str]]:
    return {path: (Path(path).stem, sha(root / path)) for path in paths or fingerprint.walk(str(root))}


def seen(root: Path, *paths: str, before: fingerprint.Fingerprint | None = None) -> fingerprint.Fingerprint:
    """The fingerprint after a dream over these entries (all if none is named), numbers believed."""
    return coverage.advance(before or fingerprint.Fingerprint({}), str(root), cover(root, *paths))


def scan(root: Path, known: fingerprint.Fingerprint) -> tuple[str, ...]:
    return fingerprint.scan(str(root), known)


# ---------------------------------------------------------------- entries


def test_only_entries_are_walked(tmp_path: Path) -> None:
    for path in ("m.md", "a/b/q.md", "team/t.md", "z.md/y.md", "名前.md", "with space.md"):
        write(tmp_path, path)
    for path in ("MEMORY.md", "a/MEMORY.md", "memory.md", ".h.md", ".x/o.md", "k.MD", "n.txt", "md"):
        write(tmp_path, path)
    os.symlink("m.md", tmp_path / "link.md")
    os.symlink("nowhere", tmp_path / "dangling.md")
    os.symlink("a", tmp_path / "folder.md")
    os.symlink(".", tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe.md")
    assert sorted(fingerprint.walk(str(tmp_path))) == sorted(
        ["m.md", "a/b/q.md", "team/t.md", "z.md/y.md", "名前.md", "with space.md", "link.md"]
    )


def test_walk_says_that_the_directory_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(fingerprint.walk(str(tmp_path / "none")))


def test_context_alone_never_starts_a_dream(tmp_path: Path) -> None:
    """A dream could not edit them, so it would be paid for and do nothing, again and again."""
    write(tmp_path, "team/t.md")
    write(tmp_path, "target.txt")
    os.symlink("target.txt", tmp_path / "link.md")
    assert scan(tmp_path, fingerprint.Fingerprint({})) == ()
    write(tmp_path, "a.md")
    known = seen(tmp_path, "a.md")
    write(tmp_path, "team/t.md", "new")
    write(tmp_path, "target.txt", "new")
    assert scan(tmp_path, known) == ()


# ---------------------------------------------------------------- delta


def test_first_sight_is_a_delta_of_everything(tmp_path: Path) -> None:
    write(tmp_path, "b.md")
    write(tmp_path, "a/c.md")
    assert scan(tmp_path, fingerprint.Fingerprint({})) == ("a/c.md", "b.md")


def test_covered_entries_leave_the_delta_and_deferred_ones_stay(tmp_path: Path) -> None:
    for name in ("a.md", "b.md", "c.md"):
        write(tmp_path, name)
    known = seen(tmp_path, "a.md", "c.md")
    assert scan(tmp_path, known) == ("b.md",)


def test_an_entry_that_changed_since_it_was_shown_stays_in_the_delta(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "shown")
    covered = cover(tmp_path, "a.md")
    write(tmp_path, "a.md", "edited during the call")
    known = coverage.advance(fingerprint.Fingerprint({}), str(tmp_path), covered)
    assert scan(tmp_path, known) == ("a.md",)


def test_deletions_never_trigger_and_drop_out(tmp_path: Path) -> None:
    gone = write(tmp_path, "a.md")
    write(tmp_path, "b.md")
    known = seen(tmp_path)
    gone.unlink()
    assert scan(tmp_path, known) == ()
    assert set(coverage.advance(known, str(tmp_path), {}).entries) == {"b.md"}


def test_a_moved_entry_is_nothing_new_but_a_copy_is(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "one")
    write(tmp_path, "b.md", "two")
    known = seen(tmp_path)
    (tmp_path / "sub").mkdir()
    os.rename(tmp_path / "a.md", tmp_path / "sub/a2.md")
    assert scan(tmp_path, known) == ()
    moved = coverage.advance(known, str(tmp_path), {})
    assert set(moved.entries) == {"b.md", "sub/a2.md"}
    assert scan(tmp_path, moved) == ()
    shutil.copy(tmp_path / "b.md", tmp_path / "copy.md")
    assert scan(tmp_path, moved) == ("copy.md",)
    os.rename(tmp_path / "b.md", tmp_path / "c.md")
    assert len(scan(tmp_path, moved)) == 1, "one of the two is the moved one, the other a copy"


@pytest.mark.parametrize("how", ["in place", "touch -r", "rename over it", "restored backup"])
def test_same_size_edits_are_seen(tmp_path: Path, how: str) -> None:
    """An edit that keeps size and mtime must not be taken for the old text."""
    file = write(tmp_path, "a.md", "port 8080")
    known = seen(tmp_path)
    old = file.stat()
    if how == "rename over it":
        other = write(tmp_path, ".fresh", "port 9090")
        os.utime(other, ns=(old.st_atime_ns, old.st_mtime_ns))
        os.rename(other, file)
    else:
        if how == "restored backup":
            file.unlink()
        file.write_text("port 9090")
        if how != "in place":
            os.utime(file, ns=(old.st_atime_ns, old.st_mtime_ns))
    assert scan(tmp_path, known) == ("a.md",)


def test_a_touched_file_is_read_and_found_unchanged(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md")
    known = seen(tmp_path)
    os.utime(file, (1, 1))
    assert scan(tmp_path, known) == ()
    assert coverage.advance(known, str(tmp_path), {}).entries["a.md"][3] == 10**9


def test_numbers_taken_too_soon_after_an_edit_are_not_believed(tmp_path: Path) -> None:
    """git's racy rule: an edit within the same tick of the clock would leave the same numbers."""
    write(tmp_path, "a.md")
    young = coverage.advance(
        fingerprint.Fingerprint({}), str(tmp_path), cover(tmp_path), sleep=lambda seconds: None
    )
    assert young.entries["a.md"][2] == -1
    assert scan(tmp_path, young) == (), "it is read instead"
    assert seen(tmp_path).entries["a.md"][2] == 4, "given a moment, it is believed"


def test_coarse_file_times_are_believed_only_after_two_seconds(tmp_path: Path) -> None:
    """On FAT or HFS+ two edits within one second leave the same time."""
    second = 1_700_000_000 * 10**9
    assert not coverage._old([4, second, 1, second], second + 10**9)
    assert coverage._old([4, second, 1, second], second + 2 * 10**9)
    assert coverage._old([4, second + 1, 1, second + 1], second + 10**9)


def test_nothing_is_believed_after_the_clock_was_set_back(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    known = seen(tmp_path)
    known.entries["a.md"][1] = "0" * 64  # as if the content had changed with all numbers kept
    assert scan(tmp_path, known) == ()
    assert fingerprint.scan(str(tmp_path), known, now=time.time_ns() - HOUR) == ("a.md",)


def test_an_unreadable_file_does_not_start_a_dream_that_cannot_show_it(tmp_path: Path, monkeypatch) -> None:
    write(tmp_path, "a.md")
    write(tmp_path, "b.md")
    known = seen(tmp_path)
    write(tmp_path, "locked.md")
    # root may read everything, so the answer of the system is put in its place
    monkeypatch.setattr(fingerprint, "_readable", lambda path: not path.endswith("locked.md"))
    assert scan(tmp_path, known) == ()
    assert scan(tmp_path, fingerprint.Fingerprint({})) == ("a.md", "b.md")


def test_a_pipe_in_the_place_of_an_entry_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    assert fingerprint.digest_of(str(tmp_path / "a.md")) is None


def test_the_digest_of_a_delta_names_paths_and_contents(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "1")
    write(tmp_path, "b.md", "2")
    lines = "".join(f"{n}\0{sha(tmp_path / n)}\n" for n in ("a.md", "b.md"))
    assert (
        fingerprint.delta_digest(str(tmp_path), ("b.md", "a.md"))
        == hashlib.sha256(lines.encode()).hexdigest()
    )


# ---------------------------------------------------------------- file


def test_save_and_load_keep_every_record(tmp_path: Path) -> None:
    store, state = tmp_path / "m", tmp_path / "fingerprint.json"
    write(store, "名前.md")
    os.close(os.open(os.fsencode(store) + b"/bad\xff.md", os.O_CREAT | os.O_WRONLY))
    known = seen(store, "名前.md", "bad\udcff.md")
    coverage.save(known, str(state), str(store))
    loaded = fingerprint.load(str(state))
    assert (loaded.entries, loaded.stamp, loaded.problem) == (known.entries, known.stamp, "")
    assert scan(store, loaded) == ()
    assert json.loads(state.read_text())["version"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "null", "[]", "\x00", "[" * 5000,
        '{"version": 2, "entries": {}, "stamp": 0}',
        '{"version": 1, "entries": 3, "stamp": 0}',
        '{"version": 1}',
    ],
)  # fmt: skip
def test_a_broken_fingerprint_makes_everything_new_and_says_so(tmp_path: Path, text: str) -> None:
    store, state = tmp_path / "m", tmp_path / "fingerprint.json"
    write(store, "a.md")
    state.write_text(text)
    loaded = fingerprint.load(str(state))
    assert str(state) in loaded.problem
    assert scan(store, loaded) == ("a.md",)


@pytest.mark.parametrize("record", [None, 3, "x", [], ["a", None, 4, 1, 1, 1], {"2": 1}, ["a"] * 9])
def test_a_record_of_the_wrong_shape_is_as_good_as_none(tmp_path: Path, record: object) -> None:
    write(tmp_path, "a.md")
    known = fingerprint.Fingerprint({"a.md": record, "gone.md": record})  # type: ignore[dict-item]
    assert scan(tmp_path, known) == ("a.md",)
    assert coverage.advance(known, str(tmp_path), {}).entries == {}


def test_a_full_disk_leaves_the_old_fingerprint(tmp_path: Path, monkeypatch) -> None:
    store, state = tmp_path / "m", tmp_path / "fingerprint.json"
    write(store, "a.md")
    coverage.save(seen(store), str(state), str(store))
    before = state.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError):
        coverage.save(fingerprint.Fingerprint({}), str(state), str(store))
    assert state.read_bytes() == before
    assert not list(tmp_path.glob("*.tmp"))


# ---------------------------------------------------------------- shortcut


def test_the_shortcut_says_unchanged_only_for_this_very_fingerprint(tmp_path: Path) -> None:
    store, state = tmp_path / "m", tmp_path / "fingerprint.json"
    write(store, "a.md")
    assert not fingerprint.unchanged(str(state), str(store))
    coverage.save(seen(store), str(state), str(store))
    assert fingerprint.unchanged(str(state), str(store))
    assert not fingerprint.unchanged(str(state), str(store), now=time.time_ns() - HOUR)
    state.write_bytes(state.read_bytes())
    assert not fingerprint.unchanged(str(state), str(store)), "somebody wrote the file anew"
    state.unlink()
    assert not fingerprint.unchanged(str(state), str(store)), "removing it means: look at everything again"


def test_the_shortcut_holds_for_large_stores_and_folders_without_entries_do_not_end_it(tmp_path: Path) -> None:
    """Else every turn would look at each entry's record, for good, because of a folder with pictures."""
    store, state = tmp_path / "m", tmp_path / "fingerprint.json"
    for number in range(250):
        write(store, f"{'sub/' * (number % 3)}{number}.md")
    coverage.save(seen(store), str(state), str(store))
    assert fingerprint.unchanged(str(state), str(store))
    write(store, "pictures/a.png")
    write(store, "sub/MEMORY.md")
    assert fingerprint.unchanged(str(state), str(store))
    write(store, "sub/sub/248.md", "changed")
    assert not fingerprint.unchanged(str(state), str(store))
    (store / "sub/sub/248.md").unlink()
    assert not fingerprint.unchanged(str(state), str(store)), "fewer rows than were seen"


def test_no_shortcut_while_something_is_left_to_dream_over(tmp_path: Path) -> None:
    store, state = tmp_path / "m", tmp_path / "fingerprint.json"
    write(store, "a.md")
    write(store, "b.md")
    known = seen(store)
    coverage.save(known, str(state), str(store))
    write(store, "b.md", "changed")
    coverage.save(coverage.advance(known, str(store), {}), str(state), str(store))
    assert not fingerprint.unchanged(str(state), str(store))
    assert not state.with_suffix(".seen").exists()


# ---------------------------------------------------------------- any sequence of edits


class Model:
    """The plain way: hash everything, every time."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.known: dict[str, str] = {}

    def now(self) -> dict[str, str]:
        return {path: sha(self.root / path) for path in fingerprint.walk(str(self.root))}

    def delta(self) -> tuple[str, ...]:
        now = self.now()
        gone = [digest for path, digest in self.known.items() if path not in now]
        delta = []
        for path, digest in sorted(now.items()):
            if self.known.get(path) == digest:
                continue
            if digest in gone:
                gone.remove(digest)
            else:
                delta.append(path)
        return tuple(delta)

    def advance(self, covered: dict[str, tuple[str, str]]) -> None:
        now, delta = self.now(), self.delta()
        moved = {p: d for p, d in now.items() if p not in self.known and p not in delta and p not in covered}
        self.known = {p: d for p, d in self.known.items() if p in now}
        self.known.update(moved)
        self.known.update({p: d for p, (_, d) in covered.items() if p in now})


NAMES = st.sampled_from(["a.md", "b.md", "c.md", "sub/d.md"])
EDIT = st.tuples(
    st.sampled_from(
        ["write", "append", "delete", "rename", "swap-in", "restore-times", "touch", "cover", "settle"]
    ),
    NAMES,
    NAMES,
    st.sampled_from(["1111", "2222", "333"]),
    st.booleans(),
)


def _edit(root: Path, what: str, one: str, two: str, text: str) -> None:
    file = root / one
    if what == "write":
        write(root, one, text)
    elif what == "append":
        with file.open("a") if file.exists() else open(os.devnull, "a") as stream:
            stream.write(text)
    elif not file.exists():
        return
    elif what == "delete":
        file.unlink()
    elif what == "rename":
        (root / two).parent.mkdir(exist_ok=True)
        os.replace(file, root / two)
    elif what in ("swap-in", "restore-times"):
        old = file.stat()
        if what == "swap-in":
            os.replace(write(root, ".fresh", text), file)
        else:
            file.write_text(text)
        os.utime(file, ns=(old.st_atime_ns, old.st_mtime_ns))
    elif what == "touch":
        os.utime(file)


def _agrees_with_full_hashing(edits: list[tuple[str, str, str, str, bool]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, state = Path(folder) / "m", str(Path(folder) / "fingerprint.json")
        root.mkdir()
        model, known = Model(root), fingerprint.Fingerprint({})
        for what, one, two, text, part in edits:
            if what in ("cover", "settle"):
                present = list(fingerprint.walk(str(root)))
                covered = cover(root, *(present[:1] if part else present)) if present else {}
                model.advance(covered)
                wait = time.sleep if what == "settle" else lambda seconds: None
                known = coverage.advance(known, str(root), covered, sleep=wait)
                if what == "settle":  # else the next edit comes before the clock of the file system ticks
                    coverage.save(known, state, str(root))
                    known = fingerprint.load(state)
            else:
                _edit(root, what, one, two, text)
            expected = model.delta()
            assert scan(root, known) == expected
            assert not (fingerprint.unchanged(state, str(root)) and expected)


def test_a_copy_is_new_when_the_original_was_moved_over_another_entry() -> None:
    """Lost if wrong: an entry that was written while a dream ran is never looked at, for its text was once known."""
    write_b, write_c = ("write", "b.md", "a.md", "2222", False), ("write", "c.md", "a.md", "2222", False)
    moved, first = ("rename", "b.md", "a.md", "1111", False), ("cover", "a.md", "a.md", "1111", True)
    _agrees_with_full_hashing([("write", "a.md", "a.md", "1111", False), write_b, ("cover", "a.md", "a.md", "1111", False), write_c, moved, first])


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(EDIT, min_size=4, max_size=14))
def test_random_edits_agree_with_full_hashing(edits: list[tuple[str, str, str, str, bool]]) -> None:
    _agrees_with_full_hashing(edits)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(EDIT, min_size=4, max_size=20))
def test_a_thousand_random_edit_sequences_agree_with_full_hashing(
    edits: list[tuple[str, str, str, str, bool]],
) -> None:
    _agrees_with_full_hashing(edits)
