"""Whether a literal stands in a set of texts, under any of its honest spellings (SPEC §8).

One index serves both ways: an input's literal must stand in the outputs (loss), an output's literal
in the inputs (invention).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from agentops_dream.facts import units
from agentops_dream.facts.cjk import is_han
from agentops_dream.facts.dates import Day, compact_dates, parse_key
from agentops_dream.facts.literal import Literal, squeeze, walk_parts
from agentops_dream.facts.pairing import Pairing, pair
from agentops_dream.facts.reading import Reading, Sentence, plain
from agentops_dream.facts.words import is_stop, stem

_ALIKE = {frozenset(pair) for pair in (("m", "min"), ("g", "gb"), ("g", "gib"), ("m", "mb"), ("m", "mib"), ("k", "kb"))}
_BY_NAME = {
    "12:00": re.compile(r"\b(?:noon|midday)\b|正午|中午|정오"),
    "00:00": re.compile(r"\bmidnight\b|24:00|零時|零点|자정"),
    "24:00": re.compile(r"\bmidnight\b|(?<!\d)0?0:00|零時|零点|자정"),
}
_NAMES = frozenset({"url", "path", "email", "hash"})
_NAMED = "in a name"
"""Stands for the unit of a number that measures nothing."""
_LATIN = re.compile(r"[a-z]+")
_ARROW = re.compile(r"→|->|⇒|=>")
_QUOTES = "\"'“”„‘’「」『』«» "
_SPELL_OUT = {"url", "path", "code", "email", "identifier", "flag", "quote", "version", "address", "issue", "hash"}


@dataclass(frozen=True, eq=False)
class Index:
    """What stands in some texts."""

    readings: tuple[Reading, ...]
    ids: bool = True
    """Whether ids support, too."""

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences."""
        return tuple(sentence for reading in self.readings for sentence in reading.sentences)

    @cached_property
    def literals(self) -> tuple[Literal, ...]:
        """All literals and their parts."""
        found: list[Literal] = []
        for reading in self.readings:
            found.extend(walk_parts(reading.literals))
            if self.ids:
                found.extend(reading.extra)
        return tuple(found)

    @property
    def literals_of_texts(self) -> Iterator[Literal]:
        """The literals as they stand in the texts: no parts, no ids."""
        return (literal for reading in self.readings for literal in reading.literals)

    @cached_property
    def keys(self) -> frozenset[tuple[str, str]]:
        """``(kind, key)`` of every literal."""
        return frozenset((literal.kind, literal.key) for literal in self.literals)

    @cached_property
    def bare(self) -> frozenset[str]:
        """Keys whatever their kind."""
        return frozenset(literal.key for literal in self.literals)

    @cached_property
    def numbers(self) -> dict[str, set[str]]:
        """Number -> the hard units it stands with; ``_NAMED``: it is part of a name."""
        found: dict[str, set[str]] = defaultdict(set)
        named = {
            id(part)
            for literal in self.literals
            if literal.kind in _NAMES or " " in literal.key
            for part in literal.parts
            if not part.unit
        }
        for literal in self.literals:
            if literal.kind == "number":
                unit = _NAMED if id(literal) in named else literal.unit
                found[literal.key].add(unit)
                found[units.loose_key(literal.key, literal.unit)].add(unit)
            elif literal.kind in ("version", "issue"):
                digits = literal.key.lstrip("vV#")
                found[digits].add("")
                found[units.loose_key(digits)].add("")
        return found

    @cached_property
    def amounts(self) -> frozenset[tuple[str, float]]:
        """What the numbers with a unit come to: ``1,600 ms`` is ``1.6 s``."""
        found = (units.amount(literal.key, literal.unit) for literal in self.literals if literal.kind == "number")
        return frozenset(size for size in found if size is not None) | units.amounts_in_words(self.plain)

    @cached_property
    def versions(self) -> tuple[str, ...]:
        """Dotted numbers, for whether a shorter one is the head of a longer one."""
        return tuple(
            {
                lit.key.lstrip("vV")
                for lit in self.literals
                if lit.kind == "version" or (lit.kind == "number" and not lit.unit)
            }
        )

    @cached_property
    def days(self) -> frozenset[Day]:
        """All dates, compact ones in file names included."""
        found = {parse_key(literal.key) for literal in self.literals if literal.kind == "date"}
        for reading in self.readings:
            found.update(compact_dates(reading.clean))
            if self.ids:
                found.update(compact_dates(reading.text.id))
        return frozenset(found)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all words, those inside literals included."""
        found = set().union(*(reading.stems for reading in self.readings)) if self.readings else set()
        for literal in self.literals:
            if literal.kind in ("word", "name", "quote", "identifier"):
                found.add(stem(literal.key))
                found.update(stem(piece) for piece in re.findall(r"[A-Za-z]{2,}", literal.key))
        if self.ids:
            for reading in self.readings:
                found |= reading.ids
        return frozenset(found)

    @cached_property
    def han(self) -> frozenset[str]:
        """Every Han character that stands there."""
        texts = [self.plain, *(reading.text.id for reading in self.readings if self.ids)]
        return frozenset(char for text in texts if not text.isascii() for char in text if is_han(char))

    @cached_property
    def latin(self) -> frozenset[str]:
        """Every word in Latin letters, those inside literals too."""
        texts = [self.plain, *(reading.text.id.casefold() for reading in self.readings if self.ids)]
        return frozenset(word for text in texts for word in _LATIN.findall(text))

    @cached_property
    def tokens(self) -> frozenset[str]:
        """Tokens of all sentences."""
        return frozenset().union(*(sentence.tokens for sentence in self.sentences))

    @cached_property
    def pairs(self) -> Pairing:
        """The sentences, ready to be looked up by their tokens."""
        return pair(self.sentences)

    @cached_property
    def texts(self) -> frozenset[str]:
        """The sentences as compared letter by letter: what stands there unchanged needs no weighing."""
        return frozenset(sentence.plain for sentence in self.sentences)

    @cached_property
    def common(self) -> frozenset[str]:
        """What half of the sentences speak of: that one more of them does says nothing."""
        counts = Counter(token for sentence in self.sentences for token in sentence.tokens)
        return frozenset(token for token, count in counts.items() if count >= max(3.0, len(self.sentences) / 2))

    @cached_property
    def plain(self) -> str:
        """All texts as compared letter by letter."""
        return "\n".join(reading.plain for reading in self.readings)

    @cached_property
    def unit_words(self) -> frozenset[str]:
        """Hard units that stand as words of their own ("timeout in seconds")."""
        return frozenset(
            units.CANON[word] for word in re.findall(r"[a-z%]+|ミリ秒|秒|分|時間|日", self.plain) if word in units.CANON
        )

    def spelled(self, text: str) -> bool:
        """Return whether ``text`` stands there letter by letter, as a word of its own."""
        wanted = plain(text)
        if not wanted:
            return True
        at = self.plain.find(wanted)
        while at >= 0:
            before, after = self.plain[at - 1 : at], self.plain[at + len(wanted) : at + len(wanted) + 2]
            if not (_joins(before, wanted[0]) or _joins_after(wanted[-1], after)):
                return True
            at = self.plain.find(wanted, at + 1)
        return False

    def together(self, literal: Literal) -> bool:
        """Return whether the parts of a compound literal stand in one sentence, in some order."""
        parts = [part for part in literal.parts if part.kind != "word" or len(part.key) > 1]
        if len(parts) < 2:
            return False
        keys = {_part_key(part) for part in parts}
        orders = self._orders.get(frozenset(keys))
        if orders and _in_line(literal) not in orders:
            return False  # the same parts in another order: `cp a b` is not `cp b a`
        return any(keys <= self._parts_of(sentence) for sentence in self.sentences)

    def _parts_of(self, sentence: Sentence) -> frozenset[str]:
        cached = self._part_cache.get(id(sentence))
        if cached is None:
            found = {_part_key(lit) for lit in walk_parts(sentence.literals)}
            found.update(word.text.casefold() for word in sentence.words)
            found.update(word.casefold() for word in re.findall(r"[A-Za-z]+", sentence.text))
            cached = self._part_cache[id(sentence)] = frozenset(found)
        return cached

    @cached_property
    def _orders(self) -> dict[frozenset[str], set[tuple[str, ...]]]:
        """The parts of every compound literal -> the orders in which they stand."""
        found: dict[frozenset[str], set[tuple[str, ...]]] = defaultdict(set)
        for literal in self.literals:
            if len(literal.parts) > 1:
                found[frozenset(map(_part_key, literal.parts))].add(_in_line(literal))
        return found

    @cached_property
    def _part_cache(self) -> dict[int, frozenset[str]]:
        return {}

    def has_number(self, literal: Literal, *, shorter: bool = False) -> bool:
        """Return whether a number stands there with a unit that does not contradict its own.

        ``shorter``: the head of a dotted number counts ("3.13" for "3.13.5").
        """
        key = literal.key.lstrip("vV#")
        found = self.numbers.get(key) or self.numbers.get(units.loose_key(key, literal.unit))
        if found and any(self._units_agree(literal.unit, unit) for unit in found):
            return True
        if units.amount(key, literal.unit) in self.amounts or units.in_words(key, literal.unit, self.plain):
            return True
        if literal.unit in ("day", "year", "") and key.isdigit():
            for day in self.days:
                if (literal.unit == "day" and day.day == int(key)) or (len(key) == 4 and day.year == int(key)):
                    return True
        if (shorter or "." not in key) and not literal.unit:
            return any(
                version.startswith(key + ".") and version.count(".") > key.count(".") for version in self.versions
            ) and (shorter or any(version.startswith(key + ".0") for version in self.versions))
        return False

    def _units_agree(self, one: str, other: str) -> bool:
        if one == other or frozenset((one, other)) in _ALIKE:
            return True
        if other is _NAMED:
            return not one  # the 91 of `/docs/91`, or of a command, is no 91 s
        if not one or not other:
            return (one or other) in self.unit_words or (one or other) in ("day", "year", "pp", "deg")
        return False

    def has_day(self, day: Day) -> bool:
        """Return whether the date stands there at least as exactly as ``day`` gives it."""
        return any(day.within(other) for other in self.days)

    def supports_day(self, day: Day) -> bool:
        """Return whether nothing in ``day`` goes beyond one date there, or a day and a month and a year there."""
        return any(day.within(other) for other in self.days)

    def has(self, literal: Literal, *, shorter: bool = False) -> bool:
        """Return whether a literal stands there under one of its honest spellings."""
        kind, key = literal.kind, literal.key
        if (kind, key) in self.keys and kind != "number":
            return True
        if kind == "number" or (kind in ("version", "issue") and key.lstrip("vV#").replace(".", "").isdigit()):
            if self.has_number(literal, shorter=shorter):
                return True
            return kind != "number" and self.spelled(literal.text)
        if kind == "date":
            return self.has_day(parse_key(key))
        if kind == "time" and key in _BY_NAME:
            return _BY_NAME[key].search(self.plain) is not None
        if kind == "relative" and literal.parts:
            return self.has_number(literal.parts[0])
        if kind == "identifier" and (kind, key.removesuffix("s") if key.endswith("s") else key + "s") in self.keys:
            return True  # one PodBudget, two PodBudgets
        if kind in ("name", "subject"):
            return stem(key) in self.stems or key in self.bare or self.spelled(literal.text)
        if kind in _SPELL_OUT:
            if key in self.bare:
                return True
            if kind == "code" and literal.text.isalpha() and is_stop(literal.text):
                return False
            if self.spelled(squeeze(literal.text) if kind == "code" else literal.text) or self.together(literal):
                return True
            return self._in_steps(literal) or (kind == "code" and self._all_flags(literal))
        return False

    def _all_flags(self, literal: Literal) -> bool:
        """Return whether a code span is a row of flags that all stand there: one flag of several may have changed."""
        flags = literal.text.split()
        known = {other.text for found in self.literals for other in (found, *found.parts) if other.text.startswith("-")}
        known |= {flag for found in self.literals if found.kind == "code" for flag in found.text.split()}
        return len(flags) > 1 and all(flag.startswith("-") and flag in known for flag in flags)

    def _in_steps(self, literal: Literal) -> bool:
        """Return whether the steps of a quotation stand there in their order, as in a numbered list: "cart → pay → done"."""
        steps = [step.strip() for step in _ARROW.split(literal.text.casefold().strip(_QUOTES))] if literal.kind == "quote" else []
        at = 0
        for step in steps:
            at = self.plain.find(step, at) + 1
            if not at or not step:
                return False
        return len(steps) > 1


def _in_line(literal: Literal) -> tuple[str, ...]:
    return tuple(_part_key(part) for part in literal.parts if part.kind != "word" or len(part.key) > 1)


def _part_key(literal: Literal) -> str:
    return (
        f"{units.loose_key(literal.key, literal.unit)} {literal.unit}"
        if literal.kind == "number"
        else literal.key.casefold()
    )


def _joins(before: str, first: str) -> bool:
    return (
        bool(before)
        and ((before.isascii() and before.isalnum()) or before == "_")
        and (first.isascii() and first.isalnum())
    )


def _joins_after(last: str, after: str) -> bool:
    if not after or not (last.isascii() and last.isalnum()):
        return False
    if after[0].isascii() and (after[0].isalnum() or after[0] == "_"):
        return True
    return last.isdigit() and len(after) > 1 and after[0] in ".,:" and after[1].isdigit()


def index(readings: Iterable[Reading], *, ids: bool = True) -> Index:
    """Return an index over ``readings``."""
    return Index(tuple(readings), ids)
