"""Memory directories of a given size, each with a home of its own, as the hook meets them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from agentops_dream import places
from agentops_dream.store import coverage, fingerprint

ROOT = Path(__file__).resolve().parent.parent
SENTENCES = (
    "The relay polls the table `queue_{n}` every {n} ms and takes up to {m} rows.",
    "Job {n} writes its report to `reports/day_{n}.csv` at 04:{m} UTC.",
    "The limit of partner {n} is {m} requests per minute; above it the answer is 429.",
    "Never restart worker-{n} by hand, because its lease of {m} s is then lost.",
    "Team {n} decided on 2026-03-{d:02d} that amounts are stored as `amount_{n}`.",
)


@dataclass(frozen=True)
class Site:
    """One user with one project and one memory directory."""

    home: Path
    env: dict[str, str]
    memory: Path
    state: Path


def make_site(folder: Path, entries: int, python: str, *, size: int = 4096, known: bool = True) -> Site:
    """Return a site with ``entries`` files of about ``size`` bytes; ``known``: all were dreamt over before.

    ``entries`` below 0: there is no memory directory. A worker that the hook starts ends at once.
    """
    project = folder / "project"
    (project / ".git").mkdir(parents=True)
    env = {
        "HOME": str(folder),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "CLAUDECODE": "1",
        "CLAUDE_PROJECT_DIR": str(project),
        "CLAUDE_PLUGIN_ROOT": str(ROOT),
        "CLAUDE_PLUGIN_DATA": str(folder / "data"),
        "AGENTOPS_DREAM_MIN_INTERVAL": "0",
        "AGENTOPS_DREAM_PYTHON": "/bin/true",
    }
    where = places.resolve(env)
    memory, state = Path(where.memory), Path(where.state)
    state.mkdir(parents=True)
    Path(where.state_root, "python").write_text(python + "\n", encoding="utf-8")
    if entries >= 0:
        memory.mkdir(parents=True)
        for number in range(entries):
            write_entry(memory, number, size)
    if entries > 0 and known:
        cover(memory, state)
    return Site(folder, env, memory, state)


def write_entry(memory: Path, number: int, size: int) -> None:
    head = (
        f"---\nname: entry-{number:05d}\ndescription: How queue {number} is polled\nmetadata:\n"
        f"  node_type: memory\n  type: project\n---\n\n"
    )
    lines: list[str] = []
    length = len(head)
    while length < size:
        n = number * 100 + len(lines)
        lines.append(SENTENCES[n % len(SENTENCES)].format(n=n, m=n % 59, d=n % 28 + 1))
        length += len(lines[-1]) + 2
    lines.append(f"See [[entry-{max(0, number - 1):05d}]].")
    text = head + "\n\n".join(lines) + "\n"
    (memory / f"entry_{number:05d}.md").write_text(text, encoding="utf-8")


def cover(memory: Path, state: Path) -> None:
    """Let every entry count as dreamt over, as a worker that has just ended leaves it."""
    covered = {
        path: (Path(path).stem, fingerprint.digest_of(f"{memory}/{path}") or "")
        for path in fingerprint.walk(str(memory))
    }
    known = coverage.advance(fingerprint.Fingerprint({}), str(memory), covered)
    coverage.save(known, str(state / "fingerprint.json"), str(memory))


def change(site: Site, numbers: Iterable[int] = (0,)) -> None:
    """Change entries and let a moment pass, as between an edit and the end of a turn."""
    for number in numbers:
        with open(site.memory / f"entry_{number:05d}.md", "a", encoding="utf-8") as stream:
            stream.write("One more line.\n")
    time.sleep(0.15)


def hook_command() -> str:
    """Return the exact command that the client runs at ``Stop``."""
    hooks = json.loads((ROOT / "hooks" / "hooks.json").read_text(encoding="utf-8"))
    command: str = hooks["hooks"]["Stop"][0]["hooks"][0]["command"]
    return command


PAYLOAD = (
    json.dumps(
        {
            "session_id": "00000000-0000-4000-8000-000000000000",
            "transcript_path": "/nowhere/session.jsonl",
            "cwd": "/",
            "permission_mode": "default",
            "hook_event_name": "Stop",
            "stop_hook_active": False,
            "last_assistant_message": "Done. " * 200,
        }
    )
    + "\n"
).encode()
