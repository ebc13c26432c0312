"""The least-privilege call: what the stand-in executable demands of its flags and environment.

One table for the flags. Whatever is not in it is refused the way the real client refuses an
unknown option: exit code 1, nothing on stdout, one line on stderr.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


class Refused(ValueError):
    """The call is not the least-privilege call; the message says why."""


@dataclass(frozen=True)
class Call:
    """A call that passed."""

    flags: Mapping[str, str]
    """Flag -> value, ``""`` for switches."""

    @property
    def model(self) -> str:
        return self.flags.get("--model", "claude-haiku-4-5-20251001")

    @property
    def budget(self) -> float:
        """Dollars that the call may cost."""
        return float(self.flags["--max-budget-usd"])


def _equals(*wanted: str) -> Callable[[str], str]:
    return lambda value: "" if value in wanted else f"must be {' or '.join(map(repr, wanted))}, not {value!r}"


def _some(value: str) -> str:
    return "" if value.strip() else "must not be empty"


def _settings(value: str) -> str:
    try:
        settings = json.loads(value)
    except ValueError:
        return "must be JSON"
    if not isinstance(settings, dict) or settings.get("disableAllHooks") is not True:
        return "must have disableAllHooks: true"
    if not set(settings) <= {"disableAllHooks", "env"}:
        return "must have nothing but disableAllHooks and env"
    # The "env" of settings wins over the environment, so it must not take the protection back.
    env = settings.get("env", {})
    loose = [name for name, value in WANTED.items() if env.get(name, value) != value]
    return f"undoes {', '.join(loose)}" if loose else ""


def _schema(value: str) -> str:
    try:
        schema = json.loads(value)
    except ValueError:
        return "is not valid JSON"
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return "is not a schema of an object"
    return "" if "ops" in schema.get("properties", {}) else "has no ops"


def _turns(value: str) -> str:
    return "" if value.isdigit() and 1 <= int(value) <= 5 else "must be a small whole number"


def _dollars(value: str) -> str:
    try:
        return "" if 0 < float(value) <= 100 else "must be a sensible sum"
    except ValueError:
        return "must be a number"


@dataclass(frozen=True)
class Flag:
    required: bool
    check: Callable[[str], str] | None
    """Returns what is wrong with the value, ``""`` if nothing; ``None`` for a switch."""


FLAGS: dict[str, Flag] = {
    "--print": Flag(True, None),
    "--setting-sources": Flag(True, _equals("user")),
    "--settings": Flag(True, _settings),
    "--tools": Flag(True, _equals("")),
    "--strict-mcp-config": Flag(True, None),
    "--no-session-persistence": Flag(True, None),
    "--disable-slash-commands": Flag(True, None),
    "--system-prompt": Flag(True, _some),
    "--output-format": Flag(True, _equals("json")),
    "--json-schema": Flag(True, _schema),
    "--max-turns": Flag(True, _turns),
    "--max-budget-usd": Flag(True, _dollars),
    "--model": Flag(True, _some),
    "--permission-mode": Flag(False, _equals("plan", "dontAsk")),
}
_SHORT = {"-p": "--print"}

WANTED = {
    "CLAUDE_CODE_SAFE_MODE": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
}
"""Environment variables that must be set so."""

UNWANTED = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID")
"""Environment variables of the parent session that must not come along."""
UNWANTED_PREFIX = "CLAUDE_CODE_MESSAGING_"


def check(argv: Sequence[str], env: Mapping[str, str], cwd: str) -> Call:
    """Return the call if it is the least-privilege one; raises ``Refused`` with the first fault."""
    flags = _read(argv, set(env.get("FAKE_CLAUDE_UNKNOWN", "").split()))
    for name, flag in FLAGS.items():
        if flag.required and name not in flags:
            raise Refused(f"missing {name}")
        fault = flag.check(flags[name]) if flag.check and name in flags else ""
        if fault:
            raise Refused(f"{name} {fault}")
    for name, value in WANTED.items():
        if env.get(name) != value:
            raise Refused(f"{name} is not {value}")
    leaked = [name for name in env if name in UNWANTED or name.startswith(UNWANTED_PREFIX)]
    if leaked:
        raise Refused(f"leaked from the parent session: {', '.join(sorted(leaked))}")
    if os.listdir(cwd):
        raise Refused(f"the working directory is not empty: {cwd}")
    return Call(flags)


def _read(argv: Sequence[str], unknown: set[str]) -> dict[str, str]:
    """Return flag -> value; ``unknown`` plays a version that does not know these flags yet."""
    flags: dict[str, str] = {}
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        name = _SHORT.get(name, name)
        flag = FLAGS.get(name)
        if not word.startswith("-"):
            raise Refused("the prompt must come on stdin, where no process list shows it")
        if flag is None or name in unknown:
            raise Refused(f"unknown option '{name}'")
        if name in flags:
            raise Refused(f"{name} is given twice")
        if flag.check is not None and not equals:
            if not rest:
                raise Refused(f"option '{name}' argument missing")
            value = rest.pop(0)
        flags[name] = value
    return flags
