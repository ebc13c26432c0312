"""Steps that have changed their order (SPEC §8, "swap").

"First stop the job, then copy the logs" is a fact without a literal. An order is read only where a text
says that it is one: in a numbered list, and around words like "first", "then", "before", "after". What
is not said to be an order in both texts is free.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agentops_dream import patterns
from agentops_dream.facts.index import Index
from agentops_dream.facts.reading import Reading, Sentence, token

_NUMBERED = re.compile(r"^[ >]*(?:[-*+•] +)?(?:\[[ xX]\] +)?(?:(\d{1,2})[.)] +|([①-⑳]) *)", re.M)
_THEN = patterns.late(
    r"(?i)\b(?:(?:and |but )?(?:only )?(?:(?<!until )(?<!since )(?<!till )(?<!before )(?<!by )(?<!from )then|after that|afterwards|after which|next|thereafter|finally|lastly|at last|last of all))\b"
    r"|次に|その後|そのあと|それから|続いて|最後に|てから(?!の)|たら|然后|接着|随后|之后再|再(?-i:(?=[\u4e00-\u9fff]))|最后|그다음|그 다음|그 ?후|그런 다음|마지막으로|나서"
)
_FIRST = patterns.late(r"(?i)\b(?:first|first of all|to begin with)\b,?|まず|最初に|はじめに|先に|首先|先(?-i:(?=[\u4e00-\u9fff]))|먼저|우선")
_BEFORE = patterns.late(r"(?i)(?<!from )(?<!as )(?<!than )\b(?:before|ahead of|prior to)\b(?! that\b)")
_AFTER = patterns.late(r"(?i)\b(?:after|as soon as)\b(?! that\b)(?! ?[`\d\ue000])")
_EARLIER_THAN = patterns.late(r"(?:する|の)?前に|より(?:も)?(?:前|先)に|之前|以前(?=[先要])|기? 전에")
_LATER_THAN = patterns.late(r"(?:した|た|の)?(?:後|あと)(?:に|で|、)|より(?:も)?後に|之后|以后|(?:한|은|ㄴ)? ?(?:뒤|다음|후)에?")
_NOT = patterns.late(r"(?i)\b(?:no(?! (?:more|less|fewer|later|longer|earlier)\b)|nobody|nothing|never|(?:do|does|did|must|should|shall|may|can|will|is|are) ?(?:not|n't)|cannot|not to)\b|ない|禁止|不要|不得|勿|别|않|말")
_MAYBE = re.compile(
    r"(?i)\b(?:then|after|afterwards|next|thereafter|finally|last|lastly|before|prior|ahead|as soon)\b"
    r"|[次後続最前先再]|あと|それから|てから|たら|まず|はじめ|然后|接着|随后|之[前后]|以[前后]|그|나서|전에|뒤|다음|후|마지막"
)
"""What a sentence without it tells no order: most have none."""
_STOP = re.compile(r"[;.。]|\n")
_SHARE = 0.5
_BACK = 0.3
"""Share of a step of the outputs that must be the step of the inputs."""
_RULED = 3
"""What "before" rules at the head of a sentence is short; else the comma is not where it ends."""
_ONE_SIGN = patterns.late(r"[\u4e00-\u9fff]")
"""出す, 置く: too little to tell one step from another."""
_MOST = 40
"""Longer lists are not procedures."""


class Step(NamedTuple):
    """One step: what it is about, and a sentence to show."""

    tokens: frozenset[str]
    text: str


def reordered(inputs: Index, outputs: Index) -> Iterator[str]:
    """Yield the steps of the outputs that stand before what they came after in the inputs."""
    before = [chain for reading in inputs.readings for chain in _chains(reading)]
    if not before:
        return
    known = inputs.texts
    after = [chain for reading in outputs.readings for chain in _chains(reading)]
    for steps in after:
        for late, early in _pairs(steps):
            if late.text in known and early.text in known and len(steps) == 2:
                continue
            stated = [pair for chain in before for pair in _pairs(chain)]
            if any(_turned(*pair, late, early) for pair in stated) and not any(_turned(*pair, early, late) for pair in stated):
                yield f"{late.text.strip()} → {early.text.strip()}"


def _pairs(steps: Sequence[Step]) -> Iterator[tuple[Step, Step]]:
    for at, one in enumerate(steps[:_MOST]):
        for other in steps[at + 1 : _MOST]:
            yield one, other


def _turned(one: Step, other: Step, late: Step, early: Step) -> bool:
    """Return whether ``early``, which stands second now, is ``one``, and ``late`` is ``other``."""
    mine, theirs = one.tokens - other.tokens, other.tokens - one.tokens
    if not mine or not theirs or any(_ONE_SIGN.fullmatch("".join(only)) for only in (mine, theirs)):
        return False
    turned, straight = (len(mine & early.tokens), len(theirs & late.tokens)), (len(mine & late.tokens), len(theirs & early.tokens))
    if sum(straight) * 2 > sum(turned):
        return False
    sizes = (len(early.tokens - late.tokens), len(late.tokens - early.tokens))
    return all(
        both >= _SHARE * len(own) and both >= _BACK * size for both, own, size in zip(turned, (mine, theirs), sizes)
    )


# ---------------------------------------------------------------- orders that a text states


def _chains(reading: Reading) -> Iterator[tuple[Step, ...]]:
    yield from _numbered(reading)
    for sentence in reading.sentences:
        if sentence.kind not in ("heading", "row") and _MAYBE.search(sentence.text):
            yield from _told(sentence)


def _numbered(reading: Reading) -> Iterator[tuple[Step, ...]]:
    steps: list[Step] = []
    expected = 0
    marks = list(_NUMBERED.finditer(reading.clean))
    for at, match in enumerate(marks):
        number = int(match[1]) if match[1] else ord(match[2]) - ord("①") + 1
        if number != expected and steps:
            yield tuple(steps)
            steps = []
        end = marks[at + 1].start() if at + 1 < len(marks) else len(reading.clean)
        gap = re.compile(r"\n\s*\n(?![ \t]|\d|[-*+] )").search(reading.clean, match.end(), end)
        end = gap.start() if gap else end
        steps.append(Step(_tokens_in(reading, match.end(), end), reading.clean[match.end() : end][:80]))
        expected = number + 1
    if len(steps) > 1:
        yield tuple(steps)


def _tokens_in(reading: Reading, start: int, end: int) -> frozenset[str]:
    words = {word.stem for s in reading.sentences if s.start < end and s.end > start for word in s.words if start <= word.start < end}
    return frozenset(words | {token(lit) for lit in reading.literals if start <= lit.start < end and lit.kind != "link"})


def _told(sentence: Sentence) -> Iterator[tuple[Step, ...]]:
    text = sentence.text
    cuts = [match.span() for match in _THEN.finditer(text)]
    if cuts:
        first = _FIRST.search(text, 0, cuts[0][0])
        # "after a failure first stop the job", "conclusion first, then …": from where its part begins.
        opens = max((text.rfind(sign, 0, first.start()) for sign in ",;:、,"), default=-1) + 1 if first else 0
        starts = [first.end() if first and _AFTER.search(text, opens, first.start()) else opens, *(end for _, end in cuts)]
        ends = [start for start, _ in cuts] + [len(text)]
        steps = [_step(sentence, *_trim(text, start, end)) for start, end in zip(starts, ends)]
        if all(step.tokens for step in steps):
            yield tuple(steps)
        return
    for pattern, turned, front in (
        (_BEFORE, False, False),
        (_AFTER, True, False),
        (_EARLIER_THAN, True, True),
        (_LATER_THAN, False, True),
    ):
        for match in pattern.finditer(text):
            pair = _around(sentence, match, front=front)
            if pair is None:
                continue
            here = max(text.rfind(sign, 0, match.start()) for sign in ",;:、。.") + 1
            if _NOT.search(text, here, len(text) if front else match.start()) is None:
                yield pair[::-1] if turned else pair
            elif not turned and not front:
                # "Never start it before you have asked": asking comes first.
                yield pair[::-1]


def _around(sentence: Sentence, match: re.Match[str], *, front: bool) -> tuple[Step, Step] | None:
    """Return what stands before and after a word like "before", within its part of the sentence.

    At the head of a part — "Before the import, run the check" — what follows up to the comma is what the word rules.
    ``front``: the word follows what it rules, as in Japanese.
    """
    text = sentence.text
    left = max((cut.end() for cut in _STOP.finditer(text, 0, match.start())), default=0)
    right = next((cut.start() for cut in _STOP.finditer(text, match.end())), len(text))
    if not front and not _step(sentence, left, match.start()).tokens:
        comma = text.find(",", match.end(), right)
        if comma < 0:
            return None
        ruled, main = _step(sentence, match.end(), comma), _step(sentence, comma, right)
        return (main, ruled) if 0 < len(ruled.tokens) <= _RULED and main.tokens else None
    comma = text.find(",", match.end(), right)
    one, other = _step(sentence, left, match.start()), _step(sentence, match.end(), right if front or comma < 0 else comma)
    return (one, other) if one.tokens and other.tokens else None


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Cut a step at the first semicolon or full stop after it, or before it."""
    stop = _STOP.search(text, start, end)
    return start, stop.start() if stop else end


def _step(sentence: Sentence, start: int, end: int) -> Step:
    left, right = sentence.start + start, sentence.start + end
    words = {word.stem for word in sentence.words if left <= word.start < right}
    literals = {token(lit) for lit in sentence.literals if left <= lit.start < right and lit.kind != "link"}
    return Step(frozenset(words | literals), sentence.text[start:end])
