"""Finding entries again by words: BM25 over a store, as an agent would look for them (SPEC §8, §14).

SQLite's FTS5 ranks; cutting text into words is done here, because its own cutter takes a whole
Japanese sentence for one word. Runs of CJK characters become pairs.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import TracebackType

from agentops_dream.models import Entry

TOP = 5
"""How far down the list an agent looks."""

SAME = 1e-9
"""Scores this close are one rank."""

_WORD = re.compile(r"\w+")
_CJK = r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]+"
"""Made on first use: a class as wide as this takes as long as ranking many entries."""


@dataclass(frozen=True)
class Probe:
    """A question of the user's, and what must or must not be found in the top ``k`` entries."""

    question: str
    all_of: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()
    k: int = TOP


def words(text: str) -> list[str]:
    """Return the words of ``text`` as they are ranked: folded, CJK runs as overlapping pairs."""
    if text.isascii():
        return _WORD.findall(text.lower().replace("_", " "))
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold().replace("_", " ")):
        start = 0
        for run in re.finditer(_CJK, word):
            found += [word[start : run.start()]] if run.start() > start else []
            chars = run.group()
            found += [chars[i : i + 2] for i in range(max(1, len(chars) - 1))]
            start = run.end()
        found += [word[start:]] if start < len(word) else []
    return found


@lru_cache(maxsize=1 << 14)  # most entries are the same before and after
def _line(text: str) -> str:
    return " ".join(words(text))


class Shelf:
    """The entries of one state of a store, ranked by words. A context manager; closes its database."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = tuple(entries)
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE shelf USING fts5(text)")
        self._db.executemany(
            "INSERT INTO shelf (rowid, text) VALUES (?, ?)",
            (
                (number, _line(f"{entry.description} {entry.body}"))
                for number, entry in enumerate(self.entries)
            ),
        )

    def __enter__(self) -> Shelf:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()

    def top(self, query: str, k: int = TOP) -> tuple[Entry, ...]:
        """Return the ``k`` entries that fit ``query`` best, best first; fewer if fewer share a word."""
        return tuple(self.entries[number] for number, _ in self._ranked(query)[: max(k, 0)])

    def near(self, query: str, k: int = TOP) -> frozenset[str]:
        """Return the paths of the top ``k`` and of all that fit as well as the last of them."""
        ranked = self._ranked(query)
        if k < 1 or not ranked:
            return frozenset()
        last = ranked[min(k, len(ranked)) - 1][1]
        return frozenset(self.entries[number].path for number, score in ranked if score <= last + SAME)

    def nearest(self, query: str, k: int) -> frozenset[str]:
        """Return the paths of at most ``k`` entries that fit better than all the others do.

        Where many fit equally well none of them stands out, so none of them is near.
        """
        ranked = self._ranked(query)
        bar = ranked[k][1] if len(ranked) > k else 1.0  # scores are below zero
        return frozenset(self.entries[number].path for number, score in ranked[:k] if score < bar - SAME)

    def _ranked(self, query: str) -> list[tuple[int, float]]:
        asked = dict.fromkeys(words(query))
        if not asked:
            return []
        match = " OR ".join(f'"{word}"' for word in asked)
        return self._db.execute(
            "SELECT rowid, bm25(shelf) AS score FROM shelf WHERE shelf MATCH ? ORDER BY score, rowid",
            (match,),
        ).fetchall()

    def passes(self, probe: Probe) -> bool:
        """Return whether the top entries hold all that ``probe`` wants and nothing that it forbids."""
        return holds(self.top(probe.question, probe.k), probe)


def holds(entries: Sequence[Entry], probe: Probe) -> bool:
    """Return whether these entries hold every ``all_of`` and no ``none_of`` string, case folded."""
    text = "\n".join(f"{entry.description}\n{entry.body}" for entry in entries).casefold()
    return all(wanted.casefold() in text for wanted in probe.all_of) and not any(
        unwanted.casefold() in text for unwanted in probe.none_of
    )
