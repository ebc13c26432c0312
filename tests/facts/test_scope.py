"""A rule that binds less firmly after a dream, or has a new exception, lets the next session do what was forbidden."""

from __future__ import annotations

import pytest
from one_note import codes

LOOSENED = (
    ("Never run the suite `update` here: the keys are shared.", "The suite `update` is usually not run here: the keys are shared."),
    ("Plates must be sealed before they leave the hood.", "Plates are normally sealed before they leave the hood."),
    ("Phone numbers are never shown to guests, not even the one of their own host.", "Guests are shown no phone numbers except the one of their own host."),
    ("本番のデータを手元に写してはいけない。", "本番のデータは原則として手元に写さない。"),
    ("生地を冷凍しない。休業日も同じ。", "生地は休業日を除いて冷凍しない。"),
    ("Test tubs must not carry real bags.", "Test tubs should carry real bags only in the test hall."),
    ("Never update the firmware without a technician at the line.", "Never update the firmware."),
    ("不要在生产环境手动改配置。", "一般不在生产环境手动改配置。"),
)  # fmt: skip

KEPT = (
    ("Normally nobody deploys on Fridays.", "There are usually no deploys on Fridays."),
    ("Only Ada may rotate the keys.", "Nobody except Ada may rotate the keys."),
    ("Never restart the broker. On Mondays before 06:00 it is allowed.", "The broker is never restarted, except on Mondays before 06:00."),
    ("Deploys must not happen without review.", "No deploy happens unless it was reviewed."),
    ("祝日だけは例外で、受付をしない日がある。", "祝日を除いて、受付をしない日はない。"),
    ("Do not deploy before the review.", "Deploy only after the review."),
    ("Never update the firmware without a technician at the line.", "Firmware is updated only with a technician at the line."),
    ("管理者以外は変更できない。", "変更できるのは管理者だけで、ほかの人には許されない。"),
)  # fmt: skip


@pytest.mark.parametrize(("before", "after"), LOOSENED)
def test_a_loosened_rule_does_not_get_in(before: str, after: str) -> None:
    assert "hardening" in codes(before, after)


def test_the_same_rule_in_other_words_gets_in() -> None:
    """A guard that cries at honest wording would be switched off."""
    assert [pair for pair in KEPT if "hardening" in codes(*pair)] == []
