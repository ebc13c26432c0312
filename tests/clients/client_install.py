"""Installs the real clients once per lock file, with ``npm ci``, outside the checkout.

``AGENTOPS_DREAM_TEST_CLIENTS`` names another folder for them. Only the platform packages with the
native binaries are used, so no install script has to run and any Node.js that runs npm will do.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import portalocker

HERE = Path(__file__).resolve().parent
VERSIONS = ("2.1.197", "2.1.332")
OPT_OUT = "AGENTOPS_DREAM_TEST_NO_CLIENTS"


class NoClients(RuntimeError):
    """The clients cannot be had; the message says why and what to do."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"the real clients could not be installed: {why}\n"
            f"These tests need npm and a package registry. Install Node.js with npm, or set {OPT_OUT}=1 "
            "to leave them out."
        )


def claude(version: str) -> Path:
    """Return the native binary of Claude Code ``version``; raises ``NoClients``."""
    for manifest in sorted(_modules().glob("**/@anthropic-ai/claude-code-*/package.json")):
        if json.loads(manifest.read_text(encoding="utf-8")).get("version") == version:
            for name in ("claude", "claude.exe"):
                if (manifest.parent / name).is_file():
                    return manifest.parent / name
    raise NoClients(f"no binary of Claude Code {version} for this platform in {_modules()}")


def codex() -> Path:
    """Return the native binary of the Codex CLI; raises ``NoClients``."""
    for binary in sorted(_modules().glob("@openai/codex-*/vendor/*/bin/codex*")):
        if binary.name in ("codex", "codex.exe"):
            return binary
    raise NoClients(f"no binary of Codex for this platform in {_modules()}")


def _modules() -> Path:
    """Return the ``node_modules`` of the clients, installed if they are not there yet."""
    lock = (HERE / "package-lock.json").read_bytes()
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    base = Path(os.environ.get("AGENTOPS_DREAM_TEST_CLIENTS") or Path(home) / "agentops-dreaming" / "clients")
    folder = base / hashlib.sha256(lock).hexdigest()[:12]
    if not (folder / "complete").exists():
        base.mkdir(parents=True, exist_ok=True)
        with portalocker.Lock(base / "lock", timeout=280):
            if not (folder / "complete").exists():
                _install(folder)
    return folder / "node_modules"


def _install(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NoClients("npm is not on the PATH")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(HERE / name, folder / name)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=270)
    except (OSError, subprocess.TimeoutExpired) as failure:
        raise NoClients(f"`npm ci` in {folder}: {failure}") from failure
    if done.returncode:
        raise NoClients(f"`npm ci` in {folder} failed:\n{done.stderr[-2000:]}")
    (folder / "complete").touch()
