"""Whatever a model answers: nothing raises, nothing is lost, nothing comes in (SPEC §8).

Stores of labelled facts, one sentence each and no two alike, and plans of honest, sloppy, inventive,
swapping and senseless ops. A fact is a whole sentence here, so the oracle needs no literals: after
the dream the store holds the same sentences as before.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

from deep_world import TODAY, op
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from agentops_dream import settings as configuration
from agentops_dream.deep.judge import judge
from agentops_dream.models import Entry, Judgement, WorkingSet
from agentops_dream.store import index
from agentops_dream.store.entry import read_entry
from agentops_dream.store.links import Resolver, targets
from agentops_dream.store.memory import Store, with_ids

COLOURS = "amber blue coral drab ebony fawn gold hazel ivory jade khaki lilac mauve navy ochre pink".split()
THINGS = "queue cache relay ledger worker broker mirror gateway".split()


def fact(number: int) -> str:
    colour, thing = COLOURS[number % len(COLOURS)], THINGS[number // len(COLOURS) % len(THINGS)]
    return f"The {colour} {thing} listens on port {7000 + number} and logs to `var/{colour}-{thing}.log`."


def facts_in(text: str) -> list[str]:
    return re.findall(r"The \w+ \w+ listens on port \d+ and logs to `[^`]+`\.", text)


class Make:
    """A store, and ops over it, from one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        rng = self.rng
        self.count = rng.randint(2, 14)
        numbers = iter(rng.sample(range(len(COLOURS) * len(THINGS)), self.count * 4))
        raws: dict[str, bytes] = {}
        for n in range(self.count):
            body = " ".join(fact(next(numbers)) for _ in range(rng.randint(1, 4)))
            if n and rng.random() < 0.3:  # a twin, or one that says what another one says and more
                other = raws[rng.choice(sorted(raws))].decode()
                body = " ".join(facts_in(other)) + (" " + body if rng.random() < 0.5 else "")
            topic = " ".join(body.split()[1:3])
            if rng.random() < 0.5:
                body += f"\n\nRelated: [[e{rng.randrange(self.count)}]]"
            extra = "".join(
                f"  {line}\n"
                for line, chance in (("pinned: true", 0.1), ("flagged: true", 0.1), (f"originSessionId: s{n}", 0.6))
                if rng.random() < chance
            )
            kind = rng.choice(("project", "project", "reference", "user", "feedback"))
            head = f"---\nname: e{n}\ndescription: About the {topic}\nmetadata: \n  type: {kind}\n{extra}---\n\n"
            folder = "team/" if rng.random() < 0.05 else ""
            raws[f"{folder}e{n}.md"] = (head + body + "\n").replace("\n", "\r\n" if rng.random() < 0.2 else "\n").encode()
        entries = [
            read_entry(path, raw, 0.0, readonly="team" if path.startswith("team/") else "")
            for path, raw in sorted(raws.items())
        ]
        self.store = Store(Path("/nowhere"), with_ids(entries)[0], index=b"# Memory\n")
        shown = [entry for entry in self.store.entries if rng.random() < 0.9]
        focus = [entry for entry in shown if rng.random() < 0.7]
        self.working_set = WorkingSet(tuple(focus), tuple(entry for entry in shown if entry not in focus), "")

    def any(self) -> Entry:
        return self.rng.choice(self.store.entries)

    def text(self, *entries: Entry) -> str:
        return "\n\n".join(entry.body.strip() for entry in entries)

    def op(self) -> Any:
        rng = self.rng
        one, two, three = self.any(), self.any(), self.any()
        made: Any = rng.choice(
            (
                lambda: op("merge", one.id, two.id, new_body=self.spoil(self.text(one, two))),
                lambda: op("merge", one.id, two.id, new_body=self.spoil(self.text(two, one)), new_name=f"n{rng.randrange(4)}"),
                lambda: op("merge", one.id, two.id, three.id, new_body=self.spoil(self.text(one, two, three))),
                lambda: op("update", one.id, new_body=self.spoil(self.text(one))),
                lambda: op("update", one.id, new_name=f"n{rng.randrange(4)}", delete_source=True),
                lambda: op("delete", one.id, superseded=[{"text": rng.choice((self.text(one), "x")), "by": two.id}]),
                lambda: op("delete", one.id),
                lambda: op("relink", one.id, links=[two.id]),
                lambda: op("flag", one.id, two.id),
                lambda: op(rng.choice(("update", "merge", "delete")), one.id, new_body=rng.choice((None, "", "null", "x"))),
                lambda: rng.choice((None, [], {}, "x", {"op": "merge"})),
            )
        )()
        if isinstance(made, dict) and made.get("op"):
            made["confidence"] = rng.choice((0.95, 0.95, 0.95, 0.9, 0.6, 0.3))
        return made

    def split(self) -> list[Any]:
        one = self.any()
        sentences = facts_in(one.body)
        cut = self.rng.randint(0, len(sentences))
        rest = " ".join(sentences[cut:]) + "".join(f"\n[[{link}]]" for link in one.links)
        halves = [
            op("update", one.id, new_name="half", new_body=self.spoil(" ".join(sentences[:cut]) or "x")),
            op("update", one.id, new_body=self.spoil(rest)),
        ]
        if self.rng.random() < 0.3:
            halves[1].update(new_name="other-half", delete_source=True)
        return halves

    def absorb(self) -> list[Any]:
        one, two = self.any(), self.any()
        cited = [{"text": self.text(two), "by": one.id}]
        return [op("update", one.id, new_body=self.spoil(self.text(one, two))), op("delete", two.id, superseded=cited)]

    def spoil(self, text: str) -> str:
        rng = self.rng
        sentences = facts_in(text)
        roll = rng.random()
        if roll < 0.6 or not sentences:
            return text
        if roll < 0.7:
            return text.replace(rng.choice(sentences), "", 1)
        if roll < 0.8:
            return text + " " + fact(rng.randrange(len(COLOURS) * len(THINGS)))
        if roll < 0.9 and len(sentences) > 1:
            a, b = rng.sample(sentences, 2)
            port_a, port_b = (re.search(r"\d+", sentence).group() for sentence in (a, b))  # type: ignore[union-attr]
            return text.replace(port_a, "0000").replace(port_b, port_a).replace("0000", port_b)
        return text.replace("listens", "never listens", 1)

    def plan(self) -> list[Any]:
        plan = [self.op() for _ in range(self.rng.randint(1, 7))]
        if self.rng.random() < 0.4:
            plan[self.rng.randrange(len(plan)) :] = self.split()
        if self.rng.random() < 0.3:
            plan[self.rng.randrange(len(plan)) :] = self.absorb()
        return plan


def run(make: Make, plan: list[Any]) -> Judgement:
    return judge(plan, make.working_set, make.store, settings=configuration.read({}), today=TODAY)


def changed(store: Store, judged: Judgement) -> Store:
    return store.with_changes({change.path: change.after for change in judged.changes.entries})


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32))
def test_nothing_is_lost_and_nothing_comes_in(seed: int) -> None:
    """Lost if wrong: facts."""
    make = Make(seed)
    plan = make.plan()
    judged = run(make, plan)
    before = make.store
    after = changed(before, judged)
    for verdict in judged.verdicts:
        event(f"{verdict.kind or 'none'} {verdict.status}")

    assert [verdict.index for verdict in judged.verdicts] == list(range(len(plan)))
    old = {sentence for entry in before.entries for sentence in facts_in(entry.body)}
    new = {sentence for entry in after.entries for sentence in facts_in(entry.body)}
    assert new == old
    assert not any("never listens" in entry.body for entry in after.entries)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32))
def test_the_change_set_keeps_to_the_rules(seed: int) -> None:
    """Lost if wrong: protected files change, names collide, links die, rails are broken."""
    make = Make(seed)
    judged = run(make, make.plan())
    before, after = make.store, changed(make.store, judged)
    entries = {entry.path: entry for entry in before.entries}
    shown = {entry.path for entry in make.working_set.shown}
    standing = {verdict.index for verdict in judged.verdicts if verdict.status in ("applied", "flagged")}

    for change in judged.changes.entries:
        known = entries.get(change.path)
        assert change.before == (known.raw if known else None) and change.before != change.after
        assert change.ops and set(change.ops) <= standing
        if known is not None:
            assert not known.pinned and not known.readonly
            if change.path not in shown:  # links follow, nothing else
                assert change.after is not None
                assert facts_in(change.after.decode()) == facts_in(known.raw.decode())
    gone = set(entries) - {entry.path for entry in after.entries}
    renamed = {path for path in gone if judged.changes.heirs.get(path) not in entries}
    assert len(gone - renamed) <= max(1, len(entries) // 5)
    assert len(gone) <= 6
    ids = [entry.id.casefold() for entry in after.entries]
    assert len(set(ids)) == len(ids)
    made = index.reconcile(before.index, before.entries, after.entries, judged.changes.heirs)
    fresh = {entry.path for entry in after.entries if not entry.readonly and not entry.path.startswith("team/")}
    assert fresh <= index.reachable(made.raw, after.entries)
    _links_hold(before, after, judged)


def _links_hold(before: Store, after: Store, judged: Judgement) -> None:
    was, now = Resolver(before.entries), Resolver(after.entries)
    orphans = {path for path in (c.path for c in judged.changes.entries if c.after is None) if path not in judged.changes.heirs}
    for entry in after.entries:
        if entry.pinned or entry.readonly:
            continue
        for target in targets(entry.body):
            old = was.resolve(target)
            if old is not None and old.path not in orphans:
                assert now.resolve(target) is not None, (entry.path, target)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32))
def test_an_honest_plan_goes_through(seed: int) -> None:
    """Lost if wrong: a gate that lets nothing through is as broken as one that lets all through."""
    make = Make(seed)
    free = [entry for entry in make.working_set.focus if not entry.pinned and not entry.readonly]
    if len(free) < 2:
        return
    one, two, *rest = free
    kind = next((entry.type for entry in (one, two) if entry.type in ("user", "feedback")), "project")
    plan = [op("merge", one.id, two.id, new_body=make.text(two, one), new_frontmatter={"metadata": {"type": kind}})]
    plan += [op("update", entry.id, new_body=" ".join(reversed(facts_in(entry.body))) + "".join(f"\n\n[[{link}]]" for link in entry.links)) for entry in rest]
    judged = run(make, plan)
    assert [verdict.status for verdict in judged.verdicts] == ["applied"] * len(plan), [v.reason for v in judged.verdicts]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32))
def test_judging_is_a_function(seed: int) -> None:
    """Lost if wrong: the receipt shows one thing and the disk holds another."""
    make = Make(seed)
    plan = make.plan()
    assert run(make, plan) == run(make, plan)
