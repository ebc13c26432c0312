"""The worker without the model: light sleep, judging and committing a plan, undo. CPU, not wall time.

A dream is measured as the hook starts it: both processes of the worker, with a client that answers at once.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agentops_dream.dispatch import GUARD, TRIGGER, worker_command
from agentops_dream.journal import runs
from benchmarks.hook import interpreter
from benchmarks.sites import ROOT, Site, change, make_site

LIGHT = (130, 1000, 10000)


@dataclass(frozen=True)
class Cost:
    """What a whole process cost, interpreter and imports included."""

    case: str
    cpu: float
    """Seconds of CPU."""
    memory: float
    """Peak resident set, MB."""
    target_cpu: float | None = None
    target_memory: float | None = None


_SETUP = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from agentops_dream import places, settings
from agentops_dream.order import Order
env = dict(os.environ)
order = Order(places.resolve(env), settings.read(env), env, "manual", manual=True)
"""
_LIGHT = (
    _SETUP
    + """
import gc
gc.disable()  # as the worker does
from dataclasses import replace
from agentops_dream import dream
order = replace(order, manual=False)
store = dream.read(order)
working_set = dream.choose(order, store, dream.changed(order, store))
assert len(working_set.focus) == 1, working_set.focus
os._exit(0)  # as the worker ends
"""
)
_UNDO = (
    _SETUP
    + """
from agentops_dream import undoing
undoing.undo(order, "last")
"""
)


def _cost(case: str, command: Sequence[str], env: dict[str, str], **targets: float) -> Cost:
    """Run ``command`` as a process of its own and return what it cost."""
    watch = (
        "import resource, subprocess, sys; code = subprocess.run(sys.argv[1:]).returncode; "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss); sys.exit(code)"
    )
    watched = [sys.executable, "-I", "-S", "-c", watch, *command]
    done = subprocess.run(watched, env=env, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{case}: {done.stderr[-2000:]}")
    cpu, peak = done.stdout.split()[-2:]
    scale = 1 if sys.platform == "darwin" else 1024
    return Cost(case, float(cpu), int(peak) * scale / 1e6, targets.get("cpu"), targets.get("memory"))


def _part(case: str, code: str, site: Site, **targets: float) -> Cost:
    return _cost(case, [sys.executable, "-I", "-X", "utf8", "-c", code, str(ROOT)], site.env, **targets)


def _best(times: int, measure: Callable[[], Cost]) -> Cost:
    """Return the cheapest of some runs: CPU seconds only ever grow by what others do."""
    return min((measure() for _ in range(times)), key=lambda cost: cost.cpu)


# ---------------------------------------------------------------- a whole dream


def _reword(memory: Path, number: int) -> dict[str, object]:
    """Return an honest update of one entry."""
    text = (memory / f"entry_{number:05d}.md").read_text(encoding="utf-8")
    body = text.split("---\n\n", 1)[1].replace(" and takes up to ", " and grabs up to ")
    return {
        "op": "update",
        "target_ids": [f"entry-{number:05d}"],
        "new_name": None,
        "delete_source": False,
        "new_frontmatter": None,
        "new_body": body,
        "links": [],
        "superseded": [],
        "confidence": 0.9,
        "rationale": "Wording.",
    }


def _client(folder: Path, ops: Sequence[object]) -> Path:
    """Write a client that gives this reply to every call."""
    envelope = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": "",
        "stop_reason": "end_turn",
        "total_cost_usd": 0.01,
        "structured_output": {"ops": ops, "summary": ""},
    }
    reply, client = folder / "reply.json", folder / "claude"
    reply.write_text(json.dumps(envelope), encoding="utf-8")
    client.write_text(f'#!/bin/sh\ncat >/dev/null\ncat "{reply}"\n')
    client.chmod(0o755)
    return client


def _dream(folder: Path, count: int, **targets: float) -> tuple[Cost, Cost]:
    """Return the cost of a dream over ``count`` touched entries of 130, each rewritten, and of its undo."""
    site = make_site(folder, 130, interpreter(), size=2048)
    touched = range(0, 5 * count, 5)
    change(site, touched)
    client = _client(folder, [_reword(site.memory, number) for number in touched])
    site.env.update(
        {
            GUARD: "1",
            TRIGGER: "Stop",
            "AGENTOPS_DREAM_PYTHON": sys.executable,
            "AGENTOPS_DREAM_CLAUDE_BIN": str(client),
        }
    )
    command = [interpreter(), *worker_command(str(ROOT))[1:]]
    case = f"a whole dream but the model's part, 130 entries, {count} ops applied with fsync"
    done = _cost(case, command, site.env, **targets)
    receipt = runs.latest_standing(site.state)
    applied = [verdict.status for verdict in receipt.verdicts]
    if applied != ["applied"] * count:
        raise RuntimeError(f"{case}: {receipt}")
    return done, _part(f"undo of that, {count} ops", _UNDO, site)


def measure(times: int) -> list[Cost]:
    """Return the costs of the worker's parts."""
    folder = Path(tempfile.mkdtemp(prefix="agentops-dream-bench-"))
    found = []
    try:
        for size in LIGHT:
            site = make_site(folder / f"light{size}", size, sys.executable, size=2048)
            change(site)
            case = f"light sleep, {size:,} entries, one in focus"
            limits = {"cpu": 1.0, "memory": 250.0} if size == 10000 else {}
            found.append(_best(times, lambda s=site, c=case, t=limits: _part(c, _LIGHT, s, **t)))
        for count in (6, 24):
            limits = {"cpu": 0.6} if count == 6 else {}
            pairs = [_dream(folder / f"dream{count}-{n}", count, **limits) for n in range(times)]
            found += [min(column, key=lambda cost: cost.cpu) for column in zip(*pairs, strict=True)]
        return found
    finally:
        shutil.rmtree(folder, ignore_errors=True)
