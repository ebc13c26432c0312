"""From a reply to its ops. An error message must never become a plan, and a plan never be lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentops_dream.rem.errors import RemError
from agentops_dream.rem.jsontext import BROKEN
from agentops_dream.rem.parse import parse
from agentops_dream.rem.schema import validate_op

FLAG = {"op": "flag", "target_ids": ["a"], "confidence": 0.9, "rationale": "old"}
PLAN = {"ops": [FLAG], "summary": "flagged one"}
OTHER = {"ops": [{"op": "delete", "target_ids": ["b"], "confidence": 1.0}], "summary": "deleted one"}
SHOWN = ("a", "b")


def read(text: str) -> tuple[Any, ...]:
    return parse(None, text, SHOWN).ops


def refused(text: str, structured: Any = None) -> str:
    with pytest.raises(RemError) as caught:
        parse(structured, text, SHOWN)
    return caught.value.kind


bodies = st.text(st.sampled_from('{}[]"\\`\n:,#é日😀 a1'), max_size=30)
ops = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["update", "merge", "delete", "relink", "flag"]),
        "target_ids": st.lists(st.sampled_from(SHOWN), min_size=1, max_size=2, unique=True),
        "confidence": st.floats(0, 1),
        "new_body": st.none() | bodies,
        "rationale": bodies,
    }
)
plans = st.fixed_dictionaries({"ops": st.lists(ops, max_size=3), "summary": st.just("done")})
noise = st.lists(
    st.sampled_from(
        [
            "Sure {about travel}: ",
            "```json\n",
            "```\n",
            "{}",
            "[1, 2] ",
            '{"a": 1} ',
            '"quoted {brace}" ',
            "} ]",
            "日本語。",
            "\n\n",
        ]
    )
    | st.text(st.characters(exclude_characters='"', exclude_categories=("Cs",)), max_size=12),
    max_size=5,
).map("".join)


@given(noise, plans, noise, st.booleans(), st.sampled_from([None, 1]))
def test_any_plan_is_found_in_noisy_prose(
    before: str, plan: dict[str, Any], after: str, ascii_: bool, indent: int | None
) -> None:
    text = json.dumps(plan, ensure_ascii=ascii_, indent=indent)
    assert read(before + text + after) == tuple(plan["ops"])


@given(st.text(st.sampled_from('{}[]":,ops summary\\n0 true'), max_size=60) | st.text(max_size=60))
def test_random_text_never_gives_ops(text: str) -> None:
    try:
        assert read(text) == ()
        assert "ops" in text
    except RemError as error:
        assert error.kind in ("empty", "malformed", "truncated")


@given(plans, st.data())
def test_a_truncated_plan_is_a_failure_though_its_first_ops_are_whole(
    plan: dict[str, Any], data: st.DataObject
) -> None:
    text = json.dumps(plan)
    cut = data.draw(st.integers(1, len(text) - 1))
    assert refused(text[:cut]) in ("truncated", "malformed")
    if cut > len('{"ops": '):
        assert refused("Here it is:\n```json\n" + text[:cut]) == "truncated"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("null", "malformed"),
        ("I looked at everything and it is fine.", "malformed"),
        ("[]", "malformed"),
        (json.dumps([FLAG]), "malformed"),
        ("{}", "malformed"),
        ('{"ops": null, "summary": ""}', "malformed"),
        ('{"ops": {"op": "delete"}}', "malformed"),
        ('{"ops": "[]"}', "malformed"),
        ('{"ops": [], "ops": []}', "malformed"),
        ("Invalid API key · Please run /login", "malformed"),
        ('{"type": "error", "error": {"message": "overloaded"}}', "malformed"),
        (json.dumps({"answer": PLAN}), "malformed"),
        ('{"ops": [{"new_body": "a raw\nline break"}]}', "malformed"),
        ('{"ops": [{"op"', "truncated"),
        ('{"op', "truncated"),
    ],
)
def test_what_is_no_plan_is_refused(text: str, kind: str) -> None:
    assert refused(text) == kind


@pytest.mark.parametrize("structured", [[], "text", {}, {"ops": None}, {"ops": {}}, {"ops": "[]"}, 0, False])
def test_structured_output_of_another_shape_is_refused_and_the_text_not_asked(structured: Any) -> None:
    assert refused(json.dumps(PLAN), structured) == "malformed"


def test_structured_output_counts_before_the_text() -> None:
    assert parse(PLAN, json.dumps(OTHER), SHOWN).ops == (FLAG,)


def test_bad_ops_travel_with_the_good_ones() -> None:
    """One bad op must not throw away a plan that was paid for."""
    mixed = [None, "delete everything", 7, FLAG, {"op": "explode"}, []]
    assert parse({"ops": mixed}, "", SHOWN).ops == tuple(mixed)
    assert [validate_op(op) is None for op in mixed] == [False, False, False, True, False, False]


def test_broken_json_inside_one_op_spoils_only_that_one() -> None:
    text = (
        '{"ops": [{"op": "flag", "op": "delete", "target_ids": ["a"], "confidence": 1}, %s], "summary": ""}'
    )
    spoilt, good = read(text % json.dumps(FLAG))
    assert good == FLAG and any(key.startswith(BROKEN) for key in spoilt)
    assert "given twice" in (validate_op(spoilt) or "")


class TestSeveralPlans:
    """The last one counts if all before it are examples; anything else is refused."""

    def test_the_same_twice_is_one(self) -> None:
        assert read(f"{json.dumps(PLAN)}\nAgain: {json.dumps(PLAN)}") == (FLAG,)

    @pytest.mark.parametrize(
        "example",
        [
            '{"ops": []}',
            '{"ops": [{"op": "merge", "target_ids": ["…"], "confidence": 0.9}]}',
            '{"ops": [{"op": "what"}]}',
            '{"merges": []}',
        ],
    )
    def test_an_example_in_a_fence_comes_first(self, example: str) -> None:
        assert read(f"The form:\n```json\n{example}\n```\nMy plan:\n```json\n{json.dumps(PLAN)}\n```") == (
            FLAG,
        )

    def test_a_quoted_instruction_after_the_answer_is_not_carried_out(self) -> None:
        text = f"{json.dumps(PLAN)}\nAn entry told me to answer {json.dumps(OTHER)}, which I did not."
        assert refused(text) == "malformed"

    def test_two_real_plans_are_refused(self) -> None:
        assert refused(json.dumps(OTHER) + json.dumps(PLAN)) == "malformed"

    def test_a_real_plan_before_an_empty_one_is_refused(self) -> None:
        assert refused(json.dumps(PLAN) + '{"ops": []}') == "malformed"


def test_a_summary_is_one_short_line() -> None:
    summary = parse({"ops": [], "summary": "two\nlines \u2028 and " + "x" * 500}, "", ()).summary
    assert "\n" not in summary and "\u2028" not in summary and len(summary) == 300
    assert parse({"ops": [], "summary": 7}, "", ()).summary == ""
