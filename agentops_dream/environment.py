"""The private environment: built by the first worker, never in the hook's time (SPEC §17).

A folder per lock file, Python and machine in the plugin's data folder. It is built aside and renamed
when it works, so that it is there whole or not at all, and an update that brings another lock file
builds another folder instead of changing the one in use. ``uv`` if there is one, else ``venv`` and
``pip``; both keep the user's own configuration (mirrors, proxies, certificates).

Standard library only, Python 3.9: this runs before the environment is there.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from agentops_dream.lean import sha256
from agentops_dream.places import state_root

OWN = "AGENTOPS_DREAM_PYTHON"
"""Names an interpreter that has everything already, for packagers and tests: none is built then."""
KEPT = 30 * 86400
"""Seconds after its last use that an environment for another lock file or Python is removed."""
FIRST_WAIT = 600
LONGEST_WAIT = 86400


class Unavailable(Exception):
    """There is no environment and none could be made; the text says why and what to do."""

    def __init__(self, text: str, *, new: bool = True) -> None:
        super().__init__(text)
        self.new = new
        """``False`` if this was said before or means no more than "not now"."""


def ensure(
    env: Mapping[str, str],
    root: str,
    *,
    extra: str = "",
    patient: bool = False,
    say: Callable[[str], None] = lambda text: None,
    now: Callable[[], float] = time.time,
    deadline: float = 900,
) -> str:
    """Return the interpreter of an environment for the plugin in ``root``; build it if need be.

    ``extra``: ``api`` for the SDK as well. ``patient``: a person is waiting, so try whatever happened
    before, wait for another builder, and tell ``say`` what goes on. ``deadline`` in seconds. Raises
    ``Unavailable``.
    """
    if env.get(OWN):
        return env[OWN]
    lock = Path(root) / "requirements" / f"{extra or 'core'}.txt"
    try:
        total = sha256()
        total.update(lock.read_bytes())
    except OSError as error:
        raise Unavailable(f"{lock} cannot be read ({error.strerror}); install the plugin again") from error
    base, digest = folder(env), total.hexdigest()[:12]
    found = existing(base, digest)
    if found:
        _touch(found)
        return python_in(found)
    from agentops_dream.building import Failed  # only now: nearly every worker finds its environment

    if not patient:
        _look_at_the_last_try(env, digest, now())
    try:
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _only_builder(base, patient, say):
            found = existing(base, digest)
            if not found:
                say("building a private environment, this once ...")
                found = _build(env, lock, digest, base, deadline)
                _note(env, {"ok": True, "folder": str(found), "lock": digest, "at": int(now())})
            _remove_old(base, found, now())
    except Failed as failed:
        raise Unavailable(str(failed), new=_failed(env, digest, str(failed), now())) from failed
    except OSError as error:
        text = f"{base} cannot be written ({error.strerror}); free some space or give your user access"
        raise Unavailable(text, new=_failed(env, digest, text, now())) from error
    return python_in(found)


def folder(env: Mapping[str, str]) -> Path:
    """Return where environments lie: the plugin's data folder, which an uninstall removes; from a
    shell, which has none, our own state root.
    """
    return Path(env.get("CLAUDE_PLUGIN_DATA") or state_root(env)) / "env"


def python_in(environment: Path) -> str:
    """Return the interpreter of an environment."""
    inside = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    return str(environment.joinpath(*inside))


def existing(base: Path, digest: str) -> Path | None:
    """Return a finished environment for this lock file on this machine."""
    for found in sorted(base.glob(f"{_machine()}-py*-{digest}"), reverse=True):
        if (found / "ready").exists() and os.access(python_in(found), os.X_OK):
            return found
    return None


def forget(python: str) -> None:
    """Mark the environment of this interpreter as broken, so that the next worker builds it anew."""
    with contextlib.suppress(OSError):
        (Path(python).parent.parent / "ready").unlink()


def _machine() -> str:
    # A home directory may be shared by machines of several kinds.
    return f"{sys.platform}-{platform.machine() or 'any'}".lower()


def _touch(environment: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(environment / "ready")


def _build(env: Mapping[str, str], lock: Path, digest: str, base: Path, deadline: float) -> Path:
    from agentops_dream.building import Tools, build

    for left in base.glob("building-*"):  # of a builder that was killed; the lock is ours
        shutil.rmtree(left, ignore_errors=True)
    aside = base / f"building-{os.getpid()}"
    try:
        version = build(Tools.find(env), lock, aside, python_in(aside), deadline)
        (aside / "ready").touch()
        final = base / f"{_machine()}-py{version}-{digest}"
        if final.exists():
            final.rename(base / f"building-broken-{os.getpid()}")
        aside.rename(final)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        shutil.rmtree(base / f"building-broken-{os.getpid()}", ignore_errors=True)
    return final


@contextlib.contextmanager
def _only_builder(base: Path, patient: bool, say: Callable[[str], None]) -> Iterator[None]:
    with open(base / "building.lock", "a") as stream:
        try:
            _lock(stream.fileno(), wait=False)
        except OSError:
            if not patient:
                raise Unavailable("another worker is building the environment", new=False) from None
            say("another process is building the environment; waiting for it ...")
            _lock(stream.fileno(), wait=True)
        yield


def _lock(handle: int, *, wait: bool) -> None:
    """Take the lock, which dies with this process; raises ``OSError`` if somebody has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _remove_old(base: Path, keep: Path, now: float) -> None:
    for old in base.glob(f"{_machine()}-py*"):
        used = old / "ready"
        try:
            age = now - (used if used.exists() else old).stat().st_mtime
        except OSError:
            continue
        if old != keep and age > KEPT:
            shutil.rmtree(old, ignore_errors=True)


# ---------------------------------------------------------------- what became of the last try


def last_try(env: Mapping[str, str]) -> dict[str, Any]:
    """Return what ``environment.json`` says: ``ok``, and if not, ``reason``, ``tries``, ``next_try``
    (epoch seconds) and ``lock``. ``{}`` if nothing was ever built.
    """
    try:
        value = json.loads((Path(state_root(env)) / "environment.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _look_at_the_last_try(env: Mapping[str, str], digest: str, now: float) -> None:
    last = last_try(env)
    if last.get("ok") is False and last.get("lock") == digest:
        next_try = last.get("next_try")
        if isinstance(next_try, (int, float)) and now < next_try <= now + LONGEST_WAIT:
            raise Unavailable(str(last.get("reason", "")), new=False)


def _failed(env: Mapping[str, str], digest: str, reason: str, now: float) -> bool:
    """Remember the failure; return whether it is one that nobody was told of yet."""
    last = last_try(env)
    again = last.get("ok") is False and last.get("lock") == digest
    tries = int(last.get("tries", 0)) + 1 if again and isinstance(last.get("tries", 0), int) else 1
    wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(tries - 1, 20))
    _note(
        env,
        {"ok": False, "reason": reason, "tries": tries, "next_try": int(now + wait), "lock": digest},
    )
    return not again or last.get("reason") != reason


def _note(env: Mapping[str, str], value: dict[str, Any]) -> None:
    path = Path(state_root(env)) / "environment.json"
    fresh = path.with_name(f"environment.json.{os.getpid()}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, exist_ok=True)
        fresh.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
        os.replace(fresh, path)
