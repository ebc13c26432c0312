"""A text as facts: its sentences, literals, names and words, read once (SPEC §8).

:func:`read` is the only way in; it is cached, because an entry is weighed as input, as evidence and
as a neighbour within one dream.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from agentops_dream.deep.facts import cjk, marks, sentences, units
from agentops_dream.deep.facts.clean import clean
from agentops_dream.deep.facts.literals import FILL, Literal, atoms, extract, walk_parts
from agentops_dream.deep.facts.words import Word, content_words, is_stop, stem


@dataclass(frozen=True)
class Text:
    """One entry as far as facts are concerned."""

    id: str
    """Supports facts (a date in a file name), but nothing in it has to be kept."""
    description: str
    body: str


@dataclass(frozen=True, eq=False)
class Sentence:
    """One sentence and its company."""

    text: str
    start: int
    kind: str
    """``description``, ``text``, ``item``, ``row``, ``heading`` or ``code``."""
    block: int
    literals: tuple[Literal, ...]
    words: tuple[Word, ...]
    over: frozenset[str]
    """Stems of what stands over it."""
    clauses: tuple[tuple[int, int], ...]
    marks: tuple[marks.Mark, ...]
    over_classes: frozenset[str]
    """Classes of the marks that stand over it."""

    @cached_property
    def tokens(self) -> frozenset[str]:
        """Stems and literals: what the sentence is about."""
        return self.stems | frozenset(token(literal) for literal in self.literals if literal.kind != "link")

    @cached_property
    def classes(self) -> frozenset[str]:
        """Classes of its marks."""
        return frozenset(mark.name for mark in self.marks)

    @cached_property
    def clause_tokens(self) -> tuple[frozenset[str], ...]:
        """The tokens of each clause."""
        found: list[set[str]] = [set() for _ in self.clauses]
        for word in self.words:
            self._put(found, word.start, word.stem)
        for literal in self.literals:
            if literal.kind != "link":
                self._put(found, literal.start, token(literal))
        return tuple(map(frozenset, found))

    def _put(self, found: list[set[str]], at: int, what: str) -> None:
        number = self.clause_at(at)
        if number is not None:
            found[number].add(what)

    def clause_at(self, at: int) -> int | None:
        """Return the number of the clause in which an offset lies."""
        number = bisect_right(self._starts, at) - 1
        return number if number >= 0 and at < self.clauses[number][1] else None

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.clauses]

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(word.stem for word in self.words)

    @property
    def end(self) -> int:
        """Offset after it, in the cleaned text."""
        return self.start + len(self.text)


@dataclass(frozen=True, eq=False)
class Reading:
    """A text, read."""

    text: Text
    clean: str
    masked: str
    sentences: tuple[Sentence, ...]
    literals: tuple[Literal, ...]
    stems: frozenset[str]
    ids: frozenset[str]
    """Stems of the words in the id."""
    extra: tuple[Literal, ...] = field(default=())
    """Literals in the id: they support and need not be kept."""

    @cached_property
    def plain(self) -> str:
        """The text without Markdown, case and doubled spaces, for looking up what is no token."""
        return plain(self.clean)


def token(literal: Literal) -> str:
    """Return a literal as a token beside stems; a name is its stem."""
    if literal.kind == "name":
        return stem(literal.key)
    if literal.kind == "number":
        return f"{units.loose_key(literal.key)} {literal.unit}"
    return f"{literal.kind}:{literal.key}"


_MARKUP = re.compile(r"[`*\"「」『』《》\\]|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])")
_SPACES = re.compile(r"\s+")
_EQUAL = re.compile(r" ?([=:|]) ?")
_CJK_GAP = re.compile(r"(?<=[\u3000-\u9fff\uac00-\ud7a3]) | (?=[\u3000-\u9fff\uac00-\ud7a3])")


def plain(text: str) -> str:
    """Return cleaned text as compared letter by letter: no markup, no case, single spaces."""
    text = _SPACES.sub(" ", _MARKUP.sub("", text)).casefold().strip()
    return _CJK_GAP.sub("", _EQUAL.sub(r"\1", text))


_NAME = re.compile(r"(?<![A-Za-z0-9_\u00c0-\u024f@#])[A-Z\u00c0-\u00de][A-Za-z\u00c0-\u024f]+(?:'s(?![a-z]))?")
_HONORIFIC = re.compile(
    r"([\u4e00-\u9fff々]{1,6}|[\u30a1-\u30faー]{2,12}|[A-Za-z]{2,20}|[\uac00-\ud7a3]{2,4})"
    r"(?=さん|氏(?!名)|君(?![\u4e00-\u9fff])|先輩|部長|課長| ?님| ?씨|先生|女士|老师)"
)
_INITIAL = re.compile(r"(?:^|[.:!?。、,(\"'\[|>#*\-]|\n)[ \"'(*_\[#>`]*$")
_FURNITURE = re.compile(
    r"(?im)^[ ]{0,3}(?:[*+-] )?(?:\*\*|__)?(?:why|how to apply|reason|related|see also|links?|理由|適用|関連|なぜ|背景|参照|原因|应用|相关|"
    r"이유|적용|관련)(?: ?\*\*)?[ ]?:"
)
"""Labels that entries are built with. They are no content."""
_COMMON = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december i ok todo note notes why how""".split()
)


def _names(masked: str, spans: Iterable[sentences.Span]) -> list[Literal]:
    """Return words that are names because of how they are written where they stand.

    A capital at the head of a sentence says nothing by itself; it counts if the same word has a
    capital elsewhere in the text, inside a sentence.
    """
    inside: list[re.Match[str]] = []
    heads: list[re.Match[str]] = []
    for span in spans:
        for match in _NAME.finditer(masked, span.start, span.end):
            word = match.group()
            low = word.casefold()
            if low in _COMMON or (is_stop(low) and not word.isupper()):
                continue
            before = masked[max(span.start, match.start() - 6) : match.start()]
            head = match.start() == span.start or not before.strip(" *_\"'([`") or _INITIAL.search(before)
            if span.kind == "heading" and not word.isupper():
                head = True
            (heads if head and not word.isupper() else inside).append(match)
    known = {match.group().removesuffix("'s").casefold() for match in inside}
    found = [_name(match) for match in inside]
    found += [_name(match) for match in heads if match.group().removesuffix("'s").casefold() in known]
    found += [
        Literal("name", match[1].casefold(), match[1], match.start(1), match.end(1))
        for match in _HONORIFIC.finditer(masked)
    ]
    return found


def _name(match: re.Match[str]) -> Literal:
    word = match.group().removesuffix("'s")
    return Literal("name", word.casefold(), word, match.start(), match.start() + len(word))


def _without(words: list[Word], signs: list[marks.Mark]) -> tuple[Word, ...]:
    """Return the words that are no marks: hedges and the like are judged by their class."""
    if not signs:
        return tuple(words)
    return tuple(w for w in words if not any(m.start < w.end and w.start < m.end for m in signs))


@lru_cache(maxsize=1024)
def read(text: Text) -> Reading:
    """Return ``text`` as facts."""
    description, body = clean(text.description).strip(), clean(text.body)
    whole = f"{description}\n\n{body}" if description else body
    masked, literals = extract(whole)
    masked = _FURNITURE.sub(lambda match: " " * (len(match.group()) - 1) + ":", masked)
    spans = list(sentences.split(masked))
    found = sorted((*literals, *_names(masked, spans)), key=lambda lit: (lit.start, -lit.end))
    chinese = not cjk.has_kana(whole)
    signs = sorted(marks.find(masked), key=lambda mark: mark.start)
    made = []
    at = sign = 0
    for span in spans:
        while at < len(found) and found[at].start < span.start:
            at += 1
        mine, index = [], at
        while index < len(found) and found[index].start < span.end:
            mine.append(found[index])
            index += 1
        while sign < len(signs) and signs[sign].start < span.start:
            sign += 1
        here, index = [], sign
        while index < len(signs) and signs[index].start < span.end:
            here.append(signs[index])
            index += 1
        over = frozenset(
            word.stem for left, right in span.over for word in content_words(masked, left, right, chinese=chinese)
        )
        kind = "description" if description and span.start < len(description) else span.kind
        made.append(
            Sentence(
                text=whole[span.start : span.end],
                start=span.start,
                kind=kind,
                block=span.block,
                literals=tuple(mine),
                words=_without(content_words(masked, span.start, span.end, chinese=chinese), here),
                over=over,
                clauses=span.clauses,
                marks=tuple(here),
                over_classes=frozenset(
                    mark.name for mark in signs for left, right in span.over if left <= mark.start < right
                ),
            )
        )
    # Fenced lines are filled in whole, so they are no sentences of their own: their literals stand alone.
    identity = clean(text.id)
    return Reading(
        text=text,
        clean=whole,
        masked=masked,
        sentences=tuple(made),
        literals=tuple(found),
        stems=frozenset().union(*(sentence.stems for sentence in made)),
        ids=frozenset(stem(word) for word in re.findall(r"[A-Za-z]{2,}", identity))
        | frozenset(word.stem for word in content_words(identity)),
        extra=tuple(walk_parts(extract(identity)[1])) + atoms(identity),
    )


__all__ = ["FILL", "Reading", "Sentence", "Text", "plain", "read"]
