"""The detached worker up to the dream: environment, deadline, then the dream itself (SPEC §5, §17).

Two processes in a row with one process id: ``main`` in whatever Python the hook had, standard library
only, makes sure of the private environment and turns into its interpreter; ``dream`` runs there. The
same way leads from the shell to the command line (``shell``).
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from agentops_dream import environment
from agentops_dream.dispatch import guard_against_crashes, note, options
from agentops_dream.interpreter import remember
from agentops_dream.places import resolve
from agentops_dream.session import as_in_a_session

OVERALL = 900
"""Seconds from the worker's start to its end, whatever it is doing then (SPEC §5)."""
DEADLINE = "AGENTOPS_DREAM_DEADLINE"
"""Epoch second of that end, for the second process."""


def main(root: str) -> None:
    """Bring up the environment and become the dream; end the process with exit code 0."""
    env = dict(os.environ)
    guard_against_crashes(env, "worker")
    end = time.time() + OVERALL
    end_at(end)
    remember(env)
    try:
        python = environment.ensure(env, root, extra=extra(env), deadline=OVERALL - 60)
        _become(_command(python, "dream", root), {**env, DEADLINE: str(int(end))})
    except environment.Unavailable as error:
        if error.new:
            note(env, f"no dream: {error}")
            _tell(env, f"Dreaming is not possible yet: {error}")


def dream(root: str) -> None:
    """Dream, in the private environment, and end the process."""
    gc.disable()  # a short life with next to no cycles: looking for them takes a twentieth of it
    env = dict(os.environ)
    guard_against_crashes(env, "worker")
    try:
        end_at(float(env.pop(DEADLINE, "")))
    except ValueError:
        end_at(time.time() + OVERALL)
    try:
        from agentops_dream import hooked
    except ImportError as error:
        if Path(root, "agentops_dream", "hooked.py").exists():  # no update took the folder away
            environment.forget(sys.executable)
        note(env, f"no dream: the private environment is broken ({error}); it will be built again")
        return
    hooked.main(env)
    # All is on disk. To take the interpreter apart costs more than to judge and commit an op.
    os._exit(0)


def shell(root: str) -> None:
    """Run the command line, in the private environment, if need be made now; never returns.

    From a chat (``--from-chat``) all goes to stdout and the exit code is 0: a client shows nothing of a
    command that failed.
    """
    env, words, entry = as_in_a_session(os.environ), sys.argv[2:], "command_line"
    if words[:1] == ["--from-chat"]:
        from agentops_dream import chat

        asked = chat.read(sys.stdin.buffer.read())
        sys.stderr = sys.stdout
        words, entry = asked.words, "chat_line"
        env.update(_named(CLAUDE_PROJECT_DIR=asked.project, CLAUDE_PLUGIN_DATA=asked.data))
    chosen = _named(AGENTOPS_DREAM_BACKEND=_backend(words))
    try:
        python = environment.ensure(env, root, extra=extra({**env, **chosen}), patient=True, say=_say)
        _become(_command(python, entry, root, *words), env)
    except environment.Unavailable as error:
        _say(str(error))
        sys.exit(0 if entry == "chat_line" else 1)


def command_line(root: str) -> None:
    """Be ``agentops-dream`` with the words that follow in ``sys.argv``; never returns."""
    from agentops_dream.cli.main import main as run

    sys.exit(run(sys.argv[2:]))


def chat_line(root: str) -> None:
    """Run the command line with the words that follow in ``sys.argv`` and print what it says."""
    from agentops_dream import chat

    sys.stdout.write(chat.relay(_command(sys.executable, "command_line", root, *sys.argv[2:])))


def _named(**values: str) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}


def _command(python: str, entry: str, root: str, *words: str) -> list[str]:
    code = f"import sys; sys.path.insert(0, sys.argv[1]); from agentops_dream import worker; worker.{entry}"
    return [python, "-I", *options(), "-c", f"{code}(sys.argv[1])", root, *words]


def extra(env: Mapping[str, str]) -> str:
    """Return which lock file is needed: the SDK only for those who chose the backend that uses it."""
    return "api" if env.get("AGENTOPS_DREAM_BACKEND", "").strip().lower() == "api" else ""


def _backend(words: list[str]) -> str:
    for word, following in zip(words, [*words[1:], ""]):
        if word == "--backend":
            return following
        if word.startswith("--backend="):
            return word.partition("=")[2]
    return ""


def _say(text: str) -> None:
    sys.stderr.write(f"agentops-dream: {text}\n")
    sys.stderr.flush()


def _tell(env: Mapping[str, str], text: str) -> None:
    """Leave ``text`` for the next session start."""
    import json

    state = Path(resolve(env).state)
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        (state / "notice.json").write_text(json.dumps({"text": text}), encoding="utf-8")
    except OSError:
        return


def _become(command: list[str], env: Mapping[str, str]) -> NoReturn:
    """Turn into ``command``; raises ``environment.Unavailable`` if its interpreter cannot be started."""
    try:
        if os.name == "nt":  # there, exec ends this process before the new one is done
            import subprocess

            sys.exit(subprocess.run(command, env=dict(env), check=False).returncode)
        os.execve(command[0], command, dict(env))
    except OSError as error:
        remedy = f"correct or unset {environment.OWN}" if env.get(environment.OWN) else "try again"
        raise environment.Unavailable(f"{command[0]} cannot be run ({error.strerror}); {remedy}") from error


def end_at(moment: float) -> None:
    """End this process and all that it started at ``moment`` (epoch seconds), busy or not.

    Politely first, so that a running model call is ended too: it is in a group of its own.
    """
    left = max(1.0, moment - time.time())
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
    timer = threading.Timer(left, _end)
    timer.daemon = True
    timer.start()
    if hasattr(signal, "alarm"):
        # For the case that no thread gets to run. It outlives exec, which the thread does not.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(int(left) + 2 * _GRACE)


_GRACE = 10


def _end() -> None:
    if os.name != "nt":
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_GRACE)
        if os.getpgrp() == os.getpid():  # ours alone, as the hook made it
            os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(0)
