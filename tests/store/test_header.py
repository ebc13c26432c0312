"""The fast header reader and YAML say the same, or a field means one thing today and another tomorrow."""

from __future__ import annotations

import pytest
import store_strategies as shapes
from hypothesis import given, settings
from hypothesis import strategies as st

from agentops_dream.store import header
from agentops_dream.store.nodes import YamlFault, plain, read_yaml

KEYS = st.sampled_from(["name", "description", "type", "metadata", "tags", "own-key", "yes", "_x", "null"])
VALUES = st.one_of(
    st.sampled_from(shapes.HARD_VALUES),
    st.sampled_from(
        [
            "",
            " ",
            '"quoted"',
            "'single'",
            '"a" b',
            "'a'b'",
            '"back\\\\slash"',
            "[a, b]",
            "[]",
            "[ a,b ]",
            "[a b, ]",
            "[1]",
        ]
    ),
    st.text(" :#-?,[]{}&*!|>'\"%@`\\abé漢=~0.", max_size=8),
)
LINES = st.one_of(
    st.tuples(st.sampled_from(["", "", "  ", "    "]), KEYS, st.sampled_from([": ", ":", ":  "]), VALUES).map(
        "".join
    ),
    st.tuples(st.sampled_from(["- ", "  - ", "-", "  -   "]), VALUES).map("".join),
)


@settings(max_examples=500, deadline=None)
@given(st.lists(LINES, max_size=5), st.sampled_from(["\n", "\r\n"]))
def test_whatever_the_fast_reader_accepts_yaml_reads_the_same_way(lines, end):
    text = "".join(line + end for line in lines)
    fields = header.scan(text)
    if fields is not None:
        root = read_yaml(text)
        assert root is not None and plain(root) == fields
        slow = header._read_slowly(text)
        assert slow is not None and slow.fields == fields and slow.valid and not slow.warnings


@settings(max_examples=100, deadline=None)
@given(shapes.headers(sound=True))
def test_common_headers_agree_in_both_readers(text):
    fields = header.scan(text)
    slow = header._read_slowly(text)
    assert fields is None or (slow is not None and slow.fields == fields)


@pytest.mark.parametrize(
    "text",
    [
        'name: deploy-notes\ndescription: "What: it does # here"\nmetadata: \n  node_type: memory\n  type: user\n',
        "name: Deploy Notes\r\ndescription: 本番の設定\r\ntype: project\r\n",
        "name: ''\ntags: [a, b-c, d.md]\nrelates_to:\n- b.md\n- c d\nown:\n  - 漢\ntype: 'x'\n",
    ],
)
def test_the_common_shapes_take_the_fast_way(text):
    """Ten thousand entries through a YAML parser would use up the whole budget of light sleep."""
    fields = header.scan(text)
    root = read_yaml(text)
    assert fields is not None and root is not None and plain(root) == fields


@pytest.mark.parametrize(
    "text",
    [
        "a:\n  b: c\n    d: e\n",
        "a:\n    b: c\n  d: e\n",
        "a:\n  - b\n    - c\n",
        "a: b\n  c: d\n",
        "a: b\n- c\n",
        "a:\n- b\n  c: d\n",
        "- a\n",
        "a: b\na: c\n",
        "a: b: c\n",
        "a: b # c\n",
        "a: 'it''s'\n",
        'a: "\\n"\n',
        "a: b\n\nc: d\n",
        "a: b\tc\n",
        "a: \u2028\n",
        "a: [b, [c]]\n",
        "a:b\n",
        "",
    ],
)
def test_what_is_not_simple_is_left_to_yaml(text):
    assert header.scan(text) is None


@settings(max_examples=300, deadline=None)
@given(st.text("ab:-#[]{}&*!|>'\"%\n \t", max_size=40))
def test_no_header_text_makes_the_reader_fail(text):
    found = header.read(text)
    if found is not None and found.valid and text.strip():
        root = read_yaml(text)
        assert root is not None and plain(root) == found.fields


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcdef"), shapes.hard_values()),
        min_size=1,
        max_size=5,
        unique_by=lambda p: p[0],
    )
)
def test_one_broken_line_does_not_change_how_the_others_are_read(pairs):
    from agentops_dream.store.scalars import double_quoted

    sound = "".join(f"{key}: {double_quoted(value)}\n" for key, value in pairs)
    found = header.read("name: an: unquoted colon\n" + sound)
    assert found is not None and not found.valid and len(found.warnings) == 1
    assert found.fields == {"name": "an: unquoted colon", **dict(pairs)}


def test_faults_are_named_for_a_person():
    with pytest.raises(YamlFault, match="no anchor"):
        read_yaml("a: *b\n")
    with pytest.raises(YamlFault, match="more than one"):
        read_yaml("a: b\n--- \nc: d\n")
    with pytest.raises(YamlFault, match="nested too deeply"):
        read_yaml("a: " + "[" * 100 + "]" * 100)
