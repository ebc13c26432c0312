"""Invention: a literal of the output that none of its sources holds (SPEC §8).

That it stands somewhere else in the store is no excuse: facts wander between entries that way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agentops_dream.facts.anchors import worked_out
from agentops_dream.facts.dates import Day, parse_key
from agentops_dream.facts.index import Index
from agentops_dream.facts.literal import Literal
from agentops_dream.facts.reading import Reading
from agentops_dream.facts.words import stem
from agentops_dream.patterns import late

_CJK = late("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def invented(support: Index, outputs: Index, before: Sequence[Reading], links: frozenset[str]) -> Iterator[str]:
    """Yield the literals of the outputs that stand in no source, each once.

    ``links``: link keys of entries that exist, are shown, or are planned; naming one is no claim.
    """
    seen: set[tuple[str, str, str]] = set()
    known_links = {literal.key for literal in support.literals if literal.kind == "link"} | links
    days: frozenset[Day] | None = None
    for literal in outputs.literals_of_texts:
        mark = (literal.kind, literal.key, literal.unit)
        if literal.soft or literal.kind == "subject" or mark in seen:
            continue
        seen.add(mark)
        if literal.kind == "link":
            if literal.key not in known_links:
                yield literal.text
            continue
        if support.has(literal, shorter=True):
            continue
        if literal.kind in ("date", "weekday"):
            if days is None:
                days = frozenset().union(*(worked_out(reading) for reading in before))
            if _follows(literal, days, support):
                continue
        if (literal.kind == "quote" and _said(literal, support)) or _is_what(literal.key, support):
            continue
        yield literal.text
    yield from _foreign_words(support, outputs, " ".join(known_links))


def _foreign_words(support: Index, outputs: Index, links: str) -> Iterator[str]:
    """Yield Latin words in texts of another script that stand nowhere in the sources.

    There, they are the names of tools and things, although nothing about their form says so.
    """
    for sentence in outputs.sentences:
        if sentence.text.isascii() or not _CJK.search(sentence.text):
            continue
        for word in sentence.words:
            new = len(word.text) > 2 and word.text.isascii() and word.stem not in support.stems
            known = word.text.casefold() in support.plain or word.text.casefold() in links
            if new and not known and not _is_what(word.text.casefold(), support):
                yield word.text


_WHAT = {
    word: late(pattern)
    for words, pattern in {
        "url urls uri": r"\w://\S",
        "ip ips": r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])",
        "email e-mail": r"\w@\w",
    }.items()
    for word in words.split()
}
"""What a literal is called, and how it looks."""


def _is_what(word: str, support: Index) -> bool:
    """Return whether a casefolded word only says what a literal is that the sources hold: "URL" beside one."""
    look = _WHAT.get(word)
    return look is not None and look.search(support.plain) is not None


def _follows(literal: Literal, days: frozenset[Day], support: Index) -> bool:
    """Return whether a date, or a weekday, is that of a day which the sources give or work out."""
    if literal.kind == "date":
        return any(parse_key(literal.key).within(day) for day in days)
    return any(day.full and str(day.full.weekday()) == literal.key for day in days | support.days)


def _said(literal: Literal, support: Index) -> bool:
    """Return whether a quotation only puts marks around words that stand in one sentence."""
    words = {stem(part.key) for part in literal.parts if part.kind == "word"}
    numbers = [part for part in literal.parts if part.kind != "word"]
    return (
        bool(words)
        and all(support.has(part, shorter=True) for part in numbers)
        and any(words <= sentence.stems | {stem(w) for w in sentence.text.split()} for sentence in support.sentences)
    )
