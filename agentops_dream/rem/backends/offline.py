"""Dreaming without a model: rules that can be sure of themselves (SPEC §3 ``BACKEND=offline``, §17).

    duplicates   entries with the same text, apart from white space and Markdown, become one
    frontmatter  a missing name comes from the file name, a missing description from the first sentences,
                 values that YAML refuses get quotes
    links        an entry that names another one gets a link to it
    end dates    an entry whose own end date has passed is flagged

An entry whose header begins and never ends is left alone.

Every text that comes out is one that stood there before, so nothing is new and nothing is lost.
Deterministic. Over what it has done it proposes nothing more, but for the missing name of an entry that
others were merged into: an entry takes one change at a time.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agentops_dream.facts import marks
from agentops_dream.facts.weigh import Text, weigh
from agentops_dream.models import Entry, Reply, Usage, WorkingSet
from agentops_dream.store import entry as files
from agentops_dream.store.links import Resolver
from agentops_dream.store.markdown import Code, code

LONGEST_DESCRIPTION = 220
"""Characters. Most descriptions in the field are shorter; a longer one is a body."""

_DOUBTFUL = frozenset(("unverified", "possible", "probable", "reported"))


def dream(working_set: WorkingSet) -> Reply:
    """Return the ops that the rules find, in the order of the entries. Never raises."""
    open_ = [e for e in working_set.shown if not e.pinned and not e.readonly and not _is_cut_short(e)]
    focus = {entry.path for entry in working_set.focus}
    groups = _duplicates(open_, focus)
    gone = {entry.path for group in groups for entry in group[1:]}
    joined = {group[0].path: group for group in groups}
    links = _Names([entry for entry in working_set.shown if entry.path not in gone])
    passed = {path: s.detail for s in working_set.signals if s.kind == "date_passed" for path in s.paths}

    ops: list[dict[str, Any]] = []
    for entry in open_:
        if entry.path in joined:
            ops.append(_merge(joined[entry.path], links))
        if entry.path in gone or (entry.path not in focus and entry.path not in joined):
            continue
        if entry.path not in joined:
            repaired = _repaired(entry, working_set.shown)
            if repaired:
                ops.append(_op("update", [entry], 0.95, _why(repaired), new_frontmatter=repaired[0]))
            named = links.named_in(entry)
            if named:
                ops.append(_op("relink", [entry], 0.8, "Its text names them.", links=named))
        if entry.path in passed and not entry.flagged:
            ops.append(_op("flag", [entry], 0.9, f"Its own end date has passed: {passed[entry.path]}."))
    count = len(ops)
    summary = f"{count} {'change' if count == 1 else 'changes'} by rule." if count else "Nothing to do."
    return Reply(tuple(ops), summary, Usage(model="offline"))


def _op(
    verb: str, targets: Sequence[Entry], confidence: float, rationale: str, **fields: Any
) -> dict[str, Any]:
    return {
        "op": verb,
        "target_ids": [entry.id for entry in targets],
        "confidence": confidence,
        "rationale": rationale,
        **fields,
    }


# ---------------------------------------------------------------- duplicates


def _duplicates(entries: Sequence[Entry], focus: set[str]) -> list[list[Entry]]:
    """Groups of entries with one text, the one that stays first."""
    same: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        text = _squeezed(entry.body)
        if text and not entry.flagged:
            same[(entry.type, text)].append(entry)
    groups = []
    fame = _fame(entries)
    for members in same.values():
        if len(members) > 1 and any(entry.path in focus for entry in members):
            group = sorted(members, key=lambda entry: (-fame[entry.path], not entry.name, entry.path))
            group = [group[0], *(loser for loser in group[1:] if _absorbs(group[0], loser))]
            if len(group) > 1 and any(entry.path in focus for entry in group):
                groups.append(group)
    return groups


def _squeezed(body: str) -> str:
    """The text without what Markdown leaves free outside of code: emphasis, list marks, white space."""
    pieces: list[str] = []
    at = 0
    for start, end in [*code(body), (len(body), len(body))]:
        prose = re.sub(r"(?m)^[ \t]*(?:[-*+]|#{1,6}|>|\d{1,3}[.)])[ \t]+", "", body[at:start])
        prose = re.sub(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)", "", prose)
        pieces += [re.sub(r"\s+", " ", prose), body[start:end].rstrip()]
        at = end
    return "".join(pieces).strip()


def _fame(entries: Sequence[Entry]) -> Counter[str]:
    """How many others link to each entry, by path."""
    resolver = Resolver(entries)
    fame: Counter[str] = Counter()
    for entry in entries:
        found = {other.path for target in entry.links if (other := resolver.resolve(target))}
        fame.update(found - {entry.path})
    return fame


def _absorbs(survivor: Entry, loser: Entry) -> bool:
    merged = Text(survivor.id, _joined_description([survivor, loser]), survivor.body)
    linked = {survivor.id, survivor.name, loser.id, loser.name} & {*survivor.links, *loser.links}
    return not linked and not weigh([_text(survivor), _text(loser)], [merged])


def _text(entry: Entry) -> Text:
    return Text(entry.id, entry.description, entry.body)


def _joined_description(group: Sequence[Entry]) -> str:
    """All descriptions, those left out that another one holds."""
    kept: list[str] = []
    for text in (" ".join(entry.description.split()) for entry in group):
        if text and not any(text.rstrip(".。").casefold() in other.casefold() for other in kept):
            kept = [other for other in kept if other.rstrip(".。").casefold() not in text.casefold()]
            kept.append(text)
    return "; ".join(kept)


def _merge(group: Sequence[Entry], links: _Names) -> dict[str, Any]:
    survivor = group[0]
    fields = {"description": _joined_description(group) or _opening(survivor.body)}
    more = {"links": named} if (named := links.named_in(survivor)) else {}
    return _op(
        "merge",
        group,
        0.97,
        "The same text, apart from white space and Markdown.",
        new_body=survivor.body.strip("\r\n"),
        **({"new_frontmatter": fields} if fields["description"] else {}),
        **more,
    )


# ---------------------------------------------------------------- frontmatter


def _repaired(entry: Entry, shown: Sequence[Entry]) -> tuple[dict[str, Any], list[str]] | None:
    """The fields to write and what each is for, or ``None`` if all is well."""
    fields: dict[str, Any] = {}
    reasons: list[str] = []
    if not entry.body.strip():
        return None
    if not entry.name:
        stem = files.stem(entry.path)
        if sum(files.stem(other.path).casefold() == stem.casefold() for other in shown) == 1:
            fields["name"] = stem
            reasons.append("name from the file name")
    if not entry.description:
        description = _opening(entry.body)
        if description and description.casefold() != files.stem(entry.path).casefold():
            fields["description"] = description
            reasons.append("description from the first sentences")
    if entry.fields and files.repair(entry.raw, path=entry.path) != entry.raw:
        fields.setdefault("description", entry.description)
        reasons.append("values that YAML refuses put in quotes")
    if not fields.get("description"):
        fields.pop("description", None)
    return (fields, reasons) if fields else None


_HEADER_BEGINS = re.compile(r"\ufeff?---[ \t]*\r?\n[^\W\d][\w.-]*[ \t]*:(?:\s|$)")


def _is_cut_short(entry: Entry) -> bool:
    """Whether a header begins and never ends: where it ought to is for a person to say."""
    return not entry.fields and _HEADER_BEGINS.match(entry.body) is not None


def _why(repaired: tuple[dict[str, Any], list[str]]) -> str:
    text = ", ".join(repaired[1])
    return f"{text[0].upper()}{text[1:]}."


_NO_SENTENCE = re.compile(r"\s*(?:[-*_]\s*){3,}$|\s*<!--|\s*\||\s*!\[")
_SENTENCE_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)[.!?](?=\s+[^\sa-z])|[\u3002\uff01\uff1f]"
)


def _opening(body: str) -> str:
    """The first sentences as a description, word for word; ``""`` if they would mislead.

    A doubt that comes after the part that fits would be gone from it, so then there is none.
    """
    paragraph = _first_paragraph(body)
    plain = " ".join(re.sub(r"\*\*|__", "", paragraph).split())
    if len(plain) <= LONGEST_DESCRIPTION:
        return plain.rstrip(".:\u3002\uff1a ") if _SENTENCE_END.search(plain) is None else plain
    ends = [found.end() for found in _SENTENCE_END.finditer(plain) if found.end() <= LONGEST_DESCRIPTION]
    if not ends or any(mark.name in _DOUBTFUL for mark in marks.find(plain[ends[-1] :])):
        return ""
    return plain[: ends[-1]]


def _first_paragraph(body: str) -> str:
    """The first lines of prose, joined; a heading only if there is nothing else."""
    heading = ""
    covered = Code(body)
    lines: list[str] = []
    at = 0
    for line in body.splitlines(keepends=True):
        start, at = at, at + len(line)
        text = line.strip()
        block = line.startswith(("```", "~~~", "    ", "\t"))
        block = block or (covered.covers(start) and not text.startswith("`"))
        if text.startswith("#"):
            heading = heading or text.lstrip("# ").strip()
            text = ""
        if not text or block or _NO_SENTENCE.match(line):
            if lines:
                break
            continue
        item = re.match(r"(?:[-*+>]|\d{1,3}[.)])\s+", text)
        if item and lines:
            break
        lines.append(text[item.end() :] if item else text)
    return " ".join(lines) or heading


# ---------------------------------------------------------------- links


class _Names:
    """Finds in a text the names of other entries."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = tuple(entries)
        self._resolver = Resolver(entries)
        spoken: dict[str, set[str]] = defaultdict(set)
        self._by_path: Mapping[str, Entry] = {entry.path: entry for entry in entries}
        for entry in entries:
            for name in {entry.name, files.stem(entry.path)}:
                if _telling(name):
                    spoken[name.casefold()].add(entry.path)
        self._spoken = {name: next(iter(paths)) for name, paths in spoken.items() if len(paths) == 1}

    def named_in(self, entry: Entry) -> list[str]:
        """Ids of the entries that ``entry`` names and does not link to, in the order of the names."""
        linked = {found.path for target in entry.links if (found := self._resolver.resolve(target))}
        # Not in comments: nobody reads them, and a link would be for nobody.
        body = re.sub(r"<!--.*?-->", " ", entry.body, flags=re.S).casefold()
        if _ends_in_code(entry.body):
            return []  # a line of links could end up inside it
        named = {
            path: self._by_path[path].id
            for name, path in sorted(self._spoken.items())
            if path != entry.path and path not in linked and name in body and any(_occurrences(name, body))
        }
        return list(named.values())


def _ends_in_code(body: str) -> bool:
    text = body.rstrip()
    return bool(text) and not text.endswith("`") and Code(body).covers(len(text) - 1)


def _telling(name: str) -> bool:
    """Whether a name can hardly stand in a text by chance."""
    parts = [part for part in re.split(r"[-_\s]+", name) if part]
    letters = sum(char.isalpha() for char in name)
    wide = sum(ord(char) > 0x2E7F for char in name)
    return (len(parts) >= 2 and letters >= 8) or wide >= 6


def _occurrences(name: str, body: str) -> Iterator[bool]:
    """Yield ``True`` where ``name`` stands by itself: not in a word, a path, a URL or another name."""
    at = body.find(name)
    while at >= 0:
        before, after = body[:at][-1:], body[at + len(name) :][:2]
        wide = ord(name[0]) > 0x2E7F
        alone = wide or not (re.match(r"[\w./@\\-]", before) or re.match(r"[\w/@\\-]|[.:]\w", after))
        if alone and body[:at][-2:] != "[[":
            yield True
        at = body.find(name, at + 1)
