"""A user's desk for one test: a home, a project, a real client, and the stand-in API behind it.

    desk = Desk(tmp_path, "2.1.332", api)
    desk.install_plugin()
    session = desk.session("Remember the port", allow="Write")
    desk.wait_for_quiet()

Nothing of the machine comes along but the Python that runs the tests: own ``HOME``, own
``PATH`` with ``claude`` on it, no variables. Every process that begins here carries the desk's
mark, also a detached worker, so ``processes`` and ``wait_for_quiet`` see them all.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import client_install
from client_terminal import Terminal
from marked_processes import MARK, Process, marked, wait_for_quiet

from fake_claude.server import FakeAPI

ROOT = Path(__file__).resolve().parent.parent.parent
_NOT_SHIPPED = (
    ".git",
    "node_modules",
    "__pycache__",
    ".pytest_cache",
    ".hypothesis",
    ".mypy_cache",
    ".ruff_cache",
)


@dataclass(frozen=True)
class Session:
    """What one ``claude -p`` left behind."""

    rc: int
    events: tuple[Mapping[str, Any], ...]
    """The ``stream-json`` lines."""
    stderr: str

    @property
    def memory(self) -> Path:
        """The memory directory, as the client itself gives it."""
        return Path(self._first("init")["memory_paths"]["auto"])

    @property
    def id(self) -> str:
        return str(self._first("init")["session_id"])

    @property
    def result(self) -> str:
        """The agent's last words."""
        return str(next(e for e in self.events if e.get("type") == "result").get("result"))

    def _first(self, subtype: str) -> Mapping[str, Any]:
        return next(e for e in self.events if e.get("subtype") == subtype)


class Desk:
    """One user, one project, one client version."""

    def __init__(self, folder: Path, version: str, api: FakeAPI, *, project: Path | None = None) -> None:
        self.folder = folder
        self.version = version
        self.api = api
        self.mark = uuid.uuid4().hex
        self.home = folder / "home"
        self.project = project or folder / "project"
        self.extra: dict[str, str] = {"AGENTOPS_DREAM_PYTHON": sys.executable}
        """Environment variables on top, also for the worker. The first one spares it the building of a
        private environment; take it out to see that happen."""
        self.bin = self.home / "bin"
        self.bin.mkdir(parents=True)
        (self.bin / "claude").symlink_to(client_install.claude(version))
        python = self.bin / "python3"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
        if not self.project.exists():
            self.project.mkdir(parents=True)
        self.seed()

    # ------------------------------------------------------------ places

    @property
    def config(self) -> Path:
        """Claude's configuration directory."""
        return Path(self.extra.get("CLAUDE_CONFIG_DIR") or self.home / ".claude")

    @property
    def state(self) -> Path:
        """The state root of the product."""
        return self.config / "agentops"

    @property
    def global_file(self) -> Path:
        """The client's own ``.claude.json``."""
        return (self.config if "CLAUDE_CONFIG_DIR" in self.extra else self.home) / ".claude.json"

    @property
    def env(self) -> dict[str, str]:
        """The whole environment of every client here."""
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join((str(self.bin), "/usr/bin", "/bin")),
            "LANG": "C.UTF-8",
            "CLAUDE_CODE_MAX_RETRIES": "1",
            MARK: self.mark,
            **self.api.env(),
            **self.extra,
        }

    # ------------------------------------------------------------ setting up

    def seed(self, **more: Any) -> None:
        """Answer the questions of a first start: theme, key, trust in the project."""
        self.global_file.parent.mkdir(parents=True, exist_ok=True)
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        state = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "lastOnboardingVersion": self.version,
            "customApiKeyResponses": {
                "approved": [self.api.env()["ANTHROPIC_API_KEY"][-20:]],
                "rejected": [],
            },
            "projects": {str(self.project.resolve()): trusted},
            **more,
        }
        self.global_file.write_text(json.dumps(state), encoding="utf-8")

    def settings(self, **values: Any) -> None:
        """Write the user's ``settings.json``, keeping what a plugin installation put there."""
        path = self.config / "settings.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        have = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        path.write_text(json.dumps({**have, **values}), encoding="utf-8")

    def turn_on_extraction(self) -> None:
        """Let the client extract memories in the background, after ``Stop``.

        The pass hides behind a server flag; the client believes the flags in its own cache when
        telemetry is on, which then has nowhere to go.
        """
        flags = {"tengu_passport_quail": True, "tengu_slate_thimble": True}
        self.seed(cachedGrowthBookFeatures=flags, cachedFeatureFlags=flags)
        self.extra.update(
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="",
            DISABLE_TELEMETRY="",
            HTTPS_PROXY="http://127.0.0.1:9",
            NO_PROXY="127.0.0.1",
        )

    def git(self, *words: str, cwd: Path | None = None) -> str:
        """Run git in the project; returns its output."""
        identity = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
        for who in ("AUTHOR", "COMMITTER"):
            identity[f"GIT_{who}_NAME"], identity[f"GIT_{who}_EMAIL"] = "Ada", "ada@example.org"
        done = subprocess.run(
            ["git", *words],
            cwd=cwd or self.project,
            env={**self.env, **identity},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def install_plugin(self, source: Path | None = None) -> Path:
        """Install the plugin the way a user does, from a copy of the checkout; returns the copy."""
        copy = self.folder / "plugin source"
        if source is None:
            copy_checkout(copy)
        else:
            copy = source
        market = json.loads((copy / ".claude-plugin" / "marketplace.json").read_text(encoding="utf-8"))
        plugin = market["plugins"][0]["name"]
        self.claude("plugin", "marketplace", "add", str(copy))
        self.claude("plugin", "install", f"{plugin}@{market['name']}")
        return copy

    # ------------------------------------------------------------ working

    def claude(self, *words: str, cwd: Path | None = None, stdin: str = "", timeout: float = 90) -> str:
        """Run the client to its end; returns stdout. Raises ``AssertionError`` unless it ends with 0."""
        done = self._run(words, cwd, stdin, timeout)
        assert done.returncode == 0, f"claude {' '.join(words)}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout

    def session(
        self, prompt: str, *flags: str, allow: str = "Write", cwd: Path | None = None, timeout: float = 90
    ) -> Session:
        """Run one session without a terminal, the agent playing its script; returns what it left."""
        words = ["-p", prompt, "--output-format", "stream-json", "--verbose", "--allowedTools", allow, *flags]
        done = self._run(words, cwd, "", timeout)
        events = []
        for line in done.stdout.splitlines():
            if line.startswith("{"):
                events.append(json.loads(line))
        assert events, f"no session: {done.returncode} {done.stderr[-2000:]}"
        return Session(done.returncode, tuple(events), done.stderr)

    def terminal(self, *words: str, cwd: Path | None = None) -> Terminal:
        """Start the client in its terminal UI and wait until it listens."""
        command = [str(self.bin / "claude"), *words]
        terminal = Terminal(command, cwd=cwd or self.project, env=self.env)
        try:
            # Below the input line: one version, and the other.
            terminal.wait_for("for shortcuts", "to cycle")
        except BaseException:
            terminal.__exit__()
            raise
        return terminal

    def processes(self) -> list[Process]:
        """Return every living process that began at this desk."""
        return marked(self.mark)

    def wait_for_quiet(self, seconds: float = 60.0) -> None:
        """Return when no process of this desk is left, the detached worker included."""
        wait_for_quiet(self.mark, seconds)

    def close(self) -> None:
        """End what is still running at this desk."""
        for process in self.processes():
            try:
                os.kill(process.pid, 9)
            except ProcessLookupError:
                continue

    def _run(
        self, words: tuple[str, ...] | list[str], cwd: Path | None, stdin: str, timeout: float
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.bin / "claude"), *words],
            cwd=cwd or self.project,
            env=self.env,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=timeout,
        )


def copy_checkout(target: Path) -> None:
    """Copy what a clone of this checkout would hold."""
    shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(*_NOT_SHIPPED, ".venv", ".build", "dist"))
