"""The whole page, for the browser and as a file of its own (SPEC §12).

One document without any outside resource: style and script stand in it, and a content security policy
lets exactly those two through by their hashes. Without the script it can still be read.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agentops_dream.review.cards import Card, Deck
from agentops_dream.review.decisions import Decisions
from agentops_dream.review.markup import Html, h, join
from agentops_dream.review.panels import anchor, bidi, kind_of, panel
from agentops_dream.wording import counted

_STATIC = Path(__file__).parent / "static"

FILTERS = ("parked", "passed", "flag-only", "stale", "rejected", "refused")
"""Kinds of cards that can be looked at alone, the ones that need a person first."""

KEYS = (
    ("j", "k", "next op, op before"),
    ("a", "", "accept; again: take it back"),
    ("r", "", "reject"),
    ("e", "", "edit the new text"),
    ("s", "", "skip, leave it for later"),
    ("Enter", "", "open or close the card"),
    ("v", "", "side by side, or in one text"),
    ("f", "", "the next filter"),
    ("c", "", "carry out what was decided"),
    ("?", "", "this list"),
)


@dataclass(frozen=True)
class Item:
    """A card as the bar and the contents know it."""

    anchor: str
    kind: str
    """The filter it falls under."""
    verdict: str
    title: str
    waits: bool = False
    """Whether a person can decide about it."""
    decided: bool = False


@dataclass(frozen=True)
class Table:
    """A proposal on the page, and what was decided about it; ``None``: the page is only to be read."""

    deck: Deck
    decisions: Decisions | None


def review_page(tables: Sequence[Table], *, csrf: str = "") -> Html:
    """Return the page of proposals. ``csrf``: the token of the server it talks to; ``""``: it is a file."""
    items = [_item(table, card) for table in tables for card in table.deck.in_order]
    live = bool(csrf)
    main = join(
        [_deck(table) for table in tables],
        None if items else h("p", {"class": "empty"}, "Nothing waits for review."),
    )
    dialogs = _dialogs() if live else None
    return document("Review", framed("Review", items, main, live=live, dialogs=dialogs), csrf=csrf)


def _item(table: Table, card: Card) -> Item:
    decided = table.decisions is not None and card.index in table.decisions.choices
    where = anchor(table.deck.run, card.index)
    return Item(where, kind_of(card), card.verdict, card.title, card.offered, decided)


def framed(
    title: str, items: Sequence[Item], main: Html, *, live: bool = False, dialogs: Html | None = None
) -> Html:
    """Return the body of a page of cards: bar, contents, the cards themselves, help."""
    return join(
        _bar(title, items, live),
        h("div", {"class": "columns"}, _contents(items), h("main", {"id": "cards"}, main)),
        _help(live),
        dialogs,
        h("div", {"id": "said", "role": "status", "aria-live": "polite"}),
    )


def document(title: str, body: Html, *, csrf: str = "") -> Html:
    """Return a whole document. ``csrf``: the token of the server that it talks to."""
    style, script = static("page.css"), static("page.js")
    page = h(
        "html",
        {"lang": "en"},
        h(
            "head",
            None,
            h("meta", {"charset": "utf-8"}),
            h("meta", {"http-equiv": "content-security-policy", "content": policy(live=bool(csrf))}),
            h("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
            h("meta", {"name": "color-scheme", "content": "light dark"}),
            h("meta", {"name": "referrer", "content": "no-referrer"}),
            h("meta", {"name": "robots", "content": "noindex"}),
            h("meta", {"name": "csrf", "content": csrf}) if csrf else None,
            h("title", None, f"{title} · agentops dreaming"),
            h("link", {"rel": "icon", "href": "data:,"}),
            h("style", None, Html(style)),
        ),
        h("body", None, body, h("script", None, Html(script))),
    )
    return Html(f"<!doctype html>\n{page}\n")


def static(name: str) -> str:
    """Return a file of the page's own."""
    return (_STATIC / name).read_text(encoding="utf-8")


def policy(*, live: bool) -> str:
    """Return the content security policy: our style, our script, and if ``live`` the server it came from."""
    rules = {
        "default-src": "'none'",
        "style-src": _hash(static("page.css")),
        "script-src": _hash(static("page.js")),
        "img-src": "data:",
        "connect-src": "'self'" if live else "'none'",
        "form-action": "'none'",
        "base-uri": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


# ---------------------------------------------------------------- parts


def _bar(title: str, items: Sequence[Item], live: bool) -> Html:
    counts = Counter(item.kind for item in items)
    kinds = [kind for kind in FILTERS if counts[kind]]
    kinds += sorted(kind for kind in counts if kind not in FILTERS)
    filters = [("all", "All", len(items))]
    filters += [(kind, kind.capitalize().replace("-", " "), counts[kind]) for kind in kinds]
    return h(
        "header",
        {"class": "bar"},
        h("h1", None, title),
        h("p", {"id": "progress"}, _progress(items, live)),
        h(
            "div",
            {"class": "filters", "role": "group", "aria-label": "Show"},
            [
                h(
                    "button",
                    {
                        "type": "button",
                        "data-filter": kind,
                        "aria-pressed": "true" if kind == "all" else "false",
                    },
                    f"{label} ",
                    h("span", {"class": "count"}, str(count)),
                )
                for kind, label, count in filters
            ],
        ),
        h(
            "div",
            {"class": "tools"},
            h("button", {"type": "button", "id": "view", "aria-pressed": "false"}, "Side by side", _key("v")),
            h("button", {"type": "button", "id": "help", "aria-label": "Keys"}, "Keys", _key("?")),
            h("button", {"type": "button", "id": "finish", "class": "primary"}, "Carry out …", _key("c"))
            if live
            else None,
        ),
    )


def _progress(items: Sequence[Item], live: bool) -> str:
    waiting = [item for item in items if item.waits]
    return f"{sum(item.decided for item in waiting)} of {len(waiting)} decided" if live else counted(len(items), "op")


def _key(name: str) -> Html:
    return h("kbd", {"aria-hidden": "true"}, name)


def _contents(items: Sequence[Item]) -> Html:
    return h(
        "nav",
        {"aria-label": "Ops"},
        h(
            "ol",
            None,
            [
                h(
                    "li",
                    {"data-kind": item.kind, "data-for": item.anchor},
                    h(
                        "a",
                        {"href": f"#{item.anchor}"},
                        h("span", {"class": f"dot {item.verdict}", "aria-hidden": "true"}),
                        bidi(item.title),
                        h("span", {"class": "mark"}),
                    ),
                )
                for item in items
            ],
        ),
    )


def _deck(table: Table) -> Html:
    deck = table.deck
    return h(
        "section",
        {"class": "deck", "aria-label": f"Proposal {deck.run}"},
        h(
            "p",
            {"class": "about"},
            h("strong", None, deck.run),
            f" {deck.about}, {deck.created}",
            [". ", bidi(deck.summary)] if deck.summary else None,
        ),
        [panel(card, deck.run, table.decisions) for card in deck.in_order],
    )


def _help(live: bool) -> Html:
    shown = [row for row in KEYS if live or row[0] in ("j", "Enter", "v", "f", "?")]
    rows = [
        (h("dt", None, _key(one), _key(two) if two else None), h("dd", None, what))
        for one, two, what in shown
    ]
    return _dialog("keys", "Keys", h("dl", {"class": "keys"}, rows), (("close", "Close", ""),))


def _dialogs() -> Html:
    edit = join(
        h("label", {"for": "edit-description"}, "Description"),
        h("input", {"id": "edit-description", "dir": "auto", "autocomplete": "off"}),
        h("label", {"for": "edit-body"}, "Text"),
        h("textarea", {"id": "edit-body", "dir": "auto", "rows": "14", "spellcheck": "false"}),
        h("p", {"class": "hint"}, "The gate judges your text too: no new fact, and it says what is lost."),
        h("p", {"class": "error", "id": "edit-error", "role": "alert"}),
    )
    return join(
        _dialog("edit", "Edit", edit, (("save", "Keep", "primary"), ("close", "Cancel", ""))),
        _dialog(
            "summary",
            "Carry out",
            h("div", {"id": "summary-text"}),
            (("carry", "Carry it out", "primary"), ("quit", "Stop, decide later", ""), ("close", "Back", "")),
        ),
    )


def _dialog(name: str, title: str, content: Html, buttons: Iterable[tuple[str, str, str]]) -> Html:
    return h(
        "dialog",
        {"id": f"{name}-dialog", "aria-labelledby": f"{name}-title"},
        h("h2", {"id": f"{name}-title"}, title),
        content,
        h(
            "footer",
            None,
            [
                h("button", {"type": "button", "data-do": act, "class": style or None}, label)
                for act, label, style in buttons
            ],
        ),
    )
