"""The worker without the model: light sleep, judging and committing a plan, undo. CPU, not wall time."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sites import ROOT, change_one, cover, make_site

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
import json, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from agentops_dream import places, settings
from agentops_dream.order import Order
env = json.loads(sys.argv[2])
order = Order(places.resolve(env), settings.read(env), env, "manual", manual=True)
"""
_LIGHT = (
    _SETUP
    + """
from dataclasses import replace
from agentops_dream import dream
order = replace(order, manual=False)
store = dream.read(order)
working_set = dream.choose(order, store, dream.changed(order, store))
assert len(working_set.focus) == 1, working_set.focus
"""
)
_DREAM = (
    _SETUP
    + """
from agentops_dream import dream
from agentops_dream.rem import ask
from agentops_dream.models import Reply
ops = json.loads(Path(sys.argv[3]).read_text())
ask.prepare = lambda *a: "none"
ask.ask = lambda *a, **k: Reply(tuple(ops), "")
receipt = dream.dream(order)
applied = [v.status for v in receipt.verdicts]
assert applied == ["applied"] * len(ops), [v.reason for v in receipt.verdicts]
"""
)
_UNDO = (
    _SETUP
    + """
from agentops_dream import undoing
undoing.undo(order, "last")
"""
)


def _cost(case: str, code: str, *arguments: str, **targets: float) -> Cost:
    """Run ``code`` in a process of its own and return what it cost."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    watch = (
        "import resource, subprocess, sys; code = subprocess.run(sys.argv[1:]).returncode; "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", watch, sys.executable, "-c", code, str(ROOT), *arguments],
        capture_output=True,
        text=True,
    )
    del before
    if done.returncode:
        raise RuntimeError(f"{case}: {done.stderr[-2000:]}")
    cpu, peak = done.stdout.split()[-2:]
    scale = 1 if sys.platform == "darwin" else 1024
    return Cost(case, float(cpu), int(peak) * scale / 1e6, targets.get("cpu"), targets.get("memory"))


def _best(times: int, measure: Callable[[], Cost]) -> Cost:
    """Return the cheapest of some runs: CPU seconds only ever grow by what others do."""
    return min((measure() for _ in range(times)), key=lambda cost: cost.cpu)


def plan(memory: Path, count: int, each: int) -> list[dict[str, object]]:
    """Return ``count`` updates that reword entries, all of them honest."""
    ops = []
    for number in range(count):
        text = (memory / f"entry_{number * each:05d}.md").read_text(encoding="utf-8")
        body = text.split("---\n\n", 1)[1].replace(" and takes up to ", " and grabs up to ")
        ops.append(
            {
                "op": "update",
                "target_ids": [f"entry-{number * each:05d}"],
                "new_name": None,
                "delete_source": False,
                "new_frontmatter": None,
                "new_body": body,
                "links": [],
                "superseded": [],
                "confidence": 0.9,
                "rationale": "Wording.",
            }
        )
    return ops


def measure(times: int) -> list[Cost]:
    """Return the costs of the worker's parts."""
    folder = Path(tempfile.mkdtemp(prefix="agentops-dream-bench-"))
    found = []
    try:
        for size in LIGHT:
            site = make_site(folder / f"light{size}", size, sys.executable, size=2048)
            change_one(site)
            env = json.dumps(site.env)
            limits = {"cpu": 1.0, "memory": 250.0} if size == 10000 else {}
            found.append(
                _best(
                    times,
                    lambda s=size, e=env, t=limits: _cost(
                        f"light sleep, {s:,} entries, one in focus", _LIGHT, e, **t
                    ),
                )
            )
        for count in (6, 24):
            site = make_site(folder / f"dream{count}", 130, sys.executable, size=2048)
            ops = folder / f"ops{count}.json"
            ops.write_text(json.dumps(plan(site.memory, count, 5)), encoding="utf-8")
            env = json.dumps({**site.env, "AGENTOPS_DREAM_MAX_BYTES": "1000000"})

            def whole(site=site, count=count, ops=ops, env=env) -> tuple[Cost, Cost]:  # type: ignore[no-untyped-def]
                shutil.rmtree(site.state)
                os.makedirs(site.state)
                cover(site.memory, site.state)
                change_one(site)
                case = f"all but the model call, 130 entries, {count} ops applied with fsync"
                done = _cost(case, _DREAM, env, str(ops), **({"cpu": 0.6} if count == 6 else {}))
                back = _cost(f"undo of that, {count} ops", _UNDO, env)
                return done, back

            pairs = [whole() for _ in range(times)]
            found.append(min((done for done, _ in pairs), key=lambda cost: cost.cpu))
            found.append(min((back for _, back in pairs), key=lambda cost: cost.cpu))
        return found
    finally:
        shutil.rmtree(folder, ignore_errors=True)
