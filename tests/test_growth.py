"""What an entry more costs, counted in calls and not in seconds, so that it holds on any machine (SPEC §1, §5).

Wall time is measured by ``benchmarks``; here it is only made sure that nothing is done twice, nor once
for each pair of entries.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from dream_kit import Bed
from hook_wall import ROOT, Wall

from agentops_dream import dream, places, rendering, settings
from agentops_dream.deep import rails
from agentops_dream.deep.shown import Shown
from agentops_dream.models import ChangeSet, EntryChange, WorkingSet
from agentops_dream.order import Order
from agentops_dream.store import coverage, fingerprint
from agentops_dream.store.memory import read_store

BODY = "Worker {n} takes rows from `queue_{n}` every {n} s.\n\nNever by hand. See [[entry-{before}]].\n"


def entry(memory: Path, number: int) -> str:
    head = f"---\nname: entry-{number}\ndescription: Queue {number}\nmetadata:\n  type: project\n---\n\n"
    name = f"entry_{number}.md"
    memory.mkdir(parents=True, exist_ok=True)
    (memory / name).write_text(head + BODY.format(n=number, before=number - 1), encoding="utf-8")
    return name


def calls(work: Callable[[], object]) -> Counter[str]:
    """Return how often each function was called, Python's and C's, by its bare name."""
    counted: Counter[str] = Counter()

    def count(frame: object, event: str, argument: object) -> None:
        if event == "call":
            counted[frame.f_code.co_name] += 1  # type: ignore[attr-defined]
        elif event == "c_call":
            counted[argument.__name__] += 1  # type: ignore[attr-defined]

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


def per_entry(few: Counter[str], many: Counter[str], more: int) -> Counter[str]:
    """Return what each of ``more`` further entries cost; parts of a call, such as one per batch, are dropped."""
    return Counter({name: each for name in many if (each := round((many[name] - few[name]) / more))})


# ---------------------------------------------------------------- the hook

SIZES = (100, 400)


def covered(folder: Path, size: int) -> tuple[Path, str]:
    """Return a memory directory that was dreamt over, and its fingerprint."""
    memory, state = folder / "memory", str(folder / "fingerprint.json")
    names = [entry(memory, number) for number in range(size)]
    known = {name: ("", fingerprint.digest_of(f"{memory}/{name}") or "") for name in names}
    coverage.save(coverage.advance(fingerprint.Fingerprint({}), str(memory), known), state, str(memory))
    return memory, state


def looking(folder: Path, size: int) -> Counter[str]:
    memory, state = covered(folder, size)
    answers: list[bool] = []
    counted = calls(lambda: answers.append(fingerprint.unchanged(state, str(memory))))
    assert answers == [True]
    return counted


def test_an_entry_that_did_not_change_costs_the_hook_one_stat_and_no_file_is_opened(tmp_path: Path) -> None:
    """A read, a second stat or a check of the name more, and every turn in a large store waits longer."""
    few, many = (looking(tmp_path / str(size), size) for size in SIZES)
    each = per_entry(few, many, SIZES[1] - SIZES[0])
    assert each.pop("stat") == 1
    assert not each.pop("is_entry_name", 0), "a plain name needs no call to be known"
    assert each.total() <= 3, each
    assert many["open"] == few["open"]


def test_of_a_store_with_one_change_one_file_is_read(tmp_path: Path) -> None:
    memory, state = covered(tmp_path, 100)
    entry(memory, 7_000)
    (memory / "entry_5.md").write_text("changed", encoding="utf-8")
    known = fingerprint.load(state)
    deltas: list[tuple[str, ...]] = []
    counted = calls(lambda: deltas.append(fingerprint.scan(str(memory), known)))
    assert deltas == [("entry_5.md", "entry_7000.md")]
    assert counted["read"] <= 3, "the changed file, to its end; of the new one the name is enough"


def test_at_first_sight_no_entry_is_read(tmp_path: Path) -> None:
    for number in range(100):
        entry(tmp_path, number)
    counted = calls(lambda: fingerprint.scan(str(tmp_path), fingerprint.Fingerprint({})))
    assert not counted["read"] and not counted["open"], counted


def whole_hook(wall: Wall) -> Counter[str]:
    """Return the calls of the whole decision, as the launcher starts it."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from agentops_dream import dispatch\n"
        "counted = []\n"
        "sys.setprofile(lambda frame, event, argument: 'call' in event and counted.append(\n"
        "    frame.f_code.co_name if event == 'call' else argument.__name__))\n"
        "found = dispatch.due(dispatch.environment(), dispatch.payload())\n"
        "sys.setprofile(None)\n"
        "print(found, *counted)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", code, str(ROOT)],
        input=b'{"hook_event_name": "Stop"}\n', env=wall.env, capture_output=True, check=True,
    )  # fmt: skip
    found, *names = done.stdout.decode().split()
    assert found == "False"
    return Counter(names)


def test_a_decision_that_nothing_changed_opens_a_handful_of_files(tmp_path: Path) -> None:
    """Settings, rate, spend and what was seen: each file more is opened at the end of every turn."""
    wall = Wall(tmp_path)
    wall.entry()
    wall.cover()
    whole_hook(wall)  # writes the byte code
    counted = whole_hook(wall)
    assert counted["open"] <= 8, counted


# ---------------------------------------------------------------- the worker


def light(folder: Path, size: int) -> Counter[str]:
    """Return the calls of a light sleep over ``size`` entries, one of them in focus."""
    bed = Bed(folder, {"HOME": str(folder), "AGENTOPS_DREAM_MEMORY_DIR": str(folder / "memory")})
    _, state = covered(folder, size)
    where = places.resolve(bed.env)
    order = Order(where, settings.read(bed.env), bed.env, "Stop")
    order.state.mkdir(parents=True)
    Path(state).rename(order.state / "fingerprint.json")
    (bed.memory / "entry_1.md").write_text("Queue 1 is gone.", encoding="utf-8")
    chosen = []

    def work() -> None:
        store = dream.read(order)
        chosen.append(dream.choose(order, store, dream.changed(order, store)))

    counted = calls(work)
    assert [one.path for one in chosen[0].focus] == ["entry_1.md"]
    return counted


def test_light_sleep_reads_each_entry_once_and_grows_no_faster_than_the_store(tmp_path: Path) -> None:
    """With one entry in focus, a comparison of all with all would take minutes in a large store."""
    few, many = (light(tmp_path / str(size), size) for size in SIZES)
    each = per_entry(few, many, SIZES[1] - SIZES[0])
    assert each["read_entry"] == 1 and each["open"] == 1, each
    assert each["sha256"] + each["openssl_sha256"] <= 1, each
    assert many.total() < few.total() * SIZES[1] / SIZES[0] * 1.05


@pytest.mark.parametrize("library", ["click", "rich", "pygments", "http.server", "anthropic", "asyncio"])
def test_a_dream_from_a_hook_does_not_load_what_it_has_no_use_for(library: str) -> None:
    """Loading it would cost each dream more than the entries that it works on."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); from agentops_dream import hooked; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", code, str(ROOT)], capture_output=True, check=True, text=True)
    assert library not in done.stdout.split()


def rendering_one_change(folder: Path, size: int) -> Counter[str]:
    """Return the calls that render a change of one entry, ``MEMORY.md`` and ``AGENTS.md`` included."""
    for number in range(size):
        entry(folder / "memory", number)
    (folder / "project").mkdir()
    store = read_store(folder / "memory")
    old = store.entries[1]
    change = EntryChange(old.path, old.raw, old.raw + b"More.\n", (0,))

    def work() -> None:
        rendering.render(
            store, ChangeSet((change,)), project=folder / "project", mirror_agents=True, mirror_record=folder / "m"
        )

    return calls(work)


def test_indexes_are_rendered_in_proportion_to_their_lines(tmp_path: Path) -> None:
    """Each dream does it at its end; were each line held against each other, a large store would take minutes."""
    few, many = (rendering_one_change(tmp_path / str(size), size) for size in SIZES)
    assert many.total() < few.total() * SIZES[1] / SIZES[0] * 1.1, (few.total(), many.total())


def holding_one_change(folder: Path, size: int) -> Counter[str]:
    """Return the calls that hold a plan of one change against the rails."""
    for number in range(size):
        entry(folder, number)
    store = read_store(folder)
    old = store.entries[1]
    shown = Shown(WorkingSet((old,), (), ""), store)
    changes = ChangeSet((EntryChange(old.path, old.raw, old.raw + b"More.\n", (0,)),))
    return calls(lambda: rails.hold((), changes, shown, rails.Limits(6)))


def test_the_rails_are_held_in_proportion_to_the_store(tmp_path: Path) -> None:
    """Each dream that changes something passes them; 10,000 entries, each sought among all, take seconds."""
    few, many = (holding_one_change(tmp_path / str(size), size) for size in SIZES)
    assert many.total() < few.total() * SIZES[1] / SIZES[0] * 1.05, (few.total(), many.total())
