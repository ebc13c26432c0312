"""Why a model call gave nothing to judge (SPEC §7, "Failure").

Every way in which a call can go wrong is one ``RemError`` with one of ``KINDS``. Nothing of a
refused reply is ever content.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, get_args

from agentops_dream.models import Usage
from agentops_dream.secrets import redact

Kind = Literal[
    "not-found",  # no binary, or the SDK is not installed
    "refused-flag",  # the binary does not know a flag that keeps the call harmless
    "login",  # not logged in, key refused, no credit
    "limit",  # rate or usage limit
    "budget",  # the money cap would be, or was, exceeded
    "too-long",  # the model cannot take that much
    "timeout",
    "truncated",  # cut off: output limit, broken stream, unfinished JSON
    "refusal",  # the model declined
    "empty",
    "malformed",  # no JSON object with a list of ops, or more than one that could be meant
    "api",  # any other error of the API
    "failed",  # the client died or said nothing that can be read
]
KINDS: tuple[str, ...] = get_args(Kind)

_SMALLER = frozenset(("timeout", "truncated", "too-long"))
_LONGEST = 400


class RemError(Exception):
    """A model call failed; memory stays as it is.

    ``kind`` is one of ``KINDS``; ``message`` is one line that says what happened and what to do;
    ``usage`` is what was spent all the same; ``retry_smaller`` tells that the next try should show less.
    """

    def __init__(self, kind: Kind, message: str, usage: Usage | None = None) -> None:
        self.kind: Kind = kind
        self.message = one_line(message)
        self.usage = usage or Usage()
        self.retry_smaller = kind in _SMALLER
        super().__init__(f"{kind}: {self.message}")


_BY_STATUS: Mapping[int, Kind] = {401: "login", 403: "login", 413: "too-long", 429: "limit"}
_BY_WORDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("login", re.compile(r"/login\b|\bapi key|not logged in|authenticat|oauth|credit balance", re.I)),
    ("limit", re.compile(r"(?:usage|rate|spend\w*|your|weekly|session) limit|limit reached|\(429\)", re.I)),
    ("too-long", re.compile(r"prompt is too long|too large|context (?:window|limit|length)", re.I)),
    ("truncated", re.compile(r"output token maximum|mid-response", re.I)),
    ("timeout", re.compile(r"timed out", re.I)),
    ("api", re.compile(r"^api error|overloaded|unable to connect|connection error|internal server", re.I)),
)


def kind_of(text: str, status: int = 0) -> Kind | None:
    """Return the kind of failure that a message of a client or API tells of; ``None`` if of none.

    ``status`` is the HTTP status if one is known. Only the beginning of ``text`` is looked at.
    """
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return next((kind for kind, words in _BY_WORDS if words.search(text[:500])), None)


def one_line(text: str, longest: int = _LONGEST) -> str:
    """Return ``text`` as one printable line of at most ``longest`` characters, without secrets.

    Half a secret would not be known for one any more, so they go before the line is cut.
    """
    # C0, C1 and the Unicode line breaks: a log line must not be forged by what a server sends.
    line = re.sub(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+", " ", redact(text)).strip()
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
