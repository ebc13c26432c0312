"""Polarity: a statement that says the opposite now, or more exactly than it was said (SPEC §8, "hardening").

"Never push by hand, the signature is missing" must not come out as "Push by hand, the signature is
missing", however many negative words are left in the sentence. So a statement of the output must have
the sign of the one it is nearest to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from rapidfuzz.distance import Indel

from agentops_dream.facts import marks, signs
from agentops_dream.facts.hardened import Hardened
from agentops_dream.facts.index import Index
from agentops_dream.facts.keeping import repeated, same
from agentops_dream.facts.marks import Mark
from agentops_dream.facts.negation import NEGATIVE, ruled, says_no
from agentops_dream.facts.reading import Sentence, Text, read
from agentops_dream.facts.replaced import SAID_ALIKE, SAME, replaced
from agentops_dream.facts.side import Side, side
from agentops_dream.facts.statements import Statement, cues, may_deny, poles, prefixed, statements
from agentops_dream.patterns import late

CLOSE = 0.7
"""Share of the tokens of two statements that must be common to both to be one statement."""
_HOW = late(r"(?i)\bhow (?:to|it|they)\b|方法|やり方|手順")
"""What a description is about, where it answers a question."""
_BEFORE = late(r"(?i)\b(?:before|until|unless)\b|前に|まで")
"""Between what comes later and what comes first."""
_IF_NOT = late(r"(?i)\b(?:if|when|where|unless|without|until)\b|なければ|ないと|ない場合|ないとき|なら|如果|若|않으면|없으면")
"""A condition, where the other text says what happens otherwise."""


def turned(inputs: Index, outputs: Index, *, declared: str = "") -> Iterator[Hardened]:
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
    prefixes = {number: held for number, sentence in enumerate(sources) if (held := prefixed(sentence))}
    # Most sentences say no nowhere, and what says yes can only be turned from what says no.
    denying = [statement for s in sources if may_deny(s) for statement in statements(s) if statement.sign]
    target = side(outputs)
    flips: list[tuple[Statement, Statement]] = []
    for sentence in fresh:
        if not denying and not may_deny(sentence):
            continue
        for statement in statements(sentence):
            if sentence.kind == "description" and _HOW.search(statement.text):
                continue  # it tells what is answered, and not how
            if not statement.sign and not any(_likeness(statement.tokens, no.tokens) >= CLOSE for no in denying):
                continue
            near = [other for n in _near(statement.tokens, by_token, prefixes) for other in statements(sources[n])]
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
        if len(there) > 1 or (_changed(statement, found, target) and not _of_the_body(statement, found, sources)):
            turned_ones.add(id(statement.sentence))
            yield Hardened(found.shown, statement.shown, statement.main or found.main or "opposite")
    for sentence in fresh:
        if id(sentence) not in turned_ones:
            yield from replaced(sentence, sources, _common(sentence.tokens, by_token))


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
        [found for sentence in read(Text("", "", text)).sentences for found in statements(sentence)]
        for text in (before, after)
    )
    holder, rest = (one, other) if mark.casefold() in before.casefold() else (other, one)
    held = [statement for statement in holder if mark.casefold() in statement.text.casefold()]
    return bool(held) and all(
        any(_likeness(statement.tokens, found.tokens) >= CLOSE and _agree(statement, found) for found in rest)
        or (statement.neutral and not statement.main)
        for statement in held
    )


def _against(statement: Statement, sources: Sequence[Statement]) -> Statement | None:
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


def _changed(statement: Statement, found: Statement, target: Side) -> bool:
    """Return whether a statement was turned by a word that came or went, and not by another wording.

    What says no in both sentences may say it of another half of them; what says it in other words
    has lost one such word and gained another; a word that says no of something new turns nothing.
    """
    mine, theirs = cues(statement), cues(found)
    came, gone = mine - theirs, theirs - mine
    gone -= poles(statement.sentence)  # "rejected them, and they came back": it is said in the other half
    if bool(came) == bool(gone) or (not statement.sign and not gone):
        return False
    if (signs.OTHERWISE.search(found.sentence.text) and _IF_NOT.search(statement.sentence.text)) or (
        signs.OTHERWISE.search(statement.sentence.text) and _IF_NOT.search(found.sentence.text)
    ):
        return False  # "sign it, otherwise …" is "if it is not signed, …"
    if gone:
        if set(gone) <= {"inst", "rath"} and signs.WAS.search(statement.sentence.text):
            return False  # "at 00:30 instead of 01:15" has become "at 00:30, before that 01:15"
        held = [mark for mark in found.sentence.marks if says_no(mark) and mark.text.casefold()[:4] in gone]
        if held and all(_told_elsewhere(mark, found.sentence, statement, target) for mark in held):
            return False  # it is a sentence of its own now, or the other way of comparing
        return not statement.sentence.over_classes & NEGATIVE
    if not any(cue in statement.text.casefold() for cue in came):
        return False  # it is said in another half of the sentence
    if Indel.normalized_similarity(statement.sentence.ordered, found.sentence.ordered) < SAID_ALIKE:
        return False  # a negation that comes with other words may say what they left out
    return not found.sentence.over_classes & NEGATIVE and not _of_something_else(statement, found)


def _told_elsewhere(mark: Mark, sentence: Sentence, statement: Statement, target: Side) -> bool:
    """Return whether a negation of an old sentence is none of a statement's: it stands in a sentence of its own now, or in
    other words beside it, or what it denied is not in the statement.
    """
    near = (statement.sentence, *target.around[id(statement.sentence)])
    if repeated(mark, sentence, target) or any(same(mark, sentence, other) for other in near):
        return True
    at = sentence.clause_at(mark.start)
    denied = sentence.clause_tokens[at] if at is not None else frozenset()
    return len(sentence.clauses) > 1 and len(denied & statement.tokens) * 2 <= len(denied)


def _of_the_body(statement: Statement, found: Statement, sources: Sequence[Sentence]) -> bool:
    """Return whether a new description denies what a body denies: "characters that cannot be converted"."""
    if statement.sentence.kind != "description":
        return False
    came = [mark for mark in statement.sentence.marks if says_no(mark) and mark.text.casefold()[:4] not in cues(found)]
    denied = {(mark.text, ruled(source, mark)) for source in sources for mark in source.marks}
    return bool(came) and all((mark.text, ruled(statement.sentence, mark)) in denied for mark in came)


def _of_something_else(statement: Statement, found: Statement) -> bool:
    """Return whether the negation rules a word that the old sentence does not have."""
    sentence = statement.sentence
    for mark in sentence.marks:
        if mark.name not in ("never", "not") or mark.text.casefold()[:4] in cues(found):
            continue
        what = ruled(sentence, mark)
        if not what or what in found.sentence.tokens:
            return False
    return True


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _mirrored(no: Statement, yes: Statement) -> bool:
    """Return whether what comes before "before" in one statement comes after it in the other: "ask before you ship",
    "nothing is shipped before somebody was asked".
    """
    no_halves, halves = _halves(no.sentence), _halves(yes.sentence)
    denied = no.text[no.text.casefold().find(no.main.casefold()) :]
    if no_halves is None or halves is None or not signs.WEAK.search(denied):
        return False
    (no_first, no_then), (first, then) = no_halves, halves
    crossed, straight = (no_first & then, no_then & first), (no_first & first, no_then & then)
    return all(crossed) and sum(map(len, crossed)) >= 3 * sum(map(len, straight))


def _halves(sentence: Sentence) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return what comes first and what later in a sentence with one "before": behind it, at its head up to the comma."""
    found = list(_BEFORE.finditer(sentence.text))
    if len(found) != 1:
        return None
    at, end = found[0].span()
    comma = sentence.text.find(",", end)
    if not sentence.text[:at].strip(" *_-") and comma > 0:
        cut = (sentence.start + comma, sentence.end), (sentence.start + end, sentence.start + comma)
    else:
        cut = (sentence.start, sentence.start + at), (sentence.start + end, sentence.end)
    one, other = (frozenset(sentence.between(*span)) for span in cut)
    return one - other, other - one


def _agree(one: Statement, other: Statement) -> bool:
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
    # "Not before the review" is "only after the review", and "before it ships, it must be reviewed" is "not shipped before".
    if _mirrored(no, yes):
        return True
    return bool(signs.WEAK.search(no.text) and not signs.WEAK.search(yes.text) and signs.RESTRICTS.search(yes.text))
