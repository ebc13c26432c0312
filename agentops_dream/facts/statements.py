"""Statements: what a sentence is cut into to see whether it says yes or no (SPEC §8, "hardening").

"Do not deploy on Fridays: nobody is there" is two statements, and only the first forbids. Each has a
sign; two negations make a rule: "cannot run without" is "needs".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from agentops_dream.facts import signs
from agentops_dream.facts.literal import FILL
from agentops_dream.facts.negation import says_no
from agentops_dream.facts.reading import Sentence, token
from agentops_dream.facts.words import stem

_DENYING = frozenset({"never", "not", "unverified"})
_NO = re.compile(r"(?i)(?:no|nobody|nothing|none|never|nowhere)\b")
_TURNING = (signs.NEGATIVE, signs.PREFIXED, signs.WITHOUT, *signs.POLAR)


@dataclass(frozen=True, eq=False)
class Statement:
    """One statement of a sentence: what it is about and whether it says yes or no."""

    sentence: Sentence
    text: str
    tokens: frozenset[str]
    main: str
    """The negation, ``""`` if none."""
    sign: bool
    """Whether an odd number of things turn it round."""
    pole: bool
    """Whether it holds the negative one of two poles, as "disabled"."""
    good: bool
    """Whether it holds the positive one."""
    others: int
    """How many more words there may stand for a negation, as "stays" for "is not changed"."""
    neutral: bool
    """Whether it holds what only looks like a negation: "do not forget"."""

    @property
    def shown(self) -> str:
        """The sentence, for a person."""
        return self.sentence.text.strip()


@lru_cache(maxsize=8192)
def prose(sentence: Sentence) -> str:
    """Return the text of a sentence with what is no prose filled in."""
    chars = list(sentence.text)
    for literal in sentence.literals:
        if literal.kind not in ("name", "subject", "quote", "relative", "weekday"):
            start = max(literal.start - sentence.start, 0)
            end = min(literal.end - sentence.start, len(chars))
            chars[start:end] = FILL * max(end - start, 0)
    return "".join(chars)


def may_deny(sentence: Sentence) -> bool:
    """Return whether a sentence holds anything that could turn a statement of it round."""
    if any(mark.name in _DENYING for mark in sentence.marks):
        return True
    traits = signs.traits(sentence.text)
    return any(any(True for _ in cue.within(sentence.text, traits)) for cue in _TURNING)


@lru_cache(maxsize=8192)
def _traits(sentence: Sentence) -> frozenset[str]:
    return signs.traits(prose(sentence))


def prefixed(sentence: Sentence) -> int:
    """Return how many words there begin with what says no."""
    return sum(1 for _ in signs.PREFIXED.within(prose(sentence), _traits(sentence)))


@lru_cache(maxsize=8192)
def statements(sentence: Sentence) -> tuple[Statement, ...]:
    """Return the statements of a sentence; those that are about nothing are left out."""
    return tuple(_cut(sentence))


def _cut(sentence: Sentence) -> Iterator[Statement]:
    text = prose(sentence)
    at = 0
    for match in (*signs.BREAK.finditer(text), None):
        end = match.start() if match else len(text)
        if text[at:end].strip():
            found = _statement(sentence, text, at, end)
            if found.tokens:
                yield found
        at = (match.start() if match.group()[0].isalpha() else match.end()) if match else end


def _statement(sentence: Sentence, whole: str, start: int, end: int) -> Statement:
    text = whole[start:end]
    traits = _traits(sentence)

    def spans(cue: signs.Cue) -> list[tuple[int, int]]:
        return [(match.start() + start, match.end() + start) for match in cue.within(text, traits)]

    neutral = spans(signs.NEUTRAL)
    skip = list(neutral)
    main = ""
    without = False
    marked = [(mark, mark.start - sentence.start) for mark in sentence.marks if start <= mark.start - sentence.start < end]
    for mark, at in marked:
        if any(a < mark.end - sentence.start and at < b for a, b in neutral):
            continue
        if signs.WITHOUT.match(mark.text) or signs.WITHOUT.match(whole, at):
            without = True
        elif signs.REFUSED.match(mark.text):
            continue
        elif mark.name in ("never", "not") or (mark.name == "unverified" and signs.NOT_YET.match(mark.text)):
            main = main or mark.text
    without = without or bool(_NO.match(main) and signs.EXCEPT.search(text))
    without = without or any(not _inside(at, neutral) for at, _ in spans(signs.WITHOUT))
    for at, to in spans(signs.NEGATIVE):
        if not _inside(at, neutral):
            main = main or whole[at:to]
            skip.append((at, to))
    rests: set[str] = set()
    prefixes = 0
    for match in signs.PREFIXED.within(text, traits):
        rests.add(stem(next(group for group in match.groups() if group)))
        skip.append((match.start() + start, match.end() + start))
        prefixes = 1
    turned = 0
    for cue in signs.POLAR:
        found = spans(cue)
        turned += bool(found)
        skip += found
    good = spans(signs.GOOD_POLE)
    skip += good
    skip += spans(signs.SAYS_NOTHING)
    others = sum(mark.name == "other_neg" and not _inside(at, skip) for mark, at in marked)
    left, right = start + sentence.start, end + sentence.start
    skip = [(at + sentence.start, to + sentence.start) for at, to in skip]
    words = [word for word in sentence.words if left <= word.start < right]
    literals = [literal for literal in sentence.literals if left <= literal.start < right and literal.kind != "link"]
    if skip:
        words = [word for word in words if not _inside(word.start, skip)]
        literals = [lit for lit in literals if lit.kind not in ("name", "subject") or not _inside(lit.start, skip)]
    tokens = rests.union((word.stem for word in words), map(token, literals))
    sign = bool((bool(main) + without + prefixes + turned) % 2)
    return Statement(sentence, text, frozenset(tokens), main, sign, bool(turned), bool(good), others, bool(neutral))


def _inside(at: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)


def cues(statement: Statement) -> Counter[str]:
    """Return the words that may say no in the sentence of a statement, by their first letters.

    Of two poles, as "optional", only those in the statement itself.
    """
    sentence = statement.sentence
    text = prose(sentence)
    traits = _traits(sentence)
    neutral = [match.span() for match in signs.NEUTRAL.within(text, traits)]
    marked = ((mark.start - sentence.start, mark.text) for mark in sentence.marks if says_no(mark))
    found = {at: what for at, what in marked if not _inside(at, neutral)}
    for pattern in (signs.NEGATIVE, signs.PREFIXED, signs.WITHOUT):
        for match in pattern.within(text, traits):
            found.setdefault(match.start(), match.group())
    here = [match.group() for pattern in signs.POLAR for match in pattern.within(statement.text, traits)]
    return Counter(word.casefold()[:4] for word in (*found.values(), *here))


def poles(sentence: Sentence) -> Counter[str]:
    """Return the words of a sentence that are the negative one of two poles, by their first letters."""
    text, traits = prose(sentence), _traits(sentence)
    return Counter(match.group().casefold()[:4] for pattern in signs.POLAR for match in pattern.within(text, traits))
