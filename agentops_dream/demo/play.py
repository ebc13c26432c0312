"""The demo: a real dream over a sample store, with the embedded ``offline`` backend (SPEC §17).

Everything happens in a folder of its own, with a config directory of its own.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agentops_dream import places, settings, undoing
from agentops_dream.dream import dream
from agentops_dream.models import Receipt
from agentops_dream.order import Order

SAMPLE = Path(__file__).with_name("store")


@dataclass(frozen=True)
class Played:
    """What the demo did."""

    folder: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    """File name -> text; ``AGENTS.md`` is the project's."""
    receipt: Receipt
    undone: bool
    """Whether undo brought every byte back."""


def play(env: Mapping[str, str], *, keep: bool = False) -> Played:
    """Dream over a copy of the sample and return what came of it.

    ``keep`` leaves the folder, with the dream done and not undone, for people to look around in.
    """
    folder = Path(tempfile.mkdtemp(prefix="agentops-dream-demo-"))
    try:
        return _play(env, folder, keep)
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _play(env: Mapping[str, str], folder: Path, keep: bool) -> Played:
    project = folder / "project"
    memory = folder / "memory"
    (project / "shop" / "cache").mkdir(parents=True)
    (project / "shop" / "cache" / "kettle.py").write_text("TTL = 15 * 60\n", encoding="utf-8")
    shutil.copytree(SAMPLE, memory)
    clean = {key: value for key, value in env.items() if not key.startswith((settings.PREFIX, "CLAUDE"))}
    clean["CLAUDE_CONFIG_DIR"] = str(folder / "config")
    clean[settings.PREFIX + "MEMORY_DIR"] = str(memory)
    clean[settings.PREFIX + "BACKEND"] = "offline"
    clean["CLAUDE_PROJECT_DIR"] = str(project)
    order = Order(
        places.resolve(clean, str(project)), settings.read(clean), clean, "demo", manual=True, again=True
    )
    before = _texts(memory, project)
    receipt = dream(order)
    after = _texts(memory, project)
    undone = True
    if not keep and receipt.outcome == "applied":
        undoing.undo(order, receipt.run)
        undone = _texts(memory, project) == before
    return Played(str(folder), before, after, receipt, undone)


def _texts(memory: Path, project: Path) -> dict[str, str]:
    found = {path.name: path.read_text(encoding="utf-8") for path in sorted(memory.glob("*.md"))}
    agents = project / "AGENTS.md"
    if agents.exists():
        found["AGENTS.md"] = agents.read_text(encoding="utf-8")
    return found


def gist(text: str | None) -> str:
    """Return how large a text is, in the words of the demo's table."""
    return "none" if text is None else f"{len(text.splitlines())} lines"
