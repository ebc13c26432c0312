"""JSON in prose. If this room errs, a good reply is thrown away or a stranger's text becomes a plan."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentops_dream.rem.jsontext import BROKEN, DEEPEST, loads, mend, objects

WANTED = re.compile(r'\{\s*"ops"\s*:')

texts = st.text(st.characters(exclude_categories=()), max_size=20)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def found(text: str) -> list[tuple[str, str]]:
    return [(item.state, text[item.start : item.end]) for item in objects(text, WANTED)]


@given(
    st.dictionaries(texts, json_values, min_size=1, max_size=5), st.booleans(), st.sampled_from([None, 0, 2])
)
def test_an_object_is_found_whole_whatever_its_strings_hold(
    value: dict[str, Any], ascii_: bool, indent: int | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_, indent=indent)
    assert found(f"Sure {{about travel}}: {text} done }} {{") == [("whole", text)]


@given(st.dictionaries(texts, json_values, min_size=1, max_size=5), st.data())
def test_an_object_without_its_end_is_never_whole(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(1, len(text) - 1))
    assert not any(piece == text[:cut] for state, piece in found(text[:cut]) if state == "whole")
    first = next(iter(objects(text[:cut], WANTED)), None)
    if re.match(r'\{"(?:[^"\\]|\\.)*": .', text[:cut]):
        assert first is not None and (first.state, first.start) == ("cut", 0)


@given(st.text(alphabet='{}[]":,\\ntrue0123.eE- \n', max_size=60))
@example('{"a": 01}')
@example('{"a": "\n"}')
@example('{"a": tru')
@example('{"a": 1.}')
@example("{,}")
@example('{"a" 1}')
@example('{"a": [1,]}')
@example('{"a": {]}')
def test_what_is_whole_is_what_a_strict_reader_reads(text: str) -> None:
    for state, piece in found(text):
        if state == "whole":
            assert isinstance(json.loads(piece), dict)


def test_a_broken_reply_is_not_searched_for_smaller_ones() -> None:
    """Quotes left unescaped in a body: the object inside them belongs to the body."""
    inside = '{"ops": [{"new_body": "use {"ops": []} here"}]}'
    assert found(inside) == [("broken", inside)]
    assert found('The form is {"ops": [...]}: {"ops": []}') == [
        ("broken", '{"ops": [...]}'),
        ("whole", '{"ops": []}'),
    ]


def test_nesting_without_end_is_refused_in_time() -> None:
    bomb = '{"a":' * 200_000
    assert found(bomb) == [("broken", bomb)]
    assert found('{"a":' * DEEPEST + "1" + "}" * DEEPEST)[0][0] == "whole"
    with pytest.raises(ValueError):
        loads("[" * 300_000 + "]" * 300_000)


def test_numbers_beyond_sense_do_not_stop_the_reading() -> None:
    assert loads('{"a": ' + "9" * 5000 + "}") == {"a": float("inf")}


def test_a_key_given_twice_is_told() -> None:
    value = loads('{"op": "flag", "op": "delete"}')
    assert any(key.startswith(BROKEN) and "'op'" in key for key in value)


@pytest.mark.parametrize(
    "text",
    [
        '{"confidence": NaN}',
        '{"confidence": -Infinity}',
        '{"confidence": 1e999}',
        '{"new_body": "half \\ud83d of it"}',
        '{"new_frontmatter": {"name": "a", "name": "b"}}',
        '{"\\udc00": 1}',
        '"\\ud800"',
        '{"a": ' + "[" * 100 + "]" * 100 + "}",
    ],
)
def test_what_cannot_be_stored_is_mended_and_marked(text: str) -> None:
    """A receipt that cannot be written would hide what the model did."""
    value = mend(loads(text))
    json.dumps(value, allow_nan=False, ensure_ascii=False).encode("utf-8")
    assert isinstance(value, dict) and any(key.startswith(BROKEN) for key in value)


@given(json_values)
def test_sound_values_pass_unchanged(value: Any) -> None:
    text = json.dumps(value)
    if "\\ud" not in text:
        assert mend(loads(text)) == value
