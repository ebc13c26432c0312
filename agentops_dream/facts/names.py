"""Names of people, products and teams: literals by how they are written where they stand (SPEC §8)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agentops_dream.facts.blocks import Block
from agentops_dream.facts.common import COMMON
from agentops_dream.facts.literal import Literal
from agentops_dream.facts.sentences import Span
from agentops_dream.facts.words import is_stop
from agentops_dream.patterns import late

_NAME = re.compile(r"[A-Z\u00c0-\u00de](?<![A-Za-z0-9_\u00c0-\u024f@#].)[A-Za-z\u00c0-\u024f]+(?:'s(?![a-z]))?")
_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭"
    "廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文張劉陳楊趙黃吳孫馬羅鄭謝韓馮蕭許蘇盧蔣賈葉閻鐘"
)
_HONORIFIC = late(
    r"([\u4e00-\u9fff々]{1,6}|[\u30a1-\u30faー]{2,12}|[A-Za-z]{2,20})(?=さん|氏(?!名)|君(?![\u4e00-\u9fff])|先輩|部長|課長)"
    r"|([\uac00-\ud7a3]{2,4}|[A-Za-z]{2,20})(?= ?[님씨])"
    rf"|([{_SURNAMES}][\u4e00-\u9fff]{{1,2}}|[A-Za-z]{{2,20}})(?=先生|女士|老师|老師|工程师|总|經理|经理)"
)
_TITLES = late("さん|氏|君|先輩|部長|課長|님|씨|先生|女士|老师|老師|工程师|总|經理|经理")
_NO_CAPITALS = late(r"[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")
_NOUN_END = late(r"(?:ing|ed|tion|ment|ness|ity|ance|ence|ure|age|ship|ism|th|ly|ers|ions)$")
_OPENS = frozenset(".:!?。、,(\"'[|>#*-`")
_COMMON = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december i ok todo note notes why how
    api db ui http""".split()
)


def names(masked: Sequence[Block], spans: Iterable[Span]) -> list[Literal]:
    """Return the names in a masked text.

    A capital at the head of a sentence says nothing by itself; it counts if the same word has a
    capital elsewhere in the text, inside a sentence, or if the text is in another script. A word at
    the head that is not known to be common ("Jun fixed it") is a ``subject``: it must be kept, but a
    new one is no claim.
    """
    inside: list[Literal] = []
    heads: list[tuple[Literal, bool]] = []
    for span in spans:
        block = masked[span.block]
        base = block.start
        for match in _NAME.finditer(block.text, span.start - base, span.end - base):
            word = match.group().removesuffix("'s")
            low = word.casefold()
            if low in _COMMON or (is_stop(low) and not word.isupper()):
                continue
            literal = Literal("name", low, word, base + match.start(), base + match.start() + len(word))
            before = block.text[max(span.start - base, match.start() - 6) : match.start()].rstrip(" ")
            opens = (not before or before[-1] in _OPENS or span.kind == "heading") and _latin(block.text)
            if not opens or word.isupper():
                inside.append(literal)
            else:
                heads.append((literal, _VERB.match(block.text, match.start() + len(word)) is not None))
    known = {literal.key for literal in inside}
    found = inside + [literal for literal, _ in heads if literal.key in known]
    found += [
        literal._replace(kind="subject")
        for literal, acts in heads
        if acts and literal.key not in known and presumed(literal.key)
    ]
    for block in masked:
        if not block.text.isascii() and _TITLES.search(block.text):
            found += [
                Literal(
                    "name",
                    match.group().casefold(),
                    match.group(),
                    block.start + match.start(),
                    block.start + match.end(),
                )
                for match in _HONORIFIC.finditer(block.text)
            ]
    return found


_VERB = late(
    r"'s\b|,| (?:and|or|&) [A-Z]| \(|(?: (?:also|still|now|never|always|only|then|already|usually|probably|once))?"
    r" (?:is|was|has|had|does|did|will|would|can|could|may|might|must|should|says?|said|told|thinks?|thought|knows?|knew|wrote|took"
    r"|takes?|gave|gives?|made|makes?|found|finds?|saw|sees?|held|holds?|kept|keeps?|brought|brings?|went|goes|came|comes|left|leaves?"
    r"|built|builds?|ran|runs?|sent|sends?|set|sets|met|meets?|read|reads?|heard|hears?|spoke|speaks?|put|puts|won't|can't|doesn't|didn't"
    r"|isn't|wasn't|[a-z]{2,}(?:ed|es|ts|ns|ks|ps|rs|ls|ds|ws|gs|ms|ys)"
    r"(?! (?:is|are|was|were|has|have|had|can|may|might|must|should|will|would|do|don't|go|come|stand|lie|need)\b))(?![A-Za-z])"
)
"""What follows somebody who does something: "Jun fixed it", "Jun's branch", "Jun and Ida". "Throughput below 30" is nobody, nor is "Inventory numbers
are issued"."""


def _latin(text: str) -> bool:
    """Return whether a block is written in an alphabet with capitals."""
    return text.isascii() or not _NO_CAPITALS.search(text)


def presumed(key: str) -> bool:
    """Return whether a word with a capital at the head of a sentence is presumably a name."""
    singular = key[:-3] + "y" if key.endswith("ies") else key.removesuffix("s")
    forms = (key, singular, key.removesuffix("es"))
    return len(key) > 2 and COMMON.isdisjoint(forms) and not _NOUN_END.search(key) and not any(map(_joined, forms))


def title_end(text: str, at: int) -> int:
    """Return where the title ends that begins at a place of a text, right behind a name; that place itself if there is none."""
    title = _TITLES.match(text, at)
    return title.end() if title else at


def _joined(key: str) -> bool:
    """Return whether a word is two common ones, as "throughput" and "handover" are."""
    return any(_plain(key[:cut]) and _plain(key[cut:]) for cut in range(3, len(key) - 2))


def _plain(word: str) -> bool:
    return word in COMMON or is_stop(word)
