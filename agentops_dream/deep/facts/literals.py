"""The one list of literal kinds, and the code that walks it (SPEC §8, "hard literals").

Each kind is a pattern over cleaned text and a reader that gives the literal its key: the spelling
under which honest rewritings of the same fact meet. Kinds are tried in order and what one has taken
is out of reach for the next, so an IP address is not four numbers. A compound literal (a command, a
URL, a quotation) also knows its parts: they support other literals, and a compound may come apart as
long as its parts stay in one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from agentops_dream.deep.facts import dates, units

FILL = "\ue000"
"""Stands for each character of a literal that was taken."""

_L, _R = r"(?<![A-Za-z0-9_])", r"(?![A-Za-z0-9_])"


@dataclass(frozen=True)
class Literal:
    """One literal as it stands in a cleaned text."""

    kind: str
    key: str
    text: str
    start: int
    end: int
    unit: str = ""
    """Canonical hard unit of a number."""
    soft: bool = False
    """Supports, but need not be kept: number words, single common words in quotes."""
    parts: tuple[Literal, ...] = ()


Reader = Callable[["re.Match[str]", str], "Literal | None"]
"""Reads a match in the masked text; the second argument is the text before masking."""


@dataclass(frozen=True)
class Kind:
    """One row of the list."""

    name: str
    pattern: re.Pattern[str]
    read: Reader
    family: str
    """Literals of one family may be mistaken for one another (a swap)."""


def _plain(kind: str, *, fold: bool = False, parts: bool = False) -> Reader:
    def read(match: re.Match[str], whole: str) -> Literal:
        text = match.group()
        key = text.casefold() if fold else text
        return Literal(kind, key, text, match.start(), match.end(), parts=atoms(text) if parts else ())

    return read


def squeeze(text: str) -> str:
    """Return code as compared: spaces single, none around ``=``, no empty call brackets at the end."""
    text = re.sub(r"\s*([=:|])\s*", r"\1", " ".join(text.split()))
    return text[:-2] if text.endswith("()") else text


def _code(match: re.Match[str], whole: str) -> Literal | None:
    text = match.group("code").strip()
    if not text:
        return None
    return Literal("code", squeeze(text), text, match.start(), match.end(), parts=atoms(text))


def _fenced(match: re.Match[str], whole: str) -> Literal | None:
    text = match.group().strip()
    if not text or text.startswith(("```", "~~~")):
        return None
    return Literal("code", squeeze(text), text, match.start(), match.end(), parts=atoms(text))


def _link(match: re.Match[str], whole: str) -> Literal:
    return Literal("link", link_key(match["target"]), match.group(), match.start(), match.end())


def link_key(target: str) -> str:
    """Return how a link target is compared: no heading, case and ``-``/``_``/space folded."""
    return re.sub(r"[-_\s]+", "-", target.split("#")[0].split("|")[0].strip().casefold())


_TRAIL = re.compile(r"[.,;:!?)\]}'\"*]+$")


def _url(match: re.Match[str], whole: str) -> Literal | None:
    text = match.group()
    trail = _TRAIL.search(text)
    if trail:
        cut = trail.start()
        # A bracket that was opened inside belongs to the address: /wiki/X_(Y), /{z}/{x}
        while cut < len(text) and (text[cut] in ")]}") and text.count("([{"[")]}".index(text[cut])], 0, cut) > text.count(
            text[cut], 0, cut
        ):
            cut += 1
        text = text[:cut]
    return Literal("url", text.rstrip("/"), text, match.start(), match.start() + len(text), parts=atoms(text.partition("://")[2]))


def _path(match: re.Match[str], whole: str) -> Literal | None:
    text = match.group().rstrip(".,;:")
    if not any(c.isalpha() for c in text):
        return None
    end = match.start() + len(text)
    return Literal("path", text.rstrip("/") or text, text, match.start(), end, parts=atoms(text))


def _quoted(match: re.Match[str], whole: str) -> Literal | None:
    text = whole[match.start() + 1 : match.end() - 1].strip()
    if not text:
        return None
    return Literal("quote", " ".join(text.casefold().split()).rstrip(".,"), text, *match.span(), parts=atoms(text))


def _date(match: re.Match[str], whole: str) -> Literal:
    return Literal("date", str(dates.read_match(match)), match.group(), match.start(), match.end())


def _relative(match: re.Match[str], whole: str) -> Literal:
    text = match.group()
    return Literal("relative", text.casefold().replace(" ", ""), text, *match.span(), soft=text.casefold() in dates.VAGUE)


_PM = ("pm", "p.m.", "午後", "下午", "오후")
_AM = ("am", "a.m.", "午前", "上午", "오전")


def _time(match: re.Match[str], whole: str) -> Literal | None:
    hour, minute = int(match["h"]), int(match["min"] or 0)
    half = (match.groupdict().get("half") or match.groupdict().get("half2") or "").lower()
    if hour > 24 or minute > 59:
        return None
    if half in _PM and hour < 12:
        hour += 12
    if half in _AM and hour == 12:
        hour = 0
    return Literal("time", f"{hour:02d}:{minute:02d}{match.groupdict().get('sec') or ''}", match.group(), *match.span())


def _number(match: re.Match[str], whole: str) -> Literal | None:
    unit = match["unit"]
    key = units.number_key(match["n"], match["mag"] or "")
    canon = units.CANON.get(unit.lower(), "") if unit else ""
    if not canon and match["pre"]:
        canon = units.CANON.get(match["pre"], "")
    return Literal("number", key, match.group().strip(), match.start(), match.end(), canon)


def _odd_unit(match: re.Match[str], whole: str) -> Literal:
    unit = match["unit"].lower()
    unit = "" if unit in ("x", "st", "nd", "rd", "th") else unit
    return Literal("number", match["n"], match.group(), match.start(), match.end(), unit)


def _kanji(match: re.Match[str], whole: str) -> Literal | None:
    value = units.kanji_value(match["n"])
    if value is None:
        return None
    unit = units.CANON.get(match["unit"], "")
    return Literal("number", str(value), match.group(), match.start(), match.end(), unit, soft=True)


def _word_number(match: re.Match[str], whole: str) -> Literal | None:
    value = units.NUMBER_WORDS[match.group().lower()]
    return Literal("number", str(value), match.group(), match.start(), match.end(), soft=True)


_WEEKDAY = {
    name: str(index)
    for names in (
        "mon tue wed thu fri sat sun".split(),
        "月曜 火曜 水曜 木曜 金曜 土曜 日曜".split(),
        "周一 周二 周三 周四 周五 周六 周日".split(),
        "星期一 星期二 星期三 星期四 星期五 星期六 星期日".split(),
        "월요일 화요일 수요일 목요일 금요일 토요일 일요일".split(),
    )
    for index, name in enumerate(names)
}


def _weekday(match: re.Match[str], whole: str) -> Literal:
    text = match.group()
    name = text[:3].lower() if text.isascii() else text
    return Literal("weekday", _WEEKDAY[name], text, match.start(), match.end())


def _alternatives(words: object) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))  # type: ignore[call-overload]


_N = r"(?P<n>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_NUMBER = re.compile(
    rf"(?i)(?<![A-Za-z0-9_.])(?P<pre>[€$£¥₩] ?)?{_N}(?: ?(?P<mag>{units.MAGNITUDE}))?(?:[ -]?(?P<unit>{units.UNIT}))?"
    r"(?![A-Za-z0-9_]|\.\d)"
)
_FILE_EXT = (
    "md|py|js|ts|tsx|jsx|mjs|go|rs|rb|java|kt|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|ps1|sql|json|jsonl|yml|yaml|toml|ini|"
    "cfg|conf|env|lock|sum|mod|txt|csv|tsv|xml|html|css|scss|log|png|jpg|svg|zip|gz|tar|proto|gradle|dart|swift|vue"
)

KINDS: tuple[Kind, ...] = (
    Kind("fence", re.compile(r"(?ms)^ {0,3}(?P<f>`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,3}(?P=f)[`~]*[ ]*$|\Z)"), lambda match, whole: None, "code"),
    Kind("link", re.compile(r"\[\[(?P<target>[^\[\]\n]{1,300})\]\]"), _link, "link"),
    Kind("code", re.compile(r"(?P<t>`{1,3})(?!`)(?P<code>[^\n]{1,1000}?)(?<!`)(?P=t)(?!`)"), _code, "code"),
    Kind("url", re.compile(r"(?i)(?<![A-Za-z0-9+.\-])[a-z][a-z0-9+.\-]{1,20}://[!#-;=?-_a-~]+"), _url, "url"),
    Kind(
        "email",
        re.compile(rf"(?<![\w.+\-])[A-Za-z0-9_.+\-]{{1,64}}@[A-Za-z0-9\-]{{1,63}}(?:\.[A-Za-z0-9\-]{{1,63}})+(?::[~/\w.\-]+)?{_R}"),
        _plain("email", fold=True),
        "email",
    ),
    *(Kind("date", pattern, _date, "date") for pattern in dates.DATE_PATTERNS),
    Kind("relative", dates.RELATIVE, _relative, "date"),
    Kind(
        "time",
        re.compile(
            r"(?i)(?:(?P<half2>午前|午後|上午|下午|오전|오후) ?)?(?<![A-Za-z0-9_.:])(?P<h>\d{1,2}):(?P<min>\d\d)(?P<sec>:\d\d)?"
            r"(?: ?(?P<half>[ap]\.?m\.?(?![a-z])))?(?![0-9:])"
        ),
        _time,
        "time",
    ),
    Kind(
        "time",
        re.compile(
            r"(?:(?P<half>午前|午後|上午|下午|오전|오후) ?)?(?<![0-9.])(?P<h>\d{1,2}) ?(?:時(?!間)|点(?!数)|시(?!간))"
            r"(?: ?(?P<min>\d{1,2}) ?[分분])?"
        ),
        _time,
        "time",
    ),
    Kind("time", re.compile(r"(?i)(?<![A-Za-z0-9_.:])(?P<h>1[0-2]|[1-9])(?P<min>)? ?(?P<half>am|pm)(?![A-Za-z])"), _time, "time"),
    Kind(
        "path",
        re.compile(
            r"(?<![A-Za-z0-9_./~\-@])(?:~|\.{1,2})?/(?:[A-Za-z0-9_.@%+:~\-*{}\[\]()$]+/?)+"
            r"|(?<![A-Za-z0-9_./~\-@])[A-Za-z0-9_.@\-]+(?:/[A-Za-z0-9_.@\-*{}\[\]$]+)+/?|(?<![A-Za-z0-9_./~\-@])[A-Za-z0-9_.@\-]+/(?![A-Za-z0-9_/])"
        ),
        _path,
        "path",
    ),
    Kind("flag", re.compile(r"(?<![A-Za-z0-9_\-])--?[A-Za-z][A-Za-z0-9\-]*(?:=[^\s,;)]+)?"), _plain("flag", parts=True), "code"),
    Kind("code", re.compile(r"(?<![A-Za-z0-9_.\-])[A-Za-z_][A-Za-z0-9_.\-]{0,80}=[^\s,;:)\"'。、]{1,200}"), _plain("code", parts=True), "code"),
    Kind(
        "hash",
        re.compile(rf"{_L}(?:[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{{7,64}}){_R}"),
        _plain("hash", fold=True),
        "hash",
    ),
    Kind("issue", re.compile(rf"(?<![A-Za-z0-9_\-])[A-Z][A-Z0-9]{{0,15}}-(?=[A-Z0-9\-]{{0,40}}\d)[A-Z0-9]{{1,24}}(?:-[A-Z0-9]{{1,24}}){{0,6}}{_R}|(?<![\w&])#\d+{_R}"), _plain("issue"), "issue"),
    Kind("address", re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|/\d{1,2})?(?![\w.]*\d)"), _plain("address"), "address"),
    Kind("version", re.compile(rf"(?i)(?<![A-Za-z0-9_.])v?\d+(?:\.\d+){{2,}}(?:[\-+][0-9a-z.\-]*[0-9a-z])?(?![A-Za-z0-9_])"), _plain("version"), "number"),
    Kind("version", re.compile(rf"(?<![A-Za-z0-9_.])[vV]\d+(?:\.\d+)*{_R}"), _plain("version"), "number"),
    Kind("version", re.compile(rf"(?<![A-Za-z0-9_.])\d+(?:\.\d+)*\.[xX]{_R}"), _plain("version"), "number"),
    Kind("identifier", re.compile(rf"{_L}0x[0-9A-Fa-f]+{_R}"), _plain("identifier", fold=True), "code"),
    Kind("identifier", re.compile(r"(?<![A-Za-z0-9_@\-])(?!(?:e\.g|i\.e|a\.m|p\.m|u\.s)(?![a-z]))[A-Za-z_][\w\-]{0,80}(?:\.[A-Za-z_][\w\-]{0,80}){1,12}(?:\(\))?(?::\d+)?(?![A-Za-z0-9_])", re.ASCII), _plain("identifier", parts=True), "code"),
    Kind("identifier", re.compile(r"(?<![A-Za-z0-9])(?:[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+|_[A-Za-z0-9][A-Za-z0-9_]*)(?:\(\))?(?![A-Za-z0-9_])"), _plain("identifier"), "code"),
    Kind("identifier", re.compile(rf"{_L}(?:[a-z]+[A-Z][A-Za-z0-9]*|[A-Z][a-z]+[A-Z][A-Za-z0-9]*|[A-Z]{{2,}}[a-z]+[A-Z][A-Za-z0-9]*)(?:\(\))?{_R}"), _plain("identifier"), "code"),
    Kind("identifier", re.compile(rf"{_L}[A-Za-z]{{2,}}[,:]\d+(?![A-Za-z0-9_]|,\d{{3}}|\.\d)"), _plain("identifier", parts=True), "code"),
    Kind("identifier", re.compile(rf"(?<![A-Za-z0-9_\-])[A-Za-z]{{1,32}}(?:-[A-Za-z0-9]{{1,32}}){{0,8}}?-?\d[A-Za-z0-9]{{0,32}}(?:-[A-Za-z0-9]{{1,32}}){{0,8}}{_R}"), _plain("identifier", fold=True), "code"),
    Kind("number", _NUMBER, _number, "number"),
    Kind(
        "number",
        re.compile(rf"(?<![A-Za-z0-9_.])(?P<n>\d+(?:\.\d+)?)(?P<mag>)?(?P<unit>[A-Za-z]+)(?P<pre>)?{_R}"),
        _odd_unit,
        "number",
    ),
    Kind(
        "number",
        re.compile(rf"(?<![第一-龥])(?P<n>[〇一二三四五六七八九十百千两両]+)(?P<unit>{units.COUNTERS})"),
        _kanji,
        "number",
    ),
    Kind("number", re.compile(rf"(?i){_L}(?:{_alternatives(units.NUMBER_WORDS)}){_R}"), _word_number, "number"),
    Kind(
        "weekday",
        re.compile(rf"{_L}(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?s?{_R}|[月火水木金土日]曜|周[一二三四五六日]|星期[一二三四五六日]|[월화수목금토일]요일"),
        _weekday,
        "weekday",
    ),
    Kind(
        "quote",
        re.compile(r'"([^"\n]{1,600})"|「([^「」\n]{1,600})」|『([^『』\n]{1,600})』|《([^《》\n]{1,600})》'),
        _quoted,
        "quote",
    ),
)
FAMILY: dict[str, str] = {kind.name: kind.family for kind in KINDS}


_ATOM = re.compile(r"[^\s=/:;,|(){}\[\]<>\"'`@&?!+*]+")
_ATOM_NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_ATOM_UNIT = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)([A-Za-z%]{1,16})")
_ISO = re.compile(r"((?:19|20)\d\d)-(0[1-9]|1[0-2])-(3[01]|[12]\d|0[1-9])")


@lru_cache(maxsize=8192)
def atoms(text: str) -> tuple[Literal, ...]:
    """Return the parts of a compound literal: numbers, dates, names between separators."""
    found = []
    for match in _ATOM.finditer(text):
        atom = match.group().strip(".-")
        if not atom:
            continue
        where = match.span()
        if _ATOM_NUMBER.fullmatch(atom):
            found.append(Literal("number", units.number_key(atom), atom, *where))
        elif both := _ATOM_UNIT.fullmatch(atom):
            unit = units.CANON.get(both[2].lower(), both[2].lower())
            found.append(Literal("number", both[1], atom, *where, unit=unit))
        elif iso := _ISO.fullmatch(atom):
            day = dates.Day(int(iso[1]), int(iso[2]), int(iso[3]))
            found.append(Literal("date", str(day), atom, *where))
        else:
            found.append(Literal("word", atom.casefold(), atom, *where, soft=True))
    return tuple(found)


def _walk(text: str, kinds: tuple[Kind, ...]) -> tuple[str, list[Literal]]:
    found: list[Literal] = []
    whole = text
    for kind in kinds:

        def take(match: re.Match[str], kind: Kind = kind) -> str:
            if kind.name == "fence":
                return _take_fence(match, found)
            literal = kind.read(match, whole)
            if literal is None:
                return match.group()
            found.append(literal)
            if kind.name == "quote":
                return match.group()
            return FILL * (literal.end - literal.start) + match.group()[literal.end - match.start() :]

        text = kind.pattern.sub(take, text)
    return text, found


_LINE = re.compile(r"[^\n]+")


def _take_fence(match: re.Match[str], found: list[Literal]) -> str:
    block = match.group()
    for line in _LINE.finditer(block):
        literal = _fenced(line, block)
        if literal:
            found.append(replace(literal, start=match.start() + line.start(), end=match.start() + line.end()))
    return _LINE.sub(lambda line: FILL * len(line.group()), block)


_NUMBERING = re.compile(r"(?m)^([ ]*)(\d{1,3}[.)])(?=[ ])")
"""Numbers of list items are layout."""


def extract(text: str) -> tuple[str, tuple[Literal, ...]]:
    """Return the cleaned ``text`` with literals filled in, and the literals in order of place.

    Names are not among them: what is a name depends on the sentence and its neighbours.
    """
    masked, found = _walk(_NUMBERING.sub(lambda match: match[1] + "-" + " " * (len(match[2]) - 1), text), KINDS)
    found.sort(key=lambda literal: (literal.start, -literal.end))
    return masked, tuple(found)


def walk_parts(literals: tuple[Literal, ...]) -> Iterator[Literal]:
    """Yield every literal and, after it, its parts."""
    for literal in literals:
        yield literal
        if literal.parts:
            yield from walk_parts(literal.parts)
