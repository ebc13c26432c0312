"""One event, one line, no secret, and never the reason for a failure."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime, timezone

from agentops_dream.journal import log

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
SECRET = "ghp_" + "a1B2" * 9


def test_a_line(tmp_path):
    path = tmp_path / "state" / "dream.log"
    log.line(path, "run x: 1 applied", now=NOW)
    log.line(path, "日本語", now=NOW)
    assert path.read_text("utf-8") == "2026-01-02T03:04:05Z run x: 1 applied\n2026-01-02T03:04:05Z 日本語\n"
    assert path.stat().st_mode & 0o777 == 0o600 and path.parent.stat().st_mode & 0o777 == 0o700


def test_an_event_cannot_forge_a_line_or_drive_a_terminal(tmp_path):
    path = tmp_path / "dream.log"
    log.line(path, "x\n2026-01-02T03:04:05Z forged\r\x1b[2J\x00 \udcff\u2028y" + "z" * 5000, now=NOW)
    (text,) = path.read_bytes().decode("utf-8").splitlines()
    assert "\x1b" not in text and "\x00" not in text and len(text) < 700


def test_secrets_stay_out(tmp_path):
    path = tmp_path / "dream.log"
    log.line(path, f"the model said {SECRET}", now=NOW)
    assert SECRET not in path.read_text()


def test_a_log_that_cannot_be_written_is_no_failure(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    log.line(tmp_path / "file" / "dream.log", "x", now=NOW)
    (tmp_path / "folder").mkdir()
    log.line(tmp_path / "folder", "x", now=NOW)


def test_the_log_stays_small(tmp_path, monkeypatch):
    monkeypatch.setattr(log, "LARGEST", 1000)
    path = tmp_path / "dream.log"
    for number in range(200):
        log.line(path, f"event {number}", now=NOW)
    assert path.stat().st_size < 1100 and (tmp_path / "dream.log.1").stat().st_size < 1100
    last = (tmp_path / "dream.log.1").read_text() + path.read_text()
    assert last.endswith("event 199\n") and "event 190" in last
    assert sorted(os.listdir(tmp_path)) == ["dream.log", "dream.log.1", "dream.log.lock"]


def test_lines_of_several_processes_do_not_mix(tmp_path):
    """Dreams over several directories share one log."""
    code = (
        "import sys; from pathlib import Path; from agentops_dream.journal import log;"
        "[log.line(Path(sys.argv[1]), sys.argv[2] * 300) for _ in range(100)]"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    path = tmp_path / "dream.log"
    writers = [subprocess.Popen([sys.executable, "-c", code, str(path), sign], env=env) for sign in "abc"]
    assert [writer.wait() for writer in writers] == [0] * 3
    lines = path.read_text().splitlines()
    assert len(lines) == 300 and {line.split(" ", 1)[1] for line in lines} == {s * 300 for s in "abc"}
