"""Whether a declared supersession holds: the only way for a literal to leave (SPEC §8).

A model that was fooled declares what it likes. A declaration counts if the entry it cites was shown,
speaks of the same thing as the text that is to go, and either repeats that text's literal or states
another value of the same kind for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agentops_dream.facts.clean import clean
from agentops_dream.facts.index import index
from agentops_dream.facts.literal import Literal, walk_parts
from agentops_dream.facts.literals import FAMILY
from agentops_dream.facts.reading import Reading, Sentence, Text, plain, read, token
from agentops_dream.models import Superseded

# Words that name one of several worlds: what holds in one is not superseded by the other.
_WORLDS = (
    (
        {"staging", "stage", "stg", "検証", "ステージング", "预发", "预发布", "스테이징"},
        {"production", "prod", "live", "本番", "生产", "线上", "正式", "운영", "프로덕션"},
        {"development", "dev", "develop", "開発", "开发", "개발"},
        {"preview", "プレビュー", "预览", "미리보기"},
        {"test", "testing", "テスト", "测试", "테스트"},
        {"local", "ローカル", "本地", "로컬"},
    ),
    ({"ios", "iphone"}, {"android"}, {"windows"}, {"linux"}, {"macos"}),
    (
        {"client", "frontend", "クライアント", "客户端", "前端"},
        {"server", "backend", "サーバー", "服务器", "后端", "서버"},
    ),
    ({"work", "office", "職場", "仕事"}, {"home", "private", "自宅", "私用"}),
    ({"primary", "master", "leader"}, {"replica", "secondary", "follower", "standby"}),
    ({"upload", "アップロード", "上传"}, {"download", "ダウンロード", "下载"}),
    ({"east"}, {"west"}, {"north"}, {"south"}),
    ({"left"}, {"right"}),
    ({"read"}, {"write"}),
)


_CHANGE = re.compile(
    r"(?i)\b(?:now|since|changed?|moved|raised|lowered|replaced|switched|upgraded|increased|reduced|shortened|extended|halved|doubled|instead of|no longer|obsolete|old value|went (?:up|down|from))\b|"
    r"変更|変え|更新|増や|減ら|延ば|延長|短縮|縮め|切り替え|引き上げ|引き下げ|移行|置き換|廃止|現在|以降|改为|变更|升级|调整|替换|现在|변경|교체|이전|상향|하향|현재"
)


@dataclass(frozen=True, eq=False)
class Declared:
    """The declarations of a bundle, judged."""

    texts: tuple[str, ...]
    """Plain text that may go."""
    literals: frozenset[tuple[str, str, str]]
    """``(kind, key, unit)`` of what may go."""
    cited: tuple[Reading, ...]
    """Entries whose facts may come in."""
    refused: tuple[tuple[str, str], ...]
    """``(text, by)`` of declarations that do not hold."""

    @property
    def text(self) -> str:
        """All that may go, as plain text."""
        return "\n".join(self.texts)

    @property
    def tokens(self) -> frozenset[str]:
        """What may go, as tokens of sentences."""
        return frozenset(token(Literal(kind, key, key, 0, 0, unit)) for kind, key, unit in self.literals)

    def covers(self, literal: Literal) -> bool:
        """Return whether a literal is declared to go."""
        if (literal.kind, literal.key, literal.unit) in self.literals:
            return True
        # "Python 3.11" goes with "Python 3.11.2".
        return literal.kind in ("number", "version") and any(
            key.startswith(literal.key + ".") for kind, key, unit in self.literals if kind in ("number", "version")
        )


def judge(superseded: Sequence[Superseded], inputs: Sequence[Reading], shown: Mapping[str, Text]) -> Declared:
    """Return which declarations hold."""
    texts: list[str] = []
    gone: set[tuple[str, str, str]] = set()
    cited: dict[str, Reading] = {}
    refused: list[tuple[str, str]] = []
    for item in superseded:
        if item.by not in shown:
            refused.append((item.text, item.by))
            continue
        by = read(shown[item.by])
        statement = read(Text("", "", item.text))
        sources = [r for r in inputs if _stands_in(statement, r)]
        others = [r for r in sources if r is not by]
        # An entry cannot vouch for its own change, unless it tells of the change.
        vouched = bool(others) or any(_CHANGE.search(sentence.text) for sentence in by.sentences)
        consumed = any(r is by for r in inputs)
        if not sources or not vouched or not all(_holds(statement, r, by, consumed) for r in others or sources):
            refused.append((item.text, item.by))
            continue
        texts.append(plain(clean(item.text)))
        gone.update((lit.kind, lit.key, lit.unit) for lit in walk_parts(statement.literals))
        gone.update(_as_written(statement, sources))
        cited[item.by] = by
    return Declared(tuple(texts), frozenset(gone), tuple(cited.values()), tuple(refused))


def _stands_in(statement: Reading, source: Reading) -> bool:
    """Return whether the text to go is text of the entry, at least by its literals and words."""
    if plain(statement.clean) in source.plain:
        return True
    there = index((source,), ids=False)
    literals = [literal for literal in statement.literals if not literal.soft and literal.kind != "subject"]
    return all(there.has(literal) for literal in literals) and (
        bool(literals) or len(statement.stems & there.stems) * 2 > len(statement.stems)
    )


def _as_written(statement: Reading, sources: Iterable[Reading]) -> set[tuple[str, str, str]]:
    """Return the literals of the sources that the statement's letters spell."""
    text = plain(statement.clean)
    inner = index((statement,), ids=False)
    return {
        (literal.kind, literal.key, literal.unit)
        for source in sources
        for literal in source.literals
        if plain(literal.text) == text or (inner.has(literal) and literal.kind != "link")
    }


def _holds(statement: Reading, source: Reading, by: Reading, consumed: bool) -> bool:
    if other_world(source, by):
        return False
    about = [s for s in source.sentences if _meets(s, statement)]
    there = index((by,))
    literals = [literal for literal in statement.literals if not literal.soft and literal.kind != "subject"]
    literals = [literal for literal in literals if literal.kind != "name"] or literals
    company = frozenset().union(*(s.tokens for s in about)) | source.ids
    shared = company & (there.tokens | by.ids)
    if not literals:
        return len(statement.stems & there.stems) * 2 >= len(statement.stems) and bool(shared)
    if not consumed and shared and all(there.has(literal) for literal in literals):
        return True
    changed = [_other_value(literal, about, by) for literal in literals]
    # A setting and its value are two literals: one stays, the other is new.
    return any(changed) and all(new or there.has(literal) for new, literal in zip(changed, literals))


def _meets(sentence: Sentence, statement: Reading) -> bool:
    if plain(statement.clean) in sentence.plain:
        return True
    mine = {(lit.kind, lit.key) for lit in walk_parts(sentence.literals)}
    wanted = {(lit.kind, lit.key) for lit in statement.literals}
    return bool(mine & wanted)


def _other_value(literal: Literal, about: Sequence[Sentence], by: Reading) -> bool:
    """Return whether ``by`` states another value of this kind in a sentence about the same thing.

    What all of ``by`` speaks of is not enough: nearly every sentence about a service names the service.
    """
    everywhere = _everywhere(by)
    subject = _named_in(literal).union(*(s.tokens | s.over for s in about)) - {token(literal)}
    if subject - everywhere:
        subject -= everywhere
    for sentence in by.sentences:
        near = sentence.tokens | sentence.over
        for other in _values(sentence):
            if not _same_kind(literal, other) or other.key == literal.key or _cited(other, by):
                continue
            if subject & (near | _named_in(other)) or _share_part(literal, other):
                return True
    return False


_CITED = re.compile(r"「[^」]{24,}」|『[^』]{24,}』|“[^”]{40,}”|\"[^\"\n]{40,}\"")


def _cited(literal: Literal, by: Reading) -> bool:
    """Return whether a value stands in a sentence that an entry only quotes: what somebody wrote is no proof of it."""
    return any(match.start() < literal.start < match.end() for match in _CITED.finditer(by.clean))


def _everywhere(by: Reading) -> frozenset[str]:
    """Return the tokens that stand in nearly all sentences of an entry of three sentences or more."""
    body = [sentence for sentence in by.sentences if sentence.kind != "description"]
    counts = Counter(token for sentence in body for token in sentence.tokens)
    most = max(3.0, 0.75 * len(body))
    return frozenset(token for token, count in counts.items() if count >= most)


def _values(sentence: Sentence) -> Iterator[Literal]:
    """Yield the literals of a sentence, and the values of its assignments."""
    for literal in sentence.literals:
        yield literal
        if "=" in literal.key:
            yield from (part for part in literal.parts if part.kind != "word")


def _named_in(literal: Literal) -> frozenset[str]:
    """Return the words inside a compound literal: the left side of an assignment, a host."""
    return frozenset(part.key for part in literal.parts if part.kind == "word" and len(part.key) > 2)


def _share_part(one: Literal, other: Literal) -> bool:
    """Return whether two commands have a switch or a word in common: ``-O2 -flto`` and ``-O2 -fno-lto``."""
    return not {part.key for part in one.parts if not part.key.isdigit()}.isdisjoint(part.key for part in other.parts)


def _same_kind(one: Literal, other: Literal) -> bool:
    family = FAMILY.get(one.kind, one.kind)
    if family != FAMILY.get(other.kind, other.kind):
        return False
    return family != "number" or one.unit == other.unit


def other_world(source: Reading, by: Reading) -> bool:
    """Return whether the two entries are about different environments, platforms or sides."""
    mine, theirs = _subject(source), _subject(by)
    for group in _WORLDS:
        here = {number for number, names in enumerate(group) if _named(names, mine)}
        there = {number for number, names in enumerate(group) if _named(names, theirs)}
        if here and there and not here & there:
            return True
    return False


def _subject(reading: Reading) -> str:
    return clean(f"{reading.text.id} {reading.text.description}").casefold().replace("_", " ").replace("-", " ")


def _named(names: Iterable[str], subject: str) -> bool:
    words = set(subject.split()) | set(subject.replace(".", " ").replace(",", " ").replace(":", " ").split())
    return any(name in words if name.isascii() else name in subject for name in names)
