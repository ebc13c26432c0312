"""Swaps: a value in another's company, in prose, lists, tables, under headings and labels."""

from __future__ import annotations

import pytest

from agentops_dream.facts.weigh import Text, weigh

STAGING = Text("staging-db", "Staging database", "Staging database: host `pg-stg.example`, port 6432, role `orders_dev`. The dump is refreshed every Monday.")
PRODUCTION = Text("production-db", "Production database", "Production database: host `pg-prod.example`, port 6433, role `orders_ro`. Access ends after 60 minutes.")
LAYOUTS = (
    "**Staging:** host `pg-stg.example`, port {a}, role `{c}`. The dump is refreshed every Monday.\n\n"
    "**Production:** host `pg-prod.example`, port {b}, role `{d}`. Access ends after 60 minutes.\n",
    "## Staging\n\n- host: `pg-stg.example`\n- port: {a}\n- role: `{c}`\n- dump: refreshed every Monday\n\n"
    "## Production\n\n- host: `pg-prod.example`\n- port: {b}\n- role: `{d}`\n- access ends after 60 minutes\n",
    "| database | host | port | role |\n|---|---|---|---|\n| staging | `pg-stg.example` | {a} | `{c}` |\n| production | `pg-prod.example` | {b} | `{d}` |\n\n"
    "Staging's dump is refreshed every Monday; production's access ends after 60 minutes.\n",
    "The staging database is on `pg-stg.example` with port {a} and role `{c}`, the dump is refreshed every Monday. On production "
    "it is `pg-prod.example`, port {b}, role `{d}`, and access ends after 60 minutes.\n",
)  # fmt: skip
RIGHT = {"a": "6432", "b": "6433", "c": "orders_dev", "d": "orders_ro"}


def codes(inputs: tuple[Text, ...], body: str) -> set[str]:
    return {fault.code for fault in weigh(inputs, [Text("db", "Databases", body)])}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("together", [False, True])
def test_a_rewriting_with_every_value_in_its_place_passes(layout: str, together: bool) -> None:
    inputs = (Text("db", "Databases", f"{STAGING.body}\n\n{PRODUCTION.body}"),) if together else (STAGING, PRODUCTION)
    assert codes(inputs, layout.format(**RIGHT)) == set()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("pair", ["ab", "cd"])
@pytest.mark.parametrize("together", [False, True])
def test_an_exchange_is_found(layout: str, pair: str, together: bool) -> None:
    """Somebody will connect to production and believe that it is staging."""
    inputs = (Text("db", "Databases", f"{STAGING.body}\n\n{PRODUCTION.body}"),) if together else (STAGING, PRODUCTION)
    wrong = {**RIGHT, pair[0]: RIGHT[pair[1]], pair[1]: RIGHT[pair[0]]}
    assert "swap" in codes(inputs, layout.format(**wrong))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The budget is 2.2 ms on the target GPU and 4.5 ms on the small machine.", "The budget is 4.5 ms on the target GPU and 2.2 ms on the small machine."),
        ("The default for `limit` is 50 and the maximum page size is 200.", "The default for `limit` is 200 and the maximum page size is 50."),
        ("Anneke approves deploys. Tobias reviews timeouts.", "Tobias approves deploys. Anneke reviews timeouts."),
        ("On 2026-11-23 the limit went from 8 s to 12 s.", "On 2026-11-23 the limit went from 12 s to 8 s."),
        ("Readings come up to 72 hours late. Retention of the topic is 96 hours.", "Readings come up to 96 hours late. Retention of the topic is 72 hours."),
        ("検証環境は 8443、本番環境は 443 で待ち受ける。", "検証環境は 443、本番環境は 8443 で待ち受ける。"),
        ("测试环境用 8443 端口,生产环境用 443 端口。", "测试环境用 443 端口,生产环境用 8443 端口。"),
        ("스테이징은 포트 8443, 운영은 포트 443이다.", "스테이징은 포트 443, 운영은 포트 8443이다."),
        ("Input is 12 V; the charger is set to 14 V.", "Input is 14 V; the charger is set to 12 V."),
    ],
)  # fmt: skip
def test_an_exchange_within_one_text_is_found(before: str, after: str) -> None:
    assert "swap" in {fault.code for fault in weigh([Text("a", "", before)], [Text("a", "", after)])}
    assert weigh([Text("a", "", before)], [Text("a", "", before.replace(" is ", " is  "))]) == ()


@pytest.mark.parametrize(
    "after",
    [
        "On the target GPU the budget is 2.2 ms, on the small machine 4.5 ms.",
        "Budget: 4.5 ms (small machine), 2.2 ms (target GPU).",
        "Budget:\n- target GPU: 2.2 ms\n- small machine: 4.5 ms\n",
        "The budgets on the target GPU and the small machine are 2.2 and 4.5 ms.",
    ],
)
def test_other_orders_of_the_same_are_no_exchange(after: str) -> None:
    before = "The budget is 2.2 ms on the target GPU and 4.5 ms on the small machine."
    assert "swap" not in {fault.code for fault in weigh([Text("a", "", before)], [Text("a", "", after)])}
