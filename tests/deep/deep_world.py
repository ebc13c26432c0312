"""A small memory directory on a real disk, and a judge for plans over it."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentops_dream import settings
from agentops_dream.deep.judge import judge
from agentops_dream.models import Entry, Judgement, Verdict, WorkingSet
from agentops_dream.store.memory import Store, read_store

TODAY = datetime.date(2026, 11, 30)

PAGES = """\
The list of orders uses cursor paging. The default for `limit` is 50 and the largest page has 200 rows;
larger values give 422 with code `ORD-1422`. Sorting is by `created_at` descending and cannot be changed.
"""
OUTBOX = """\
Events leave the service through the outbox table `order_outbox`. The relay `cmd/outbox-relay` polls every 250 ms,
takes up to 100 rows with `FOR UPDATE SKIP LOCKED` and publishes them to the subject `orders.v2.events`.

**Why:** publishing inside the request lost 37 events on 2026-05-06 when the broker restarted.
"""
OUTBOX_TWIN = OUTBOX.replace("takes up to", "grabs up to")
MIXED = """\
CI: the build cache is keyed on `go.sum` plus the runner image, which cut the pipeline from 11 to 4 minutes.

Invoices: amounts are stored in `amount_minor` and rounded half to even per line. Decided on 2026-06-17.
"""
STYLE = "Mirela prefers answers that start with the file name, then one sentence. She never wants emoji in commits.\n"
FREEZE = """\
Deploy freeze for the harvest sale from 2026-10-12 until 2026-10-30. During the freeze only hotfixes with the
label `freeze-ok` are merged.
"""


def page(name: str, description: str, type: str, body: str, *more: str) -> str:
    """Return an entry as Claude Code writes it; ``more`` are lines under ``metadata``."""
    lines = ["---", f"name: {name}", f"description: {json.dumps(description, ensure_ascii=False)}", "metadata: "]
    lines += ["  node_type: memory", f"  type: {type}", *(f"  {line}" for line in more), "---", "", body]
    return "\n".join(lines)


STORE = {
    "paging.md": page("paging", "Paging of the list of orders: page size", "reference", PAGES),
    "outbox.md": page("outbox", "Events go through order_outbox and cmd/outbox-relay", "project", OUTBOX),
    "outbox-events.md": page("outbox-events", "Events go via order_outbox and cmd/outbox-relay", "project", OUTBOX_TWIN),
    "mixed.md": page("mixed", "CI build cache, and how invoice amounts are rounded", "project", MIXED),
    "style.md": page("style", "How Mirela likes answers", "user", STYLE),
    "freeze.md": page("freeze", "Deploy freeze for the harvest sale until 2026-10-30", "project", FREEZE),
    "worker.md": page("worker", "Where bad messages go", "project", "Bad messages go to `orders.dead`. See [[outbox-events]].\n"),
    "MEMORY.md": "# Orders\n\n- [Paging](paging.md) — page size\n- [Outbox](outbox.md) — events\n",
}
for number in range(12):
    STORE[f"filler-{number}.md"] = page(
        f"filler-{number}", f"Note on topic{number}", "project", f"Topic{number} is kept in `dir/topic{number}.txt`.\n"
    )


@dataclass
class World:
    """A store on disk. ``focus``: ids in focus; everything is shown unless ``hidden``."""

    root: Path
    focus: Iterable[str] | None = None
    hidden: Iterable[str] = ()

    def store(self) -> Store:
        return read_store(self.root)

    def write(self, path: str, text: str | bytes) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def entry(self, path: str) -> Entry:
        found = self.store().by_path(path)
        assert found is not None, path
        return found

    def working_set(self, store: Store | None = None) -> WorkingSet:
        entries = [entry for entry in (store or self.store()).entries if entry.id not in self.hidden]
        focus = {entry.path for entry in entries if self.focus is None or entry.id in self.focus}
        return WorkingSet(
            tuple(entry for entry in entries if entry.path in focus),
            tuple(entry for entry in entries if entry.path not in focus),
            "",
        )

    def judge(self, *ops: Any, shown: WorkingSet | None = None, env: Mapping[str, str] | None = None, **more: Any) -> Judgement:
        """Judge ``ops``; ``env`` are settings without their prefix, ``waived`` is accepted for every op."""
        store = self.store()
        values = settings.read({f"AGENTOPS_DREAM_{key}": value for key, value in (env or {}).items()})
        assert not values.problems
        more.setdefault("today", TODAY)
        more["waived"] = dict.fromkeys(range(len(ops)), tuple(more.get("waived", ())))
        return judge(list(ops), shown or self.working_set(store), store, settings=values, **more)

    def one(self, op: Any, **more: Any) -> Verdict:
        """Judge a plan of one op."""
        return self.judge(op, **more).verdicts[0]


def op(verb: str, *targets: str, **fields: Any) -> dict[str, Any]:
    """Return an op with every field, sure of itself."""
    made: dict[str, Any] = {
        "op": verb, "target_ids": list(targets), "new_name": None, "delete_source": False, "new_frontmatter": None,
        "new_body": None, "links": [], "superseded": [], "confidence": 0.95, "rationale": "because",
    }  # fmt: skip
    made.update(fields)
    return made


def after(judgement: Judgement) -> dict[str, bytes | None]:
    """Return path -> new bytes of everything that changes."""
    return {change.path: change.after for change in judgement.changes.entries}


def statuses(judgement: Judgement) -> list[str]:
    return [verdict.status for verdict in judgement.verdicts]


def codes(verdict: Verdict) -> list[str]:
    return [fault.code for fault in verdict.faults]
