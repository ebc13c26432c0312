"""HTML, safe by construction: every text is escaped unless it is ``Html`` already (SPEC §12, §16)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from agentops_dream.review.visible import HIDDEN, escape
from agentops_dream.review.words import Span

_VOID = frozenset(("br", "hr", "input", "link", "meta"))
_NAME = re.compile(r"[a-z][a-zA-Z0-9-]*")


class Html(str):
    """Markup of our own making."""


Child = "Html | str | None | Iterable[Html | str | None]"


def text(value: str) -> Html:
    """Return a text as markup; characters that are not to be seen stand there as visible escapes."""
    parts: list[str] = []
    at = 0
    for match in HIDDEN.finditer(value):
        parts.append(html.escape(value[at : match.start()]))
        parts.append(f'<span class="ctl">{escape(match[0])}</span>')
        at = match.end()
    return Html("".join([*parts, html.escape(value[at:])]))


def h(name: str, attributes: dict[str, str | bool | None] | None = None, *children: object) -> Html:
    """Return an element. Children: ``Html``, text, ``None`` or iterables of them.

    An attribute that is ``True`` stands without a value, one that is ``None`` or ``False`` is left out.
    Raises ``ValueError`` for a name that is none, or an attribute that would be code.
    """
    parts = [f"<{name}"]
    for key, value in (attributes or {}).items():
        if not _NAME.fullmatch(key) or key.startswith("on") or key == "style":
            raise ValueError(f"{key} is no attribute of ours")
        if value is True:
            parts.append(f" {key}")
        elif value is not None and value is not False:
            parts.append(f' {key}="{text_attribute(value)}"')
    parts.append(">")
    if name in _VOID:
        return Html("".join(parts))
    return Html("".join([*parts, *flat(children), f"</{name}>"]))


def text_attribute(value: str) -> str:
    """Return a text for an attribute value in double quotes."""
    return html.escape(HIDDEN.sub(lambda match: escape(match[0]), value))


def flat(children: Iterable[object]) -> Iterable[str]:
    """Yield the markup of children."""
    for child in children:
        if child is None:
            continue
        if isinstance(child, Html):
            yield child
        elif isinstance(child, str):
            yield text(child)
        elif isinstance(child, Iterable):
            yield from flat(child)
        else:
            raise TypeError(f"{type(child).__name__} cannot be shown")


def join(*children: object) -> Html:
    """Return the markup of children, one after the other."""
    return Html("".join(flat(children)))


def spans(found: Iterable[Span]) -> Html:
    """Return spans of a difference: ``del`` and ``ins`` elements in running text."""
    return join(_span(span) for span in found)


def _span(span: Span) -> Html:
    if span.kind == "same":
        return text(span.text)
    shown: object = span.text
    if not span.text.strip(" \n"):
        # A line break that comes or goes has nothing else to see.
        shown = [[h("span", {"class": "ctl"}, "↵"), "\n"] if char == "\n" else char for char in span.text]
    return h(span.kind, None, shown)


_KANA = re.compile("[\u3041-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_HAN = re.compile("[\u4e00-\u9fff]")


def language(value: str) -> str | None:
    """Return the language that a text's script tells; Han is read and drawn in more than one way."""
    if _KANA.search(value):
        return "ja"
    if _HANGUL.search(value):
        return "ko"
    return "zh" if _HAN.search(value) else None
