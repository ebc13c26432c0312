"""Twins and changed values: what differs decides, not how much is alike."""

from __future__ import annotations

import pytest

from agentops_dream.facts.weigh import Text, changed_value, keeps, near_verbatim

BODY = (
    "The relay polls every 250 ms, takes up to 100 rows with `FOR UPDATE SKIP LOCKED` and sets `published_at`. Never publish from a handler. "
    "Rows are kept for 14 days, then removed by `cmd/outbox-trim`."
)


def twin(body: str) -> bool:
    one, other = Text("a", "Events go through the outbox", BODY), Text("b", "Events go via the outbox", body)
    assert near_verbatim(one, other) == near_verbatim(other, one)
    return near_verbatim(one, other)


def test_the_same_in_nearly_the_same_words() -> None:
    assert twin(BODY)
    assert twin(BODY.replace("takes up to", "grabs up to").replace("then removed", "and then removed"))


@pytest.mark.parametrize(
    ("old", "new"),
    [("250 ms", "500 ms"), ("Never publish", "Publish"), ("100 rows", "1000 rows"), ("`cmd/outbox-trim`", "`cmd/inbox-trim`"), ("14 days", "14 hours")],
)
def test_one_changed_word_is_enough_to_be_no_twin(old: str, new: str) -> None:
    """A delete in favour of the "twin" would lose the value for good."""
    assert not twin(BODY.replace(old, new))


def test_a_twin_has_nothing_more_either() -> None:
    assert not twin(BODY + " The lag is on the board https://grafana.example/d/lag.")


@pytest.mark.parametrize(
    ("one", "other", "span"),
    [
        ("The server listens on port 8080.", "The server listens on port 9090.", ("8080", "9090")),
        ("検証環境のポートは 8443。", "検証環境のポートは 443。", ("8443", "443")),
        ("缓存保留 21 天,最大 180 MB。", "缓存保留 7 天,最大 180 MB。", ("21", "7")),
        ("서버는 포트 8080에서 수신한다.", "서버는 포트 9090에서 수신한다.", ("8080", "9090")),
        ("Reviews are done by Anneke on Monday.", "Reviews are done by Tobias on Monday.", ("Anneke", "Tobias")),
        ("本番の DB は orders。", "検証の DB は orders。", ("本番", "検証")),
        ("`make seed` is fine here, it takes 3 minutes.", "`make seed` is fine here, it takes 30 minutes.", ("3", "30")),
    ],
)
def test_one_differing_span_is_a_changed_value(one: str, other: str, span: tuple[str, str]) -> None:
    assert changed_value(one, other) == span


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The server listens on port 8080.", "The server listens on port 8080."),
        ("The server listens on port 8080.", "The SERVER listens on port 8080"),
        ("The server listens on port 8080.", "Port 8080 is where the server listens."),
        ("The old server listens on port 8080 here.", "A new server listens on port 9090 here."),
        ("The server listens on port 8080.", "The server listens on port 8080 and logs to a file."),
        ("The server listens on port 8080.", "The server now listens on port 8080."),
        ("", ""),
        ("a", "b"),
    ],
)
def test_paraphrases_and_additions_are_none(one: str, other: str) -> None:
    assert changed_value(one, other) is None


def test_keeps_names_what_is_missing() -> None:
    """The receipt has to say what a delete would have lost."""
    shorter = Text("b", "", "The relay polls every 250 ms and sets `published_at`. Never publish from a handler.")
    missing = keeps(Text("a", "", BODY), shorter)
    assert {"100", "14 days", "cmd/outbox-trim"} <= set(missing)
    assert keeps(shorter, Text("a", "", BODY)) == ()
