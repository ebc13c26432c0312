
"""The table of secrets that give themselves away by their own shape (SPEC §8, §11, §13).

Provider formats, keys, tokens and credentials inside URLs: no word beside them is needed to know
them. Values that only the word before them makes a secret (``password: …``) are in
``words``. ``secrets`` walks both.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from agentops_dream.patterns import late

# Word characters in the ASCII sense: in "密码是ghp_…です" the token ends where the script changes.
_FROM = r"(?<![A-Za-z0-9_])"
_TO = r"(?![A-Za-z0-9_])"


@dataclass(frozen=True)
class Shape:
    """One kind of secret: ``pattern`` is tried only where one of the ``hints`` occurs."""

    kind: str
    hints: tuple[str, ...]
    """Literal strings, one of which every match contains: searching for them costs next to nothing."""
    pattern: re.Pattern[str]
    """Group ``v`` is the secret, or the whole match if there is no such group."""
    holds: Callable[[str], bool] | None = None
    """A last look at the secret: ``False`` for what only looks like one."""


def _json_object(part: str) -> bool:
    try:
        return isinstance(json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))), dict)
    except (binascii.Error, ValueError, RecursionError):
        return False


def _is_jwt(token: str) -> bool:
    header, payload, *rest = token.split(".")
    # Either the payload is readable too, or (encrypted tokens) what follows is long enough to be no prose.
    return _json_object(header) and (_json_object(payload) or len("".join(rest)) >= 16)


def _not_example(key: str) -> bool:
    return "EXAMPLE" not in key.upper()


def _is_aws_secret(key: str) -> bool:
    return _not_example(key) and all(re.search(kind, key) for kind in ("[a-z]", "[A-Z]", "[0-9]"))


def _mixed(token: str) -> bool:
    return bool(re.search(r"\d", token) and re.search(r"[A-Za-z]", token[3:])) and len(set(token)) > 8


def _has_key_material(block: str) -> bool:
    body = re.sub(r"-----[^-\n]{0,80}-----", "", block).replace("\\n", "\n").replace("\\r", "")
    shortest = 6 if "-----END" in block else 16
    return re.search(rf"[A-Za-z0-9+/=]{{{shortest}}}", body) is not None


_NO_PASSWORD = late(
    r"""(?xi)
    [$%{<\[(].* | [*.…xX•-]+      # a variable, a template, a mask
    | (?: your | my | the )[-_]?.*
    | (?: pass | password | passwd | pw | pwd | passwort | secret | token | changeme | example | redacted
        | placeholder | dummy | credentials? | key | パスワード | 密码 | 비밀번호 ) \d?
    """
)
_LOCAL = late(
    r"(?i)(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[a-z_-]+)(?::|/|$)"
)
_WORDS = late(r"(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d{1,4})(?:[-_.](?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d{1,4}))+")


def _is_credentials(part: str) -> bool:
    """``part`` is ``user:password@`` plus the start of the host."""
    info, _, host = part.rpartition("@")
    user, _, password = info.partition(":")
    if _NO_PASSWORD.fullmatch(password):
        return False
    if re.match(r"\d{1,5}[/?#]", password):  # a port and a query: http://localhost:3000?mail=a@b.c
        return False
    # postgres:postgres@localhost is what every container image starts with and protects nothing.
    return not (unquote(user) == unquote(password) and _LOCAL.match(host))


def _is_basic(value: str) -> bool:
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in decoded and decoded.isascii() and decoded.decode("ascii").isprintable()


def _is_bearer(value: str) -> bool:
    return (
        len(set(value)) > 4
        and re.search(r"\d", value) is not None
        and re.search(r"[A-Za-z]", value) is not None
        and not _WORDS.fullmatch(value)
    )


def _shape(
    kind: str, hints: str, pattern: str, holds: Callable[[str], bool] | None = None, flags: int = 0
) -> Shape:
    return Shape(kind, tuple(hints.split()), late(pattern, flags), holds)


TOKENS = (
    _shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", _FROM + r"gh[pousr]_[A-Za-z0-9_]{36,}"),
    _shape("github-token", "github_pat_", _FROM + r"github_pat_[A-Za-z0-9_]{30,}"),
    _shape("gitlab-token", "glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glimt- glagent- gloas-",
           _FROM + r"gl(?:pat|dt|rt|ptt|cbt|soat|ft|imt|agent|oas)-[A-Za-z0-9_.-]{20,}"),
    _shape("anthropic-key", "sk-ant-", _FROM + r"sk-ant-[A-Za-z0-9_-]{20,}"),
    _shape("api-key", "sk-", _FROM + r"sk-(?!ant-)(?:[a-z][a-z0-9]{1,8}-){0,2}[A-Za-z0-9_-]{20,}", _mixed),
    _shape("aws-access-key", "AKIA ASIA ABIA ACCA",
           _FROM + r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}" + _TO, _not_example),
    _shape("google-key", "AIza", _FROM + r"AIza[A-Za-z0-9_-]{35,}"),
    _shape("google-token", "ya29. GOCSPX-", _FROM + r"(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{20,}"),
    _shape("slack-token", "xox xapp-", _FROM + r"(?:xox[abcdeoprs]|xapp)-[A-Za-z0-9-]{15,}", _mixed),
    _shape("webhook", "hooks.slack.com/ .com/api/webhooks/ .webhook.office.com/",
           r"https://(?:hooks\.slack\.com/(?:services|workflows|triggers)/(?P<v>[A-Za-z0-9_/-]{20,})"
           r"|(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d+/[\w-]{20,}|\w+\.webhook\.office\.com/[\w@/-]{40,})"),
    _shape("npm-token", "npm_", _FROM + r"npm_[A-Za-z0-9]{36,}"),
    _shape("pypi-token", "pypi-", _FROM + r"pypi-[A-Za-z0-9_-]{50,}"),
    _shape("huggingface-token", "hf_", _FROM + r"hf_[A-Za-z0-9]{30,}"),
    _shape("sendgrid-key", "SG.", _FROM + r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    _shape("stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_ whsec_",
           _FROM + r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})"),
    _shape("twilio-key", "SK", _FROM + r"SK[0-9a-f]{32}" + _TO),
    _shape("telegram-token", ":AA", _FROM + r"\d{8,10}:AA[A-Za-z0-9_-]{33}" + _TO),
    _shape("mail-key", "key- -us", _FROM + r"(?:key-[0-9a-f]{32}|[0-9a-f]{32}-us\d{1,2})" + _TO),
    _shape("service-token",
           "shpat_ shpca_ shppa_ shpss_ dop_v1_ doo_v1_ dor_v1_ dapi sbp_ sb_secret_ lin_api_ ntn_ gsk_ xai- "
           "pplx- r8_ glsa_ sntrys_ sntryu_ ATATT3 hvs. hvb. .atlasv1. dckr_pat_ PMAK- rubygems_ sq0 nvapi- "
           "tskey- phc_ phx_ fm1_ fm2_ dp.pt. vercel_ pul- AGE-SECRET-KEY-1",
           _FROM + r"(?:shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{64}|dapi[0-9a-f]{32}(?:-\d)?"
           r"|sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,}|lin_api_[A-Za-z0-9]{32,}|ntn_[A-Za-z0-9]{40,}"
           r"|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{37}"
           r"|glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|sntry[su]_[A-Za-z0-9+/=_]{40,}|ATATT3[A-Za-z0-9_=-]{60,}"
           r"|hv[sb]\.[A-Za-z0-9_-]{24,}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}|dckr_pat_[A-Za-z0-9_-]{20,}"
           r"|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|rubygems_[0-9a-f]{48}|sq0(?:atp|csp)-[\w-]{22,}|nvapi-[\w-]{40,}"
           r"|tskey-[a-z]+-\w+-\w{20,}|ph[cx]_[A-Za-z0-9]{40,}|fm[12]_[A-Za-z0-9+/=,_]{40,}|dp\.pt\.[A-Za-z0-9]{40,}"
           r"|vercel_[A-Za-z0-9]{24,}|pul-[0-9a-f]{40}|AGE-SECRET-KEY-1[0-9A-Z]{50,})"),
    _shape("azure-key", "AccountKey= SharedAccessKey=",
           r"(?:AccountKey|SharedAccessKey)=(?P<v>[A-Za-z0-9+/]{40,}={0,2})"),
    _shape("azure-secret", "Q~", _FROM + r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    _shape("jwt", "eyJ",
           _FROM + r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){1,3}", _is_jwt),
)
"""Unbroken tokens of 20 characters and more: ``hints`` are sought in the ``long_runs`` of a text only."""

TEXTS = (
    _shape("aws-secret-key", "aws secretaccesskey",
           r"(?i)(?:aws|secretaccess)[\w .-]{0,30}?key[\w\"'`*)\\ ]{0,20}[:=|：][\s\"'`\\]{0,4}"
           r"(?P<v>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])", _is_aws_secret),
    _shape("private-key", "private key",
           r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
           # Without its last line, a block ends at the first blank line: better too much than half a key.
           r"(?:(?:(?!-----).){1,20000}?-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
           r"|(?:(?:\\n|\r?\n)[ \t>]{0,8}[A-Za-z0-9+/=:.,-][A-Za-z0-9+/=:., -]{0,200})+)",
           _has_key_material, re.DOTALL),
    _shape("private-key", "putty-user-key-file", r"PuTTY-User-Key-File-\d:[\s\S]{40,4000}?Private-MAC: \w+"),
    # The host's first label is part of the match because it decides about local defaults; see `secrets`.
    _shape("credentials", "://",
           r"://(?P<v>[^\s:/@<>\"'`]{0,100}:[^\s/<>\"'`]{1,200}@[^\s/@:<>\"'`]{0,60})", _is_credentials),
    _shape("credentials", "@tcp( @unix(",
           _FROM + r"(?P<v>[\w.-]{1,60}:[^\s:/@]{1,100}@)(?:tcp|unix)\(", _is_credentials),
    _shape("authorization", "basic",
           r"(?i)\bbasic\s{1,3}(?P<v>[A-Za-z0-9+/]{8,}={0,2})(?![A-Za-z0-9+/=])", _is_basic),
    _shape("authorization", "bearer", r"(?i)\bbearer\s{1,3}(?P<v>[A-Za-z0-9._~+/=-]{16,})", _is_bearer),
    _shape("authorization", "_auth", r"_auth(?:Token)?\s{0,2}=\s{0,2}[\"']?(?P<v>[A-Za-z0-9+/=_-]{20,})"),
    _shape("authorization", "\"auth\"",
           r"\"auth\"\s{0,2}:\s{0,2}\"(?P<v>[A-Za-z0-9+/]{12,}={0,2})\"", _is_basic),
    _shape("credentials", "curl",
           r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]?[\"']?(?P<v>[^\s:\"'$<{]{1,60}:[^\s\"']{1,100})",
           lambda pair: not _NO_PASSWORD.fullmatch(pair.partition(":")[2])),
    _shape("password", "sshpass", r"\bsshpass\s+-p\s{0,2}[\"']?(?P<v>[^\s\"'$<{]{3,100})"),
)
"""All other shapes: ``hints`` are in lower case and sought in the lowered text."""

_RUN = late(r"[A-Za-z0-9_.~+/=:@-]{20,}")


def long_runs(text: str) -> str:
    """Return the unbroken runs of ``text`` that are long enough to hold a token, one a line.

    Prose has few, so that a hundred prefixes can be looked for at the price of one pass.
    """
    if text.isascii():  # twice as fast; without spaces between words it would find nothing but runs
        return "\n".join([word for word in text.split() if len(word) >= 20])
    return "\n".join(_RUN.findall(text))
