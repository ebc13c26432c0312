"""A false "superseded" is the one door through which a living fact could leave."""

from __future__ import annotations

import pytest

from agentops_dream.facts.weigh import Text, weigh
from agentops_dream.models import Superseded

ALPHA = Text("a", "Alpha", "The alpha relay listens on port 9100 and polls `order_outbox`.")
GONE = Text("a", "Alpha", "The alpha relay polls `order_outbox`.")


def codes(by: Text, text: str, after: Text = GONE, before: Text = ALPHA) -> list[str]:
    faults = weigh([before], [after], superseded=[Superseded(text, by.id)], shown={by.id: by})
    return [fault.code for fault in faults]


@pytest.mark.parametrize("text", ["listens on port 9100", ALPHA.body])
@pytest.mark.parametrize(
    "body",
    [
        "The delta relay listens on port 9400 and polls `mail_outbox`.",
        "The delta relay listens on port 9400 and polls `mail_outbox`. The alpha relay is older.",
        "See [[a]]. The database listens on port 5432.",
    ],
)
def test_another_subject_supersedes_nothing(text: str, body: str) -> None:
    assert "loss" in codes(Text("d", "Delta", body), text)


@pytest.mark.parametrize(
    "body",
    [
        "The alpha relay listens on port 9200.",
        "Since 2026-10-02 the alpha relay listens on port 9200.",
        "Alpha relay: port 9200 (formerly 9100).",
    ],
)
def test_a_later_value_of_the_same_subject_supersedes(body: str) -> None:
    by = Text("alpha-port", "Port of the alpha relay", body)
    after = Text("a", "Alpha", "The alpha relay listens on port 9200 and polls `order_outbox`.")
    assert codes(by, "listens on port 9100", after) == []
