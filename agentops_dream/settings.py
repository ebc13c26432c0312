"""Every setting, read in one place (SPEC §3).

The Stop hook reads settings too, so this module imports nothing and runs on Python 3.9.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

PREFIX = "AGENTOPS_DREAM_"


class _Malformed(ValueError):
    """The text is not a value of this kind; the message says what is."""


def _switch(text: str) -> bool:
    lowered = text.lower()
    if lowered in ("1", "true", "yes", "on"):
        return True
    if lowered in ("0", "false", "no", "off"):
        return False
    raise _Malformed("0 or 1")


def _number(text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        raise _Malformed("a number") from None
    if not low <= value <= high:  # also refuses NaN
        raise _Malformed(f"a number from {low:g} to {high:g}")
    return value


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = _number(text, low, high)
        if value != int(value):
            raise _Malformed("a whole number")
        return int(value)

    return read


def _real(low: float, high: float) -> Callable[[str], float]:
    return lambda text: _number(text, low, high)


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() in words:
            return text.lower()
        raise _Malformed(" or ".join(words))

    return read


def _text(text: str) -> str:
    return text


_DAY = 86400

# name, reader, default, what it means, value used instead of a malformed one (None: the default)
TABLE: tuple[tuple[str, Callable[[str], Any], Any, str, Any], ...] = (
    ("DISABLE", _switch, False, "1 stops everything", None),
    ("MODEL", _text, "claude-haiku-4-5-20251001", "model of the REM call", None),
    ("MIN_INTERVAL", _whole(0, 365 * _DAY), 1800, "seconds between dreams of one memory directory", None),
    ("MAX_PER_DAY", _whole(0, 100000), 8, "dreams a day, per memory directory", None),
    ("EVIDENCE_THRESHOLD", _real(0, 1), 0.7, "confidence bar, 0 to 1", None),
    # A typo in "audit" must not start to edit: the safe side is to touch nothing.
    ("PROMOTE", _one_of("apply", "audit"), "apply",
     "`apply`, or `audit`: stage proposals, touch nothing", "audit"),
    ("TIMEOUT", _whole(1, 900), 120, "seconds for the model call", None),
    ("MAX_BYTES", _whole(1000, 10000000), 60000, "working-set payload, bytes", None),
    ("MEMORY_DIR", _text, "", "memory directory (default: the one Claude Code uses for the session)", None),
    ("CLAUDE_BIN", _text, "", "binary for the model call, path or name (default: found)", None),
    ("MIRROR_AGENTS", _switch, True, "0 turns the AGENTS.md mirror off", None),
    ("MAX_DESTRUCTIVE", _whole(0, 100000), 6, "merges, deletes and renames in one dream", None),
    ("DELETE", _one_of("evidence", "confidence"), "evidence",
     "what a delete needs besides confidence; `confidence` = nothing more", None),
    ("BACKEND", _one_of("claude", "api", "offline"), "claude",
     "`claude` (CLI), `api` (Anthropic SDK), `offline` (rules, no model)", None),
    ("MAX_USD_PER_DAY", _real(0, 1000000), 1.0, "spend a day, all directories together; 0 = no cap", None),
    ("NOTIFY", _switch, True, "one line at session start about dreams since the last one", None),
)


class Settings:
    """The values in force, as attributes in lower case: ``settings.max_per_day``.

    ``problems`` holds one sentence per malformed variable, for the log and ``status``.
    """

    disable: bool
    model: str
    min_interval: int
    max_per_day: int
    evidence_threshold: float
    promote: str
    timeout: int
    max_bytes: int
    memory_dir: str
    claude_bin: str
    mirror_agents: bool
    max_destructive: int
    delete: str
    backend: str
    max_usd_per_day: float
    notify: bool
    problems: tuple[str, ...]

    def __init__(self, values: Mapping[str, Any], problems: tuple[str, ...] = ()) -> None:
        self.__dict__.update(values)
        self.problems = tuple(problems)

    def replace(self, **changes: Any) -> Settings:
        """Return a copy with some values changed; raises ``TypeError`` for an unknown name."""
        unknown = set(changes) - set(self.__dict__)
        if unknown:
            raise TypeError(f"no such setting: {', '.join(sorted(unknown))}")
        merged = {**self.__dict__, **changes}
        return Settings(merged, merged.pop("problems"))


def read(env: Mapping[str, str]) -> Settings:
    """Return the settings in ``env`` (a mapping of environment variables). Never raises.

    An empty variable counts as unset. A malformed one gives the default, except for ``PROMOTE``,
    which gives ``audit``; ``problems`` names it without repeating its value, which may be private.
    """
    values = {}
    problems = []
    for name, reader, default, _, fallback in TABLE:
        text = (env.get(PREFIX + name) or "").strip()
        value = default
        if text:
            try:
                value = reader(text)
            except _Malformed as error:
                value = default if fallback is None else fallback
                problems.append(f"{PREFIX}{name} is not {error}; using {_shown(value)}")
        values[name.lower()] = value
    return Settings(values, tuple(problems))


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:g}" if isinstance(value, float) else str(value)
