"""One line of MEMORY.md for one entry: ``- [Title](file.md) — hook`` (SPEC §10)."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from ..models import Entry
from .index_refs import spellings
from .keys import lookup
from .markup import inline, one_line, shorten
from .names import fold, stem

HOOK = 150
"""Characters of a hook. The client writes lines of about 150 characters and warns above 200."""
_TITLE = 80

_TYPES = re.compile(r"(?:user|feedback|project|reference)[-_ ]+(?=.)", re.IGNORECASE)
# What would end the target early or mean something else in it, for a CommonMark reader or a simple pattern.
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029()<>\[\]\"`%#?\\*|\ud800-\udfff]")

_SEPARATOR = re.compile(r"[*_]{0,3}[ \t]*(?:—|–|--?|:|·|\|)[ \t]+(?=\S)|[*_]{0,3}[ \t]+(?:—|–)(?=\S)")


def render(entry: Entry, limit: int = HOOK) -> str:
    """Return the line of ``entry``, without line end; a hook has at most ``limit`` characters."""
    text = hook(entry.description, limit)
    line = f"- [{title(entry)}]({destination(entry.path)})"
    return f"{line} — {text}" if text else line


def title(entry: Entry) -> str:
    """Return the title of a new line.

    That is ``title``, or a name that reads like one, or the file's name made readable.
    """
    given = lookup(entry.fields, "title")
    text = one_line(given) if isinstance(given, str) else ""
    if not text and re.search(r"\s|[^\x00-\x7f]", entry.name.strip()):
        text = one_line(entry.name)
    text = text or one_line(readable(stem(entry.path))) or "entry"
    # Brackets could be escaped, but a simple `[title](file)` pattern would stumble over that.
    return inline(shorten(text.replace("[", "(").replace("]", ")"), _TITLE))


def readable(slug: str) -> str:
    """Return a slug as words: type prefix dropped, ``-`` and ``_`` between words as blanks."""
    words = re.sub(r"_|(?<=[^\W\d])-(?=[^\W_])", " ", _TYPES.sub("", slug, count=1)).strip()
    return words[:1].upper() + words[1:]


def hook(description: str, limit: int = HOOK) -> str:
    """Return a description as a hook: one line of at most ``limit`` characters without markup of its own."""
    return inline(shorten(one_line(description), limit)) if limit else ""


def destination(path: str) -> str:
    """Return ``path`` as the target of a link that both Markdown and ``](file.md)`` patterns read."""

    def encode(match: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogateescape"))

    encoded = _UNSAFE.sub(encode, path)
    # "a:b.md" would be a URL, "~a.md" and "/a" somewhere else.
    return encoded if path in spellings(encoded) else f"./{encoded}"


def hook_span(line: str, at: int) -> tuple[int, int, int] | None:
    """Return where the sign before the hook starts, where the hook itself does, and where it ends.

    ``at``: end of the link; ``None``: there is no hook.
    """
    sign = _SEPARATOR.match(line, at)
    if sign is None:
        return None
    return at + len(sign[0]) - len(sign[0].lstrip("*_")), sign.end(), len(line.rstrip())


def is_hook_of(text: str, description: str) -> bool:
    """Whether ``text`` is nothing but ``description``, whole or cut: not written by hand."""
    # A model copies a description as it is, we escape it.
    whole = one_line(description)
    return any(_is_cut_of(shown, whole) for shown in (one_line(text), _plain(text)))


def _is_cut_of(shown: str, whole: str) -> bool:
    if not shown or not whole:
        return False
    if shown.rstrip(".") == whole.rstrip("."):
        return True
    start = re.sub(r"(?:…|\.\.\.)$", "", shown)
    return start != shown and len(start) >= 10 and whole.startswith(start.rstrip())


def is_title_of(text: str, entry: Entry) -> bool:
    """Whether ``text`` is what a machine makes of the entry's name."""
    known: Sequence[object] = (
        lookup(entry.fields, "title"), entry.name, stem(entry.path), readable(stem(entry.path)), title(entry)
    )
    return fold(_plain(text)) in {fold(_plain(value)) for value in known if isinstance(value, str) and value}


def _plain(text: str) -> str:
    return one_line(html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)))
