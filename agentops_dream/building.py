"""How an environment is built from a lock file: with ``uv``, else with ``venv`` and ``pip`` (SPEC §17).

Standard library only, Python 3.9. Nothing is installed whose hash is not in the lock file.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

OLDEST = (3, 10)
IMPORTS = ("click", "jsonschema", "markdown_it", "portalocker", "rapidfuzz", "rich", "yaml")
"""What must be importable before an environment counts as built; ``anthropic`` too where it is locked."""

_ELSEWHERE = ("~/.local/bin", "~/.cargo/bin", "/opt/homebrew/bin", "/usr/local/bin", "/opt/local/bin")
# These would send the packages somewhere else than into the environment.
_MISLEADING = tuple(f"PIP_{name}" for name in ("USER", "TARGET", "PREFIX", "ROOT", "REQUIREMENT"))
_LOOK = "import sys; print('%d.%d' % sys.version_info[:2]); sys.exit(sys.version_info < (3, 10))"


class Failed(Exception):
    """The environment could not be built; the text says why and what to do."""


class Tools:
    """The programs at hand and the environment variables they get."""

    def __init__(self, env: Mapping[str, str], python: str, version: str, uv: str) -> None:
        self.env = {name: value for name, value in env.items() if name not in _MISLEADING}
        self.python = python
        """An interpreter from 3.10; ``""`` if none was found."""
        self.version = version
        """``3.12``; ``""`` if ``uv`` has to find one."""
        self.uv = uv
        """``""`` if there is none."""

    @classmethod
    def find(cls, env: Mapping[str, str]) -> Tools:
        """Return what there is. Hooks often have a bare PATH, so the usual places are looked at too."""
        path = os.pathsep.join([env.get("PATH", ""), *(_expand(env, place) for place in _ELSEWHERE)])
        uv = shutil.which("uv", path=path) or ""
        for python in _interpreters(env, path):
            version = _version(python, env)
            if version:
                return cls(env, python, version, uv)
        return cls(env, "", "", uv)


def build(tools: Tools, lock: Path, aside: Path, python: str, deadline: float = 900) -> str:
    """Build an environment in the folder ``aside`` and return its Python version, ``3.12``.

    ``python``: the interpreter that will be in it. Raises ``Failed``, ``OSError``.
    """
    until = time.monotonic() + deadline
    reasons = []
    for name, steps in _ways(tools, lock, aside, python):
        try:
            for step in steps:
                _run(step, tools.env, aside.parent, until)
            names = (*IMPORTS, *(("anthropic",) if "\nanthropic==" in lock.read_text("utf-8") else ()))
            _run([python, "-I", "-c", f"import {', '.join(names)}"], tools.env, aside.parent, until)
            return _version(python, tools.env) or tools.version
        except Failed as failed:
            reasons.append(f"{name}: {failed}")
            shutil.rmtree(aside, ignore_errors=True)
    if not reasons:
        raise Failed(
            "dreaming needs Python 3.10 or newer and found none; install one (python.org, your package "
            "manager) or uv"
        )
    raise Failed("the private environment could not be built; " + "; ".join(reasons) + _remedy(reasons))


def _ways(
    tools: Tools, lock: Path, aside: Path, python: str
) -> Iterator[tuple[str, Sequence[Sequence[str]]]]:
    if tools.uv:
        wanted = tools.python or f">={'.'.join(map(str, OLDEST))}"
        yield (
            "uv",
            [
                [tools.uv, "venv", "--quiet", "--no-project", "--python", wanted, str(aside)],
                [
                    tools.uv, "pip", "install", "--quiet", "--python", python, "--require-hashes",
                    "--no-deps", "--compile-bytecode", "-r", str(lock),
                ],
            ],
        )  # fmt: skip
    if tools.python:
        yield (
            "pip",
            [
                [tools.python, "-I", "-m", "venv", str(aside)],
                [
                    python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                    "--no-input", "--require-hashes", "--no-deps", "--prefer-binary", "-r", str(lock),
                ],
            ],
        )  # fmt: skip


def _run(command: Sequence[str], env: Mapping[str, str], cwd: Path, until: float) -> None:
    try:
        done = subprocess.run(
            command,
            env=dict(env),
            cwd=cwd,  # not the user's project, whose settings are for its own environment
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=max(1, until - time.monotonic()),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failed("it took too long") from None
    except OSError as error:
        raise Failed(f"{command[0]} cannot be started ({error.strerror})") from None
    if done.returncode:
        raise Failed(_gist(done.stdout.decode("utf-8", "replace")) or f"exit code {done.returncode}")


def _gist(output: str) -> str:
    """Return what a person needs of a program's last words, without the password of a mirror."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"(?i)(error|[x\u00d7] |\w*Error:)", line)] or lines[-3:]
    words = " ".join(" ".join(errors).split())
    return re.sub(r"://[^/@\s]+@", "://", words)[:300]


def _remedy(reasons: Sequence[str]) -> str:
    text = " ".join(reasons)
    if "ensurepip" in text or "No module named venv" in text or "No module named pip" in text:
        return ". On Debian and Ubuntu: apt install python3-venv; or install uv"
    return ". It is tried again later; `agentops-dream doctor` tries at once"


def _interpreters(env: Mapping[str, str], path: str) -> Iterator[str]:
    """Yield candidates, this interpreter first. Each has still to prove what it is."""
    seen = set()
    base = getattr(sys, "_base_executable", None) or sys.executable
    names = ["python3", *(f"python3.{minor}" for minor in range(14, 9, -1)), "python"]
    candidates = [base, *(shutil.which(name, path=path) for name in names)]
    for pattern in ("~/.pyenv/versions/*/bin/python3", "~/.local/share/uv/python/*/bin/python3"):
        home, rest = _expand(env, "~"), pattern[2:]
        candidates += [str(found) for found in sorted(Path(home).glob(rest), reverse=True)]
    for candidate in candidates:
        if candidate and candidate not in seen:
            seen.add(candidate)
            yield candidate


def _version(python: str, env: Mapping[str, str]) -> str:
    """Return ``3.12`` for a working interpreter that is new enough, else ``""``."""
    try:
        done = subprocess.run(
            [python, "-I", "-c", _LOOK],
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    text = done.stdout.decode("ascii", "replace").strip()
    return text if done.returncode == 0 and re.fullmatch(r"3\.\d+", text) else ""


def _expand(env: Mapping[str, str], place: str) -> str:
    home = env.get("HOME") or os.path.expanduser("~")
    return home + place[1:] if place.startswith("~") else place
