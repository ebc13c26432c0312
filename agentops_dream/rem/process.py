"""Run one child to its end or to its limits, and leave nothing of it behind (SPEC §7, §16).

The child gets its own process group, so that whatever it starts goes with it: nothing may live on
after the time is up, and a grandchild that holds a pipe must not hold us.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

_GRACE = 2.0
"""Seconds between the polite signal and the other one, and for pipes to drain."""
_CHUNK = 65536


@dataclass(frozen=True)
class Ended:
    """How a child ended."""

    how: Literal["exit", "timeout", "flood"]
    """``flood``: it wrote more than it may."""
    rc: int
    stdout: bytes
    """At most ``max_stdout`` bytes."""
    stderr: bytes
    seconds: float


def run(
    argv: Sequence[str],
    *,
    stdin: bytes,
    env: Mapping[str, str],
    cwd: Path,
    timeout: float,
    max_stdout: int = 16_000_000,
    max_stderr: int = 64_000,
) -> Ended:
    """Run ``argv`` with ``stdin``; return how it ended, within ``timeout`` plus a few seconds.

    Raises ``OSError`` if it cannot be started. When this returns or raises, the whole process group
    of the child is gone.
    """
    started = time.monotonic()
    child = subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(env),
        cwd=cwd,
        close_fds=True,
        **_own_group(),
    )
    flood = threading.Event()
    out, err = _Reader(child.stdout, max_stdout, flood), _Reader(child.stderr, max_stderr, None)
    threads = [threading.Thread(target=_feed, args=(child.stdin, stdin), daemon=True)]
    threads += [threading.Thread(target=reader.drain, daemon=True) for reader in (out, err)]
    how: Literal["exit", "timeout", "flood"] = "exit"
    try:
        for thread in threads:
            thread.start()
        deadline = started + timeout
        while child.poll() is None:
            if flood.is_set():
                how = "flood"
                break
            left = deadline - time.monotonic()
            if left <= 0:
                how = "timeout"
                break
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(min(left, 0.2))
    finally:
        _end(child, politely=how == "timeout")
        for thread in threads:
            thread.join(_GRACE)
    return Ended(how, child.returncode, out.data(), err.data(), time.monotonic() - started)


class _Reader:
    """Reads a pipe to its end, keeping the first ``limit`` bytes."""

    def __init__(self, pipe: IO[bytes] | None, limit: int, overflow: threading.Event | None) -> None:
        assert pipe is not None
        self._pipe = pipe
        self._limit = limit
        self._overflow = overflow
        self._kept = bytearray()

    def drain(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._pipe:
            # Not read(): it would wait for a full chunk.
            while chunk := os.read(self._pipe.fileno(), _CHUNK):
                room = self._limit - len(self._kept)
                self._kept += chunk[:room]
                if len(chunk) > room and self._overflow is not None:
                    self._overflow.set()

    def data(self) -> bytes:
        return bytes(self._kept)


def _feed(pipe: IO[bytes] | None, data: bytes) -> None:
    assert pipe is not None
    # A child that leaves early closes its end; what it printed says why.
    with contextlib.suppress(OSError, ValueError):
        pipe.write(data)
    with contextlib.suppress(OSError, ValueError):
        pipe.close()


def _own_group() -> dict[str, Any]:
    if os.name == "nt":  # pragma: no cover
        new_group, no_window = 0x00000200, 0x08000000
        return {"creationflags": new_group | no_window}
    return {"start_new_session": True}


def _end(child: subprocess.Popen[bytes], *, politely: bool) -> None:
    """End the child, if it still runs, and every process of its group."""
    if os.name == "nt":  # pragma: no cover
        if child.poll() is None:
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(child.pid)], capture_output=True, check=False)
        child.wait()
        return
    if politely and child.poll() is None:
        _signal(child, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_GRACE)
    _signal(child, signal.SIGKILL)
    child.wait()


def _signal(child: subprocess.Popen[bytes], number: int) -> None:
    # The group outlives its leader as long as anybody is in it; empty, there is nobody to signal.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, number)
