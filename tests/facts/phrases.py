"""Facts of invented services, each in several honest wordings, in four languages.

``says`` are wordings of one and the same fact. ``hard`` (where there is one) is what a careless
rewrite makes of it: a hedge or a negation gone. Slots in braces are filled by :mod:`generated`.
"""

from __future__ import annotations

from typing import NamedTuple


class Phrase(NamedTuple):
    """One fact of one language."""

    name: str
    says: tuple[str, ...]
    hard: tuple[str, ...] = ()


EN = (
    Phrase("port", (
        "The {svc} {env} server listens on port {port}.",
        "Port {port} is where the {env} server of {svc} listens.",
        "{svc}, {env} server: port {port}.",
    )),
    Phrase("timeout", (
        "The timeout of {svc} {env} is {secs} s.",
        "{svc} {env} has a timeout of {secs} seconds.",
        "Timeout for {svc} {env}: {secs}s.",
    )),
    Phrase("retention", (
        "Logs of {svc} {env} are kept for {days} days in `{path}`.",
        "`{path}` holds the {svc} {env} logs; they are kept for {days} days.",
        "For {svc} {env}, logs go to `{path}` and stay there for {days} days.",
    )),
    Phrase("role", (
        "The database role of {svc} {env} is `{role}`.",
        "{svc} {env} connects with the database role `{role}`.",
        "Database role for {svc} {env}: {role}.",
    )),
    Phrase("owner", (
        "{person} reviews every change to {svc}.",
        "Every change to {svc} is reviewed by {person}.",
        "Changes to {svc}: each is reviewed by {person}.",
    )),
    Phrase("version", (
        "{svc} runs on {lib} {ver}.",
        "{svc} is built with {lib} {ver}.",
        "{lib} version used by {svc}: {ver}.",
    )),
    Phrase("command", (
        "Run `{cmd}` before each release of {svc}.",
        "Before each release of {svc}, run `{cmd}`.",
        "`{cmd}` has to be run before each {svc} release.",
    )),
    Phrase("incident", (
        "On {date} {svc} lost {count} records because the disk was full ({issue}).",
        "Because the disk was full, {svc} lost {count} records on {date} ({issue}).",
        "{issue}: {svc} lost {count} records on {date}, the disk was full.",
    )),
    Phrase("limit", (
        "{svc} accepts at most {rate} requests per minute.",
        "At most {rate} requests per minute are accepted by {svc}.",
        "Request limit of {svc}: {rate} per minute at most.",
    )),
    Phrase("manual", (
        "The manual of {svc} is at {url}.",
        "See {url} for the {svc} manual.",
        "{svc} manual: {url}",
    )),
    Phrase("backup", (
        "The backup of {svc} starts at {time} every {weekday}.",
        "Every {weekday} at {time} the {svc} backup starts.",
        "{svc} backup: every {weekday}, starts at {time}.",
    )),
    Phrase("never", (
        "Never run `{cmd}` against {svc}, it empties the {table} table.",
        "`{cmd}` must never be run against {svc}: it empties the {table} table.",
        "Do not run `{cmd}` against {svc}, since it empties the {table} table.",
    ), (
        "Run `{cmd}` against {svc}, it empties the {table} table.",
        "`{cmd}` should be run against {svc}: it empties the {table} table.",
    )),
    Phrase("rumour", (
        "{svc} will probably move to {host} next spring; this is unverified, {person} heard it in a call.",
        "Unverified: {person} heard in a call that {svc} will probably move to {host} next spring.",
        "Not confirmed, {person} heard it in a call: {svc} will probably move to {host} next spring.",
    ), (
        "{svc} will move to {host} next spring, {person} said in a call.",
        "{svc} moves to {host} next spring, as {person} said in a call.",
    )),
    Phrase("maybe", (
        "The cache of {svc} may need {mem} GB of memory.",
        "Possibly the {svc} cache needs {mem} GB of memory.",
        "Memory: the cache of {svc} might need {mem} GB.",
    ), (
        "The cache of {svc} needs {mem} GB of memory.",
        "Memory: the cache of {svc} takes {mem} GB.",
    )),
    Phrase("only", (
        "Only {person} restarts {svc} in production.",
        "{svc} is restarted in production by {person} only.",
        "In production, restarts of {svc} are done by {person} alone.",
    ), (
        "{person} restarts {svc} in production.",
        "In production, restarts of {svc} are done by {person}.",
    )),
    Phrase("reason", (
        "The {table} queue is drained by hand, because the scheduler ignores public holidays.",
        "Because the scheduler ignores public holidays, the {table} queue is drained by hand.",
        "The scheduler ignores public holidays, so the {table} queue is drained by hand.",
    )),
)  # fmt: skip

JA = (
    Phrase("port", (
        "{svc} の{env}サーバーのポートは {port}。",
        "{env}サーバー({svc})はポート {port} で待ち受ける。",
        "{svc} {env}サーバー: ポート {port}",
    )),
    Phrase("timeout", (
        "{svc} の{env}のタイムアウトは {secs} 秒。",
        "{env}の {svc} は {secs}秒でタイムアウトする。",
        "タイムアウト({svc}、{env}): {secs} 秒",
    )),
    Phrase("retention", (
        "{svc} の{env}のログは `{path}` に {days} 日間保存する。",
        "`{path}` に {svc} の{env}のログを置き、{days} 日間保存する。",
        "{env}の {svc} のログ: 保存先は `{path}`、期間は {days} 日間。",
    )),
    Phrase("role", (
        "{svc} の{env}の DB ロールは `{role}`。",
        "{env}の {svc} は DB ロール `{role}` で接続する。",
        "DB ロール({svc}、{env}): {role}",
    )),
    Phrase("owner", (
        "{svc} の変更はすべて{person}さんがレビューする。",
        "{person}さんが {svc} の変更をすべてレビューする。",
        "{svc} の変更: すべて{person}さんのレビューが要る。",
    )),
    Phrase("version", (
        "{svc} は {lib} {ver} で動く。",
        "{svc} が使う {lib} の版は {ver}。",
        "{lib} の版({svc}): {ver}",
    )),
    Phrase("command", (
        "{svc} のリリース前に毎回 `{cmd}` を実行する。",
        "`{cmd}` は {svc} のリリース前に毎回実行する。",
        "リリース前({svc}): 毎回 `{cmd}` を実行",
    )),
    Phrase("incident", (
        "{date} に {svc} でディスクが満杯になり、記録 {count} 件を失った({issue})。",
        "ディスクが満杯になったため、{svc} は {date} に記録を {count} 件失った({issue})。",
        "{issue}: {date}、{svc} のディスクが満杯になり {count} 件の記録を失った。",
    )),
    Phrase("limit", (
        "{svc} が受け付けるのは毎分最大 {rate} リクエスト。",
        "{svc} は毎分 {rate} リクエストまで受け付ける。",
        "リクエストの上限({svc}): 毎分 {rate}",
    )),
    Phrase("manual", (
        "{svc} の手引きは {url} にある。",
        "手引き({svc}): {url}",
        "{url} に {svc} の手引きがある。",
    )),
    Phrase("backup", (
        "{svc} のバックアップは毎週{weekday}の {time} に始まる。",
        "毎週{weekday} {time} に {svc} のバックアップが始まる。",
        "バックアップ({svc}): 毎週{weekday}、{time} に開始",
    )),
    Phrase("never", (
        "{svc} に対して `{cmd}` を絶対に実行しないこと。{table} テーブルが空になる。",
        "`{cmd}` は {table} テーブルを空にするので、{svc} に対して実行してはいけない。",
        "{svc} への `{cmd}` の実行は禁止。{table} テーブルが空になるため。",
    ), (
        "{svc} に対して `{cmd}` を実行すること。{table} テーブルが空になる。",
        "`{cmd}` は {table} テーブルを空にするので、{svc} に対して実行する。",
    )),
    Phrase("rumour", (
        "{svc} は来春 {host} に移るらしい。未確認で、{person}さんが電話で聞いた話。",
        "未確認: {person}さんが電話で聞いた話では、{svc} は来春 {host} に移るらしい。",
        "{person}さんが電話で聞いた未確認の話で、{svc} は来春 {host} に移るらしい。",
    ), (
        "{svc} は来春 {host} に移る。{person}さんが電話で聞いた話。",
        "{person}さんが電話で聞いた話では、{svc} は来春 {host} に移る。",
    )),
    Phrase("maybe", (
        "{svc} のキャッシュはメモリーが {mem} GB 必要かもしれない。",
        "{svc} のキャッシュに {mem} GB のメモリーが要る可能性がある。",
        "メモリー: {svc} のキャッシュは {mem} GB 要るかもしれない。",
    ), (
        "{svc} のキャッシュはメモリーが {mem} GB 必要。",
        "メモリー: {svc} のキャッシュは {mem} GB 要る。",
    )),
    Phrase("only", (
        "本番の {svc} を再起動するのは{person}さんだけ。",
        "{person}さんのみが本番の {svc} を再起動する。",
        "本番での {svc} の再起動は{person}さんに限る。",
    ), (
        "本番の {svc} は{person}さんが再起動する。",
        "{person}さんが本番の {svc} を再起動する。",
    )),
    Phrase("reason", (
        "スケジューラーが祝日を無視するので、{table} の待ち行列は手作業で空にする。",
        "{table} の待ち行列は手作業で空にする。スケジューラーが祝日を無視するため。",
        "{table} の待ち行列を手作業で空にするのは、スケジューラーが祝日を無視するから。",
    )),
)  # fmt: skip

ZH = (
    Phrase("port", (
        "{svc} 的{env}服务器监听端口 {port}。",
        "{env}服务器({svc})的端口是 {port}。",
        "{svc} {env}服务器:端口 {port}",
    )),
    Phrase("timeout", (
        "{svc} 在{env}环境的超时时间是 {secs} 秒。",
        "{env}环境下 {svc} 的超时时间为 {secs}秒。",
        "超时时间({svc},{env}环境):{secs} 秒",
    )),
    Phrase("retention", (
        "{svc} {env}环境的日志保存在 `{path}`,保留 {days} 天。",
        "`{path}` 存放 {svc} {env}环境的日志,保留 {days} 天。",
        "{env}环境的 {svc} 日志:保存在 `{path}`,保留时间 {days} 天。",
    )),
    Phrase("role", (
        "{svc} {env}环境的数据库角色是 `{role}`。",
        "{env}环境的 {svc} 用数据库角色 `{role}` 连接。",
        "数据库角色({svc},{env}环境):{role}",
    )),
    Phrase("owner", (
        "{svc} 的每次改动都由{person}老师评审。",
        "{person}老师评审 {svc} 的每次改动。",
        "{svc} 的改动:每次由{person}老师评审。",
    )),
    Phrase("version", (
        "{svc} 运行在 {lib} {ver} 上。",
        "{svc} 使用的 {lib} 版本是 {ver}。",
        "{lib} 版本({svc}):{ver}",
    )),
    Phrase("command", (
        "每次发布 {svc} 之前先运行 `{cmd}`。",
        "发布 {svc} 之前,每次都要运行 `{cmd}`。",
        "`{cmd}` 要在每次发布 {svc} 之前运行。",
    )),
    Phrase("incident", (
        "{date} {svc} 因为磁盘写满丢失了 {count} 条记录({issue})。",
        "因为磁盘写满,{svc} 在 {date} 丢失 {count} 条记录({issue})。",
        "{issue}:{date},{svc} 磁盘写满,丢失记录 {count} 条。",
    )),
    Phrase("limit", (
        "{svc} 每分钟最多接受 {rate} 个请求。",
        "{svc} 接受的请求每分钟不超过 {rate} 个。",
        "请求上限({svc}):每分钟 {rate} 个",
    )),
    Phrase("manual", (
        "{svc} 的手册在 {url} 。",
        "手册({svc}):{url}",
        "{url} 是 {svc} 的手册。",
    )),
    Phrase("backup", (
        "{svc} 的备份每{weekday} {time} 开始。",
        "每{weekday} {time} 开始备份 {svc}。",
        "备份({svc}):每{weekday},{time} 开始",
    )),
    Phrase("never", (
        "不要对 {svc} 运行 `{cmd}`,它会清空 {table} 表。",
        "禁止对 {svc} 运行 `{cmd}`:它会清空 {table} 表。",
        "`{cmd}` 会清空 {table} 表,不得对 {svc} 运行。",
    ), (
        "对 {svc} 运行 `{cmd}`,它会清空 {table} 表。",
        "`{cmd}` 会清空 {table} 表,要对 {svc} 运行。",
    )),
    Phrase("rumour", (
        "{svc} 大概明年春天迁到 {host},未经证实,是{person}老师在电话里听说的。",
        "未经证实:{person}老师在电话里听说,{svc} 大概明年春天迁到 {host}。",
        "{person}老师在电话里听说 {svc} 大概明年春天迁到 {host},未确认。",
    ), (
        "{svc} 明年春天迁到 {host},{person}老师在电话里说的。",
        "{person}老师在电话里说,{svc} 明年春天迁到 {host}。",
    )),
    Phrase("maybe", (
        "{svc} 的缓存可能需要 {mem} GB 内存。",
        "{svc} 的缓存也许需要 {mem} GB 内存。",
        "内存:{svc} 的缓存可能要 {mem} GB。",
    ), (
        "{svc} 的缓存需要 {mem} GB 内存。",
        "内存:{svc} 的缓存要 {mem} GB。",
    )),
    Phrase("only", (
        "生产环境只有{person}老师重启 {svc}。",
        "生产环境的 {svc} 仅由{person}老师重启。",
        "在生产环境重启 {svc} 的只能是{person}老师。",
    ), (
        "生产环境由{person}老师重启 {svc}。",
        "生产环境的 {svc} 由{person}老师重启。",
    )),
    Phrase("reason", (
        "调度器忽略法定假日,所以 {table} 队列由人工清空。",
        "{table} 队列由人工清空,因为调度器忽略法定假日。",
        "因为调度器忽略法定假日,{table} 队列要人工清空。",
    )),
)  # fmt: skip

KO = (
    Phrase("port", (
        "{svc}의 {env} 서버는 포트 {port}에서 수신한다.",
        "{env} 서버({svc})의 포트는 {port}이다.",
        "{svc} {env} 서버: 포트 {port}",
    )),
    Phrase("timeout", (
        "{svc} {env} 환경의 타임아웃은 {secs}초이다.",
        "{env} 환경에서 {svc} 타임아웃은 {secs} 초.",
        "타임아웃({svc}, {env} 환경): {secs}초",
    )),
    Phrase("retention", (
        "{svc} {env} 환경의 로그는 `{path}`에 {days}일 동안 보관한다.",
        "`{path}`에 {svc} {env} 환경의 로그를 {days}일 동안 보관한다.",
        "{env} 환경의 {svc} 로그: `{path}`에 보관, {days}일 동안.",
    )),
    Phrase("role", (
        "{svc} {env} 환경의 DB 역할은 `{role}`이다.",
        "{env} 환경의 {svc}는 DB 역할 `{role}`로 접속한다.",
        "DB 역할({svc}, {env} 환경): {role}",
    )),
    Phrase("owner", (
        "{svc}의 모든 변경은 {person}님이 검토한다.",
        "{person}님이 {svc}의 모든 변경을 검토한다.",
        "{svc} 변경: 모두 {person}님 검토.",
    )),
    Phrase("version", (
        "{svc}는 {lib} {ver}에서 동작한다.",
        "{svc}가 쓰는 {lib} 버전은 {ver}이다.",
        "{lib} 버전({svc}): {ver}",
    )),
    Phrase("command", (
        "{svc} 배포 전에 매번 `{cmd}`를 실행한다.",
        "`{cmd}`는 {svc} 배포 전에 매번 실행한다.",
        "배포 전({svc}): 매번 `{cmd}` 실행.",
    )),
    Phrase("incident", (
        "{date}에 {svc}의 디스크가 가득 차서 기록 {count}건을 잃었다({issue}).",
        "디스크가 가득 차서 {svc}는 {date}에 기록 {count}건을 잃었다({issue}).",
        "{issue}: {date}, {svc} 디스크가 가득 차 기록 {count}건을 잃음.",
    )),
    Phrase("limit", (
        "{svc}는 분당 최대 {rate}개 요청을 받는다.",
        "{svc}가 받는 요청은 분당 {rate}개 이하이다.",
        "요청 상한({svc}): 분당 {rate}개",
    )),
    Phrase("manual", (
        "{svc}의 설명서는 {url} 에 있다.",
        "설명서({svc}): {url}",
        "{url} 에 {svc} 설명서가 있다.",
    )),
    Phrase("backup", (
        "{svc} 백업은 매주 {weekday} {time}에 시작한다.",
        "매주 {weekday} {time}에 {svc} 백업을 시작한다.",
        "백업({svc}): 매주 {weekday}, {time} 시작.",
    )),
    Phrase("never", (
        "{svc}에 `{cmd}`를 절대 실행하지 말 것. {table} 테이블이 비워진다.",
        "`{cmd}`는 {table} 테이블을 비우므로 {svc}에 실행하면 안 된다.",
        "{svc}에 `{cmd}` 실행 금지: {table} 테이블이 비워진다.",
    ), (
        "{svc}에 `{cmd}`를 실행할 것. {table} 테이블이 비워진다.",
        "`{cmd}`는 {table} 테이블을 비우므로 {svc}에 실행한다.",
    )),
    Phrase("rumour", (
        "{svc}는 내년 봄 {host}로 옮길 것 같다. 미확인이며 {person}님이 전화에서 들은 이야기이다.",
        "미확인: {person}님이 전화에서 들은 이야기로, {svc}는 내년 봄 {host}로 옮길 것 같다.",
        "{person}님이 전화에서 들은 미확인 이야기: {svc}는 내년 봄 {host}로 옮길 것 같다.",
    ), (
        "{svc}는 내년 봄 {host}로 옮긴다. {person}님이 전화에서 들은 이야기이다.",
        "{person}님이 전화에서 들은 이야기로, {svc}는 내년 봄 {host}로 옮긴다.",
    )),
    Phrase("maybe", (
        "{svc} 캐시는 메모리가 {mem} GB 필요할 수도 있다.",
        "어쩌면 {svc} 캐시에 메모리 {mem} GB가 필요하다.",
        "메모리: {svc} 캐시는 {mem} GB가 필요할 가능성이 있다.",
    ), (
        "{svc} 캐시는 메모리가 {mem} GB 필요하다.",
        "메모리: {svc} 캐시는 {mem} GB가 필요하다.",
    )),
    Phrase("only", (
        "운영 환경에서 {svc} 재시작은 {person}님만 한다.",
        "{person}님만 운영 환경의 {svc}를 재시작한다.",
        "운영 환경의 {svc} 재시작은 오직 {person}님이 한다.",
    ), (
        "운영 환경에서 {svc} 재시작은 {person}님이 한다.",
        "{person}님이 운영 환경의 {svc}를 재시작한다.",
    )),
    Phrase("reason", (
        "스케줄러가 공휴일을 무시하기 때문에 {table} 대기열은 손으로 비운다.",
        "{table} 대기열은 손으로 비운다. 스케줄러가 공휴일을 무시하기 때문이다.",
        "{table} 대기열을 손으로 비우는 이유는 스케줄러가 공휴일을 무시하기 때문이다.",
    )),
)  # fmt: skip

PHRASES: dict[str, tuple[Phrase, ...]] = {"en": EN, "ja": JA, "zh": ZH, "ko": KO}

ENVIRONMENTS = {
    "en": ("staging", "production"),
    "ja": ("検証", "本番"),
    "zh": ("测试", "生产"),
    "ko": ("스테이징", "운영"),
}
PEOPLE = {
    "en": ("Anneke", "Tobias", "Mirela", "Henrik"),
    "ja": ("美咲", "健", "直人", "彩"),
    "zh": ("王敏", "李强", "陈静", "赵磊"),
    "ko": ("민수", "지영", "현우", "서연"),
}
WEEKDAYS = {
    "en": ("Monday", "Wednesday", "Friday"),
    "ja": ("月曜", "水曜", "金曜"),
    "zh": ("周一", "周三", "周五"),
    "ko": ("월요일", "수요일", "금요일"),
}
ADDED = {
    "en": (
        "Old rows are evicted in the order in which they were written.",
        "A failed job is handed to the night shift, which repairs it manually.",
        "The dashboard turns orange when replication falls behind.",
        "It was raised from {number} GB in spring.",
        "The certificate expires on 2031-02-{day:02d}.",
        "Customers in {city} get a separate shard.",
    ),
    "ja": (
        "上限に達すると古い行から順番に消える。",
        "失敗したジョブは夜勤の担当者が手動で修復する。",
        "複製が遅れると画面がオレンジ色に変わる。",
        "春に {number} GB から引き上げた。",
        "証明書の期限は 2031-02-{day:02d}。",
        "{city} の顧客は別のシャードに入る。",
    ),
    "zh": (
        "达到上限后最旧的行会按顺序淘汰。",
        "失败的任务交给夜班人员手动修复。",
        "复制延迟时仪表盘变成橙色。",
        "春季从 {number} GB 提高上来。",
        "证书到期日是 2031-02-{day:02d}。",
        "{city} 的客户使用单独的分片。",
    ),
    "ko": (
        "상한에 도달하면 오래된 행부터 차례로 삭제된다.",
        "실패한 작업은 야간 담당자가 수동으로 복구한다.",
        "복제가 늦어지면 대시보드가 주황색으로 바뀐다.",
        "봄에 {number} GB에서 올렸다.",
        "인증서 만료일은 2031-02-{day:02d}이다.",
        "{city} 고객은 별도 샤드를 쓴다.",
    ),
}
