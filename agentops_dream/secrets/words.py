
"""Secrets known by the word before them: ``password: …``, ``api_key=…``, ``パスワード…`` (SPEC §8, §11, §13).

A word alone proves little ("asks for a password", "token budget: 4096"): the value must look like a
value. After a password word anything that no sentence would hold counts; after a key or token word only
what looks random does, because `token: meters.raw.v3` names a thing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from agentops_dream.patterns import late


@dataclass(frozen=True)
class Word:
    """A word that announces a secret."""

    root: str
    """In lower case: what the text is searched for."""
    whole: re.Pattern[str] | None = None
    """What has to stand at the root, if the root is only a part."""
    before: re.Pattern[str] | None = None
    """What has to stand before it, if the word alone says nothing: few keys are secrets, API keys are."""
    is_password: bool = True
    is_weak: bool = False
    """Whether the word has another meaning too, so that the value has to look like nothing but a password."""


def _word(
    root: str, whole: str = "", before: str = "", is_password: bool = True, is_weak: bool = False
) -> Word:
    return Word(
        root,
        late(whole) if whole else None,
        late(f"(?:{before})$") if before else None,
        is_password,
        is_weak,
    )


_ASCII = (
    _word("pass", whole=r"pass(?:word|wd|phrase|code|wort)"),
    _word("pass", whole=r"pass(?![a-z])", before=r"[_/] ?"),
    _word(
        "pass",
        whole=r"pass(?![a-z])",
        before=r"\b(?:user(?:name)?|login)[\"'`*]{0,3} ?[:=] ?\S{1,40}?[\"'`*]{0,3}[ \t,;/|\n*\"'`-]{1,6}",
    ),
    _word("pass", whole=r"pass(?![a-z])", before=r"(?:^|\n)[ \t>*_`\"'-]*", is_weak=True),
    _word("pw", whole=r"pwd"),
    _word("pw", whole=r"pw(?![a-z])", before=r"/ ?"),
    _word("kennwort"),
    _word("mot de passe"),
    _word("secret", is_password=False),
    _word("token", is_password=False),
    _word("credential", is_password=False),
    _word(
        "key",
        before=r"(?:api|access|private|signing|encryption|auth|account|master)[ _-]?",
        is_password=False,
    ),
)
_OTHER = (
    *map(_word, ("contraseña", "пароль", "khẩu", "パスワード", "パスフレーズ", "暗証番号", "密码", "密碼")),
    *map(_word, ("口令", "비밀번호", "비번", "암호", "패스워드")),
    *(
        _word(root, is_password=False)
        for root in (
            "apiキー", "トークン", "シークレット", "秘密鍵", "アクセスキー", "密钥", "密鑰", "金鑰", "令牌",
            "토큰", "시크릿", "api키",
        )
    ),
)

# A cursor of a paged reply, the name of a secret in a cloud's own notation.
_NAMES_A_THING = late(r"(?:(?:next|page|paging|pagination|continuation|sync|update)[ _-]?|arn:\S*:)$")

# From the end of the word to the value: a suffix, what closes the word, a remark in brackets, the sign.
_BRIDGE = late(
    r"""(?xi)
    (?: s? (?: [_\ -]? (?:access)? [_\ -]? (?:key|token|value|word) )? )
    [\]"'`*_)）」』】\\]{0,4}
    (?: \ ? [(（] [^()（）\n]{0,40} [)）] [*_`]{0,3} | \ (?:for|of|to|on) \ [^\n:=|.,;]{1,40}? )?
    (?: [ \t]{0,3} (?: := | =>? | [:：＝→] | ->  | \| ) (?: [*_]{1,3} (?= [ \t] ) )? [ \t]{0,3}
      | [ \t] (?: is | was | ist | es | est ) [ \t] (?: [:：] [ \t] )?
      | [ \t]? (?: は | 为 | 為 | 是 | 은 | 는 ) [ \t:：]{0,2}
      | (?= [「『“] ) )
    (?: [*_]{1,3} (?= [^*_\s] ) )?
    (?P<user> [\w.@+-]{2,40} [ \t]? / [ \t]? )?
    """
)
_NO_MORE = late(r"s?[\]\"'`*_)）」』】\\]{0,4}(?: ?[(（][^()（）\n]{0,40}[)）])?[*_`]{0,3}")
_FLAG = late(r"[ =]")
_QUOTED = late(r"(?P<q>\\?[\"'`])(?P<v>[^\n]{1,300}?)(?P=q)|[「『“](?P<w>[^\n」』”]{1,300})[」』”]")
_BARE = late(r"(?P<v>[!#-&(-;=?-_a-{}~]{3,300})")  # printable ASCII but quotes, backticks, <, >, |


def find(text: str, lowered: str) -> Iterator[tuple[int, int, str]]:
    """Yield ``(start, end, kind)`` of the values in ``text`` that a word before them gives away.

    ``lowered`` is ``text`` in lower case, of the same length.
    """
    for word in _ASCII if text.isascii() else _ASCII + _OTHER:
        at = lowered.find(word.root)
        while at >= 0:
            end = _end(word, lowered, at)
            span = _value(text, at, end, word.is_password) if end else None
            if span is not None and word.is_weak and not _is_mixed(text[slice(*span)]):
                span = None
            if span is not None:
                yield (*span, "password" if word.is_password else "key")
            at = lowered.find(word.root, at + len(word.root))


def _end(word: Word, lowered: str, at: int) -> int:
    """Where ``word`` ends if it stands at ``at``, else 0."""
    end = at + len(word.root)
    if word.whole is not None:
        whole = word.whole.match(lowered, at)
        if whole is None:
            return 0
        end = whole.end()
    before = lowered[max(0, at - 120) : at]
    if word.before is not None and not word.before.search(before):
        return 0
    return 0 if _NAMES_A_THING.search(before) else end


def _value(text: str, at: int, end: int, is_password: bool) -> tuple[int, int] | None:
    bridge = _BRIDGE.match(text, end)
    if bridge is None:
        # `--password hunter2`: a flag needs no sign. Anything else without one is prose.
        flag = _FLAG.match(text, end) if text[max(0, at - 2) : at] == "--" else None
        if flag is None:
            return None
        start = flag.end()
    else:
        pair = "/" in text[max(0, at - 12) : at]  # "user/pass: admin / …"
        start = bridge.end() if pair or not bridge["user"] else bridge.start("user")
    quoted = _QUOTED.match(text, start)
    match = quoted or _BARE.match(text, start)
    if match is None:
        return None
    group = "w" if quoted and quoted["w"] else "v"
    first, value = match.start(group), match[group]
    if not quoted:
        if text[max(0, at - 40) : at].rfind("?") >= 0 or text[at - 1 : at] == "&":
            value = re.split(r"[&#]", value, maxsplit=1)[0]  # a query string goes on after it
        if not is_password:
            value = value.partition("@")[0]  # x-access-token:…@host
        value = _without_closing(value)
        after = text[first + len(value) : first + len(value) + 1]
        if value.isdigit() and after.isalpha():  # パスワード: 8文字以上
            return None
    is_short_hex = bool(quoted) and text[start] != "`" and _is_short_hex(value)
    if not (is_short_hex and not is_password) and not is_secret(value, is_password=is_password):
        return None
    return first, first + len(value)


def _without_closing(value: str) -> str:
    value = re.sub(r"[*_]{2,3}$", "", value)
    value = re.split(r"\\[nrt\"']", value, maxsplit=1)[0]  # inside a JSON string
    while value and value[-1] in ".,;:)]}":
        opening = {")": "(", "]": "[", "}": "{"}.get(value[-1])
        if opening and opening in value:
            break
        value = value[:-1]
    return value


_STANDS_FOR_ONE = late(
    r"""(?x)
    # variables, templates, marks
    \$[A-Za-z_]\w* | \$[{(].* | %\w+%? | \{.* | <.* | \[.* | \(.* | ⟦.* | \\.*
    # masks
    | [*•.…xX_?\#-]+ | .*(?: \*\*\* | \.\.\. | … | xxxx | XXXX ).*
    | (?i: .*(?: example | placeholder | change-?me | redacted | your[-_] | dummy | sample ).* )
    # where it is kept, not what it is
    | (?i: .*(?: 1password | keepass | bitwarden | lastpass | vault ).* )
    | [a-z][a-z0-9+.-]*://.* | op:.* | arn:.* | ~/.*
    # code: import.meta.env.KEY, config.get(…), env["X"], STRIPE_SECRET_KEY
    | [A-Za-z_][\w-]* (?: \.[A-Za-z_][\w-]* )+ (?: [(\[].* )?
    | [A-Za-z_]\w* [(\[].*
    | [A-Z][A-Z0-9]* (?: _[A-Z0-9]+ )+
    # a date
    | \d{4}-\d{2}-\d{2}.*
    """
)
_PATH = late(r"/?(?:[\w.@-]+/)+[\w.@-]*(?:#\w+)?")
_ALGORITHM = late(
    r"(?i)(?:argon2\w*|bcrypt\d*|s?crypt\d*|sha-?\d+\w*|md[45]|pbkdf2\S*|base\d\d\w*|oauth\d?\S*|auth0|\dfa|totp\d*"
    r"|[hrep]s\d{3}|ed25519|rsa-?\d*|ecdsa\S*|aes-?\d*\S*|x509\w*|pkcs\d*\w*|p12|uuid(?:v?\d)?|utf-?\d\w*|s3|k8s|ssm|kms)"
)
_QUANTITY = late(
    r"(?i)[<>=~≥≤]*\d[\d.,]*\s?(?:[-–~]\s?\d+)?\s?"
    r"(?:[a-z]{1,2}|min|mins|sec|days?|hours?|chars?|bytes?|bits?|\+|%|\*)?"
)
_NAME = late(r"[A-Za-z]+(?:[-_./:][A-Za-z]+)*(?:[-_./:]?v?\d{1,2})?(?:[-_./:][A-Za-z]+)*")


def is_placeholder(value: str) -> bool:
    """Whether ``value`` stands for a secret instead of being one: a variable, a mask, where it is kept."""
    if _PATH.fullmatch(value):
        # base64 holds slashes too: a path is made of words, not of one long random run.
        return not any(_is_random(part) for part in re.split(r"[/#]", value))
    return _STANDS_FOR_ONE.fullmatch(value) is not None


def is_secret(value: str, *, is_password: bool) -> bool:
    """Whether ``value`` is a secret, given that a password word or else a key word announces it."""
    return not is_placeholder(value) and (_is_password(value) if is_password else _is_random(value))


def announces(lowered: str) -> Word | None:
    """Return the word for a secret that ``lowered`` is, but for what is written around it; else ``None``."""
    for word in _ASCII if lowered.isascii() else _ASCII + _OTHER:
        at = lowered.find(word.root)
        end = _end(word, lowered, at) if at >= 0 else 0
        if end and _NO_MORE.fullmatch(lowered, end) and not word.is_weak:
            return word
    return None


def _is_mixed(value: str) -> bool:
    kinds = ("[a-z]", "[A-Z]", "[0-9]", "[!#$%^&*+=?~@]")
    return len(value) >= 6 and sum(re.search(kind, value) is not None for kind in kinds) >= 3


def _is_short_hex(value: str) -> bool:
    """Whether ``value`` is hexadecimal of the length that people make up: `secret = "f3a9c1d27b"`."""
    if not re.fullmatch(r"[0-9a-f]{8,32}", value):
        return False
    return len(re.findall(r"[0-9]", value)) >= 2 and len(re.findall(r"[a-f]", value)) >= 2


def _is_password(value: str) -> bool:
    if len(value) < 4 or not value.isascii() or _ALGORITHM.fullmatch(value):
        return False
    if len(value.split()) > 1:  # `password: "at least 12 characters"`
        return False
    if value.isdigit():
        return True
    if _QUANTITY.fullmatch(value):
        return False
    if re.fullmatch(r"[A-Za-z]+\d{1,4}", value):  # hunter2
        return True
    has_symbol = re.search(r"[!#$%^&*+=?~@]", value) is not None
    if _NAME.fullmatch(value) and not has_symbol:
        # All letters: only capitals within tell it from a word or the name of a thing.
        odd_case = re.search(r"[a-z][A-Z].*[a-z].*[A-Z]|[A-Z]{2,}[a-z]+[A-Z]", value)
        return value.isalpha() and odd_case is not None
    if re.search(r"\d", value):
        return True
    return has_symbol and not re.fullmatch(r"[A-Za-z]+[?!]|[&*]?[A-Za-z]+(?:[+=?&~@][A-Za-z]+)*", value)


def _is_random(value: str) -> bool:
    if len(value) < 16 or " " in value or not value.isascii():
        return False
    if re.fullmatch(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", value):
        return False  # a UUID names a thing
    if not (re.search(r"\d", value) and re.search(r"[A-Za-z]", value)):
        return False
    if re.fullmatch(r"[0-9a-fA-F]+", value):
        return len(value) >= 20
    parts = re.split(r"[-_.:/]", value)
    wordlike = re.compile(r"[A-Za-z]*|v?\d{1,4}|[a-z]+\d{1,2}")
    if max(map(len, parts)) < 10 and all(map(wordlike.fullmatch, parts)):
        return False  # go-mod-cache-v3
    counts = Counter(value)
    entropy = -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
    return entropy >= 3.0
