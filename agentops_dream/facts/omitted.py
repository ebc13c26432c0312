"""Silent omissions: facts of the inputs that carry no literal, and are said nowhere any more (SPEC §8).

Found by the measure of ``support`` turned round: the content words of a reason or a warning hardly occur in the
outputs. What only names a topic, announces a list or points at the other half of a merge says nothing that
could be lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentops_dream.facts.cjk import is_han
from agentops_dream.facts.editorial import CUT, EDITORIAL, META
from agentops_dream.facts.index import Index
from agentops_dream.facts.names import presumed, title_end
from agentops_dream.facts.reading import Sentence, token
from agentops_dream.facts.support import VALUES, extent, knows
from agentops_dream.facts.words import Word, stem

_ABOUT_ITSELF = re.compile(
    r"(?i)\b(?:the|this|that|an?|another|other) (?:note|entry|memory|memo)\b|(?:この|別の|その|前の)?(?:メモ|覚え書き)(?:が|は|を|に|の)|(?:这条|这份)(?:笔记|记录)|이 메모"
)
"""What a keeper of notes says of the note itself: nothing is lost with it."""
_WORDS = re.compile(r"[^\W_]+")
_DROPPED = 0.34
_SHORT = 5
_APART = 0.45
"""Share of a sentence in the nearest one of the outputs below which half of it missing everywhere means that it is gone."""
_NEARLY = 0.8
"""Share of what somebody does that another sentence must hold to tell it without them."""
_TITLE = re.compile(r"(?i)^(?:the |an? )?[a-z][a-z-]* of (?:[a-z'/-]+ ?){1,6}[.:]?$")
"""A heading in words: "Clean-up of the scratch disk." """
_CALLS = re.compile(r"(?i)^(?:be|beware|dispose|think|speak|know|hear|approve|get rid|make use)\b")
"""What begins like one and asks for something."""
_ACTS = re.compile(r"(?i)\b(?:is|are|was|were|has|have|had|do|does|did|will|would|can|could|may|might|must|should|[a-z]{3,}ed)\b")
"""What says that something is done."""
_TITLE_CJK = re.compile(r"(?:メモ|覚え書き|備忘録|まとめ|の仕組み|の概要|の話|の件|について)[。.]?$")
_TOPICS = re.compile(r"(?:禁止|注意|留意|確認)(?:事項|点)|考え方|扱い(?!や)|確認用|やり方|仕組み|手順|決まり|概要|一覧|まとめ")
"""What a description calls a part of its entry."""
_AS_THERE = re.compile(
    r"(?i)\b(?:as in|as before|same as|see|stay(?:s|ed)?|unchanged|remains?|rest|everything else|all else|still stands?)\b"
    r"|変わらない|変わらず|変更なし|前のまま|従来どおり|変えていない|同じ|そのまま|参照|不变|相同|그대로"
)
"""What sends the reader elsewhere."""


def dropped(inputs: Index, outputs: Index, *, declared: str = "", gone: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the sentences of the inputs whose content hardly occurs in the outputs.

    ``declared``: plain text, ``gone``: tokens that may go.
    """
    common = outputs.common
    linked = frozenset(stem(word) for lit in outputs.literals if lit.kind == "link" for word in _WORDS.findall(lit.key))
    openings = {id(next((s for s in reading.sentences if s.kind != "description"), None)) for reading in inputs.readings}
    for sentence in inputs.sentences:
        if sentence.kind in ("heading", "description"):
            continue
        if (id(sentence) in openings and _topic(sentence, outputs)) or _refers(sentence) or _leads_in(sentence):
            continue
        text = sentence.plain
        if _ABOUT_ITSELF.search(sentence.text) and not any(literal.kind != "name" for literal in sentence.literals):
            continue
        if text in outputs.texts or (declared and text.strip(" .。") in declared):
            continue
        if len(inputs.readings) > 1 and _stays(sentence, outputs):
            continue
        if not gone & sentence.tokens and _another_part(sentence, inputs, outputs):
            yield sentence.text.strip(" *:\n")
            continue
        tokens = frozenset(token for token in sentence.tokens if token not in META and token not in gone)
        tokens -= _respelled(sentence, outputs) | linked
        if len(tokens) < 3 or len(tokens) < len(sentence.tokens) / 2 or _valued(sentence, tokens, outputs):
            continue
        if len(inputs.readings) > 1 and _told_twice(sentence, inputs, outputs):
            continue
        rare = tokens - common if not gone & sentence.tokens else frozenset()
        if _scattered(sentence, rare, inputs, outputs):
            yield sentence.text.strip(" *:\n")
            continue
        if _spread(tokens, outputs) or _recombined(sentence, outputs):
            continue
        asked = (tokens, rare) if len(rare) >= 3 else (tokens,)
        told = rare - outputs.tokens
        # What somebody does, said nowhere: that the name stands elsewhere is no comfort.
        bare = {lit.kind for lit in sentence.literals} == {"name"}
        nowhere = bare and len(told) > 1 and len(told) * 2 >= len(rare)
        if nowhere and len(rare) >= 3 and next((score for score, _ in outputs.pairs.best(rare, 1)), 0.0) < _APART:
            yield sentence.text.strip(" *:\n")
            continue
        if min(outputs.pairs.covered(words, 3) for words in asked) < _DROPPED:
            yield sentence.text.strip(" *:\n")


def _topic(sentence: Sentence, outputs: Index) -> bool:
    """Return whether the opening of a body only says what it is about: "Clean-up of the scratch disk.", 採番のメモ。

    Its thing must still be spoken of.
    """
    text = sentence.text.strip(" *_")
    if sentence.marks or any(literal.kind in VALUES for literal in sentence.literals):
        return False
    english = _TITLE.match(text) and not _CALLS.match(text) and not _ACTS.search(text)
    if not english and not (_TITLE_CJK.search(text) and len(sentence.words) <= _SHORT):
        return False
    kept = [word for word in sentence.words if word.stem not in META and knows(outputs, word)]
    return extent(kept) * 3 >= extent(word for word in sentence.words if word.stem not in META)


def _refers(sentence: Sentence) -> bool:
    """Return whether a sentence sends its reader to an entry that it is being merged with: "the rest is as in [[other]]"."""
    bare = all(literal.soft for literal in sentence.literals)
    return bare and CUT.search(sentence.text.strip()) is not None and _AS_THERE.search(sentence.text) is not None


def _stays(sentence: Sentence, outputs: Index) -> bool:
    """Return whether a sentence only says of things that are told of that they have not changed: "limit and order are as before"."""
    if not _AS_THERE.search(sentence.text) or any(literal.kind in VALUES for literal in sentence.literals):
        return False
    words = [word for word in sentence.words if word.stem not in META]
    return bool(words) and extent(word for word in words if knows(outputs, word)) * 2 > extent(words)


def _leads_in(sentence: Sentence) -> bool:
    """Return whether a sentence only announces a list, and at most how long it is: "The value stands in three places:"."""
    if sentence.marks or not sentence.text.rstrip(" *_").endswith((":", "：")):
        return False
    counts = all(literal.kind == "number" and literal.soft and not literal.unit for literal in sentence.literals)
    return counts and extent(word for word in sentence.words if word.stem not in EDITORIAL) <= 2


def _valued(sentence: Sentence, tokens: frozenset[str], outputs: Index) -> bool:
    """Return whether a sentence is a value and two words, and the value is kept: "the calculation runs every 20 s"."""
    values = {token(lit) for lit in sentence.literals if lit.kind in VALUES and lit.unit and not lit.soft}
    few = len(tokens) == 3 or extent(word for word in sentence.words if word.stem in tokens) <= 2
    return few and len(values) == 1 and values <= outputs.tokens and sentence.classes <= {"about"}


def _told_twice(sentence: Sentence, inputs: Index, outputs: Index) -> bool:
    """Return whether two or more things that a sentence names are named together in another of the inputs, which is kept."""
    held = frozenset(token(lit) for lit in sentence.literals if lit.kind not in ("name", "subject", "link", "relative") and not lit.soft)
    if len(held) < 2:
        return False
    twins = [other for other in inputs.sentences if other is not sentence and held <= other.tokens and other.kind != "description"]
    return any(held <= other.tokens and len(twin.tokens & other.tokens) * 2 > len(twin.tokens) for twin in twins for other in outputs.sentences)


def undescribed(inputs: Index, outputs: Index) -> Iterator[str]:
    """Yield the descriptions of the inputs that say what no body says, and hardly any output."""
    for sentence in inputs.sentences:
        if sentence.kind != "description" or sentence.plain in outputs.texts:
            continue
        topics = [match.span() for match in _TOPICS.finditer(sentence.text)]
        own = [
            word
            for word in sentence.words
            if word.stem not in EDITORIAL
            and not _said_in_body(word, inputs)
            and not any(start <= word.start - sentence.start < end for start, end in topics)
        ]
        gone = [word for word in own if not knows(outputs, word)]
        if extent(own) >= 3 and extent(gone) > (1 - _DROPPED) * extent(own):
            yield sentence.text.strip(" *:\n")


def _said_in_body(word: Word, inputs: Index) -> bool:
    return any(
        word.stem in other.stems
        or (word.text.isascii() and word.text.casefold() in other.plain)
        or (is_han(word.text) and all(char in other.text for char in word.text))
        for other in inputs.sentences
        if other.kind != "description"
    )


def _respelled(sentence: Sentence, outputs: Index) -> frozenset[str]:
    """Return the tokens of literals that stand in the outputs in another spelling: "every second" for 1 s."""
    missing = (literal for literal in sentence.literals if token(literal) not in outputs.tokens)
    return frozenset(token(literal) for literal in missing if outputs.has(literal))


def _spread(tokens: frozenset[str], outputs: Index) -> bool:
    """Return whether nearly all tokens stand in the outputs, if far apart."""
    everything = outputs.tokens
    return sum(token in everything for token in tokens) >= 0.8 * len(tokens)


def _scattered(sentence: Sentence, rare: frozenset[str], inputs: Index, outputs: Index) -> bool:
    """Return whether what a short sentence says of somebody stands nowhere together, and in part not at all.

    "Restarts are done by Mirela": that she reviews, and that there is a production, says nothing of it.
    """
    people = (literal for literal in sentence.literals if literal.kind in ("name", "subject"))
    named = {token(literal) for literal in people if not literal.key.isascii() or presumed(literal.key)}
    rare -= _seams(sentence, outputs)
    if not named or len(rare) > _SHORT or not rare - outputs.tokens - named:
        return False
    if any(len(rare & other.tokens) * 2 > len(rare) for other in inputs.sentences if other is not sentence):
        return False
    return all(len(rare & (other.tokens | other.over)) < 2 for other in outputs.sentences)


def _another_part(sentence: Sentence, inputs: Index, outputs: Index) -> bool:
    """Return whether somebody is still named, but only for something else that the inputs say of them.

    "Mirela reviews every change" is not kept by "Mirela alone restarts it".
    """
    names = frozenset(token(literal) for literal in sentence.literals)
    own = sentence.tokens - outputs.common - names - _titles(sentence) - _seams(sentence, outputs)
    holders = [other for other in outputs.sentences if names & other.tokens]
    bare = bool(names) and all(literal.kind == "name" for literal in sentence.literals)
    if not bare or not holders or not own - outputs.tokens:
        return False
    if any(len(own & other.tokens) >= _NEARLY * len(own) for other in outputs.sentences):
        return False  # it is said without the name, which stands beside it
    rivals = [other for other in inputs.sentences if other is not sentence and names & other.tokens]
    return all(
        not own & (holder.tokens | holder.over)
        and any(len((other.tokens - names) & holder.tokens) > 1 for other in rivals if not own & other.tokens)
        for holder in holders
    )


def _seams(sentence: Sentence, outputs: Index) -> frozenset[str]:
    """Return the pairs of characters in which two words meet that the outputs have apart: 境重 of 环境 and 重启."""
    words = [word for word in sentence.words if is_han(word.text)]
    return frozenset(
        word.stem
        for before, word, after in zip(words, words[1:], words[2:])
        if before.end == word.start + 1
        and after.start == word.end - 1
        and word.stem not in outputs.tokens
        and {before.stem, after.stem} <= outputs.tokens
    )


def _titles(sentence: Sentence) -> frozenset[str]:
    """Return the pairs of characters that belong to somebody's name or title: 静老 and 老师 of 陈静老师."""
    people = [literal for literal in sentence.literals if literal.kind in ("name", "subject") and not literal.key.isascii()]
    spans = [(one.start, title_end(sentence.text, one.end - sentence.start) + sentence.start) for one in people]
    return frozenset(word.stem for word in sentence.words if any(start < word.end and word.start < end for start, end in spans))


def _recombined(sentence: Sentence, outputs: Index) -> bool:
    """Return whether the words of a sentence without hard literals, names apart, stand in one place in other compounds (同じ名前 → 同名)."""
    held = {token(literal) for literal in sentence.literals}
    if any(literal.kind != "name" for literal in sentence.literals) or not any(is_han(word.text) for word in sentence.words):
        return False
    han = frozenset(char for char in sentence.text if is_han(char))
    if not held <= outputs.tokens:
        return False
    rest = frozenset(word.stem for word in sentence.words if not is_han(word.text))
    return any(
        len(han.intersection(other.text)) + len(rest & other.stems) >= 0.7 * (len(han) + len(rest)) for other in outputs.sentences
    )
