"""Types into the terminal UI of a real client, over a pseudo-terminal.

The screen is kept only as the text that was ever written to it, white space and control sequences
removed: enough to wait for a word, and not a terminal emulator.
"""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from fcntl import ioctl
from pathlib import Path

_CONTROL = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_].*?\x1b\\|\x1b\[[0-?]*[ -/]*[@-~]|\x1b.|[\x00-\x1f]", re.S
)
_ANSWERS = {b"\x1b[c": b"\x1b[?62;22c", b"\x1b[6n": b"\x1b[1;1R", b"\x1b[5n": b"\x1b[0n"}
"""What a terminal says when it is asked about itself."""


class Terminal:
    """A client in a terminal of its own; a context manager.

    ``controlling``: as a shell needs it, which starts other programs in the foreground.
    """

    def __init__(
        self, command: Sequence[str], *, cwd: Path, env: Mapping[str, str], controlling: bool = False
    ) -> None:
        self._ours, theirs = pty.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        self.process = subprocess.Popen(
            list(command),
            cwd=cwd,
            env={**env, "TERM": "xterm-256color"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            close_fds=True,
            preexec_fn=(lambda: ioctl(0, termios.TIOCSCTTY, 0)) if controlling else None,
        )
        os.close(theirs)
        self._raw = b""
        self._answered = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *exc: object) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)
        os.close(self._ours)

    @property
    def text(self) -> str:
        """All that was ever written, without white space."""
        return re.sub(r"\s+", "", _CONTROL.sub("", self._raw.decode("utf-8", "replace")))

    def wait_for(self, *words: str, seconds: float = 30.0) -> None:
        """Return when any of ``words`` was written since the last ``send``; raises ``AssertionError``."""
        wanted = [re.sub(r"\s+", "", word) for word in words]
        self.wait_until(lambda: any(word in self.text for word in wanted), " or ".join(words), seconds)

    def wait_until(self, happened: Callable[[], object], what: str, seconds: float = 60.0) -> None:
        """Return when ``happened()`` is true; raises ``AssertionError`` that shows the screen."""
        deadline = time.monotonic() + seconds
        while not happened():
            if time.monotonic() > deadline or not self._read():
                raise AssertionError(f"{what}: did not happen; the screen had: {self.text[-3000:]}")

    def send(self, keys: str) -> None:
        """Type ``keys`` and forget what was on the screen before."""
        while select.select([self._ours], [], [], 0)[0] and self._read():
            pass
        self._raw, self._answered = b"", 0
        os.write(self._ours, keys.encode())

    def line(self, words: str) -> None:
        """Type ``words``, wait for their echo, press Enter."""
        self.send(words)
        self.wait_for(words)
        time.sleep(0.3)  # The UI takes keys that come in one burst for pasted text.
        self.send("\r")

    def end(self, seconds: float = 30.0) -> None:
        """Leave with ``/exit``; kills the client if it does not end."""
        self.line("/exit")
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline and self._read():
            pass
        if self.process.poll() is None:
            self.process.wait(5)

    def _read(self) -> bool:
        """Take what there is, within a moment; returns ``False`` when the client is gone."""
        if not select.select([self._ours], [], [], 0.1)[0]:
            return self.process.poll() is None
        try:
            got = os.read(self._ours, 65536)
        except OSError:
            return False
        self._raw += got
        for question, answer in _ANSWERS.items():
            for _ in range(got.count(question)):
                os.write(self._ours, answer)
        return bool(got)
