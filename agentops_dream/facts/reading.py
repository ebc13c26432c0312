"""A text as facts: its sentences, literals, names and words, read once (SPEC §8).

:func:`read` is the only way in; it is cached, because an entry is weighed as input, as evidence and
as a neighbour within one dream.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from agentops_dream.facts import cjk, marks, sentences, units
from agentops_dream.facts.blocks import Block, blocks
from agentops_dream.facts.clean import clean
from agentops_dream.facts.literal import FILL, Literal, atoms
from agentops_dream.facts.literals import code_line, extract
from agentops_dream.facts.names import names
from agentops_dream.facts.words import Word, content_words, stem
from agentops_dream.patterns import late


@dataclass(frozen=True)
class Text:
    """One entry as far as facts are concerned."""

    id: str
    """Supports facts (a date in a file name), but nothing in it has to be kept."""
    description: str
    body: str


@dataclass(frozen=True, eq=False)
class Sentence:
    """One sentence and its company. Offsets are in the cleaned text."""

    text: str
    start: int
    kind: str
    """``description``, ``text``, ``item``, ``row`` or ``heading``."""
    block: int
    literals: tuple[Literal, ...]
    words: tuple[Word, ...]
    """Content words; hedges, negations and limits are no words but ``marks``."""
    marks: tuple[marks.Mark, ...]
    over: frozenset[str]
    """Stems of what stands over it."""
    over_classes: frozenset[str]
    """Classes of the marks that stand over it."""
    clauses: tuple[tuple[int, int], ...]

    @property
    def end(self) -> int:
        """Offset after it."""
        return self.start + len(self.text)

    @cached_property
    def plain(self) -> str:
        """Its text without markup, case and doubled spaces."""
        return plain(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(word.stem for word in self.words)

    @cached_property
    def tokens(self) -> frozenset[str]:
        """Stems and literals: what the sentence is about."""
        return self.stems | frozenset(token(literal) for literal in self.literals if literal.kind != "link")

    @cached_property
    def ordered(self) -> tuple[str, ...]:
        """Its tokens in their order."""
        return self.between(self.start, self.end)

    def between(self, start: int, end: int) -> tuple[str, ...]:
        """Return the tokens that begin between two offsets, in their order."""
        found = {(word.start, word.stem) for word in self.words if start <= word.start < end}
        found |= {
            (literal.start, token(literal))
            for literal in self.literals
            if literal.kind != "link" and start <= literal.start < end
        }
        return tuple(what for _, what in sorted(found))

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

    def together(self, other: Sentence) -> bool:
        """Return whether both stand in one block; the items of a list are one, and so are the rows of a table."""
        return self.block == other.block or (self.kind == other.kind and self.kind in ("item", "row"))

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.clauses]


@dataclass(frozen=True, eq=False)
class Reading:
    """A text, read."""

    text: Text
    clean: str
    """Description, a blank line, body."""
    sentences: tuple[Sentence, ...]
    literals: tuple[Literal, ...]

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all words."""
        return frozenset().union(*(sentence.stems for sentence in self.sentences))

    @cached_property
    def plain(self) -> str:
        """The text without markup, case and doubled spaces, for looking up what is no token."""
        return plain(self.clean)

    @cached_property
    def ids(self) -> frozenset[str]:
        """Stems of the words in the id."""
        identity = clean(self.text.id)
        latin = frozenset(stem(word) for word in re.findall(r"[A-Za-z]{2,}", identity))
        return latin | frozenset(word.stem for word in content_words(identity))

    @cached_property
    def extra(self) -> tuple[Literal, ...]:
        """Literals in the id: they support and need not be kept."""
        identity = clean(self.text.id)
        return (*extract(identity)[1], *atoms(identity))


_TYPED = frozenset({"date", "time", "relative", "weekday", "quote"})


def token(literal: Literal) -> str:
    """Return a literal as a token beside stems; a name is its stem."""
    if literal.kind in ("name", "subject"):
        return stem(literal.key)
    if literal.kind == "number":
        return f"{units.loose_key(literal.key, literal.unit)} {literal.unit}"
    # Back-ticks come and go: a path is the same token as code.
    return f"{literal.kind if literal.kind in _TYPED else ''}:{literal.key}"


_MARKUP = re.compile(r"[`*\"「」『』《》\\]|_(?<![A-Za-z0-9]_)_*|_+(?![A-Za-z0-9_])")
_EQUAL = re.compile(r" ?([=:|]) ?")
_CJK_GAP = late(r" (?:(?<=[\u3000-\u9fff\uac00-\ud7a3] )|(?=[\u3000-\u9fff\uac00-\ud7a3]))")


def plain(text: str) -> str:
    """Return cleaned text as compared letter by letter: no markup, no case, single spaces."""
    text = " ".join(_MARKUP.sub("", text).split()).casefold()
    if "=" in text or ":" in text or "|" in text:
        text = _EQUAL.sub(r"\1", text)
    return text if text.isascii() else _CJK_GAP.sub("", text)


@lru_cache(maxsize=1024)
def read(text: Text) -> Reading:
    """Return ``text`` as facts."""
    description, body = clean(text.description).strip(), clean(text.body)
    whole = f"{description}\n\n{body}"
    masked, literals, signs = _walk(blocks(whole))
    numbering, ordinals = _numbering(whole)
    if numbering:
        literals = [
            literal for literal in literals if literal.start not in ordinals and not _refers(literal, numbering, whole)
        ]
    literals = _with_units(literals, whole)
    spans = list(sentences.split(masked))
    literals += names(masked, spans)
    literals.sort(key=lambda literal: (literal.start, -literal.end))
    return Reading(
        text=text,
        clean=whole,
        sentences=tuple(_sentences(whole, masked, spans, literals, signs, len(description))),
        literals=tuple(literals),
    )


_NUMBERING = re.compile(r"(?m)^[ >]*(?:[-*+•] +)?(?:\[[ xX]\] +)?(\d{1,2})[.)] ")
_ORDINAL = re.compile(r"(?m)^[ >]*\|\s*(\d{1,2})\s*\||(?<![\w)])\((\d{1,2})\)(?=\s|[^\x00-\x7f])")
"""The cells of a first column, numbers in brackets: numbering, if they count from 1."""
_LISTED = r"(?:\d{1,2}(?: ?(?:,|and|&|or|to|-|~|と|や|、|・|및|와|과|和|到|から) ?(?:steps? )?)+)*"
_POINTS_AT = re.compile(
    rf"(?i)(?:\b(?:steps?|items?|points?|numbers?|nos?\.?|rules?|phases?|stages?)|手順|ステップ|項目|工程|番号|步骤|단계|항목|第(?=\d* ?[項步歩段工])) ?{_LISTED}$"
)
_POINTED_AT = re.compile(rf"^(?: ?(?:と|や|、|・|から|~|和|到|와|과|및) ?{_LISTED}\d{{0,2}})? ?(?:の?順|の(?:後|前|あと|まえ)(?!の)|が(?:済|終)|より(?:必ず)?[先前後]|から(?:やり直|始め|再開|繰り返)|に戻|へ戻|番目?(?!号)|を?逆|步|项|단계|번(?!호))")


def _numbering(text: str) -> tuple[frozenset[str], frozenset[int]]:
    """Return the numbers of the items of a text's own lists, and where numbers stand that are no more than that."""
    numbers = set(_NUMBERING.findall(text))
    found = [(match[1] or match[2], match.start(1 if match[1] else 2)) for match in _ORDINAL.finditer(text)]
    counted = {number for number, _ in found}
    if len(counted) < 2 or {int(number) for number in counted} != set(range(1, len(counted) + 1)):
        found = [(number, at) for number, at in found if number in numbers and text[at - 1] == "("]
    return frozenset(numbers | {number for number, _ in found}), frozenset(at for _, at in found)


def _refers(literal: Literal, numbering: frozenset[str], text: str) -> bool:
    """Return whether a number names an item of the entry's own numbered list, whose numbering is free."""
    if literal.kind not in ("number", "issue") or literal.unit or literal.key.lstrip("#") not in numbering:
        return False
    before, after = text[max(0, literal.start - 40) : literal.start], text[literal.end : literal.end + 24]
    return _POINTS_AT.search(before) is not None or _POINTED_AT.match(after) is not None


_ROW_OF_NUMBERS = re.compile(r"(?: ?[,/–-] ?|、|,? ?(?:and|or|to)(?= ) ?|と|や|から|または| ?(?:和|或|到) ?)")


def _with_units(literals: list[Literal], text: str) -> list[Literal]:
    """Return the literals with the unit that a row of numbers has behind its last one: "9 and 12 weeks"."""
    found = sorted(literals, key=lambda literal: literal.start)
    for at in range(len(found) - 2, -1, -1):
        one, after = found[at], found[at + 1]
        bare = one.kind == after.kind == "number" and not one.unit and after.unit and not one.soft
        if bare and _ROW_OF_NUMBERS.fullmatch(text, one.end, after.start):
            found[at] = one._replace(unit=after.unit)
    return found


def _walk(found: Iterable[Block]) -> tuple[list[Block], list[Literal], list[marks.Mark]]:
    masked: list[Block] = []
    literals: list[Literal] = []
    signs: list[marks.Mark] = []
    for block in found:
        if block.kind == "code":
            literals.append(code_line(block.text, block.start))
            masked.append(Block("code", block.start, FILL * len(block.text)))
            continue
        text, mine = extract(block.text, block.start)
        literals += mine
        masked.append(Block(block.kind, block.start, text))
        signs += sorted(marks.find(text, block.start), key=lambda mark: mark.start)
    return masked, literals, signs


def _sentences(
    whole: str,
    masked: Sequence[Block],
    spans: Sequence[sentences.Span],
    literals: Sequence[Literal],
    signs: Sequence[marks.Mark],
    description: int,
) -> Iterable[Sentence]:
    chinese = not cjk.has_kana(whole)
    literal_at = [literal.start for literal in literals]
    sign_at = [mark.start for mark in signs]
    heads: dict[tuple[int, int], tuple[frozenset[str], frozenset[str]]] = {}

    def text_of(start: int, end: int, block: Block) -> tuple[Word, ...]:
        here = signs[bisect_right(sign_at, start - 1) : bisect_right(sign_at, end - 1)]
        words = content_words(block.text, start - block.start, end - block.start, chinese=chinese, base=block.start)
        if not here:
            return tuple(words)
        taken = {at for mark in here for at in range(mark.start, mark.end)}
        return tuple(word for word in words if taken.isdisjoint(range(word.start, word.end)))

    blocks_at = [block.start for block in masked]
    for span in spans:
        if span.start >= span.end:  # a heading or item without a word
            continue
        over: frozenset[str] = frozenset()
        over_classes: frozenset[str] = frozenset()
        for head in span.over:
            if head not in heads:
                block = masked[bisect_right(blocks_at, head[0]) - 1]
                here = signs[bisect_right(sign_at, head[0] - 1) : bisect_right(sign_at, head[1] - 1)]
                heads[head] = (
                    frozenset(word.stem for word in text_of(*head, block)),
                    frozenset(mark.name for mark in here),
                )
            over |= heads[head][0]
            over_classes |= heads[head][1]
        yield Sentence(
            text=whole[span.start : span.end],
            start=span.start,
            kind="description" if span.start < description else span.kind,
            block=span.block,
            literals=tuple(literals[bisect_right(literal_at, span.start - 1) : bisect_right(literal_at, span.end - 1)]),
            words=text_of(span.start, span.end, masked[span.block]),
            marks=tuple(signs[bisect_right(sign_at, span.start - 1) : bisect_right(sign_at, span.end - 1)]),
            over=over,
            over_classes=over_classes,
            clauses=span.clauses,
        )


__all__ = ["FILL", "Reading", "Sentence", "Text", "plain", "read", "token"]
