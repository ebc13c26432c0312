"""Running the client. Wrong here: a worker that hangs, an orphan that spends money, a full disk of output."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from agentops_dream.rem.process import Ended, run


def python(code: str, folder: Path, *, stdin: bytes = b"", timeout: float = 30, **limits: int) -> Ended:
    return run(
        [sys.executable, "-c", code], stdin=stdin, env={"A": "1"}, cwd=folder, timeout=timeout, **limits
    )


def gone(pid: int) -> bool:
    """Whether the process ends within a moment."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if (
            Path(f"/proc/{pid}/stat").exists()
            and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        ):
            return True
        time.sleep(0.05)
    return False


def test_everything_goes_in_and_comes_out(tmp_path: Path) -> None:
    code = (
        "import sys, os; data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data);"
        "sys.stderr.write(os.getcwd() + repr(sorted(os.environ)[0])); sys.exit(3)"
    )
    ended = python(code, tmp_path, stdin=b"x\xff\0" * 200_000)
    assert (ended.how, ended.rc, ended.stdout) == ("exit", 3, b"x\xff\0" * 200_000)
    assert str(tmp_path).encode() in ended.stderr and b"'A'" in ended.stderr


def test_a_child_that_does_not_read_is_no_error(tmp_path: Path) -> None:
    ended = python("print('early')", tmp_path, stdin=b"x" * 1_000_000)
    assert (ended.how, ended.rc, ended.stdout.strip()) == ("exit", 0, b"early")


def test_at_the_time_limit_it_ends_though_it_ignores_the_polite_signal(tmp_path: Path) -> None:
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
    ended = python(code, tmp_path, timeout=1)
    assert ended.how == "timeout" and ended.stdout.strip() == b"up" and ended.rc < 0


STARTS_ANOTHER = (
    "import subprocess, sys, time;"
    "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']{pipes});"
    "print(p.pid, flush=True); {then}"
)


@pytest.mark.parametrize("then", ["time.sleep(600)", "sys.exit(0)"], ids=["timeout", "exit"])
def test_what_the_child_started_ends_with_it(tmp_path: Path, then: str) -> None:
    """A grandchild that holds our pipe must not hold us, and must not live on."""
    ended = python(STARTS_ANOTHER.format(pipes="", then=then), tmp_path, timeout=1 if "600" in then else 30)
    assert ended.how == ("timeout" if "600" in then else "exit")
    assert gone(int(ended.stdout))


def test_output_without_end_is_cut_and_ends_the_child(tmp_path: Path) -> None:
    ended = python("while True: print('x' * 1000)", tmp_path, max_stdout=50_000)
    assert ended.how == "flood" and len(ended.stdout) == 50_000


def test_complaints_without_end_are_only_cut(tmp_path: Path) -> None:
    ended = python("import sys; sys.stderr.write('x' * 1_000_000); print('ok')", tmp_path, max_stderr=100)
    assert (ended.how, ended.stdout.strip(), len(ended.stderr)) == ("exit", b"ok", 100)


def test_an_interrupt_leaves_no_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in a manual run."""
    seen: list[int] = []
    import subprocess

    wait = subprocess.Popen.wait

    def interrupted(self: subprocess.Popen[bytes], timeout: float | None = None) -> int:
        if not seen:
            seen.append(self.pid)
            raise KeyboardInterrupt
        return wait(self, timeout)

    monkeypatch.setattr(subprocess.Popen, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        python("import time; time.sleep(600)", tmp_path)
    assert gone(seen[0])


def test_what_cannot_be_started_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        run(["/no/such/program"], stdin=b"", env={}, cwd=tmp_path, timeout=1)
