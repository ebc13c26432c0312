"""Where a sentence and a clause begin and end, and what stands over a sentence (SPEC §8, "company").

Works on blocks whose literals are filled in, so that a dot in a file name ends nothing. What stands
over a sentence — the heading, the line that opens the list, the label that opens the paragraph, the
head of the table — is part of its company: "Staging:" rules every line beneath it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from agentops_dream.facts import cjk
from agentops_dream.facts.blocks import Block
from agentops_dream.patterns import late

_LABEL = re.compile(r"(?:\*\*|__)[^*_\n]{1,60}(?:\*\*|__)|[^\s:.。,、\n][^:.。,、\n]{0,50}:(?=\s|\*\*|[^\x00-\x7f])")
_BOLD = re.compile(r"(?:\*\*|__)[^*_\n]{1,60}(?:\*\*|__)")
_END = re.compile(
    r"。[\"')\]」』*_]*|[!?][\"')\]」』]*(?=[^\x00-\x7f]|\s|$)"
    r"|[.](?:[\"')\]*]*(?=\s+(?:[^a-z\s]|[a-z_]{0,12}\ue000)|\s*$)|(?<=[\ue000)\]][.])(?=\s)|(?<=[a-z]{3}[.])(?=\s+[a-z])|(?<= [.])(?=\s))"
)
"""A dot ends a sentence before a capital, and before a small letter if what it follows is no abbreviation:
names of tools are written small even at the head of a sentence."""
_END_CJK = late(rf"[。!?][\"')\]」』*_]*|[.][\"')\]]*(?=\s|$|[{cjk.SIGN}])")
"""Where nothing is written with capitals, a dot before a blank is enough."""
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|approx|vs|cf|ca|resp|incl|max|min|no|nr|fig|sec|min|hrs|dept|est|mr|mrs|ms|dr|st|sr|jr)|(?<![a-z] )(?-i:\b[A-Z]))$",
    re.I,
)
_CLAUSE = re.compile(
    r"[,;:()\[\]|、。→]| - |->|\b(?=[abiostuw])(?:and|but|or|while|whereas|because|since|so|which|that|if|when|unless|then|as|although|though|"
    r"instead)\b|ただし|但し|一方|そして|また、|が(?<=[いたるう]が)(?=、)|ので|ため(?=、)|但|而|并且|而且|하지만|그리고|지만"
)
_BETWEEN = re.compile(r"(?i)\b(?:between|both) [^ ]+(?: [^ ]+)? $")
"""What comes before an "and" that holds two values together: "between 08:00 and 19:30"."""
_FOLLOWING = late(r"(?i)(?:(?:次|以下|下記)[のに][^。]{0,40}|\b(?:the following|as follows)\b[^.]{0,60})[.。]?\s*$")
"""What opens a list without a colon."""
_COLON = re.compile(r"[^.。]*:(?=[\s\ue000]|[^\x00-\x7f])")
_LONGEST = 800


class Span(NamedTuple):
    """One sentence, by offsets in the cleaned text."""

    start: int
    end: int
    kind: str
    over: tuple[tuple[int, int], ...]
    """Spans of what stands over it."""
    block: int
    clauses: tuple[tuple[int, int], ...]


def split(masked: Iterable[Block]) -> Iterator[Span]:
    """Yield the sentences of blocks whose literals are filled in, in order; code is no sentence."""
    heading: tuple[tuple[int, int], ...] = ()
    opening: tuple[int, int] | None = None
    header: tuple[int, int] | None = None
    for number, (kind, base, text) in enumerate(masked):
        if kind == "code":
            continue
        if kind == "heading":
            whole = (base, base + len(text))
            heading, opening, header = (whole,), None, None
            yield Span(*whole, kind, (), number, (whole,))
            continue
        over = heading
        if kind == "columns":
            header = (base, base + len(text))
            yield Span(*header, "heading", over, number, (header,))
            continue
        if kind != "row":
            header = None
        elif header:
            over = (*over, header)
        if kind == "item" and opening:
            over = (*over, opening)
        label: tuple[int, int] | None = None
        for left, right in _sentences(text):
            own = _LABEL.match(text, left, right)
            if own and _rules(own.group()):
                label = (base + own.start(), base + own.end())
            elif own or _COLON.match(text, left, min(right, left + 60)):
                label = None
            above = over if label is None or (own and label[0] == base + left) else (*over, label)
            clauses = tuple((base + start, base + end) for start, end in _clauses(text, left, right))
            yield Span(base + left, base + right, kind, above, number, clauses)
        if kind != "item":
            opens = kind == "text" and (
                text.rstrip(" *_").endswith(":") or bool(_BOLD.fullmatch(text.strip()) or _FOLLOWING.search(text))
            )
            opening = (max(base, base + len(text) - 120), base + len(text)) if opens else None


def _rules(label: str) -> bool:
    """Return whether a label is short enough to stand over what follows: "Staging:", not "Role of the staging database:"."""
    return label.startswith(("**", "__")) or (len(label) <= (24 if label.isascii() else 10) and len(label.split()) <= 2)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    end = _END_CJK if not text.isascii() and cjk.WRITTEN.search(text) else _END
    for match in end.finditer(text):
        if text[match.start()] == "." and _ABBREVIATION.search(text, max(at, match.start() - 8), match.start()):
            continue
        if match.end() > at:
            yield from _cut(text, at, match.end())
        at = match.end()
    if text[at:].strip(" *_"):
        yield from _cut(text, at, len(text))


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentence, in pieces if no person would call it one: what follows is not linear in it."""
    start += len(text[start:end]) - len(text[start:end].lstrip())
    while end - start > _LONGEST:
        comma = max(text.rfind(char, start + _LONGEST // 2, start + _LONGEST) for char in " ,;、")
        cut = comma + 1 if comma > 0 else start + _LONGEST
        yield start, cut
        start = cut
    yield start, end


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for match in _CLAUSE.finditer(text, start, end):
        if match.group() == "and" and _BETWEEN.search(text, at, match.start()):
            continue
        if text[at : match.start()].strip(" .*_"):
            yield at, match.start()
            at = match.start() if match.group()[0].isalpha() else match.end()
    if text[at:end].strip(" .*_"):
        yield at, end
