"""A value that has left its sentence for another one (SPEC §8, "swap").

"The vet gets a mail at 07:00. Stock is counted on Mondays." has one time only, so nothing could change places with
it; and yet "gets a mail. Stock is counted on Mondays at 07:00" says what nobody wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentops_dream.facts.index import Index
from agentops_dream.facts.support import tellers

_SAME = 0.8
"""How much two sentences have in common, of all their words, that differ in the value only."""
_HERE = 0.34
"""Share of the rest of its old sentence that the new one may hold at most."""


def strayed(inputs: Index, outputs: Index) -> Iterator[str]:
    """Yield the sentences of the outputs that have got the only mention of a value from a sentence that is kept without it."""
    if len(inputs.readings) > 1:
        return  # what two entries say of one thing is told in new sentences
    homes = tellers(inputs)
    now = tellers(outputs)
    for value, sentences in homes.items():
        there = now.get(value, [])
        if len(sentences) != 1 or len(there) != 1 or there[0].plain in inputs.texts:
            continue
        home, found = sentences[0], there[0]
        rest = home.tokens - {value}
        if len(rest) < 2 or len(rest & (found.tokens | found.over)) > _HERE * len(rest):
            continue
        left = (other for other in outputs.sentences if value not in other.tokens and other.kind != "description")
        if not any(_same(rest, other.tokens) for other in left):
            continue
        others = (other for other in inputs.sentences if other is not home and other.kind != "description")
        if any(_same(found.tokens - {value}, other.tokens) for other in others):
            yield found.text.strip()


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and len(one & other) >= _SAME * len(one | other)
