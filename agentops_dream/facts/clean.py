"""One spelling for what only looks different: full width, quotes, dashes, line ends (SPEC §8).

Everything in this room compares cleaned text, so that ``８０８０``, ``8080`` and typographic quotes
are no difference.
"""

from __future__ import annotations

import re
import unicodedata

_SAME = str.maketrans(
    {
        "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "ʼ": "'",
        "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "‒": "-", "―": "-",
        "〜": "~", "～": "~", "\u00a0": " ", "\u200b": None, "\u200c": None, "\u200d": None, "\ufeff": None,
        "\u2060": None, "\u00ad": None, "→": "→", "\t": " ", "\x0b": " ", "\x0c": " ", "\u2028": "\n", "\u2029": "\n",
    }
)  # fmt: skip
_BREAKS = re.compile(r"\r\n?")


def clean(text: str) -> str:
    """Return ``text`` in NFKC with one kind of quote, dash, space and line end."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_SAME)
    elif "\t" in text:
        text = text.replace("\t", " ")
    return _BREAKS.sub("\n", text) if "\r" in text else text
