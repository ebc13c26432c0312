"""Facts without a value of their own: the order of steps, which of two, on which side of a limit, and what goes with what.

Nothing is lost when they turn round, so that a check by literals alone sees no difference.
"""

from __future__ import annotations

import pytest

from agentops_dream.facts.weigh import Text, weigh


def codes(before: str, after: str) -> set[str]:
    return {fault.code for fault in weigh([Text("a", "x", before)], [Text("a", "x", after)])}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("First stop the pump, then open valve B, then drain the tank.", "First open valve B, then stop the pump, then drain the tank."),
        ("First stop the pump, then open valve B, then drain the tank.", "1. Open valve B.\n2. Stop the pump.\n3. Drain the tank."),
        ("Run the check before the import.", "Run the import before the check."),
        ("Run the check before the import.", "After the import, run the check."),
        ("1. wash the wool\n2. dry it for 10 min\n3. press it", "1. dry the wool for 10 min\n2. wash it\n3. press it"),
        ("まず電源を切り、次に蓋を開け、最後に乾燥剤を替える。", "まず蓋を開け、次に電源を切り、最後に乾燥剤を替える。"),
        ("蓋を開ける前に電源を切る。", "電源を切る前に蓋を開ける。"),
        ("Never open the lid before the power is off.", "Never switch the power off before the lid is open."),
        ("关灯之前先锁门。", "锁门之前先关灯。"),
        ("문을 잠그기 전에 불을 끈다.", "불을 끄기 전에 문을 잠근다."),
        ("For receiving the shift is added, for transmitting it is subtracted.", "For transmitting the shift is added, for receiving it is subtracted."),
        ("- incoming mail: stamped\n- outgoing mail: weighed", "- incoming mail: weighed\n- outgoing mail: stamped"),
        ("受信ではシフトを加え、送信では引く。", "受信ではシフトを引き、送信では加える。"),
    ],
)  # fmt: skip
def test_what_changed_places_is_found(before: str, after: str) -> None:
    """Let through, the next session rolls back before it has stopped the job."""
    assert "swap" in codes(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Swaps start up to 48 h before the shift.", "Swaps start at least 48 h before the shift."),
        ("The alarm rings above 80 °C.", "The alarm rings at 80 °C or more."),
        ("在庫が 20 個未満なら発注する。", "在庫が20個以下なら発注する。"),
        ("30 食を超えるときは電話する。", "30食以上のときは電話する。"),
        ("承認は田中さんか鈴木さん。", "承認は田中さんと鈴木さん。"),
        ("Changes are approved by Ida or Femi.", "Changes are approved by Ida and Femi."),
        ("Wanda and Maren both have to be in the room.", "Wanda or Maren has to be in the room."),
    ],
)
def test_a_limit_or_a_choice_that_moved_is_found(before: str, after: str) -> None:
    """Let through, one signature is enough where two were asked for."""
    assert "hardening" in codes(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Swaps start up to 48 h before the shift; more than 48 h is too early.", "A swap may start no more than 48 h ahead of the shift. Over 48 h ahead is too early."),
        ("The alarm rings above 80 °C.", "At more than 80 °C the alarm rings."),
        ("A batch needs at least 3 samples.", "A batch with fewer than 3 samples is not enough; at least 3 are needed."),
        ("Ida or Femi may restart it.", "Ida and Femi may restart it."),
        ("Never give the key to Ida or Femi.", "Ida and Femi must never be given the key."),
        ("Ask Ida and Femi before a change.", "Before a change, both Ida and Femi have to be asked."),
        ("The lead or the deputy signs: Ida or Femi.", "Signed by Ida or by Femi (lead, deputy)."),
        ("First stop the pump, then open valve B, then drain the tank.", "1. Stop the pump.\n2. Open valve B.\n3. Drain the tank."),
        ("Before the import run the check. After the import clear the cache.", "Run the check before the import and clear the cache after it."),
        ("Run the check, then the import.", "The import is only run after the check."),
        ("Doors open at 18:00 and the concert starts at 19:30. The bar closes before midnight.", "The concert starts at 19:30; doors open at 18:00. Before midnight the bar closes."),
        ("Red wires carry 24 V, blue wires are ground, green ones go to the chassis.", "- red: 24 V\n- blue: ground\n- green: goes to the chassis"),
        ("For receiving the shift is added, for transmitting it is subtracted.", "The shift is added when receiving and subtracted when transmitting."),
        ("For receiving the shift is added, for transmitting it is subtracted.", "When receiving and when transmitting, the shift is added and subtracted, respectively."),
        ("受信ではシフトを加え、送信では引く。", "送信ではシフトを引き、受信では加える。"),
        ("まず電源を切り、次に蓋を開け、最後に乾燥剤を替える。", "1. 電源を切る\n2. 蓋を開ける\n3. 乾燥剤を替える"),
        ("蓋を開ける前に電源を切る。", "電源を切ってから蓋を開ける。"),
        ("デプロイの後に監視を再開する。", "監視の再開はデプロイの後。"),
        ("No job is started without asking her first.", "Never start a job before you have asked her."),
        ("Never start a job before asking her.", "Ask her before a job is started, never start it otherwise."),
        ("Conclusion first, at most five lines, then the command.", "1. The conclusion, at most five lines.\n2. The command."),
        ("Reviewed after 12 months.", "It is reviewed after a year."),
    ],
)  # fmt: skip
def test_what_is_only_told_in_another_order_passes(before: str, after: str) -> None:
    assert codes(before, after) == set()
