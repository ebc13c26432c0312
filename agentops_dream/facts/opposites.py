"""Words of which one must not be put where the other stood (SPEC §8, "hardening")."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from agentops_dream.patterns import late

_GROUPS = """
before|prior to / after
daily|every day|each day / hourly|every hour / weekly|every week / monthly|every month / nightly / yearly|annually
short|shorter|brief / long|longer|detailed
always / never / sometimes|occasionally / often / rarely|seldom / usually|normally|mostly
must|has to|have to / should|ought to / may|might
通常|普段|たいてい / 必ず|常に|いつも / たまに|時々|ときどき
一部 / すべて|全て|全部
必須 / 推奨
all|every|each / some / none|no
first / last
enabled|enable|enables|on / disabled|disable|disables|off
succeeded|succeeds|succeed|passed|passes / failed|fails|fail
allowed|permitted|allows|allow / deny|denies|denied|blocks|blocked / forbidden|prohibited|banned|disallowed
required|mandatory|obligatory / optional
accepts|accepted|accept / refuses|rejects|refused|rejected|denies|denied|reject
minimum|min|least / maximum|max|most
more / less|fewer
above|over / below|under
more than / less than|fewer than
at least / at most|up to
increase|increases|increased|raised|rises|grows / decrease|decreases|decreased|lowered|falls|shrinks
oldest / newest|latest
earlier|sooner / later
faster|quicker / slower
larger|bigger|greater / smaller
left / right
upper / lower
two|twice / three / four / five / six / seven / eight / nine / ten
二 / 三 / 四 / 五 / 六 / 七 / 八 / 九 / 十 / 百 / 千
早い|早く|早め / 遅い|遅く|遅め
速い / 遅い
大きい / 小さい
多い / 少ない
長い / 短い
高い / 低い
切り上げ / 切り捨て
ascending / descending
public / private
manual|manually|by hand / automatic|automatically
sync|synchronous|synchronously / async|asynchronous|asynchronously
internal / external
use|uses|prefer|prefers / avoid|avoids|dislikes|hates
likes|wants / dislikes|hates
add|adds|added / remove|removes|removed|delete|deletes|deleted
start|starts|started / stop|stops|stopped
open|opens|opened / close|closes|closed
safe / unsafe
stable / unstable
valid / invalid
with / without
true / false
up / down
planned / done
staging / production
upload|uploads / download|downloads
有効 / 無効
許可 / 禁止 / 拒否
必須 / 任意
成功 / 失敗
最大 / 最小
以上 / 以下|未満
増 / 減
毎日 / 毎週 / 毎月 / 毎時
手動 / 自動
公開 / 非公開
開始 / 停止
启用 / 禁用|停用
允许 / 禁止
必须 / 可选
失败 / 成功
每天 / 每周 / 每月 / 每小时
手动 / 自动
之前 / 之后
활성 / 비활성
허용 / 금지
필수 / 선택
성공 / 실패
매일 / 매주 / 매월 / 매시간
수동 / 자동
이상 / 이하|미만
"""
_SIDES: dict[str, set[tuple[int, int]]] = {}
for _number, _line in enumerate(_GROUPS.strip().splitlines()):
    for _side, _words in enumerate(_line.split(" / ")):
        for _word in _words.split("|"):
            _SIDES.setdefault(_word.strip(), set()).add((_number, _side))



def _any(words: Iterable[str]) -> str:
    """Return a pattern for the longest of ``words``, sorted by first letters: that saves the engine most tries."""
    by_head: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        by_head.setdefault(word[0], []).append(re.escape(word[1:]))
    return "|".join(f"{head}(?:{'|'.join(rests)})" for head, rests in sorted(by_head.items()))


OPPOSITES = late(rf"\b(?:{_any(w for w in _SIDES if w.isascii())})\b|{_any(w for w in _SIDES if not w.isascii())}")
"""Finds them in text without capitals."""


@lru_cache(maxsize=4096)
def opposite(one: str, other: str) -> bool:
    """Return whether two words, as :data:`OPPOSITES` finds them, exclude each other."""
    return any(
        group == their_group and side != their_side
        for group, side in _SIDES.get(one, ())
        for their_group, their_side in _SIDES.get(other, ())
    )


def has_opposite(word: str) -> bool:
    """Return whether a word excludes another."""
    return word in _SIDES
