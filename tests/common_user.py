"""Permissions that count although the tests run as root, who may pass over them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterator

_VERSION_3 = 0x20080522
_PASS_OVER = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH (``capabilities(7)``)."""


@contextlib.contextmanager
def common_user() -> Iterator[None]:
    """Let the mode of files and folders hold for this thread, root or not."""
    if sys.platform != "linux" or os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    held = (ctypes.c_uint32 * 6)()
    assert libc.capget(header, held) == 0
    less = (ctypes.c_uint32 * 6)(*held)
    less[0] &= ~_PASS_OVER
    assert libc.capset(header, less) == 0
    try:
        yield
    finally:
        assert libc.capset(header, held) == 0
