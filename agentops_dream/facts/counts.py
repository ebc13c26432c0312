"""What a number counts, and in what time: "11 templates in 6 languages", "95 per minute" (SPEC §8, "swap").

Two numbers that have changed what they count are both still there, and so are the words beside them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rapidfuzz.distance import Indel

from agentops_dream.facts.index import Index
from agentops_dream.facts.reading import Sentence
from agentops_dream.facts.value import noun_of
from agentops_dream.patterns import late

_PERIODS = {
    "second": "s", "seconds": "s", "sec": "s", "s": "s", "秒": "s", "초": "s",
    "minute": "min", "minutes": "min", "min": "min", "分": "min", "分钟": "min", "분": "min",
    "hour": "h", "hours": "h", "h": "h", "時": "h", "時間": "h", "小时": "h", "시간": "h",
    "day": "d", "days": "d", "日": "d", "天": "d", "일": "d",
    "week": "w", "weeks": "w", "週": "w", "周": "w", "주": "w",
    "month": "mon", "months": "mon", "月": "mon", "か月": "mon", "월": "mon",
}  # fmt: skip
_AFTER = late(
    r"(?i)^[`*]*(?:[ ](?!and\b|or\b|to\b)[^\s,.;:()]{1,20}){0,3}? ?(?:\bper|\ban?|\beach|\bevery|/) ?"
    r"(seconds?|sec|s|minutes?|min|hours?|h|days?|weeks?|months?|秒|分|時間|日|週|月)(?![a-z])"
)
_BEFORE = late(r"(?:毎|每|매)(秒|分|分钟|時|小时|日|天|週|周|月|초|분|시간|일|주|월)[^\s。、,]{0,6} ?$")
_SIGN = late(r"(?:^|[\s(（:、。はがを])[-−]$")
_COUNTER = late(r" ?([回件人台個本枚度名点社店校倍桁行列段階次])")
_COPIED = 0.85
"""Share of a sentence, in the same order, from which on another one is a copy of it."""


def miscounted(inputs: Index, outputs: Index) -> Iterator[str]:
    """Yield the sentences of the outputs in which a number counts what another one counted, or in another time."""
    nouns, periods = _learn(inputs.sentences)
    kept, kept_periods = _learn(outputs.sentences)
    for sentence in outputs.sentences:
        if sentence.plain in inputs.texts:
            continue
        for number, noun, period in _counted(sentence):
            others = {other for other, counted in nouns.items() if noun in counted and other != number}
            moved = noun and nouns.get(number) and noun not in nouns[number] and others
            hurried = period and number in periods and period not in periods[number]
            exchanged = moved and not any(noun in kept.get(other, ()) for other in others)
            if exchanged or (hurried and not periods[number] & kept_periods[number]):
                yield sentence.text.strip()


def crossed_measures(inputs: Index, outputs: Index) -> Iterator[str]:
    """Yield the sentences of the outputs in which two numbers have exchanged what they measure: "15 tries, 5 min" for "5 tries, 15 min"."""
    fresh = [sentence for sentence in outputs.sentences if sentence.plain not in inputs.texts]
    measured = [set(_measured(sentence)) for sentence in inputs.sentences] if fresh else []
    known = set().union(*measured) if measured else set()
    for sentence in fresh:
        here = set(_measured(sentence)) - known
        turned = ({(one, unit), (other, measure)} for one, measure in here for other, unit in here if one != other and unit != measure)
        if len(here) > 1 and any(pair <= there for pair in turned for there in measured):
            yield sentence.text.strip()


def _measured(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """Yield each number with its unit, its counter or the word behind it."""
    for literal in sentence.literals:
        if literal.kind == "number" and not literal.soft:
            counter = _COUNTER.match(sentence.text, literal.end - sentence.start)
            measure = literal.unit or (counter[1] if counter else "") or noun_of(sentence, literal)
            if measure:
                yield literal.key, measure


def restated(inputs: Index, outputs: Index) -> Iterator[str]:
    """Yield copies of a sentence in which a number in words, or the sign of one in figures, is another."""
    for sentence in outputs.sentences:
        if sentence.plain in inputs.texts:
            continue
        for score, old in inputs.pairs.best(sentence.stems, 2):
            alike = Indel.normalized_similarity(_words(old), _words(sentence)) if score >= _COPIED else 0.0
            if alike < _COPIED:
                continue
            before, after = _spelled(old), _spelled(sentence)
            signs, now = _signs(old), _signs(sentence)
            turned = any(now[key] != signs[key] for key in now.keys() & signs.keys())
            if turned or (len(before) == len(after) and before != after):
                yield sentence.text.strip()
            break


def _words(sentence: Sentence) -> list[str]:
    return [word.stem for word in sentence.words]


def _spelled(sentence: Sentence) -> list[str]:
    """Return the numbers in words; figures are weighed by themselves, and may be declared to go."""
    return sorted(lit.key for lit in sentence.literals if lit.kind == "number" and lit.soft)


def _signs(sentence: Sentence) -> dict[str, bool]:
    """Return for each figure whether a minus stands before it."""
    return {
        lit.key: _SIGN.search(sentence.text[: lit.start - sentence.start]) is not None
        for lit in sentence.literals
        if lit.kind == "number" and lit.text[:1].isdigit()
    }


def _learn(sentences: tuple[Sentence, ...]) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    nouns: dict[str, set[str]] = defaultdict(set)
    periods: dict[str, set[str]] = defaultdict(set)
    for sentence in sentences:
        for number, noun, period in _counted(sentence):
            if noun:
                nouns[number].add(noun)
            if period:
                periods[number].add(period)
    return nouns, periods


def _counted(sentence: Sentence) -> Iterator[tuple[str, str, str]]:
    """Yield a number, the stem of what it counts, and the time in which it does."""
    for literal in sentence.literals:
        if literal.kind != "number" or literal.unit:
            continue
        noun = noun_of(sentence, literal)
        noun = noun if noun.isascii() else ""  # elsewhere a counter stands there, and what follows it is wording
        at = literal.end - sentence.start
        after = _AFTER.match(sentence.text[at : at + 60])
        before = _BEFORE.search(sentence.text[max(0, literal.start - sentence.start - 12) : literal.start - sentence.start])
        found = after or before
        yield literal.key, noun, _PERIODS[found[1].lower()] if found else ""
