"""Two renames that Python does not offer: swap two files, and rename only where nothing stands (SPEC §9).

Both close the window in which a plain rename would bury an edit that somebody made a moment ago.
Linux has ``renameat2``, macOS ``renamex_np``. Where neither works, ``Unsupported`` is raised and the
caller takes the longer way round.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys
from collections.abc import Callable

AT_FDCWD = -100
LINUX_NOREPLACE, LINUX_EXCHANGE = 1, 2
MAC_SWAP, MAC_EXCL = 2, 4
LINUX_NUMBERS = {"x86_64": 316, "aarch64": 276, "armv7l": 382, "riscv64": 276, "ppc64le": 357, "s390x": 347}
"""System call numbers, for a C library without the wrapper (musl before 1.2.4, glibc before 2.28)."""

# EPERM is what older container sandboxes answer to a call they do not know. If it is a real refusal,
# the longer way round meets it again.
REFUSALS = frozenset(
    number
    for name in ("ENOSYS", "EINVAL", "ENOTSUP", "EOPNOTSUPP", "EPERM")
    if (number := getattr(errno, name, None)) is not None
)


class Unsupported(OSError):
    """This system or file system has no such rename."""


Call = Callable[[bytes, bytes, int], int]


def _linux() -> Call | None:
    libc = ctypes.CDLL(None, use_errno=True)
    wrapper = getattr(libc, "renameat2", None)
    if wrapper is not None:
        wrapper.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
        return lambda old, new, flags: int(wrapper(AT_FDCWD, old, AT_FDCWD, new, flags))
    number = LINUX_NUMBERS.get(platform.machine())
    if number is None or sys.maxsize < 2**32:
        return None
    syscall = libc.syscall
    syscall.argtypes = (
        ctypes.c_long,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_uint,
    )
    return lambda old, new, flags: int(syscall(number, AT_FDCWD, old, AT_FDCWD, new, flags))


def _mac() -> Call | None:
    wrapper = getattr(ctypes.CDLL(None, use_errno=True), "renamex_np", None)
    if wrapper is None:
        return None
    wrapper.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint)
    return lambda old, new, flags: int(wrapper(old, new, flags))


def _find() -> Call | None:
    try:
        if sys.platform.startswith("linux"):
            return _linux()
        if sys.platform == "darwin":
            return _mac()
    except OSError:  # a static or crippled C library
        return None
    return None


_CALL = _find()
_MAC = sys.platform == "darwin"


def _rename(old: str, new: str, flags: int) -> None:
    if _CALL is None:
        raise Unsupported(errno.ENOSYS, "no such rename on this system", old, None, new)
    while _CALL(os.fsencode(old), os.fsencode(new), flags) != 0:
        number = ctypes.get_errno()
        if number == errno.EINTR:
            continue
        kind = Unsupported if number in REFUSALS else OSError
        raise kind(number, os.strerror(number), old, None, new)


def exchange(one: str, other: str) -> None:
    """Swap what stands at two paths in one step. Raises ``Unsupported``, ``OSError``."""
    _rename(one, other, MAC_SWAP if _MAC else LINUX_EXCHANGE)


def rename_new(old: str, new: str) -> None:
    """Rename; ``FileExistsError`` if something stands at ``new``. Raises ``Unsupported``, ``OSError``."""
    if os.name == "nt":
        os.rename(old, new)  # refuses an existing target by itself
        return
    _rename(old, new, MAC_EXCL if _MAC else LINUX_NOREPLACE)
