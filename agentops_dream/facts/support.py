"""Unsupported sentences: claims that carry no literal (SPEC §8).

"Tiles are dropped oldest first" names no number and no path, and yet it is a claim. What gives it
away is that its content words hardly occur in the texts it is said to come from.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from agentops_dream.facts import cjk
from agentops_dream.facts.cjk import is_han
from agentops_dream.facts.editorial import CUT, META
from agentops_dream.facts.index import Index
from agentops_dream.facts.names import presumed
from agentops_dream.facts.reading import Reading, Sentence, token
from agentops_dream.facts.words import Word

_SENTENCE_SHARE = 0.6
_POINTER = 4
_CLAUSE_SHARE = 0.6
_CLAUSE_SHARE_CJK = 0.5
VALUES = frozenset({"number", "version", "time", "date", "address", "url", "path", "email"})
"""Kinds of literals that state something of a thing, and are no names."""


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
        fresh, whole = extent(news), extent(real) + _vouching(sentence, support)
        least = 2 if bare and whole >= 3 else 3
        if _points(sentence, whole):
            continue
        if fresh >= least and fresh >= _SENTENCE_SHARE * whole:
            yield sentence.text.strip(" *:\n")
            continue
        for start, end in sentence.clauses:
            inside = [word for word in real if start <= word.start < end]
            whole = extent(inside) + _vouching(sentence, support, start, end)
            fresh = extent(word for word in news if start <= word.start < end)
            share = _CLAUSE_SHARE if inside and inside[0].text.isascii() else _CLAUSE_SHARE_CJK
            if fresh >= 3 and fresh >= share * whole:
                yield sentence.text[start - sentence.start : end - sentence.start].strip(" *:\n")
                break


def _points(sentence: Sentence, whole: float) -> bool:
    """Return whether a short sentence only sends its reader to another entry."""
    points = all(literal.kind == "link" for literal in sentence.literals) if sentence.literals else CUT.search(sentence.text)
    return whole <= _POINTER and not sentence.marks and bool(points)


def _vouching(sentence: Sentence, support: Index, start: int = 0, end: int = sys.maxsize) -> int:
    """Return how many words the values and things of a sentence are worth that the inputs hold: each as much as two.

    What stands on another line of it may be another sentence, and vouches for nothing.
    """
    if "\n" in sentence.text.strip():
        return 0
    held = {token(lit) for lit in sentence.literals if start <= lit.start < end and lit.kind not in ("name", "subject", "link") and not lit.soft}
    return 2 * len(held & support.tokens)


def transferred(inputs: Index, outputs: Index) -> Iterator[str]:
    """Yield the sentences of the outputs that say of a stranger, too, what the inputs say of one thing.

    "The timeout of brimstore is 79 s": the number is known, and so is the timeout; brimstore is not.
    """
    before, after = tellers(inputs), tellers(outputs)
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


def tellers(index: Index) -> dict[str, list[Sentence]]:
    """Return, for each value as a token, the sentences that state it; headings and descriptions state none."""
    found: dict[str, list[Sentence]] = {}
    for sentence in index.sentences:
        if sentence.kind not in ("heading", "description"):
            for value in {token(lit) for lit in sentence.literals if lit.kind in VALUES and not lit.soft}:
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


def extent(words: Iterable[Word]) -> float:
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

