"""File names for new entries: safe, unused and portable (SPEC §4 Id; never a path from a name alone)."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable

MAX_BYTES = 100
"""Of the whole file name; every file system takes 255, archives and sync tools less."""

# Names that Windows keeps for devices, and files that agents read as instructions.
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [port + number for port in ("com", "lpt") for number in "0123456789¹²³"]
    + ["memory", "claude", "claude.local", "agents", "agents.override", "gemini", "skill", "readme"]
)


def fold(text: str) -> str:
    """Return the key under which names count as the same: NFC and case folded."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def stem(path: str) -> str:
    """Return the file name of ``path`` without folder and ``.md``."""
    name = path[path.rfind("/") + 1 :]
    return name[:-3] if name[-3:].lower() == ".md" else name


def safe_filename(name: str, taken: Iterable[str]) -> str:
    """Return a file name for a new entry called ``name``, different from all ``taken`` by ``fold``.

    ``taken`` holds file names or relative paths. The result is NFC, one component, ends in ``.md``, has at
    most ``MAX_BYTES`` bytes, is not hidden, reserved on Windows, or a file that agents load by itself.
    Letters and digits of every script stay; a name without any gets a hash of it instead.
    """
    used = {fold(path) for path in taken}
    used |= {key[key.rfind("/") + 1 :] for key in used}
    base = _slug(name)
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    if not base:
        base = "note-" + digest[:8]
    base = _shortened(base, MAX_BYTES - len(".md"))
    if fold(base).partition(".")[0] in _RESERVED:
        base = base.replace(".", "-", 1)  # Windows looks no further than the first dot
    if fold(base) in _RESERVED:
        base = _shortened(base, MAX_BYTES - len("-note.md")) + "-note"
    candidate = base + ".md"
    number = 1
    while fold(candidate) in used:
        number += 1
        ending = f"-{number}.md"
        candidate = _shortened(base, MAX_BYTES - len(ending)) + ending
    return candidate


def _slug(name: str) -> str:
    text = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode("utf-8"))
    if text.lower().endswith(".md"):
        text = text[:-3]
    kept = "".join(char if _kept(char) else "-" for char in text)
    kept = re.sub(r"-*\.+-*", lambda match: "." if match.group() == "." else "-", kept)
    kept = re.sub(r"-{2,}", "-", kept).strip("-._ ")
    return kept if any(char.isalnum() for char in kept) else ""


def _kept(char: str) -> bool:
    # Marks belong to the letters of many scripts; alone they are no name.
    return char in "-_." or unicodedata.category(char) in (
        "Ll",
        "Lu",
        "Lt",
        "Lo",
        "Lm",
        "Nd",
        "Mn",
        "Mc",
        "Nl",
    )


def _shortened(text: str, limit: int) -> str:
    if len(text.encode("utf-8")) <= limit:
        return text
    cut = text.encode("utf-8")[:limit].decode("utf-8", "ignore")
    # Not in the middle of a letter and its marks.
    while cut and unicodedata.combining(text[len(cut)]):
        cut = cut[:-1]
    return cut.rstrip("-._ ")
