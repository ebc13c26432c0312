"""The new text of an op as a file for a person's own editor (SPEC §12)."""

from __future__ import annotations

import re

from agentops_dream.review.cards import Draft

_HEADER = re.compile(r"---\n\s*description:[ \t]*(?P<description>[^\n]*)\n---\n+(?P<body>.*)", re.DOTALL)


class BadDraft(Exception):
    """The file that came back is not in the form it went out in; the message says what to do."""


def to_text(draft: Draft) -> str:
    """Return ``draft`` as a file: a description, if it has one, stands in a header of its own."""
    body = (draft.body or "").rstrip("\n") + "\n" if draft.body is not None else ""
    return body if draft.description is None else f"---\ndescription: {draft.description}\n---\n\n{body}"


def from_text(text: str, draft: Draft) -> Draft:
    """Return the draft in a file that ``to_text(draft)`` made and a person changed. Raises ``BadDraft``."""
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    if draft.description is None:
        return Draft(None, text)
    match = _HEADER.match(text)
    if match is None:
        raise BadDraft("the first lines must stay: ---, description: …, ---; nothing was kept")
    return Draft(match["description"].strip(), match["body"] if draft.body is not None else None)
