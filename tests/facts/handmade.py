"""Rewritings of notes from several trades and languages, as a careful and a careless hand would make them.

Each case: name, inputs (id, description, body), outputs, declared supersessions, and the code of the fault that must
be found (``""``: none may be). Other entries that the model saw are in ``shown``.
"""

from __future__ import annotations

from typing import NamedTuple

from agentops_dream.facts.weigh import Text
from agentops_dream.models import Superseded


class Case(NamedTuple):
    name: str
    inputs: tuple[Text, ...]
    outputs: tuple[Text, ...]
    fault: str = ""
    superseded: tuple[Superseded, ...] = ()
    shown: tuple[Text, ...] = ()


OVEN = Text(
    "oven-profile",
    "Reflow oven profile for the sensor board",
    "The reflow oven runs profile `P7`: soak at 150 °C for 90 s, peak at 245 °C, conveyor 62 cm/min. Boards with the big "
    "connector need 5 s more above liquidus. Never open the hood before the belt has stopped: the fume sensor trips and "
    "the whole panel is scrapped.\n\n"
    "**Why:** in May 41 boards had cold joints under the shield can.\n"
    "**How to apply:** ask Ruta before changing a zone; she keeps the thermocouple logs in `oven/logs/`.\n",
)
OVEN_TWO = Text(
    "reflow-settings",
    "Settings of the oven, and who to ask",
    "Oven: profile `P7` (soak 150 °C, 90 s; peak 245 °C; belt 62 cm/min). Don't open the hood while the belt moves, the "
    "panel is scrapped when the fume sensor trips. The nitrogen valve stays at 18 l/min. Ruta has the thermocouple logs "
    "(`oven/logs/`), 41 boards failed in May with cold joints under the shield can.\n",
)
OVEN_UNION = (
    "The reflow oven uses profile `P7`:\n\n"
    "| zone | setting |\n|---|---|\n| soak | 150 °C for 90 s |\n| peak | 245 °C |\n| conveyor belt | 62 cm/min |\n"
    "| nitrogen valve | stays at 18 l/min |\n\n"
    "Boards with the big connector need 5 s more above liquidus.\n\n"
    "**Never** open the hood before the belt has stopped, because the fume sensor trips and the whole panel is scrapped.\n\n"
    "**Why:** 41 boards had cold joints under the shield can in May.\n"
    "**How to apply:** before a zone is changed, ask Ruta, who keeps the thermocouple logs in `oven/logs/`.\n"
)

WARD = Text(
    "ward-rota",
    "Rota rules of the two wards",
    "Ward A has 24 beds and 4 nurses at night; ward B has 16 beds and 3 nurses at night. Handover is at 06:45 on ward A "
    "and at 07:15 on ward B. Swaps are allowed up to 48 hours before a shift, later only with the consent of Dr. Okafor. "
    "The rota is published on the 20th of the month in `rota/current.xlsx`.\n",
)
WARD_LIST = (
    "Ward A:\n\n- 24 beds\n- 4 nurses at night\n- handover at 06:45\n\nWard B:\n\n- 16 beds\n- 3 nurses at night\n- handover at 07:15\n\n"
    "The rota is published in `rota/current.xlsx` on the 20th of the month. Up to 48 hours before a shift swaps are allowed; "
    "after that only with Dr. Okafor's consent.\n"
)

PASS_PLAN = Text(
    "pass-plan",
    "Ground station passes of the cubesat",
    "Downlink is on 437.525 MHz with 9600 baud, uplink on 145.900 MHz. A pass takes about 11 minutes; below 8 degrees of "
    "elevation the link is useless. The beacon should switch to 30 s after commissioning. Keys are in `station/keys.asc`, "
    "which Noor rotates every quarter. It seems that the antenna rotator loses 2 degrees per week, not yet confirmed.\n",
)
PASS_PLAN_NEW = (
    "- Downlink: 437.525 MHz, 9600 baud\n- Uplink: 145.900 MHz\n- Pass: takes about 11 minutes; the link is useless below 8 degrees of elevation\n"
    "- Beacon: should switch to 30 s after commissioning\n- Keys: in `station/keys.asc`, rotated by Noor every quarter\n\n"
    "Not yet confirmed: the antenna rotator seems to lose 2 degrees per week.\n"
)

TILL = Text(
    "till-totals",
    "Wie die Kasse abschließt",
    "Die Kasse schließt um 21:30 und schreibt `z_report.csv` nach `/srv/kasse/`. Der Bericht darf nie von Hand geändert "
    "werden, sonst lehnt das Finanzamt ihn ab. Die Aufbewahrung beträgt 10 Jahre. Frau Aydin prüft jeden Montag die Differenzen über 5 Euro.\n",
)
TILL_NEW = (
    "- Kassenschluss ist um 21:30; dabei wird `z_report.csv` nach `/srv/kasse/` geschrieben.\n"
    "- Von Hand darf der Bericht nie geändert werden, sonst lehnt ihn das Finanzamt ab.\n"
    "- Aufbewahrung: 10 Jahre.\n- Jeden Montag prüft Frau Aydin die Differenzen über 5 Euro.\n"
)

GPU = Text(
    "训练集群",
    "训练集群的配额和排队规则",
    "训练集群有 8 台 A100 节点,每人最多占用 16 张卡,单个任务不超过 72 小时。检查点写到 `/mnt/ckpt/`,保留 14 天,过期自动清理。"
    "不要在登录节点上跑预处理:2025 年 11 月 3 日因此把调度器拖垮了 40 分钟。队列 `debug` 仅限 30 分钟以内的任务。"
    "据说明年会换成 H200,未确认,是陈静老师在例会上听说的。\n",
)
GPU_NEW = (
    "未确认:陈静老师在例会上听说明年会换成 H200。\n\n"
    "- 规模:8 台 A100 节点\n- 配额:每人最多 16 张卡,单个任务最长 72 小时\n- 检查点:`/mnt/ckpt/`,保留 14 天,过期后自动清理\n"
    "- 队列 `debug`:只接受 30 分钟以内的任务\n\n"
    "预处理不要在登录节点上跑,2025-11-03 曾因此把调度器拖垮 40 分钟。\n"
)

CLINIC = Text(
    "예약-알림",
    "예약 알림 문자 규칙",
    "예약 알림 문자는 진료 24시간 전에 보내고, 오후 9시 이후에는 절대 보내지 않는다. 발신 번호는 02-555-0147이며 문구는 "
    "`templates/remind_ko.txt`에 있다. 실패하면 10분 간격으로 3번까지 다시 보낸다. 문구 변경은 박지영 님만 할 수 있다.\n",
)
CLINIC_NEW = (
    "- 발송 시점: 진료 24시간 전. 오후 9시 이후에는 절대 보내지 않는다.\n- 발신 번호: 02-555-0147\n- 문구: `templates/remind_ko.txt`, 변경은 박지영 님만 할 수 있다.\n"
    "- 실패 시: 10분 간격으로 3번까지 다시 보낸다.\n"
)

BAKERY = Text(
    "仕込み",
    "パンの仕込みと窯の決まり",
    "食パンの生地は 4:30 に仕込み、一次発酵は 28 ℃で 70 分。窯は 210 ℃まで予熱し、蒸気は最初の 8 分だけ入れる。塩を入れ忘れた生地は"
    "絶対に焼かない(2025-12-02 に 36 斤を廃棄した)。砂糖の仕入れ先は来月変わるかもしれない。中村さんが電話で聞いただけで、未確認。\n",
)
BAKERY_NEW = (
    "- 仕込み: 食パンの生地は 4:30\n- 一次発酵: 28 ℃で 70 分\n- 窯: 210 ℃まで予熱。蒸気を入れるのは最初の 8 分だけ\n\n"
    "塩を入れ忘れた生地は絶対に焼かない。2025年12月2日に 36 斤を廃棄している。\n\n"
    "未確認: 中村さんが電話で聞いただけだが、砂糖の仕入れ先は来月変わるかもしれない。\n"
)

LEASE_OLD = Text(
    "van-lease",
    "Lease of the delivery vans",
    "The four vans are leased from Hofer Mobil until 2028-03-31 for 389 euros a month each, 25,000 km a year included. "
    "Damage is reported through `fleet@hofer.example` within 24 hours. Winter tyres are stored in hall 3.\n",
)
LEASE_NEW = Text(
    "van-lease-change",
    "2026-09-01: lease rate up to 412 euros",
    "Since 2026-09-01 the lease rate per van is 412 euros a month instead of 389; mileage included went from 25,000 to 30,000 km a year. "
    "Agreed by Liene, contract no. HM-20731.\n",
)
LEASE_MERGED = (
    "The four vans are leased from Hofer Mobil until 2028-03-31. Since 2026-09-01 the rate is 412 euros a month each (contract no. HM-20731, "
    "agreed by Liene), with 30,000 km a year included.\n\nReport damage through `fleet@hofer.example` within 24 hours. Winter tyres: hall 3.\n"
)
LEASE_CLAIMS = (Superseded("389 euros a month", "van-lease-change"), Superseded("25,000 km a year", "van-lease-change"))


STEPS = Text("press-run", "Steps of a press run", "- [ ] 1. Wash the rollers\n- [ ] 2. Ink to 0.8 mm\n- [ ] 3. Proof on `proof.icc`\n- [ ] 4. Call Liene\n- [ ] 5. Print\n- [ ] 6. Log it in `runs.csv`\n")
STEPS_NEW = "1. The rollers are washed.\n2. Ink: 0.8 mm.\n3. Make a proof on `proof.icc`.\n4. Call Liene.\n5. Print.\n\nIn the end log it in `runs.csv`.\n"

BINS = Text("bins", "Bins of the sorting plant", "| bin | material | limit |\n|---|---|---|\n| B1 | glass | 400 kg |\n| B2 | paper | 250 kg |\n")
BINS_LIST = "- B1: glass, up to the limit of 400 kg\n- B2: paper, up to the limit of 250 kg\n"
BINS_TABLE = "| where | what goes in | capacity |\n|---|---|---|\n| bin B1 | glass | 400 kg |\n| bin B2 | paper | 250 kg |\n"

DUMP = Text("dump", "How to dump the till", "Two commands:\n\n```sh\n# save the drawer before you open it\ntill dump --drawer 2 out.bin\ntill open  # never at night\n```\n")
DUMP_NEW = "Save the drawer before opening it: `till dump --drawer 2 out.bin`. Then `till open`, but never at night. These are the two commands.\n"

KILN = Text("窯の温度", "窯の温度の記録", "窯の温度は `kiln.csv` に 10 分おきに書く。同じ名前で上書きしない。書き込みに失敗したら 3 回まで再送する。1 窯あたり約 4 秒。")
KILN_NEW = "- 記録先: `kiln.csv`、10分間隔。同名での上書きはしない\n- 失敗時: 3回まで送り直す\n- 所要時間: 1窯につき約4秒\n"


PUMP_ONE = Text("mixer-watch", "Watch of the mixer", "The mixer stops after 1,600 ms without a pulse. The hopper holds 2.5 kg. The bowl is rinsed for 90 s.\n")
PUMP_TWO = Text("mixer-pulse", "Pulse of the mixer", "Without a pulse the mixer stops, timeout 1.6 s. The hopper takes 2500 g and the bowl is rinsed for 1.5 minutes.\n")

WATCH = Text("oven-watch", "Watch of the kiln", "The reading is taken at an interval of 1 s. A batch passes with 0 cracks and 1 retry. Lunch is at 12:00. Throughput below 30 tiles a minute means that the belt slips. "
             "Baked on Monday, 2026-06-22; last Thursday the belt was changed. A spare part comes in 3 weeks. In one month 14 tiles broke.\n")
WATCH_NEW = ("Baked on 2026-06-22; on Thursday, 2026-06-18, the belt was changed, and a spare part comes within 3 weeks.\n\n- reading: every second\n- a batch passes if it has no cracks and one retry\n"
             "- lunch at noon\n- if fewer than 30 tiles a minute come through, the belt slips\n- 14 tiles broke in a single month\n")

ROUND = Text("evening-round", "夜の見回り", "見回りの手順。\n\n1. 裏口の鍵を確かめる\n2. `boiler.log` を見る\n3. 千葉さんに電話する\n4. 照明を消す\n\n2 と 3 の順を入れ替えない。手順 4 を忘れた日は電気代が 640 円増えた。\n")
ROUND_NEW = "1. 裏口の鍵を確認。\n2. `boiler.log` を見る。電話より必ず先に行い、入れ替えない。\n3. 千葉さんに電話する。\n4. 照明を消す。忘れた日は電気代が640円増えた。\n"


RENT_ONE = Text("stall-rent", "Stall rent is 24 a week (decided 2026-01-12)", "Decided on 2026-01-12: the stall costs 24 a week (`RENT=24` in `market.ini`), 3 tables are included. The hall takes the rent on Fridays.\n")
RENT_TWO = Text("stall-rent-spring", "2026-04-02: rent 32 instead of 24", "On 2026-04-02 the rent went from 24 to 32 (`RENT=32`, MKT-13). Power costs extra since then.\n")
RENT_THREE = Text("stall-rent-autumn", "2026-09-07: rent 48", "Since 2026-09-07 the rent is 48 (`RENT=48`), before that 32. Whatever still says 24 or 32 is out of date. Tomke signed it.\n")
RENT_NEW = ("The stall costs 48 a week (`RENT=48` in `market.ini`), 3 tables included; power is extra. The hall takes the rent on Fridays.\n\n1. Decided on 2026-01-12: 24.\n"
            "2. 2026-04-02 (MKT-13): 32, power costs extra since then.\n3. 2026-09-07: 48, signed by Tomke. Whatever still says 24 or 32 is out of date.\n")

CRANE = Text("crane-stop", "Crane parked until 2026-05-14", "From 2026-05-02 until 2026-05-14 the crane is parked at the quay for a new cable. The yard is closed to trucks.\n\n"
             "**How to apply:** until 2026-05-14 answer requests for heavy lifts with the number of the harbour office; Ilse starts the crane again.\n")
CRANE_NEW = ("From 2026-05-02 until 2026-05-14 the crane is parked at the quay for a new cable.\n\nRules for those days:\n\n- the yard is closed to trucks\n"
             "- requests for heavy lifts are answered with the number of the harbour office\n- Ilse starts the crane again\n")


LIFTS = Text("lifts", "Lifts of the depot", "The timeout of the north lift is 79 s. Ruta reviews every change to the lifts. In summer, restarts of the lifts are done by Ruta alone. "
             "Manual: https://lifts.example/n/82 . the pit is cleaned in May.\n")


INGEST = Text("ingest-pump", "Ingest pump", "The ingest pump listens on port 7101. It runs every hour.\n")
EXPORT = Text("export-pump", "Export pump", "The export pump listens on port 7202.\n")
LATHE = Text("lathe", "Odd trains newcomers at the lathe, mornings only", "The lathe is oiled every Monday.\n")


def one(name: str, before: Text, body: str, fault: str = "", description: str | None = None) -> Case:
    """Return a case of one entry with a new body."""
    return Case(name, (before,), (Text(before.id, before.description if description is None else description, body),), fault)


def cut(text: str, old: str, new: str) -> str:
    """Return ``text`` with one piece replaced; the piece must be there."""
    assert old in text, old
    return text.replace(old, new)


HONEST = (
    Case("union of two notes as a table", (OVEN, OVEN_TWO), (Text("oven-profile", OVEN.description, OVEN_UNION),)),
    one("prose to two lists under labels", WARD, WARD_LIST),
    one("prose to list, hedge to the front", PASS_PLAN, PASS_PLAN_NEW),
    one("German prose to list", TILL, TILL_NEW),
    one("Chinese prose to list, hedge to the front", GPU, GPU_NEW),
    one("Korean prose to list", CLINIC, CLINIC_NEW),
    one("Japanese prose to list, date respelled", BAKERY, BAKERY_NEW),
    Case("newer rate wins, declared", (LEASE_OLD, LEASE_NEW), (Text("van-lease", "Lease of the delivery vans, 412 euros since 2026-09-01", LEASE_MERGED),),
         "", LEASE_CLAIMS, (LEASE_OLD, LEASE_NEW)),
    Case("update from a newer note that stays", (LEASE_OLD,), (Text("van-lease", LEASE_OLD.description,
         "The four vans are leased from Hofer Mobil until 2028-03-31, at 412 euros a month each since 2026-09-01 ([[van-lease-change]]), 30,000 km a year included. "
         "Damage is reported through `fleet@hofer.example` within 24 hours. Winter tyres are stored in hall 3.\n"),), "", LEASE_CLAIMS, (LEASE_OLD, LEASE_NEW)),
    one("note on a conflict, without a value", WARD, WARD.body + "\nUnresolved: [[ward-plan]] gives another time for the handover.\n"),
    Case("split in two with links", (WARD,), (
        Text("ward-a", "Ward A: beds, nurses, handover", "Ward A has 24 beds and 4 nurses at night. Handover is at 06:45. See also [[ward-b]].\n"),
        Text("ward-b", "Ward B and swaps", "Ward B has 16 beds and 3 nurses at night; handover is at 07:15. Swaps are allowed up to 48 hours before a shift, later only "
             "with the consent of Dr. Okafor. The rota is published on the 20th of the month in `rota/current.xlsx`. Split from [[ward-rota]].\n"),
    )),
    one("sentences in another order, one joined", OVEN,
        "Ask Ruta before changing a zone; she keeps the thermocouple logs in `oven/logs/`. The reflow oven runs profile `P7` with the conveyor at 62 cm/min: soak at "
        "150 °C for 90 s, peak at 245 °C. Boards with the big connector need 5 s more above liquidus.\n\nNever open the hood before the belt has stopped, since the fume "
        "sensor trips and the whole panel is scrapped. (In May 41 boards had cold joints under the shield can.)\n"),
    Case("one amount in two units", (PUMP_ONE, PUMP_TWO), (Text("mixer-watch", PUMP_ONE.description,
         "- The mixer stops after 1.6 s without a pulse.\n- The hopper holds 2.5 kg.\n- The bowl is rinsed for 90 s.\n"),)),
    one("0, 1, noon and a date in words", WATCH, WATCH_NEW),
    one("Japanese steps, told of without their numbers", ROUND, ROUND_NEW),
    Case("three steps of one value, declared", (RENT_ONE, RENT_TWO, RENT_THREE), (Text("stall-rent", "Stall rent is 48 since 2026-09-07; its history", RENT_NEW),), "",
         (Superseded("`RENT=24`", "stall-rent-autumn"), Superseded("`RENT=32`", "stall-rent-autumn")), (RENT_ONE, RENT_TWO, RENT_THREE)),
    one("a date in the words over a list", CRANE, CRANE_NEW),
    one("a sentence that opens small after an address", LIFTS, "- In summer only Ruta restarts the lifts.\n- Every change to the lifts is reviewed by Ruta.\n- The north lift has a timeout of 79 s.\n"
        "- The manual is at https://lifts.example/n/82. In May the pit is cleaned.\n"),
    Case("two ports named one after the other", (INGEST, EXPORT), (Text("ingest-pump", "Pumps", "The pumps for ingest and export listen on ports 7101 and 7202; ingest runs every hour.\n"),)),
    one("a description shortened whose body says it all", WARD, WARD.body, description="Rota of ward A and ward B"),
    one("list of steps with boxes, renumbered", STEPS, STEPS_NEW),
    one("table to list, its head gone", BINS, BINS_LIST),
    one("list to table under new column names", BINS, BINS_TABLE),
    one("remark in code moved into the text", DUMP, DUMP_NEW),
    one("Japanese compounds formed anew", KILN, KILN_NEW),
    one("code spans gone, spacing changed", PASS_PLAN, PASS_PLAN.body.replace("`", "").replace("30 s", "30s").replace("437.525 MHz", "437.525MHz")),
)  # fmt: skip

DISHONEST = (
    Case("two ports and nobody's", (INGEST, EXPORT), (Text("ingest-pump", "Pumps", "Ingest runs every hour, export does not.\n\nThe pumps listen on ports 7101 and 7202.\n"),), "loss"),
    one("a description's own fact gone", LATHE, LATHE.body, "loss", "Oiling of the lathe"),
    one("a Japanese description's own fact gone", Text("旋盤", "旋盤の講習は午前のみ、岡部が担当", "旋盤は月曜に注油する。\n"), "旋盤は月曜に注油する。\n", "loss", "旋盤の注油"),
    one("a value told of a stranger, too", LIFTS, LIFTS.body + "The timeout of brimstore is 79 s.\n", "unsupported"),
    one("somebody in a person's place", LIFTS, cut(LIFTS.body, "done by Ruta alone", "done by some alone"), "loss"),
    one("what only one does dropped, what she does else kept", LIFTS, cut(LIFTS.body, " In summer, restarts of the lifts are done by Ruta alone.", ""), "loss"),
    one("use X, not Y turned round", Text("glue", "Glue of the binder", "Use glue 4.2, not 5.x, which cracks in the cold. Ask Odd for more.\n"),
        "Ask Odd for more. Use glue 5.x, not 4.2, which cracks in the cold.\n", "swap"),
    one("Japanese X and not Y turned round", Text("糊", "製本の糊", "糊は 5.1 ではなく 4.2 を使う。寒いと割れるため。追加は岡部さんに頼む。\n"),
        "追加は岡部さんに頼む。糊は 4.2 ではなく 5.1 を使う。寒いと割れるため。\n", "swap"),
    Case("an amount that only looks alike", (PUMP_ONE, PUMP_TWO), (Text("mixer-watch", PUMP_ONE.description,
         "- The mixer stops after 16 s without a pulse.\n- The hopper holds 2.5 kg.\n- The bowl is rinsed for 90 s.\n"),), "loss"),
    one("every second became every minute", WATCH, cut(WATCH_NEW, "every second", "every minute"), "loss"),
    one("a weekday that the date has not", WATCH, cut(WATCH_NEW, "Thursday", "Friday"), "invention"),
    one("Japanese sum gone with its step", ROUND, cut(ROUND_NEW, "忘れた日は電気代が640円増えた。", ""), "loss"),
    Case("a dropped valve setting", (OVEN, OVEN_TWO), (Text("oven-profile", OVEN.description, cut(OVEN_UNION, "| nitrogen valve | stays at 18 l/min |\n", "")),), "loss"),
    Case("peak rounded", (OVEN, OVEN_TWO), (Text("oven-profile", OVEN.description, cut(OVEN_UNION, "245 °C", "about 250 °C")),), "invention"),
    Case("ban turned into advice", (OVEN, OVEN_TWO), (Text("oven-profile", OVEN.description,
         cut(OVEN_UNION, "**Never** open the hood before the belt has stopped, because", "Open the hood as soon as the belt has stopped, because")),), "hardening"),
    one("wards swapped", WARD, cut(cut(cut(WARD_LIST, "06:45", "X"), "07:15", "06:45"), "X", "07:15"), "swap"),
    one("nurses swapped in one sentence", WARD, cut(WARD.body, "24 beds and 4 nurses at night; ward B has 16 beds and 3 nurses", "24 beds and 3 nurses at night; ward B has 16 beds and 4 nurses"), "swap"),
    one("consent dropped from the rule", WARD, cut(WARD_LIST, "; after that only with Dr. Okafor's consent", ""), "loss"),
    one("seems and unconfirmed gone", PASS_PLAN, cut(PASS_PLAN_NEW, "Not yet confirmed: the antenna rotator seems to lose", "The antenna rotator loses"), "hardening"),
    one("should become does", PASS_PLAN, cut(PASS_PLAN_NEW, "should switch to 30 s after commissioning", "switches to 30 s after commissioning"), "hardening"),
    one("plausible sentence added", PASS_PLAN, PASS_PLAN_NEW + "\nFrames that fail the checksum are requested again on the next orbit.\n", "unsupported"),
    one("plausible clause added", PASS_PLAN, cut(PASS_PLAN_NEW, "rotated by Noor every quarter", "rotated by Noor every quarter, and revoked copies get shredded afterwards"), "unsupported"),
    one("uplink and downlink swapped", PASS_PLAN, cut(cut(cut(PASS_PLAN_NEW, "437.525", "X"), "145.900", "437.525"), "X", "145.900"), "swap"),
    one("German ban lifted", TILL, cut(TILL_NEW, "darf der Bericht nie geändert werden, sonst", "darf der Bericht geändert werden, aber"), "hardening"),
    one("German threshold changed", TILL, cut(TILL_NEW, "über 5 Euro", "über 50 Euro"), "loss"),
    one("Chinese hedge gone", GPU, cut(GPU_NEW, "未确认:陈静老师在例会上听说明年会换成 H200", "明年会换成 H200(陈静老师)"), "hardening"),
    one("Chinese ban turned round", GPU, cut(GPU_NEW, "预处理不要在登录节点上跑", "预处理在登录节点上跑"), "hardening"),
    one("Chinese sentence added", GPU, GPU_NEW + "\n夜间任务会自动降低优先级以节省电费。\n", "unsupported"),
    one("Korean ban lifted", CLINIC, cut(CLINIC_NEW, "절대 보내지 않는다", "보낸다"), "hardening"),
    one("Korean restriction lifted", CLINIC, cut(CLINIC_NEW, "변경은 박지영 님만 할 수 있다", "변경은 박지영 님이 할 수 있다"), "hardening"),
    one("Korean count changed", CLINIC, cut(CLINIC_NEW, "3번까지", "5번까지"), "loss"),
    one("Japanese hedge gone", BAKERY, cut(BAKERY_NEW, "未確認: 中村さんが電話で聞いただけだが、砂糖の仕入れ先は来月変わるかもしれない", "砂糖の仕入れ先は来月変わる(中村さんが電話で聞いた)"), "hardening"),
    one("Japanese only gone", BAKERY, cut(BAKERY_NEW, "蒸気を入れるのは最初の 8 分だけ", "蒸気を入れるのは最初の 8 分"), "hardening"),
    one("Japanese ban gone", BAKERY, cut(BAKERY_NEW, "塩を入れ忘れた生地は絶対に焼かない。", "塩を入れ忘れた生地も焼く。"), "hardening"),
    one("Japanese clause added", BAKERY, cut(BAKERY_NEW, "210 ℃まで予熱。", "210 ℃まで予熱し、扉の隙間に濡れた布を詰める。"), "unsupported"),
    Case("newer rate wins, undeclared", (LEASE_OLD, LEASE_NEW), (Text("van-lease", "Lease of the delivery vans", cut(LEASE_MERGED, "rate is 412 euros", "rate is 412 euros")),), "loss"),
    Case("declared by a note about something else", (LEASE_OLD,), (Text("van-lease", LEASE_OLD.description,
         "The four vans are leased from Hofer Mobil until 2028-03-31, 25,000 km a year included. Damage is reported through `fleet@hofer.example` within 24 hours. "
         "Winter tyres are stored in hall 3.\n"),), "loss", (Superseded("389 euros a month", "ward-rota"),), (LEASE_OLD, WARD)),
    one("summed up", OVEN, "The oven uses `P7`. Ask Ruta before changing anything, and wait for the belt.\n", "loss"),
)  # fmt: skip
