"""The page without a terminal in front of it: a process of its own, its address told at once (SPEC §12, §15).

A chat shows what a command printed once it has ended, so the one that serves must not be the one that prints.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from agentops_dream.cli.app import Failed

ROOT = Path(__file__).resolve().parents[2]
_CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); from agentops_dream.cli.main import main; "
    "sys.exit(main(sys.argv[2:]))"
)


def start(words: Sequence[str], env: Mapping[str, str]) -> str:
    """Run the command line ``words`` behind this process and return the first line that it prints.

    It goes on in a session of its own, with nothing of ours open. Raises ``Failed`` if it ends without one.
    """
    child = subprocess.Popen(
        [sys.executable, *(["-I"] if sys.flags.isolated else []), "-c", _CODE, os.fspath(ROOT), *words],
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    assert child.stdout is not None
    with child.stdout as output:
        line = output.readline().decode("utf-8", "replace").strip()
    if not line:
        raise Failed(f"the page could not be served (exit code {child.wait()}); try agentops-dream review")
    child.returncode = 0  # it is not ours to wait for
    return line


def announce(line: str) -> None:
    """Print ``line`` for ``start`` and let go of what this process was given to write to."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
