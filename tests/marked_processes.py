"""Which processes belong to a test: those that carry its mark in their environment.

A detached worker has left its parent, its process group and its terminal behind; the environment
is the one thing that it inherits, so the mark finds it wherever it went.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MARK = "AGENTOPS_TEST_MARK"


@dataclass(frozen=True)
class Process:
    pid: int
    command: str


def marked(mark: str) -> list[Process]:
    """Return the living processes whose environment holds ``mark``, this one left out."""
    if Path("/proc/self/environ").exists():
        return _from_proc(f"{MARK}={mark}".encode())
    listing = subprocess.run(["ps", "-axEww", "-o", "pid=,command="], capture_output=True, text=True).stdout
    found = [line.split(None, 1) for line in listing.splitlines() if f"{MARK}={mark}" in line]
    return [Process(int(pid), command) for pid, command in found if int(pid) != os.getpid()]


def _from_proc(wanted: bytes) -> list[Process]:
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            if wanted in _environment(folder).split(b"\0"):
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
                found.append(Process(int(folder.name), command.strip()))
        except OSError:
            continue  # It ended while we looked.
    return found


def _environment(folder: Path) -> bytes:
    """Return what a process has in its environment; a zombie has nothing left and counts as gone.

    In the midst of ``exec`` there is nothing to read either, although the process lives: asked again.
    """
    for _ in range(20):
        found = (folder / "environ").read_bytes()
        if found or not os.access(folder / "exe", os.F_OK):
            break
        time.sleep(0.001)
    return found


def wait_until(happened: Callable[[], object], what: str, seconds: float = 60.0) -> None:
    """Return as soon as ``happened()`` is true; raises ``AssertionError`` that names ``what``."""
    for _ in range(int(seconds / 0.05)):
        if happened():
            return
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds:g} s: {what}")


def wait_for_quiet(mark: str, seconds: float = 60.0) -> None:
    """Return when no marked process is left; raises ``AssertionError`` that lists those that are."""
    left: list[Process] = []

    def quiet() -> bool:
        left[:] = marked(mark)
        return not left

    try:
        wait_until(quiet, "all processes of the session gone", seconds)
    except AssertionError as error:
        raise AssertionError(f"{error}: {left}") from None
