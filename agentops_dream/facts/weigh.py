"""Fact conservation: what a bundle of ops loses, invents, swaps and hardens (SPEC §8).

The way in for everybody else. Pure text, no I/O, deterministic.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from agentops_dream.facts import supersede
from agentops_dream.facts.bounds import chosen, moved
from agentops_dream.facts.contrast import turned_round
from agentops_dream.facts.counts import crossed_measures, miscounted, restated
from agentops_dream.facts.crossed import crossed
from agentops_dream.facts.dates import relative_dates
from agentops_dream.facts.ends import end_date_passed
from agentops_dream.facts.hardening import hardened
from agentops_dream.facts.index import Index, index
from agentops_dream.facts.invention import invented
from agentops_dream.facts.labels import foreign_labels
from agentops_dream.facts.literal import link_key
from agentops_dream.facts.loss import blurred, link_keys, lost_literals, lost_places
from agentops_dream.facts.neighbour import exchanged, ownerless
from agentops_dream.facts.omitted import dropped, undescribed
from agentops_dream.facts.polarity import same_sign, turned
from agentops_dream.facts.reading import Text, read
from agentops_dream.facts.scope import rescoped
from agentops_dream.facts.sequence import reordered
from agentops_dream.facts.strayed import strayed
from agentops_dream.facts.succession import strangers
from agentops_dream.facts.support import transferred, translated, unsupported
from agentops_dream.facts.swap import swapped
from agentops_dream.facts.transposed import transposed
from agentops_dream.facts.twins import NEAR, changed_value, similar
from agentops_dream.facts.veil import veiled
from agentops_dream.models import Fault, Superseded

__all__ = ["Text", "changed_value", "end_date_passed", "keeps", "near_verbatim", "relative_dates", "weigh"]


def weigh(
    inputs: Sequence[Text],
    outputs: Sequence[Text],
    *,
    superseded: Sequence[Superseded] = (),
    shown: Mapping[str, Text] | None = None,
    planned: Collection[str] = (),
    heirs: Mapping[str, str] | None = None,
) -> tuple[Fault, ...]:
    """Return what is wrong with a bundle; empty means that its facts are conserved.

    ``inputs`` are the entries as they stand, ``outputs`` as the bundle leaves them. ``shown`` maps
    ids to the entries that the model saw and that live on. ``planned`` are ids that other ops of the
    plan bring about, ``heirs`` maps a removed id to the one that takes over its links (a merge
    elsewhere in the plan).
    """
    before = tuple(read(text) for text in inputs)
    after = tuple(read(text) for text in outputs)
    foreign = strangers(superseded, before, shown or {})
    declared = supersede.judge([item for item in superseded if item not in foreign], before, shown or {})
    declared = replace(declared, refused=(*declared.refused, *((item.text, item.by) for item in foreign)))
    source, target = index(before), index(after, ids=False)
    support = index((*before, *declared.cited))
    known = link_keys((*before, *after)) | frozenset(_keys((*(shown or {}), *planned)))
    faults = (
        _loss(source, target, declared, heirs or {}),
        _fault("invention", "in none of the entries it is made from", invented(support, target, before, known)),
        _swap(source, target, declared) or _transposed(inputs, outputs),
        _unsupported(support, target, bool(declared.cited)),
        _fault("hidden", "hides what was in the open", veiled(inputs, outputs)),
        _hardening(source, target, declared),
    )
    return tuple(fault for fault in faults if fault)


def keeps(entry: Text, by: Text) -> tuple[str, ...]:
    """Return what ``entry`` says and ``by`` does not: literals, then sentences; empty: ``by`` keeps its facts."""
    one, other = read(entry), read(by)
    source, target = index((one,)), index((other,))
    missing = [literal.text for _, literal in lost_literals(source, target, gone=link_keys((one, other)))]
    missing += dropped(source, target)
    missing += [change.before for change in hardened(source, target)]
    return tuple(dict.fromkeys(missing))


def near_verbatim(a: Text, b: Text) -> bool:
    """Return whether two entries say the same in nearly the same words.

    Never if they differ in a literal (a number, a name, a path), in a negation or in a hedge.
    """
    return similar(a, b) >= NEAR and not keeps(a, b) and not keeps(b, a)


def _keys(ids: Iterable[str]) -> Iterator[str]:
    return (link_key(name) for name in ids)


def _fault(code: str, what: str, found: Iterable[str]) -> Fault | None:
    texts = tuple(dict.fromkeys(found))
    return Fault(code, f"{what}: {_listed(texts)}", texts) if texts else None


def _listed(texts: Sequence[str]) -> str:
    return "; ".join(text if len(text) <= 160 else text[:157] + "…" for text in texts)


def _loss(source: Index, target: Index, declared: supersede.Declared, heirs: Mapping[str, str]) -> Fault | None:
    folded = {link_key(gone): link_key(heir) for gone, heir in heirs.items()}
    lost: list[str] = [
        literal.text
        for _, literal in lost_literals(source, target, gone=link_keys(source.readings), heirs=folded)
        if not declared.covers(literal)
    ]
    lost += [
        f"{literal.text} ({sentence.text.strip()})"
        for sentence, literal in lost_places(source, target)
        if not declared.covers(literal) and not declared.tokens & sentence.tokens
    ]
    lost += (sentence.text.strip() for sentence in blurred(source, target) if not declared.tokens & sentence.tokens)
    lost += dropped(source, target, declared=declared.text, gone=declared.tokens)
    lost += (*undescribed(source, target), *ownerless(source, target))
    fault = _fault("loss", "in no text that remains", lost)
    if fault and declared.refused:
        claims = "; ".join(f"{text!r} by {by}" for text, by in declared.refused)
        return Fault(fault.code, f"{fault.message} (declared superseded, but not borne out: {claims})", fault.literals)
    return fault


def _unsupported(support: Index, target: Index, cited: bool) -> Fault | None:
    foreign = translated(support, target)
    if foreign:
        return Fault("unsupported", f"written in another language: {_listed([foreign])}", (foreign,))
    found = (*unsupported(support, target), *transferred(support, target), *foreign_labels(support, target, cited=cited))
    return _fault("unsupported", "says what no entry says", found)


def _swap(source: Index, target: Index, declared: supersede.Declared) -> Fault | None:
    found = list(swapped(source, target, declared))
    if not found:
        return (
            _fault("swap", "a number counts what another one counted", _miscounted(source, target))
            or _fault("swap", "steps have changed their order", reordered(source, target))
            or _fault("swap", "takes what was refused", turned_round(source, target))
            or _fault(
                "swap",
                "what belongs to one thing stands with another",
                (
                    *exchanged(source, target, succession=bool(declared.texts)),
                    *crossed(source, target),
                    *strayed(source, target),
                ),
            )
        )
    claims = "; ".join(f"{s.literal.text} stands where {s.owner} belongs: {_listed([s.sentence])}" for s in found[:4])
    return Fault("swap", f"values have changed places: {claims}", tuple(dict.fromkeys(s.literal.text for s in found)))


def _miscounted(source: Index, target: Index) -> Iterator[str]:
    yield from miscounted(source, target)
    yield from crossed_measures(source, target)
    yield from restated(source, target)


def _transposed(inputs: Sequence[Text], outputs: Sequence[Text]) -> Fault | None:
    if len(inputs) != 1 or len(outputs) != 1:
        return None
    return _fault("swap", "two things have changed places", transposed(inputs[0], outputs[0]))


def _hardening(source: Index, target: Index, declared: supersede.Declared) -> Fault | None:
    told = declared.text
    found = [h for h in hardened(source, target, declared=told) if not same_sign(h.before, h.after, h.mark)]
    found += [*turned(source, target, declared=told), *rescoped(source, target)]
    found += [*moved(source, target), *chosen(source, target)]
    if not found:
        return None
    claims = "; ".join(f"{h.mark!r}: {_listed([h.before])} → {_listed([h.after])}" for h in found[:4])
    texts = tuple(dict.fromkeys(h.before for h in found))
    return Fault("hardening", f"a hedge or negation changed: {claims}", texts)
