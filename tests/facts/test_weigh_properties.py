"""What holds for every text: an entry that stays as it is has lost, gained and changed nothing."""

from __future__ import annotations

import random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agentops_dream.facts.reading import read
from agentops_dream.facts.weigh import Text, changed_value, keeps, near_verbatim, relative_dates, weigh

PIECES = st.sampled_from(
    (
        "- ", "* ", "> ", "# ", "## Staging\n", "| a | b |\n", "|---|---|\n", "```\n", "`", "``", "**", "__", "[[a]]", "[[b|c]]", "[x](y.md)",
        "\n", "\n\n", " ", ". ", "。", "、", ": ", "; ", "(", ")", '"', "「", "」", "not ", "never ", "only ", "ない", "未確認", "不要", "않",
        "port 8443", "8 s", "2,000", "2026-11-20", "20 Nov 2026", "2026年11月20日", "yesterday", "3 日前", "https://a.example/x", "/etc/x.conf",
        "make seed", "FOO=1", "--dry-run", "v1.2.3", "MCK-12", "#12", "a1b2c3d4", "snake_case", "camelCase", "10.0.0.1:80", "Anneke", "美咲さん",
        "7:30", "12 %", "約 3 分", "about ", "staging", "production", "データ", "缓存", "서버", "\u3000", "\ufeff", "𠮷", "é", "１２３",
    )
)  # fmt: skip
BODIES = st.one_of(
    st.text(max_size=120), st.lists(PIECES, max_size=40).map("".join), st.lists(st.text(max_size=12) | PIECES, max_size=30).map("".join)
)


@settings(max_examples=300, deadline=None)
@given(BODIES, BODIES, BODIES)
def test_an_entry_that_stays_as_it_is_passes(name: str, description: str, body: str) -> None:
    text = Text(name, description, body)
    assert weigh([text], [text]) == ()
    assert keeps(text, text) == ()


@settings(max_examples=150, deadline=None)
@given(BODIES, BODIES)
def test_weighing_the_same_twice_gives_the_same(one: str, other: str) -> None:
    """A verdict that depends on the order of a set would differ between review and night."""
    before, after = Text("a", "", one), Text("a", "", other)
    first = weigh([before], [after])
    read.cache_clear()
    assert weigh([before], [after]) == first
    assert near_verbatim(before, after) == near_verbatim(before, after)
    assert changed_value(one, other) == changed_value(one, other)
    assert relative_dates(one) == relative_dates(one)


@settings(max_examples=200, deadline=None)
@given(BODIES, BODIES)
@example("", "# ")
def test_places_lie_in_the_text(description: str, body: str) -> None:
    """Names of faults are cut from these places; a wrong place names the wrong words."""
    reading = read(Text("a", description, body))
    for literal in reading.literals:
        assert 0 <= literal.start < literal.end <= len(reading.clean)
    for sentence in reading.sentences:
        assert reading.clean[sentence.start : sentence.end] == sentence.text
        for start, end in sentence.clauses:
            assert sentence.start <= start < end <= sentence.end


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, min_size=3, max_size=30).map("".join), st.integers(1000, 9999), st.randoms(use_true_random=False))
def test_a_number_that_goes_is_missed(body: str, number: int, rnd: random.Random) -> None:
    """The floor under everything else: a number that stood in one place only cannot vanish."""
    if str(number) in body or "8443" in body:
        return
    paragraph = f"The gate opens at mark {number}.\n"
    before = Text("a", "", f"{body}\n\n{paragraph}" if rnd.random() < 0.5 and "```" not in body else f"{paragraph}\n{body}")
    after = Text("a", "", before.body.replace(f" {number}", ""))
    assert any(fault.code == "loss" and str(number) in fault.literals for fault in weigh([before], [after]))
