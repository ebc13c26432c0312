"""``kill -9`` at any moment, again and again: memory is always one whole generation, and dreams go on."""

from __future__ import annotations

import fcntl
import os
import random
import signal
import time
from collections import Counter

import pytest
from transaction_kit import NOW, Swift, leftovers, tree

from agentops_dream.models import FileChange
from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.disk import Disk
from agentops_dream.transaction.recover import recover

LATER = NOW + 7200


def generation(number):
    """Every file of a store at one generation; files come, change and go from one to the next."""
    files = {"memory/MEMORY.md": b"%d\n" % number, "project/AGENTS.md": b"block %d\n" % number}
    for index in range(6):
        if (number + index) % 3:
            files[f"memory/e{index}.md"] = (b"entry %d of %d\n" % (index, number)) * 40
    if number % 2:
        files[f"memory/sub{number % 4}/name.md"] = b"name %d\n" % number
    return files


def lay_out(root, number):
    for label, data in generation(number).items():
        (root / label).parent.mkdir(parents=True, exist_ok=True)
        (root / label).write_bytes(data)


def current(root):
    shot = {**tree(root / "memory"), **tree(root / "project")}
    return {label: value[1] for label, value in shot.items() if value[0] == "file"}


def step(root, number, disk):
    old, new = generation(number), generation(number + 1)
    changes = [
        FileChange(root / label, label, old.get(label), new.get(label), (0,)) for label in sorted({*old, *new})
    ]
    commit(root / "state" / "runs" / f"20260102T030405Z-{number:06x}", changes, disk=disk)


def work(root, ready, disk):
    lock = os.open(root / "lock", os.O_CREAT | os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.write(ready, b".")
    while True:
        step(root, int(current(root)["memory/MEMORY.md"]), disk)


def kills(root, base, rounds, seed):
    draw = random.Random(seed)
    lay_out(root, 0)
    clean = base()
    table = Counter()
    length = 0.01  # seconds of a dream, as seen so far on this disk
    for _ in range(rounds):
        here, there = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                work(root, there, base())
            finally:
                os._exit(1)  # only by an exception
        os.close(there)
        assert os.read(here, 1) == b"."
        os.close(here)
        time.sleep(draw.random() * 2 * length)
        os.kill(pid, signal.SIGKILL)
        assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGKILL, "the worker failed by itself"
        with (root / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            found = recover(root / "state", now=LATER, disk=clean)
            files = current(root)
            number = int(files["memory/MEMORY.md"])
            assert files == generation(number)
            assert not leftovers(root)
            assert all(item.left == () and item.kept == () for item in found)
            table[found[-1].action if found else "nothing to do"] += 1
            began = time.monotonic()
            step(root, number, clean)
            length = 0.8 * length + 0.2 * (time.monotonic() - began)
            assert current(root) == generation(number + 1)
    return table, number


def tell(capsys, rounds, table, number):
    with capsys.disabled():
        print(f"\nkill -9: {rounds} times over {number} dreams; recovery {dict(table)}; 0 half-done stores")


def test_some_kills(roomy, capsys):
    tell(capsys, 40, *kills(roomy, Swift, 40, 1))


@pytest.mark.slow
@pytest.mark.parametrize(("base", "rounds"), [(Swift, 400), (Disk, 120)])
def test_hundreds_of_kills(tmp_path, capsys, base, rounds):
    tell(capsys, rounds, *kills(tmp_path, base, rounds, 2))
