"""Short texts that speak for an entry: name, description, heading, a remark of two words (SPEC §8).

They go into ``MEMORY.md`` and AGENTS.md, and in so few words one foreign word is a claim. What may be
new in them is a closed list of words in which a keeper of notes speaks of notes. A verdict
("deprecated") and a call to act ("wipe") are never new, wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from agentops_dream.facts.editorial import EDITORIAL, REASONS
from agentops_dream.facts.index import Index, index
from agentops_dream.facts.reading import Sentence, Text, read
from agentops_dream.facts.statements import prose
from agentops_dream.facts.support import knows
from agentops_dream.facts.words import Word, content_words, stem
from agentops_dream.patterns import late

SHARE = 0.4
"""Share of foreign words from which a description says something of its own."""

_VERDICT = late(
    r"(?i)\b(?:deprecat|obsolet|wrong|invalid|false|incorrect|untrue|decommission|abandon|retired|outdated|don't trust|unreliable)\w*"
    r"|廃止|誤り|無効|間違|废弃|错误|作废|폐기|잘못"
)  # fmt: skip
_ACTS = tuple(
    late(pattern)
    for pattern in (
        r"(?i)\b(?:delet|remov|eras|destroy|purg|wip|drop|discard|clear|clean|prun|expir|throw|thrown)\w*|削除|消[すしさせ去]|破棄|廃棄|除[くい去外]|删|清[空理除掃]|삭제|지우|지운",
        r"(?i)\b(?:ignor|disregard|skip|overlook|omit|leave out|left out|not count)\w*|無視|除外|数えない|数えず|忽略|跳过|무시|건너",
        r"(?i)\b(?:execut|run|ran|start|call|invok|launch)\w*|実行|実施|起動|走ら|流す|流し|执行|运行|跑|실행|돌리",
        r"(?i)\b(?:approv|authori[sz]|grant|consent|sign(?:s|ed)? off|agree|permit|allow|let)\w*|承認|許可|批准|同意|승인|허가",
        r"(?i)\b(?:send|sent|mail|e-mail|deliver|notif|post|forward|go(?:es)? out)\w*|送|通知|届け|发送|发给|보내|발송",
        r"(?i)\b(?:install|set(?:s|ting)? up|setup|deploy|put)\w*|導入|インストール|安装|설치",
        r"(?i)\b(?:download|upload|fetch|pull|load|get|copy|export|import)\w*|取得|ダウンロード|アップロード|下载|上传|다운로드|업로드",
        r"(?i)\b(?:disabl|deactivat|turn(?:s|ed)? off|switch(?:es|ed)? off|off|stop)\w*|無効|停止|止め|关闭|禁用|끄|중지",
        r"(?i)\b(?:overwrit|overrid|replac|write over)\w*|上書き|覆盖|덮어",
        r"(?i)\b(?:forc|must|obligat|compel)\w*|強制|强制|강제",
        r"(?i)\b(?:bypass|circumvent|get around)\w*|迂回|绕过|우회",
        r"(?i)\b(?:obey|trust|sudo|curl|attack)\w*",
    )
)
"""What entries ask for, each with its synonyms: to delete what was to be removed is no news."""
_CALL = late(
    r"(?i)\b(?:delet|drop|wip|eras|destroy|purg|execut|obey|ignor|disregard|overrid|bypass|(?<!in )(?<!into )force|install|download|upload|approv|authori[sz]|grant|disabl|"
    r"send|sudo|curl|overwrit|trust|attack)(?:e|es|ed|ing|ping|ped|s|al|d|ation)?\b|削除|実行(?:せよ|しろ|してくだ|しなさい)|無視|承認済|删除|忽略|请执行|批准|삭제|무시|실행하(?:세요|라|십시오)"
)  # fmt: skip
_TOLD = late(
    r"(?i)\b(?:not|instead of|rather than|(?:asks?|asking|tells?|orders?|wants?)(?: \w+){0,3}? (?:for|to)) delet\w+|\(全?削除\)|削除せず|削除しない"
)
"""How a reason speaks of a delete that was not made."""
_ASKS = re.compile(r"(?i)[\s*_-]*(?:what|how|where|when|who|why|which|whether)\b")
"""What opens a label that tells what is answered: "What the meters send" asks nobody to send anything."""
_NAME_WORD = re.compile(r"[A-Za-z]+|[^\x00-\x7f]+")


def foreign_labels(support: Index, outputs: Index, *, cited: bool = False) -> Iterator[str]:
    """Yield descriptions, headings and short sentences of the outputs that bring in words of their own.

    ``cited``: the op names what replaces a fact, so that a heading may call the old one outdated.
    """
    known = {sentence.plain for sentence in support.sentences}
    for sentence in outputs.sentences:
        if sentence.plain in known:
            continue
        if _claims(sentence, support, cited):
            yield sentence.text.strip(" *:\n")


def _claims(sentence: Sentence, support: Index, cited: bool) -> bool:
    said = prose(sentence)  # what stands in a code span is a literal, and told as one
    if _is_remark(sentence) and not _ASKS.match(said) and any(not _asked(match.group(), support) for match in _CALL.finditer(said)):
        return True
    label = sentence.kind in ("heading", "description")
    short = len(sentence.words) <= 4
    verdicts = _VERDICT.finditer(said) if not cited and (label or short) else ()
    if any(not _spoken(match.group(), support) for match in verdicts):
        return True
    words = [word for word in sentence.words if word.stem not in EDITORIAL]
    news = [word for word in words if not _known(word, support)]
    if not news:
        return False
    latin = [word for word in news if word.text.isascii()]
    if sentence.kind == "heading":
        # Over a table the columns get names; over a section one word names its topic.
        return "|" not in sentence.text and len(news) >= (2 if latin else 4) and len(news) >= SHARE * len(words)
    if label:
        return len(news) >= (1 if latin else 5) and len(news) >= (SHARE if latin else 0.5) * len(words)
    if _ASKS.match(said) and said.rstrip(" *_").endswith(":"):
        return False  # "What stands behind it:" opens a list
    bare = not any(literal.kind != "name" for literal in sentence.literals)
    return bare and short and len(latin) >= 2 and len(news) == len(words)


def _is_remark(sentence: Sentence) -> bool:
    return sentence.kind in ("heading", "description") or len(sentence.words) <= 5


def _spoken(word: str, support: Index) -> bool:
    """Return whether a word, in some form, stands in the inputs."""
    word = word.casefold()
    if not word.isascii():
        return word in support.plain
    root = stem(word)
    return root in support.stems or re.search(rf"\b{re.escape(root[:5])}", support.plain) is not None


def _asked(call: str, support: Index) -> bool:
    """Return whether a call to act stands in the inputs in some form, or another word for it."""
    return _spoken(call, support) or any(act.match(call) and act.search(support.plain) for act in _ACTS)


def foreign_name(name: str, entries: Sequence[Text]) -> tuple[str, ...]:
    """Return the words of a new name that neither the entries nor the closed list know, if they are too many.

    A name may be English where the entry is not; then only verdicts and calls are looked for.
    """
    support = index(read(text) for text in entries)
    spelled = " ".join(_NAME_WORD.findall(name))
    calls = [m.group() for m in _CALL.finditer(spelled) if not _asked(m.group(), support)]
    calls += [m.group() for m in _VERDICT.finditer(spelled) if not _spoken(m.group(), support)]
    if calls:
        return tuple(calls)
    words = [word for word in content_words(spelled) if word.stem not in EDITORIAL]
    news = [word for word in words if not _known(word, support)]
    if not news or _mostly_other_script(support):
        return ()
    return tuple(word.text for word in news) if len(news) >= 2 or len(news) * 3 > len(words) else ()


def founded(reason: str, entries: Iterable[Text]) -> bool:
    """Return whether a reason for a flag is made of the words of the entries and of those that flags have."""
    support = index(read(text) for text in entries)
    told = _TOLD.sub(" ", reason)
    if any(not _asked(match.group(), support) for match in _CALL.finditer(told)):
        return False
    words = [word for sentence in read(Text("", "", reason)).sentences for word in sentence.words]
    words = [word for word in words if word.stem not in REASONS]
    news = [word for word in words if not _known(word, support)]
    if all(word.text.isascii() for word in news):
        return len(news) <= 1 or len(news) * 3 <= len(words)
    return len(news) * 2 <= len(words)


def _known(word: Word, support: Index) -> bool:
    if knows(support, word):
        return True
    text = word.text.casefold()
    if not text.isascii():
        return False
    # "LARKSPUR" of LARKSPUR-2, "signature" for "sign"; "db" for "database": the first letter of a word and its own in order.
    return any(
        text == other or _derived(text, other) or (len(text) <= 4 and _abbreviates(text, other))
        for other in support.latin
    )


def _derived(one: str, other: str) -> bool:
    """Return whether one word is another with an ending: "freezer" and "freeze", "signature" and "signing"."""
    short, long = sorted((stem(one), stem(other)), key=len)
    return len(short) >= 4 and long.startswith(short)


def _abbreviates(short: str, word: str) -> bool:
    if not short or len(word) < len(short) + 2 or word[0] != short[0]:
        return False
    letters = iter(word)
    return all(letter in letters for letter in short)


def _mostly_other_script(support: Index) -> bool:
    words = [word for reading in support.readings for sentence in reading.sentences for word in sentence.words]
    return sum(word.text.isascii() for word in words) * 2 < len(words)
