"""Stores with labelled facts, honest rewritings of them, and what bad models make of them.

Everything is made from a seed. A case is one bundle as the gate would weigh it, with what is right
about it: ``honest`` or the name of the fault that was put in.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from phrases import ADDED, ENVIRONMENTS, PEOPLE, PHRASES, WEEKDAYS, Phrase

from agentops_dream.facts.weigh import Text
from agentops_dream.models import Superseded

SERVICES = "quillon harbor-sync mossgate tern-queue ledgerly pinewatch brimstore cobalt-mail".split()
LIBRARIES = "Redwood Kestrel Bluefin Obelisk".split()
TABLES = "visit_log order_lines meter_raw seat_map".split()
CITIES = "Oslo Bergen Turku Malmo".split()
NUMBERS = ("port", "secs", "days", "count", "rate", "mem")


@dataclass(frozen=True)
class Fact:
    """One fact: a phrase and what fills its slots."""

    phrase: Phrase
    slots: dict[str, str]

    def say(self, rnd: random.Random, wording: int | None = None) -> str:
        """Return the fact in one of its wordings, numbers and dates in one of their spellings."""
        says = self.phrase.says
        return says[wording if wording is not None else rnd.randrange(len(says))].format(**_spell(self.slots, rnd))

    @property
    def literals(self) -> tuple[str, ...]:
        """Names of the slots that hold literals."""
        return tuple(name for name in self.slots if "{" + name + "}" in self.phrase.says[0] and name not in ("env",))


@dataclass(frozen=True)
class Case:
    """One bundle and what is right about it."""

    kind: str
    language: str
    inputs: tuple[Text, ...]
    outputs: tuple[Text, ...]
    superseded: tuple[Superseded, ...] = ()
    shown: dict[str, Text] = field(default_factory=dict)
    fault: str = ""
    """What was put in, for a person to read."""


HONEST = ("paraphrase", "reorder", "to-list", "to-prose", "union", "split", "look-alikes", "supersede-update", "supersede-merge", "spelling")
DISHONEST = (
    "drop-fact", "drop-literal", "change-number", "swap", "swap-inside", "add", "wander", "harden", "translate", "undeclared", "false-claim",
)  # fmt: skip


def _spell(slots: dict[str, str], rnd: random.Random) -> dict[str, str]:
    spelled = dict(slots)
    for name in ("count", "rate"):
        if spelled[name].isdigit() and int(spelled[name]) >= 1000 and rnd.random() < 0.5:
            spelled[name] = f"{int(spelled[name]):,}"
    return spelled


def _slots(rnd: random.Random, language: str, service: str, env: str) -> dict[str, str]:
    word = rnd.choice("amber basil cedar delta ember fjord".split())
    return {
        "svc": service,
        "env": env,
        "port": str(rnd.randrange(2000, 9999)),
        "secs": str(rnd.randrange(2, 95)),
        "days": str(rnd.randrange(3, 90)),
        "path": f"/var/{word}/{service}-{rnd.randrange(10, 99)}.log",
        "role": f"{word}_{rnd.choice(['ro', 'rw', 'app', 'job'])}{rnd.randrange(10)}",
        "person": rnd.choice(PEOPLE[language]),
        "lib": rnd.choice(LIBRARIES),
        "ver": f"{rnd.randrange(1, 20)}.{rnd.randrange(30)}.{rnd.randrange(20)}",
        "cmd": f"{word} {rnd.choice(['seed', 'migrate', 'purge', 'check'])} --{rnd.choice(['all', 'fast', 'deep'])} {rnd.randrange(2, 40)}",
        "date": f"20{rnd.randrange(21, 27)}-{rnd.randrange(1, 13):02d}-{rnd.randrange(1, 29):02d}",
        "count": str(rnd.choice([rnd.randrange(100, 999), rnd.randrange(1000, 99999)])),
        "issue": f"{word[:3].upper()}-{rnd.randrange(100, 9999)}",
        "rate": str(rnd.choice([rnd.randrange(20, 999), rnd.randrange(1000, 9000)])),
        "url": f"https://docs.{service}.example/{word}/{rnd.randrange(10, 99)}",
        "time": f"{rnd.randrange(0, 24):02d}:{rnd.randrange(0, 60):02d}",
        "weekday": rnd.choice(WEEKDAYS[language]),
        "table": rnd.choice(TABLES),
        "host": f"{word}-{rnd.randrange(2, 99)}.cloud.example",
        "mem": str(rnd.randrange(3, 90)),
    }  # fmt: skip


ENV_BOUND = ("port", "timeout", "retention", "role")


@dataclass
class Maker:
    """Makes cases of one language from one source of randomness."""

    language: str
    rnd: random.Random

    def facts(self, count: int, *, service: str | None = None, env: str | None = None, names: tuple[str, ...] = ()) -> list[Fact]:
        """Return ``count`` different facts about one service."""
        rnd = self.rnd
        service = service or rnd.choice(SERVICES)
        env = env or rnd.choice(ENVIRONMENTS[self.language])
        phrases = [p for p in PHRASES[self.language] if not names or p.name in names]
        return [
            Fact(phrase, _slots(rnd, self.language, service, env))
            for phrase in rnd.sample(phrases, min(count, len(phrases)))
        ]

    def render(self, facts: list[Fact], *, style: str = "", wording: int | None = None) -> str:
        """Return a body that says ``facts``."""
        rnd = self.rnd
        style = style or rnd.choice(("prose", "list", "lines"))
        said = [fact.say(rnd, wording) for fact in facts]
        if style == "list":
            return "\n".join(f"- {text}" for text in said) + "\n"
        if style == "lines":
            return "\n\n".join(said) + "\n"
        gap = "" if self.language in ("ja", "zh") else " "
        stops = "。" if self.language in ("ja", "zh") else "."
        return gap.join(text if text[-1] in ".。" else text + (" " if "://" in text[-60:] else "") + stops for text in said) + "\n"

    def text(self, name: str, facts: list[Fact], **how: object) -> Text:
        """Return an entry that says ``facts``; its description is the first of them."""
        return Text(name, facts[0].say(self.rnd).strip(".。"), self.render(facts, **how))  # type: ignore[arg-type]

    def kept(self, entry: Text, facts: list[Fact], **how: object) -> Text:
        """Return ``entry`` with a new body."""
        return Text(entry.id, entry.description, self.render(facts, **how))  # type: ignore[arg-type]

    def case(self, kind: str) -> Case:
        """Return one case of a kind in ``HONEST`` or ``DISHONEST``."""
        made = getattr(self, "make_" + kind.replace("-", "_"))()
        return replace(made, kind=kind)

    def _case(self, inputs: object, outputs: object, **more: object) -> Case:
        return Case("", self.language, tuple(inputs), tuple(outputs), **more)  # type: ignore[arg-type]

    # ------------------------------------------------------------ honest

    def make_paraphrase(self) -> Case:
        facts = self.facts(4)
        entry = self.text("a", facts, wording=0)
        return self._case([entry], [self.kept(entry, facts, wording=self.rnd.choice((1, 2)))])

    def make_reorder(self) -> Case:
        facts = self.facts(5)
        entry = self.text("a", facts)
        self.rnd.shuffle(facts)
        return self._case([entry], [self.kept(entry, facts)])

    def make_to_list(self) -> Case:
        facts = self.facts(5)
        entry = self.text("a", facts, style="prose")
        return self._case([entry], [self.kept(entry, facts, style="list")])

    def make_to_prose(self) -> Case:
        facts = self.facts(5)
        entry = self.text("a", facts, style="list")
        return self._case([entry], [self.kept(entry, facts, style="prose")])

    def make_union(self) -> Case:
        facts = self.facts(6)
        one, other = self.text("a", facts[:4]), self.text("b", facts[2:])
        both = facts[:]
        self.rnd.shuffle(both)
        return self._case([one, other], [self.kept(one, both)])

    def make_split(self) -> Case:
        first, second = self.facts(3, service="quillon"), self.facts(3, service="mossgate")
        whole = Text("a", first[0].say(self.rnd), self.render(first) + "\n" + self.render(second))
        return self._case([whole], [self.text("b", first), self.text("c", second)])

    def _look_alikes(self) -> tuple[list[Fact], list[Fact], str, str]:
        here, there = ENVIRONMENTS[self.language]
        service = self.rnd.choice(SERVICES)
        one = self.facts(3, service=service, env=here, names=ENV_BOUND)
        other = [Fact(f.phrase, _slots(self.rnd, self.language, service, there)) for f in one]
        return one, other, here, there

    def _both(self, one: list[Fact], other: list[Fact], here: str, there: str) -> str:
        style = self.rnd.randrange(3)
        if style == 0:
            return self.render(one) + "\n" + self.render(other)
        if style == 1:
            return f"## {here}\n\n{self.render(one)}\n## {there}\n\n{self.render(other)}"
        pairs = [fact for pair in zip(one, other) for fact in pair]
        return self.render(pairs)

    def make_look_alikes(self) -> Case:
        one, other, here, there = self._look_alikes()
        inputs = [self.text(f"x-{here}", one), self.text(f"x-{there}", other)]
        return self._case(inputs, [Text("x", inputs[0].description, self._both(one, other, here, there))])

    def _superseded(self) -> tuple[list[Fact], Fact, Fact, Text, Text, Superseded]:
        facts = self.facts(4, names=("port", "timeout", "limit", "version", "backup", "owner", "manual", "incident", "command"))
        old = next((f for f in facts if f.phrase.name in ("port", "timeout", "limit", "version")), None)
        if old is None:
            return self._superseded()
        slot = {"port": "port", "timeout": "secs", "limit": "rate", "version": "ver"}[old.phrase.name]
        fresh = _slots(self.rnd, self.language, old.slots["svc"], old.slots["env"])[slot]
        while fresh == old.slots[slot]:
            fresh = _slots(self.rnd, self.language, old.slots["svc"], old.slots["env"])[slot]
        new = Fact(old.phrase, {**old.slots, slot: fresh})
        facts.remove(old)
        entry = Text("a", facts[0].say(self.rnd), self.render([*facts, old]))
        since = {"en": "Since 2026-11-20: ", "ja": "2026-11-20 から: ", "zh": "2026-11-20 起:", "ko": "2026-11-20부터: "}[self.language]
        by = Text("b", new.say(self.rnd), since + new.say(self.rnd) + "\n")
        unit = {"secs": {"en": " s", "ja": " 秒", "zh": " 秒", "ko": "초"}[self.language]}.get(slot, "")
        return facts, old, new, entry, by, Superseded(old.slots[slot] + unit, "b")

    def make_supersede_update(self) -> Case:
        facts, _, new, entry, by, declared = self._superseded()
        out = self.kept(entry, [*facts, new])
        return self._case([entry], [out], superseded=(declared,), shown={"a": entry, "b": by})

    def make_supersede_merge(self) -> Case:
        facts, _, new, entry, by, declared = self._superseded()
        out = self.kept(entry, [*facts, new], style="list")
        out = replace(out, body=out.body + "- 2026-11-20\n")
        return self._case([entry, by], [out], superseded=(declared,), shown={"a": entry, "b": by})

    def make_spelling(self) -> Case:
        facts = self.facts(5)
        entry = self.text("a", facts, wording=0)
        body = entry.body.replace("`", "") if self.rnd.random() < 0.4 else entry.body
        body = body.replace(" s.", " seconds.").replace(" 秒", "秒").replace(" 天", "天").replace(" 日", "日")
        if self.language in ("ja", "zh") and self.rnd.random() < 0.3 and "`" in body:
            parts = body.split("`")
            parts[::2] = [part.translate({ord(c): ord(c) + 0xFEE0 for c in "0123456789"}) if "://" not in part and "/" not in part and "-" not in part else part for part in parts[::2]]
            body = "`".join(parts)
        for fact in facts:
            day = fact.slots["date"]
            year, month, date = day.split("-")
            local = {
                "en": f"{int(date)} {'January February March April May June July August September October November December'.split()[int(month) - 1]} {year}",
                "ja": f"{year}年{int(month)}月{int(date)}日",
                "zh": f"{year}年{int(month)}月{int(date)}日",
                "ko": f"{year}년 {int(month)}월 {int(date)}일",
            }[self.language]
            body = body.replace(day, local)
        return self._case([entry], [Text("a", entry.description, body)])

    # ------------------------------------------------------------ dishonest

    def make_drop_fact(self) -> Case:
        facts = self.facts(5)
        entry = Text("a", "x", self.render(facts))
        gone = facts.pop(self.rnd.randrange(len(facts)))
        return self._case([entry], [self.kept(entry, facts)], fault=gone.say(self.rnd))

    def make_drop_literal(self) -> Case:
        facts = self.facts(4)
        entry = Text("a", "x", self.render(facts))
        fact = self.rnd.choice(facts)
        slot = self.rnd.choice([s for s in fact.literals if s not in ("svc",)] or ["svc"])
        vague = {"en": "some", "ja": "ある", "zh": "某", "ko": "어떤"}[self.language]
        facts[facts.index(fact)] = Fact(fact.phrase, {**fact.slots, slot: vague})
        return self._case([entry], [self.kept(entry, facts)], fault=f"{slot}={fact.slots[slot]}")

    def make_change_number(self) -> Case:
        facts = self.facts(5)
        entry = Text("a", "x", self.render(facts))
        numbered = [f for f in facts if set(f.literals) & {*NUMBERS, "ver", "date", "time"}]
        if not numbered:
            return self.make_change_number()
        fact = self.rnd.choice(numbered)
        slot = self.rnd.choice([s for s in fact.literals if s in (*NUMBERS, "ver", "date", "time")])
        fresh = _slots(self.rnd, self.language, "x", "y")[slot]
        if fresh == fact.slots[slot] or fresh in entry.body:
            return self.make_change_number()
        facts[facts.index(fact)] = Fact(fact.phrase, {**fact.slots, slot: fresh})
        return self._case([entry], [self.kept(entry, facts)], fault=f"{fact.slots[slot]} -> {fresh}")

    def make_swap(self) -> Case:
        one, other, here, there = self._look_alikes()
        inputs = [self.text(f"x-{here}", one), self.text(f"x-{there}", other)]
        return self._swapped(inputs, one, other, here, there)

    def make_swap_inside(self) -> Case:
        one, other, here, there = self._look_alikes()
        entry = Text("x", self.rnd.choice(one).slots["svc"], self._both(one, other, here, there))
        return self._swapped([entry], one, other, here, there)

    def _swapped(self, inputs: list[Text], one: list[Fact], other: list[Fact], here: str, there: str) -> Case:
        at = self.rnd.randrange(len(one))
        slot = {"port": "port", "timeout": "secs", "retention": self.rnd.choice(("days", "path")), "role": "role"}[one[at].phrase.name]
        mine, theirs = one[at].slots[slot], other[at].slots[slot]
        if mine == theirs or any(mine in f.slots.values() or theirs in f.slots.values() for f in (*one, *other) if f not in (one[at], other[at])):
            return self.make_swap()
        one, other = one[:], other[:]
        one[at] = Fact(one[at].phrase, {**one[at].slots, slot: theirs})
        other[at] = Fact(other[at].phrase, {**other[at].slots, slot: mine})
        return self._case(inputs, [Text("x", inputs[0].description if len(inputs) == 1 else "x", self._both(one, other, here, there))], fault=f"{slot}: {mine} <-> {theirs}")

    def make_add(self) -> Case:
        facts = self.facts(4)
        entry = self.text("a", facts)
        added = self.rnd.choice(ADDED[self.language]).format(number=self.rnd.randrange(100, 999), day=self.rnd.randrange(1, 28), city=self.rnd.choice(CITIES))
        out = self.kept(entry, facts)
        glue = {"list": "- "}.get("list" if out.body.startswith("- ") else "", "")
        return self._case([entry], [replace(out, body=out.body + glue + added + "\n")], fault=added)

    def make_wander(self) -> Case:
        facts, stranger = self.facts(4), self.facts(3, service="brimstore")
        entry = self.text("a", facts)
        third = self.text("c", stranger)
        fact = self.rnd.choice([f for f in stranger if set(f.literals) - {"svc", "table", "person", "weekday", "lib"}] or stranger)
        return self._case([entry], [self.kept(entry, [*facts, fact])], shown={"a": entry, "c": third}, fault=fact.say(self.rnd))

    def make_harden(self) -> Case:
        hedged = self.facts(1, names=("never", "rumour", "maybe", "only"))
        rest = [f for f in self.facts(3, service=hedged[0].slots["svc"]) if not f.phrase.hard]
        entry = Text("a", "x", self.render([*hedged, *rest]))
        fact = hedged[0]
        firm = Fact(Phrase(fact.phrase.name, fact.phrase.hard), fact.slots)
        return self._case([entry], [self.kept(entry, [firm, *rest])], fault=firm.say(self.rnd))

    def make_translate(self) -> Case:
        facts = self.facts(4)
        entry = Text("a", "x", self.render(facts))
        other = self.rnd.choice([language for language in PHRASES if language != self.language])
        table = {phrase.name: phrase for phrase in PHRASES[other]}
        foreign = [Fact(table[f.phrase.name], f.slots) for f in facts]
        return self._case([entry], [self.kept(entry, foreign)], fault=other)

    def make_undeclared(self) -> Case:
        case = self.make_supersede_update()
        return replace(case, superseded=(), fault="undeclared")

    def make_false_claim(self) -> Case:
        facts, _, _, entry, _, declared = self._superseded()
        stranger = self.text("b", [f for f in self.facts(4, service="brimstore", names=("owner", "manual", "reason", "never", "only"))])
        out = self.kept(entry, facts)
        return self._case([entry], [out], superseded=(declared,), shown={"a": entry, "b": stranger}, fault=f"{declared.text} by b")


def make(language: str, kind: str, number: int, seed: int = 0) -> Case:
    """Return one case; the same arguments give the same case."""
    return Maker(language, random.Random(f"{seed} {language} {kind} {number}")).case(kind)


def cases(count: int, seed: int = 0) -> Iterator[Case]:
    """Yield ``count`` cases of every kind in every language."""
    for language in PHRASES:
        for kind in (*HONEST, *DISHONEST):
            for number in range(count):
                yield make(language, kind, number, seed)
