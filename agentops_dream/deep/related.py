"""Where a link is put that an op adds: into the file's own line of links, else into a new one (SPEC §7)."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORDS = {
    "en": "Related",
    "ja": "関連",
    "zh": "相关",
    "ko": "관련",
}
_LABEL = (
    r"(?:related|see also|see|links?|関連|関連項目|参照|相关|相關|参见|參見|관련|참고"
    r"|verwandt|siehe auch|voir aussi|ver también|связано|см\. также)"
)
_LINE = re.compile(
    rf"[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)?{_LABEL}(?:\*\*|__)?[ \t]*[::]?(?:\*\*|__)?[ \t]*"
    r"\[\[[^\[\]\n]+\]\](?P<more>(?:[^\[\]\n]{0,4}\[\[[^\[\]\n]+\]\])*)[ \t]*(?P<stop>[.。]?)[ \t]*$",
    re.IGNORECASE,
)
"""A line that holds a label and links and nothing else."""

# Made on first use: for classes as wide as these that takes as long as reading many entries.
_KANA = r"[\u3040-\u30ff]"
_HAN = r"[\u4e00-\u9fff]"
_HANGUL = r"[\uac00-\ud7af]"


def with_links(body: str, labels: Sequence[str]) -> str:
    """Return ``body`` with ``[[label]]`` for each of ``labels`` at its end, in the file's own style.

    The last line of a body that is a list of links is extended with its own separator; else a new
    paragraph is added, in the language of the text. Nothing else changes; ``\\n`` ends its lines.
    """
    if not labels:
        return body
    text = body.rstrip()
    tail = body[len(text) :]
    lines = text.split("\n")
    found = _LINE.fullmatch(lines[-1].rstrip("\r"))
    if found is not None:
        between = re.search(r"\]\]([^\[\]]+)\[\[", lines[-1])
        separator = between.group(1) if between else ", "
        stop = found.group("stop")
        line = lines[-1].rstrip().removesuffix(stop)
        lines[-1] = line + "".join(f"{separator}[[{label}]]" for label in labels) + stop
        return "\n".join(lines) + tail
    added = f"{_WORDS[_language(text)]}: " + ", ".join(f"[[{label}]]" for label in labels)
    return f"{text}\n\n{added}{tail}" if text else f"{tail}{added}\n"


def _language(text: str) -> str:
    if re.search(_KANA, text):
        return "ja"
    if re.search(_HANGUL, text):
        return "ko"
    return "zh" if re.search(_HAN, text) else "en"
