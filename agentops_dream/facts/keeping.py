"""Whether a hedge or a negation of one sentence is kept in another, by itself or by what does its work (SPEC §8)."""

from __future__ import annotations

from agentops_dream.facts import signs
from agentops_dream.facts.marks import Mark
from agentops_dream.facts.negation import NEGATIVE, ruled, says_no
from agentops_dream.facts.reading import Sentence
from agentops_dream.facts.side import Side
from agentops_dream.patterns import late

_BOUNDS = frozenset({"upper", "lower"})
_BANS = frozenset({"never", "not"})
_LIMITS = _BOUNDS | {"must"}
NEGATIONS = frozenset({"never", "not", "only"})
HEDGES = frozenset({"unverified", "possible", "probable", "expected"})

# What must stand with a copy, and what is enough where the words are others.
COPY: dict[str, frozenset[str]] = {
    "unverified": frozenset({"unverified"}),
    "possible": frozenset({"possible", "allowed", "unverified", "upper"}),
    "probable": frozenset({"probable", "possible", "unverified"}),
    "expected": frozenset({"expected", "probable", "possible", "must", "reported"}),
}
FREE: dict[str, frozenset[str]] = {
    "unverified": frozenset({"unverified", "reported", "probable"}),
    "possible": HEDGES | {"reported", "allowed"},
    "probable": HEDGES - {"expected"} | {"reported"},
    "expected": HEDGES | {"reported", "must", "allowed"},
}
_CONTRAST = late(r"ではな|じゃな|而不是|不是|아니")
_CHANGES = late(r"早ま|延び|変わ|から.+へ|から.+に|改め|改为|变为|바뀌|에서")

_NONE_BUT = late(r"しか[^、。]{0,12}$|밖에[^,.]{0,12}$")
_SAME = (
    (late(r"待?たず|待たな"), late(r"前でも|前に|より先")),
    (
        late(r"(?i)not (?:greater|larger|higher|later|longer|bigger|older|newer|smaller|lower|shorter|earlier|younger) than"),
        late(r"(?i)\b(?:(?:or|and) (?:the same|equal)|same|equal|no (?:greater|larger|higher|later|longer|older|newer|smaller|lower|shorter|earlier))\b"),
    ),
    (late(r"(?i)(?:not|[a-z]+n't) (?:be )?(?:enough|sufficient)|(?:not|[a-z]+n't) (?:suffice|do)\b"), late(r"(?i)\bmore than\b|\bbesides\b|\btoo little\b|\binsufficient\b")),
    (late(r"(?i)(?:not|nor|or) even\b"), late(r"(?i)\beven\b")),
    (late(r"(?i)(?:without|unless)\b"), late(r"(?i)\b(?:otherwise|or else)\b")),
    (late(r"(?i)alone\b"), late(r"(?i)\bmore than\b")),
    (late(r"(?i)only\b"), late(r"(?i)\bthe most (?:that|it|he|she|they|we|our|the|this)\b")),
)
"""What a negation says where it stands, and how it is said without one."""
_CAPS = late(r"(?i)cap|limit")
"""Limits that are set by what the sentence tells of, and so may be what is only possible."""


def repeated(mark: Mark, sentence: Sentence, target: Side) -> bool:
    """Return whether the clause of a mark is kept with its mark: as a sentence of its own, or behind most of what stood before it.

    What stood behind it, too, may be in a list of its own now.
    """
    at = sentence.clause_at(mark.start)
    if at is None or not sentence.clause_tokens[at]:
        return False
    names = _BANS if mark.name in _BANS else frozenset({mark.name})
    own, before = sentence.clause_tokens[at], frozenset().union(*sentence.clause_tokens[:at])
    for other in target.sentences:
        if other.kind == "description" or not own <= other.tokens:
            continue
        for found in other.marks:
            there = other.clause_at(found.start)
            if found.name not in names or there is None or not own <= other.clause_tokens[there]:
                continue
            if _in_clause(other, there, names) < _in_clause(sentence, at, names):
                continue
            alone = len(other.clause_tokens[there]) <= len(own) + 1
            if alone or (at and len(before & other.tokens) * 2 >= len(before)):
                return True
    return False


def _in_clause(sentence: Sentence, clause: int, names: frozenset[str]) -> int:
    return sum(mark.name in names and sentence.clause_at(mark.start) == clause for mark in sentence.marks)


def as_in_the_body(sentence: Sentence, found: Sentence, source: Side) -> bool:
    """Return whether a new description has the doubt of the body that an old one summed up in another."""
    doubts = found.classes & HEDGES
    if sentence.kind != "description" or found.kind != "description" or not doubts:
        return False
    return any(doubts & other.classes and len(other.tokens & found.tokens) > 1 for other in source.sentences if other.kind != "description")


def kept(mark: Mark, sentence: Sentence, keeper: Sentence, side: Side, enough: dict[str, frozenset[str]]) -> bool:
    """Return whether a sentence, or what stands over it, has a mark that does the work of ``mark``."""
    if mark.name in NEGATIONS:
        if _CONTRAST.match(mark.text) and _CHANGES.search(keeper.text):
            return True
        gained = (keeper.classes | keeper.over_classes) - sentence.classes
        if "must" in gained and signs.WITHOUT.search(sentence.text):
            return True  # not without a review: it must be reviewed
        told = {found.text.casefold() for found in sentence.marks}
        limits = any(found.name in _BOUNDS and found.text.casefold() not in told for found in keeper.marks)
        if (limits or gained & _BOUNDS) and _alike(sentence, keeper) and (mark.name == "only" or sentence.classes & _BOUNDS):
            return True  # limited to 5: at most 5; not above 5, too
        if mark.name == "not" and "only" in keeper.classes and _NONE_BUT.search(sentence.text, 0, mark.start - sentence.start):
            return True  # 生死しか見ておらず: 見ていたのは生死だけ
        if same(mark, sentence, keeper):
            return True
        if mark.name == "only" and ("single" in keeper.classes or "must" in gained):
            return True  # by hand only: always by hand
        if keeper.over_classes & NEGATIVE or any(negates(one, sentence) for one in side.pointing(keeper)):
            return True
        return negates(keeper, sentence) and not (enough is COPY and _of_others(mark, sentence, keeper))
    # What stood over it before says nothing in the place of what it said itself.
    classes = keeper.classes | (keeper.over_classes - (sentence.over_classes if enough is COPY else frozenset()))
    if any(other.name == "upper" and _CAPS.match(other.text) for other in sentence.marks):
        classes -= {"upper"}  # "may be capped" is no permission, as "may be at most 40" is
    if mark.name == "possible" and enough is COPY and "probable" in keeper.classes - sentence.classes:
        classes -= {"unverified"}  # "probably" is more than "possibly"
    if classes & enough[mark.name]:
        return True
    # "Unverified." at its head is said of the whole paragraph.
    return mark.name == "unverified" and any("unverified" in other.classes for other in side.of_block(keeper))


def same(mark: Mark, sentence: Sentence, keeper: Sentence) -> bool:
    """Return whether a sentence says without this negation what another says with it: "not enough", "more than" that."""
    at = mark.start - sentence.start
    return any(says.match(sentence.text, at) and instead.search(keeper.text) for says, instead in _SAME)


def _of_others(mark: Mark, sentence: Sentence, keeper: Sentence) -> bool:
    """Return whether all that a copy still denies is what other negations of the sentence deny.

    "Never push by hand, nobody is there" that became "Push by hand, nobody is there" has a negation left.
    """
    if mark.name == "only":
        no = [sum(says_no(other) and other.name != "only" for other in one.marks) for one in (keeper, sentence)]
        return "only" not in keeper.classes and no[0] <= no[1]
    if _count(keeper, mark) >= _count(sentence, mark):
        return False
    mine = ruled(sentence, mark)
    others = {ruled(sentence, other) for other in sentence.marks if says_no(other) and other is not mark} - {mine}
    left = {ruled(keeper, other) for other in keeper.marks if says_no(other)}
    return bool(mine) and bool(left) and left <= others and mine in keeper.tokens


def _count(sentence: Sentence, mark: Mark) -> int:
    return sum(other.text.casefold() == mark.text.casefold() for other in sentence.marks)


def other_way(mark: Mark, sentence: Sentence, speaker: Sentence) -> bool:
    """Return whether a rule may have been said the other way round: "not before X" is "after X"."""
    if mark.name not in NEGATIONS:
        return False
    gained = {found.start for found in speaker.marks if found.name in _LIMITS - sentence.classes}
    clauses = {speaker.clause_at(at) for at in gained}
    if any(at is not None and speaker.clause_tokens[at] & sentence.tokens for at in clauses) and _alike(sentence, speaker):
        return True
    if signs.RESTRICTS.search(sentence.text):
        return False
    return bool(signs.WEAK.search(sentence.text) and signs.RESTRICTS.search(speaker.text))


def _alike(sentence: Sentence, other: Sentence) -> bool:
    """Return whether another sentence speaks of the same, and does not only stand beside it."""
    return len(sentence.tokens & other.tokens) * 2 >= min(len(sentence.tokens), len(other.tokens))


def negates(keeper: Sentence, sentence: Sentence) -> bool:
    """Return whether a sentence holds a negation; words like "stopped" count if the other has none such."""
    if any(says_no(mark) and mark.name != "other_neg" for mark in keeper.marks):
        return True
    before = {mark.text.casefold()[:4] for mark in sentence.marks if mark.name == "other_neg"}
    return any(mark.name == "other_neg" and mark.text.casefold()[:4] not in before for mark in keeper.marks)
