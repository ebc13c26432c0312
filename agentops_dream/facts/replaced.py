"""One word that was put for another in a sentence that is otherwise the same (SPEC §8, "hardening").

Of two opposites ("daily", "hourly") one is not put where the other stood, and words of limit and
nearness ("at most", "about") stay with their number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from rapidfuzz.distance import Indel

from agentops_dream.facts import signs
from agentops_dream.facts.hardened import Hardened
from agentops_dream.facts.negation import NEGATIVE
from agentops_dream.facts.opposites import OPPOSITES, has_opposite, opposite
from agentops_dream.facts.reading import Sentence, token
from agentops_dream.facts.statements import prose
from agentops_dream.patterns import late

SAID_ALIKE = 0.7
"""How alike two sentences must be, token by token, for a missing "at most" to be more than wording."""
SAME = 0.9
"""Sentences nearly as near as the nearest one count as much."""
_NOT_OVER = late(r"(?i)\b(?:not|never|no|[a-z]+n't) (?:[a-z]{1,12} ){0,3}(?:more|longer|higher|later|larger) than\s*[`*]*$")
_NEAREST = 0.5
_MEASURES = frozenset({"number", "time", "version"})


def replaced(sentence: Sentence, sources: Sequence[Sentence], common: Mapping[int, int]) -> Iterator[Hardened]:
    """Yield what a sentence says otherwise than the nearest sources; ``common``: how many tokens it has in common with them."""
    size = len(sentence.tokens)
    scored = {number: count / (size + len(sources[number].tokens) - count) for number, count in common.items()}
    best = max(scored.values(), default=0.0)
    if best < _NEAREST:
        return
    nearest = [sources[number] for number in sorted(scored) if scored[number] >= best * SAME]
    found = [_exchange(one, sentence) or _unbound(one, sentence, sources) for one in nearest]
    if all(found):
        yield Hardened(nearest[0].text.strip(), sentence.text.strip(), str(found[0]))


def _exchange(before: Sentence, after: Sentence) -> str:
    """Return the word that stands where its opposite stood, in sentences that are alike in all else."""
    one, other = _words(before), _words(after)
    if not any(opposite(old, word) for word in _poles(after) for old in _poles(before)):
        return ""
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.ratio() < 0.7:
        return ""
    gone: list[str] = []
    come: list[str] = []
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    if any(signs.NOT & {*one[a:b], *other[c:d]} for _, a, b, c, d in changes):
        return ""  # "not enabled" is "disabled": that is for the signs to tell
    for _, a, b, c, d in changes:
        for word in other[c:d]:
            for old in one[a:b]:
                if opposite(old, word):
                    return word
        gone += one[a:b]
        come += other[c:d]
    # Two opposites that have changed places with each other: each goes where the other was.
    for word in come:
        for old in gone:
            if opposite(old, word) and word in gone and old in come and _swapped_places(one, other, old, word):
                return word
    return ""


def _swapped_places(one: Sequence[str], other: Sequence[str], old: str, new: str) -> bool:
    """Return whether two words changed places while the rest kept its order."""
    if one.count(old) != 1 or one.count(new) != 1 or other.count(old) != 1 or other.count(new) != 1:
        return False
    return [word for word in one if word not in (old, new)] == [word for word in other if word not in (old, new)]


@lru_cache(maxsize=8192)
def _words(sentence: Sentence) -> tuple[str, ...]:
    masked = prose(sentence).casefold()
    found: list[str] = []
    at = 0
    for match in OPPOSITES.finditer(masked):
        found += signs.WORD.findall(masked[at : match.start()])
        found.append(match.group())
        at = match.end()
    return (*found, *signs.WORD.findall(masked[at:]))


@lru_cache(maxsize=8192)
def _poles(sentence: Sentence) -> frozenset[str]:
    """Return the words that have an opposite."""
    return frozenset(filter(has_opposite, _words(sentence)))


def _unbound(before: Sentence, after: Sentence, sources: Sequence[Sentence]) -> str:
    """Return the word of limit or nearness that a number got, lost or changed.

    A limit that another of the ``sources`` gives the value is not new: "2 GB" and "up to 2 GB" of one cache.
    """
    if _measures(before).isdisjoint(_measures(after)):
        return ""
    if Indel.normalized_similarity(before.ordered, after.ordered) < SAID_ALIKE:
        return ""  # in other words a limit has other words, too
    one, other = _bounds(before), _bounds(after)
    for key in one.keys() & other.keys():
        for name in signs.BOUND:
            if name in one[key] and name not in other[key] and not _said(name, after, before):
                return name
            came = name in other[key] and name not in one[key] and not _said(name, before, after)
            if came and name == "upper" and "grown" in one[key]:
                continue  # what grew to 768 MiB goes up to them
            if came and not any(_bound_so(key, name, source) and (_alike(source, after) or after.kind == "description") for source in sources):
                return name
    return ""


def _bound_so(key: str, name: str, source: Sentence) -> bool:
    value = key.partition(" ")[0]
    return any(value == other.partition(" ")[0] and name in names for other, names in _bounds(source).items())


def _alike(source: Sentence, after: Sentence) -> bool:
    return len(source.tokens & after.tokens) > 2


def _said(name: str, sentence: Sentence, bound: Sentence) -> bool:
    """Return whether a sentence holds the limit of ``bound`` in other words; not below is at least.

    A limit that ``bound`` speaks of besides is none of these words.
    """
    classes = sentence.classes | sentence.over_classes
    other = {"upper": "lower", "lower": "upper"}.get(name, "")
    there = [mark.text.casefold() for mark in bound.marks if mark.name == name]
    here = [mark.text.casefold() for mark in sentence.marks if mark.name == name]
    told = len(here) >= max(len(there), 1) or not set(here) <= set(there) or name in sentence.over_classes
    return told or (other in classes and bool(classes & NEGATIVE))


@lru_cache(maxsize=8192)
def _measures(sentence: Sentence) -> frozenset[str]:
    return frozenset(token(literal) for literal in sentence.literals if literal.kind in _MEASURES)


@lru_cache(maxsize=8192)
def _bounds(sentence: Sentence) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for literal in sentence.literals:
        if literal.kind not in _MEASURES:
            continue
        at, end = literal.start - sentence.start, literal.end - sentence.start
        # "Both benches" and "at most 2 retries" are two numbers, though both are 2.
        counted = next((word.stem for word in sentence.words if 0 <= word.start - literal.end <= 1), "")
        bounds = found.setdefault(f"{token(literal)} {counted}", set())
        for name, (left, right) in signs.BOUND.items():
            # "~" and the like may be read as a part of the number.
            before = sentence.text[max(0, at - 40) : at] + re.split(r"\d", literal.text, maxsplit=1)[0]
            if _NOT_OVER.search(before):
                bounds.add("upper")  # "don't send to more than 50" is "at most 50"
                break
            behind = right.search(sentence.text[end : end + 16])
            if behind and behind.group().endswith("まで") and "から" in before:
                continue  # from here to there is no limit
            if behind or left.search(before):
                bounds.add(name)
        if signs.GREW.search(sentence.text, max(0, at - 60), at):
            bounds.add("grown")
    return found
