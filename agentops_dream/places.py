"""Where everything lies: config, memory directory, project, our own state (SPEC §2).

The memory directory is worked out by the rules of Claude Code, read from the client and measured
against its own answer (the ``stream-json`` init event's ``memory_paths.auto``) for 2.1.197 and
2.1.332. A slug is never decoded back into a path.

The hook imports this module: see ``lean`` for what it may import. Runs on Python 3.9.
"""

import sys

from agentops_dream.lean import NotJson, decoded, loads, read_bytes, real, sha256, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    Env = Mapping[str, str]

_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")
_WINDOWS = sys.platform == "win32"


class Places:
    """Every place of one session. All paths absolute, without a trailing slash."""

    __slots__ = (
        "config", "key", "log", "memory", "memory_source", "off", "project", "staging", "start", "state",
        "state_root",
    )  # fmt: skip

    config: str
    """Claude Code's config directory."""
    state_root: str
    """Ours, in it: ``agentops``."""
    start: str
    """The session's start directory, real."""
    memory: str
    """The memory directory; it need not exist."""
    memory_source: str
    """What named it: an environment variable, ``autoMemoryDirectory`` or ``default``."""
    off: bool
    """Auto memory is switched off, so the client neither reads nor writes there."""
    project: str
    """Root of the project: where ``AGENTS.md`` goes."""
    key: str
    """Names the memory directory in our state."""
    state: str
    """``state/<key>``: fingerprint, lock, rate, ledger, runs."""
    staging: str
    """``staging/<key>``."""
    log: str
    """``dream.log``."""


def resolve(env: "Env", cwd: str = "") -> Places:
    """Return all places of the session described by ``env`` and the payload's ``cwd``. Never raises."""
    places = Places()
    places.start = start_dir(env, cwd)
    places.config = config_dir(env)
    settings = list(_client_settings(env, places.start, places.config))
    places.memory, places.memory_source = _memory_dir(env, places.start, places.config, settings)
    places.off = _off(env, settings)
    places.project = project_root(places.start)
    places.key = store_key(places.memory)
    places.state_root = places.config + "/agentops"
    places.state = places.state_root + "/state/" + places.key
    places.staging = places.state_root + "/staging/" + places.key
    places.log = places.state_root + "/dream.log"
    return places


def config_dir(env: "Env") -> str:
    """Return ``CLAUDE_CONFIG_DIR`` or ``~/.claude``. A relative one is relative to the session's start.

    The client takes a ``~`` in it for the name of a folder, so it is one here too.
    """
    named = env.get("CLAUDE_CONFIG_DIR")
    return _nfc(_clean(_rooted(env, named) if named else home(env) + "/.claude"))


def state_root(env: "Env") -> str:
    """Return the folder of everything that is ours."""
    return config_dir(env) + "/agentops"


def home(env: "Env") -> str:
    """Return the user's home directory, absolute, by the password database if no variable names it."""
    named = env.get("USERPROFILE") if _WINDOWS else env.get("HOME")
    if named:
        return _rooted(env, named)
    try:
        import pwd

        return pwd.getpwuid(system.getuid()).pw_dir
    except (ImportError, KeyError):
        return _cwd()


def start_dir(env: "Env", payload_cwd: str = "") -> str:
    """Return the real path of the directory that the session was started in.

    ``CLAUDE_PROJECT_DIR`` first: the payload's ``cwd`` follows the model's ``cd``.
    """
    return real(_clean(env.get("CLAUDE_PROJECT_DIR") or payload_cwd or _cwd()))


def project_root(start: str) -> str:
    """Return the git toplevel of ``start``, a linked worktree's own; ``start`` if there is none."""
    return _git_top(start) or start


def memory_dir(env: "Env", start: str) -> "tuple[str, str]":
    """Return the memory directory of a session started in ``start``, and what named it."""
    config = config_dir(env)
    return _memory_dir(env, start, config, list(_client_settings(env, start, config)))


def auto_memory_off(env: "Env", start: str) -> bool:
    """Tell whether the client's auto memory is switched off, by environment or settings."""
    return _off(env, list(_client_settings(env, start, config_dir(env))))


def slug(path: str) -> str:
    """Return the name that Claude Code gives to a project folder.

    Each UTF-16 unit that is no ASCII letter or digit becomes ``-``; over 200 of them, the first 200
    and a hash of the whole path.
    """
    name = "".join(
        c if c.isalnum() and c.isascii() else "--" if ord(c) > 0xFFFF else "-" for c in path
    )
    if len(name) <= 200:
        return name
    total = 0
    units = path.encode("utf-16-le", "surrogatepass")
    for low, high in zip(units[::2], units[1::2]):
        total = (total * 31 + low + (high << 8)) & 0xFFFFFFFF
    total = min(total, 0x100000000 - total)  # absolute value of the signed 32-bit number
    digits = ""
    while total or not digits:
        total, digit = divmod(total, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return name[:200] + "-" + digits


def store_key(memory: str) -> str:
    """Return a name for this memory directory: readable, and unique per real directory."""
    path = real(memory)
    digest = sha256()
    digest.update(path.encode("utf-8", "surrogatepass"))
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    if parts and parts[-1] == "memory":
        parts.pop()
    words = slug("-".join(parts[-2:] if parts[-2:-1] != ["projects"] else parts[-1:])).strip("-")
    return (words[-48:].strip("-") or "memory") + "-" + str(digest.hexdigest())[:12]


# ---------------------------------------------------------------- the client's rules


def _memory_dir(env: "Env", start: str, config: str, settings: "list[dict[str, Any]]") -> "tuple[str, str]":
    named = (env.get("AGENTOPS_DREAM_MEMORY_DIR") or "").strip()
    if named:
        if named[:2] == "~/":
            named = home(env) + named[1:]
        return _clean(named if _absolute(named) else start + "/" + named), "AGENTOPS_DREAM_MEMORY_DIR"
    named = _override(env.get("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"), "")
    if named:
        return named, "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
    # The first that is set counts, even if it then turns out to be no usable path.
    for values in settings:
        if isinstance(values.get("autoMemoryDirectory"), str):
            named = _override(values["autoMemoryDirectory"], home(env))
            if named:
                return named, "autoMemoryDirectory"
            break
    root = _main_root(start) or start
    remote = env.get("CLAUDE_CODE_REMOTE_MEMORY_DIR")
    name = slug(root)
    if not remote and env.get("CLAUDE_CONFIG_DIR") and not _old_client(env):
        name = _project_name(env.get("CLAUDE_CODE_PROJECT_DIR_NAME")) or name
    path = (_rooted(env, remote) if remote else config) + "/projects/" + name + "/memory"
    return _nfc(_clean(path)), "CLAUDE_CODE_REMOTE_MEMORY_DIR" if remote else "default"


def _override(path: "str | None", home_dir: str) -> str:
    """Return the directory that an override names, ``""`` if the client would ignore it."""
    if not path:
        return ""
    if home_dir and path[:2] in ("~/", "~\\"):
        rest = _clean(path[2:] or ".")
        if rest in (".", "..") or rest[:3] in ("../", "..\\"):
            return ""
        path = home_dir + "/" + path[2:]
    path = _clean(path)
    if not _absolute(path) or len(path) < 3 or "\0" in path:
        return ""
    return _nfc(path)


def _project_name(name: "str | None") -> str:
    if not name or len(name) > 64 or not name.isascii():
        return ""
    plain = name.replace("-", "").replace("_", "")
    return name if not plain or plain.isalnum() else ""


def _off(env: "Env", settings: "list[dict[str, Any]]") -> bool:
    if env.get("AGENTOPS_DREAM_MEMORY_DIR"):
        return False  # somebody wants exactly this directory, whoever writes there
    disabled = (env.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY") or "").strip().lower()
    if disabled in _TRUE:
        return True
    if disabled in _FALSE:
        return False
    if _true(env, "CLAUDE_CODE_SIMPLE"):
        return True
    if _true(env, "CLAUDE_CODE_REMOTE") and not (
        env.get("CLAUDE_CODE_REMOTE_MEMORY_DIR") or env.get("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE")
    ):
        return True
    for values in settings:
        if isinstance(values.get("autoMemoryEnabled"), bool):
            return not values["autoMemoryEnabled"]
    return False


def _true(env: "Env", name: str) -> bool:
    return (env.get(name) or "").strip().lower() in _TRUE


def _client_settings(env: "Env", start: str, config: str) -> "Iterator[dict[str, Any]]":
    """Yield the settings that say something about auto memory, the strongest first."""
    for path in _settings_files(env, start, config):
        try:
            raw = read_bytes(path)
            if b"autoMemory" in raw:  # most say nothing, and are not parsed
                values = loads(decoded(raw))
                if type(values) is dict:
                    yield values
        except (OSError, NotJson, ValueError):
            continue  # the client ignores it too


def managed_settings() -> str:
    """Return where an administrator's settings lie."""
    if _WINDOWS:
        return "C:/Program Files/ClaudeCode/managed-settings.json"
    if sys.platform == "darwin":
        return "/Library/Application Support/ClaudeCode/managed-settings.json"
    return "/etc/claude-code/managed-settings.json"


def _settings_files(env: "Env", start: str, config: str) -> "Iterator[str]":
    yield managed_settings()
    if not _old_client(env):
        root = _main_root(start)
        if root != start and _exists(root + "/.git"):  # a bare repository has none
            yield root + "/.claude/settings.local.json"
    yield start + "/.claude/settings.local.json"
    yield start + "/.claude/settings.json"
    yield config + "/settings.json"


def _old_client(env: "Env") -> bool:
    """Tell that the session's client is 2.1.197 or older.

    Those read local settings in the start directory only, and know no project directory name. The
    first version that differs is not known; 2.1.332 does. A shell names no client: taken as new.
    """
    name, _, version = (env.get("AI_AGENT") or "").partition("_")
    if name != "claude-code":
        return False
    try:
        return [int(part) for part in version.partition("_")[0].split("-")] <= [2, 1, 197]
    except ValueError:
        return False


# ---------------------------------------------------------------- git, without running it


def _git_top(start: str) -> str:
    """Return the closest folder, upwards, that holds a ``.git`` file or folder; ``""`` if none."""
    at = start
    while True:
        if _exists(at + "/.git"):
            return at or "/"
        above = at.rpartition("/")[0]
        if at in ("", above) or (not above and not start.startswith("/")):
            return ""
        at = above


def _main_root(start: str) -> str:
    """Return the root that names the memory: a linked worktree's main checkout or bare repository,
    a submodule's or nested repository's own top; ``""`` outside of git.
    """
    top = _git_top(start)
    if not top:
        return ""
    try:
        text = _line(top + "/.git")
        if not text.startswith("gitdir:"):
            return top
        linked = _join(top, text[7:].strip())
        common = _join(linked, _line(linked + "/commondir"))
        # A copied or moved worktree whose repository knows nothing of it stands for itself.
        if linked.rpartition("/")[0] != common + "/worktrees":
            return top
        if real(_join(linked, _line(linked + "/gitdir"))) != real(top) + "/.git":
            return top
    except (OSError, ValueError):
        return top
    if common.rpartition("/")[2] == ".git":
        return common.rpartition("/")[0] or "/"
    return top if _exists(common + "/.git") else common


def _line(path: str) -> str:
    return read_bytes(path, 65536).decode("utf-8", "surrogateescape").strip()


def _join(base: str, path: str) -> str:
    return _clean(path if _absolute(path) else base + "/" + path)


def _exists(path: str) -> bool:
    try:
        system.stat(path)
    except (OSError, ValueError):
        return False
    return True


# ---------------------------------------------------------------- paths, without os.path


def _clean(path: str) -> str:
    """Return ``path`` without ``.``, ``..``, doubled and trailing slashes."""
    if _WINDOWS:  # pragma: no cover
        from os.path import normpath

        return normpath(path).replace("\\", "/")
    if "//" not in path and "/." not in path and path[:1] != "." and (path[-1:] != "/" or path == "/"):
        return path
    rooted = path[:1] == "/"
    parts: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".." or not rooted:
            parts.append(part)
    return ("/" if rooted else "") + "/".join(parts) or "."


def _absolute(path: str) -> bool:
    if _WINDOWS:  # pragma: no cover
        return path[1:2] == ":" or path[:2] in ("\\\\", "//")
    return path[:1] == "/"


def _rooted(env: "Env", path: str) -> str:
    """Return ``path``, absolute: a relative one is relative to the session's start."""
    start = env.get("CLAUDE_PROJECT_DIR") or ""
    for base in (start, _cwd()):
        if not _absolute(path):
            path = base + "/" + path if base else path
    return path


def _nfc(path: str) -> str:
    if path.isascii():
        return path
    from unicodedata import normalize

    return normalize("NFC", path)


def _cwd() -> str:
    try:
        return system.getcwd()
    except OSError:  # the directory was removed under us
        return "/"
