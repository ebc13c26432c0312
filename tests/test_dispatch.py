"""The hook wall (SPEC §5): whatever comes, exit 0, not a byte, no wait, and a worker only when due."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import portalocker
import pytest
from hook_wall import PAYLOAD, ROOT, Wall, end

from agentops_dream.dispatch import continues
from agentops_dream.store import fingerprint


@pytest.fixture
def wall(tmp_path: Path) -> Wall:
    return Wall(tmp_path)


@pytest.fixture
def due(wall: Wall) -> Wall:
    """A wall at which a dream is due."""
    wall.entry()
    return wall


# ---------------------------------------------------------------- when nothing is due


def test_nothing_changed_means_nothing_is_written_logged_or_started(wall: Wall) -> None:
    wall.entry("a.md")
    wall.entry("sub/b.md")
    wall.cover()
    before = wall.tree()
    for event in ("Stop", "SubagentStop", "SessionEnd"):
        wall.quiet(event)
    assert wall.tree() == before
    assert wall.nothing_started()


@pytest.mark.parametrize("what", ["no config", "no memory directory", "empty", "index only", "a file in its place"])
def test_nothing_to_dream_over_leaves_no_trace(wall: Wall, what: str) -> None:
    if what == "no config":
        wall.env["CLAUDE_CONFIG_DIR"] = str(wall.folder / "nowhere")
    elif what == "empty":
        wall.memory.mkdir(parents=True)
    elif what == "index only":
        wall.entry("MEMORY.md")
        wall.entry("sub/MEMORY.md")
        wall.entry(".hidden/x.md")
    elif what == "a file in its place":
        wall.memory.parent.mkdir(parents=True)
        wall.memory.write_text("")
    before = wall.tree()
    wall.quiet()
    assert wall.tree() == before
    assert not (wall.folder / "nowhere").exists()
    assert wall.nothing_started()


def test_a_deletion_and_an_index_edit_trigger_nothing(wall: Wall) -> None:
    gone = wall.entry("a.md")
    wall.entry("b.md")
    wall.cover()
    gone.unlink()
    wall.entry("MEMORY.md", "edited")
    wall.quiet()
    assert wall.nothing_started()


# ---------------------------------------------------------------- the worker


def test_first_sight_detaches_a_worker_that_is_nobody_s_child(due: Wall) -> None:
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    try:
        due.quiet(pass_fds=[writer])
    finally:
        os.close(writer)
        os.close(reader)
    report = due.started()
    assert report["sid"] == report["pid"] != os.getsid(0)
    # The folder that the worker lists is open while it lists it.
    open_files = {number: path for number, path in report["fds"] if not path.startswith("/proc/")}
    assert open_files == {0: "/dev/null", 1: "/dev/null", 2: "/dev/null"}
    assert report["cwd"] == "/"
    assert report["root"] == str(due.plugin)
    env = report["env"]
    assert env["AGENTOPS_DREAM_CHILD"] == "1"
    assert env["AGENTOPS_DREAM_TRIGGER"] == "Stop"
    assert env["CLAUDE_PROJECT_DIR"] == str(due.project)
    assert env["KEPT"] == "this"
    assert not [name for name in env if name == "CLAUDECODE" or name.startswith("CLAUDE_CODE_MESSAGING_")]


def test_nothing_of_the_payload_is_in_the_command_line_or_environment(due: Wall) -> None:
    """Anybody on the machine can read the command lines of others."""
    due.quiet()
    report = due.started()
    told = json.dumps([report["command"], report["env"]])
    for word in ("the-words-of-the-session", PAYLOAD["session_id"], "t.jsonl"):
        assert word not in told


@pytest.mark.parametrize("event", ["Stop", "SubagentStop", "SessionEnd"])
def test_the_worker_knows_what_started_it(due: Wall, event: str) -> None:
    due.quiet(event)
    assert due.started()["env"]["AGENTOPS_DREAM_TRIGGER"] == event


def test_an_event_of_another_name_does_not_reach_the_worker(due: Wall) -> None:
    due.quiet(payload={**PAYLOAD, "hook_event_name": "$(touch x)"})
    assert due.started()["env"]["AGENTOPS_DREAM_TRIGGER"] == "Stop"


def test_the_hook_s_output_ends_at_once_while_the_worker_runs_for_a_minute(due: Wall) -> None:
    """A child that holds the hook's stdout keeps the session waiting for as long as it lives."""
    due.quiet(env={"LINGER": "60"})  # returns at the end of both pipes
    pid = due.started()["pid"]
    os.kill(pid, 0)
    end(pid)


def test_the_start_directory_comes_from_the_payload_only_if_nothing_else_names_it(due: Wall) -> None:
    elsewhere = due.folder / "elsewhere"
    elsewhere.mkdir()
    due.quiet(payload={**PAYLOAD, "cwd": str(elsewhere)})
    assert due.started()["env"]["CLAUDE_PROJECT_DIR"] == str(due.project)
    due.quiet(payload={**PAYLOAD, "cwd": str(due.project)}, env={"CLAUDE_PROJECT_DIR": None})
    assert due.started()["env"]["CLAUDE_PROJECT_DIR"] == str(due.project)


# ---------------------------------------------------------------- stdin


@pytest.mark.parametrize(
    "text",
    [
        b"", b"\n", b"{", b"null", b"[]", b'"x"', b"\xff\xfe{}", b"\0" * 100, b'{"cwd": 5}\n', b"[" * 100000,
        b'{"hook_event_name": "Stop", "last_assistant_message": "' + b"x" * 3_000_000 + b'"}\n',
    ],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_a_broken_payload_breaks_nothing(due: Wall, text: bytes) -> None:
    due.quiet(payload=text)
    due.started()
    readable = text.startswith(b'{"hook')
    assert due.log().count("\n") == (0 if readable else 1)


def test_a_closed_stdin(due: Wall) -> None:
    command = f"exec <&-; {due.command()}"
    done = subprocess.run(["sh", "-c", command], env=due.env, capture_output=True, timeout=20)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    due.started()


@pytest.mark.parametrize("sent", [b"", json.dumps(PAYLOAD).encode(), json.dumps(PAYLOAD).encode() + b"\n"])
def test_a_stdin_that_stays_open(due: Wall, sent: bytes) -> None:
    reader, writer = os.pipe()
    os.write(writer, sent)
    try:
        due.quiet(stdin=reader)
    finally:
        os.close(reader)
        os.close(writer)
    due.started()


@pytest.mark.parametrize("what", ["a line", "a terminal", "nothing more"])
def test_what_is_there_is_taken_without_waiting_for_more(what: str) -> None:
    """Else every turn would end half a second later with a host that keeps stdin open."""
    ours, theirs = pty.openpty() if what == "a terminal" else reversed(os.pipe())
    if what != "a terminal":
        os.write(ours, b"{}\n" if what == "a line" else b"{}")
    if what == "nothing more":
        os.close(ours)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from agentops_dream import dispatch\n"
        "dispatch._WAIT = 1000\nprint(dispatch.payload())"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, str(ROOT)], stdin=theirs, capture_output=True, timeout=60
    )
    expected = {"a line": b"b'{}\\n'", "a terminal": b"b''", "nothing more": b"b'{}'"}[what]
    assert done.stdout.strip() == expected
    for handle in (theirs, ours) if what != "nothing more" else (theirs,):
        os.close(handle)


def test_a_payload_that_comes_in_pieces(due: Wall) -> None:
    reader, writer = os.pipe()
    text = json.dumps({**PAYLOAD, "stop_hook_active": True}).encode() + b"\n"

    def send() -> None:
        for at in range(0, len(text), 100):
            os.write(writer, text[at : at + 100])
            time.sleep(0.005)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        due.quiet(stdin=reader)
    finally:
        sender.join()
        os.close(reader)
        os.close(writer)
    assert due.nothing_started(), "the last piece said that a hook already made the model go on"


def test_a_terminal_as_stdin(due: Wall) -> None:
    controller, terminal = pty.openpty()
    try:
        due.quiet(stdin=terminal)
    finally:
        os.close(controller)
        os.close(terminal)
    due.started()


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'{"stop_hook_active": true}', True),
        (b'{"a":1,"stop_hook_active":true,"b":2}', True),
        (b'{"stop_hook_active" :\ttrue}', True),
        (b'{"stop_hook_active": false}', False),
        (b'{"stop_hook_active": "true"}', False),
        (b'{"m": "\\"stop_hook_active\\": true"}', False),
        (b'{"m": "stop_hook_active", "n": true}', False),
        (b"", False),
    ],
)
def test_a_stop_that_follows_a_hook_is_known(text: bytes, expected: bool) -> None:
    assert continues(text) is expected


def test_a_stop_that_follows_a_hook_starts_nothing(due: Wall) -> None:
    due.quiet(payload={**PAYLOAD, "stop_hook_active": True})
    assert due.nothing_started()


@pytest.mark.parametrize("name", ["AGENTOPS_DREAM_DISABLE", "AGENTOPS_DREAM_CHILD", "CLAUDE_CODE_DISABLE_AUTO_MEMORY"])
def test_a_variable_that_forbids_it(due: Wall, name: str) -> None:
    before = due.tree()
    due.quiet(env={name: "1"})
    assert due.tree() == before
    assert due.nothing_started()


@pytest.mark.parametrize("lock", ["live", "spaced", "somebody else's"])
def test_claude_code_s_own_consolidation_is_waited_for(due: Wall, lock: str) -> None:
    pid = 1 if lock == "somebody else's" else os.getpid()
    due.entry(".consolidate-lock", f" {pid}\n" if lock == "spaced" else str(pid))
    due.quiet()
    assert due.nothing_started()


@pytest.mark.parametrize("lock", ["dead", "old", "text", "empty", "zero", "negative", "huge"])
def test_a_lock_that_nobody_holds_is_passed_by(due: Wall, lock: str) -> None:
    """The file stays after a consolidation; a dream must not wait for it for ever."""
    gone = subprocess.Popen(["true"])
    gone.wait()
    texts = {"dead": str(gone.pid), "old": str(os.getpid()), "text": "x", "empty": "", "zero": "0",
             "negative": "-1", "huge": "9" * 30}  # fmt: skip
    path = due.entry(".consolidate-lock", texts[lock])
    if lock == "old":
        os.utime(path, (time.time() - 3700,) * 2)
    due.quiet()
    due.started()


def today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


@pytest.mark.parametrize(
    ("rate", "spend", "env"),
    [
        ({"not_before": 60}, {}, {}),
        ({"dreams": [-60]}, {}, {}),
        ({"dreams": [-3600 * n for n in range(1, 9)]}, {}, {}),
        ({"dreams": [-3600]}, {}, {"AGENTOPS_DREAM_MAX_PER_DAY": "1"}),
        ({"dreams": [-3600]}, {}, {"AGENTOPS_DREAM_MIN_INTERVAL": "4000"}),
        ({}, {}, {"AGENTOPS_DREAM_MAX_PER_DAY": "0"}),
        ({}, {"today": 1.0}, {}),
        ({}, {"today": 0.5}, {"AGENTOPS_DREAM_MAX_USD_PER_DAY": "0.5"}),
    ],
)
def test_rate_back_off_and_spend_hold_a_dream_up(due: Wall, rate: Any, spend: Any, env: dict[str, str]) -> None:
    _limits(due, rate, spend)
    before = due.tree()
    due.quiet(env=env)
    assert due.tree() == before
    assert due.nothing_started()


@pytest.mark.parametrize(
    ("rate", "spend", "env"),
    [
        ({"not_before": -1, "dreams": [-3600]}, {"today": 0.99, "2020-01-01": 50}, {}),
        ({"dreams": [-90000, -90001, -90002] * 5}, {}, {}),
        ({"dreams": [600]}, {}, {}),  # the clock was set back
        ({"dreams": ["x", None], "not_before": "x"}, {"today": "x"}, {}),
        ({"dreams": 3}, {"today": None}, {}),
        ({}, {"today": 5}, {"AGENTOPS_DREAM_MAX_USD_PER_DAY": "0"}),
        ({}, {"today": 5}, {"AGENTOPS_DREAM_BACKEND": "offline"}),
        ("{", "nonsense", {}),
        ("[]", "[]", {}),
    ],
)
def test_old_entries_and_broken_files_hold_nothing_up(due: Wall, rate: Any, spend: Any, env: dict[str, str]) -> None:
    _limits(due, rate, spend)
    due.quiet(env=env)
    due.started()


def _limits(wall: Wall, rate: Any, spend: Any) -> None:
    """Write both files; times relative to now."""
    now = time.time()
    if isinstance(rate, dict):
        rate = dict(rate)
        if isinstance(rate.get("not_before"), int):
            rate["not_before"] += now
        if isinstance(rate.get("dreams"), list):
            rate["dreams"] = [now + at if isinstance(at, int) else at for at in rate["dreams"]]
    wall.write_state("rate.json", rate)
    if isinstance(spend, dict):
        spend = json.dumps({today() if day == "today" else day: usd for day, usd in spend.items()})
    (Path(wall.places.state_root) / "spend.json").write_text(spend)


def test_a_delta_that_waits_for_review_is_not_paid_for_twice(due: Wall) -> None:
    digest = fingerprint.delta_digest(str(due.memory), ("a.md",))
    due.write_state("rate.json", {"hold": digest})
    due.quiet()
    assert due.nothing_started()
    due.entry("a.md", "changed")
    due.quiet()
    due.started()


def test_a_running_dream_is_left_alone(due: Wall) -> None:
    """The worker locks with portalocker; hook and worker must see each other's lock."""
    due.state.mkdir(parents=True)
    holder = "import sys, portalocker\nwith portalocker.Lock(sys.argv[1], 'a'):\n print('held', flush=True)\n sys.stdin.read()"
    lock = due.state / "lock"
    held = subprocess.Popen([sys.executable, "-c", holder, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert held.stdout is not None
    assert held.stdout.readline() == b"held\n"
    due.quiet()
    assert due.nothing_started()
    held.kill()
    held.wait()
    due.quiet()
    due.started()
    with portalocker.Lock(lock, "a", timeout=0):
        pass


# ---------------------------------------------------------------- a hostile machine


def test_no_home_at_all(due: Wall) -> None:
    due.quiet(env={"HOME": None, "CLAUDE_CONFIG_DIR": str(due.home / ".claude")})
    due.started()


@pytest.mark.parametrize("home", [None, "", "/nonexistent", "/dev/null", "relative"])
def test_homes_that_are_none(wall: Wall, home: str | None) -> None:
    wall.quiet(env={"HOME": home, "CLAUDE_PROJECT_DIR": str(wall.folder / "none")}, cwd=str(wall.project))


def test_an_empty_environment(wall: Wall) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", wall.command()], env={}, input=b"{}", capture_output=True, timeout=20, cwd=str(wall.project)
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_read_only_home_is_no_reason_to_say_anything(due: Wall) -> None:
    nobody = 65534 if os.getuid() == 0 else None
    for path in (due.folder, *due.folder.parents):
        if path.stat().st_uid == os.getuid() and path.parts[:2] == ("/", "tmp"):
            path.chmod(0o755)
    for path in sorted(due.home.rglob("*"), reverse=True):
        path.chmod(0o444 if path.is_file() else 0o555)
    due.reports.chmod(0o777)
    before = due.tree()
    try:
        due.quiet(**({"user": nobody, "group": nobody} if nobody else {}))
        due.started()
        due.quiet(payload=b"{", **({"user": nobody, "group": nobody} if nobody else {}))
        due.started()
    finally:
        for path in due.home.rglob("*"):
            path.chmod(0o755)
    assert {p: s for p, s in due.tree().items()} == before


def test_a_plugin_that_was_removed_says_nothing(due: Wall) -> None:
    """An update deletes the version folder that a running session still names."""
    os.rename(due.plugin, due.folder / "moved")
    due.quiet()
    due.quiet("SessionStart")


def test_a_plugin_half_removed_says_nothing(due: Wall) -> None:
    (due.plugin / "agentops_dream" / "places.py").unlink()
    due.quiet()
    due.quiet("SessionStart")


def test_a_crash_inside_leaves_one_line_in_the_log_without_secrets(due: Wall) -> None:
    with (due.plugin / "agentops_dream" / "store" / "fingerprint.py").open("a") as stream:
        stream.write("\ndef scan(*words):\n    raise RuntimeError('at sesame-open\\nand more')\n")
    due.quiet(env={"SOME_API_KEY": "sesame-open"})
    (line,) = due.log().splitlines()
    assert "hook crashed: RuntimeError: at *** and more (fingerprint.py:" in line
    assert due.nothing_started()


def test_the_log_is_for_its_owner_only(due: Wall) -> None:
    due.env["CLAUDE_CONFIG_DIR"] = str(due.folder / "other")
    due.entry()
    due.quiet(payload=b"{")
    due.started()
    assert (due.folder / "other" / "agentops").stat().st_mode & 0o777 == 0o700
    assert Path(due.places.log).stat().st_mode & 0o777 == 0o600


def test_eight_hooks_at_once_all_leave_quietly(due: Wall) -> None:
    with_payload = json.dumps(PAYLOAD).encode()
    hooks = [
        subprocess.Popen(
            ["sh", "-c", due.command()], env=due.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(8)
    ]  # fmt: skip
    for hook in hooks:
        assert hook.communicate(with_payload, timeout=20) == (b"", b"")
        assert hook.returncode == 0


# ---------------------------------------------------------------- cost

BASE = {
    "__future__",
    "agentops_dream",
    "agentops_dream.dispatch",
    "agentops_dream.lean",
    "agentops_dream.places",
    "agentops_dream.settings",
}
SHA = {"_sha2"} if sys.version_info >= (3, 12) else {"_sha256"}
LOOKING = BASE | SHA | {"select", "agentops_dream.store", "agentops_dream.store.fingerprint"}


def modules(wall: Wall) -> tuple[set[str], bool]:
    """Return what the hook imports on top of a bare interpreter, and whether it found a dream due."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); bare = set(sys.modules)\n"
        "from agentops_dream import dispatch\n"
        "env = dispatch.environment(); found = dispatch.due(env, dispatch.payload())\n"
        "print(found, *sorted(set(sys.modules) - bare))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", code, str(ROOT)],
        input=json.dumps(PAYLOAD).encode() + b"\n", env=wall.env, capture_output=True, check=True,
    )  # fmt: skip
    found, *names = done.stdout.decode().split()
    return set(names), found == "True"


def test_the_hook_imports_these_modules_and_no_other(wall: Wall) -> None:
    """Each module more is paid for at the end of every turn of every session."""
    assert modules(wall) == (BASE | SHA | {"select"}, False)  # no memory directory
    wall.entry()
    wall.cover()
    assert modules(wall) == (LOOKING, False)  # nothing changed
    wall.entry("b.md")
    assert modules(wall) == (LOOKING | {"_json", "fcntl"}, True)


def test_an_unchanged_file_is_not_read_again(wall: Wall) -> None:
    wall.entry()
    wall.cover()
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c",
         "import sys; sys.path.insert(0, sys.argv[1]); from agentops_dream.store import fingerprint as f\n"
         "f.read = None\n"
         "assert f.unchanged(sys.argv[2], sys.argv[3])\n"
         "assert f.scan(sys.argv[3], f.load(sys.argv[2])) == ()",
         str(ROOT), str(wall.state / "fingerprint.json"), str(wall.memory)],
        capture_output=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
