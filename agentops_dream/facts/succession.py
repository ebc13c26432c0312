"""Whether what is cited in place of a fact is about the same thing at all (SPEC §8, "superseded").

"The delta relay listens on port 9400" does not replace the port of the alpha relay, though all but one
word is the same: that one word is the subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from agentops_dream.facts.clean import clean
from agentops_dream.facts.literals import FAMILY
from agentops_dream.facts.reading import Reading, Sentence, Text, plain, read, token
from agentops_dream.models import Superseded

_CHANGE = re.compile(
    r"(?i)\b(?:now|since|changed?|moved|raised|lowered|replac\w+|switched|"
    r"upgraded|increased|reduced|shortened|extended|halved|doubled|went (?:up|down|from)|instead of|no longer|obsolete|formerly|used to"
    r"|from .{1,24} to|seit|jetzt)\b|"
    r"変更|変え|更新|増や|増え|減ら|減っ|下げ|上げ|延ば|延長|短縮|縮め|切り替え|(?<=\S)から[^、。から]{1,16}[へに]|引き上げ|引き下げ|移行|置き換|廃止|現在|以降|以前|改为|变更|升级|调整|替换|现在|以前|변경|교체|이전|상향|하향|현재"
    r"|(?<=\d) ?(?:起|から|부터)[::、,]"
)  # fmt: skip


def strangers(
    superseded: Sequence[Superseded], inputs: Sequence[Reading], shown: Mapping[str, Text]
) -> tuple[Superseded, ...]:
    """Return the declarations whose cited entry states the value of another subject."""
    return tuple(item for item in superseded if item.by in shown and _stranger(item, inputs, read(shown[item.by])))


def _stranger(item: Superseded, inputs: Sequence[Reading], by: Reading) -> bool:
    statement = read(Text("", "", item.text))
    wanted = plain(clean(item.text))
    kinds = {FAMILY.get(literal.kind, literal.kind) for literal in statement.literals if not literal.soft}
    for source in inputs:
        if source is by:
            continue
        for sentence in source.sentences:
            if sentence.kind == "description" or not _same_text(wanted, sentence.plain):
                continue
            rivals = [rival for rival in by.sentences if rival.kind != "description" and kinds & _kinds(rival)]
            subject = _said_of(sentence, statement)
            if rivals and all(_other_subject(subject, source, rival, by) for rival in rivals):
                return True
    return False


def _same_text(wanted: str, there: str) -> bool:
    return bool(wanted) and (wanted.strip(" .。") in there or there.strip(" .。") in wanted)


def _kinds(sentence: Sentence) -> frozenset[str]:
    return frozenset(FAMILY.get(literal.kind, literal.kind) for literal in sentence.literals)


def _about(reading: Reading) -> frozenset[str]:
    """Words of the id and the description: what tells an entry from its neighbours."""
    return reading.ids.union(*(s.stems for s in reading.sentences if s.kind == "description"))


def _said_of(sentence: Sentence, statement: Reading) -> frozenset[str]:
    """Stems of the clauses in which the replaced literals stand: the rest of the sentence is not replaced."""
    keys = {token(literal) for literal in statement.literals if not literal.soft}
    said = frozenset().union(*(tokens for tokens in sentence.clause_tokens if keys & tokens)) & sentence.stems
    return said or sentence.stems


def _other_subject(subject: frozenset[str], source: Reading, rival: Sentence, by: Reading) -> bool:
    if _CHANGE.search(rival.text):
        return False
    missing = (subject & _about(source)) - rival.stems - rival.over - _about(by)
    first = min((literal.start for literal in rival.literals if not literal.soft), default=rival.end)
    before = frozenset(_stems_before(rival, first))
    return bool(missing) and bool((before or rival.stems) - source.stems - _about(source))


def _stems_before(sentence: Sentence, at: int) -> Iterable[str]:
    return (word.stem for word in sentence.words if word.start < at)
