"""Regular expressions that are made when they are first used.

Python takes 0.1 to 4 ms to make one. Of tables with hundreds, a dream needs a few: all of them, made on
import, would cost it as much as reading a thousand entries.
"""

from __future__ import annotations

import re
from typing import cast


class _Late:
    """Stands for a pattern; its methods are the pattern's own from the second call on."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags
        self._pattern: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> object:  # called for what is not here yet
        if self._pattern is None:
            self._pattern = re.compile(self._source, self._flags)
        found = getattr(self._pattern, name)
        setattr(self, name, found)
        return found


def late(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what ``re.compile`` returns, to all who call its methods or read its attributes.

    A mistake in ``source`` shows on first use: each pattern needs a test that uses it.
    """
    return cast("re.Pattern[str]", _Late(source, flags))
