"""Two values that change places are two false facts, of whatever kinds they are."""

from __future__ import annotations

import pytest

from agentops_dream.facts.weigh import Text, weigh

STAGING = Text("staging-db", "Staging database", "The staging database listens on port 6432. Backups run daily at 03:00 UTC.")
PROD = Text("prod-db", "Production database", "The production database listens on port 5432. Backups run hourly.")


def codes(inputs: list[Text], *bodies: str) -> list[str]:
    outputs = [Text(inputs[0].id, inputs[0].description, body) for body in bodies]
    return [fault.code for fault in weigh(inputs, outputs)]


def test_values_of_two_kinds_do_not_change_places() -> None:
    before = Text("assets", "Assets", "Assets are converted with `lwcook` 0.9.4. Packs are written at format version 5.")
    assert "swap" in codes([before], "Assets are converted with `lwcook` 5. Packs are written at format version 0.9.4.")
    assert codes([before], "Packs are written at format version 5; assets are converted with `lwcook` 0.9.4.") == []


def test_sentences_without_a_subject_stay_with_their_entry() -> None:
    assert "swap" in codes(
        [STAGING, PROD],
        "The staging database listens on port 6432. Backups run hourly.\n\n"
        "The production database listens on port 5432. Backups run daily at 03:00 UTC.",
    )


@pytest.mark.parametrize(
    "body",
    [
        f"{STAGING.body}\n\n{PROD.body}",
        f"{PROD.body}\n\n{STAGING.body}",
        "- Staging database: port 6432. Backups run daily at 03:00 UTC.\n- Production database: port 5432. Backups run hourly.",
    ],
)
def test_an_honest_merge_of_twins_gets_in(body: str) -> None:
    assert "swap" not in codes([STAGING, PROD], body)
