"""The one list of literal kinds, and the code that walks it (SPEC §8, "hard literals").

Each kind is a pattern over a block of cleaned text and a reader that gives the literal its key.
Kinds are tried in order and what one has taken is out of reach for the next, so an IP address is
not four numbers. A pattern that begins with a digit begins so literally, and what may not stand
before it is looked at afterwards: that lets the regular expression engine skip to digits, which
makes the walk many times faster.
"""



from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from agentops_dream.facts import dates, readers, units
from agentops_dream.facts.literal import FILL, Literal, atoms, squeeze
from agentops_dream.patterns import late

_DIGITS = frozenset("0123456789")
_R = r"(?![A-Za-z0-9_])"
_W = "A-Za-z0-9_"
_N = rf"(?P<n>[0-9](?<![{_W}.][0-9])(?:[0-9]{{0,2}}(?:,[0-9]{{3}})+(?:\.[0-9]+)?|[0-9]*(?:\.[0-9]+)?))"
_UNIT = rf"(?: ?(?P<mag>{units.MAGNITUDE}))?(?:[ -]?(?P<unit>{units.UNIT}))?(?![{_W}]|\.[0-9])"
_RATE = r"[A-Za-z0-9.]{1,12}/(?:s|sec|second|min|minute|h|hour|d|day|week|month|year)(?![A-Za-z0-9_/\-]|[.][A-Za-z0-9])"
"""``95/min`` is no path."""
_PATH = r"[A-Za-z0-9_.@\-*{}\[\]$]"
_HUMP, _MIXED, _SCHEME = "hump", "mixed", "scheme"


class Kind(NamedTuple):
    """One row of the list."""

    name: str
    pattern: re.Pattern[str]
    read: readers.Reader
    family: str
    """Literals of one family may be mistaken for one another (a swap)."""
    needs: frozenset[str] = frozenset()
    """Traits of which a block must have one for this kind to be tried: most blocks have none."""


def _kind(name: str, pattern: str, read: readers.Reader, family: str, needs: object = ()) -> Kind:
    return Kind(name, late(pattern), read, family, frozenset(needs))  # type: ignore[call-overload]


KINDS: tuple[Kind, ...] = (
    _kind("link", r"\[\[(?P<target>[^\[\]\n]{1,300})\]\]", readers.link, "link", "["),
    _kind("code", r"`(?<!``)(?P<t>`{0,2})(?!`)(?P<code>[^\n]{1,1000}?)(?<!`)(?P=t)`(?!`)", readers.code, "code", "`"),
    _kind("url", r"(?i)(?<![A-Za-z0-9+.\-])[a-z][a-z0-9+.\-]{1,20}://[!#-;=?-_a-~]+", readers.url, "url", [_SCHEME]),
    _kind(
        "email",
        rf"(?<![{_W}.+\-])[A-Za-z0-9_.+\-]{{1,64}}@[A-Za-z0-9\-]{{1,63}}(?:\.[A-Za-z0-9\-]{{1,63}}){{1,8}}(?::[~/\w.\-]+)?{_R}",
        readers.plain("email", fold=True),
        "email",
        "@",
    ),
    *(Kind("date", pattern, readers.date, "date", dates.NEEDS[i]) for i, pattern in enumerate(dates.DATE_PATTERNS)),
    Kind("relative", dates.RELATIVE, readers.relative, "relative", dates.RELATIVE_NEEDS),
    _kind(
        "time",
        r"(?i)(?:(?P<half2>午前|午後|上午|下午|오전|오후) ?)?(?P<h>[0-9](?<![A-Za-z0-9_.:][0-9])[0-9]?):(?P<min>[0-9]{2})"
        r"(?P<sec>:[0-9]{2})?(?: ?(?P<half>[ap]\.?m\.?(?![a-z])))?(?![0-9]|:[0-9])",
        readers.time,
        "time",
        ":",
    ),
    _kind(
        "time",
        r"(?:(?P<half>午前|午後|上午|下午|오전|오후) ?)?(?P<h>[0-9](?<![0-9.][0-9])[0-9]?) ?(?:時(?!間)|点(?!数)|시(?!간))"
        r"(?: ?(?P<min>[0-9]{1,2}) ?[分분])?",
        readers.time,
        "time",
        "時点시",
    ),
    _kind(
        "time",
        r"(?i)(?P<h>[0-9](?<![A-Za-z0-9_.:][0-9])[0-2]?) ?(?P<half>am|pm)(?![A-Za-z])",
        readers.time,
        "time",
        _DIGITS,
    ),
    _kind(
        "path",
        rf"(?<![A-Za-z0-9_./~\-@])(?!{_RATE})"
        r"(?:(?:~|\.{1,2})?/(?:[A-Za-z0-9_.@%+:~\-*{}\[\]()$]+/?)+"
        rf"|{_PATH}+(?:/{_PATH}+)+/?|{_PATH}+/(?![A-Za-z0-9_/]))",
        readers.path,
        "path",
        "/",
    ),
    _kind(
        "flag",
        r"-(?<![A-Za-z0-9_\-]-)-?[A-Za-z][A-Za-z0-9\-]*(?:=[^\s,;)]+)?",
        readers.plain("flag", parts=True),
        "code",
        "-",
    ),
    _kind(
        "code",
        r"(?<![A-Za-z0-9_.\-])[A-Za-z_][A-Za-z0-9_.\-]{0,80}=[^\s,;:)\"'。、]{1,200}",
        readers.plain("code", parts=True),
        "code",
        "=",
    ),
    _kind(
        "hash",
        rf"(?<![{_W}])(?:[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}|(?=[a-f]{{0,40}}[0-9])(?=[0-9]{{0,40}}[a-f])[0-9a-f]{{7,64}}){_R}",
        readers.plain("hash", fold=True),
        "hash",
        [_MIXED],
    ),
    _kind(
        "issue",
        rf"(?<![{_W}\-])[A-Z][A-Z0-9]{{0,15}}-(?=[A-Z0-9\-]{{0,40}}[0-9])[A-Z0-9]{{1,24}}(?:-[A-Z0-9]{{1,24}}){{0,6}}{_R}",
        readers.plain("issue"),
        "issue",
        "-",
    ),
    _kind("issue", rf"#(?<![{_W}&]#)[0-9]+{_R}", readers.plain("issue"), "issue", "#"),
    _kind(
        "address",
        r"[0-9](?<![A-Za-z0-9_.][0-9])[0-9]{0,2}(?:\.[0-9]{1,3}){3}(?::[0-9]{1,5}|/[0-9]{1,2})?(?!\.?[0-9])",
        readers.plain("address"),
        "address",
        ".",
    ),
    _kind(
        "version",
        rf"[0-9](?<![{_W}.][0-9])[0-9]*(?:\.[0-9]+){{2,8}}(?:[\-+][0-9A-Za-z.\-]{{0,40}}[0-9A-Za-z])?{_R}",
        readers.plain("version"),
        "number",
        ".",
    ),
    _kind("version", rf"[vV](?<![{_W}.][vV])[0-9]+(?:\.[0-9]+){{0,8}}{_R}", readers.plain("version"), "number", [_MIXED]),
    _kind("version", rf"[0-9](?<![{_W}.][0-9])[0-9]*(?:\.[0-9]+){{0,8}}\.[xX]{_R}", readers.plain("version"), "number", "."),
    _kind("identifier", rf"0(?<![{_W}]0)x[0-9A-Fa-f]+{_R}", readers.plain("identifier", fold=True), "code", "0"),
    _kind(
        "identifier",
        rf"(?a)(?<![{_W}@\-])(?!(?:e\.g|i\.e|a\.m|p\.m|u\.s)(?![a-z]))[A-Za-z_][\w\-]{{0,80}}(?:\.[A-Za-z_][\w\-]{{0,80}}){{1,12}}"
        rf"(?:\(\))?(?::[0-9]+)?{_R}",
        readers.plain("identifier", parts=True),
        "code",
        ".",
    ),
    _kind(
        "identifier",
        rf"(?<![A-Za-z0-9])(?:[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+|_[A-Za-z0-9][A-Za-z0-9_]*)(?:\(\))?{_R}",
        readers.plain("identifier"),
        "code",
        "_",
    ),
    _kind(
        "identifier",
        rf"(?<![{_W}])(?:[a-z]+[A-Z][A-Za-z0-9]*|[A-Z][a-z]+[A-Z][A-Za-z0-9]*|[A-Z]{{2,}}[a-z]+[A-Z][A-Za-z0-9]*)(?:\(\))?{_R}",
        readers.plain("identifier"),
        "code",
        [_HUMP],
    ),
    _kind(
        "identifier",
        rf"(?<![{_W}])[A-Za-z]{{2,32}}[,:][0-9]+(?![{_W}]|,[0-9]{{3}}|\.[0-9])",
        readers.plain("identifier", parts=True),
        "code",
        [_MIXED],
    ),
    _kind(
        "identifier",
        rf"(?<![{_W}\-])[A-Za-z]{{1,32}}(?:-[A-Za-z0-9]{{1,32}}){{0,8}}?-?[0-9][A-Za-z0-9]{{0,32}}(?:-[A-Za-z0-9]{{1,32}}){{0,8}}{_R}",
        readers.plain("identifier", fold=True),
        "code",
        [_MIXED],
    ),
    _kind("number", rf"(?i)(?P<pre>[€$£¥₩]) ?{_N}{_UNIT}", readers.number, "number", "€$£¥₩"),
    _kind("number", rf"(?i){_N}{_UNIT}", readers.number, "number", _DIGITS),
    _kind(
        "number",
        rf"(?P<n>[0-9](?<![{_W}.][0-9])[0-9]*(?:\.[0-9]+)?)(?P<unit>[A-Za-z]{{1,24}}){_R}",
        readers.odd_unit,
        "number",
        _DIGITS,
    ),
    _kind(
        "number",
        rf"(?P<n>[〇一二三四五六七八九十百千両两](?<![第一-龥].)[〇一二三四五六七八九十百千]{{0,9}})(?P<unit>{units.COUNTERS})",
        readers.kanji,
        "number",
        "〇一二三四五六七八九十百千両两",
    ),
    _kind(
        "number",
        rf"(?i)(?<![{_W}])(?:{'|'.join(sorted(units.NUMBER_WORDS, key=len, reverse=True))}){_R}",
        readers.number_word,
        "number",
        units.NUMBER_WORDS,
    ),
    _kind(
        "weekday",
        rf"(?<![{_W}])(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?s?{_R}|[月火水木金土日]曜"
        "|周[一二三四五六日]|星期[一二三四五六日]|[월화수목금토일]요일",
        readers.weekday,
        "weekday",
        (
            *"曜周期요",
            *(day + end for day in "mon tue tues wed wednes thu thurs fri sat satur sun".split() for end in ("", "day", "days", "s")),
        ),
    ),
    _kind(
        "quote",
        r'"[^"\n]{1,600}"|「[^「」\n]{1,600}」|『[^『』\n]{1,600}』|《[^《》\n]{1,600}》',
        readers.quoted,
        "quote",
        '"「『《',
    ),
)
FAMILY: dict[str, str] = {kind.name: kind.family for kind in KINDS}

_LOWER = re.compile(r"[a-z]+")
_IS_HUMP = re.compile(r"[A-Z](?<=[a-z].)")
_IS_MIXED = re.compile(r"[0-9](?<=[A-Za-z\-,:].)|[A-Za-z](?<=[0-9].)")


def _traits(block: str) -> set[str]:
    """Return the characters and words of a block, and what else decides which kinds are tried."""
    traits = set(block)
    traits.update(_LOWER.findall(block.lower()))
    if _IS_HUMP.search(block):
        traits.add(_HUMP)
    if _IS_MIXED.search(block):
        traits.add(_MIXED)
    if "://" in block:
        traits.add(_SCHEME)
    return traits


def extract(block: str, base: int = 0) -> tuple[str, tuple[Literal, ...]]:
    """Return a block of cleaned text with its literals filled in, and the literals, by order of place.

    ``base`` is the offset of the block. Names are not among the literals: what is a name depends on
    the sentence and its neighbours.
    """
    text, found = _extract(block)
    if base:
        found = tuple(literal._replace(start=literal.start + base, end=literal.end + base) for literal in found)
    return text, found


@lru_cache(maxsize=1024)  # most blocks stand in an entry before and after
def _extract(block: str) -> tuple[str, tuple[Literal, ...]]:
    found: list[Literal] = []
    traits = _traits(block)
    text = block
    for kind in KINDS:
        if kind.needs and kind.needs.isdisjoint(traits):
            continue

        def take(match: re.Match[str], kind: Kind = kind) -> str:
            literal = kind.read(match, block)
            if literal is None:
                return match.group()
            found.append(literal)
            if kind.name == "quote":
                return match.group()
            return FILL * (literal.end - literal.start) + match.group()[literal.end - match.start() :]

        text = kind.pattern.sub(take, text)
    found.sort(key=lambda literal: (literal.start, -literal.end))
    return text, tuple(found)


def code_line(line: str, base: int) -> Literal:
    """Return a line of fenced code as one literal."""
    return Literal("code", squeeze(line), line, base, base + len(line), parts=atoms(line))
