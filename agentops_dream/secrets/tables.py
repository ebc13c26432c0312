"""Secrets in Markdown tables: the word that gives them away is at the head of their column (SPEC §7, §8).

A row ``| password | … |`` is a matter of ``words``: there the word stands before the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentops_dream.secrets import words as secret_words

_HINT = re.compile(r"-[ \t:]*\|")
_RULE = re.compile(r"\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?")
_CELL = re.compile(r"(?:\\.|[^|\\])*")
_MARKS = " \t*_`\"'"


def find(text: str, lowered: str) -> Iterator[tuple[int, int, str]]:
    """Yield ``(start, end, kind)`` of values in table columns that are headed by a word for a secret.

    ``lowered`` is ``text`` in lower case, of the same length.
    """
    if not _HINT.search(text):
        return
    words: dict[int, secret_words.Word] = {}
    head, at = (0, 0), 0
    in_table = False
    for line in text.splitlines(keepends=True):
        start, end = at, at + len(line.rstrip("\r\n"))
        at += len(line)
        while start < end and text[start] in " \t>":
            start += 1
        if _RULE.fullmatch(text, start, end):
            heads = [lowered[slice(*cell)].strip(_MARKS) for cell in _cells(text, *head)]
            found = {column: secret_words.announces(name) for column, name in enumerate(heads)}
            words = {column: word for column, word in found.items() if word is not None}
            in_table = True
        elif in_table and "|" in line:
            yield from _values(text, start, end, words)
        else:
            in_table = False
        head = (start, end)


def _values(
    text: str, start: int, end: int, words: dict[int, secret_words.Word]
) -> Iterator[tuple[int, int, str]]:
    for column, (first, last) in enumerate(_cells(text, start, end) if words else ()):
        word = words.get(column)
        if word is None:
            continue
        cell = text[first:last]
        value = cell.strip(_MARKS)
        if value and secret_words.is_secret(value, is_password=word.is_password):
            first += cell.index(value)
            yield first, first + len(value), "password" if word.is_password else "key"


def _cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of the cells of the table row ``text[start:end]``."""
    if start < end and text[start] == "|":
        start += 1
    cells = []
    while start < end:
        match = _CELL.match(text, start, end)
        stop = match.end() if match else start
        cells.append((start, stop))
        if stop < end and text[stop] != "|":  # a lone backslash at the end
            break
        start = stop + 1
    return cells
