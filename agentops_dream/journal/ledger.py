"""What was already judged at these very bytes: pairs by a dream, ops by a person (SPEC §6).

A pair is nominated again only when one of its entries has changed: else the same two look-alikes would be
paid for every night.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from agentops_dream.journal import files


def path_in(state: Path) -> Path:
    return state / "ledger.json"


def settled(state: Path, hashes: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    """Return the settled pairs (paths, sorted) whose entries still have the bytes they had then.

    ``hashes``: path -> SHA-256 of every entry as it is now.
    """
    rows = files.read_object(path_in(state)).get("pairs", [])
    found = set()
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, list) and len(row) == 4 and all(isinstance(cell, str) for cell in row):
            one, other, its_hash, others_hash = row
            if hashes.get(one) == its_hash and hashes.get(other) == others_hash:
                found.add((one, other))
    return frozenset(found)


MOST_DECLINED = 2000

Declined = frozenset[tuple[str, tuple[tuple[str, str], ...]]]
"""Verb and sorted (path, SHA-256) of the targets of ops that a person has taken back or sent away."""


def declined(state: Path) -> Declined:
    """Return the ops that are not to be carried out again while their targets have these bytes."""
    rows = files.read_object(path_in(state)).get("declined", [])
    found = set()
    for row in rows if isinstance(rows, list) else ():
        try:
            verb, targets = row
            found.add((str(verb), tuple(sorted((str(path), str(digest)) for path, digest in targets))))
        except (TypeError, ValueError):
            continue
    return frozenset(found)


def decline(state: Path, ops: Iterable[tuple[str, Mapping[str, str]]]) -> None:
    """Note ops (verb, target path -> SHA-256) as declined by a person. Raises ``OSError``."""
    known = files.read_object(path_in(state))
    every = declined(state) | {(verb, tuple(sorted(targets.items()))) for verb, targets in ops}
    rows = [[verb, [list(target) for target in targets]] for verb, targets in sorted(every)[-MOST_DECLINED:]]
    files.write_json(path_in(state), {**known, "version": 1, "declined": rows})


def settle(state: Path, pairs: Iterable[tuple[str, str]], hashes: Mapping[str, str]) -> None:
    """Note ``pairs`` as judged at the bytes in ``hashes``; pairs that no longer hold drop out.

    Pairs with an entry that is gone are left out. Raises ``OSError``.
    """
    kept = set(settled(state, hashes))
    kept.update((min(pair), max(pair)) for pair in pairs)
    rows = [
        [one, other, hashes[one], hashes[other]]
        for one, other in sorted(kept)
        if one in hashes and other in hashes
    ]
    known = files.read_object(path_in(state))
    files.write_json(path_in(state), {**known, "version": 1, "pairs": rows})
