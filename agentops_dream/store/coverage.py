"""What a dream covered becomes known: the fingerprint's other half, for the worker (SPEC §6).

The hook only reads the fingerprint (``store.fingerprint``); this module moves it on and writes it.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from agentops_dream.store.fingerprint import (
    SMUDGED,
    Fingerprint,
    batches,
    each_row,
    read,
    recorded,
    shortcut_body,
    shortcut_path,
    tail,
    vanished,
)

if TYPE_CHECKING:
    from agentops_dream.store.fingerprint import Row

_FINE = 100_000_000
_COARSE = 2_000_000_000


def advance(
    fingerprint: Fingerprint,
    memory_dir: str,
    covered: Mapping[str, tuple[str, str]],
    *,
    now: Callable[[], int] = time.time_ns,
    sleep: Callable[[float], None] = time.sleep,
) -> Fingerprint:
    """Return the fingerprint after a dream that covered ``{path: (id, sha256)}``.

    Only what was covered becomes known, at the hash that was covered: an entry that changed since
    stays in the delta. Vanished entries drop out, moved ones move along. Files written a moment ago
    are given up to 0.1 s to grow old enough to be believed. ``now`` is in ns. Raises ``OSError`` if
    ``memory_dir`` cannot be listed.
    """
    known = fingerprint.entries
    _let_age(each_row(batches(memory_dir)), now, sleep)
    believed = fingerprint.stamp <= now()
    rows = sorted(each_row(batches(memory_dir)))  # so that which of two copies is the moved one is no chance
    gone = vanished(known, {row[0] for row in rows})
    entries: dict[str, list[Any]] = {}
    for path, *numbers in rows:
        record = known.get(path)
        if path not in covered:
            if record is None and not gone:
                continue
            if record is not None and believed and tail(record) == numbers:
                entries[path] = record
                continue
        taken = now()
        digest, fresh = read(f"{memory_dir}/{path}") or ("", SMUDGED)
        # As in ``scan``: what has the text of a vanished entry now is the other half of its move, dreamt over or not.
        origin = gone[digest].pop() if digest != recorded(record) and gone.get(digest) else ""
        if path in covered:
            name, expected = covered[path]
        elif record is not None and recorded(record):
            name, expected = record[0], record[1]
        elif origin:
            name, expected = known[origin][0], digest
        else:
            continue
        trusted = digest == expected and _old(fresh, taken)
        entries[path] = [name, expected, *(fresh if trusted else SMUDGED)]
    return Fingerprint(entries, now())


def _grain(newest: int) -> int:
    """Return how far apart, in ns, two edits may be and still get one time stamp.

    Linux takes file times from a clock that ticks every 1 to 10 ms; FAT counts in 2 s, exFAT in
    10 ms, HFS+ and some network shares in whole seconds.
    """
    return _COARSE if newest % 10_000_000 == 0 else _FINE


def _old(numbers: list[int], taken: int) -> bool:
    """git's racy rule: was the file's last edit clearly before the moment its hash was taken?"""
    newest = max(numbers[1], numbers[3])
    return newest + _grain(newest) <= taken


def _let_age(rows: Iterable[Row], now: Callable[[], int], sleep: Callable[[float], None]) -> None:
    """Wait for the last writes to be old enough, where file times are fine enough for that."""
    moment = now()
    newest = (max(row[2], row[4]) for row in rows)
    waits = [at + _FINE - moment for at in newest if 0 < at + _FINE - moment <= _FINE and _grain(at) == _FINE]
    if waits:
        sleep(max(waits) / 1e9)


def save(fingerprint: Fingerprint, path: str, memory_dir: str) -> None:
    """Write the fingerprint to ``path``, atomically; raises ``OSError``, the old one then intact.

    The shortcut for ``fingerprint.unchanged`` is written too if nothing is left to dream over.
    """
    beside = shortcut_path(path)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(beside)  # first: it must never speak for a fingerprint that is not there
    value = {"version": 1, "stamp": fingerprint.stamp, "entries": fingerprint.entries}
    _replace(path, json.dumps(value, separators=(",", ":")).encode("ascii"))
    known = fingerprint.entries
    try:
        listed = list(batches(memory_dir))
    except OSError:
        return
    if known and all(tail(known.get(name)) == numbers for name, *numbers in each_row(listed)):
        _replace(beside, fingerprint.stamp.to_bytes(8, "little") + b"".join(shortcut_body(path, listed)))


def _replace(path: str, data: bytes) -> None:
    fresh = f"{path}.{os.getpid()}.tmp"
    try:
        with open(fresh, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(fresh, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(fresh)
        raise
