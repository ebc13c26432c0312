"""What the hook needs of ``os``, ``json`` and ``hashlib``, without importing them (SPEC §5).

``python -I -S`` starts without ``os``. Importing ``os``, ``json`` and ``hashlib`` costs more than all
the rest of the hook, so the modules on its path use the C modules beneath them. Runs on Python 3.9.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

if sys.platform == "win32":  # pragma: no cover
    import nt as system
else:
    import posix as system

__all__ = ["NotJson", "decoded", "is_real", "loads", "read_bytes", "read_json", "real", "sha256", "system"]


class NotJson(ValueError):
    """The text is not one JSON value; the message says so without repeating it."""


class _Scan:
    """What the C scanner wants to be told; the same answers as ``json.loads`` gives."""

    def __init__(self) -> None:
        self.strict = True
        self.object_hook = None
        self.object_pairs_hook = None
        self.parse_float = float
        self.parse_int = int
        self.parse_constant = float
        self.memo: dict[str, str] = {}


_scan: "Callable[[str, int], tuple[Any, int]] | None" = None


def loads(text: str) -> "Any":
    """Return the JSON value in ``text``; raises ``NotJson``."""
    global _scan
    if _scan is None:
        try:
            from _json import make_scanner
        except ImportError:  # an interpreter without the C accelerator
            from json.decoder import JSONDecoder

            _scan = JSONDecoder().scan_once  # type: ignore[attr-defined]
        else:
            _scan = make_scanner(_Scan())  # type: ignore[arg-type]
    start = len(text) - len(text.lstrip(" \t\r\n"))
    try:
        value, end = _scan(text, start)
    except (StopIteration, ValueError, RecursionError, SystemError):
        # SystemError: before its own error, the scanner looks for ``json.decoder``, which is not loaded.
        raise NotJson("not JSON") from None
    if text[end:].strip(" \t\r\n"):
        raise NotJson("not JSON: something follows the value")
    return value


def read_bytes(path: str, limit: int = -1) -> bytes:
    """Return the content of a file, at most ``limit`` bytes of it; raises ``OSError``."""
    with open(path, "rb", buffering=0) as stream:
        return stream.read(limit) or b""


def read_json(path: str) -> "Any":
    """Return the JSON value in a file; raises ``OSError`` or ``NotJson``."""
    return loads(decoded(read_bytes(path)))


def decoded(raw: bytes) -> str:
    """Return the text of a JSON file, without its byte order mark; raises ``NotJson``."""
    try:
        return raw[3 if raw[:3] == b"\xef\xbb\xbf" else 0 :].decode()
    except UnicodeDecodeError:
        raise NotJson("not JSON: not UTF-8") from None


_FEW = 1 << 20
_small: "Callable[[], Any] | None" = None


def sha256(size: int = 0) -> "Any":
    """Return a new SHA-256 object for about ``size`` bytes of input.

    OpenSSL is several times faster but takes longer to load than the small built-in one needs for
    a megabyte.
    """
    global _small
    if size < _FEW and _small is None:
        for name in ("_sha2", "_sha256"):  # Python 3.12 and later, before
            try:
                _small = __import__(name).sha256
                break
            except ImportError:  # looked for in every folder, so only once
                continue
    if size < _FEW and _small is not None:
        return _small()
    from hashlib import sha256 as large

    return large()


def is_real(path: str) -> bool:
    """Tell whether ``path`` is absolute, clean and free of symlinks as far as it exists. Never raises."""
    parts = path.split("/")
    if parts.pop(0) or "" in parts or "." in parts or ".." in parts:
        return path == "/"
    at = ""
    for part in parts:
        at += "/" + part
        try:
            if system.lstat(at).st_mode & 0o170000 == 0o120000:
                return False
        except (OSError, ValueError):
            break  # nor is there a link below it
    return True


def real(path: str) -> str:
    """Return the real path, symlinks resolved, as ``os.path.realpath`` does. Never raises."""
    if is_real(path):
        return path
    from os.path import realpath

    try:
        return realpath(path)
    except (OSError, ValueError):
        return path
