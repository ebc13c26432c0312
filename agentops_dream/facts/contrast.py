"""Choices that have been turned round: "use pnpm, not npm" (SPEC §8, "swap").

Both names are still there, one is still taken and one is still refused. Which is which is read from the form.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from agentops_dream.facts.index import Index
from agentops_dream.facts.reading import Sentence
from agentops_dream.patterns import late

_NOT_THIS = late(r"(?i)(?:[,;(—–] ?(?:and |but )?(?:never|not)\b(?! (?:yet|before|until|only|more|less|least|even))|\b(?:instead of|rather than|as opposed to)\b)|而不是|而非")
"""Between what is taken and what is not: "pnpm, not npm"."""
_BUT_THIS = late(r"(?:で|じゃ)はなく(?:て)?、?|じゃなくて?、?|でなく(?:て)?、?|(?:이|가)? ?아니라|\s?대신(?:에)?")
"""Between what is not and what is taken: 商品ごとではなく税率ごと."""
_BUT = late(r"(?i)\bnot\b(?! only)(?P<no>[^.;:()]{2,60}?),? but\b|不是(?P<zh>[^,。;]{1,40}?),?而是")
_MOST = 0.6
"""Share of what was refused, or is, that must have changed sides."""


class Choice(NamedTuple):
    """What a sentence takes, and what it does not take in its place."""

    yes: frozenset[str]
    no: frozenset[str]
    sentence: Sentence


def turned_round(inputs: Index, outputs: Index) -> Iterator[str]:
    """Yield the sentences of the outputs that take what the inputs refuse, and refuse what they take."""
    known = [choice for sentence in inputs.sentences for choice in _choices(sentence)]
    if not known:
        return
    for sentence in outputs.sentences:
        if sentence.plain in inputs.texts:
            continue
        for now in _choices(sentence):
            alike = [choice for choice in known if choice.no & (now.yes | now.no)]
            if any(_turned(choice, now) for choice in alike) and not any(choice.no & now.no for choice in alike):
                yield sentence.text.strip()
                break


def _turned(then: Choice, now: Choice) -> bool:
    came, went = then.no & now.yes, now.no & then.yes
    return len(came) >= _MOST * len(then.no) and len(went) >= _MOST * len(now.no) and not then.no & now.no


def _choices(sentence: Sentence) -> Iterator[Choice]:
    text, base = sentence.text, sentence.start
    for match in _NOT_THIS.finditer(text):
        end = _stop(sentence, match.end())
        if text[: match.start()].strip(" *-`"):
            yield from _choice(sentence, (0, match.start()), (match.end(), end))
        else:  # "Instead of npm, use pnpm"
            yield from _choice(sentence, (end, len(text)), (match.end(), end))
    for match in _BUT_THIS.finditer(text):
        clause = sentence.clause_at(base + match.start())
        start = sentence.clauses[clause][0] - base if clause is not None else 0
        start = max(start, *(text.rfind(sign, 0, match.start()) + 1 for sign in "はがを는은가이"))
        yield from _choice(sentence, (match.end(), _stop(sentence, match.end())), (start, match.start()))
    for match in _BUT.finditer(text):
        group = "no" if match["no"] else "zh"
        yield from _choice(sentence, (match.end(), _stop(sentence, match.end())), match.span(group))


def _stop(sentence: Sentence, at: int) -> int:
    """Return where the clause ends that goes on at an offset of the sentence."""
    clause = sentence.clause_at(sentence.start + at)
    return sentence.clauses[clause][1] - sentence.start if clause is not None else len(sentence.text)


def _choice(sentence: Sentence, yes: tuple[int, int], no: tuple[int, int]) -> Iterator[Choice]:
    taken, left = (frozenset(sentence.between(sentence.start + a, sentence.start + b)) for a, b in (yes, no))
    if taken - left and left - taken:
        yield Choice(taken - left, left - taken, sentence)
