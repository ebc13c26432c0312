"""The stand-in ``claude``: checks how it is called, answers from a scenario, keeps a record.

Controlled by environment variables, because a worker far away from the test starts it:

- ``FAKE_CLAUDE_SCENARIO``  name or path of the scenario (default ``nothing``); several with commas
  are used one after the other, counted by the lines of the log;
- ``FAKE_CLAUDE_LOG``       file that gets one JSON line per call (argv, environment, stdin, cwd, verdict);
- ``FAKE_CLAUDE_HOOK``      shell command run with a Stop payload before the answer: what a client whose
  hooks still fire would do;
- ``FAKE_CLAUDE_UNKNOWN``   flags that this "version" does not know, separated by spaces;
- ``FAKE_CLAUDE_VERSION``   what ``--version`` says.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fake_claude import scenarios
from fake_claude.envelope import render
from fake_claude.flags import Refused, check
from fake_claude.prompt import parse

_RECORDED = ("CLAUDE", "ANTHROPIC", "AGENTOPS", "MCP", "API_TIMEOUT", "DISABLE_")
_PRIVATE = ("KEY", "TOKEN", "SECRET", "PASSWORD")


def main(argv: Sequence[str], env: Mapping[str, str], cwd: str) -> int:
    """Play one call; returns the exit code."""
    if list(argv) in (["--version"], ["-v"]):
        print(f"{env.get('FAKE_CLAUDE_VERSION', '2.1.332')} (Claude Code)")
        return 0
    record: dict[str, Any] = {
        "argv": list(argv),
        "env": _selected(env),
        "cwd": cwd,
        "listing": sorted(os.listdir(cwd)),
        "stdin": "",
        "refused": "",
    }
    try:
        call = check(argv, env, cwd)
    except Refused as refusal:
        _write(env, {**record, "refused": str(refusal)})
        sys.stderr.write(f"error: {refusal}\n")
        return 1
    prompt = sys.stdin.buffer.read().decode("utf-8")
    nth = _calls_so_far(env)
    record["stdin"] = prompt
    if env.get("FAKE_CLAUDE_HOOK"):
        record["hook"] = _hook(env["FAKE_CLAUDE_HOOK"], cwd)
    _write(env, record)
    shown = parse(f"{call.flags['--system-prompt']}\n{prompt}")
    answer = scenarios.dream(env.get("FAKE_CLAUDE_SCENARIO") or "nothing", shown, nth)
    time.sleep(answer.wait)
    stdout, rc = render(answer, call, prompt)
    sys.stdout.buffer.write(stdout.encode("utf-8"))
    return rc


def _selected(env: Mapping[str, str]) -> dict[str, str]:
    """Return the variables worth asserting on; of private ones only that they are set."""
    return {
        name: "…" if any(word in name for word in _PRIVATE) else value
        for name, value in env.items()
        if name.startswith(_RECORDED)
    }


def _calls_so_far(env: Mapping[str, str]) -> int:
    log = env.get("FAKE_CLAUDE_LOG")
    if not log or not os.path.exists(log):
        return 0
    lines = Path(log).read_text(encoding="utf-8").splitlines()
    return sum(1 for line in lines if not json.loads(line)["refused"])


def _write(env: Mapping[str, str], record: Mapping[str, Any]) -> None:
    log = env.get("FAKE_CLAUDE_LOG")
    if log:
        with open(log, "a", encoding="utf-8") as out:
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def _hook(command: str, cwd: str) -> dict[str, Any]:
    payload = {"hook_event_name": "Stop", "stop_hook_active": False, "session_id": "fake", "cwd": cwd}
    done = subprocess.run(
        ["/bin/sh", "-c", command], input=json.dumps(payload), capture_output=True, text=True, timeout=60
    )
    return {"rc": done.returncode, "stdout": done.stdout, "stderr": done.stderr}
