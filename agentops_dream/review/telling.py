"""A card drawn for a terminal (SPEC §12): the same facts as on the page, in rich's renderables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from agentops_dream.review import words
from agentops_dream.review.cards import Card, FileView
from agentops_dream.review.visible import visible
from agentops_dream.review.words import Span

STYLES = {"same": "", "del": "red strike", "ins": "green underline"}
MARKS = {"same": ("", ""), "del": ("[-", "-]"), "ins": ("{+", "+}")}
"""As git writes them; used where there is no colour."""

VERDICTS = {
    "applied": "green",
    "flagged": "yellow",
    "parked": "yellow",
    "stale": "yellow",
    "dropped": "dim",
    "rejected": "red",
}
CHOICES = {"accept": ("accepted", "green"), "reject": ("rejected", "red"), "skip": ("skipped", "dim")}

SIDE_BY_SIDE = 36
"""Columns that one source of a merge needs at least, or they are shown one below the other."""


def card_view(card: Card, console: Console, *, whole: bool = False) -> Iterator[Any]:
    """Yield what shows ``card``. ``whole``: every file in full, unchanged lines and all."""
    plain = console.no_color or not console.color_system
    head = Text()
    head.append(card.standing, style=VERDICTS.get(card.verdict, ""))
    head.append(f"   confidence {card.confidence:g}")
    if card.edited:
        head.append("   edited by you", style="bold")
    yield head
    yield from _lines(card)
    if card.sources:
        yield Text()
        yield from _merge(card, console.width, plain)
    for file in card.files:
        if card.sources and not whole and file.path in {source.name for source in card.sources}:
            continue
        yield Text()
        yield file_title(file)
        yield Padding(file_diff(file, plain=plain, whole=whole), (0, 0, 0, 2))
    yield from _facts(card)
    if whole and card.raw:
        yield Text()
        yield Text("the op as it came", style="bold")
        yield Padding(Text(visible(card.raw)), (0, 0, 0, 2))


def _lines(card: Card) -> Iterator[Any]:
    rows = [
        ("why", card.rationale, ""),
        *(("gate", text, "yellow") for text in card.objections),
        ("now", card.now, "yellow"),
        ("goes with", ", ".join(f"op {index}" for index in card.partners), ""),
        ("accepting", "only flags the entries; nothing else is done" if card.flags else "", ""),
        ("accepting", f"accepts this: {', '.join(card.waives)}" if card.waives else "", ""),
        ("refused", "it is shown what it would have written" if card.refused and card.files else "", ""),
    ]
    rows += [("declared", f"{item.text!r} is superseded by {item.by}", "") for item in card.superseded]
    for name, text, style in rows:
        if text:
            yield _row(name, text, style)


def _row(name: str, text: str, style: str) -> Table:
    """Return a line that goes on under its text, not under its name."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=13)
    table.add_column(overflow="fold")
    table.add_row(Text(name, style="dim"), Text(visible(text), style=style))
    return table


def _merge(card: Card, width: int, plain: bool) -> Iterator[Any]:
    columns = [
        _trimmed(spans_text(words.against(source.text, card.result), plain=plain)) for source in card.sources
    ]
    if len(columns) > 1 and width // len(columns) >= SIDE_BY_SIDE:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for source in card.sources:
            table.add_column(Text(visible(source.name)), ratio=1, overflow="fold")
        table.add_row(*columns)
        yield table
    else:
        for source, column in zip(card.sources, columns, strict=True):
            yield Text(visible(source.name), style="bold")
            yield Padding(column, (0, 0, 0, 2))
    yield Text()
    yield Text("→ would be together" if card.flags or card.refused else "→ together", style="bold")
    gathered = words.gathered(card.result, [source.text for source in card.sources])
    yield Padding(_trimmed(spans_text(gathered, plain=plain)), (0, 0, 0, 2))


def file_title(file: FileView) -> Text:
    """Return one line about a file: its name and what becomes of it."""
    title = Text(visible(file.path), style="bold")
    if file.before is None:
        title.append("  new", style="green")
    if file.after is None:
        title.append("  deleted", style="red")
    if file.with_ops:
        title.append(f"  together with op {', '.join(map(str, file.with_ops))}", style="dim")
    return title


def file_diff(file: FileView, *, plain: bool, whole: bool = False) -> Text:
    """Return the difference of a file, words marked; stretches that are the same are cut."""
    blocks = words.compare(file.before or "", file.after or "")
    text = Text()
    for block in blocks if whole else words.shorten(blocks):
        if block.skipped:
            text.append(f"… {block.skipped} lines are the same\n", style="dim")
        text.append_text(spans_text(block.spans, plain=plain))
    return _trimmed(text)


def spans_text(spans: Iterable[Span], *, plain: bool) -> Text:
    """Return spans as one text. ``plain``: changes stand between marks, for there is no colour."""
    text = Text()
    for span in spans:
        shown = visible(span.text)
        if span.kind != "same" and not shown.strip(" \n"):
            shown = shown.replace("\n", "↵\n")  # a line break that comes or goes has nothing else to see
        before, after = MARKS[span.kind] if plain else ("", "")
        text.append(before + shown + after, style=STYLES[span.kind])
    return text


def _trimmed(text: Text) -> Text:
    text.rstrip()
    return text


def _facts(card: Card) -> Iterator[Any]:
    rows = [
        ("kept", card.facts.kept, "dim"),
        ("dropped", card.facts.dropped, "red"),
        ("declared", card.facts.declared, "yellow"),
    ]
    if any(texts for _, texts, _ in rows):
        yield Text()
    for name, texts, style in rows:
        if texts:
            yield _row(f"facts {name}", " · ".join(texts), style)


def title_rule(card: Card, place: str, choice: str | None) -> Rule:
    """Return the line above a card: where one is, what it is, what was decided."""
    title = Text.assemble((f"{place}  ", "bold"), visible(card.title))
    if choice in CHOICES:
        word, style = CHOICES[choice]
        title.append(f"  {word}", style=style)
    return Rule(title, align="left", style="dim")
