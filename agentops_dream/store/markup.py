"""Text of entries as one harmless line of Markdown (SPEC §10 hooks, §11 "content cannot forge …").

A description is written by a model or a stranger and lands in files that other agents read as instructions.
It must stay readable, and must not become a heading, a comment, a link, an import or a marker there.
"""

from __future__ import annotations

import re
import unicodedata

# Steers the eye or the terminal, or carries text that nobody sees: controls, bidi marks, zero-width
# characters but the two joiners that scripts and emoji need, tag characters, the selectors beyond VS16.
_INVISIBLE = re.compile(
    "[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\xad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f"
    "\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb"
    "\\U000e0000-\\U000e0fff]"
)
_BLANKS = re.compile(r"\s+")
CODE_SPAN = re.compile(r"(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_SPECIAL = re.compile(
    r"""(?x)
    (?P<backslash> \\ (?= [!-/:-@\[-`{-~] | $ ) )
    | (?P<comment> --+> )
    | (?P<paren> (?<= \] ) \( )
    | (?P<tag> < (?= [A-Za-z/!?] ) )
    | (?P<entity> & (?= \#? [A-Za-z0-9]+ ; ) )
    | (?P<at> (?<! [A-Za-z0-9] ) @ )
    | (?P<inner> (?<= [^\W_] ) _+ (?= [^\W_] ) )
    | (?P<other> [`*_\[\]] | ~ (?= ~ ) | (?<= ~ ) ~ )
    """
)
_HIDES = re.compile(r"<!--|--+>")


def one_line(text: str) -> str:
    """Return ``text`` as one line: controls and what cannot be seen left out, runs of blanks made one."""
    visible = _INVISIBLE.sub("", text.encode("utf-8", "replace").decode("utf-8"))
    return _BLANKS.sub(" ", visible).strip()


def shorten(line: str, limit: int) -> str:
    """Return ``line`` in at most ``limit`` characters, cut between words or, without any, between characters.

    A cut line ends in ``…``. No accent or joined emoji is torn apart, no code span left open if that can be
    had for a bit less text.
    """
    if len(line) <= limit:
        return line
    end = max(limit - 1, 0)
    while end > 0 and _joins(line, end):
        end -= 1
    blank = line.rfind(" ", 0, end + 1)
    if blank > limit // 2:
        end = blank
    for span in CODE_SPAN.finditer(line):
        if limit // 3 < span.start() < end < span.end():
            end = span.start()
    return re.sub(r"[\s,;:、(]+$", "", line[:end]) + "…"


def _joins(line: str, at: int) -> bool:
    """Whether the characters around ``at`` are one to the reader."""
    before, after = line[at - 1], line[at]
    return (
        before == "\u200d"
        or after in "\u200d\ufe0f"
        or bool(unicodedata.combining(after))
        or unicodedata.category(after) in ("Mn", "Me", "Mc")
        or "\U0001f3fb" <= after <= "\U0001f3ff"  # skin tones
    )


def inline(line: str) -> str:
    """Return ``line`` (see ``one_line``) so that Markdown shows it as it is and finds no markup in it.

    Code spans stay code spans. Neither the raw text nor what is shown holds ``<!--``, ``-->``, a tag, a link,
    ``](`` or ``[[``.
    """
    parts, at = [], 0
    for span in CODE_SPAN.finditer(line):
        if _HIDES.search(span[0]) or "](" in span[0] or "[[" in span[0]:
            continue
        parts += [_plain(line[at : span.start()]), span[0]]
        at = span.end()
    return "".join([*parts, _plain(line[at:])])


def _plain(text: str) -> str:
    return _SPECIAL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    found = match[0]
    if match.lastgroup == "comment":
        return found[:-1] + "&gt;"
    if match.lastgroup == "tag":
        return "&lt;"
    if match.lastgroup == "entity":
        return "&amp;"
    if match.lastgroup == "inner":
        return found  # snake_case is no emphasis
    return "\\" + found
