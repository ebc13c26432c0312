"""Changes that a text tells: which value took the place of which (SPEC §8, "swap")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from agentops_dream.facts.literal import Literal
from agentops_dream.facts.literals import FAMILY
from agentops_dream.facts.reading import Sentence
from agentops_dream.facts.value import Mark, mark, same_job, values

_CHANGE = re.compile(
    r"(?i)[\s`'\"*(),]*(?:(?P<on>to|->|→|=>|now|から|へ|에서|到|至|改为|变为|ではなく|じゃなく|でなく|대신|(?:이|가)? ?아니라)"
    r"|(?P<back>instead of|rather than|(?:and |but )?not|(?:it )?was|from|before(?: that)?(?: at)?|previously|formerly|代替|而不是|而非))"
    r"[\s`'\"*(),]*"
)
"""What stands between an old value and a new one, or, turned round, between the new and the old."""
_WAS = re.compile(
    r"(?i)\b(?:before (?:that|then)|until then|previously|formerly)\b[^.;\d]{0,24}$|\bbefore \d{4}-\d\d(?:-\d\d)?[\s|:,(]{0,6}$"
    r"|(?:以前|それまで|その前|従来|당시|之前)[はの]?[^。]{0,12}$"
)
"""What stands before a value that held before."""
_DAY = r"\d{4}-\d\d(?:-\d\d)?"
_UNTIL = re.compile(
    rf"(?i)\b(?:until|till|up to|prior to|before) (?:then|{_DAY})[\s|:,(]{{0,6}}[^.;\d|]{{0,24}}$"
    rf"|(?:{_DAY}|それ|その日)\s?(?:まで|より前|以前)[はのに]?[\s|、:]{{0,4}}[^。\d|]{{0,12}}$|{_DAY}\s?(?:之前|以前|为止)[\s|,、:]{{0,4}}[^。\d|]{{0,12}}$"
)
_UNTIL_BEHIND = re.compile(rf"(?i)[`\s)]*(?:only )?(?:until|till|up to|prior to|before) (?:then|{_DAY})")
"""What stands before, or behind, a value that held up to a day."""
_SINCE = re.compile(
    rf"(?i)\b(?:since|from|as of|after) (?:then|that day|{_DAY})(?: on(?:wards?)?)?[\s|:,(]{{0,6}}[^.;\d|]{{0,24}}$"
    r"|\b(?:since|afterwards|thereafter|now|today|currently)\b[^.;\d|]{0,24}$"
    rf"|(?:以降|以後|それから|その後|現在|今)[はのに]?[\s|、:]{{0,4}}[^。\d|]{{0,12}}$|(?:{_DAY}|その日)\s?から[はの]?[\s|、:]{{0,4}}[^。\d|]{{0,12}}$"
    rf"|(?:之后|此后|以后|目前|现在|{_DAY}\s?起)[\s|,、:]{{0,4}}[^。\d|]{{0,12}}$"
)
_SINCE_BEHIND = re.compile(rf"(?i)[`\s)]*(?:since|from|as of|after) (?:then|that day|{_DAY})")
"""What stands before, or behind, a value that has held since a day."""
_DENIED_BEHIND = re.compile(r"[)）\s`]*[^\s、。\d]{0,3}?(?:では|じゃ|で)な[いくか]")
_DENIED_BEFORE = re.compile(
    r"(?i)\b(?:not|never|instead of|rather than|unlike) (?:(?:at|by|in|on|to|from|with) )?[`(\"']*$"
    r"|[,;(—–] ?(?:and |but )?not (?:at|by|in|on|to|from|with) [^,;.]{0,40}$"
)
"""What stands behind, or before, a value that it is not."""


def changes(sentences: Sequence[Sentence]) -> Iterator[tuple[Mark, Mark]]:
    """Yield the pairs ``(old, new)`` that these sentences tell, each by itself or one beside the next in its block:
    "| until 2026-02-02 | 40 GB |" and "| since then | 25 GB |".
    """
    for sentence, following in zip_longest(sentences, sentences[1:]):
        yield from changes_in(sentence)
        if following is not None and following.together(sentence):
            for one, other in ((sentence, following), (following, sentence)):
                yield from _periods(one, other)


def changes_in(sentence: Sentence) -> list[tuple[Mark, Mark]]:
    """Return the pairs ``(old, new)`` that a sentence puts side by side: "from 8 s to 12 s", "12 s (was 8 s)",
    "12 s; before that it was 8 s", "12 s, not 8 s".
    """
    found = []
    standing = values(sentence)
    for first, second in zip(standing, standing[1:]):
        between = _CHANGE.fullmatch(sentence.text[first.end - sentence.start : second.start - sentence.start])
        if between and FAMILY.get(first.kind) == FAMILY.get(second.kind):
            pair = (mark(first), mark(second))
            found.append(pair if between["on"] else pair[::-1])
    for old in standing:
        others = [new for new in standing if same_job(mark(old), mark(new)) and not _denied(sentence, new)]
        if _denied(sentence, old):
            found += [(mark(old), mark(new)) for new in others if new is not old]
        elif was(sentence, old):
            found += [(mark(old), mark(new)) for new in others if new.start < old.start][-1:]
    return [*found, *_periods(sentence, sentence)]


def _periods(before: Sentence, after: Sentence) -> Iterator[tuple[Mark, Mark]]:
    """Yield the values of one sentence that held up to a day, each with those of the other that have held since."""
    olds = [literal for literal in values(before) if _held(before, literal, _UNTIL, _UNTIL_BEHIND)]
    news = [literal for literal in values(after) if olds and _held(after, literal, _SINCE, _SINCE_BEHIND)]
    for old in olds:
        yield from ((mark(old), mark(new)) for new in news if same_job(mark(old), mark(new)))


def _held(sentence: Sentence, literal: Literal, ahead: re.Pattern[str], behind: re.Pattern[str]) -> bool:
    if literal.kind in ("date", "time", "weekday", "relative", "name", "subject"):
        return False
    at, end = literal.start - sentence.start, literal.end - sentence.start
    return bool(behind.match(sentence.text, end) or ahead.search(sentence.text, max(0, at - 80), at))


def was(sentence: Sentence, literal: Literal) -> bool:
    """Return whether a value is said to have held before: "before that it was 8 s", "| before 2026-02-02 | 8 s |"."""
    return literal.kind not in ("date", "weekday") and bool(_WAS.search(sentence.text, 0, literal.start - sentence.start))


def _denied(sentence: Sentence, literal: Literal) -> bool:
    """Return whether a value is only named to say that it is not this one: "at 6:30, not at 0:00"."""
    at = literal.start - sentence.start
    return bool(
        _DENIED_BEHIND.match(sentence.text, literal.end - sentence.start)
        or _DENIED_BEFORE.search(sentence.text, max(0, at - 60), at)
    )
