"""Which entries may belong together (SPEC §6): nominates, never decides.

Similarity scores a changed value ("port 8080" -> "9090") as high as a duplicate, so nothing here
may merge or delete. Cosine over the words of two entries, rare words counting more; runs of letters
are words, and text without spaces (Chinese, Japanese, Korean) counts by pairs of characters.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence
from itertools import chain

from agentops_dream.models import Entry

NOMINATE = 0.09
"""Cosine from which a pair is nominated. Chosen low: a missed pair stays a duplicate for ever, a
needless one costs a line of the prompt, once (the settled ledger)."""

PER_ENTRY = 3
"""Most partners nominated for one entry."""

FULL_TEXT_BYTES = 6_000_000
"""Stores up to this size are compared by their whole text, larger ones by name, description and
the head of the body: the largest real store seen has 4.4 MB."""

HEAD = 300

COMMON_AT_LEAST = 50
"""A word that this many entries hold, and a tenth of the store, makes no two of them related."""

_TOKEN = re.compile(r"[^\W_]+")
_ASCII_TOKEN = re.compile(r"[a-z0-9]{2,}")
_DENSE = "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"
"""Not compiled before it is needed: that takes as long as reading a hundred entries."""


def words(text: str) -> set[str]:
    """Return the comparable units of ``text``: lower-case words, and character pairs where a
    script is written without spaces."""
    if text.isascii():
        return set(_ASCII_TOKEN.findall(text.lower()))
    found: set[str] = set()
    for token in _TOKEN.findall(text.lower()):
        if token.isascii():
            if len(token) > 1:
                found.add(token)
        elif re.search(_DENSE, token):
            found.update(token[i : i + 2] for i in range(max(1, len(token) - 1)))
        else:
            found.add(token)
    return found


class _Weights(dict[str, float]):
    """What each word counts, worked out for the words that are asked for: most are in one entry only."""

    def __init__(self, counts: Mapping[str, int], total: int) -> None:
        self._counts = counts
        self._total = total

    def __missing__(self, word: str) -> float:
        weight = self[word] = math.log((self._total + 1) / self._counts[word]) ** 2
        return weight


class Neighbours:
    """The words of a whole store, to ask for the neighbours of single entries."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        whole = sum(len(entry.raw) for entry in entries) <= FULL_TEXT_BYTES
        self._words = {
            entry.path: words(
                f"{entry.name} {entry.description} {entry.body if whole else entry.body[:HEAD]}"
            )
            for entry in entries
        }
        counts = Counter(chain.from_iterable(self._words.values()))
        total = len(entries)
        self._weight = _Weights(counts, total)
        most = max(COMMON_AT_LEAST, total // 10)
        self._common = frozenset(word for word, count in counts.items() if count > most)
        self._norms: dict[str, float] = {}
        self._near: dict[str, list[tuple[str, float]]] = {}

    def _norm(self, path: str) -> float:
        if path not in self._norms:
            self._norms[path] = math.sqrt(sum(map(self._weight.__getitem__, self._words[path])))
        return self._norms[path]

    def score(self, one: str, other: str) -> float:
        """Return the cosine of two entries, 0 to 1, by their paths."""
        shared = self._words[one] & self._words[other]
        norm = self._norm(one) * self._norm(other)
        return sum(map(self._weight.__getitem__, shared)) / norm if norm else 0.0

    def of(self, path: str, *, among: Container[str] | None = None) -> list[tuple[str, float]]:
        """Return up to ``PER_ENTRY`` neighbours of ``path`` as (path, score), best first."""
        if path not in self._near:
            self._near[path] = self._all_near(path)
        near = self._near[path]
        return [pair for pair in near if among is None or pair[0] in among][:PER_ENTRY]

    def _all_near(self, path: str) -> list[tuple[str, float]]:
        mine = self._words[path] - self._common  # else nearly every entry would have to be weighed
        scored = [
            (other, self.score(path, other))
            for other, words in self._words.items()
            if other != path and not mine.isdisjoint(words)
        ]
        return sorted((pair for pair in scored if pair[1] >= NOMINATE), key=lambda pair: (-pair[1], pair[0]))


def nominate(
    neighbours: Neighbours, focus: Collection[str], settled: Collection[tuple[str, str]]
) -> list[tuple[str, str, float]]:
    """Return candidate pairs with at least one side in ``focus``, best first, each pair once.

    Pairs in ``settled`` (both paths sorted) were judged before at these very bytes and are left out.
    """
    best: dict[tuple[str, str], float] = {}
    for path in focus:
        for other, score in neighbours.of(path):
            pair = (path, other) if path < other else (other, path)
            if pair not in settled:
                best[pair] = score
    rows = [(one, other, score) for (one, other), score in best.items()]
    return sorted(rows, key=lambda row: (-row[2], row[0], row[1]))
