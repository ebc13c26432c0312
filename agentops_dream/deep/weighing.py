"""What is laid on the scales: which texts are input and which output, links made comparable (SPEC §8).

Facts are weighed over the whole of what an op, or a split, takes in and gives out. Links are facts
too, but the name they are written with is not: before weighing, each is turned into the id that it
leads to after the plan, links inside the group go, and so do new links to entries the plan may link to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from agentops_dream.deep.outlook import DANGLES, Outlook
from agentops_dream.deep.recall import Shelf
from agentops_dream.deep.steps import Step
from agentops_dream.facts.reading import read
from agentops_dream.facts.supersede import other_world
from agentops_dream.facts.weigh import Text, keeps, near_verbatim, weigh
from agentops_dream.models import Entry, Fault, Superseded
from agentops_dream.store import links

_HIDDEN = "[redacted]"
SAME_THING = 0.9
"""Share of a sentence's content words that its replacement must have. High, because in doubt a flag does."""

NEAR = 3
"""How many entries may be about the same thing. An honest replacement was the nearest one whenever seen."""

Call = tuple[tuple[Text, ...], tuple[Text, ...], tuple[Superseded, ...], tuple[tuple[str, Text], ...]]


@dataclass(frozen=True)
class Group:
    """Texts that are weighed together."""

    inputs: tuple[str, ...]
    """Paths, weighed as they stand now."""
    outputs: tuple[str, ...]
    """Keys, weighed as they stand after the plan."""
    superseded: tuple[Superseded, ...]
    added: tuple[str, ...] = ()
    """Link targets that the ops add below the text."""


@dataclass
class Scales:
    """Weighs groups in an outlook; remembers what it has weighed, for outlooks change little."""

    find_secrets: Callable[[str], Iterable[str]]
    near: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Path of an entry that something supersedes -> paths of the entries most like it (``neighbours``)."""
    _seen: dict[Call, tuple[Fault, ...]] = field(default_factory=dict)
    _alike: dict[tuple[Text, Text], bool] = field(default_factory=dict)

    def faults(self, step: Step, outlook: Outlook) -> tuple[Fault, ...]:
        """Return what is wrong with the text that ``step`` writes; empty if it is honest.

        An entry that only takes in what a delete of the same plan gives up is weighed with it.
        """
        group = group_of(step, outlook)
        faults = self._weigh(group, outlook)
        if faults:
            told: tuple[Superseded, ...] = ()
            for other in _giving_up(step, outlook):
                group = replace(group, inputs=group.inputs + tuple(sorted(other.paths - set(group.inputs))))
                told += other.op.superseded
            return self._given_up(group, told, outlook) and faults
        return faults

    def _given_up(self, group: Group, told: tuple[Superseded, ...], outlook: Outlook) -> tuple[Fault, ...]:
        """Weigh what a delete gives up: what it declares excuses a loss and nothing else.

        A text that goes as a whole is declared as a whole, and a swap or a lost hedge would hide in that.
        """
        faults = self._weigh(group, outlook)
        if all(fault.code != "loss" for fault in faults):
            return faults
        excused = self._weigh(replace(group, superseded=group.superseded + told), outlook)
        return (
            *(fault for fault in faults if fault.code != "loss"),
            *(fault for fault in excused if fault.code == "loss"),
        )

    def kept_by(
        self, step: Step, target_path: str, keepers: Sequence[str], outlook: Outlook
    ) -> tuple[Fault, ...]:
        """Return what of the entry at ``target_path`` its ``keepers`` do not say; empty: all is kept."""
        known = tuple(key for key in keepers if key in outlook.shown.current)
        makers = [outlook.results[key] for key in keepers if key in outlook.results]
        own = tuple(item for maker in makers for item in maker.op.superseded)
        group = Group((target_path, *known), tuple(keepers), own)
        faults = self._given_up(group, step.op.superseded, outlook)
        inside = {target_path, *keepers}
        target = self.plain(target_path, outlook, after=False, drop=inside)
        by = [self.plain(key, outlook, after=True, drop=inside) for key in keepers]
        unsaid = tuple(_about_something_else(target, by))
        if unsaid:
            return (*faults, Fault("loss", "in no entry that remains: " + "; ".join(unsaid), unsaid))
        if by and all(other_world(read(target), read(text)) for text in by):
            labels = ", ".join(text.id for text in by)
            return (*faults, Fault("loss", f"{labels} speaks of something else", (target.description or target.id,)))
        return faults

    def same(self, path: str, key: str, outlook: Outlook) -> bool:
        """Return whether ``key``, after the plan, says what ``path`` says now, nearly word for word."""
        one, other = self.plain(path, outlook, after=False), self.plain(key, outlook, after=True)
        if (one, other) not in self._alike:
            self._alike[one, other] = near_verbatim(one, other) and not keeps(one, other)
        return self._alike[one, other]

    def plain(self, key: str, outlook: Outlook, *, after: bool, drop: Collection[str] = ()) -> Text:
        """Return the text of one entry, before or after the plan, without links to ``drop``."""
        texts = outlook.text(key) if after else outlook.before(key)
        return _canonical(key, texts, outlook, lambda end: end not in drop)

    def _weigh(self, group: Group, outlook: Outlook) -> tuple[Fault, ...]:
        inputs, outputs = _texts(group, outlook)
        far = tuple(item for item in group.superseded if self._is_far(item, group, outlook))
        group = replace(group, superseded=tuple(item for item in group.superseded if item not in far))
        superseded, shown = _citations(group, inputs, outlook)
        call: Call = (inputs, outputs, superseded, tuple(shown.items()))
        if call not in self._seen:
            faults = weigh(inputs, outputs, superseded=superseded, shown=shown)
            faults = (*faults, *self._lost_secrets(inputs, outputs))
            self._seen[call] = tuple(self._veiled(fault, (*inputs, *outputs)) for fault in faults)
        told = "; ".join(f"{item.text!r} by {item.by}" for item in far)
        why = f" (declared superseded by an entry about something else: {told})" if far else ""
        return tuple(
            replace(fault, message=fault.message + why) if fault.code == "loss" else fault
            for fault in self._seen[call]
        )

    def _is_far(self, item: Superseded, group: Group, outlook: Outlook) -> bool:
        """Return whether the cited entry is none of the few that are about the same thing.

        Sentences that are built alike vouch for each other by their words. What is superseded by an
        entry has that entry next to it in the store; "the port of the cache" has not the queue there.
        """
        by = outlook.shown.path(item.by)
        known = [self.near[path] for path in group.inputs if path != by and path in self.near]
        return by is not None and bool(known) and not any(by in near for near in known)

    def _veiled(self, fault: Fault, texts: Sequence[Text]) -> Fault:
        """Return a fault that quotes no piece of a secret: a password may read as several literals."""
        values = [value for text in texts for value in self.find_secrets(f"{text.description}\n{text.body}")]
        pieces = {
            literal
            for literal in fault.literals
            if any(literal in value or value in literal for value in values) and len(literal) > 1
        }
        if not pieces:
            return fault
        message = fault.message
        for piece in sorted(pieces, key=len, reverse=True):
            message = message.replace(piece, _HIDDEN)
        return Fault(fault.code, message, tuple(_HIDDEN if text in pieces else text for text in fault.literals))

    def _lost_secrets(self, inputs: Sequence[Text], outputs: Sequence[Text]) -> tuple[Fault, ...]:
        after = "\n".join(text.description + "\n" + text.body for text in outputs)
        before = "\n".join(text.description + "\n" + text.body for text in inputs)
        if all(value in after for value in self.find_secrets(before)):
            return ()
        return (Fault("loss", "lost: a value that looks like a secret"),)


def neighbours(paths: Collection[str], store: Iterable[Entry]) -> dict[str, frozenset[str]]:
    """Return, for each of ``paths``, the paths of the entries of ``store`` whose words are most like its."""
    if not paths:
        return {}
    with Shelf(store) as shelf:
        return {
            entry.path: shelf.nearest(f"{entry.description} {entry.body}", NEAR + 1) - {entry.path}
            for entry in shelf.entries
            if entry.path in paths
        }


def invented(text: str, shown: Iterable[Entry], today: date) -> bool:
    """Return whether ``text`` holds a literal that no shown entry has, nor today's date."""
    support = [Text(entry.id, entry.description, entry.body) for entry in shown]
    support.append(Text("today", "", today.isoformat()))
    return any(fault.code == "invention" for fault in weigh(support, [Text("", "", text)]))


def _about_something_else(target: Text, keepers: Sequence[Text]) -> Iterable[str]:
    """Yield the sentences that lose a fact and have no counterpart among the keepers.

    A value may go for another one of the same thing. That it is the same thing is seen by the words
    around it: nearly all of them stand in one sentence of a keeper. "The blue cache has port 7017"
    is not replaced by "The grey queue has port 7012", however much a model declares it.
    """
    whole = Text("", "", "\n\n".join(f"{text.description}\n\n{text.body}" for text in keepers))
    missing = keeps(target, whole)
    there = read(whole).sentences
    for sentence in read(target).sentences:
        if sentence.stems and any(text in sentence.text for text in missing):
            best = max((len(sentence.stems & (other.stems | other.over)) for other in there), default=0)
            if best < SAME_THING * len(sentence.stems):
                yield sentence.text


def group_of(step: Step, outlook: Outlook) -> Group:
    """Return what ``step`` is weighed with: a split's parts and their source together, else its own texts."""
    siblings = outlook.siblings(step)
    if not siblings:
        return Group(
            tuple(entry.path for entry in step.targets), (step.key,), step.op.superseded, step.op.links
        )
    source = step.targets[0].path
    outputs = [other.key for other in siblings]
    if source not in outputs and not outlook.removed(source):
        outputs.append(source)
    return Group(
        (source,),
        tuple(outputs),
        tuple(item for other in siblings for item in other.op.superseded),
        tuple(link for other in siblings for link in other.op.links),
    )


def _giving_up(step: Step, outlook: Outlook) -> tuple[Step, ...]:
    """Return the deletes of this plan that name what ``step`` writes in place of their targets."""
    return tuple(
        other
        for other in outlook.steps
        if other.role == "delete" and any(outlook.heir(cited.path) == step.key for cited in other.cited)
    )


# ---------------------------------------------------------------- texts

Keep = Callable[["str | None"], bool]
"""Whether a link with this end stays in a text; ``None`` is the end of one whose entry went."""


def _texts(group: Group, outlook: Outlook) -> tuple[tuple[Text, ...], tuple[Text, ...]]:
    inside = {*group.inputs, *group.outputs}
    drop = inside | {end for link in group.added if (end := outlook.end(link))}
    before = {
        outlook.end(target)
        for path in group.inputs
        for text in outlook.before(path)
        for target in links.targets(text)
    }
    inputs = [
        _canonical(path, outlook.before(path), outlook, lambda end: end is not None and end not in drop)
        for path in group.inputs
    ]
    outputs = [
        _canonical(key, outlook.text(key), outlook, lambda end: end in before and end not in drop)
        for key in group.outputs
    ]
    return tuple(inputs), tuple(outputs)


def _canonical(key: str, texts: tuple[str, str], outlook: Outlook, keep: Keep) -> Text:
    def put(link: links.Link) -> str:
        end = outlook.end(link.target)
        # A link to nothing stays as it is spelled: verdicts quote it, and a secret is known by its spelling.
        name = link.target if end is None or end.startswith(DANGLES) else outlook.label(end)
        shown = f"[[{name}]]" if end is not None and keep(end) else ""
        return f"{shown} {link.alias}".strip() if link.alias else shown

    description, body = (_newlines(_with_links(text, put)) for text in texts)
    return Text(outlook.label(key), description, body)


def _with_links(text: str, put: Callable[[links.Link], str]) -> str:
    parts, at = [], 0
    for link in links.found(text):
        parts += [text[at : link.start], put(link)]
        at = link.end
    return "".join([*parts, text[at:]])


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _citations(
    group: Group, inputs: Sequence[Text], outlook: Outlook
) -> tuple[tuple[Superseded, ...], dict[str, Text]]:
    """``superseded`` with the ids of the entries as they are, and the texts of those entries.

    A cited entry that is an input too is one and the same text.
    """
    weighed = dict(zip(group.inputs, inputs, strict=True))
    items: list[Superseded] = []
    shown: dict[str, Text] = {}
    for item in group.superseded:
        path = outlook.shown.path(item.by)
        if path is None:
            continue
        label = outlook.label(path)
        items.append(Superseded(item.text, label))
        text = _canonical(path, outlook.before(path), outlook, lambda end: end is not None)
        shown[label] = weighed.get(path, text)
    return tuple(items), shown
