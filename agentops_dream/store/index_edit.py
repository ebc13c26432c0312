"""Existing lines of MEMORY.md after a change: which go, which follow, which hooks are renewed (SPEC §10)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from . import blocks, index_line, index_refs
from .index_names import Names
from .index_refs import Ref
from .links import spelling
from .names import fold, stem

_LEAD = 24
"""Characters that may stand between a bullet and its link: a date, a label, an emoji; more is prose."""


@dataclass(frozen=True)
class Line:
    """One line that holds links."""

    number: int
    text: str
    """Without line end."""
    refs: tuple[tuple[Ref, str | None], ...]
    """Links with the path of the entry each means."""
    item: blocks.Item | None
    """The list item that starts here."""
    subject: int | None
    """Which of the links the list item is about."""
    plain: bool = False
    """Nothing but bullet, checkbox and marks stands before it."""


class Book:
    """An index, read: its lines, what each means, and which entries it lists."""

    def __init__(self, text: str, names: Names) -> None:
        self.text = text
        self.outline = blocks.outline(text)
        self.definitions: dict[int, tuple[str, Ref]] = {}
        """Line -> label and target of a reference definition."""
        self.labels: dict[str, str] = {}
        for number in self._visible():
            found = index_refs.definition(self.outline.lines[number].rstrip("\r\n"))
            if found:
                label, value, span = found
                self.definitions[number] = (label, Ref(0, 0, "reference", span, label, value))
                self.labels.setdefault(label, value)  # the first one counts
        self._items = {item.first: item for item in self.outline.items}
        self._html = frozenset(number for lines in self.outline.html for number in lines)
        self.lines = [self._line(number, names) for number in self._visible()]
        self.listed = {
            path for line in self.lines for _, path in line.refs if path is not None and names.living(path)
        }
        """Living entries that a link anywhere in the text names."""
        self.subjects = Counter(
            path
            for line in self.lines
            for number, (ref, path) in enumerate(line.refs)
            if path is not None and (number == line.subject or line.text.lstrip().startswith("|"))
        )
        """Entries that have a bullet or a table row of their own, and how many."""
        self.mentions = Counter(path for line in self.lines for _, path in line.refs)
        """How many links lead to each entry."""

    def roles(self, without: Collection[str] = ()) -> list[tuple[object, ...]]:
        """Return what the visible lines are to a reader and to ``edit``, without the lines given."""
        of = {line.number: line for line in self.lines}
        found: list[tuple[object, ...]] = []
        for number in self._visible():
            text = self.outline.lines[number].strip()
            if text and text not in without:
                line, item = of[number], of[number].item
                shape = (item.text_last - item.first, item.bare) if item else None
                found.append((text, line.subject, shape, number in self.definitions))
        return found

    def _visible(self) -> list[int]:
        hidden = self.outline.code | self.outline.comments
        return [n for n in range(len(self.outline.lines)) if n not in hidden]

    def _line(self, number: int, names: Names) -> Line:
        text = self.outline.lines[number].rstrip("\r\n")
        if number in self.definitions:
            return Line(number, text, (), None, None)
        refs = tuple((ref, names.path(ref)) for ref in index_refs.refs(text, self.labels))
        # "- - [a](a.md)": the innermost item is the one that the link belongs to.
        item = self._items.get(number)
        start = index_refs.bullet(text)
        if not refs or start is None or not (item or number in self._html):
            return Line(number, text, refs, None, None)
        item = item or blocks.Item(number, number, number, 0, True)
        lead = text[start.end() : refs[0][0].start]
        subject = 0 if len(lead) <= _LEAD else None
        return Line(number, text, refs, item, subject, not re.search(r"[^\W_]", lead))


def edit(book: Book, names: Names) -> tuple[str, list[str], list[str]]:
    """Return the text with its existing lines brought up to date, notes of what was left, and of what went."""
    return _Edit(book, names).run()


class _Edit:
    def __init__(self, book: Book, names: Names) -> None:
        self.book = book
        self.names = names
        self.lines: list[str | None] = list(book.outline.lines)
        self.notes: list[str] = []
        self.gone: list[str] = []
        self.claimed: set[str] = set()
        """Heirs that a line was pointed to in this run."""

    def run(self) -> tuple[str, list[str], list[str]]:
        for line in self.book.lines:
            if line.subject is not None:
                self._bullet(line, line.subject)
            elif line.refs:
                self._prose(line, range(len(line.refs)))
        self._definitions()
        return "".join(line for line in self.lines if line is not None), self.notes, self.gone

    # ------------------------------------------------------------ bullets

    def _bullet(self, line: Line, subject: int) -> None:
        ref, path = line.refs[subject]
        others = [number for number in range(len(line.refs)) if number != subject]
        if path is not None and self.names.living(path):
            self._renew(line, ref, path, others)
            return
        if path is None and not (line.plain and self.names.missing(ref)):
            self._prose(line, others)  # a web page, a file of the project
            return
        heir = self.names.heir(path) if path is not None else self.names.moved(ref)
        if heir is not None and not self.book.subjects[heir] and heir not in self.claimed:
            self.claimed.add(heir)
            self._point(line, ref, path, heir, others)
        else:
            self._drop(line, ref, others)

    def _renew(self, line: Line, ref: Ref, path: str, others: list[int]) -> None:
        """A changed description changes its own hook, unless somebody has written that by hand."""
        old, new = self.names.before.get(path), self.names.after[path]
        span = index_line.hook_span(line.text, ref.end)
        single = line.item is not None and line.item.text_last == line.item.first
        if (
            old is None
            or old.description == new.description
            or span is None
            or not single
            or not index_line.is_hook_of(line.text[span[1] : span[2]], old.description)
        ):
            self._prose(line, others)
            return
        text = index_line.hook(new.description)
        cut, start, end = span
        renewed = line.text[:start] + text + line.text[end:] if text else line.text[:cut] + line.text[end:]
        self._set(line.number, renewed)

    def _point(self, line: Line, ref: Ref, path: str | None, heir: str, others: list[int]) -> None:
        """The line of a removed entry becomes that of its heir; what was made by hand stays."""
        old = self.names.before.get(path) if path is not None else None
        new = self.names.after[heir]
        span = index_line.hook_span(line.text, ref.end)
        if old and span and index_line.is_hook_of(line.text[span[1] : span[2]], old.description):
            renewed = index_line.hook(new.description)
            text = line.text[: span[1]] + renewed if renewed else line.text[: span[0]]
            text += line.text[span[2] :]
        else:
            text = self._followed(line, others)
        link = self._retargeted(ref, text, heir)
        if old is not None and ref.kind == "inline" and index_line.is_title_of(ref.text, old):
            link = f"[{index_line.title(new)}]({index_line.destination(heir)})"
        self._set(line.number, text[: ref.start] + link + text[ref.end :])

    def _drop(self, line: Line, ref: Ref, others: list[int]) -> None:
        item = line.item
        assert item is not None
        here = Counter(path for _, path in line.refs)
        needed = [
            number
            for number in others
            if self.names.living(path := line.refs[number][1]) and self.book.mentions[path] == here[path]
        ]
        lost = self.names.missing_path(ref) if line.refs[line.subject or 0][1] is None else ""
        # A bare file name would go on to be a link; other links leave their text.
        shown = index_line.readable(stem(ref.value)) if ref.kind == "bare" else ref.text
        if needed:
            # The only mention of another entry is on this line: it stays, without the link.
            text = self._followed(line, others)
            self._set(line.number, text[: ref.start] + shown + text[ref.end :])
        elif not item.bare:
            # What hangs below it would move up to a neighbour: the line stays as its heading.
            marks = re.match(r"[*_]{0,3}", line.text[ref.end :])
            self._set(line.number, line.text[: ref.start] + shown + (marks[0] if marks else ""))
        else:
            self.lines[line.number] = None
        if lost:
            what = "link to" if self.lines[line.number] else "line for"
            self.gone.append(f"MEMORY.md: {what} {lost} removed, there is no such file")
        if not needed:
            for number in range(line.number + 1, item.text_last + 1):
                continued = self.lines[number]
                if continued is None or not continued[:1].isspace():
                    break  # text at the margin is prose that only lacks a blank line
                self.lines[number] = None

    # ------------------------------------------------------------ prose, tables, definitions

    def _prose(self, line: Line, which: Sequence[int]) -> None:
        """A link in running text follows its entry; one that leads nowhere now is reported."""
        text = self._followed(line, which)
        if text != line.text:
            self._set(line.number, text)

    def _followed(self, line: Line, which: Sequence[int]) -> str:
        text = line.text
        for number in reversed(which):
            ref, path = line.refs[number]
            if path is None or self.names.living(path):
                continue
            heir = self.names.heir(path)
            if heir is None:
                self.notes.append(f"MEMORY.md, line {line.number + 1}, still names {path}, which is gone")
            else:
                text = text[: ref.start] + self._retargeted(ref, text, heir) + text[ref.end :]
        return text

    def _retargeted(self, ref: Ref, line: str, heir: str) -> str:
        link, (first, last) = line[ref.start : ref.end], ref.target
        first, last = first - ref.start, last - ref.start
        if ref.kind == "reference":
            return link  # its definition is what changes
        if ref.kind == "wiki":
            return link[:first] + spelling(self.names.after[heir], self._stems) + link[last:]
        target = heir if ref.kind == "bare" else index_line.destination(heir)
        return link[:first] + target + link[last:]

    @cached_property
    def _stems(self) -> Counter[str]:
        return Counter(fold(stem(path)) for path in self.names.after)

    def _definitions(self) -> None:
        labels = self.book.labels
        was_used: set[str] = set()
        used: set[str] = set()
        for line in self.book.lines if labels else ():
            if line.refs:
                was_used |= _labels(line.text, labels)
                used |= _labels((self.lines[line.number] or "").rstrip("\r\n"), labels)
        for number, (label, ref) in self.book.definitions.items():
            path = self.names.path(ref)
            if self.names.living(path) or (path is None and not self.names.missing(ref)):
                continue
            heir = self.names.heir(path) if path is not None else self.names.moved(ref)
            if label in used and heir is not None:
                text = self.book.outline.lines[number].rstrip("\r\n")
                first, last = ref.target
                self._set(number, text[:first] + index_line.destination(heir) + text[last:])
            elif label not in used and (path is not None or label in was_used):
                self.lines[number] = None
            elif label in used and path is not None:
                self.notes.append(f"MEMORY.md, line {number + 1}, still names {path}, which is gone")

    def _set(self, number: int, text: str) -> None:
        self.lines[number] = text + blocks.ending(self.book.outline.lines[number])


def _labels(text: str, labels: Mapping[str, str]) -> set[str]:
    """Return the keys of the definitions that ``text`` uses."""
    found = [ref for ref in index_refs.refs(text, labels) if ref.kind == "reference"]
    return {index_refs.label_key(text[slice(*ref.target)]) for ref in found}
