"""How often, how soon again after a failure, and what a broken file does to it."""

from __future__ import annotations

import pytest

from agentops_dream.journal import rate
from agentops_dream.journal.rate import DAY, FIRST_WAIT, Rate

NOW = 1_800_000_000.0


def test_interval_and_number_a_day():
    fresh = Rate()
    assert fresh.allows(NOW, 1800, 8)
    once = fresh.started(NOW)
    assert not once.allows(NOW + 1799, 1800, 8) and once.allows(NOW + 1800, 1800, 8)
    busy = fresh
    for number in range(8):
        busy = busy.started(NOW + number * 2000)
    assert not busy.allows(NOW + 40_000, 1800, 8) and busy.allows(NOW + DAY, 1800, 8)
    assert not fresh.allows(NOW, 1800, 0)


def test_back_off_doubles_up_to_a_day_and_ends_with_a_success():
    waits = []
    now = NOW
    seen = Rate()
    for _ in range(12):
        seen = seen.failed(now, smaller=True)
        waits.append(seen.not_before - now)
        assert not seen.allows(seen.not_before - 1, 0, 99) and seen.allows(seen.not_before, 0, 99)
        now = seen.not_before
    assert waits[:4] == [FIRST_WAIT, 2 * FIRST_WAIT, 4 * FIRST_WAIT, 8 * FIRST_WAIT] and waits[-1] == DAY
    assert seen.shrink == rate.MOST_SHRINK
    done = seen.succeeded()
    assert (done.failures, done.shrink, done.not_before) == (0, 0, 0.0) and done.allows(now, 0, 99)
    assert done.failed(now, smaller=False).not_before == now + FIRST_WAIT


def test_failures_without_end_do_not_overflow():
    assert Rate(failures=5000).failed(NOW, smaller=False).not_before == NOW + DAY


def test_what_is_written_is_what_the_hook_reads(tmp_path):
    seen = Rate((NOW - 10, NOW), NOW + 900, 2, 1, "abc")
    rate.save(tmp_path / "state", seen)
    assert rate.load(tmp_path / "state") == seen
    assert rate.path_in(tmp_path / "state").stat().st_mode & 0o777 == 0o600


def test_starts_of_yesterday_and_of_a_wrong_clock_drop_out():
    assert Rate((NOW - DAY, NOW - 5, NOW + 99)).started(NOW).dreams == (NOW - 5, NOW)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"dreams": 5}', '{"dreams": ["x"]}', '{"failures": 1e999}', '{"failures": NaN}']
)
def test_a_broken_file_is_a_fresh_one(tmp_path, text):
    rate.path_in(tmp_path).write_text(text)
    assert rate.load(tmp_path) == Rate()
