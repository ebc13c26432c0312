"""One op on the page: its card, what the gate says, and the differences (SPEC §12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from agentops_dream.review import words
from agentops_dream.review.cards import Card, FileView
from agentops_dream.review.decisions import Decisions
from agentops_dream.review.facts import Facts
from agentops_dream.review.markup import Html, h, join, language, spans, text
from agentops_dream.review.words import Block

ACTIONS = (("accept", "Accept", "a"), ("reject", "Reject", "r"), ("skip", "Skip", "s"))


def anchor(run: str, index: int) -> str:
    """Return the id of a card's element."""
    return f"op-{run}-{index}"


def panel(card: Card, run: str, made: Decisions | None) -> Html:
    """Return the card as an article. ``made``: what was decided so far; ``None``: it is only to be read."""
    where = anchor(run, card.index)
    choice = made.choices.get(card.index) if made is not None else None
    data = {
        "data-run": run,
        "data-op": str(card.index),
        "data-kind": kind_of(card),
        "data-verdict": card.verdict,
        "data-choice": choice or "",
        "data-open": "" if card.offered else None,
    }
    return article(
        where,
        card.title,
        data,
        [
            *meta(card.verdict, card.standing, card.index, card.confidence),
            h("span", {"class": "edited"}, "edited by you") if card.edited else None,
        ],
        lines(card),
        differences(card),
        facts_list(card.facts),
        written(card.raw),
        controls(card, choice) if made is not None else None,
    )


def article(
    where: str,
    title: str,
    data: Mapping[str, str | None],
    said: Iterable[Html | None],
    *parts: Html | None,
) -> Html:
    """Return a card: its title, what is ``said`` beside that, and its parts below."""
    return h(
        "article",
        {"class": "card", "id": where, "tabindex": "-1", "aria-labelledby": f"{where}-title", **data},
        h(
            "header",
            None,
            h("h2", {"id": f"{where}-title", "lang": language(title)}, bidi(title)),
            h("p", {"class": "meta"}, said),
        ),
        *parts,
    )


def meta(verdict: str, word: str, index: int, confidence: float) -> tuple[Html, ...]:
    """Return what stands beside the title of an op."""
    return (
        chip(verdict, word),
        h("span", None, f"op {index}"),
        h("span", None, f"confidence {confidence:g}"),
    )


def kind_of(card: Card) -> str:
    """Return under which filter a card falls: its standing, all that was refused together."""
    return card.standing.replace(" ", "-") if card.offered else "refused"


def chip(verdict: str, word: str = "") -> Html:
    """Return a verdict as a badge; its word is in the text, its colour only repeats it."""
    return h("span", {"class": f"chip {verdict}"}, word or verdict)


def bidi(value: str) -> Html:
    """Return a text of the memory that cannot change the direction of what stands around it."""
    return h("bdi", None, value)


def lines(card: Card) -> Html | None:
    """Return what is said about an op, a line each."""
    rows: list[tuple[str, object]] = []
    if card.rationale:
        rows.append(("Why", prose(card.rationale)))
    rows += [("Gate", prose(objection)) for objection in card.objections]
    if card.now:
        rows.append(("Now", prose(card.now)))
    if card.partners:
        rows.append(("Goes with", ", ".join(f"op {index}" for index in card.partners)))
    if card.flags:
        rows.append(("Accepting", "only flags the entries; nothing else is done"))
    if card.waives:
        rows.append(("Accepting", f"accepts this: {', '.join(card.waives)}"))
    rows += [
        ("Declared", prose(f"“{item.text}” is superseded by {item.by}")) for item in card.superseded
    ]
    if card.refused and card.files:
        rows.append(("Refused", "below is what it would have written"))
    return details(rows)


def details(rows: Iterable[tuple[str, object]]) -> Html | None:
    """Return names and what belongs to them; nothing if there are none."""
    found = list(rows)
    if not found:
        return None
    return h("dl", {"class": "lines"}, [(h("dt", None, name), h("dd", None, value)) for name, value in found])


def prose(value: str) -> Html:
    """Return a text of the memory in a line of ours."""
    return h("bdi", {"lang": language(value)}, value)


# ---------------------------------------------------------------- differences


def differences(card: Card) -> Html:
    """Return what an op changes: for a merge its sources side by side, then every file."""
    if not card.sources:
        return join(file_panel(file) for file in card.files)
    sources = [
        h(
            "section",
            None,
            h("h3", None, bidi(source.name)),
            passage(spans(words.against(source.text, card.result)), source.text),
        )
        for source in card.sources
    ]
    gathered = words.gathered(card.result, [source.text for source in card.sources])
    together = h(
        "section",
        {"class": "together"},
        h("h3", None, "would be together" if card.flags or card.refused else "together"),
        passage(spans(gathered), card.result),
    )
    return join(
        h("div", {"class": "merge"}, h("div", {"class": "sources"}, sources), together),
        h(
            "details",
            {"class": "files"},
            h("summary", None, f"Files ({len(card.files)})"),
            [file_panel(file) for file in card.files],
        )
        if card.files
        else None,
    )


def file_panel(file: FileView) -> Html:
    """Return one file with its difference."""
    blocks = words.shorten(words.compare(file.before or "", file.after or ""))
    note = "new" if file.before is None else "deleted" if file.after is None else ""
    if file.with_ops:
        note = f"{note} together with op {', '.join(map(str, file.with_ops))}".strip()
    return figure(file.path, note, blocks)


def figure(name: str, note: str, blocks: Sequence[Block]) -> Html:
    """Return a difference under its file's name."""
    spoken = "".join(span.text for block in blocks for span in block.spans)
    return h(
        "figure",
        {"class": "file"},
        h("figcaption", None, bidi(name), h("span", {"class": "note"}, note) if note else None),
        h("div", {"class": "diff", "dir": "auto", "lang": language(spoken)}, map(_block, blocks)),
    )


def _block(block: Block) -> Html:
    if block.skipped:
        return h("div", {"class": "gap"}, f"{block.skipped} lines are the same")
    return h("div", {"class": "block changed" if block.changed else "block"}, spans(block.spans))


def passage(shown: Html, spoken: str) -> Html:
    """Return a text of the memory as a paragraph of its own; line breaks stay."""
    return h("div", {"class": "passage", "dir": "auto", "lang": language(spoken)}, shown)


def written(raw: str) -> Html | None:
    """Return an op as the model wrote it, folded away."""
    if not raw:
        return None
    return h("details", {"class": "files"}, h("summary", None, "The op as it came"), passage(text(raw), raw))


def facts_list(facts: Facts) -> Html | None:
    """Return the facts kept, dropped and declared."""
    rows = [
        (name, [h("li", {"class": name}, bidi(fact)) for fact in found])
        for name, found in (("dropped", facts.dropped), ("declared", facts.declared), ("kept", facts.kept))
        if found
    ]
    if not rows:
        return None
    return h(
        "dl",
        {"class": "facts"},
        [(h("dt", None, f"Facts {name}"), h("dd", None, h("ul", None, items))) for name, items in rows],
    )


def controls(card: Card, choice: str | None) -> Html | None:
    """Return the buttons of a card that can be decided."""
    if card.refused:
        return None
    buttons = [
        h(
            "button",
            {
                "type": "button",
                "class": name,
                "data-act": name,
                "aria-pressed": "true" if choice == name else "false",
                "aria-keyshortcuts": key,
                "disabled": name == "accept" and not card.takeable,
            },
            label,
            h("kbd", {"aria-hidden": "true"}, key),
        )
        for name, label, key in ACTIONS
    ]
    if card.draft is not None:
        edit = h(
            "button",
            {"type": "button", "class": "edit", "data-act": "edit", "aria-keyshortcuts": "e"},
            "Edit",
            h("kbd", {"aria-hidden": "true"}, "e"),
        )
        buttons.insert(2, edit)
    return h("footer", {"role": "group", "aria-label": f"Decide about op {card.index}"}, buttons)
