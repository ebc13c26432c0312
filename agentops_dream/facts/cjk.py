"""Units of meaning in scripts without spaces: character pairs by script, no dictionary (SPEC §8)."""



from __future__ import annotations

import re
from collections.abc import Iterator

from agentops_dream.patterns import late

_HAN_GRAMMAR = late(
    r"[的了在是和与及或等被把将从到对为于而且也都还就很其该此这那个们之以所因由并则又再请让给向]|可以|如果|但是|因为|所以|"
    r"以及|已经|需要|应该|使用|进行|通过|这个|那个|我们|他们|没有"
)
_PARTICLE = "은 는 이 가 을 를 의 에 에서 에게 로 으로 와 과 도 만 까지 부터 마다 보다 처럼 이나 나 라고 이라고 이다 입니다 이며 이고 이라 인 에는 에서는 으로는 로는"
_PARTICLES = late("(?:" + "|".join(sorted(_PARTICLE.split(), key=len, reverse=True)) + ")$")
_ENDINGS = late(
    r"(?:었|았|였|했|됐|겠|된|한|할|될|하|되|해|돼)*(?:습니다|합니다|됩니다|한다|된다|는다|이다|하다|되다|다|며|므로|으므로|어서|아서|지만|는데|니까|도록)$"
)
_KOREAN_STOP = frozenset(
    "있다 없다 이 그 저 것 수 및 등 또는 그리고 하지만 때 때문 위해 대한 합니다 있습니다 않는다 않습니다 한다 된다".split()
) | frozenset(_PARTICLE.split())
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
SIGN = "\u3041-\u9fff\uac00-\ud7a3"
"""Kana, Han and Hangul, for a character class. To make a class this wide takes Python a millisecond or two, and five
times as long where it is to ignore case: patterns that hold one are made late, and shared."""
WRITTEN = late(f"[{SIGN}]")
"""Finds the first such character."""


def has_kana(text: str) -> bool:
    """Return whether a text holds kana, that is, whether its Han characters are Japanese."""
    return _KANA.search(text) is not None


def is_han(text: str) -> bool:
    """Return whether a word is written in Han characters."""
    return bool(text) and ("\u3400" <= text[0] <= "\u9fff" or text[0] == "々" or "\uf900" <= text[0] <= "\ufaff")


def units(script: str, run: str, chinese: bool = False) -> Iterator[tuple[str, int]]:
    """Yield ``(unit, offset)`` for one run of a script: ``han``, ``kata`` or ``hangul``."""
    if script == "kata":
        yield run, 0
    elif script == "han":
        if chinese:
            at = 0
            for match in _HAN_GRAMMAR.finditer(run):
                yield from _pairs(run[at : match.start()], at)
                at = match.end()
            yield from _pairs(run[at:], at)
        else:
            yield from _pairs(run, 0)
    elif run not in _KOREAN_STOP:
        root = _ENDINGS.sub("", run) if len(run) > 1 else run
        root = root if root != run and root else _PARTICLES.sub("", run) or run
        if root and root not in _KOREAN_STOP:
            yield root[:2], 0


def _pairs(run: str, offset: int) -> Iterator[tuple[str, int]]:
    if len(run) == 1:
        yield run, offset
    for index in range(len(run) - 1):
        yield run[index : index + 2], offset + index
