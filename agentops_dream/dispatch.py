"""The hook: decide in a few milliseconds, without a model, whether a dream is due (SPEC §5).

Called by ``Stop``, ``SubagentStop`` and ``SessionEnd`` with JSON on stdin. Whatever happens: exit 0,
not a byte on stdout or stderr. If nothing changed, nothing is written, logged or started. The cheap
questions come first; each is a refusal, in the order below, and none of them changes anything.

See ``lean`` for what may be imported here; ``tests/test_dispatch.py`` holds the list of modules.
Runs on Python 3.9.
"""

import sys
from time import gmtime, strftime, time

from agentops_dream import settings as settings_table
from agentops_dream.lean import NotJson, loads, read_bytes, read_json, system
from agentops_dream.places import Places, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from agentops_dream.settings import Settings

GUARD = "AGENTOPS_DREAM_CHILD"
"""Set for everything that a dream starts: a hook that sees it is a dream's own child."""
TRIGGER = "AGENTOPS_DREAM_TRIGGER"
"""Tells the worker which event started it."""
EVENTS = ("Stop", "SubagentStop", "SessionEnd")

_WAIT = 0.5
"""Seconds that the host gets to write the payload; ``SessionEnd`` hooks are ended after 1.5."""
_LIMIT = 16 << 20
"""Bytes of payload; it repeats the last answer, which no reader here needs."""
_DAY = 86400


def main(root: str) -> None:
    """Run the hook for the plugin in ``root`` and end the process with exit code 0."""
    env = environment()
    guard_against_crashes(env)
    if due(env, payload()):
        detach(root, env)
    # Skips the interpreter's tidying up, a seventh of the whole run.
    system._exit(0)


def environment() -> "dict[str, str]":
    """Return the environment, as ``os.environ`` gives it."""
    if sys.platform == "win32":  # pragma: no cover
        return dict(system.environ)
    decoded = {}
    for name, value in system.environ.items():
        decoded[name.decode("utf-8", "surrogateescape")] = value.decode("utf-8", "surrogateescape")
    return decoded


# ---------------------------------------------------------------- payload


def payload() -> bytes:
    """Return what stdin holds, as far as it comes in time. Never raises.

    Does not wait for the end of the input: hosts were seen that keep it open. The client sends one line.
    """
    text = b""
    try:
        if system.isatty(0):
            return b""
        deadline = time() + _WAIT
        while len(text) < _LIMIT and text[-1:] != b"\n":
            block = _read_some(deadline - time())
            if not block:
                break
            text += block
    except (OSError, ValueError):
        pass
    return text


def continues(text: bytes) -> bool:
    """Tell whether the payload says ``"stop_hook_active": true``, without parsing all of it.

    Inside a JSON string the quotes would be escaped, so this finds keys only.
    """
    _, key, rest = text.partition(b'"stop_hook_active"')
    return bool(key) and rest.lstrip(b" \t:")[:4] == b"true"


def parsed(text: bytes) -> "dict[str, Any]":
    """Return the payload as a mapping, ``{}`` if it is none. Never raises."""
    try:
        return _mapping(loads(text.decode("utf-8", "replace")))
    except NotJson:
        return {}


def session_start(env: "dict[str, str]", text: bytes) -> str:
    """Return the ``cwd`` of the payload if the environment does not name the session's start."""
    cwd = None if env.get("CLAUDE_PROJECT_DIR") else parsed(text).get("cwd")
    return cwd if type(cwd) is str else ""


def _mapping(value: "Any") -> "dict[str, Any]":
    return value if type(value) is dict else {}


def _read_some(seconds: float) -> bytes:
    """Return what stdin has within so many seconds; ``b""`` for nothing."""
    if sys.platform == "win32":  # pragma: no cover  (select knows only sockets there)
        from _thread import allocate_lock, start_new_thread

        done, found = allocate_lock(), []
        done.acquire()

        def read() -> None:
            try:
                found.append(system.read(0, 1 << 20))
            finally:
                done.release()

        start_new_thread(read, ())
        return found[0] if done.acquire(True, max(seconds, 0)) and found else b""
    from select import select

    if seconds > 0 and select([0], [], [], seconds)[0]:
        return system.read(0, 1 << 20)
    return b""


# ---------------------------------------------------------------- decision


def due(env: "dict[str, str]", text: bytes) -> bool:
    """Tell whether a dream is due, and put into ``env`` what the worker has to know of the event."""
    if env.get(GUARD) or continues(text):
        return False
    settings = settings_table.read(env)
    if settings.disable:
        return False
    places = resolve(env, session_start(env, text))
    if places.off or not _is_folder(places.memory) or _consolidating(places.memory):
        return False
    if not _allowed(places, settings, time()):
        return False
    delta = _delta(places)
    if not delta or _waits_for_review(places, delta) or _locked(places.state + "/lock"):
        return False
    name = parsed(text).get("hook_event_name")
    if name not in EVENTS:
        note(env, "hook: no readable event on stdin; going by the environment")
        name = "Stop"
    env["CLAUDE_PROJECT_DIR"] = places.start
    env[TRIGGER] = name
    return True


def _is_folder(path: str) -> bool:
    try:
        return system.stat(path).st_mode & 0o170000 == 0o040000
    except (OSError, ValueError):
        return False


def _consolidating(memory: str) -> bool:
    """Tell whether Claude Code's own consolidation runs: a live PID in its lock, not older than the
    hour after which it breaks the lock itself (read in the client; the file stays when it is done).
    """
    path = memory + "/.consolidate-lock"
    try:
        if time() - system.stat(path).st_mtime > 3600:
            return False
        pid = int(read_bytes(path, 32))
        if pid <= 0:
            return False
        if sys.platform == "win32":  # pragma: no cover  (kill would end the process)
            return True
        system.kill(pid, 0)
    except (ProcessLookupError, FileNotFoundError, ValueError, OverflowError):
        return False
    except OSError:
        return True  # somebody else's process, but alive
    return True


def _allowed(places: Places, settings: "Settings", now: float) -> bool:
    """Look at rate, back-off and spend, which the journal keeps. What cannot be read holds nothing up."""
    rate = _read_mapping(places.state + "/rate.json")
    if now < _number(rate.get("not_before")) <= now + _DAY:  # longer: a clock went wrong
        return False
    dreams = rate.get("dreams")
    ages = [now - _number(at) for at in dreams] if type(dreams) is list else []
    if [age for age in ages if 0 <= age < settings.min_interval]:
        return False
    if len([age for age in ages if 0 <= age < _DAY]) >= settings.max_per_day:
        return False
    if not settings.max_usd_per_day or settings.backend == "offline":
        return True
    spent = _read_mapping(places.state_root + "/spend.json").get(strftime("%Y-%m-%d", gmtime(now)))
    return _number(spent) < settings.max_usd_per_day


def _number(value: "Any") -> float:
    return float(value) if type(value) in (int, float) else 0.0


def _read_mapping(path: str) -> "dict[str, Any]":
    try:
        return _mapping(read_json(path))
    except (OSError, NotJson):
        return {}


def _delta(places: Places) -> "tuple[str, ...]":
    from agentops_dream.store import fingerprint

    path = places.state + "/fingerprint.json"
    if fingerprint.unchanged(path, places.memory):
        return ()
    return fingerprint.scan(places.memory, fingerprint.load(path))


def _waits_for_review(places: Places, delta: "tuple[str, ...]") -> bool:
    """Tell whether this very delta was proposed already and nobody has looked yet (SPEC §12)."""
    hold = _read_mapping(places.state + "/rate.json").get("hold")
    if not hold:
        return False
    from agentops_dream.store.fingerprint import delta_digest

    return bool(hold == delta_digest(places.memory, delta))


def _locked(path: str) -> bool:
    """Tell whether a worker holds the lock. Only asked, never kept."""
    if sys.platform == "win32":  # pragma: no cover  (the worker finds out)
        return False
    from fcntl import LOCK_EX, LOCK_NB, flock

    try:
        handle = system.open(path, system.O_RDWR | system.O_CLOEXEC)
    except OSError:
        return False
    try:
        flock(handle, LOCK_EX | LOCK_NB)
    except OSError:
        return True
    finally:
        system.close(handle)
    return False


# ---------------------------------------------------------------- worker


def detach(root: str, env: "dict[str, str]") -> None:
    """Start the worker so that neither the session nor the client can feel it or end it.

    Its own session, no descriptor of the client's, the guard set; a child that holds the hook's
    stdout keeps the client waiting. Nothing of the payload is in its command line.
    """
    child = {
        name: value
        for name, value in env.items()
        if name != "CLAUDECODE" and not name.startswith("CLAUDE_CODE_MESSAGING_")
    }
    child[GUARD] = "1"
    command = worker_command(root)
    if sys.platform == "win32":  # pragma: no cover
        from subprocess import DETACHED_PROCESS, DEVNULL, Popen

        null = {"stdin": DEVNULL, "stdout": DEVNULL, "stderr": DEVNULL}
        Popen(command, env=child, creationflags=DETACHED_PROCESS, **null)
        return
    if system.fork():
        return
    try:
        system.setsid()
        system.chdir("/")
        _close_descriptors()
        system.nice(10)
        system.execve(sys.executable, command, child)
    finally:
        system._exit(0)


_WORKER = (
    "import sys; sys.path.insert(0, sys.argv[1]); from agentops_dream.worker import main; main(sys.argv[1])"
)


def worker_command(root: str) -> "list[str]":
    """Return what starts the worker of the plugin in ``root``."""
    return [sys.executable, "-I", "-S", *options(), "-c", _WORKER, root]


def options() -> "list[str]":
    """Return the options of this interpreter that the next one needs too."""
    prefix = sys.pycache_prefix
    return ["-X", "utf8", *(["-X", "pycache_prefix=" + prefix] if prefix else [])]


def _close_descriptors() -> None:
    """Point 0 to 2 at the null device and close all others, inherited ones included."""
    null = system.open("/dev/null", system.O_RDWR)
    for handle in (0, 1, 2):
        system.dup2(null, handle)
    for folder in ("/proc/self/fd", "/dev/fd"):
        try:
            names = system.listdir(folder)
        except OSError:
            continue
        numbers = [int(name) for name in names if name.isdigit()]
        break
    else:
        numbers = list(range(3, 1024))
    for handle in numbers:
        if handle > 2:
            try:
                system.close(handle)
            except OSError:
                continue


# ---------------------------------------------------------------- crash


def guard_against_crashes(env: "dict[str, str]", who: str = "hook") -> None:
    """Let whatever goes wrong from here on end in the log and in exit code 0."""
    sys.excepthook = lambda kind, error, trace: _crashed(env, who, kind, error, trace)


def _crashed(env: "dict[str, str]", who: str, kind: "Any", error: "Any", trace: "Any") -> None:
    """Leave one line in the log and end as if nothing had happened."""
    try:
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        where = ""
        if trace is not None:
            file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
            where = " (" + file + ":" + str(trace.tb_lineno) + ")"
        note(env, who + " crashed: " + kind.__name__ + ": " + str(error) + where)
    finally:
        system._exit(0)


def note(env: "dict[str, str]", text: str) -> None:
    """Add one line to ``dream.log``, values of secret-looking variables blotted out. Never raises."""
    from agentops_dream.places import state_root

    for name, value in env.items():
        if len(value) > 5 and [word for word in _SECRET if word in name.upper()]:
            text = text.replace(value, "***")
    line = strftime("%Y-%m-%dT%H:%M:%SZ ", gmtime()) + " ".join(text.split())[:500] + "\n"
    root = state_root(env)
    try:
        _make_folder(root)
        flags = system.O_WRONLY | system.O_APPEND | system.O_CREAT | getattr(system, "O_CLOEXEC", 0)
        handle = system.open(root + "/dream.log", flags, 0o600)
        try:
            system.write(handle, line.encode("utf-8", "backslashreplace"))
        finally:
            system.close(handle)
    except (OSError, ValueError):
        return


def _make_folder(path: str) -> None:
    try:
        system.mkdir(path, 0o700)
    except FileExistsError:
        return


_SECRET = ("KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CRED", "HEADER", "COOKIE")
