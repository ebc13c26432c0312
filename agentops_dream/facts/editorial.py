"""The closed lists of words in which a keeper of notes speaks about notes: they claim nothing about the world (SPEC §8)."""

from __future__ import annotations

import re

from agentops_dream.facts.words import stem

META = frozenset(
    stem(word)
    for word in """
    note notes noted entry entries memory file written wrote write record recorded mention mentioned state
    states stated say says said describe described description disputed dispute unresolved resolve conflict
    conflicts conflicting contradict contradicts contradiction differ differs different disagree disagrees stale
    outdated obsolete superseded past passed old older newer earlier later previous previously former formerly
    back history original originally replaced split merged moved copied quoted quote data date dated related
    reference refer see above below same separate separately instance confused counted carries following section
    topic point otherwise else both twice again together value values detail details rest unchanged remain still means namely
    example list table summary rule fact facts flagged flag check checked review clarify open question paragraph
    text comment sentence line source sources raised lowered increased reduced longer shorter higher larger smaller changed
    """.split()
) | frozenset(
    "記録 記述 参照 統合 分割 矛盾 未解 解決 食 違 注記 確認 要確 期限 終了 過去 当時 "
    "メモ 次 点 今 決 扱 方針 手順 仕様 概要 時点 更新 現在 古 新 項目 説明 関連 詳細 上記 同様 話 元 件 場合 内容 値 名 "
    " 条目 记录 笔记 参见 冲突 说明 过期 合并 拆分 原文 现在 之前 目前"
    " 항목 기록 참고 충돌 메모 내용 설명 현재 당시".split()
)
"""What is said of a note."""

EDITORIAL = META | frozenset(
    stem(word)
    for word in """overview notes guide setup usage config configuration settings rule rules policy policies limit
    limits formula metric metrics schedule format formats process workflow steps convention conventions decision
    decisions question questions issue incident incidents
    behaviour behavior handling reason reasons background why how what when
    where info information basics general misc other open todo changes change changed timeline status state usage
    requirements requirement preferences preference project user team tool tools system service services purpose role
    scope key facts unclear uncertain unverified unconfirmed pending confirm confirmed needs work works live lives
    expired ended deadline merge new fresh renamed
    cfg conf info special case cases exception exceptions contact contacts access naming storage size place location
    structure layout order time times timing numbers part parts field fields file files name names owner owners people link links
    cause causes symptom symptoms result results procedure prerequisites environment variables options path paths host
    hosts port ports""".split()
) | frozenset(
    "日時 時刻 場所 期間 回数 頻度 担当 人 対象 条件 方法 理由 一覧 設定 保存 保管 送信 状態 名前 件数 番号 上限 連絡 注意 分担"
    " 場 所 列 動 動作 挙動 仕組 流 形 形式 入口 置場 経緯 補足 特例 例外 範囲 基準 決 書方 使方 見方 待時"
    " 时间 地点 条件 方法 原因 列表 设置 保存 状态 名称 数量 시간 장소 조건 방법 이유 목록 설정 상태 이름".split()
)  # fmt: skip
"""What a description or a heading may be made of besides."""

REASONS = EDITORIAL | frozenset(
    stem(word)
    for word in """stale outdated obsolete contradicts contradicting duplicate duplicates duplicated same expired
    unverified unsupported instruction instructions instruct looks like reads order injected prompt hearsay rumour maybe
    possibly likely probably longer current recent undecidable neither either nothing carries carry counterpart instead
    choosing choose decide decided someone person should human clarify says claim claims evidence proof source missing
    known unknown true wrong verify verified needs fact value number date dated newer older shown focus context living
    keep kept leave left alone contains contain pasted paragraph addressed ai assistant assistants asks ask asking
    treated followed follow cut tense removed over put freeze own whether flagged unchanged both side
    opposite page""".split()
) | frozenset(
    "古 矛盾 重複 期限 限切 未確 不明 要確 指示 両方 日付 決 印 付 過 高 必要 相手 手側"
    " 見 確 本文 変更 引用 装 書 込 従 扱 データ 他 記録"
    " 确认 过时 重复 矛盾 指令 오래 모순 중복 만료 지시".split()
)  # fmt: skip
"""What the reason for a flag is made of."""
CUT = re.compile(r"(?i)\b(?:in|see|to|from) *[.)]*$|[(（] *[)）]|^ *[はとのにを]|[はとのにを]  ")
"""What a link leaves behind that is not weighed, because its entry is part of the same merge or split."""
