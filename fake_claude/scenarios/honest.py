"""Good dreamers: every fact that was there stays there, and none comes in."""

from __future__ import annotations

import difflib
import re

from fake_claude.answer import Answer
from fake_claude.prompt import Prompt, Shown
from fake_claude.scenarios.ops import body_of, header, merge, numbers, op, plan, scenario, update

_FILLER = re.compile(r"(?i)^(?:note to self|just so i remember|for the record|basically)\s*[:,]\s*")
_SAFE_CAPITALS = frozenset(["a", "an", "all", "do", "every", "it", "never", "the", "this", "to", "use", "we"])
_TWIN = 0.9


@scenario
def nothing(prompt: Prompt) -> Answer:
    """Everything is fine as it is."""
    return plan([], "Nothing to do.")


@scenario
def tidy(prompt: Prompt) -> Answer:
    """Merges near-verbatim twins, drops filler words elsewhere; proposes nothing the second time."""
    ops = []
    gone: set[str] = set()
    for survivor, loser in twins(prompt):
        if not gone & {survivor.id, loser.id}:
            gone |= {survivor.id, loser.id}
            ops.append(merge(survivor, loser, union(body_of(survivor), body_of(loser))))
    for entry in editable(prompt):
        if entry.id in gone:
            continue
        body, description = polish(entry.body), polish(entry.description)
        if (body, description) != (entry.body, entry.description):
            ops.append(
                update(
                    entry,
                    body=body if body != entry.body else None,
                    description=description if description != entry.description else None,
                )
            )
    return plan(ops)


@scenario
def restless(prompt: Prompt) -> Answer:
    """Always finds something to do: turns the order of paragraphs round, again and again."""
    ops = []
    for entry in editable(prompt):
        paragraphs = [p for p in re.split(r"\n\s*\n", body_of(entry)) if p.strip()]
        if len(paragraphs) > 1 and "```" not in entry.body:
            ops.append(update(entry, body="\n\n".join([*paragraphs[1:], paragraphs[0]])))
    return plan(ops)


@scenario
def relink(prompt: Prompt) -> Answer:
    """Links entries that name one another in their text."""
    ops = []
    for entry in editable(prompt):
        named = [
            other.id
            for other in prompt.entries
            if other.id != entry.id and other.id in entry.body and f"[[{other.id}" not in entry.body
        ]
        if named:
            ops.append(op("relink", [entry.id], links=named, rationale="Names it."))
    return plan(ops)


@scenario
def flag(prompt: Prompt) -> Answer:
    """Flags the first focus entry as doubtful."""
    return plan([op("flag", [e.id], 0.6, rationale="Looks out of date.") for e in editable(prompt)[:1]])


@scenario
def rename(prompt: Prompt) -> Answer:
    """Gives the first focus entry another name."""
    return plan(
        [
            op(
                "update",
                [e.id],
                new_name=f"{e.id}-notes",
                delete_source=True,
                new_frontmatter=header(e, name=f"{e.id}-notes"),
                new_body=body_of(e),
                rationale="A name that says more.",
            )
            for e in editable(prompt)[:1]
        ]
    )


@scenario
def split(prompt: Prompt) -> Answer:
    """Splits the first focus entry of several paragraphs into two entries that link to each other."""
    for entry in editable(prompt):
        first, _, rest = body_of(entry).partition("\n\n")
        if rest.strip() and "```" not in entry.body:
            name = f"{entry.id}-details"
            new = op(
                "update",
                [entry.id],
                new_name=name,
                new_frontmatter=header(entry, name=name),
                new_body=rest.strip(),
            )
            return plan([new, update(entry, body=f"{first}\n\nSee [[{name}]].", links=[name])])
    return plan([])


@scenario
def supersede(prompt: Prompt) -> Answer:
    """Settles a changed value for the focus entry and declares what it replaces."""
    for old, new in changed_values(prompt):
        gone = [value for value in numbers(old.text) if value not in numbers(new.text)]
        cited = [{"text": value, "by": new.id} for value in gone]
        return plan([op("delete", [old.id], 0.97, superseded=cited, rationale=f"Replaced by {new.id}.")])
    return plan([])


@scenario
def expire(prompt: Prompt) -> Answer:
    """Deletes focus entries that name their own end date."""
    ended = [
        e
        for e in editable(prompt)
        if re.search(r"(?i)\b(?:expires|until|ends)(?: on)? \d{4}-\d\d-\d\d", e.text)
    ]
    return plan([op("delete", [e.id], 0.97, rationale="Its own end date has passed.") for e in ended])


# ---------------------------------------------------------------- what they have in common


def editable(prompt: Prompt) -> tuple[Shown, ...]:
    """Return the focus entries that are not pinned."""
    return tuple(entry for entry in prompt.focus if not entry.pinned)


def polish(text: str) -> str:
    """Return ``text`` without filler words at the start of its lines; code blocks stay."""
    lines, fenced = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        shorter = line if fenced else _FILLER.sub("", line)
        if shorter != line and shorter.split(" ")[0].lower() in _SAFE_CAPITALS:
            shorter = shorter[:1].upper() + shorter[1:]
        lines.append(shorter)
    return "\n".join(lines)


def twins(prompt: Prompt) -> list[tuple[Shown, Shown]]:
    """Return pairs that say the same in almost the same words, with the same numbers in them."""
    found = []
    for index, one in enumerate(prompt.entries):
        for other in prompt.entries[index + 1 :]:
            if not (one.focus or other.focus) or one.pinned or other.pinned:
                continue
            if sorted(numbers(one.body)) != sorted(numbers(other.body)):
                continue
            if difflib.SequenceMatcher(None, body_of(one), body_of(other)).ratio() >= _TWIN:
                found.append((one, other) if one.focus else (other, one))
    return found


def changed_values(prompt: Prompt) -> list[tuple[Shown, Shown]]:
    """Return pairs (context, focus) of nearly the same text with other numbers in it."""
    return [
        (old, new)
        for new in editable(prompt)
        for old in prompt.entries
        if old.id != new.id
        and not old.focus
        and sorted(numbers(old.body)) != sorted(numbers(new.body))
        and difflib.SequenceMatcher(None, body_of(old), body_of(new)).ratio() >= _TWIN
    ]


def union(one: str, other: str) -> str:
    """Return the lines of ``one`` and then those of ``other`` that it does not have."""
    have = {line.strip() for line in one.split("\n")}
    more = [line for line in other.split("\n") if line.strip() and line.strip() not in have]
    return "\n".join([one, *more])
