"""A plugin folder, a home and a project for tests of the hook, run by the exact commands of hooks.json.

Everything is real but the worker: in the plugin's copy it is one that writes down how it was started.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agentops_dream import places
from agentops_dream.store import coverage, fingerprint

ROOT = Path(__file__).resolve().parent.parent
ODD = "a b'c\"d/päth $x `y`"
PYTHON = getattr(sys, "_base_executable", None) or sys.executable
SHIPPED = (
    *(f"hooks/{name}" for name in ("hooks.json", "launch.sh", "find-python.sh")),
    *(
        f"agentops_dream/{name}.py"
        for name in (
            "__init__", "settings", "lean", "places", "dispatch", "notice", "interpreter",
            "store/__init__", "store/fingerprint",
        )
    ),
)  # fmt: skip
"""All that the hooks need of the plugin, short of the worker."""
PAYLOAD: dict[str, Any] = {
    "session_id": "5f0f2a",
    "transcript_path": "/nowhere/t.jsonl",
    "cwd": "/nowhere",
    "permission_mode": "default",
    "hook_event_name": "Stop",
    "stop_hook_active": False,
    "last_assistant_message": 'He said "stop_hook_active": true, the-words-of-the-session',
}

WORKER = '''
import json, os, sys, time
def main(root):
    fds = []
    for name in os.listdir("/proc/self/fd"):
        try:
            fds.append([int(name), os.readlink("/proc/self/fd/" + name)])
        except OSError:
            pass
    with open("/proc/self/cmdline", "rb") as stream:
        command = stream.read().decode("utf-8", "replace").split("\\0")
    report = {"pid": os.getpid(), "sid": os.getsid(0), "fds": fds, "env": dict(os.environ), "root": root,
              "command": command, "cwd": os.getcwd(), "nice": os.nice(0)}
    path = os.environ["REPORTS"] + "/%d" % os.getpid()
    with open(path + ".part", "w") as stream:
        json.dump(report, stream)
    os.rename(path + ".part", path + ".json")
    time.sleep(float(os.environ.get("LINGER", "0")))
'''


class Wall:
    """One user with one project, and a plugin in a folder of awkward name."""

    def __init__(self, folder: Path, *, odd: str = ODD, python: str = PYTHON) -> None:
        self.folder = folder
        self.plugin = folder / odd
        self.home = folder / "home"
        self.project = folder / "project"
        self.reports = folder / "reports"
        self.python = python
        for made in (self.plugin, self.home / ".claude", self.project, self.reports):
            made.mkdir(parents=True)
        for name in SHIPPED:
            target = self.plugin / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
        (self.plugin / "agentops_dream" / "worker.py").write_text(WORKER)
        self.env = {
            "HOME": str(self.home),
            "PATH": "/usr/bin:/bin",
            "CLAUDE_PROJECT_DIR": str(self.project),
            "CLAUDE_PLUGIN_ROOT": str(self.plugin),
            "CLAUDE_PLUGIN_DATA": str(folder / "data"),
            "CLAUDECODE": "1",
            "CLAUDE_CODE_MESSAGING_TOKEN": "not-for-children",
            "CLAUDE_CODE_MESSAGING_SOCKET": "/nowhere.sock",
            "KEPT": "this",
            "REPORTS": str(self.reports),
        }
        self.remember(python)

    # ------------------------------------------------------------ setting up

    @property
    def places(self) -> places.Places:
        return places.resolve(self.env)

    @property
    def memory(self) -> Path:
        return Path(self.places.memory)

    @property
    def state(self) -> Path:
        return Path(self.places.state)

    def remember(self, python: str) -> None:
        """Let the launcher know an interpreter, as a worker before would have."""
        (self.home / ".claude" / "agentops").mkdir(mode=0o700, exist_ok=True)
        (self.home / ".claude" / "agentops" / "python").write_text(python + "\n")

    def entry(self, name: str = "a.md", text: str = "text") -> Path:
        path = self.memory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def cover(self) -> None:
        """Let a dream have seen everything as it is."""
        self.state.mkdir(parents=True, exist_ok=True)
        memory = str(self.memory)
        covered = {p: ("", fingerprint.digest_of(f"{memory}/{p}") or "") for p in fingerprint.walk(memory)}
        known = coverage.advance(fingerprint.Fingerprint({}), memory, covered)
        coverage.save(known, str(self.state / "fingerprint.json"), memory)

    def write_state(self, name: str, value: object) -> None:
        self.state.mkdir(parents=True, exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value)
        (self.state / name).write_text(text)

    # ------------------------------------------------------------ running

    def command(self, event: str = "Stop") -> str:
        hooks = json.loads((ROOT / "hooks" / "hooks.json").read_text())["hooks"]
        return str(hooks[event][0]["hooks"][0]["command"])

    def hook(
        self, event: str = "Stop", payload: Mapping[str, Any] | bytes | None = None, **more: Any
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the hook's exact command and return what it said."""
        env = {**self.env, **more.pop("env", {})}
        env = {name: value for name, value in env.items() if value is not None}
        if "stdin" not in more:
            named = payload if payload is not None else {**PAYLOAD, "hook_event_name": event}
            more["input"] = named if isinstance(named, bytes) else json.dumps(named).encode() + b"\n"
        return subprocess.run(
            [more.pop("shell", "/bin/sh"), "-c", self.command(event)],
            env=env, cwd=more.pop("cwd", "/"), capture_output=True, timeout=60, **more,
        )  # fmt: skip

    def quiet(self, *args: Any, **more: Any) -> None:
        """Run the hook and require what is always required."""
        done = self.hook(*args, **more)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    # ------------------------------------------------------------ looking

    def started(self, *, within: float = 30) -> dict[str, Any]:
        """Return how the one worker was started; fails if none comes."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            found = list(self.reports.glob("*.json"))
            if found:
                assert len(found) == 1
                report: dict[str, Any] = json.loads(found[0].read_text())
                found[0].unlink()
                return report
            time.sleep(0.01)
        raise AssertionError("no worker was started; log: " + self.log())

    def nothing_started(self) -> bool:
        """Tell that no worker of this wall lives or has lived since the last look."""
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                if f"REPORTS={self.reports}".encode() in path.read_bytes().split(b"\0"):
                    return False
            except OSError:
                continue
        return not list(self.reports.iterdir())

    def log(self) -> str:
        path = Path(self.places.log)
        return path.read_text() if path.exists() else ""

    def tree(self) -> dict[str, tuple[int, int]]:
        """Every file and folder of home and data, and when it changed."""
        found = {}
        for top in (self.home, self.folder / "data"):
            for path in (top, *top.rglob("*")) if top.exists() else ():
                stat = path.lstat()
                found[str(path)] = (stat.st_mtime_ns, stat.st_size)
        return found


def end(pid: int) -> None:
    """End a worker that lingers."""
    os.kill(pid, signal.SIGKILL)
