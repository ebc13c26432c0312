"""Remembers the interpreter that works, so that the next hook need not look for one (SPEC §17).

Written by the worker and at session start, never by a hook that finds nothing to do. See ``lean``
for what may be imported here. Runs on Python 3.9.
"""

import sys

from agentops_dream.lean import read_bytes, system
from agentops_dream.places import state_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def real_path() -> str:
    """Return the interpreter behind shims and virtual environments, which come and go."""
    path = getattr(sys, "_base_executable", None) or sys.executable or ""
    return path.replace("\\", "/") if sys.platform == "win32" else path


def remember(env: "Mapping[str, str]") -> None:
    """Write the running interpreter's path where ``hooks/launch.sh`` reads it. Never raises."""
    root = state_root(env)
    line = (real_path() + "\n").encode("utf-8", "surrogateescape")
    path = root + "/python"
    try:
        if read_bytes(path) == line:
            return
    except OSError:
        pass
    try:
        _make(root)
        fresh = path + "." + str(system.getpid())
        with open(fresh, "wb") as stream:
            stream.write(line)
        system.replace(fresh, path)
        system.unlink(root + "/no-python")
    except OSError:
        return


def _make(root: str) -> None:
    try:
        system.mkdir(root, 0o700)
    except FileExistsError:
        return
