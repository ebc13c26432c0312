"""From the hook's command to the finished dream, in real processes; only the model is a stand-in.

What one of these loses is a user's money, or a machine full of processes.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from dream_kit import FAKE, ROOT, fill, make_bed
from dream_kit import Bed as Kit
from marked_processes import MARK, marked, wait_for_quiet

HOOK = json.loads((ROOT / "hooks" / "hooks.json").read_text())["hooks"]["Stop"][0]["hooks"][0]["command"]
PAYLOAD = {"hook_event_name": "Stop", "stop_hook_active": False, "session_id": "s"}


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[Kit]:
    made = make_bed(tmp_path)
    fill(made)
    made.env.update(
        {
            "CLAUDE_PLUGIN_ROOT": str(ROOT),
            "CLAUDE_PLUGIN_DATA": str(tmp_path / "data"),
            "AGENTOPS_DREAM_PYTHON": sys.executable,
            "AGENTOPS_DREAM_CLAUDE_BIN": str(FAKE),
            "FAKE_CLAUDE_SCENARIO": "tidy",
            MARK: uuid.uuid4().hex,
        }
    )
    yield made
    for process in marked(made.env[MARK]):
        os.kill(process.pid, 9)


def start_hook(bed: Kit, **env: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        ["/bin/sh", "-c", HOOK],
        env={**bed.env, "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", **env},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps({**PAYLOAD, "cwd": str(bed.project)}) + "\n")
    process.stdin.close()
    return process


def end_hook(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    assert process.stdout is not None and process.stderr is not None
    said = process.stdout.read(), process.stderr.read()
    return (process.wait(60), *said)


def runs(bed: Kit) -> list[Path]:
    return list((bed.folder / "config" / "agentops").glob("state/*/runs/*/receipt.json"))


def test_a_client_whose_hooks_fire_in_the_dream_is_started_once(bed: Kit) -> None:
    """The stand-in does what an unguarded client would: it runs the hook itself before it answers."""
    given = {name: shlex.quote(bed.env[name]) for name in ("CLAUDE_PLUGIN_ROOT", "CLAUDE_PROJECT_DIR")}
    inner = f"export {' '.join('='.join(item) for item in given.items())}; {HOOK}"
    # Slow, so that whatever the inner hook starts has time to begin a dream of its own.
    scenario = {"FAKE_CLAUDE_SCENARIO": "slow:3"}
    env = {"FAKE_CLAUDE_HOOK": inner, "AGENTOPS_DREAM_MIN_INTERVAL": "0", **scenario}
    assert end_hook(start_hook(bed, **env)) == (0, "", "")
    wait_for_quiet(bed.env[MARK], 120)
    (call,) = bed.calls
    assert call["refused"] == "" and call["hook"] == {"rc": 0, "stdout": "", "stderr": ""}
    assert len(runs(bed)) == 1


def test_eight_hooks_at_once_are_one_dream(bed: Kit) -> None:
    """Without waiting times, so that only the lock and the fingerprint stand between them."""
    env = {"AGENTOPS_DREAM_MIN_INTERVAL": "0"}
    hooks = [start_hook(bed, **env) for _ in range(8)]
    assert [end_hook(hook) for hook in hooks] == [(0, "", "")] * 8
    wait_for_quiet(bed.env[MARK], 120)
    assert len(bed.calls) == 1 and len(runs(bed)) == 1


def test_memory_that_changes_while_the_model_thinks_is_kept_and_dreamt_over_next(bed: Kit) -> None:
    env = {"AGENTOPS_DREAM_MIN_INTERVAL": "0", "FAKE_CLAUDE_SCENARIO": "slow:3,nothing"}
    assert end_hook(start_hook(bed, **env)) == (0, "", "")
    while not bed.calls:
        assert marked(bed.env[MARK]), bed.log
    entry = next(path for path in sorted(bed.memory.glob("*.md")) if path.name != "MEMORY.md")
    edited = entry.read_text() + "\nAdded by hand: ask Ada.\n"
    entry.write_text(edited)
    wait_for_quiet(bed.env[MARK], 120)
    assert entry.read_text() == edited
    assert end_hook(start_hook(bed, **env)) == (0, "", "")
    wait_for_quiet(bed.env[MARK], 120)
    assert len(bed.calls) == 2 and "ask Ada" in bed.calls[1]["stdin"]


def test_a_dead_model_leaves_memory_as_it_is_and_is_not_called_again_at_once(bed: Kit) -> None:
    before = bed.tree()
    env = {"FAKE_CLAUDE_SCENARIO": "dead", "AGENTOPS_DREAM_MIN_INTERVAL": "60"}
    for _ in range(3):
        assert end_hook(start_hook(bed, **env)) == (0, "", "")
        wait_for_quiet(bed.env[MARK], 120)
    assert bed.tree() == before
    assert len(bed.calls) == 1 and bed.log.count("\n") == 1
