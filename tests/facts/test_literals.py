"""The list of literal kinds: honest spellings meet, changed values do not."""

from __future__ import annotations

import pytest

from agentops_dream.facts.index import index
from agentops_dream.facts.literals import FAMILY, KINDS, extract
from agentops_dream.facts.reading import Text, read
from agentops_dream.facts.weigh import weigh

SAME = (
    ("The timeout is 8 s.", "The timeout is 8s."),
    ("The timeout is 8 s.", "The timeout is 8 seconds."),
    ("タイムアウトは 8 秒。", "タイムアウトは８秒。"),
    ("タイムアウトは 8 秒。", "タイムアウトは 8 s。"),
    ("超时时间是 8 秒。", "超时时间是 8 s。"),
    ("타임아웃은 8초이다.", "타임아웃은 8 초이다."),
    ("It holds 2,000 rows.", "It holds 2000 rows."),
    ("It holds 4.2 million rows.", "It holds 4,200,000 rows."),
    ("Released 2026-11-20.", "Released Nov 20, 2026."),
    ("Released 2026-11-20.", "Released 20 November 2026."),
    ("Released 2026-11-20.", "Released on 2026/11/20."),
    ("2026-11-20 に公開。", "2026年11月20日に公開。"),
    ("2026-11-20 发布。", "2026年11月20日发布。"),
    ("2026-11-20에 공개.", "2026년 11월 20일에 공개."),
    ("Starts at 7:30.", "Starts at 07:30."),
    ("Starts at 19:05.", "Starts at 7:05 pm."),
    ("7:30 に送る。", "7時30分に送る。"),
    ("Run `make seed` first.", "Run make seed first."),
    ("Run `make   seed` first.", "Run `make seed` first."),
    ("Set `FOO = 1`.", "Set `FOO=1`."),
    ("Call `formatPrice()` there.", "Call `formatPrice` there."),
    ("See https://a.example/x/ for more.", "See https://a.example/x."),
    ("The file is lib/ui/a.dart.", "The file is `lib/ui/a.dart`."),
    ("The file is \uff0fetc\uff0fhosts.", "The file is /etc/hosts."),
    ('It says "to be announced".', "It says “to be announced”."),
    ("「くるみ 無塩」が 1 位。", "くるみ 無塩が 1 位。"),
    ("Mirela's rule holds.", "The rule of Mirela holds."),
    ("It needs iOS 14 at least.", "It needs iOS 14.0 at least."),
    ("毎週月曜に送る。", "毎週 月曜日 に送る。"),
    ("三行以内で書く。", "3 行以内で書く。"),
    ("Ratio is 12 %.", "Ratio is 12%."),
    ("Ratio is 12 %.", "Ratio is 12 percent."),
)
OTHER = (
    ("The timeout is 8 s.", "The timeout is 9 s."),
    ("The timeout is 8 s.", "The timeout is 8 ms."),
    ("タイムアウトは 8 秒。", "タイムアウトは 80 秒。"),
    ("It takes 8 s on 8 cores.", "It takes a while on 8 cores."),
    ("It holds 2,000 rows.", "It holds 2,001 rows."),
    ("Released 2026-11-20.", "Released 2026-11-21."),
    ("Released 2026-11-20.", "Released in November 2026."),
    ("2026年11月20日に公開。", "2026年11月2日に公開。"),
    ("Starts at 7:30.", "Starts at 19:30."),
    ("Version 22.11.0 runs.", "Version 22.11 runs."),
    ("Version 3.1 runs.", "Version 3.10 runs."),
    ("See https://a.example:8443/x.", "See https://a.example:8444/x."),
    ("Run `make seed` first.", "Run `make seeds` first."),
    ("The file is `lib/ui/a.dart`.", "The file is `lib/ui/b.dart`."),
    ("Set `FOO=1`.", "Set `FOO=2`."),
    ("Error `ORD-1409` comes.", "Error `ORD-1490` comes."),
    ("The host is db-1.example.", "The host is db-2.example."),
    ("Commit e41b7c9 did it.", "Commit e41b7c8 did it."),
    ("Mail ops@a.example now.", "Mail ops@b.example now."),
    ("The peer is 10.0.0.1:80 now.", "The peer is 10.0.0.1:81 now."),
    ("I asked Anneke then.", "I asked Tobias then."),
    ("美咲さんに聞く。", "健さんに聞く。"),
    ("请问王敏老师。", "请问李强老师。"),
    ("민수 님에게 묻는다.", "지영 님에게 묻는다."),
    ("Jun fixed it in the evening.", "It was fixed in the evening."),
    ("Sent every Wednesday evening.", "Sent every Thursday evening."),
    ("毎週月曜に送る。", "毎週火曜に送る。"),
    ("As seen in [[one-entry]] before.", "As seen before."),
    ('It says "to be announced".', 'It says "to be defined".'),
    ("It runs with --fast here.", "It runs with --slow here."),
    ("The unit snake_case_a holds.", "The unit snake_case_b holds."),
)


@pytest.mark.parametrize(("before", "after"), SAME)
def test_an_honest_spelling_is_no_loss(before: str, after: str) -> None:
    """Refused for a blank or a date format, the user would get no dream at all."""
    for one, other in ((before, after), (after, before)):
        faults = weigh([Text("a", "", one)], [Text("a", "", other)])
        assert {fault.code for fault in faults} & {"loss", "invention"} == set(), faults


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_a_changed_value_is_a_loss(before: str, after: str) -> None:
    """Let through, the note states another value from then on."""
    faults = weigh([Text("a", "", before)], [Text("a", "", after)])
    assert "loss" in {fault.code for fault in faults}, faults


def test_every_kind_of_the_list_is_found() -> None:
    """A kind that no text matches protects nothing."""
    text = (
        'Ask [[x]] about `code` at https://a.example and ops@a.example on 2026-11-20 or yesterday at 7:30, path /etc/x, --flag, hash a1b2c3d4, '
        'ORD-12, 10.0.0.1, 1.2.3, snake_case, 12 s, Monday, "said so".'
    )
    _, found = extract(text)
    assert {literal.kind for literal in found} == {kind.name for kind in KINDS}
    assert set(FAMILY) == {kind.name for kind in KINDS}


def test_what_one_kind_took_is_out_of_reach_for_the_next() -> None:
    """An address read as four numbers would be lost four times."""
    _, found = extract("The peer is 10.0.0.1:80 in https://a.example/v1.2.3/x?n=5 since 2026-11-20T10:00:00Z.")
    assert [literal.kind for literal in found] == ["address", "url", "date"]


def test_layout_numbers_and_labels_are_no_literals() -> None:
    """A list turned into prose would lose its own numbering."""
    reading = read(Text("a", "", "1. first\n2. second\n10) third\n\n**Why:** because.\n"))
    assert reading.literals == ()


def test_code_in_a_fence_is_kept_line_by_line() -> None:
    """A command cut out of a fenced block would go unseen."""
    before = Text("a", "", "Steps:\n\n```sh\nmake build\nmake ship --now\n```\n")
    after = Text("a", "", "Steps:\n\n```sh\nmake build\n```\n")
    assert weigh([before], [after])[0].literals == ("make ship --now",)


def test_a_compound_may_come_apart_within_one_sentence_only() -> None:
    """ `A=1` may become "A is 1"; but `A` here and 1 there is another statement."""
    source = index([read(Text("a", "", "Set `LIMIT=12` in the file."))])
    said = read(Text("a", "", "`LIMIT` is 12 in the file."))
    assert weigh([source.readings[0].text], [said.text]) == ()
    apart = Text("a", "", "`LIMIT` is set in the file. There are 12 of them.")
    assert "loss" in {fault.code for fault in weigh([source.readings[0].text], [apart])}
