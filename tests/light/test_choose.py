"""Light sleep: what is shown, whole or not at all, and nothing waits for ever."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentops_dream.light.choose import choose
from agentops_dream.models import Delta, Entry
from agentops_dream.store.memory import Store, read_store


def write(folder: Path, name: str, body: str, **fields: str) -> None:
    head = "".join(f"{key}: {value}\n" for key, value in fields.items())
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nname: {path.stem}\n{head}---\n\n{body}\n", encoding="utf-8")


def size(entry: Entry) -> int:
    return len(entry.raw)


def paths(entries: tuple[Entry, ...]) -> list[str]:
    return [entry.path for entry in entries]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    write(tmp_path, "new.md", "The worker polls every 250 ms. See [[linked]].", modified="2026-05-02")
    write(tmp_path, "linked.md", "Rows are kept for 14 days.", modified="2026-01-01")
    write(tmp_path, "back.md", "Also about [[new]].", modified="2026-01-01")
    write(tmp_path, "twin.md", "The worker polls every 250 ms in the loop.", modified="2026-01-01")
    write(tmp_path, "other.md", "Nothing in common: zebra, quartz, violin.", modified="2026-01-01")
    (tmp_path / "MEMORY.md").write_text("# Index\n", encoding="utf-8")
    return read_store(tmp_path)


def test_a_change_is_shown_with_its_twin_its_links_in_both_directions_and_the_index(store: Store) -> None:
    """Without its neighbours the model cannot see that a fact stands twice."""
    shown = choose(store, Delta(("new.md",)), size=size, max_bytes=10_000)
    assert paths(shown.focus) == ["new.md"]
    assert set(paths(shown.context)) == {"linked.md", "back.md", "twin.md"}
    assert ("new.md", "twin.md") in shown.pairs
    assert shown.index == "# Index\n"


def test_entries_that_do_not_fit_wait_whole_oldest_first(store: Store) -> None:
    """A cut entry would come back with its facts gone."""
    one = max(len(entry.raw) for entry in store.entries)
    shown = choose(store, Delta(("new.md", "linked.md", "back.md")), size=size, max_bytes=one + 5)
    assert paths(shown.focus)[0] in ("back.md", "linked.md")
    assert "new.md" in shown.deferred
    assert set(shown.deferred) | set(paths(shown.focus)) == {"new.md", "linked.md", "back.md"}


def test_an_entry_larger_than_the_budget_is_named_and_does_not_block_the_rest(tmp_path: Path) -> None:
    write(tmp_path, "huge.md", "x" * 5_000, modified="2020-01-01")
    write(tmp_path, "small.md", "short", modified="2026-01-01")
    shown = choose(read_store(tmp_path), Delta(("huge.md", "small.md")), size=size, max_bytes=2_000)
    assert shown.too_large == ("huge.md",)
    assert paths(shown.focus) == ["small.md"]


def test_a_settled_pair_is_not_nominated_again(store: Store) -> None:
    """Otherwise the same two look-alikes are paid for every night."""
    pair = ("new.md", "twin.md")
    shown = choose(store, Delta(("new.md",)), size=size, max_bytes=10_000, settled=[pair])
    assert pair not in shown.pairs


def test_nothing_readonly_is_in_focus(tmp_path: Path) -> None:
    write(tmp_path, "team/shared.md", "Ours.")
    write(tmp_path, "mine.md", "Mine.")
    (tmp_path / "link.md").symlink_to(tmp_path / "mine.md")
    shown = choose(
        read_store(tmp_path), Delta(("team/shared.md", "mine.md", "link.md")), size=size, max_bytes=9_000
    )
    assert paths(shown.focus) == ["mine.md"]


def test_a_manual_run_puts_every_entry_in_focus_what_changed_first(store: Store) -> None:
    every = [entry.path for entry in store.entries]
    shown = choose(store, Delta(("twin.md",)), also=every, size=size, max_bytes=10_000)
    assert sorted(paths(shown.focus)) == sorted(every)
    assert paths(shown.focus)[0] == "twin.md"


def test_when_all_is_new_a_duplicate_comes_right_after_its_twin(tmp_path: Path) -> None:
    """At first sight of a large store both halves of a duplicate must meet in one dream."""
    text = "Migration 0047 failed on staging because of a partial unique index."
    write(tmp_path, "a-first.md", text, modified="2026-01-01")
    for day in range(2, 20):
        write(
            tmp_path,
            f"m{day:02d}.md",
            f"Note {day} about topic{day} {'pad' * 30}",
            modified=f"2026-01-{day:02d}",
        )
    write(tmp_path, "z-last.md", text + " Really.", modified="2026-09-09")
    store = read_store(tmp_path)
    shown = choose(store, Delta(tuple(e.path for e in store.entries)), size=size, max_bytes=900)
    assert {"a-first.md", "z-last.md"} <= set(paths(shown.focus))
    assert shown.deferred


@given(st.lists(st.integers(10, 900), min_size=1, max_size=12), st.integers(100, 3_000))
def test_repeated_dreams_cover_every_entry_that_fits_and_keep_the_budget(
    sizes: list[int], budget: int
) -> None:
    """Coverage: what is deferred today is shown later, and the budget is never broken."""
    entries = tuple(
        Entry(
            f"e{i}.md", f"e{i}", b"x", str(i), f"e{i}", "", "project", f"word{i} other{i}", {}, (), float(i)
        )
        for i in range(len(sizes))
    )
    cost = {f"e{i}.md": value for i, value in enumerate(sizes)}
    store = Store(Path("/nowhere"), entries)
    left = set(cost)
    for _ in range(len(sizes) + 1):
        if not left:
            break
        shown = choose(store, Delta(tuple(left)), size=lambda e: cost[e.path], max_bytes=budget)
        assert sum(cost[e.path] for e in shown.shown) <= budget
        assert set(shown.too_large) == {path for path in left if cost[path] > budget}
        assert set(paths(shown.focus)) | set(shown.deferred) | set(shown.too_large) == left
        left -= set(paths(shown.focus)) | set(shown.too_large)
    assert not left
