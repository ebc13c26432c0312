"""Which marks deny, and what they deny (SPEC §8, "hardening")."""

from __future__ import annotations

from agentops_dream.facts.marks import Mark
from agentops_dream.facts.reading import Sentence
from agentops_dream.patterns import late

NEGATIVE = frozenset({"never", "not", "only", "other_neg"})
"""Classes of marks that say no to something."""

_ENDING = late("[\u3041-\u3096\uac00-\ud7a3]")
_BAN = late("禁|厳禁|不可|無")
_HAS_ENDINGS = late("[\u3041-\u3096]")


def says_no(mark: Mark) -> bool:
    """Return whether a mark is a negation; "no X without Y" is a rule and says no as well."""
    return mark.name in NEGATIVE or (mark.name == "must" and mark.text.lower() == "no")


def ruled(sentence: Sentence, mark: Mark) -> str:
    """Return the token that a negation denies: in Japanese and Korean the one before it, else the next; ``""`` if none."""
    endings = _ENDING.match(mark.text) or (_BAN.match(mark.text) and _HAS_ENDINGS.search(sentence.text))
    if endings:
        return next(reversed(sentence.between(sentence.start, mark.start)), "")
    return next(iter(sentence.between(mark.end, sentence.end)), "")
