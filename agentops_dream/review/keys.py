"""Keys from a terminal, one at a time, none of them lost (SPEC §12).

The terminal stays in one mode for the whole sitting. Changing it for each key, as most helpers do, throws
away what was typed meanwhile, and people who know the keys type ahead.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from types import TracebackType

import click

try:
    import termios
    import tty
except ImportError:  # Windows: its console hands out single keys and keeps those typed ahead
    termios = None  # type: ignore[assignment]

_KEY = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|(?s:.)")
"""One key: an escape sequence, or a character."""


class Keys:
    """The keys of the terminal ``fd``; a context manager. Call it for the next key.

    ``read`` returns bytes that were typed, waiting for some; ``b""`` at the end.
    """

    def __init__(self, fd: int = 0, read: Callable[[int], bytes] | None = None) -> None:
        self._fd = fd
        self._read = read or (lambda fd: os.read(fd, 64))
        self._typed = ""

    def __enter__(self) -> Keys:
        if termios is not None:
            self._before = termios.tcgetattr(self._fd)
            tty.setcbreak(self._fd, termios.TCSADRAIN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if termios is not None:
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    @contextlib.contextmanager
    def put_away(self) -> Iterator[None]:
        """Give the terminal to another program, as it was before."""
        self.__exit__(None, None, None)
        try:
            yield
        finally:
            self.__enter__()

    def __call__(self) -> str:
        """Return the next key. Raises ``EOFError``, and ``KeyboardInterrupt`` for Ctrl-C."""
        if termios is None:
            return click.getchar()
        raw = self._typed.encode()
        while not self._typed:
            got = self._read(self._fd)
            if not got:
                raise EOFError
            raw += got
            with contextlib.suppress(UnicodeDecodeError):  # the rest of a character is still to come
                self._typed = raw.decode()
        match = _KEY.match(self._typed)
        assert match is not None
        self._typed = self._typed[match.end() :]
        return match[0]
