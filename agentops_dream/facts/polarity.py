"""Polarity: a statement that says the opposite now, or more exactly than it was said (SPEC §8, "hardening").

"Never push by hand, the signature is missing" must not come out as "Push by hand, the signature is
missing", however many negative words are left in the sentence. So a sentence is cut into statements,
each statement has a sign, and a statement of the output has the sign of the one it is nearest to.
Two negations make a rule: "cannot run without" is "needs". Words of limit and nearness stay with
their number, and of two opposites ("daily", "hourly") one is not put where the other stood.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from rapidfuzz.distance import Indel

from agentops_dream.facts import marks, signs
from agentops_dream.facts.hardening import NEGATIVE, ordered, ruled, says_no
from agentops_dream.facts.index import Index
from agentops_dream.facts.literal import FILL
from agentops_dream.facts.opposites import OPPOSITES, has_opposite, opposite
from agentops_dream.facts.reading import Sentence, Text, read, token
from agentops_dream.facts.words import stem

CLOSE = 0.7
"""Share of the tokens of two statements that must be common to both to be one statement."""
SAID_ALIKE = 0.7
"""How alike two sentences must be, token by token, for a missing "at most" to be more than wording."""
SAME = 0.9
"""Statements nearly as near as the nearest one count as much."""

@dataclass(frozen=True)
class Turned:
    """A statement, what became of it, and the word that makes the difference."""

    before: str
    after: str
    mark: str


@dataclass(frozen=True, eq=False)
class _Statement:
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
        return self.sentence.text.strip()


def turned(inputs: Index, outputs: Index, *, declared: str = "") -> Iterator[Turned]:
    """Yield the statements of the outputs that say the opposite of the one they come from, or say it harder.

    ``declared``: plain text that may go.
    """
    sources = [s for s in inputs.sentences if s.kind != "heading" and not (declared and s.plain in declared)]
    known = {s.plain for s in inputs.sentences}
    fresh = [s for s in outputs.sentences if s.kind != "heading" and s.plain not in known]
    if not fresh or not sources:
        return
    by_token: dict[str, list[int]] = defaultdict(list)
    for number, sentence in enumerate(sources):
        for one in sentence.tokens:
            by_token[one].append(number)
    prefixes = {number: held for number, sentence in enumerate(sources) if (held := _prefixes(sentence))}
    # Most sentences say no nowhere, and what says yes can only be turned from what says no.
    denying = [statement for s in sources if _may_deny(s) for statement in _statements(s) if statement.sign]
    flips: list[tuple[_Statement, _Statement]] = []
    for sentence in fresh:
        if not denying and not _may_deny(sentence):
            continue
        for statement in _statements(sentence):
            if not statement.sign and not any(_likeness(statement.tokens, no.tokens) >= CLOSE for no in denying):
                continue
            near = [other for n in _near(statement.tokens, by_token, prefixes) for other in _statements(sources[n])]
            found = _against(statement, near)
            if found is not None:
                flips.append((statement, found))
    turned_ones = set()
    for statement, found in flips:
        # Two statements that have exchanged their signs are the same in all else.
        there = {
            other.sign
            for other, old in flips
            if other.sentence is statement.sentence and _likeness(other.tokens, old.tokens) >= SAME
        }
        if len(there) > 1 or _changed(statement, found):
            turned_ones.add(id(statement.sentence))
            yield Turned(found.shown, statement.shown, statement.main or found.main or "opposite")
    for sentence in fresh:
        if id(sentence) not in turned_ones:
            yield from _exchanged(sentence, sources, _common(sentence.tokens, by_token))


def _common(tokens: frozenset[str], by_token: Mapping[str, Sequence[int]]) -> Counter[int]:
    """Return, by their numbers, the sentences that hold any of these tokens, and how many."""
    return Counter(number for one in tokens for number in by_token.get(one, ()))


def _near(tokens: frozenset[str], by_token: Mapping[str, Sequence[int]], prefixes: Mapping[int, int]) -> list[int]:
    """Return the numbers of the sentences that may hold a statement near enough to count, in order.

    A statement holds tokens of its sentence, and what its prefixes leave of a word: "safe" of "unsafe".
    """
    common = _common(tokens, by_token)
    least = CLOSE * SAME * len(tokens) - 1e-6
    return sorted(number for number, count in common.items() if count + prefixes.get(number, 0) >= least)


def same_sign(before: str, after: str, mark: str) -> bool:
    """Return whether ``mark``, a negation, left or entered a text that says the same without it.

    So "cannot run without a token" has become "needs a token to run".
    """
    if not any(found.name in ("never", "not") for found in marks.find(mark)):
        return False
    one, other = (
        [found for sentence in read(Text("", "", text)).sentences for found in _statements(sentence)]
        for text in (before, after)
    )
    holder, rest = (one, other) if mark.casefold() in before.casefold() else (other, one)
    held = [statement for statement in holder if mark.casefold() in statement.text.casefold()]
    return bool(held) and all(
        any(_likeness(statement.tokens, found.tokens) >= CLOSE and _agree(statement, found) for found in rest)
        or (statement.neutral and not statement.main)
        for statement in held
    )


def _against(statement: _Statement, sources: Sequence[_Statement]) -> _Statement | None:
    """Return the nearest statement of the inputs, if all that are as near say the opposite."""
    if len(statement.tokens) < 2 and not any(":" in one for one in statement.tokens):
        return None  # one word says nothing of what it is said of
    scored = [(_likeness(statement.tokens, one.tokens), one) for one in sources]
    best = max((score for score, _ in scored), default=0.0)
    if best < CLOSE or (len(statement.tokens) < 2 and best < 1.0):
        return None
    nearest = [one for score, one in scored if score >= best * SAME]
    if any(_agree(statement, one) for one in nearest):
        return None
    # The same may have been said once more, in a longer statement.
    return nearest[0]


def _changed(statement: _Statement, found: _Statement) -> bool:
    """Return whether a statement was turned by a word that came or went, and not by another wording.

    What says no in both sentences may say it of another half of them; what says it in other words
    has lost one such word and gained another; a word that says no of something new turns nothing.
    """
    mine, theirs = _cues(statement), _cues(found)
    came, gone = mine - theirs, theirs - mine
    if bool(came) == bool(gone) or (not statement.sign and not gone):
        return False
    if gone:
        return not statement.sentence.over_classes & NEGATIVE
    if Indel.normalized_similarity(ordered(statement.sentence), ordered(found.sentence)) < SAID_ALIKE:
        return False  # a negation that comes with other words may say what they left out
    return not found.sentence.over_classes & NEGATIVE and not _of_something_else(statement, found)


def _cues(statement: _Statement) -> Counter[str]:
    """Return the words that may say no in the sentence of a statement, by their first letters.

    Of two poles, as "optional", only those in the statement itself.
    """
    sentence = statement.sentence
    masked = _masked(sentence)
    traits = _traits(sentence)
    neutral = [match.span() for match in signs.NEUTRAL.within(masked, traits)]
    marked = ((mark.start - sentence.start, mark.text) for mark in sentence.marks if says_no(mark))
    found = {at: text for at, text in marked if not _inside(at, neutral)}
    for pattern in (signs.NEGATIVE, signs.PREFIXED, signs.WITHOUT):
        for match in pattern.within(masked, traits):
            found.setdefault(match.start(), match.group())
    poles = [match.group() for pattern in signs.POLAR for match in pattern.within(statement.text, traits)]
    return Counter(text.casefold()[:4] for text in (*found.values(), *poles))


def _of_something_else(statement: _Statement, found: _Statement) -> bool:
    """Return whether the negation rules a word that the old sentence does not have."""
    sentence = statement.sentence
    for mark in sentence.marks:
        if mark.name not in ("never", "not") or mark.text.casefold()[:4] in _cues(found):
            continue
        what = ruled(sentence, mark)
        if not what or what in found.sentence.tokens:
            return False
    return True


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _agree(one: _Statement, other: _Statement) -> bool:
    if one.sign == other.sign or (one.pole and one.good) or (other.pole and other.good):
        # Which of two poles is whose is seen by the order of the words, not here.
        return True
    no, yes = (one, other) if one.sign else (other, one)
    if no.pole != yes.pole and no.main == yes.main:
        # "Refused" may be said of what is said to end in an error; not of what is said to be accepted.
        return not (no.good or yes.good)
    if bool(no.main) == bool(yes.main):
        return False
    no, yes = (no, yes) if no.main else (yes, no)
    if yes.others > no.others or (yes.others and signs.CHANGES.search(no.text)):
        return True
    # "Not before the review" is "only after the review".
    return bool(signs.WEAK.search(no.text) and not signs.WEAK.search(yes.text) and signs.RESTRICTS.search(yes.text))


# ---------------------------------------------------------------- statements


@lru_cache(maxsize=8192)
def _masked(sentence: Sentence) -> str:
    """Return the text of a sentence with what is no prose filled in."""
    chars = list(sentence.text)
    for literal in sentence.literals:
        if literal.kind not in ("name", "subject", "quote", "relative", "weekday"):
            start = max(literal.start - sentence.start, 0)
            end = min(literal.end - sentence.start, len(chars))
            chars[start:end] = FILL * max(end - start, 0)
    return "".join(chars)


def _may_deny(sentence: Sentence) -> bool:
    """Return whether a sentence holds anything that could turn a statement of it round."""
    if any(mark.name in _DENYING for mark in sentence.marks):
        return True
    traits = signs.traits(sentence.text)
    return any(any(True for _ in cue.within(sentence.text, traits)) for cue in _TURNING)


_DENYING = frozenset({"never", "not", "unverified"})
_TURNING = (signs.NEGATIVE, signs.PREFIXED, signs.WITHOUT, *signs.POLAR)


@lru_cache(maxsize=8192)
def _traits(sentence: Sentence) -> frozenset[str]:
    return signs.traits(_masked(sentence))


def _prefixes(sentence: Sentence) -> int:
    """Return how many words there begin with what says no."""
    return sum(1 for _ in signs.PREFIXED.within(_masked(sentence), _traits(sentence)))


@lru_cache(maxsize=8192)
def _statements(sentence: Sentence) -> tuple[_Statement, ...]:
    return tuple(_cut(sentence))


def _cut(sentence: Sentence) -> Iterator[_Statement]:
    masked = _masked(sentence)
    at = 0
    for match in (*signs.BREAK.finditer(masked), None):
        end = match.start() if match else len(masked)
        if masked[at:end].strip():
            found = _statement(sentence, masked, at, end)
            if found.tokens:
                yield found
        at = (match.start() if match.group()[0].isalpha() else match.end()) if match else end


def _statement(sentence: Sentence, masked: str, start: int, end: int) -> _Statement:
    text = masked[start:end]
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
        if signs.WITHOUT.match(mark.text) or signs.WITHOUT.match(masked, at):
            without = True
        elif signs.REFUSED.match(mark.text):
            continue
        elif mark.name in ("never", "not") or (mark.name == "unverified" and signs.NOT_YET.match(mark.text)):
            main = main or mark.text
    without = without or any(not _inside(at, neutral) for at, _ in spans(signs.WITHOUT))
    for at, to in spans(signs.NEGATIVE):
        if not _inside(at, neutral):
            main = main or masked[at:to]
            skip.append((at, to))
    rests: set[str] = set()
    prefixes = 0
    for match in signs.PREFIXED.within(text, traits):
        rests.add(stem(next(group for group in match.groups() if group)))
        skip.append((match.start() + start, match.end() + start))
        prefixes = 1
    poles = 0
    for cue in signs.POLAR:
        found = spans(cue)
        poles += bool(found)
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
    sign = bool((bool(main) + without + prefixes + poles) % 2)
    return _Statement(sentence, text, frozenset(tokens), main, sign, bool(poles), bool(good), others, bool(neutral))


def _inside(at: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)


# ---------------------------------------------------------------- words that change places


def _exchanged(sentence: Sentence, sources: Sequence[Sentence], common: Mapping[int, int]) -> Iterator[Turned]:
    """Yield what a sentence says otherwise than the nearest sources; ``common``: how many tokens it has in common with them."""
    size = len(sentence.tokens)
    scored = {number: count / (size + len(sources[number].tokens) - count) for number, count in common.items()}
    best = max(scored.values(), default=0.0)
    if best < 0.5:
        return
    nearest = [sources[number] for number in sorted(scored) if scored[number] >= best * SAME]
    found = [_exchange(one, sentence) or _unbound(one, sentence) for one in nearest]
    if all(found):
        yield Turned(nearest[0].text.strip(), sentence.text.strip(), str(found[0]))


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
    masked = _masked(sentence).casefold()
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


def _unbound(before: Sentence, after: Sentence) -> str:
    """Return the word of limit or nearness that a number got, lost or changed."""
    if _measures(before).isdisjoint(_measures(after)):
        return ""
    if Indel.normalized_similarity(ordered(before), ordered(after)) < SAID_ALIKE:
        return ""  # in other words a limit has other words, too
    one, other = _bounds(before), _bounds(after)
    for key in one.keys() & other.keys():
        for name in signs.BOUND:
            if name in one[key] and name not in other[key] and not _said(name, after):
                return name
            if name in other[key] and name not in one[key] and not _said(name, before):
                return name
    return ""


def _said(name: str, sentence: Sentence) -> bool:
    """Return whether a sentence holds the limit in other words; not below is at least."""
    classes = sentence.classes | sentence.over_classes
    other = {"upper": "lower", "lower": "upper"}.get(name, "")
    return name in classes or (other in classes and bool(classes & NEGATIVE))


@lru_cache(maxsize=8192)
def _measures(sentence: Sentence) -> frozenset[str]:
    return frozenset(token(literal) for literal in sentence.literals if literal.kind in _MEASURES)


_MEASURES = frozenset({"number", "time", "version"})


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
            before = sentence.text[max(0, at - 24) : at] + re.split(r"\d", literal.text, maxsplit=1)[0]
            behind = right.search(sentence.text[end : end + 16])
            if behind and behind.group().endswith("まで") and "から" in before:
                continue  # from here to there is no limit
            if behind or left.search(before):
                bounds.add(name)
    return found
