"""``/dream …`` typed in Claude Code: from the text of a chat to words of the command line (SPEC §15).

``commands/dream.md`` hands over, on stdin, what the client fills in as plain text: the session's start
directory, the plugin's data folder, and on the rest of the lines what the user typed. No shell sees any
of it. Standard library only, Python 3.9.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Sequence

PATIENCE = 100
"""Seconds that the client's shell gets; it ends commands after 120 by default, and a dream may take
longer. What is not done by then goes on by itself."""


class Request:
    """What was typed, and where."""

    def __init__(self, project: str, data: str, words: list[str]) -> None:
        self.project = project
        self.data = data
        self.words = words


def read(text: bytes) -> Request:
    """Return the request in what the command file handed over. Never raises."""
    lines = text.decode("utf-8", "replace").replace("\0", "").split("\n")
    project, data = (_filled(line) for line in [*lines, "", ""][:2])
    return Request(project, data, words_of(" ".join(lines[2:])))


def _filled(line: str) -> str:
    """Return a value that the client filled in; an older one may leave the placeholder standing."""
    line = line.strip()
    return line if os.path.isabs(line) else ""


def words_of(typed: str) -> list[str]:
    """Return the words of the command line for what was typed: nothing is ``run``, ``audit`` is
    ``run --audit``, a page is left to itself so that its address shows at once, all else as it stands.
    """
    try:
        words = shlex.split(typed)
    except ValueError:  # a quote without its other half
        words = typed.split()
    if not words:
        return ["run"]
    first = words[0].lower()
    if first == "audit":
        return ["run", "--audit", *words[1:]]
    if first in ("help", "-h"):
        return [*words[1:], "--help"]
    if first == "review" and "--web" in words:
        return [first, "--detach", *words[1:]]
    return [first, *words[1:]]


def relay(command: Sequence[str], *, patience: float = PATIENCE) -> str:
    """Run a command and return all that it printed, for a chat to repeat.

    Commands that it names are named as they are typed in a chat. It runs in a session of its own: if it
    is not done after ``patience`` seconds, it goes on and the text says so.
    """
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        late = ""
        try:
            code = child.wait(patience)
            if code not in (0, 1, 2):
                late = f"It ended with code {code}.\n"
        except subprocess.TimeoutExpired:
            late = "Still at it; it goes on by itself. `/dream log` tells when it is done.\n"
        output.seek(0)
        text = output.read().decode("utf-8", "replace").replace("agentops-dream ", "/dream ")
    return text + ("\n" if text and not text.endswith("\n") else "") + late

