"""Parts for the tests of REM: entries read by the store itself, and the stand-in for the client."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from agentops_dream import settings as config
from agentops_dream.models import Entry, Reply, Signal, WorkingSet
from agentops_dream.rem.ask import ask
from agentops_dream.store.entry import read_entry

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

TODAY = date(2026, 11, 30)
TOKEN = "ghp_" + "a1B2" * 9


def entry(
    path: str, body: str, *, description: str = "About it", name: str | None = None, **meta: Any
) -> Entry:
    """An entry as the store reads it from the file that Claude Code would have written."""
    stem = path.removesuffix(".md").rpartition("/")[2]
    lines = ["---", f"name: {stem if name is None else name}", f"description: {description}", "metadata:"]
    lines += [f"  {key}: {json.dumps(value)}" for key, value in {"type": "project", **meta}.items()]
    raw = "\n".join([*lines, "---", "", body, ""]).encode()
    return read_entry(path, raw, 1_790_000_000.0)


def bare(path: str, text: str) -> Entry:
    """An entry from the whole text of its file."""
    return read_entry(path, text.encode(), 1_790_000_000.0)


def shown(
    *focus: Entry,
    context: tuple[Entry, ...] = (),
    index: str = "",
    signals: tuple[Signal, ...] = (),
    pairs: tuple[tuple[str, str], ...] = (),
) -> WorkingSet:
    return WorkingSet(focus=focus, context=context, index=index, signals=signals, pairs=pairs)


PORT = entry(
    "deploy-port.md", "Note to self: the deploy port is 8080.\n\nProbably never change it before 17:00."
)
PORT_AGAIN = entry("the-port.md", "The deploy port is 8080, see `deploy/port.yaml`.", type="reference")
USUAL = shown(
    PORT,
    PORT_AGAIN,
    index="- [Port](deploy-port.md) — the port\n",
    pairs=(("deploy-port.md", "the-port.md"),),
)


def configured(**values: Any) -> config.Settings:
    return config.read({}).replace(**values)


def client(folder: Path) -> Path:
    """A ``claude`` that refuses any call but the least-privilege one and answers from a scenario."""
    binary = folder / "bin" / "claude"
    binary.parent.mkdir(parents=True, exist_ok=True)
    if not binary.is_symlink():
        binary.symlink_to(ROOT / "fake_claude" / "claude")
    return binary


def environment(folder: Path, **more: str) -> dict[str, str]:
    """What a hook's worker has: a home, a bare PATH, and variables of the session it came from."""
    return {
        "HOME": str(folder / "home"),
        "PATH": os.pathsep.join([str(folder / "bin"), os.path.dirname(sys.executable), "/usr/bin", "/bin"]),
        "FAKE_CLAUDE_LOG": str(folder / "calls.jsonl"),
        "CLAUDECODE": "1",
        "CLAUDE_CODE_ENTRYPOINT": "cli",
        "CLAUDE_CODE_SESSION_ID": "0000",
        "CLAUDE_CODE_MESSAGING_TOKEN": "0000",
        "CLAUDE_CODE_SSE_PORT": "1",
        "CLAUDE_PROJECT_DIR": "/nowhere",
        "CLAUDE_PLUGIN_ROOT": "/nowhere",
        **more,
    }


def calls(folder: Path) -> list[dict[str, Any]]:
    """What the stand-in client recorded, refused calls included."""
    log = folder / "calls.jsonl"
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def ask_client(
    folder: Path,
    scenario: str,
    working_set: WorkingSet = USUAL,
    *,
    settings: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    **more: Any,
) -> Reply:
    """Ask through the command line backend and the stand-in client."""
    client(folder)
    work = folder / "work"
    work.mkdir(exist_ok=True)
    return ask(
        working_set,
        configured(backend="claude", **(settings or {})),
        env={**environment(folder), "FAKE_CLAUDE_SCENARIO": scenario, **(env or {})},
        workdir=work,
        today=TODAY,
        **more,
    )
