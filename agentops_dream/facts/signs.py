"""The words by which a statement says yes or no, or how exactly it says it (SPEC §8, "hardening").

Finer than :mod:`marks`: what turns a statement round is told from what only limits it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agentops_dream.patterns import late

_LATIN = re.compile("[a-z]+")


def traits(text: str) -> frozenset[str]:
    """Return by what a :class:`Cue` tells that a text cannot hold it: the heads of its words, and its characters."""
    heads = {word[:4] for word in _LATIN.findall(text.lower())}
    return frozenset(heads if text.isascii() else heads.union(text))


@dataclass(frozen=True, eq=False)
class Cue:
    """A pattern, and what a text must have some of to match: most texts have none, which is seen at once."""

    pattern: re.Pattern[str]
    needs: frozenset[str]

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match."""
        return self.pattern.search(text)

    def match(self, text: str, at: int = 0) -> re.Match[str] | None:
        """Return the match that begins at an offset."""
        return self.pattern.match(text, at)

    def within(self, text: str, having: frozenset[str]) -> Iterable[re.Match[str]]:
        """Return the matches in a text that has these traits, or is a part of one that has."""
        return () if self.needs.isdisjoint(having) else self.pattern.finditer(text)


def _cue(needs: str, source: str) -> Cue:
    """Return a cue; ``needs``: up to four letters of a word, or one character, of whatever ``source`` may match."""
    return Cue(late(source), frozenset(needs.split()))


BREAK = late(
    r"[;:()\[\]。|]|[.!?](?=\s|$)|\s-+\s|->"
    r"|,\s+(?=(?:it|this|that|they|we|he|she|you|there|nobody|nothing|otherwise|then|else|the|but|so|as)\b)"
    r"|\b(?=[abhiostw])(?:and (?=(?:before (?:that|then)|until then|since then|it|this|that|they|we|he|she|you|there|nobody|nothing|never|do not|don't)\b)|(?:because|since|so|but|while|whereas|which|if|when|although|though|then|therefore|otherwise|however)\b)"
    r"|ので|(?:ため|から|が|けど|けれど|ですが|ますが)、|ただし|但し|一方|因为|所以|但是|不过|但|否则|때문에|하지만|지만|므로|니까",
    re.IGNORECASE,
)
WITHOUT = _cue(
    "with unle な 無 없 않 没 不",
    r"(?i)\b(?:without|unless)\b|なしで?は?|無しで?は?|なければ(?!な)|ないと(?!い)|ない限り|ない場合|なくても|없이|없으면|않으면|没有(?=[^,。]{1,8}不)|不[^,。]{0,6}就"
)
EXCEPT = late(r"(?i)\b(?:except|other than|but (?:through|by|via|with|in|on|from))\b")
"""What makes a rule of a "no": "no event leaves except through the outbox"."""
WEAK = late(r"(?i)\b(?:before|until|till|except|other than|yet)\b|まで|以外|前|之前|除|전에|외에")
RESTRICTS = late(
    r"(?i)\b(?:only|after|once|first|must|needs?|requires?|required|always)\b|のみ|だけ|後|てから|必ず|必要|必須|只|仅|后|必须|需要|만|후|필요|반드시|해야"
)
NEGATIVE = _cue(
    "avoi inst rath yet hard bare refr stop nie niem nich kein jama nunc 避 や 피",
    r"(?i)\b(?:avoid(?:s|ed|ing)?|instead of|rather than|(?:has|have|had|is|are) yet to|hardly|barely|refrain(?:s|ed)? from|stop(?:ped)? (?=[a-z]+ing)"
    r"|nie(?:mals)?|nicht|kein(?:e[nrms]?)?|jamais|nunca)\b|避け|やめ|避免|피하|피해"
)
NEUTRAL = _cue(
    "forg hesi miss doub prob matt only noth if not で じ 而 아 忘 遠 别 不 잊",
    r"(?i)\b(?:(?:do not|don't|never|not) (?:forget|hesitate|miss)(?: to)?|no (?:doubt|problem|matter)|not only|nothing but|if not|whether or not|or not|not just)\b|"
    r"(?:では|じゃ)なくて?|而不是|아니라|忘れない|忘れず|遠慮なく|别忘|不要忘|잊지"
)
PREFIXED = _cue(
    "unsa unte unch unus unsu unne unkn unfi unaf unav unab unsi unst unre unli unse unpr undo unen unal unhe untr unlo "
    "inva inac inco inse non",
    r"(?i)\bun(?P<un>safe|tested|changed|used|supported|necessary|needed|known|finished|affected|available|able|signed|stable|reliable|"
    r"limited|set|protected|documented|encrypted|reviewed|allowed|healthy|trusted|locked|reachable)\b"
    r"|\bin(?P<in>valid|active|complete|correct|compatible|secure|accurate|consistent)\b|\bnon-(?P<non>[a-z]{3,})"
)
# What is enabled may be disabled, and "not enabled" is as good: per group, the pole that negates.
POLES = (
    ("on", "disa deac off 無 オ 禁 停 关 비 꺼", r"(?i)\bdis(?:abled?|abling|ables)\b|\bdeactivat\w+|\b(?:is|are|was|were|be|turned|switched|stays?|kept|left) off\b|\boff (?=for|on|in|by)|無効|オフ(?!ライン|セット|ィ|ロ|シ)|禁用|停用|关闭|비활성|꺼"),
    ("works", "fail 失 실", r"(?i)\bfail(?:s|ed|ing)?\b(?! to)|失敗|失败|실패"),
    ("takes", "refu reje deny deni decl disa 拒 거 却", r"(?i)\b(?:refus|reject|den(?:y|ie)|declin|disallow)(?:s|ed|es|d|e|ing)?\b|拒否|拒绝|거부|却下"),
    ("needs", "opti 任 可 선", r"(?i)\boptional(?:ly)?\b|任意|可选|선택(?! ?해)"),
)  # fmt: skip
POLAR = tuple(_cue(needs, pattern) for _, needs, pattern in POLES)
GOOD_POLE = _cue(
    "enab acti on succ pass acce requ mand 有 オ 成 启 必 활 성 필",
    r"(?i)\b(?:enabled?|enables|activat\w+|active|(?:is|are|was|were|be|turned|switched|stays?|kept|left) on|succeed(?:s|ed)?|success\w*|passe[sd]"
    r"|accept(?:s|ed)?|required?|mandatory)\b|有効|オン(?!ライン)|成功|启用|必须|활성|성공|필수"
)
SAYS_NOTHING = _cue("allo perm must shou use used uses alwa supp 許 允 许 허", r"(?i)\b(?:allow(?:s|ed)?|permit\w*|must|should|use[sd]?|always|supposed)\b|許可|允许|허용")
"""What stands where a negation stood, and is no part of what the statement is about."""
NOT = frozenset({"not", "no", "never", "cannot", "don't", "doesn't", "isn't", "aren't", "didn't", "can't", "won't", "without", "neither", "nor"})
CHANGES = late(r"(?i)\bchang|\btouch|変え|変わ|变|바꾸|바뀌|변경")
"""What stays as it is has not been changed."""
WAS = late(r"(?i)\b(?:before (?:that|then)|until then|previously|formerly|earlier|was|were|from .+ to)\b|以前|それまで|だった|之前|이전")
NOT_YET = late(r"(?i)(?:not|[a-z]+n't) (?:yet )?(?:been )?(?:official|tested|final)")
"""Not done yet; "not confirmed" is a hedge, which says nothing of yes and no."""
GREW = late(r"(?i)\b(?:gr(?:e|o)ws?|grown|raised|raises|increased?|rose|rises?|climb(?:s|ed)?|go(?:es)?|went|going)\b[^.;]{0,40} to\s*[`*]*$")
"""What stands before a value that something has come up to."""
OTHERWISE = late(r"(?i)\b(?:otherwise|or else|else)\b|さもな[いく]|そうでな[いけ]|否则|不然|그렇지 않으면|아니면")
REFUSED = late(r"(?i)refuse")

NUMBER_BOUND = {
    "about": (
        r"(?:about|around|approximately|approx\.?|roughly|circa|ca\.|nearly|almost|some|close to|(?<![0-9時分日月])~|約|およそ|おおよそ|ほぼ|大约|约|将近|约为|약|대략|거의)\s*[`*]*$",
        r"^\S{0,8}?\s*(?:or so|程度|ほど|くらい|ぐらい|前後|ごろ|頃|左右|上下|정도|쯤|가량)",
    ),
    "upper": (
        r"(?:at most|as (?:long|many|much|high|late|often|far) as|up to|no more than|not more than|no (?:longer|later|larger|higher) than|a maximum of|max(?:imum)?\.?(?: of)?:?|(?:not|never|nothing|no) (?:above|over|beyond|higher than|larger than)|not exceed(?:ing)?|limit(?:ed)?(?: to| of| is|:)?|(?:throttled|restricted|capped) (?:to|at)|最大|最多|至多|不超过|최대)\s*[`*]*$",
        r"^\S{0,8}?\s*(?:以下|以内|まで(?!膨|増|伸び|上が|下が|達|な[るっ])|未満|に(?:満た|達し)(?:な|ず)|を下回|이하|이내|까지|미만|(?:or|and) (?:less|fewer|lower|below|under|smaller|shorter|earlier)|(?:at (?:the )?(?:most|longest|latest)(?! ?[\d`])|maximum|max\b))",
    ),
    "lower": (
        r"(?:at least|no less than|no fewer than|not less than|no shorter than|a minimum of|(?<!\d)(?<!\d )min(?:imum)?\.?(?: of)?:?|no (?:sooner|earlier|lower) than|not (?:[a-z]{2,12} ){0,2}(?:below|under|before)|(?<!no )(?<!not )more than|最低|最小|至少|最少|不少于|최소|적어도)\s*[`*]*$",
        r"^\S{0,8}?\s*(?:以上|超|이상|초과|(?:or|and) (?:more|higher|above|longer|later|larger|greater|up)|(?:at (?:the )?(?:least|earliest)(?! ?[\d`])|minimum|min\b))",
    ),
}  # fmt: skip
BOUND = {name: (late(a, re.I), late(b, re.I)) for name, (a, b) in NUMBER_BOUND.items()}
WORD = late(r"[a-z'-]+|[\u3041-\u9fff\uac00-\ud7a3]")
"""A word or a sign, in text without capitals."""
