"""What careful people do to a text when they tidy it, each beside the dishonest change that looks like it.

Lost if wrong: an honest rewrite is refused night after night, and the memory stays untidy; or, under cover of
the same form, a fact goes.
"""

from __future__ import annotations

import pytest

from agentops_dream.facts.weigh import Text, weigh
from agentops_dream.models import Superseded


def codes(before: str | tuple[str, ...], after: str, description: str = "") -> set[str]:
    texts = (before,) if isinstance(before, str) else before
    inputs = [Text(f"entry-{number}", "", text) for number, text in enumerate(texts)]
    return {fault.code for fault in weigh(inputs, [Text("entry-0", description, after)])}


@pytest.mark.parametrize(
    ("before", "honest", "dishonest"),
    [
        ("Idle shells are closed after 90 minutes.", "Shells that sit idle are closed after an hour and a half.", "Shells that sit idle are closed after two hours and a half."),
        ("A night's copy takes 150 minutes.", "A night's copy takes two and a half hours.", "A night's copy takes three and a half hours."),
        ("A meeting lasts 45 minutes at most.", "A meeting lasts three-quarters of an hour at most.", "A meeting lasts a quarter of an hour at most."),
        ("Keys are changed every 2 weeks.", "Keys are changed once a fortnight.", "Keys are changed once a month."),
        ("毎晩の複製は 90 分かかる。", "毎晩の複製には 1 時間半かかる。", "毎晩の複製には 2 時間半かかる。"),
        ("1,000 labels take about 25 minutes to print.", "A thousand labels take about 25 minutes to print.", "A hundred labels take about 25 minutes to print."),
        ("A thousand labels take about 25 minutes to print.", "1,000 labels take about 25 minutes to print.", "10,000 labels take about 25 minutes to print."),
    ],
)  # fmt: skip
def test_an_amount_in_other_words(before: str, honest: str, dishonest: str) -> None:
    assert codes(before, honest) == set()
    assert codes(before, dishonest) & {"loss", "invention"}


def test_a_column_is_called_by_what_stands_in_it() -> None:
    before = "The gate answers at https://gate.example:9444, its second address is 10.4.1.9; the account is `porter`."
    table = "| | |\n|---|---|\n| URL | https://gate.example:9444 |\n| IP | 10.4.1.9 |\n| account | `porter` |"
    assert codes(before, table) == set()
    assert "invention" in codes("The gate answers on port 9444; the account is `porter`.", "URL: port 9444; the account is `porter`.")
    assert "invention" in codes(before, table.replace("URL", "SAML"))


@pytest.mark.parametrize(
    ("title", "rest", "after"),
    [
        ("Clean-up of the spool folder.", "Files in `/spool` that nobody has read for 45 days are deleted by `sweep.py`.", "`sweep.py` deletes whatever in `/spool` nobody has read for 45 days."),
        ("配車番号の仕組みメモ。", "配車番号は `FleetNo.next()` だけが作る。上限は 4096。", "`FleetNo.next()` だけが配車番号を作り、上限は 4096。"),
        ("荷札の印刷について。", "荷札は `LP-3` で印刷し、1 巻は 500 枚。", "荷札の印刷は `LP-3` で、1 巻が 500 枚。"),
    ],
)  # fmt: skip
def test_an_opening_that_only_names_the_topic_may_go(title: str, rest: str, after: str) -> None:
    assert codes(f"{title} {rest}", after) == set()


def test_an_opening_that_says_something_may_not() -> None:
    rest = "Files in `/spool` that nobody has read for 45 days are deleted by `sweep.py`."
    assert "loss" in codes(f"Beware of the cleaner's hidden recursion bug. {rest}", rest.replace("Files", "All files"))
    assert "loss" in codes(f"Dispose of broken cartridges outdoors. {rest}", rest.replace("Files", "All files"))


def test_what_only_sends_the_reader_to_the_other_half_of_a_merge_may_go() -> None:
    old = "The half-life is 14 days; the weight of age is 8000."
    new = "Since 2026-11-16 the grace period is 3 days. Weights and everything else in these settings stayed as in ."
    both = "The half-life is 14 days; the weight of age is 8000. Since 2026-11-16 the grace period is 3 days."
    assert codes((old, new), both) == set()
    told = new.replace("stayed as in .", "are tuned by hand before each harvest.")
    assert "loss" in codes((old, told), both)


def test_what_only_announces_a_list_may_go() -> None:
    items = "\n\n1. `php.ini`: `max = 60M`\n2. `proxy.conf`: `body 64m`\n3. `form.ts`: `MAX = 60`"
    prose = "It is `max = 60M` in `php.ini`, `body 64m` in `proxy.conf` and `MAX = 60` in `form.ts`."
    assert codes(f"The value stands in three places:{items}", prose) == set()
    assert "loss" in codes(f"Brigitta's auditors inspect these quarterly:{items}", prose)


def test_a_heading_names_its_kind_of_content() -> None:
    before = "Every cart has a number. Parts get a letter; a cart whose year is not known gets 0000."
    after = "Every cart has a number.\n\nSpecial cases:\n\n- **Parts** get a letter.\n- **Year not known:** the cart gets 0000."
    assert codes(before, after) == set()
    assert codes(before, after, "Cart numbers; special cases, exceptions") == set()
    assert codes(before, after.replace("Special cases", "Deprecated rules")) == {"unsupported"}
    assert codes(before, after, "Cart numbers; dangerous, deprecated") == {"unsupported"}


def test_a_description_that_lists_what_the_body_holds_may_go() -> None:
    told = "配車番号は `FleetNo`(`core/fleet/`)が作り、列は `CAR.NO`。重複したら 3 回まで取り直す。"
    one = Text("one", "配車番号の形", "配車番号は年と連番からなる。")
    other = Text("other", "配車番号を作る FleetNo の場所、列、重複時の動き", told)
    merged = Text("one", "配車番号の形と採番", f"配車番号は年と連番からなる。{told}")
    assert weigh([one, other], [merged]) == ()


def test_a_noun_before_its_plural_is_nobody() -> None:
    assert codes("Inventory numbers are issued by the form.", "The form issues each inventory number.") == set()
    assert "loss" in codes("Hortensia numbers them by hand. The form issues them.", "They are numbered by hand. The form issues them.")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The `cart_log` queue is drained by hand. Never run `mop --fast`: it empties the `cart_log` table.", "The `cart_log` queue is drained by hand. Never run `mop --fast`, as it empties some table."),
        ("`cart_log` 队列由人工清空。禁止运行 `mop --fast`:它会清空 `cart_log` 表。", "`cart_log` 队列由人工清空。禁止运行 `mop --fast`:会清空某表。"),
        ("The manual is https://docs.example/91. The timeout of the test stage is 91 seconds.", "The manual is https://docs.example/91. The timeout of the test stage is some seconds."),
    ],
)  # fmt: skip
def test_something_in_its_place_is_no_value(before: str, after: str) -> None:
    assert "loss" in codes(before, after)


@pytest.mark.parametrize(
    ("before", "honest", "dishonest"),
    [
        ("| what | Depot |\n|---|---|\n| spare bulbs | none on site, bring them from the yard |", "There are no spare bulbs on site at the Depot, so bring them from the yard.", "There are spare bulbs on site at the Depot, and more in the yard; bring them."),
        ("The list has name, berth and \"needs a ramp\", nothing else; files are deleted after 48 h.", "The list has name, berth and \"needs a ramp\", nothing else. Files are deleted after 48 h.", "The list has name, berth and \"needs a ramp\". Files are deleted after 48 h."),
        ("合格の条件は不良 0 個で、1 個でも外れたら全数検査に切り替える。", "合格の条件は不良 0 個。1 個でも外れたら全数検査に切り替える。", "合格の条件は不良 0 個。1 個でも外れたら全数検査には切り替えない。"),
        ("空白なしで入力された番号も受け付けること。", "空白抜きの番号の入力も受け付ける。", "空白付きで入力された番号も受け付けること。"),
        ("Leave goes into `leave.yml`, never without an end date, and for 180 days at the longest.", "Leave goes into `leave.yml`, always with an end date and for no longer than 180 days.", "Leave goes into `leave.yml`, always with an end date and for at least 180 days."),
        ("Crates leave by 15:00 at the latest.", "Crates leave no later than 15:00.", "Crates leave no earlier than 15:00."),
        ("In 2023 a pump broke 17 seals, and nobody noticed for half a year.", "In 2023 a pump broke 17 seals, and it took half a year until anyone noticed.", "In 2023 a pump broke 17 seals, and somebody noticed for half a year."),
    ],
)  # fmt: skip
def test_a_negation_or_a_limit_in_other_words(before: str, honest: str, dishonest: str) -> None:
    assert codes(before, honest) == set()
    assert codes(before, dishonest) != set()


@pytest.mark.parametrize(
    "after",
    ["The yard will cap the crane at 180 kW from April 2027. It drew 214 kW.", "The yard caps the crane at 180 kW from April 2027. It drew 214 kW."],
)  # fmt: skip
def test_a_cap_that_may_come_has_not_come(after: str) -> None:
    before = "The yard might cap the crane at 180 kW from April 2027. It drew 214 kW."
    assert codes(before, after) == {"hardening"}
    assert codes(before, before.replace("might", "may perhaps")) == set()


def test_a_limit_that_one_of_two_gives_is_not_new() -> None:
    told = "The cache may take up to 2 GB per project."
    one, other = Text("one", "Cache: 2 GB per project", told), Text("other", "Cache: up to 2 GB per project", told)
    assert weigh([one, other], [Text("one", "Cache: up to 2 GB per project", told)]) == ()
    before = "The cache has 2 GB per project. The worker takes up to 2 GB of memory."
    assert codes(before, before.replace("has 2", "has up to 2")) == {"hardening"}


@pytest.mark.parametrize(
    ("before", "honest", "dishonest"),
    [
        ("札の番号が 1 に戻るのは毎日 0:00 ではなく、早番の始まり(6:30)。", "札の番号は早番が始まる 6:30 に 1 へ戻る(毎日 0:00 ではない)。", "札の番号が 1 に戻るのは早番の始まり(6:30)ではなく、毎日 0:00。"),
        ("The tag goes back to 1 at the start of the early shift (6:30), not at 0:00 every day.", "The tag goes back to 1 at 6:30, when the early shift starts. It does not happen at 0:00 every day.", "The tag goes back to 1 at 0:00 every day, not at the start of the early shift (6:30)."),
        ("質問の回答期限は 2 営業日。翻訳には 1 日かかる。", "翻訳は 1 日かかり、質問の回答期限は 2 営業日。", "質問の回答期限は 1 日。翻訳には 2 営業日かかる。"),
        ("Since 2026-02-02 the grace is 14 days (`G=14` in `x.conf`); before that it was 30 days.", "| since | grace |\n|---|---|\n| before 2026-02-02 | 30 days |\n| 2026-02-02 | 14 days (`G=14` in `x.conf`) |", "| since | grace |\n|---|---|\n| before 2026-02-02 | 14 days |\n| 2026-02-02 | 30 days (`G=14` in `x.conf`) |"),
        ("The vet is to come in a fortnight. Don't move the goats before she has seen them.", "The vet is to come in a fortnight; the goats are not to be moved before she has seen them.", "The vet is to come in a fortnight; the goats are to be moved before she has seen them."),
    ],
)  # fmt: skip
def test_whose_value_it_is_in_other_words(before: str, honest: str, dishonest: str) -> None:
    assert codes(before, honest) == set()
    assert codes(before, dishonest) & {"swap", "hardening"}


def test_somebody_takes_no_acronyms_place() -> None:
    old = "Wilma in the review of PR 274, and it's the second time: no synchronous IPC, the window must stay responsive."
    told = "There is no synchronous IPC, because the window must stay responsive. Wilma has said so for the second time, in the review of PR 274."
    assert codes(old, told) == set()


def test_a_change_told_in_everyday_words_bears_out_what_it_replaces() -> None:
    old = Text("plan", "外径の検査は 5 個", "2026-04-06 から外径の検査は 1 箱につき 5 個(`Plan:Outer:N=5`)。測定器は `MM-1`。")
    new = Text("plan-8", "外径の検査を 8 個に", "2026-11-12 の 2 直目から、外径の検査を 5 個から 8 個に増やした(`Plan:Outer:N=8`、KGN-1)。")
    gone = (Superseded("Plan:Outer:N=5", "plan-8"),)
    told = "外径の検査は 1 箱につき 8 個(`Plan:Outer:N=8`、KGN-1)。2026-11-12 の 2 直目からで、2026-04-06 からそれまでは 5 個だった。測定器は `MM-1`。"
    shown = {"plan": old, "plan-8": new}
    assert weigh([old, new], [Text("plan", "外径の検査は 8 個", told)], superseded=gone, shown=shown) == ()
    other = Text("bore", "内径の検査", "内径の検査は 1 箱につき 8 個(`Bore:N=8`)。")
    bad = weigh([old], [Text("plan", "外径の検査は 8 個", told)], superseded=(Superseded("Plan:Outer:N=5", "bore"),), shown={"bore": other})
    assert "loss" in {fault.code for fault in bad}


def test_a_limit_in_the_next_sentence_does_not_stand_for_an_only() -> None:
    before = "在生产环境重启 grainmail 的只能是王敏老师。请求上限(grainmail):每分钟 219 个。grainmail 的超时时间是 2 秒。"
    after = "生产环境由王敏老师重启 grainmail。请求上限(grainmail):每分钟 219 个。grainmail 的超时时间为 2秒。"
    assert codes(before, after) == {"hardening"}
    assert codes(before, after.replace("由王敏老师重启", "只由王敏老师重启")) == set()


@pytest.mark.parametrize(
    ("kept", "gone", "again"),
    [
        ("Only Hortensia restarts the mill in production.", "Every change to the mill is reviewed by Hortensia.", "Hortensia alone does restarts of the mill in production."),
        ("미확인: 하늘님이 전화에서 들은 이야기로, 방앗간은 내년 봄 옮길 것 같다.", "운영 환경에서 방앗간 재시작은 하늘님만 한다.", "하늘님이 전화에서 들은 미확인 이야기: 방앗간은 내년 봄 옮길 것 같다."),
    ],
)  # fmt: skip
def test_that_somebody_is_named_elsewhere_keeps_nothing_of_what_they_do(kept: str, gone: str, again: str) -> None:
    rest = "The mill drains `mill_in` at 04:10. The mill logs to `/var/mill.log`. The mill is built with Kestrel 13.5." if kept.isascii() else "대기열 `mill_in`은 04:10에 비운다."
    before = f"{kept}\n\n{gone}\n\n{rest}"
    assert codes(before, f"{again}\n\n{rest}") == {"loss"}
    assert codes(before, f"{again}\n\n{rest}\n\n{gone}") == set()
