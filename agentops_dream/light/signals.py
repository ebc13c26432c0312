"""Evidence found without a model (SPEC §6), handed to the model and to the ``offline`` backend.

A signal is a hint with its reason, not a verdict: a path can live in another repository, a date can
be history. The reader decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path, PurePosixPath

from agentops_dream.facts.dates import relative_dates
from agentops_dream.facts.ends import end_date_passed
from agentops_dream.facts.reading import Text
from agentops_dream.facts.twins import changed_value
from agentops_dream.facts.weigh import near_verbatim
from agentops_dream.models import Entry, Signal
from agentops_dream.store.memory import Store

_CODE = re.compile(r"`([^`\n]{3,200})`")
_PATH = re.compile(r"^(?:\./)?[\w.@+-]+(?:/[\w.@+-]+)+/?$")


def reader(
    store: Store, *, project: Path | None, today: date
) -> Callable[[Sequence[Entry], Sequence[tuple[str, str]]], tuple[Signal, ...]]:
    """Return a function that finds the signals of shown entries and nominated pairs.

    ``project`` is the folder whose files the entries speak of; ``None`` leaves paths unchecked.
    """

    def read(shown: Sequence[Entry], pairs: Sequence[tuple[str, str]]) -> tuple[Signal, ...]:
        by_path = {entry.path: entry for entry in shown}
        found: list[Signal] = []
        for entry in shown:
            found.extend(_of_entry(entry, store, project, today))
        for one, other in pairs:
            found.extend(_of_pair(by_path[one], by_path[other]))
        return tuple(found)

    return read


def _of_entry(entry: Entry, store: Store, project: Path | None, today: date) -> Iterator[Signal]:
    at = (entry.path,)
    for missing in _missing_paths(entry.body, project):
        yield Signal("missing_path", at, missing)
    words = f"{entry.description}\n{entry.body}"
    passed = end_date_passed(words, today)
    if passed:
        yield Signal("date_passed", at, passed.isoformat())
    for relative in relative_dates(words):
        yield Signal("relative_date", at, relative)
    for target in dict.fromkeys(entry.links):
        if store.resolve(target) is None:
            yield Signal("dangling_link", at, target)
    for fault in _frontmatter_faults(entry):
        yield Signal("frontmatter", at, fault)


def _of_pair(one: Entry, other: Entry) -> Iterator[Signal]:
    paths = (one.path, other.path)
    span = changed_value(one.body, other.body)
    if span is not None:
        yield Signal("changed_value", paths, " → ".join(span))
    elif near_verbatim(_text(one), _text(other)):
        yield Signal("twin", paths, "the same text apart from single words")


def _text(entry: Entry) -> Text:
    return Text(entry.id, entry.description, entry.body)


def _frontmatter_faults(entry: Entry) -> Iterator[str]:
    yield from entry.warnings
    if entry.body.strip():
        for name, value in (("name", entry.name), ("description", entry.description)):
            if not value.strip():
                yield f"no {name}"
        if entry.type == "unknown":
            yield "no type"


def _missing_paths(body: str, project: Path | None) -> Iterator[str]:
    """Paths in code spans that the project no longer has.

    Only where the first folder of the path exists: ``internal/x.go`` is about this project if
    ``internal/`` is here, while ``kv/orders/prod`` is a path in something else.
    """
    if project is None:
        return
    for span in dict.fromkeys(_CODE.findall(body)):
        text = span.strip()
        if not _PATH.match(text):
            continue
        parts = PurePosixPath(text).parts
        if ".." in parts:
            continue
        try:
            here = (project / parts[0]).is_dir()
            if here and not (project / text).exists():
                yield text
        except OSError:
            continue
