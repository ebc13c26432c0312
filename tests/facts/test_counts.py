"""Numbers that have changed what they count read as facts, and all the words are still there."""

from __future__ import annotations

import pytest
from one_note import codes

MOVED = (
    ("The mailer has 11 templates in 6 languages.", "The mailer has 6 templates in 11 languages."),
    ("The belt peaks at 95 per minute.", "The belt peaks at 95 per second."),
    ("Each bench has 4 probes and 9 relays.", "Each bench has 9 probes and 4 relays."),
    ("呼び出しは毎分 120 件まで。", "呼び出しは毎時 120 件まで。"),
    ("Retry three times before giving up on the upload.", "Retry five times before giving up on the upload."),
    ("失敗したら三回まで再試行する。", "失敗したら五回まで再試行する。"),
    ("The freezer stays at -18 °C.", "The freezer stays at 18 °C."),
)  # fmt: skip

KEPT = (
    ("The mailer has 11 templates in 6 languages.", "In 6 languages the mailer has 11 templates."),
    ("The belt peaks at 95 per minute.", "Peak of the belt: 95/min."),
    ("The API allows 60 calls per minute and 900 calls per hour.", "Calls allowed by the API: 60 a minute, 900 an hour."),
    ("Retry three times before giving up.", "Retry 3 times before giving up."),
    ("9 people run 3 shifts; 3 people are on call.", "3 shifts are run by 9 people, and 3 people are on call."),
    ("呼び出しは毎分 120 件まで。", "呼び出しの上限は 120 件/分。"),
)  # fmt: skip


@pytest.mark.parametrize(("before", "after"), MOVED)
def test_a_number_that_counts_something_else_does_not_get_in(before: str, after: str) -> None:
    assert codes(before, after)


def test_the_same_numbers_in_other_words_get_in() -> None:
    assert [(pair, codes(*pair)) for pair in KEPT if codes(*pair)] == []
