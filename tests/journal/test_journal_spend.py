"""What was spent is counted once, whoever dreams at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime, timezone

import portalocker
import pytest

from agentops_dream.journal import files, spend

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=timezone.utc).timestamp()


def test_a_day_is_a_utc_day_whatever_the_time_zone(tmp_path):
    """Travelling, or a hook with another TZ than the worker, must not open a second budget."""
    code = (
        "import sys; from pathlib import Path; from agentops_dream.journal import spend;"
        f"spend.add(Path(sys.argv[1]), 0.25, {NOON + 11 * 3600})"
    )
    for zone in ("Asia/Tokyo", "America/Los_Angeles", "UTC"):
        env = {**os.environ, "TZ": zone, "PYTHONPATH": os.pathsep.join(sys.path)}
        subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, env=env)
    assert spend.by_day(tmp_path) == {"2026-01-02": 0.75}


def test_the_cap(tmp_path):
    assert spend.left(tmp_path, 1.0, NOON) == 1.0 and spend.left(tmp_path, 0, NOON) is None
    spend.add(tmp_path, 0.4, NOON)
    spend.add(tmp_path, 0, NOON)
    assert spend.left(tmp_path, 1.0, NOON) == pytest.approx(0.6)
    spend.add(tmp_path, 5, NOON)
    assert spend.left(tmp_path, 1.0, NOON) == 0.0
    assert spend.left(tmp_path, 1.0, NOON + 86400) == 1.0
    assert (tmp_path / "spend.json").stat().st_mode & 0o777 == 0o600


def test_many_at_once_lose_no_cent(tmp_path):
    code = (
        "import sys; from pathlib import Path; from agentops_dream.journal import spend;"
        f"[spend.add(Path(sys.argv[1]), 0.01, {NOON}) for _ in range(25)]"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    workers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], env=env) for _ in range(4)]
    assert [worker.wait() for worker in workers] == [0] * 4
    assert spend.by_day(tmp_path) == {"2026-01-02": 1.0}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"2026-01-02": "1"}', '{"2026-01-02": true}', '{"2026-01-02": NaN}', '{"2026-01-02": 1e999}']
)
def test_a_broken_file_stops_nobody(tmp_path, text):
    (tmp_path / "spend.json").write_text(text)
    assert spend.left(tmp_path, 1.0, NOON) == 1.0
    spend.add(tmp_path, 0.5, NOON)
    assert spend.by_day(tmp_path)["2026-01-02"] == 0.5


def test_old_days_drop_out(tmp_path):
    days = {spend.day(NOON + number * 86400): 0.01 for number in range(spend.KEPT_DAYS + 20)}
    files.write_json(tmp_path / "spend.json", days)
    spend.add(tmp_path, 0.01, NOON + (spend.KEPT_DAYS + 20) * 86400)
    kept = spend.by_day(tmp_path)
    assert len(kept) == spend.KEPT_DAYS and "2026-01-02" not in kept


def test_a_lock_that_never_comes_free_is_an_error_of_the_disk(tmp_path, monkeypatch):
    """The caller knows OSError; the lock library's own kind would end the dream after it was paid for."""

    class Held(portalocker.Lock):
        def acquire(self, *args, **kwargs):
            raise portalocker.AlreadyLocked("held")

    monkeypatch.setattr(portalocker, "Lock", Held)
    with pytest.raises(OSError, match=r"not booked.*spend\.lock"):
        spend.add(tmp_path, 0.5, NOON)
