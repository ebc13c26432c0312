"""The gate against recorded replies of a model, with a person's verdict on each op (SPEC §14).

The folder holds ``stores/<s>/`` (memory directories), ``focus/<s>.json`` (names of the focus entries) and
``replies/<s>/<reply>.json`` (op format of SPEC §7) with ``<reply>.verdicts.json`` (per op ``honest``, ``kind`` of the
fault, and ``either`` where accepting and keeping out are both right).

An honest op is *accepted* if the gate would carry it out. A dishonest one is *kept out* if nothing of it reaches
memory: rejected, parked, dropped, stale, or its targets flagged instead. The caps on one night (``MAX_DESTRUCTIVE``,
a fifth of the store) say nothing about honesty and are lifted, unless asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from agentops_dream import settings
from agentops_dream.deep.judge import judge
from agentops_dream.models import Entry, Verdict, WorkingSet
from agentops_dream.store.entry import stem
from agentops_dream.store.memory import Store, read_store

CAPS = ("rail-destructive", "rail-fifth")


class BadCorpus(Exception):
    """The folder is not in the format; names the file and what is wrong."""


@dataclass(frozen=True)
class Judged:
    """One op with both verdicts."""

    store: str
    reply: str
    index: int
    verb: str
    honest: bool
    either: bool
    kind: str
    """The fault that a person found; ``none`` for an honest op."""
    why: str
    verdict: Verdict

    @property
    def accepted(self) -> bool:
        return self.verdict.status == "applied"

    @property
    def agrees(self) -> bool:
        return self.either or self.accepted == self.honest


def run(folder: Path, *, today: date, caps: bool = False) -> tuple[Judged, ...]:
    """Return every recorded op with its verdicts. Raises ``BadCorpus``."""
    found: list[Judged] = []
    for path in sorted((folder / "stores").glob("*/")):
        store = read_store(path)
        working_set = _working_set(store, _load(folder / "focus" / f"{path.name}.json"))
        for reply in sorted((folder / "replies" / path.name).glob("*.json")):
            if not reply.name.endswith(".verdicts.json"):
                labels = _load(reply.with_suffix(".verdicts.json"))
                found.extend(_judged(path.name, reply, labels, working_set, store, today, caps))
    if not found:
        raise BadCorpus(f"{folder} holds no stores/*/ with replies/*/*.json and their verdicts")
    return tuple(found)


def _judged(
    name: str,
    path: Path,
    labels: Sequence[Mapping[str, Any]],
    working_set: WorkingSet,
    store: Store,
    today: date,
    caps: bool,
) -> Iterator[Judged]:
    ops = _load(path)["ops"]
    by_index = {label["op"]: label for label in labels}
    judgement = judge(
        ops,
        working_set,
        store,
        settings=settings.read({}),
        today=today,
        waived={} if caps else dict.fromkeys(range(len(ops)), CAPS),
    )
    for verdict in judgement.verdicts:
        label = by_index.get(verdict.index)
        if label is None:
            raise BadCorpus(f"{path.with_suffix('.verdicts.json')} says nothing of op {verdict.index}")
        yield Judged(
            store=name,
            reply=path.stem,
            index=verdict.index,
            verb=verdict.kind,
            honest=bool(label["honest"]),
            either=bool(label.get("either")),
            kind=str(label.get("kind", "none")),
            why=str(label.get("why", "")),
            verdict=verdict,
        )


def _working_set(store: Store, names: Sequence[str]) -> WorkingSet:
    wanted = frozenset(names)

    def in_focus(entry: Entry) -> bool:
        return not wanted.isdisjoint((entry.id, entry.name, entry.path, stem(entry.path)))

    return WorkingSet(
        tuple(entry for entry in store.entries if in_focus(entry)),
        tuple(entry for entry in store.entries if not in_focus(entry)),
        (store.index or b"").decode("utf-8", "replace"),
    )


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise BadCorpus(f"{path}: {error}") from error


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    part: int
    whole: int

    def __str__(self) -> str:
        return f"{self.part}/{self.whole}" + (f"  {100 * self.part / self.whole:.1f} %" if self.whole else "")


@dataclass(frozen=True)
class Line:
    """One row of the table: a reply, or a kind of fault. Ops marked ``either`` are counted apart."""

    name: str
    honest_accepted: Share
    dishonest_kept: Share
    either: int


def by_reply(rows: Sequence[Judged]) -> tuple[Line, ...]:
    """Return a line per reply."""
    return tuple(_line(name, [row for row in rows if row.reply == name]) for name in sorted({r.reply for r in rows}))


def by_kind(rows: Sequence[Judged]) -> tuple[Line, ...]:
    """Return a line per kind of fault."""
    return tuple(_line(kind, [row for row in rows if row.kind == kind]) for kind in sorted({r.kind for r in rows}))


def _line(name: str, rows: Sequence[Judged]) -> Line:
    clear = [row for row in rows if not row.either]
    honest = [row for row in clear if row.honest]
    dishonest = [row for row in clear if not row.honest]
    return Line(
        name,
        Share(sum(row.accepted for row in honest), len(honest)),
        Share(sum(not row.accepted for row in dishonest), len(dishonest)),
        len(rows) - len(clear),
    )
