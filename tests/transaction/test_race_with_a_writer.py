"""A program edits memory in every manner while dreams run: no edit is gone."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from transaction_kit import NOW, NoExchange, Swift, leftovers, scene

from agentops_dream.models import FileChange
from agentops_dream.transaction.commit import commit
from agentops_dream.transaction.disk import Disk
from agentops_dream.transaction.errors import Conflict
from agentops_dream.transaction.recover import recover

LATER = NOW + 7200

WRITER = """
import os, random, sys, time
root, log, rounds, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
draw = random.Random(seed)
names = ["memory/a.md", "memory/b.md", "memory/MEMORY.md", "project/AGENTS.md"]

def append(path, token):
    with open(path, "ab", buffering=0) as stream:
        if draw.random() < 0.3:
            time.sleep(0.002)
        stream.write(token)

def rewrite(path, token):
    with open(path, "r+b", buffering=0) as stream:
        text = stream.read()
        if draw.random() < 0.3:
            time.sleep(0.002)
        stream.seek(0)
        stream.write(token + text)

def replace(path, token):
    path = os.path.realpath(path)
    text = open(path, "rb").read()
    fresh = path + ".editor"
    with open(fresh, "wb") as stream:
        stream.write(text + token)
    os.replace(fresh, path)

def create(path, token):
    name = os.path.join(root, "memory", "new-%d.md" % number)
    with open(name, "xb") as stream:
        stream.write(token)

def rename(path, token):
    path = os.path.join(root, "memory", "new-%d.md" % draw.randrange(number + 1))
    os.rename(path, path[:-3] + "-moved.md")

done = open(log, "a", buffering=1)
for number in range(rounds):
    token = b"token-%d-%d.\\n" % (seed, number)
    manner = draw.choice([append, append, rewrite, replace, replace, create, rename])
    try:
        manner(os.path.join(root, draw.choice(names)), token)
    except (FileNotFoundError, FileExistsError):
        continue
    if manner is not rename:
        done.write(token.decode())
    time.sleep(draw.random() * 0.004)
"""


def dreamt(text, number):
    """What a dream makes of a file: another first line, every other byte kept."""
    head, _, rest = text.partition(b"\n")
    return (b"dreamt %d\n" % number) + (rest if head.startswith(b"dreamt ") else text)


def dream(place, number, disk):
    """Change every file, and put one away that the writer made; return named copies and whether it went."""
    changes = []
    for label in ("memory/a.md", "memory/b.md", "memory/MEMORY.md", "project/AGENTS.md"):
        try:
            text = place.path(label).read_bytes()
        except FileNotFoundError:  # the instant between two renames
            continue
        changes.append(FileChange(place.path(label), label, text, dreamt(text, number), (0,)))
    made = sorted((place.root / "memory").glob("new-*.md"))
    if made and number % 3 == 0:
        # A merge: the text goes to a file that only dreams write.
        try:
            gone = made[0].read_bytes()
        except FileNotFoundError:
            gone = b""
        if gone.endswith(b".\n"):
            store = place.path("memory/archive.md")
            old = store.read_bytes() if store.exists() else None
            changes.append(FileChange(store, "memory/archive.md", old, (old or b"") + gone, (1,)))
            changes.append(FileChange(made[0], f"memory/{made[0].name}", gone, None, (1,)))
    try:
        outcome = commit(place.run(f"20260102T030405Z-{number:06x}"), changes, disk=disk)
    except Conflict as conflict:
        return list(conflict.kept), False
    return list(outcome.kept), True


def race(root, base, rounds, edits, seed):
    place = scene(root)
    log = root / "tokens"
    log.touch()
    disk = base()
    kept = []
    done = 0
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(root), str(log), str(edits), str(seed)])
    try:
        number = 0
        while writer.poll() is None or number < rounds:
            copies, went = dream(place, number, disk)
            kept += copies
            done += went
            number += 1
            time.sleep(0.001)
    finally:
        writer.wait()
    for found in recover(place.state, now=LATER, disk=disk):
        kept += found.kept
    tokens = set(log.read_bytes().splitlines())
    store = b"".join(path.read_bytes() for path in (root / "memory").rglob("*.md"))
    store += place.path("project/AGENTS.md").read_bytes()
    copies = b"".join(Path(copy.path).read_bytes() for copy in kept)
    in_store = {token for token in tokens if token in store}
    gone = {token for token in tokens - in_store if token not in copies}
    assert not gone
    assert not leftovers(root)
    return number, done, len(tokens), len(in_store)


def tell(capsys, title, figures):
    number, done, tokens, in_store = figures
    with capsys.disabled():
        print(
            f"\n{title}: {number} dreams ({done} done, {number - done} gave way), {tokens} edits, "
            f"{in_store} in the store, {tokens - in_store} in named copies, 0 gone"
        )


@pytest.mark.parametrize("base", [Disk, NoExchange])
def test_a_short_race(roomy, capsys, base):
    tell(capsys, base.__name__, race(roomy, base, 60, 150, 1))


@pytest.mark.slow
@pytest.mark.parametrize("base", [Swift, NoExchange])
@pytest.mark.parametrize("seed", [2, 3])
def test_a_race_of_two_thousand_edits(roomy, capsys, base, seed):
    tell(capsys, base.__name__, race(roomy, base, 1000, 2000, seed))
