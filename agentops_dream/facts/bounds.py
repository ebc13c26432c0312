"""Limits and choices that have moved by one word (SPEC §8, "hardening").

"More than 30" and "up to 30" draw one line, after the 30; "30 or more" and "under 30" draw it before. Which
of the two lines it is survives every honest turn of phrase, a negation too. So does whether one of two
is enough ("Ida or Femi") or both are needed ("Ida and Femi"), where it is not about being allowed to.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from agentops_dream.facts.hardened import Hardened
from agentops_dream.facts.index import Index
from agentops_dream.facts.literal import Literal
from agentops_dream.facts.reading import Sentence, token
from agentops_dream.patterns import late

_AFTER_IT = late(
    r"(?i)\b(?:more than|over|above|greater than|longer than|exceed\w*|beyond|at most|up to|no more than|not more than|no (?:longer|later|larger|higher) than|a maximum of|limited to|capped at)"
    r" (?:the |about |roughly )?[\"'`(]*$|>\s*$|[≤≦]\s*$|最多|至多|不超过|超过|최대 ?$"
)
_BEFORE_IT = late(
    r"(?i)\b(?:at least|no less than|not less than|no fewer than|no (?:earlier|sooner|shorter) than|less than|fewer than|under|below|a minimum of|shorter than)"
    r" (?:the |about |roughly )?[\"'`(]*$|<\s*$|[≥≧]\s*$|至少|不少于|少于|최소 ?$"
)
_THEN_AFTER = late(
    r"(?i)^[\"'`)]* ?(?:\w{1,12} )?(?:or less|or fewer|at (?:the )?(?:most|longest|latest)|or under)\b"
    r"|^ ?[^\s、。,.;:()]{0,6}?(?:を?超(?!え?な)|を?上回|以下|以内|より(?:も)?(?:多|大|長|高))|^ ?[^\s,.]{0,3}(?:以内|以下|이하|초과|를? ?넘)"
)
_THEN_BEFORE = late(
    r"(?i)^[\"'`)]* ?(?:\w{1,12} )?(?:or more|or longer|or above|at (?:the )?(?:least|earliest)|minimum)\b"
    r"|^ ?[^\s、。,.;:()]{0,6}?(?:以上|未満|を?下回|より(?:も)?(?:少|小|短|低))|^ ?[^\s,.]{0,3}(?:以上|未满|이상|미만)"
)
_MAYBE = re.compile(
    r"(?i)\b(?:more|over|above|greater|longer|exceed\w*|beyond|most|up to|less|fewer|under|below|minimum|maximum|least|shorter|limited|capped)\b"
    r"|[<>≤≥≦≧超上以未下至]|より|最多|최대|최소|이하|이상|초과|미만|넘"
)
"""What a sentence without it draws no line."""
_KINDS = frozenset({"number", "version", "time", "date"})


def moved(inputs: Index, outputs: Index) -> Iterator[Hardened]:
    """Yield the limits that take in or leave out the value itself now."""
    old: dict[str, dict[bool, str]] = defaultdict(dict)
    for sentence, literal, line in _limits(inputs):
        old[token(literal)].setdefault(line, sentence.text.strip())
    for sentence, literal, line in _limits(outputs):
        known = old.get(token(literal), {})
        if (not line) in known and line not in known and sentence.plain not in inputs.texts:
            yield Hardened(known[not line], sentence.text.strip(), literal.text)


def _limits(index: Index) -> Iterator[tuple[Sentence, Literal, bool]]:
    """Yield values that a word next to them makes a limit; ``True``: the line is drawn after the value."""
    for sentence in index.sentences:
        if not sentence.literals or not _MAYBE.search(sentence.text):
            continue
        for literal in sentence.literals:
            if literal.kind not in _KINDS:
                continue
            before = sentence.text[max(0, literal.start - sentence.start - 32) : literal.start - sentence.start]
            after = sentence.text[literal.end - sentence.start :][:24]
            for front, back, line in ((_AFTER_IT, _THEN_AFTER, True), (_BEFORE_IT, _THEN_BEFORE, False)):
                if front.search(before) or back.match(after):
                    yield sentence, literal, line
                    break


# ---------------------------------------------------------------- choices

_OR = late(r"(?i)[\s`\"',]*(?:(?:さん|氏|님|씨|先生)?\s*(?:か(?!ら)|または|もしくは|あるいは|或者?|或是|이나|또는|혹은)|\bor\b|/)(?: (?:by|from|of|to|with))?[\s`\"']*")
_AND = late(r"(?i)[\s`\"',]*(?:(?:さん|氏|님|씨|先生)?\s*(?:と|および|及び|ならびに|和|与|以及|와|과|및)|\band\b|&|\+)(?: (?:by|from|of|to|with))?[\s`\"']*")
_FREE = late(
    r"(?i)\b(?:may|can|could|allowed|permitted|able|not|never|no|neither|nor|without|only|except|any|don't|doesn't|won't|cannot|can't)\b"
    r"|できる|でき|てよい|てもよい|可能|可\b|ない|ず|禁止|以外|可以|不|没|除了|수 ?있|없|않|금지"
)
"""Who may do it, and what must not be: "or" and "and" say the same there."""
_NEEDS = frozenset({"name", "subject", "identifier", "code", "path"})


def chosen(inputs: Index, outputs: Index) -> Iterator[Hardened]:
    """Yield two names of which one was enough and both are needed now, or the reverse."""
    old: dict[frozenset[str], dict[bool, str]] = defaultdict(dict)
    for sentence, pair, both, _ in _joined(inputs):
        old[pair].setdefault(both, sentence.text.strip())
    for sentence, pair, both, text in _joined(outputs):
        known = old.get(pair, {})
        if (not both) in known and both not in known and sentence.plain not in inputs.texts:
            yield Hardened(known[not both], sentence.text.strip(), text)


def _joined(index: Index) -> Iterator[tuple[Sentence, frozenset[str], bool, str]]:
    for sentence in index.sentences:
        named = [literal for literal in sentence.literals if literal.kind in _NEEDS]
        for one, other in zip(named, named[1:]):
            start, end = one.end - sentence.start, other.start - sentence.start
            between = sentence.text[start:end]
            both = _AND.fullmatch(between) is not None
            if not both and not _OR.fullmatch(between):
                continue
            clause = sentence.clause_at(one.start)
            said = sentence.text if clause is None else sentence.text[sentence.clauses[clause][0] - sentence.start :]
            if not _FREE.search(said[:160]):
                text = sentence.text[one.start - sentence.start : other.end - sentence.start]
                yield sentence, frozenset((token(one), token(other))), both, text
