"""Hedges, negations, limits: the small words that make a remark what it is (SPEC §8, "hardening").

One table, by class and language; code walks it. A class is what must survive, not the word:
"Unverified hearsay:" may stand for "probably", but "will" may not, and "probably" is more than "possibly".
"""



from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from agentops_dream.patterns import late

# class -> (what it says, patterns between word borders, patterns in other scripts)
TABLE: dict[str, tuple[str, str, str]] = {
    "not_really": (
        "looks like a negation or hedge and is none",
        r"not only|no matter|no\. ?(?=\d)|whether or not|as well as not|if (?:it |this |a [a-z]{1,12} )?seems?|in may|may (?=\d)"
        r"|spares?(?= (?:parts?|units?|keys?|cables?|batter(?:y|ies)|dis[ck]s?|drives?|tyres?|tires?|wheels?|rooms?|time|box(?:es)?|ones?|sets?|cop(?:y|ies)|bulbs?|lamps?))",
        r"なければなら(?:ない|ず)|なくてはならない|ないといけない|なければいけない|少な[いくか]|足[りら]な[いくか]|禁止事項|危な[いく]|に(?:すぎ|過ぎ)(?:な[いか]|ず|ません)|不(?:良|具合|足|明|正|審|動|備|調|安|快|一致|整合|均|幸|定期|意に|意の)|まもなく|間もなく|つな[いが]|なく[すし]|"
        r"不同|不过|不仅|不但|不断|不久|不少|不错|无论|无线|未来|別々|必不可少|不得不|差不多|"
        r"어쩔 수 없|뿐(?:만)? 아니라|하지만|지만|만약|만들|만나|불러|불리|비교|미리|미터",
    ),
    "unverified": (
        "not verified",
        r"unbestätigt|ungeprüft|nicht (?:bestätigt|geprüft|gesichert)|gerücht(?:e|eweise)?|non (?:vérifiée?|confirmée?)|rumeur|sin (?:confirmar|verificar)|no confirmad[oa]|не (?:подтвержден[оаы]?|проверен[оаы]?)|слух(?:и)?|неподтвержденн[а-я]{1,3}|"
        r"unverified|unconfirmed|un(?:certain|clear|sure|proven|tested)|never been (?:confirmed|verified|checked|proven|tested)|not (?:yet )?(?:been )?(?:confirmed|verified|checked|certain|sure|proven|official|tested|final)"
        r"|[a-z]{2,6}n't (?:yet )?(?:been )?(?:confirmed|verified|certain|sure|proven|official|final)|hearsay|rumou?r(?:s|ed)?|tbc|to be (?:confirmed|verified)|(?:neither|nobody|no one|no-one) (?:[a-z]{1,12} ){0,5}?(?:tested|checked|verified|confirmed)|needs? (?:confirmation|verification)|allegedly|unofficial(?:ly)?|in doubt|speculat[a-z]{1,12}",
        r"未確認|未確定|未検証|要確認|(?:確認|検証|試)(?:し|は取れ|が取れ)て(?:い)?な|裏は取れて(?:い)?な|確認されていない|確認できていない|噂|うわさ|不確か|不確実|正式(?:な決定)?では(?:ない|なく)|裏付けは?な[いく]|"
        r"未确认|未经(?:确认|证实|验证)|未证实|未验证|传闻|传言|不确定|待确认|没有(?:得到)?(?:确认|证实)|尚未(?:确认|证实|验证)|"
        r"미확인|미확정|확인되지 않|확인 ?안 ?[된됨]|검증되지 않|소문|불확실|불확정|확실하지 않",
    ),
    "upper": (
        "at most",
        r"at most|max(?:imum|imal|\.)?|up to|no more than|not more than|no (?:greater|longer|later|larger|higher|bigger|wider|farther|further|older) than|at (?:the )?(?:longest|latest)|not exceed(?:ing)?|within|less than|fewer than|below|under|upper|limit(?:ed)?(?! to(?! ?\ue000))|cap(?:ped|s)?|beyond|ceiling|(?:not|never|nothing|no) (?:above|over|beyond|higher than)|or (?:less|fewer|lower|below|under|smaller|shorter|earlier)",
        r"以下|以内|まで|最大|上限|未満|満た(?:な[いく]|ず)|迄|を切[っるら]|を下回|最多|最长|不超过|不高于|不多于|至多|小于|低于|이하|이내|까지|최대|미만|상한|넘지",
    ),
    "lower": (
        "at least",
        r"at least|min(?:imum|imal|\.)?|no (?:less|fewer) than|not less than|no (?:earlier|sooner|shorter|smaller|lower) than|at (?:the )?earliest|more than|over|above|exceed(?:s|ing)?|greater than|larger than|wider than|longer than|older than|from|or (?:more|higher|above|longer|later|larger|greater)|and up|and above|past|starting",
        r"以上|最低|最小|を上回|超え|超過|下限|から|より(?:大き|長|多)|至少|最少|不少于|不低于|超过|大于|高于|(?<=[0-9日天号点时年月份初末])起(?![動き])|(?<=[0-9] )起(?![動き])|이상|최소|초과|적어도|부터|넘[는으을]",
    ),
    "never": (
        "forbidden",
        r"niemals|nie|verboten|(?:darf|dürfen) (?:nie|nicht)|jamais|interdit(?:e|es|s)?|défendu|nunca|jamás|prohibid[oa]s?|никогда|нельзя|запрещено|запрещен[аоы]?|"
        r"never|leav(?:e|es|ing) (?:[^\s,;.]{1,40} ){1,3}alone|must(?: not|n't)|(?:do not|don't)|cannot|can't|can not|forbid(?:s|den)?|prohibit(?:s|ed)?|not (?:be )?(?:allowed|permitted)|under no circumstances|ban(?:s|ned)?|refuse[sd]?|turn(?:s|ed)? down|off[- ]limits|(?:is|are|was|were) out(?= *(?:[,.;:)]|$|for (?:all|every)))|no[- ]go|ruled? out|rules out|hands off|taboo",
        r"禁止|厳禁|禁じ|控え|絶対に?(?=[^。、]{0,20}(?:な[いく]|ません))|しないこと|ないこと|ては(?:いけない|ならない|だめ)|てはなら|べからず|不可(?!欠|分|能)|"
        r"切勿|请勿|勿|不得|不要|不能|不可以?|不准|严禁|别再|绝不|从不|금지|말 것|말아|마세요|마십시오|지 마|불가|절대",
    ),
    "possible": (
        "possible",
        r"vielleicht|möglicherweise|eventuell|könnte|peut-être|éventuellement|quizás?|tal vez|posiblemente|возможно|может быть|"
        r"possibl[ey]|perhaps|(?-i:may)|may (?:be|not|only)|maybe|might|could be|could have|conceivabl[ey]|potential(?:ly)?",
        r"かもしれ(?:ない|ません|ず)|かも知れ(?:ない|ません)|可能性|おそれがあ|恐れがあ|あり得|ありう|もしかす|ひょっとす|"
        r"可能(?!性能)|也许|或许|说不定|수도 있|가능성|어쩌면|혹시|지도 모",
    ),
    "probable": (
        "probable",
        r"wahrscheinlich|vermutlich|scheint|angeblich|probablement|sans doute|semble|probablemente|parece|вероятно|похоже|кажется|"
        r"probabl[ey]|likely|presumabl[ey]|presumed|apparently|seem(?:s|ed|ingly)?|appears? to|supposedly|suspect(?:s|ed)?|suspicions?|believes?|"
        r"(?:i|we|they) (?:think|believe|guess|assume)|believed|assumed|assume|assumptions?|estimated?|tends? to",
        r"おそらく|恐らく|たぶん|多分|らしい|らしく|ようだ|ようです|みたい|と思われ|と思う|と見られ|とみられ|さそう|そう(?=[。、)]|$)|だろう|でしょう|推測|推定では|模様|"
        r"大概|似乎|好像|估计|看来|多半|恐怕|应该是|推测|아마|것 ?같|듯하|듯싶|로 보[인이]|추정|추측",
    ),
    "reported": (
        "reported",
        r"reportedly|(?:is|are|was|were) said to|heard|according to|mentioned|told (?:me|us|them)|"
        r"claims?|claimed|(?:read|saw) (?:it )?in a",
        r"という話|とのこと|と聞い|たときに聞い|から聞い|で聞い|聞いた話|そうです|によると|と言ってい|据说|听说|据称|据(?=.{1,8}说)|说是|라고 한다|다고 한다|라고 들|다고 들|들었|전해|에 따르면",
    ),
    "expected": (
        "expected, not done",
        r"should|ought to|(?:is|are|was|were) (?:(?:supposed|planned|expected|due|scheduled) (?:to|for)|meant to)|planned|plans? to|plans?|intended|intends? to|expected|"
        r"to be (?:announced|done|decided)|wants? to|hopes? to|going to|will",
        r"予定|つもり|はず|べき|見込|計画中|(?<=[いきぎしちにびみりえけげせてでねべめれ])たい(?=と|[。、)」|]|です|が|$)|したい|する方針|计划|打算|预计|应该|应当|准备|예정|계획|예상|해야 할|할 것",
    ),
    "must": (
        "binding",
        r"no(?= (?:[a-z-]{1,16} ){1,4}without)|must|(?:has|have|had) to|needs? to|need|needs|required?|requires|always|mandatory|obligatory|necessary|insists?",
        r"必ず|必須|必要|要る|要し|要す|義務|しなければ|徹底|必须|务必|一定要|需要|须|必需|强制|반드시|해야|필수|필요|항상|무조건",
    ),
    "allowed": (
        "allowed",
        r"can|optional(?:ly)?|allowed|permitted|(?:is|are) (?:fine|ok|okay)|free to|at will",
        r"認め|てもよい|てもいい|て良い|でよい|できる|任意|許可|可以|允许|可选|随意|수 있|허용|선택|괜찮|해도 된",
    ),
    "not": (
        "negated",
        r"nicht|kein(?:e|en|er|es|em)?|ohne|weder|ne|pas|sans|aucune?|ni|sin|tampoco|не|ни|без|нет|"
        r"(?:until|before) any(?:one|body)|not|[a-z]{2,6}n't|no|none|nothing(?! (?:but|else))|nobody|no one|nowhere|neither|nor|without|no longer|fail(?:s|ed)? to|lacks?|lacking",
        r"ない|なければ(?!な)|なかった|なく(?!な)|なくな|ません|せず|(?<=[\u4e00-\u9fff])[かさたなまらわばがせ]ず(?![つれ])|(?<=[らかさまたなわばがせれけべえめげねてでぜきりみしびぎちじい])ず(?=[、。にと )」|]|$)|な(?=さそう)|なし|無し|(?<=[^骨])抜き(?=[のでに、。])|不要|不使用|ぬ(?=[、。])|ではな|じゃな|"
        r"不|没有|没|无(?!线|论)|未|非(?!常)|(?<![가-힣])안 |않|못|없|아니|아닌|말고|미지원|불필요",
    ),
    "only": (
        "limited to",
        r"nur|ausschließlich|lediglich|seulement|uniquement|sólo|solo|solamente|únicamente|только|лишь|"
        r"only|solely|exclusively|just|alone|all (?:that )?there (?:is|are|was|were)|(?:is|are|was|were) all (?:that|the|it|he|she|they|we|you|there)|all (?:[a-z]{1,12} ){1,5}(?:did|does) (?:was|is)|nothing but|reserved (?:for|to)|nothing else|no other|except|exceptions?|other than|unless|limited to(?! ?\ue000)|restricted to|at no other|purely",
        r"のみ|だけ|しか|にとどめ|に留め|に限[るりらっ]|限定|以外|かぎ[りる]|仅|只|唯一|除[了非]|限于|(?<=[가-힣])만(?=[ 을이은,.)]|$)|뿐|오직|한정|제외|외에",
    ),
    "other_neg": (
        "says the opposite of what it is made of",
        r"un(?:changed|used|set|able|available|supported|necessary|needed|limited|signed|known|finished|affected|touched)[a-z]{0,6}|in(?:valid|active|complete|correct|compatible)[a-z]{0,6}|"
        r"dis(?:able|abled|allow|allowed|abling)[a-z]{0,6}|[a-z]{3,12}less|non-?[a-z]{1,12}|off|unlike|avoid(?:s|ed|ing)?|instead|rather than|reject(?:s|ed)?|exclud[a-z]{1,12}|skip(?:s|ped)?|ignor[a-z]{1,12}|"
        r"prevent[a-z]{0,6}|stop(?:s|ped)?|stays?|stayed|keeps?|kept|remains?|fixed|zero|missing|absent|retired|withdrawn|obsolete|deprecated|discontinued|abandoned|free of|exempt[a-z]{0,6}|outside|out of|hardly|barely|few|still to|yet to|outstanding|pending|still open|in vain|unsuccessful(?:ly)?|failures?|spar(?:e|es|ed|ing)|left out|leaves? out|omit(?:s|ted)?|against|oppos(?:e|es|ed)|deny|denied|den(?:ies)|leav(?:e|es|ing) (?:out|it|them)?",
        r"まま|そのまま|避け|防(?:ぐ|ぎ|い|が|止)|除[くきい]|無効|無|外[すし]|(?<=[\u4e00-\u9fff])外(?=[。、|) ]|$)|廃止|終了|撤去|止[めま]|変わらず|据え置き|拒否|対象外|避免|停用|禁用|以外|排除|保持|그대로|유지|제외|피하|비활성|거부|중지",
    ),
    "single": (
        "one, or on a condition: may stand for \"only\" and is no limit by itself",
        r"sole|single|exactly (?:one|once)|one and only|(?:pre)?conditions?|prerequisites?|provided",
        r"限り|唯一|一箇所|1か所|一か所|条件|唯一|유일|조건",
    ),
    "about": (
        "approximately",
        r"etwa|ungefähr|rund|environ|aproximadamente|unos|unas|около|примерно|"
        r"about|around|approximately|approx\.?|roughly|circa|ca\.|nearly|almost|some(?= ?\ue000)|or so|ish|close to",
        r"(?<![\u4e00-\u9fff])約|およそ|おおよそ|ほぼ|程度|ほど|くらい|ぐらい|前後|ごろ|頃|(?<![脆薄微])弱(?![いくかまめ点み])|強(?=[、。])|大约|(?<![预签条合公节])约(?!束|定)|左右|上下|将近|接近|약(?= ?\ue000)|정도|쯤|가량|대략|거의|~(?=\ue000)",
    ),
}  # fmt: skip



class Mark(NamedTuple):
    """One small word that matters."""

    name: str
    start: int
    end: int
    text: str


_WORD = re.compile(r"[A-Za-z\u00c0-\u024f\u0400-\u052f]+(?:'[a-z]+)?")


def _depths(pattern: str) -> Iterator[tuple[int, str, int]]:
    """Yield ``(offset, character, how many brackets are open after it)``; a class is one bracket."""
    depth, in_class = 0, False
    for at, char in enumerate(pattern):
        if in_class:
            in_class = char != "]"
            depth -= not in_class
        elif char in "([":
            in_class = char == "["
            depth += 1
        elif char == ")":
            depth -= 1
        yield at, char, depth


def _alternatives(pattern: str) -> Iterator[str]:
    """Split a pattern at the bars that stand outside of brackets."""
    start = 0
    for at, char, depth in _depths(pattern):
        if char == "|" and depth == 0:
            yield pattern[start:at]
            start = at + 1
    yield pattern[start:]


def _closing(pattern: str) -> int:
    """Return the offset after the bracket that closes the one at the head of ``pattern``."""
    return next(at + 1 for at, _, depth in _depths(pattern) if depth == 0)


def _head(alternative: str) -> str:
    """Return the part of an alternative that its first word must match: up to a blank outside brackets."""
    ends = (at for at, char, depth in _depths(alternative) if char == " " and depth == 0)
    looks = (at for look in ("(?=", "(?!") if (at := alternative.find(look)) >= 0)
    return alternative[: min((*ends, *looks), default=None)]


def _firsts(pattern: str) -> set[str]:
    """Return the characters with which a match of ``pattern`` may begin.

    Knows only what the table uses: characters, classes, groups and look-behinds.
    """
    if not pattern:
        return set()
    if pattern.startswith(("(?<=", "(?<!")):
        return _firsts(pattern[_closing(pattern) :])
    if pattern.startswith(("(?:", "(?-i:")):
        end = _closing(pattern)
        inner, rest = pattern[pattern.index(":") + 1 : end - 1], pattern[end:]
        found = set().union(*(_firsts(one) for one in _alternatives(inner)))
    elif pattern.startswith("["):
        end = _closing(pattern)
        inner, rest = pattern[1 : end - 1], pattern[end:]
        found = {chr(code) for low, high in zip(inner, inner[2:]) for code in range(ord(low), ord(high) + 1)} if "-" in inner else set(inner)
    else:
        found, rest = {pattern[0]}, pattern[1:]
    return found | (_firsts(rest[1:]) if rest.startswith("?") else set())


Row = tuple[str, str]


class _Latin(NamedTuple):
    """An alternative for text with spaces, and what the word where it begins must look like."""

    row: Row
    start: str
    """Letters with which that word begins."""
    head: re.Pattern[str] | None
    """What it must match, ``None`` if the letters say it all."""

    def may_begin(self, word: str) -> bool:
        return word.startswith(self.start) and (self.head is None or self.head.match(word) is not None)


def _latin(name: str, one: str) -> _Latin:
    head = _head(one)
    letters = next((at for at, char in enumerate(head) if not char.isalpha()), len(head))
    if letters == len(head):
        return _Latin((name, one), head, None)
    return _Latin((name, one), head[: max(letters - 1, 0) if head[letters] in "?{" else letters], late(head, re.I))


_LATIN: dict[str, list[_Latin]] = {}
_CJK: dict[str, list[Row]] = {}
for _name, (_, _pattern, _) in TABLE.items():
    for _one in _alternatives(_pattern):
        for _char in _firsts(_one):
            _LATIN.setdefault(_char, []).append(_latin(_name, _one))
for _name, (_, _, _pattern) in TABLE.items():
    for _one in _alternatives(_pattern):
        for _char in _firsts(_one):
            _CJK.setdefault(_char, []).append((_name, _one))
_CANDIDATE = late("[" + re.escape("".join(sorted(_CJK))) + "]")


def _compiled(rows: Sequence[Row], border: str) -> re.Pattern[str]:
    """Return one pattern whose groups are classes, in the order of the table."""
    merged: dict[str, list[str]] = {}
    for name, one in rows:
        merged.setdefault(name, []).append(one)
    # Scripts without spaces have no capitals, and a wide class that ignores them takes Python milliseconds to make.
    return re.compile(
        "(?:" + "|".join(f"(?P<{name}>{'|'.join(ones)})" for name, ones in merged.items()) + ")" + border, re.I if border else 0
    )


@lru_cache(maxsize=8192)
def _by_word(word: str) -> re.Pattern[str] | None:
    """Return the pattern of what may begin with this word: nearly always nothing."""
    rows = [latin.row for latin in _LATIN.get(word[0], ()) if latin.may_begin(word)]
    return _compiled(rows, "(?-i:(?![A-Za-z_\u00c0-\u024f\u0400-\u052f]))") if rows else None


@lru_cache(maxsize=1024)
def _by_char(char: str) -> re.Pattern[str]:
    return _compiled(_CJK[char], "")


def find(text: str, base: int = 0) -> Iterator[Mark]:
    """Yield the marks in a masked text, script by script; ``base`` is its offset."""
    yield from _found(text, base, _WORD, lambda match: _by_word(match.group().lower()))
    if not text.isascii():
        yield from _found(text, base, _CANDIDATE, lambda match: _by_char(match.group()))


def _found(
    text: str, base: int, candidates: re.Pattern[str], pattern_of: Callable[[re.Match[str]], re.Pattern[str] | None]
) -> Iterator[Mark]:
    done, doubled = 0, False
    for candidate in candidates.finditer(text):
        at = candidate.start()
        if at < done or text[at - 1 : at] in ("_", "-"):
            continue
        pattern = pattern_of(candidate)
        found = pattern.match(text, at) if pattern else None
        if found:
            done = found.end()
            if doubled and found.group().lower() == "without":
                doubled = False  # "no release without a test": the two negations make a rule
                continue
            doubled = doubled or (found.group().lower() == "no" and found.lastgroup == "must")
            if found.lastgroup != "not_really":
                yield Mark(str(found.lastgroup), base + at, base + done, found.group())
