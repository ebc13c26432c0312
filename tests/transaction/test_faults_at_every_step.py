"""Whatever I/O call fails, comes back short or is the last one: the store is before or after, never between."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
from collections import Counter

import pytest
from transaction_kit import (
    NEXT,
    NOW,
    Apart,
    ApartWithoutExchange,
    Killed,
    NoExchange,
    NoLinks,
    Swift,
    failing,
    leftovers,
    released,
    scene,
)

from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.errors import Blocked, Unfinished
from agentops_dream.transaction.recover import recover
from agentops_dream.transaction.undo import plan_undo

LATER = NOW + 7200
# A kill before a call is a kill after the one before it; both are visited in the slow suite.
QUICK = ("kill-after", "torn", "short", "ENOSPC", "EACCES", "ENOSPC+")
FAULTS = ("kill-before", *QUICK, "EACCES+", "EIO")
LOOKS = {"open", "read", "fstat", "lstat", "resolve", "listdir", "attributes", "writers", "may_write", "free"}
LOOKS |= {"sync", "sync_folder", "close"}
"""Calls that change nothing: a kill after one is a kill after the last call that did. All of them are
visited in the slow suite."""


def count_steps(root, base):
    place = scene(root)
    disk = failing(base)()
    before = place.snapshot()
    commit(place.run(), place.changes(), disk=disk)
    return disk.calls, before, place.snapshot()


def attempt(place, disk, fault):
    """Return what the caller sees of a commit on a failing disk."""
    try:
        commit(place.run(), place.changes(), disk=disk)
    except Killed:
        return "killed"
    except Blocked:
        return "blocked"
    except Unfinished:
        return "unfinished"
    return "done"


def verify(place, before, after, seen, clean):
    """After recovery: exactly before or after, nothing extra, and the next commit goes through."""
    recovered = recover(place.state, now=LATER, disk=clean)
    shot = place.snapshot()
    assert shot in (before, after)
    where = "before" if shot == before else "after"
    assert seen in ("killed", "unfinished") or where == ("after" if seen == "done" else "before")
    assert not leftovers(place.root)
    assert all(found.left == () and found.kept == () for found in recovered)
    assert recover(place.state, now=LATER, disk=clean) == ()
    if where == "before":
        assert not place.run().exists()
        commit(place.run(NEXT), place.changes(), disk=clean)
        assert place.snapshot() == after
    else:
        plan = plan_undo(place.run(), disk=clean)
        assert plan.left == ()
        commit(place.run(NEXT), plan.changes, meta=plan.meta, prune=plan.prune, disk=clean)
        assert place.snapshot() == before
    return where


def sweep(roomy, base, faults, every=1, thorough=False):
    calls, before, after = count_steps(roomy / "count", base)
    table = Counter()
    clean = base()
    for fault in faults:
        for at in range(0, len(calls), every):
            if fault in ("torn", "short") and calls[at] != "write":
                continue
            if not thorough and calls[at] in LOOKS and (fault.startswith(("kill", "ENOSPC")) or at % 3):
                continue
            place = scene(roomy / f"{fault}-{at}")
            with released(failing(base)(at, fault)) as disk:
                seen = attempt(place, disk, fault)
            if seen != "killed" and not fault.endswith("+") and seen != "unfinished":
                # Whoever lives must leave nothing to recovery but what it says.
                assert not leftovers(place.root) or fault == "EACCES" or fault == "EIO"
            where = verify(place, before, after, seen, clean)
            table[fault, seen, where] += 1
    return len(calls), table


def tell(capsys, title, steps, table):
    with capsys.disabled():
        print(f"\n{title}: {steps} I/O steps, {sum(table.values())} faults")
        for (fault, seen, where), number in sorted(table.items()):
            print(f"  {fault:12} caller sees {seen:10} store is {where:6} x{number}")


def test_every_step_of_a_dream(roomy, capsys):
    """A failing disk or a kill would leave half a dream in memory."""
    steps, table = sweep(roomy, Swift, QUICK)
    tell(capsys, "exchange", steps, table)
    assert {where for fault, _, where in table if fault == "kill-after"} == {"before", "after"}
    assert all(where == "after" for fault, _, where in table if fault == "short")
    assert not any(seen == "done" and where == "before" for _, seen, where in table)


@pytest.mark.parametrize("base", [NoExchange, NoLinks, Apart, ApartWithoutExchange])
def test_kill_at_every_step_without_exchange_or_on_two_disks(roomy, capsys, base):
    """The same on file systems that have less to offer."""
    steps, table = sweep(roomy, base, ("kill-after",))
    tell(capsys, base.__name__, steps, table)


@pytest.mark.slow
@pytest.mark.parametrize("base", [Swift, NoExchange, NoLinks, Apart, ApartWithoutExchange])
def test_every_fault_at_every_step_on_every_disk(roomy, capsys, base):
    thorough = base is Swift
    steps, table = sweep(roomy, base, FAULTS if thorough else ("kill-after", "EACCES", "ENOSPC+"), thorough=True)
    tell(capsys, base.__name__, steps, table)


def nested(roomy, base, every_commit, every_recovery):
    """Kill the commit, then kill its recovery, then recover."""
    calls, before, after = count_steps(roomy / "count", base)
    table = Counter()
    clean = base()
    for at in range(0, len(calls), every_commit):
        again = 0
        while True:
            place = scene(roomy / f"{at}-{again}")
            with released(failing(base)(at, "kill-after")) as disk:
                attempt(place, disk, "kill-after")
            with released(failing(base)(again, "kill-after")) as disk:
                try:
                    recover(place.state, now=LATER, disk=disk)
                    died = False
                except Killed:
                    died = True
            where = verify(place, before, after, "killed", clean)
            table["kill, kill", "killed", where] += 1
            if not died:
                break
            again += every_recovery
    return len(calls), table


def test_recovery_may_die_too(roomy, capsys):
    steps, table = nested(roomy, Swift, 53, 17)
    tell(capsys, "recovery killed", steps, table)


def test_recovery_may_die_between_link_and_unlink(roomy):
    calls, before, after = count_steps(roomy / "count", NoExchange)
    at = max(number for number, name in enumerate(calls) if name == "unlink" and number < 0.8 * len(calls))

    def recovered(name, again=-1):
        place = scene(roomy / name)
        with released(failing(NoExchange)(at, "kill-after")) as disk:
            attempt(place, disk, "kill-after")
        with released(failing(NoExchange)(again, "kill-after")) as disk, contextlib.suppress(Killed):
            recover(place.state, now=LATER, disk=disk)
        return place, disk.calls

    _, calls = recovered("whole")
    moves = [number for number, name in enumerate(calls) if name in ("link", "unlink", "replace")]
    assert len(moves) > 10
    for again in moves:
        place, _ = recovered(str(again), again)
        verify(place, before, after, "killed", NoExchange())


@pytest.mark.slow
@pytest.mark.parametrize("base", [Swift, NoExchange, ApartWithoutExchange])
def test_recovery_may_die_anywhere(roomy, capsys, base):
    steps, table = nested(roomy, base, 7, 5)
    tell(capsys, f"recovery killed, {base.__name__}", steps, table)


def in_child(work):
    """Run ``work`` in a process of its own; return its wait status."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(0)
    return os.waitpid(pid, 0)[1]


def sigkill(roomy, every):
    # Without waiting for the platter: a kill loses nothing that the kernel has, only a power cut does.
    calls, before, after = count_steps(roomy / "count", Swift)
    table = Counter()
    for fault in ("exit-before", "exit-after"):
        for at in range(0, len(calls), every):
            place = scene(roomy / f"{fault}-{at}")
            lock = place.root / "lock"
            lock.touch()

            def work(place=place, lock=lock, fault=fault, at=at):
                handle = os.open(lock, os.O_RDWR)
                fcntl.flock(handle, fcntl.LOCK_EX)
                commit(place.run(), place.changes(), disk=failing(Swift)(at, fault))

            status = in_child(work)
            assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
            with lock.open() as handle:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            table[fault, "killed", verify(place, before, after, "killed", Swift())] += 1
    return len(calls), table


def test_sigkill_at_some_steps_of_a_real_process(roomy, capsys):
    """The same with a process that is really gone: its lock is free and the next dream works."""
    steps, table = sigkill(roomy, 13)
    tell(capsys, "SIGKILL", steps, table)


@pytest.mark.slow
def test_sigkill_at_every_step_of_a_real_process(roomy, capsys):
    steps, table = sigkill(roomy, 1)
    tell(capsys, "SIGKILL", steps, table)
