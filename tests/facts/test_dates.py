"""Dates: one key for every spelling, anchors of relative dates, an entry's own end."""

from __future__ import annotations

from datetime import date

import pytest

from agentops_dream.facts.dates import Day, find_dates, find_relative
from agentops_dream.facts.weigh import Text, end_date_passed, relative_dates, weigh

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-20", Day(2026, 11, 20)),
        ("2026-11", Day(2026, 11)),
        ("2026/1/2", Day(2026, 1, 2)),
        ("Nov 20, 2026", Day(2026, 11, 20)),
        ("20th of November 2026", Day(2026, 11, 20)),
        ("20 Nov", Day(0, 11, 20)),
        ("March 2027", Day(2027, 3)),
        ("2026年11月20日", Day(2026, 11, 20)),
        ("2027 年 4 月", Day(2027, 4)),
        ("12月", Day(0, 12)),
        ("2026년 11월 20일", Day(2026, 11, 20)),
        ("20.11.2026", Day(2026, 11, 20)),
    ],
)
def test_a_date_in_any_spelling(text: str, day: Day) -> None:
    assert [found for _, _, found in find_dates(f"on {text} it")] == [day]


@pytest.mark.parametrize("text", ["2026-13-40", "version 2026.11", "page 12-20", "see a/2026/b", "May I", "the march", "3か月"])
def test_what_is_no_date(text: str) -> None:
    """A version read as a date would be compared as one."""
    assert [day for _, _, day in find_dates(text) if day.day] == []


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("yesterday", Day(2026, 7, 13)),
        ("2 weeks ago", Day(2026, 6, 30)),
        ("last month", Day(2026, 6)),
        ("last Thursday", Day(2026, 7, 9)),
        ("next Monday", Day(2026, 7, 20)),
        ("in 3 days", Day(2026, 7, 17)),
        ("昨日", Day(2026, 7, 13)),
        ("3 日前", Day(2026, 7, 11)),
        ("先月", Day(2026, 6)),
        ("上周四", Day(2026, 7, 9)),
        ("어제", Day(2026, 7, 13)),
        ("昨年", Day(2025)),
        ("next sprint", None),
        ("last spring", None),
    ],
)
def test_what_a_relative_date_means(words: str, day: Day | None) -> None:
    [found] = find_relative(f"it was {words} then")
    assert found.resolve(date(2026, 7, 14)) == day


def test_relative_dates_are_listed_in_order() -> None:
    assert relative_dates("Fixed yesterday; the cable comes next week. 昨日の定例") == ("yesterday", "next week", "昨日")


def worked_out(body: str, after: str) -> set[str]:
    return {fault.code for fault in weigh([Text("a", "", body)], [Text("a", "", after)])}


def test_a_date_worked_out_needs_the_anchor_in_the_entry() -> None:
    """Worked out from nothing, "last Thursday" becomes a date that somebody will rely on."""
    anchored = "Written 2026-07-14. The gap was filled yesterday by hand."
    assert worked_out(anchored, "The gap was filled by hand on 2026-07-13 (written 2026-07-14).") == set()
    assert worked_out(anchored, "The gap was filled by hand on 2026-07-12 (written 2026-07-14).") == {"loss", "invention"}
    assert worked_out("The gap was filled yesterday by hand.", "The gap was filled by hand on 2026-07-13.") == {"loss", "invention"}
    file_named = "先月の検索語の記録(`terms_202609.csv`)から分かったこと。"
    assert worked_out(file_named, "2026年9月の検索語の記録(`terms_202609.csv`)から分かったこと。") == set()


def test_a_relative_date_may_stay_but_not_go() -> None:
    assert worked_out("The worker was stuck last Thursday for an hour.", "The worker was stuck for an hour.") == {"loss"}


def test_the_date_in_a_file_name_supports() -> None:
    before = Text("2026-11-24_sensor", "", "# Sensor, 24 November\n\nThe drift is 0.8 cm.\n")
    assert weigh([before], [Text("sensor", "", "Noted on 2026-11-24: the drift is 0.8 cm.\n")]) == ()


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("Deploy freeze until 2026-10-30\nFreeze from 2026-10-12 until 2026-10-30. Only hotfixes.", date(2026, 10, 30)),
        ("\nNo new features until 2026-10-15: the export comes first.", date(2026, 10, 15)),
        ("夏の企画のため 2026-08-31 まで配布を凍結\n2026-07-20 から 2026-08-31 まで凍結する。", date(2026, 8, 31)),
        ("冻结\n秋季促销期间,2026年10月20日为止不发布。", date(2026, 10, 20)),
        ("동결\n2026-10-20까지 배포를 동결한다.", date(2026, 10, 20)),
        ("The licence expires on 2026-09-01\nLicence of the build farm.", date(2026, 9, 1)),
        ("Lock through October 2026\nThe branch is locked.", date(2026, 10, 31)),
    ],
)
def test_an_end_date_of_its_own_that_has_passed(text: str, end: date) -> None:
    assert end_date_passed(text, TODAY) == end
    assert end_date_passed(text, end) is None, "on the day itself it is not over"


@pytest.mark.parametrize(
    "text",
    [
        "Timeout of the gateway\nSince 2026-05-11 the timeout is 8 s.",
        "Ledger timeout\nThe timeout was 8 s until 2026-10-01, since then it is 12 s.",
        "Freeze until 2026-12-24\nFreeze from 2026-12-01 until 2026-12-24.",
        "Domain\nThe domain runs until 2027-06-03.",
        "Archive\nThe archive is on host a. Old keys were valid until 2026-03-01.",
        "Freeze until 2026-10-30\nFreeze until 2026-10-30. On 2026-11-20 it was made permanent.",
        "On 2026-05-06 events were lost\nPublishing lost 37 events on 2026-05-06.",
        "以前は 2026-08-31 まで 7:30\n以前は 2026-08-31 まで 7:30 に送っていた。現在は 8:00。",
        "Backups are kept until the audit\nNo date here.",
    ],
)
def test_any_other_date_is_no_reason_to_delete(text: str) -> None:
    """A living fact would go because a date stands in it."""
    assert end_date_passed(text, TODAY) is None
