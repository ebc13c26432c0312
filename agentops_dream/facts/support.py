"""Unsupported sentences and silent omissions: facts that carry no literal (SPEC §8).

"Tiles are dropped oldest first" names no number and no path, and yet it is a claim. What gives it
away is that its content words hardly occur in the texts it is said to come from. The same measure,
turned round, finds a reason or a warning that was dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from agentops_dream.facts import cjk
from agentops_dream.facts.cjk import is_han
from agentops_dream.facts.editorial import EDITORIAL, META
from agentops_dream.facts.index import Index
from agentops_dream.facts.names import presumed
from agentops_dream.facts.reading import Reading, Sentence, token
from agentops_dream.facts.words import Word

_ABOUT_ITSELF = re.compile(
    r"(?i)\b(?:the|this|that|an?|another|other) (?:note|entry|memory|memo)\b|(?:この|別の|その|前の)?(?:メモ|覚え書き)(?:が|は|を|に|の)|(?:这条|这份)(?:笔记|记录)|이 메모"
)
"""What a keeper of notes says of the note itself: nothing is lost with it."""
_SENTENCE_SHARE = 0.6
_CLAUSE_SHARE = 0.6
_CLAUSE_SHARE_CJK = 0.5
_DROPPED = 0.34
_SHORT = 5
_APART = 0.45
"""Share of a sentence in the nearest one of the outputs below which half of it missing everywhere means that it is gone."""
_VALUES = frozenset({"number", "version", "time", "date", "address", "url", "path", "email"})


def unsupported(support: Index, outputs: Index) -> Iterator[str]:
    """Yield the sentences and clauses of the outputs whose content words hardly occur in the inputs."""
    for sentence in outputs.sentences:
        if sentence.kind in ("heading", "description") or sentence.plain in support.texts:
            continue
        news = _new(sentence.words, support)
        if not news:
            continue
        real = [word for word in sentence.words if word.stem not in META]
        bare = not any(literal.kind != "name" for literal in sentence.literals)
        fresh, whole = _amount(news), _amount(real)
        least = 2 if bare and whole >= 3 else 3
        if fresh >= least and fresh >= _SENTENCE_SHARE * whole:
            yield sentence.text.strip(" *:\n")
            continue
        for start, end in sentence.clauses:
            inside = [word for word in real if start <= word.start < end]
            fresh, whole = _amount(word for word in news if start <= word.start < end), _amount(inside)
            share = _CLAUSE_SHARE if inside and inside[0].text.isascii() else _CLAUSE_SHARE_CJK
            if fresh >= 3 and fresh >= share * whole:
                yield sentence.text[start - sentence.start : end - sentence.start].strip(" *:\n")
                break


def transferred(inputs: Index, outputs: Index) -> Iterator[str]:
    """Yield the sentences of the outputs that say of a stranger, too, what the inputs say of one thing.

    "The timeout of brimstore is 79 s": the number is known, and so is the timeout; brimstore is not.
    """
    before, after = _tellers(inputs), _tellers(outputs)
    for value, told in after.items():
        once = before.get(value, [])
        if not once or len(told) <= len(once):
            continue
        for sentence in told:
            if sentence.plain in inputs.texts:
                continue
            names = [word for word in _new(sentence.words, inputs) if _name_like(word)]
            alike = any(len(sentence.tokens & other.tokens) > 1 for other in once)
            if names and alike and all(other is sentence or not _mentions(other, names) for other in told):
                yield sentence.text.strip(" *:\n")


def _tellers(index: Index) -> dict[str, list[Sentence]]:
    found: dict[str, list[Sentence]] = {}
    for sentence in index.sentences:
        if sentence.kind not in ("heading", "description"):
            for value in {token(lit) for lit in sentence.literals if lit.kind in _VALUES and not lit.soft}:
                found.setdefault(value, []).append(sentence)
    return found


def _name_like(word: Word) -> bool:
    low = word.text.casefold()
    return low.isascii() and len(low) > 3 and presumed(low)


def _mentions(sentence: Sentence, words: Iterable[Word]) -> bool:
    return any(word.stem in sentence.stems for word in words)


def _new(words: tuple[Word, ...], support: Index) -> list[Word]:
    return [word for word in words if not knows(support, word) and word.stem not in META]


def knows(support: Index, word: Word) -> bool:
    """Return whether a word stands in the texts; for Han, whether its characters do: 同じ名前 is 同名, 再送 送り直し."""
    return word.stem in support.stems or (is_han(word.text) and support.han.issuperset(word.text))


def _amount(words: Iterable[Word]) -> float:
    """Return how many words these are, each once: pairs of characters that overlap are pieces of one run of words."""
    runs: dict[str, float] = {}
    text, end = "", -1
    for word in words:
        if is_han(word.text) and word.start < end and text:
            runs.pop(text)
            text += word.text[end - word.start :]
        else:
            text = word.stem if not is_han(word.text) else word.text
        end = word.end
        runs[text] = max(1.0, len(text) / 2) if is_han(text) else 1.0
    return sum(runs.values())


def dropped(inputs: Index, outputs: Index, *, declared: str = "", gone: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the sentences of the inputs whose content hardly occurs in the outputs.

    ``declared``: plain text, ``gone``: tokens that may go.
    """
    common = outputs.common
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
        if not gone & sentence.tokens and _another_part(sentence, inputs, outputs):
            yield sentence.text.strip(" *:\n")
            continue
        tokens = frozenset(token for token in sentence.tokens if token not in META and token not in gone)
        tokens -= _respelled(sentence, outputs)
        if len(tokens) < 3 or len(tokens) < len(sentence.tokens) / 2 or _valued(sentence, tokens, outputs):
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


_TITLE = re.compile(r"(?i)^(?:the |an? )?[a-z][a-z-]* of (?:[a-z'/-]+ ?){1,6}[.:]?$")
_CALLS = re.compile(r"(?i)^(?:be|beware|dispose|think|speak|know|hear|approve|get rid|make use)\b")
_ACTS = re.compile(r"(?i)\b(?:is|are|was|were|has|have|had|do|does|did|will|would|can|could|may|might|must|should|[a-z]{3,}ed)\b")
_TITLE_CJK = re.compile(r"(?:メモ|覚え書き|備忘録|まとめ|の仕組み|の概要|の話|の件|について)[。.]?$")


def _topic(sentence: Sentence, outputs: Index) -> bool:
    """Return whether the opening of a body only says what it is about: "Clean-up of the scratch disk.", 採番のメモ。

    Its thing must still be spoken of.
    """
    text = sentence.text.strip(" *_")
    if sentence.marks or any(literal.kind in _VALUES for literal in sentence.literals):
        return False
    english = _TITLE.match(text) and not _CALLS.match(text) and not _ACTS.search(text)
    if not english and not (_TITLE_CJK.search(text) and len(sentence.words) <= _SHORT):
        return False
    kept = [word for word in sentence.words if word.stem not in META and knows(outputs, word)]
    return _amount(kept) * 3 >= _amount(word for word in sentence.words if word.stem not in META)


_AS_THERE = re.compile(
    r"(?i)\b(?:as in|as before|same as|see|stay(?:s|ed)?|unchanged|remains?|rest|everything else|all else|still stands?)\b"
    r"|変わらない|変わらず|変更なし|変えていない|同じ|そのまま|参照|不变|相同|그대로"
)


_CUT = re.compile(r"(?i)\b(?:in|see|to|from) *[.)]*$|[(（] *[)）]|^ *[はとのにを]")
"""What a link leaves behind that is not weighed, because its entry is part of the same merge."""


def _refers(sentence: Sentence) -> bool:
    """Return whether a sentence sends its reader to an entry that it is being merged with: "the rest is as in [[other]]"."""
    bare = all(literal.soft for literal in sentence.literals)
    return bare and _CUT.search(sentence.text.strip()) is not None and _AS_THERE.search(sentence.text) is not None


def _leads_in(sentence: Sentence) -> bool:
    """Return whether a sentence only announces a list, and at most how long it is: "The value stands in three places:"."""
    if sentence.marks or not sentence.text.rstrip(" *_").endswith((":", "：")):
        return False
    counts = all(literal.kind == "number" and literal.soft and not literal.unit for literal in sentence.literals)
    return counts and _amount(word for word in sentence.words if word.stem not in EDITORIAL) <= 2


def _valued(sentence: Sentence, tokens: frozenset[str], outputs: Index) -> bool:
    """Return whether a sentence is a value and two words, and the value is kept: "the calculation runs every 20 s"."""
    values = {token(lit) for lit in sentence.literals if lit.kind in _VALUES and lit.unit and not lit.soft}
    return len(tokens) == 3 and len(values) == 1 and values <= outputs.tokens and not sentence.classes


def undescribed(inputs: Index, outputs: Index) -> Iterator[str]:
    """Yield the descriptions of the inputs that say what no body says, and hardly any output."""
    for sentence in inputs.sentences:
        if sentence.kind != "description" or sentence.plain in outputs.texts:
            continue
        own = [word for word in sentence.words if word.stem not in EDITORIAL and not _said_in_body(word, inputs)]
        gone = [word for word in own if not knows(outputs, word)]
        if _amount(own) >= 3 and _amount(gone) > (1 - _DROPPED) * _amount(own):
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
    own = sentence.tokens - outputs.common - names
    holders = [other for other in outputs.sentences if names & other.tokens]
    bare = bool(names) and all(literal.kind == "name" for literal in sentence.literals)
    if not bare or not holders or not own - outputs.tokens:
        return False
    rivals = [other for other in inputs.sentences if other is not sentence and names & other.tokens]
    return all(
        not own & (holder.tokens | holder.over)
        and any(len((other.tokens - names) & holder.tokens) > 1 for other in rivals if not own & other.tokens)
        for holder in holders
    )


def _recombined(sentence: Sentence, outputs: Index) -> bool:
    """Return whether the words of a sentence without hard literals stand in one place in other compounds (同じ名前 → 同名)."""
    if sentence.literals or not any(is_han(word.text) for word in sentence.words):
        return False
    han = frozenset(char for char in sentence.text if is_han(char))
    rest = frozenset(word.stem for word in sentence.words if not is_han(word.text))
    return any(
        len(han.intersection(other.text)) + len(rest & other.stems) >= 0.7 * (len(han) + len(rest)) for other in outputs.sentences
    )


def translated(inputs: Index, outputs: Index) -> str:
    """Return the first sentence of an output in a script that none of the inputs is written in, else ``""``."""
    known = {script for reading in inputs.readings for script, share in _scripts(reading).items() if share >= 0.15}
    if not known:
        return ""
    for reading in outputs.readings:
        shares = _scripts(reading)
        main = max(shares, key=lambda script: shares[script], default="")
        if main and main not in known and shares[main] > 0.5:
            return next((s.text.strip() for s in reading.sentences if s.words), "")
    return ""


def _scripts(reading: Reading) -> dict[str, float]:
    """Return the share of each script in the words of a text; kana makes Han Japanese."""
    counts: Counter[str] = Counter()
    names = _names_of(reading)
    han = "kana" if cjk.has_kana(reading.clean) else "han"
    for sentence in reading.sentences:
        for word in sentence.words:
            char = word.text[0]
            if "\uac00" <= char <= "\ud7a3":
                counts["hangul"] += 1
            elif "\u3041" <= char <= "\u30ff":
                counts["kana"] += 1
            elif "\u3400" <= char <= "\u9fff":
                counts[han] += 1
            elif word.stem not in names:
                counts["latin"] += 1
    whole = sum(counts.values())
    return {script: count / whole for script, count in counts.items()} if whole >= 4 else {}


def _names_of(reading: Reading) -> frozenset[str]:
    """Names are written in Latin letters in every language; so are words that stand in half of the sentences."""
    counts = Counter(word for sentence in reading.sentences for word in sentence.stems)
    often = {word for word, count in counts.items() if count >= max(2, len(reading.sentences) / 2)}
    return frozenset(often | {token(lit) for lit in reading.literals if lit.kind in ("name", "subject")})


__all__ = ["Sentence", "dropped", "transferred", "translated", "undescribed", "unsupported"]
