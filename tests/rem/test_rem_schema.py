"""The op format. Too lenient lets junk through to the store's judge, too strict throws good ops away."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from agentops_dream.rem.schema import client_schema, strict_schema, validate_op

FULL: dict[str, Any] = {
    "op": "merge",
    "target_ids": ["a", "b"],
    "new_name": None,
    "delete_source": False,
    "new_frontmatter": {"name": "a", "description": "d", "metadata": {"type": "project"}},
    "new_body": "text",
    "links": ["c"],
    "superseded": [{"text": "8 s", "by": "b"}],
    "confidence": 1,
    "rationale": "why",
}


def without(*names: str) -> dict[str, Any]:
    return {key: value for key, value in FULL.items() if key not in names}


@pytest.mark.parametrize(
    "op",
    [
        FULL,
        without(
            "new_name", "delete_source", "new_frontmatter", "new_body", "links", "superseded", "rationale"
        ),
        {**FULL, "new_frontmatter": None, "new_body": None},
        {**FULL, "new_frontmatter": {}},
        {**FULL, "confidence": 0},
        {**FULL, "rationale": "x" * 500},
        {**FULL, "new_body": ""},
    ],
)
def test_well_formed_ops_pass(op: dict[str, Any]) -> None:
    assert validate_op(op) is None


@pytest.mark.parametrize(
    ("op", "words"),
    [
        (None, "null"),
        ([FULL], "a list"),
        ({}, "lacks op, target_ids, confidence"),
        (without("confidence"), "lacks confidence"),
        ({**FULL, "op": "explode"}, "unknown op: explode"),
        ({**FULL, "op": "EXPLODE\n" + "x" * 500}, "unknown op: EXPLODE x"),
        ({**FULL, "path": "/etc"}, "unknown field: path"),
        ({**FULL, "target_ids": "a"}, "target_ids is a string"),
        ({**FULL, "target_ids": []}, "no target"),
        ({**FULL, "target_ids": ["a", "a"]}, "twice"),
        ({**FULL, "target_ids": ["a", " "]}, "blank"),
        ({**FULL, "target_ids": ["a", 1]}, "target_ids.1 is a number"),
        ({**FULL, "new_body": 42}, "new_body is a number"),
        ({**FULL, "new_body": ["text"]}, "new_body is a list"),
        ({**FULL, "new_name": False}, "new_name is true or false"),
        ({**FULL, "new_frontmatter": "name: a"}, "new_frontmatter is a string"),
        ({**FULL, "new_frontmatter": {"description": 5}}, "new_frontmatter.description is a number"),
        ({**FULL, "new_frontmatter": {"source_files": ["x"]}}, "unknown field: source_files"),
        ({**FULL, "new_frontmatter": {"metadata": {"grounding": "x"}}}, "unknown field: grounding"),
        ({**FULL, "superseded": [{"text": "8 s"}]}, "superseded.0 lacks by"),
        ({**FULL, "superseded": ["8 s"]}, "superseded.0 is a string"),
        ({**FULL, "links": None}, "links is null"),
        ({**FULL, "delete_source": "yes"}, "delete_source is a string"),
        ({**FULL, "confidence": "0.9"}, "confidence is a string"),
        ({**FULL, "confidence": True}, "confidence is true or false"),
        ({**FULL, "confidence": None}, "confidence is null"),
        ({**FULL, "confidence": 95}, "from 0 to 1"),
        ({**FULL, "confidence": -0.1}, "from 0 to 1"),
        ({**FULL, "confidence": float("nan")}, "from 0 to 1"),
        ({**FULL, "confidence": float("inf")}, "from 0 to 1"),
    ],
)
def test_what_is_wrong_is_said_in_a_few_words(op: Any, words: str) -> None:
    said = validate_op(op)
    assert said is not None and words in said and len(said) < 200 and "\n" not in said


def test_a_complaint_repeats_no_text_of_an_entry() -> None:
    """It goes to logs; the text may be private."""
    private = "the text of somebody's diary"
    for field in ("new_body", "new_frontmatter", "links", "superseded"):
        assert private not in (validate_op({**FULL, field: [private, 1, {private: 1}][::-1]}) or "")


def test_a_client_that_checks_afterwards_lets_single_bad_ops_through() -> None:
    """Else one bad op costs a second call, and after that the whole plan."""
    reply = {"ops": [FULL, None, {"op": "explode"}], "summary": ""}
    jsonschema.Draft202012Validator(client_schema()).validate(reply)
    for bad in ({"ops": {}, "summary": ""}, {"summary": ""}, {"ops": [], "summary": "", "more": 1}, [], None):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(client_schema()).validate(bad)


def test_the_schema_uses_only_what_every_client_and_the_api_take() -> None:
    """2.1.332 refuses ``$schema``, 2.1.197 then ignores the schema; the API refuses ranges and lengths."""
    words = {
        "type",
        "properties",
        "items",
        "anyOf",
        "enum",
        "required",
        "additionalProperties",
        "description",
    }

    def check(schema: Any) -> None:
        assert set(schema) <= words
        assert schema.get("type") != "object" or schema["additionalProperties"] is False
        for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
            check(inner)
        if "items" in schema:
            check(schema["items"])

    check(strict_schema())
    check(client_schema())


def test_nobody_can_change_the_schema_for_the_next() -> None:
    strict_schema()["properties"].clear()
    assert "ops" in strict_schema()["properties"]
