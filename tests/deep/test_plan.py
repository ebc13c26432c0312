"""Malformed plans: each refused by itself, all bytes as they were, good ops beside them done."""

from __future__ import annotations

import math
from typing import Any

import pytest
from deep_world import OUTBOX, PAGES, World, after, codes, op
from hypothesis import given
from hypothesis import strategies as st

from agentops_dream.deep.plan import MalformedOp, entry_name, read_op, read_plan
from agentops_dream.models import Op, Verdict

GOOD = op("relink", "paging", links=["outbox"])
BODY = "Orders.\n\n" + PAGES


def without(field: str) -> dict[str, Any]:
    made = op("update", "paging", new_body=BODY)
    del made[field]
    return made


def meta(**fields: Any) -> dict[str, Any]:
    return op("update", "paging", new_frontmatter={"metadata": {"type": "reference", **fields}}, new_body=BODY)


MALFORMED: dict[str, Any] = {
    # The twenty known from the field.
    "null op": None,
    "a list for an op": [],
    "a string for an op": "delete everything",
    "unknown op": op("purge", "paging"),
    "no op": without("op"),
    "unknown field": {**op("update", "paging", new_body=BODY), "archive": True},
    "path traversal in a target": op("delete", "../outbox"),
    "absolute path as a target": op("delete", "/etc/passwd"),
    "path traversal in a name": op("update", "paging", new_name="../../CLAUDE", new_body=BODY),
    "a target that is not shown": op("flag", "hidden"),
    "a target that is not there": op("flag", "nobody"),
    "the same target twice": op("flag", "paging", "Paging"),
    "a merge with itself": op("merge", "paging", "paging", new_body=BODY),
    "an empty body": op("update", "paging", new_body=""),
    "a blank body": op("update", "paging", new_body=" \n\t\n"),
    "the literal null": op("update", "paging", new_body="null"),
    "a body that is no string": op("update", "paging", new_body={"text": BODY}),
    "invented provenance": meta(source_files=["a.py"]),
    "provenance of the wrong type": meta(source_files="a.py"),
    "a merged_from of the model's": meta(merged_from=["outbox"]),
    "a session of the model's": meta(originSessionId="1234"),
    "a bad grounding value": meta(grounding="proven"),
    "provenance at the top": op("update", "paging", new_frontmatter={"source_context_ids": ["1"]}),
    "an unseen source": op("merge", "paging", "hidden", new_body=BODY),
    "a missing source": op("merge", "paging", "nobody", new_body=BODY),
    "a merge of one": op("merge", "paging", new_body=BODY),
    "a merge without a body": op("merge", "paging", "outbox"),
    "an unseen replacement": op("delete", "paging", superseded=[{"text": "200", "by": "hidden"}]),
    "a replacement that is neither there nor planned": op(
        "delete", "paging", superseded=[{"text": "200", "by": "paging-2"}]
    ),
    "a new entry without source": op("update", new_name="fresh", new_body=BODY),
    "no targets": without("target_ids"),
    "targets that are no list": op("delete", "paging", target_ids="paging"),
    "a target that is no string": op("flag", "paging", target_ids=[7]),
    "an empty target": op("flag", ""),
    "an update of two": op("update", "paging", "outbox", new_body=BODY),
    "an update of nothing": op("update", "paging"),
    "a relink without links": op("relink", "paging"),
    "an unknown link": op("relink", "paging", links=["nobody"]),
    "a link to what was not shown": op("relink", "paging", links=["hidden"]),
    "links that are no list": op("relink", "paging", links="outbox"),
    "no confidence": without("confidence"),
    "confidence NaN": op("flag", "paging", confidence=math.nan),
    "confidence infinite": op("flag", "paging", confidence=math.inf),
    "confidence as text": op("flag", "paging", confidence="0.9"),
    "confidence true": op("flag", "paging", confidence=True),
    "confidence over one": op("flag", "paging", confidence=1.01),
    "confidence under zero": op("flag", "paging", confidence=-0.1),
    "confidence null": op("flag", "paging", confidence=None),
    "delete_source as text": op("update", "paging", new_name="x", delete_source="yes", new_body=BODY),
    "delete_source without a name": op("update", "paging", delete_source=True, new_body=BODY),
    "frontmatter that is no object": op("update", "paging", new_frontmatter="name: x", new_body=BODY),
    "metadata that is no object": op("update", "paging", new_frontmatter={"metadata": "x"}, new_body=BODY),
    "an unknown type": op("update", "paging", new_frontmatter={"metadata": {"type": "secret"}}, new_body=BODY),
    "a blank description": op("update", "paging", new_frontmatter={"description": " "}, new_body=BODY),
    "superseded without by": op("update", "paging", new_body=BODY, superseded=[{"text": "200"}]),
    "superseded with more": op("update", "paging", new_body=BODY, superseded=[{"text": "2", "by": "outbox", "x": 1}]),
    "a lone surrogate": op("update", "paging", new_body=BODY + "\ud800"),
    "a NUL": op("update", "paging", new_body=BODY + "\0"),
    "a rationale that is no text": op("flag", "paging", rationale=["x"]),
}


@pytest.mark.parametrize("case", sorted(MALFORMED))
def test_malformed_op_is_refused_and_the_good_one_beside_it_is_done(world: World, case: str) -> None:
    """Lost if wrong: bytes change for a plan that means nothing, or one bad op costs a paid plan."""
    world.write("hidden.md", "---\nname: hidden\n---\n\nNobody showed this.\n")
    world.hidden = ["hidden"]
    judged = world.judge(GOOD, MALFORMED[case], op("flag", "worker"))
    assert [verdict.status for verdict in judged.verdicts] == ["applied", "rejected", "applied"]
    bad = judged.verdicts[1]
    assert bad.reason and bad.index == 1
    assert set(after(judged)) == {"paging.md", "worker.md"}
    alone = world.judge(MALFORMED[case])
    assert not alone.changes and alone.verdicts[0].status == "rejected"


@pytest.mark.parametrize("plan", [None, "ops", {"ops": []}, 7])
def test_a_plan_that_is_no_list_is_one_refusal(plan: Any) -> None:
    """Lost if wrong: a reply of another shape raises in the worker, or is read as something."""
    (only,) = read_plan(plan)
    assert isinstance(only, Verdict) and only.status == "rejected" and only.kind == ""


def test_an_empty_plan_is_no_fault(world: World) -> None:
    """Lost if wrong: a model that finds nothing to do is a failure."""
    judged = world.judge()
    assert judged.verdicts == () and not judged.changes


@pytest.mark.parametrize(
    "name",
    ["../CLAUDE.md", "/etc/x", "..\\x", "a/../../b", "MEMORY.md", "memory", ".git/config", "CON.md", "aux", "x" * 300,
     "C:\\x", "~/x", "a\nb", ".hidden", "  ", "null", "a/.ssh/x", "\u2028"],
)  # fmt: skip
def test_names_that_are_paths_or_reserved_are_refused(world: World, name: str) -> None:
    """Lost if wrong: a file outside the memory directory, or MEMORY.md itself, is written."""
    verdict = world.one(op("update", "paging", new_name=name, new_body=BODY))
    assert (verdict.status, codes(verdict)) == ("rejected", ["malformed"])
    with pytest.raises(MalformedOp):
        read_op(op("update", "paging", new_name=name, new_body=BODY), 0)


@pytest.mark.parametrize("name", ["Paging v2", "CI/CD notes", "ページ送り", "🚀", "what's left?", "a.b"])
def test_names_of_people_are_names(name: str) -> None:
    """Lost if wrong: an honest rename is refused because of a slash or a script."""
    assert entry_name(name, "new_name") == name


def test_optional_fields_may_be_missing_and_idle_ones_are_ignored(world: World) -> None:
    """Lost if wrong: a terse model is refused; a flag with a body rewrites the entry."""
    judged = world.judge({"op": "flag", "target_ids": ["paging"], "confidence": 1})
    assert judged.verdicts[0].status == "applied"
    judged = world.judge(op("flag", "paging", new_body="Gone.", new_frontmatter={"description": "Gone"}, new_name="gone"))
    raw = after(judged)["paging.md"]
    assert raw is not None and PAGES.encode() in raw and b"Gone" not in raw


def test_ids_are_compared_by_form_and_case(world: World) -> None:
    """Lost if wrong: a target is refused because the model wrote é in one code point instead of two."""
    world.write("cafe.md", "---\nname: Cafe\u0301 hours\n---\n\nOpens at 9:00.\n")
    assert world.one(op("flag", "CAFÉ HOURS")).status == "applied"
    assert world.one(op("flag", "cafe.md")).status == "applied"
    assert world.one(op("flag", "outbox-EVENTS")).status == "applied"


def test_a_long_rationale_is_cut_not_refused(world: World) -> None:
    """Lost if wrong: a paid op is thrown away for being talkative."""
    verdict = world.one(op("flag", "paging", rationale="so " * 200))
    assert verdict.status == "applied" and len(verdict.rationale) == 240


def test_the_verdict_carries_the_op_as_it_came(world: World) -> None:
    """Lost if wrong: a parked op cannot be reviewed, because nobody knows what it was."""
    raw = op("update", "paging", new_body="")
    verdict = world.one(raw)
    assert verdict.raw == raw and verdict.targets == ("paging",) and verdict.kind == "update"
    assert verdict.confidence == 0.95 and verdict.rationale == "because"


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=10,
)


@given(JSON, st.sampled_from(sorted(op("flag"))))
def test_any_value_in_any_field_is_read_or_refused(value: Any, field: str) -> None:
    """Lost if wrong: one strange value raises and takes the whole dream with it."""
    for raw in (value, {**op("update", "paging", new_body=OUTBOX), field: value}):
        (read,) = read_plan([raw])
        assert isinstance(read, Op) or read.status == "rejected"
