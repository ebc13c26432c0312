"""Two things that changed places leave every word in the text, and the text says the reverse."""

from __future__ import annotations

import pytest
from one_note import codes

TURNED = (
    ("The gateway calls the ledger for each order.", "The ledger calls the gateway for each order."),
    ("The user prefers tabs over spaces.", "The user prefers spaces over tabs."),
    ("検索の担当は田中さん。課金の担当は鈴木さん。", "検索の担当は鈴木さん。課金の担当は田中さん。"),
    ("- outages: [[vpn-runbook]]\n- access: [[access-runbook]]", "- outages: [[access-runbook]]\n- access: [[vpn-runbook]]"),
    ("## Do\n\n- x one\n\n## Avoid\n\n- y two", "## Avoid\n\n- x one\n\n## Do\n\n- y two"),
    ("Copy with `cp prod.env staging.env` first.", "Copy with `cp staging.env prod.env` first."),
)  # fmt: skip

KEPT = (
    ("- alpha beta\n- gamma delta\n- eps zeta", "- eps zeta\n- gamma delta\n- alpha beta"),
    ("Use red and blue lines.", "Use blue and red lines."),
    ("The gateway calls the ledger. The ledger answers.", "The ledger is called by the gateway. The ledger answers."),
    ("On 2021-05-25 records were lost because the disk was full.", "Because the disk was full records were lost on 2021-05-25."),
)  # fmt: skip


@pytest.mark.parametrize(("before", "after"), TURNED)
def test_what_changed_places_does_not_get_in(before: str, after: str) -> None:
    assert codes(before, after)


def test_another_order_of_the_same_facts_gets_in() -> None:
    assert [pair for pair in KEPT if codes(*pair)] == []
