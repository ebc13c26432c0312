"""Two things that have changed places in a text that is otherwise the same (SPEC §8, "swap").

"A calls B" has no value that could be compared, and every word of it is in "B calls A". Where all
other words stand as they stood, it is the order that carries the meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from agentops_dream.facts.reading import Text
from agentops_dream.patterns import late

_LONGEST = 3
"""Words that a thing may have that has changed places."""
_WORD = late(
    r"\[\[[^\[\]\n]{1,200}\]\]|`[^`\n]+`|[A-Za-z0-9_][\w./:@%+-]*|[\u30a1-\u30fc]+|[\u3041-\u3096]|[\u3400-\u9fff]+|[\uac00-\ud7a3]+"
)
_SENTENCE = late(r"(?<=[.!?。])\s+|(?<=。)")
_LABEL = late(r"\s*(?:\*\*)?[^.。]{1,40}:(?:\*\*)?\s*")
_JOINS = frozenset("and or und oder et ou y o と や か 、 および 及び または 和 与 或 과 와 the a an of".split())


class _Word(NamedTuple):
    text: str
    line: int
    heading: bool


def transposed(before: Text, after: Text) -> Iterator[str]:
    """Yield the two things that have changed places, if nothing else has changed between the bodies."""
    one, other = _words(before.body), _words(after.body)
    if len(one) != len(other) or one == other:
        return
    start = sum(1 for _ in takewhile(lambda pair: pair[0].text == pair[1].text, zip(one, other)))
    end = sum(1 for _ in takewhile(lambda pair: pair[0].text == pair[1].text, zip(one[::-1], other[::-1])))
    if start + end >= len(one):
        return
    old, new = one[start : len(one) - end], other[start : len(other) - end]
    texts, turned = [word.text for word in old], [word.text for word in new]
    if sorted(texts) != sorted(turned):
        return
    for left in range(1, min(_LONGEST, len(old) - 2) + 1):
        for right in range(1, min(_LONGEST, len(old) - left - 1) + 1):
            middle = texts[left : len(texts) - right]
            if (
                texts[:left] == turned[-left:]
                and texts[-right:] == turned[:right]
                and middle == turned[right : len(turned) - left]
                and abs(left - right) <= 1
                and not _JOINS.issuperset(middle)
                and _inside(old[:left], one)
                and _inside(old[-right:], one)
            ):
                yield f"{' '.join(texts[:left])} and {' '.join(texts[-right:])}"
                return


def _inside(part: Sequence[_Word], whole: Sequence[_Word]) -> bool:
    """Return whether a part is less than its line: lines that change places are a matter of order, headings are not."""
    if part[0].heading:
        return True
    lines = {word.line for word in part}
    return sum(word.line in lines for word in whole) > len(part)


def _words(body: str) -> list[_Word]:
    found = []
    number = 0
    for line in body.splitlines():
        heading = line.lstrip().startswith("#") or _LABEL.fullmatch(line) is not None
        for sentence in _SENTENCE.split(line):
            number += 1
            found += [_Word(match.group().casefold().rstrip(".,:"), number, heading) for match in _WORD.finditer(sentence)]
    return found
