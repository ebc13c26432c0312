"""Loss: a fact of the inputs that stands in no output (SPEC §8)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from agentops_dream.facts.anchors import worked_out
from agentops_dream.facts.cjk import is_han
from agentops_dream.facts.dates import find_relative, parse_key
from agentops_dream.facts.index import Index
from agentops_dream.facts.literal import Literal, link_key, walk_parts
from agentops_dream.facts.reading import Reading, Sentence, token


def lost_literals(
    inputs: Index, outputs: Index, *, gone: frozenset[str] = frozenset(), heirs: Mapping[str, str] | None = None
) -> Iterator[tuple[Reading, Literal]]:
    """Yield the literals of the inputs that stand in no output, each once.

    ``gone``: link keys of entries that the bundle itself takes away; links to them may go.
    ``heirs``: link key -> link key of the entry that takes over its links.
    """
    seen: set[tuple[str, str, str]] = set()
    links = {literal.key for literal in outputs.literals if literal.kind == "link"}
    for reading in inputs.readings:
        for literal in reading.literals:
            mark = (literal.kind, literal.key, literal.unit)
            if literal.soft or mark in seen:
                continue
            seen.add(mark)
            if literal.kind == "link":
                heir = (heirs or {}).get(literal.key, "")
                if literal.key in links or literal.key in gone or (heir and heir in links):
                    continue
                yield reading, literal
            elif literal.kind == "relative" and literal.end <= len(reading.text.description) and _dated_label(outputs):
                continue  # "next year" in the old line of the index, the date in the new one
            elif outputs.has(literal) or _shortened(literal, inputs, outputs):
                continue
            elif not _said_by_a_date(literal, reading, outputs):
                yield reading, literal


def _dated_label(outputs: Index) -> bool:
    return any(lit.kind == "date" for s in outputs.sentences if s.kind == "description" for lit in s.literals)


_OFTEN = 12
"""A literal in more sentences than this is what the whole entry is about."""
_PEOPLE = frozenset({"name", "subject"})


def lost_places(inputs: Index, outputs: Index) -> Iterator[tuple[Sentence, Literal]]:
    """Yield literals that stand in the outputs, but were cut out of one of the facts they belonged to.

    If "reviewed by Mirela" has become "reviewed by someone", that Mirela wrote the manual is no
    comfort. Only literals of several different sentences are looked at, and only where the rest of
    the clause was kept.
    """
    # Two entries that tell of one thing put its commands into sentences of their own; whose name is whose stays.
    alone = len(inputs.readings) == 1
    places: dict[str, dict[str, tuple[Sentence, Literal]]] = defaultdict(dict)
    for sentence in inputs.sentences:
        if sentence.kind not in ("heading", "description"):
            for literal in sentence.literals:
                told = literal.kind in _PEOPLE or (alone and literal.kind not in ("link", "quote", "relative"))
                if told and not literal.soft:
                    places[token(literal)].setdefault(sentence.plain, (sentence, literal))
    labels = frozenset().union(*(s.tokens for s in outputs.sentences if s.kind == "description"))
    around: list[tuple[frozenset[str], frozenset[str], frozenset[str]]] | None = None
    for key, found in places.items():
        if not 2 <= len(found) <= _OFTEN:
            continue
        if key.isascii() and key in labels and all(lit.text.isupper() or not s.text.isascii() for s, lit in found.values()):
            continue  # "the PDF" is what the whole entry is about
        for sentence, literal in found.values():
            clause = sentence.clause_at(literal.start)
            if clause is None or all(_same(sentence, other, outputs.common) for other, _ in found.values()):
                continue
            company = sentence.clause_tokens[clause] - outputs.common - {key}
            if literal.kind in _PEOPLE and is_han(literal.text):
                # Pairs of characters that reach into a name go with it.
                company = frozenset(one for one in company if not (is_han(one) and set(one) & set(literal.text)))
            around = around or _with_neighbours(outputs, inputs.texts)
            if len(company) < 2:
                continue
            keepers = [(own, near) for words, own, near in around if len(company & words) >= 0.5 * len(company)]
            kept = any(len(company & (own | near)) >= 0.8 * len(company) for own, near in keepers)
            if kept and not any(key in own or key in near for own, near in keepers):
                yield sentence, literal


_REFERS = re.compile(
    r"(?i)\b(?:he|she|they|him|her|them|his|hers|their|it|its|this|that|these|those|both|same|also|too|which|who)\b"
)
_SOMEBODY = re.compile(r"(?i)\b(?:some(?:one|body)?|anyone|a colleague|a certain|some)\b|誰か|(?<!で)ある(?:人|[^\s、。]{0,3}さん)|某|어떤|누군가")


_ANYBODY = re.compile(rf"{_SOMEBODY.pattern}|(?i:\b(?:who(?:ever)?|every(?:one|body)|anybody|all of us|people)\b)|誰でも|谁都|누구나")
_KEPT = 0.7
"""Share of the rest of a sentence that stands beside the vague word."""


def blurred(inputs: Index, outputs: Index) -> Iterator[Sentence]:
    """Yield the sentences that are kept about as they were, but speak of somebody or something in place of a name
    or a value: "some version is used by the printer".
    """
    said = [sentence for sentence in inputs.sentences if _SOMEBODY.search(sentence.text)]
    vague = [
        other
        for other in outputs.sentences
        if _SOMEBODY.search(other.text) and not any(len(other.tokens & one.tokens) > 1 for one in said)
    ]
    for sentence in inputs.sentences if vague else ():
        if len(sentence.tokens) < 3 or _ANYBODY.search(sentence.text) or sentence.plain in outputs.texts:
            continue
        nearest = max(vague, key=lambda other: len(sentence.tokens & other.tokens))
        gone = len(sentence.tokens - nearest.tokens)
        if 0 < gone <= (1 - _KEPT) * len(sentence.tokens) + 1 and not _kept_elsewhere(sentence, nearest, outputs):
            yield sentence


def _kept_elsewhere(sentence: Sentence, nearest: Sentence, outputs: Index) -> bool:
    """Return whether another sentence says it, and names what it names."""
    here = len(sentence.tokens & nearest.tokens)
    return any(other is not nearest and len(sentence.tokens & other.tokens) > here for other in outputs.sentences)


def _with_neighbours(
    outputs: Index, unchanged: frozenset[str]
) -> list[tuple[frozenset[str], frozenset[str], frozenset[str]]]:
    """Return, for each sentence, its tokens, those with its parts and what is over it, and its neighbours'.

    A sentence that does not point at its neighbour has nothing from there; where subjects are left
    out, as in Japanese, any may, unless it names somebody.
    """
    whole = [sentence for sentence in outputs.sentences if sentence.kind != "description"]
    items: dict[int, frozenset[str]] = {}
    for sentence in whole:
        if sentence.kind in ("item", "row"):
            items[sentence.block] = items.get(sentence.block, frozenset()) | sentence.tokens
    said: frozenset[str] = frozenset()
    found = []
    for at, sentence in enumerate(whole):
        own = sentence.tokens | sentence.over | {token(part) for part in walk_parts(sentence.literals)}
        near: frozenset[str] = items.get(sentence.block, frozenset())
        if sentence.kind == "heading" or sentence.text.rstrip(" *_").endswith(":"):
            # "Rules for those days:" speaks of all that was said before it.
            said = frozenset().union(*(other.tokens for other in whole[:at])) if _REFERS.search(sentence.text) else frozenset()
        elif sentence.kind == "item" and sentence.over:
            near |= said
        points = not _SOMEBODY.search(sentence.text) and (
            not sentence.text.isascii() or _REFERS.search(sentence.text)
        )
        for i in (at - 1, at + 1) if points else ():
            if 0 <= i < len(whole) and whole[i].together(sentence) and whole[i].plain not in unchanged:
                near |= whole[i].tokens
        found.append((sentence.tokens, frozenset(own), near))
    return found


def _same(one: Sentence, other: Sentence, common: frozenset[str]) -> bool:
    mine, theirs = one.tokens - common, other.tokens - common
    return len(mine & theirs) * 2 >= len(mine | theirs)


def _resolved(reading: Reading, outputs: Index) -> bool:
    """Return whether the outputs give the date that a relative one means."""
    return any(outputs.has_day(day) for day in worked_out(reading))


def _said_by_a_date(literal: Literal, reading: Reading, outputs: Index) -> bool:
    """Return whether a relative date or a weekday may go, because the date that it means stands in the outputs."""
    if literal.kind == "weekday":
        return _dated(literal, reading, outputs)
    return (literal.kind == "relative" or _in_a_while(literal, reading)) and _resolved(reading, outputs)


def _in_a_while(literal: Literal, reading: Reading) -> bool:
    """Return whether a number is that of a relative date, as in "in 3 weeks"."""
    return (
        literal.kind == "number"
        and literal.unit in ("day", "week", "month", "year")
        and any(found.start <= literal.start < found.end for found in find_relative(reading.clean))
    )


_BESIDE = 24


def _dated(weekday: Literal, reading: Reading, outputs: Index) -> bool:
    """Return whether a weekday stands beside its date, and the date is kept: it says the same."""
    for literal in reading.literals:
        beside = literal.start - weekday.end <= _BESIDE and weekday.start - literal.end <= _BESIDE
        if literal.kind == "date" and beside:
            day = parse_key(literal.key)
            if day.full and str(day.full.weekday()) == weekday.key and outputs.has_day(day):
                return True
    return False


def _shortened(literal: Literal, inputs: Index, outputs: Index) -> bool:
    """Return whether a literal is the head of a dotted number of the inputs that is kept in full."""
    if literal.kind not in ("number", "version") or literal.unit:
        return False
    key = literal.key.lstrip("vV") + "."
    return any(version.startswith(key) and version in outputs.versions for version in inputs.versions)


def link_keys(readings: tuple[Reading, ...]) -> frozenset[str]:
    """Return the keys under which links may name these entries."""
    return frozenset(link_key(reading.text.id) for reading in readings)
