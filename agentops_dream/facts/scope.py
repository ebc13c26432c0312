"""Scope: a rule that binds less firmly than it did, or has an exception that it did not have (SPEC §8, "hardening").

"Never run it here" that became "it is usually not run here" has kept its negation and lost its
force; "not even their own" that became "none except their own" says the opposite with the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agentops_dream.facts.hardened import Hardened
from agentops_dream.facts.index import Index
from agentops_dream.facts.reading import Sentence, token
from agentops_dream.facts.signs import OTHERWISE
from agentops_dream.patterns import late

_NEAR = 0.5
"""Share of the tokens of a new sentence that an old one must hold to be where it comes from."""
_COPIED = 0.8
"""Share of a rule, its condition apart, that must be kept for the condition to be missed."""


@dataclass(frozen=True)
class _Kind:
    """Words that loosen a rule: which rules, and what in the old text had the same force."""

    words: re.Pattern[str]
    binding: frozenset[str]
    """Classes of marks of which the old sentence must hold one."""
    same: re.Pattern[str]
    instead: bool = False
    """Whether it takes the place of the binding word: a sentence that still has one is not looser."""


_KINDS = (
    _Kind(
        late(
            r"(?i)\b(?:usually|normally|generally|typically|mostly|preferably|ideally|in general|as a rule|if possible|where possible"
            r"|in most cases|rather not|at best|better not)\b|通常(?!の)|ふつう|普通は|普段は|なるべく|できれば|できるだけ|基本的に|原則|望ましい"
            r"|一般(?:不|情况)|尽量|最好|보통|되도록|가급적|웬만하면"
        ),
        frozenset({"never", "not", "must", "only"}),
        late(
            r"(?i)\b(?:usual|normal|general|typical|most|prefer|ideal|rule|possible|should|rather|better|often|tend|mainly|default)"
            r"|通常|ふつう|普通|普段|なるべく|でき(?:れば|るだけ)|基本|原則|望まし|べき|ほとんど|一般|尽量|最好|보통|되도록|가급적"
        ),
    ),
    _Kind(
        late(r"(?i)\b(?:only|solely)\b|のみ|だけ|に限[りるっ]|只能|仅"),
        frozenset({"never", "not"}),
        late(
            r"(?i)\b(?:only|solely|before|until|without|unless|except|outside|other|after|than|first|nobody|no one|nowhere|else|but|again|yet)"
            r"|のみ|だけ|限|しか|とどめ|留め|以外|まで|前|後|外|なし|ない限り|只|仅|除|前|后|만|전|후|외|없이"
        ),
        instead=True,
    ),
    _Kind(
        late(
            r"(?i)\b(?:except(?: for)?|(?:apart from|other than)(?! (?:that|this|these|those|it),)|with the exception of|excluding|unless)\b"
            r"|(?:を|は)除[いき]|以外は|例外|除了.{1,20}(?:以)?外|除非|제외하고|외에는"
        ),
        frozenset({"never", "not", "must"}),
        late(
            r"(?i)\b(?:except|apart|other|exclud|exception|unless|only|but|just|alone|without|until|before|outside|if|when|sole|save)"
            r"|ただし|但し|除|以外|例外|だけ|のみ|しか|限|なければ|まで|前|只|仅|非|제외|외에|만|뿐|아니면"
        ),
    ),
)


_CONDITION = late(
    r"(?i)\b(?:without|unless|except(?: for)?|apart from|other than|as long as|if|only (?:when|while|with))\b"
    r"|(?:なし|無し|ない限り|以外|を除|場合(?:[はに、]|だけ|のみ)|とき(?:は|だけ|のみ))|除非|除了|없이|제외하고"
)
"""What limits a rule; in Japanese and Korean it stands behind what it is about."""


_ELSE = late(r"(?i)\b(?:or|otherwise|else|after|later|late|beyond|until|once|fails?|failing)\b|さもな|そうでな|なければ|ないと|場合|たら|否则|不然|아니면|않으면")
_ELSE_CLASSES = frozenset({"never", "not", "only", "other_neg"})
"""What tells that something happens only if something else does not."""


def rescoped(inputs: Index, outputs: Index) -> Iterator[Hardened]:
    """Yield the rules that came out looser than they went in, or without their condition."""
    yield from _loosened(inputs, outputs)
    yield from _unconditional(inputs, outputs)
    yield from _always(inputs, outputs)


def _unconditional(inputs: Index, outputs: Index) -> Iterator[Hardened]:
    """Yield the rules that are kept without the words of their condition, and with no other in its place."""
    for sentence in inputs.sentences:
        if sentence.kind in ("heading", "description") or sentence.plain in outputs.texts:
            continue
        word = _CONDITION.search(sentence.text)
        if not word:
            continue
        behind = not word.group().isascii() and not word.group().startswith("除")
        at = sentence.start + word.start()
        clause = sentence.clause_at(at)
        start, end = sentence.clauses[clause] if clause is not None else (sentence.start, sentence.end)
        said = [(one.start, one.stem) for one in sentence.words] + [(lit.start, token(lit)) for lit in sentence.literals]
        inside = {what for where, what in said if start <= where < end and (where < at) == behind and not 0 <= where - at < len(word.group())}
        asked = frozenset(inside.difference(what for where, what in said if not start <= where < end or (where < at) != behind))
        rest = sentence.tokens - asked
        if not asked or len(rest) < 2:
            continue
        ranked = outputs.pairs.best(rest, 3)
        if not ranked or ranked[0][0] < _COPIED:
            continue
        found = ranked[0][1]
        near = [other for other in outputs.sentences if other.together(found)]
        kept = any(asked & (other.tokens | other.over) for other in near)
        if not kept and not _CONDITION.search(found.text) and not found.tokens - sentence.tokens:
            yield Hardened(sentence.text.strip(), found.text.strip(), word.group())


def _always(inputs: Index, outputs: Index) -> Iterator[Hardened]:
    """Yield what happens otherwise, and happens in any case now: "sign it, otherwise you get a mail"."""
    for sentence in inputs.sentences:
        word = OTHERWISE.search(sentence.text)
        if not word or sentence.kind in ("heading", "description") or sentence.plain in outputs.texts:
            continue
        then = frozenset(sentence.between(sentence.start + word.end(), sentence.end))
        ranked = outputs.pairs.best(then, 3) if len(then) > 1 else []
        holders = [found for score, found in ranked if score >= _COPIED and found.kind != "description"]
        if holders and not any(_ELSE.search(found.text) or found.classes & _ELSE_CLASSES for found in holders):
            yield Hardened(sentence.text.strip(), holders[0].text.strip(), word.group())


def _loosened(inputs: Index, outputs: Index) -> Iterator[Hardened]:
    """Yield the sentences of the outputs that loosen the rule that they come from."""
    for sentence in outputs.sentences:
        if sentence.kind == "heading" or sentence.plain in inputs.texts:
            continue
        for kind in _KINDS:
            word = kind.words.search(sentence.text)
            origin = _origin(sentence, inputs) if word else []
            if not word or not origin:
                continue
            after = frozenset(one.stem for one in sentence.words if one.start - sentence.start >= word.end())
            if any(kind.same.search(old.text) for old in (*origin, *_beside(origin, after, inputs))):
                continue
            bound = next((old for old in origin if old.classes & kind.binding), None)
            if bound is not None and not (kind.instead and sentence.classes & kind.binding):
                yield Hardened(bound.text.strip(), sentence.text.strip(), word.group())


def _origin(sentence: Sentence, inputs: Index) -> list[Sentence]:
    """Return the sentences from which a new one comes, if that can be told."""
    ranked = [
        (score, found)
        for score, found in inputs.pairs.best(sentence.tokens, 4)
        if found.kind != "description" or sentence.kind == "description"
    ]
    if not ranked or ranked[0][0] < _NEAR:
        return []
    return [found for score, found in ranked if score >= ranked[0][0] * 0.7]


def _beside(origin: list[Sentence], after: frozenset[str], inputs: Index) -> Iterator[Sentence]:
    """Yield the sentences that speak of what follows the word, and may have been joined with the rule."""
    for sentence in inputs.sentences:
        if after and sentence not in origin and len(after & sentence.tokens) * 2 > len(after):
            yield sentence
