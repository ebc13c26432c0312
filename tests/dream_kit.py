"""A whole dream in a folder of its own: real store, real state, the stand-in for the ``claude`` binary."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from agentops_dream import dream as story
from agentops_dream import places, settings
from agentops_dream.models import Receipt
from agentops_dream.order import Order

ROOT = Path(__file__).resolve().parent.parent
FAKE = ROOT / "fake_claude" / "claude"

ENTRY = """---
name: {name}
description: {description}
metadata:
  node_type: memory
  type: {type}
  owner: kit
---

{body}
"""


@dataclass
class Bed:
    """Where a dream is had: ``memory``, ``project`` and ``config`` in one folder, and the environment."""

    folder: Path
    env: dict[str, str]
    now: datetime = datetime(2026, 5, 4, 12, 0, tzinfo=timezone.utc)

    @property
    def memory(self) -> Path:
        return self.folder / "memory"

    @property
    def project(self) -> Path:
        return self.folder / "project"

    @property
    def log(self) -> str:
        path = self.folder / "config" / "agentops" / "dream.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def calls(self) -> list[dict[str, Any]]:
        """What the stand-in for the model was asked, call by call."""
        path = Path(self.env["FAKE_CLAUDE_LOG"])
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def write(self, name: str, body: str, *, description: str = "", type: str = "project") -> Path:
        path = self.memory / f"{name}.md"
        text = ENTRY.format(name=name, description=description or f"About {name}", type=type, body=body)
        path.write_text(text, encoding="utf-8")
        return path

    def order(self, *, trigger: str = "manual", again: bool = False, **env: str) -> Order:
        """Return an order for a dream; ``env`` are settings without their prefix, or scenario."""
        given = dict(self.env)
        for name, value in env.items():
            given[name if name.startswith("FAKE") else settings.PREFIX + name] = value
        return Order(
            places.resolve(given, str(self.project)),
            settings.read(given),
            given,
            trigger,
            manual=trigger == "manual",
            again=again,
            clock=lambda: self.now,
        )

    def dream(self, scenario: str = "tidy", **options: Any) -> Receipt:
        return story.dream(self.order(FAKE_CLAUDE_SCENARIO=scenario, **options))

    def later(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def tree(self) -> Mapping[str, bytes]:
        """Return every file of memory and project, bytes and all."""
        found = {}
        for root in (self.memory, self.project):
            for path in sorted(root.rglob("*")):
                if path.is_file():
                    found[os.fspath(path.relative_to(self.folder))] = path.read_bytes()
        return found

    def state(self, name: str) -> Any:
        """Return a JSON file of the state of this memory directory; ``None`` if it is not there."""
        path = Path(self.order().places.state) / name
        return json.loads(path.read_text()) if path.exists() else None


def make_bed(folder: Path) -> Bed:
    """Return a bed with an empty memory directory and an empty project."""
    for name in ("memory", "project", "config", "home"):
        (folder / name).mkdir(parents=True)
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder / "home"),
        "CLAUDE_CONFIG_DIR": str(folder / "config"),
        "CLAUDE_PROJECT_DIR": str(folder / "project"),
        settings.PREFIX + "MEMORY_DIR": str(folder / "memory"),
        settings.PREFIX + "CLAUDE_BIN": str(FAKE),
        "FAKE_CLAUDE_LOG": str(folder / "calls.jsonl"),
    }
    return Bed(folder, env)


OUTBOX = (
    "Note to self: events leave the service through the table `order_outbox`. The relay polls every 250 ms, takes "
    "up to 100 rows and sets `published_at`.\n\n"
    "**Why:** publishing inside the request lost 37 events on 2026-03-06.\n"
    "**How to apply:** never publish from a handler; insert an outbox row in the same transaction."
)
TWIN = OUTBOX.replace("Note to self: events", "Events").replace("takes up", "grabs up")
RELEASE = "A release is tagged by `make release`; never push the tag by hand, because the signature is then missing."
PORT = "The staging database listens on port 6432; its role is `orders_dev`. See [[outbox]]."


def fill(bed: Bed) -> None:
    """Write a small store: two near-verbatim twins, a third that links to one, one with filler words, an index."""
    bed.write("outbox", OUTBOX, description="Events go through order_outbox")
    bed.write("outbox-events", TWIN, description="Events go through the order_outbox table")
    bed.write("staging-db", PORT, description="Staging database: port and role", type="reference")
    bed.write("release", f"Note to self: {RELEASE}", description="How a release is made", type="feedback")
    (bed.memory / "MEMORY.md").write_text(
        "# Notes\n\nKeep this line.\n\n- [Outbox](outbox.md) — Events go through order_outbox\n",
        encoding="utf-8",
    )
