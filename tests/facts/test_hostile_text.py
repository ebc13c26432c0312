"""Text made to hurt: a night must not hang over one entry.

A pattern that is not linear takes minutes or hours over these; the time limit is for that, not for speed.
"""

from __future__ import annotations

from datetime import date

import pytest

from agentops_dream.facts.weigh import Text, changed_value, end_date_passed, near_verbatim, relative_dates, weigh

SIZE = 100_000
UNITS = (
    "a.", "[[", "]]", " ", "`", "`a ", '"', '"a ', "*", "_", ".", "-", "- ", "/", "a/", "~/", "1", "1,", "1.", "1:", "1 - ", "a@", "a", "A", "aA", "a_", "a-",
    "A-", "a=", "http://", "(", "|", "| ", "\n", "a\n", "#", "> ", "あ", "漢", "カ", "한", "、", "「", "「」", "絶対", "絶対あいうえお", "不", "あ。", "not ", "no a ", "may ",
    "据", "heard a b ", "2026-", "2026-11-", "f", "0f", "in ", "9 ", "12 May ", "https://a/{", "https://a/})", "**a** ", "**Why:** ", "x: ", "一", "・",
    "~~~\n", "```\n", "e.g ", "漢字さん", "A's ", '"x" ', "\\", "=", " = ", "don't ", "until ", "from 8 s to ", "A b c. ", "\u200b", "- x\n", "|a|b|\n",
)  # fmt: skip


@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", UNITS)
def test_a_long_run_is_weighed_in_time(unit: str) -> None:
    text = (unit * (SIZE // len(unit) + 1))[: SIZE // 10]
    one, other = Text("a", "d", text), Text("a", "d", text + " x 5")
    weigh([one], [other])
    near_verbatim(one, other)
    changed_value(text, text + " z")
    end_date_passed(text, date(2026, 1, 1))
    relative_dates(text)


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", UNITS)
def test_a_very_long_run_too(unit: str) -> None:
    text = (unit * (SIZE // len(unit) + 1))[:SIZE]
    weigh([Text("a", "d", text)], [Text("a", "d", text + " x 5")])
