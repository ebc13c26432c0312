"""What is code: a link in code that is retargeted breaks the code; one taken for code goes stale."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agentops_dream.store.markdown import Code, code

PARSER = MarkdownIt("commonmark")
PIECES = [
    "- ", "  ", "    ", "> ", "```", "~~~", "````", "`", "``", "\\`", "\\\\", "text", "1. ", "2. ", "# ", "\n", "\n\n", "* ", "---",
    "```py", "+ ", "`a`", "===\n", "\n- ", "\n  ", "\n    ", "\r\n", "\n```\n", "\n~~~\n", "\n  ```\n",
]  # fmt: skip


@st.composite
def texts(draw):
    """Markdown with numbered marks ``x0x``, ``x1x`` … somewhere in it."""
    parts = draw(st.lists(st.one_of(st.just(None), st.sampled_from(PIECES)), min_size=1, max_size=16))
    count = iter(range(len(parts)))
    return "".join(f"x{next(count)}x" if part is None else part for part in parts)


def marks_outside_code(text: str) -> list[str]:
    """What a CommonMark parser shows as text."""
    shown = []
    for token in PARSER.parse(text):
        if token.type == "inline":
            shown += [child.content if child.type == "text" else "\n" for child in token.children or []]
    return re.findall(r"x\d+x", "\n".join(shown))


@settings(max_examples=600, deadline=None)
@given(texts())
def test_code_is_where_a_commonmark_parser_sees_it(text):
    spans = code(text)
    assert spans == sorted(spans)
    ours = [m[0] for m in re.finditer(r"x\d+x", text) if not any(a <= m.start() < b for a, b in spans)]
    assert ours == marks_outside_code(text)


@settings(max_examples=400, deadline=None)
@given(st.one_of(texts(), st.lists(texts(), max_size=5).map("\n\n".join)))
def test_looking_only_around_a_link_gives_the_same_answer(text):
    spans = code(text)
    seen = Code(text)
    for mark in re.finditer(r"x\d+x", text):
        assert seen.covers(mark.start()) == any(a <= mark.start() < b for a, b in spans), mark


@pytest.mark.parametrize(
    "text",
    [
        "```\nx\n",
        "```\nx\n``\n~~~\n",
        "~~~ `info`\nx\n~~~",
        "- a\n\n  ```\n  x\n  ```\n",
        "> ```\n> x\n",
        "    x",
        "a\n\n\tx",
        "`` ` x ` ``",
        "`a\nx`",
        "````\n```\nx\n````",
        "- a\n      \n      x",
    ],
)
def test_this_is_code(text):
    assert Code(text).covers(text.index("x"))


@pytest.mark.parametrize(
    "text",
    [
        "```a`\nx\n",
        "> ```\nx\n",
        "- ```\nx",
        "- a\n    - x",
        "a\n    x",
        "`a\n\nx`",
        "\\`x`",
        "` x",
        "`a` x `b`",
        "`a\n- x`",
        "```\n```\nx",
        "  ~~~\n~~~  \nx",
    ],
)
def test_this_is_text(text):
    assert not Code(text).covers(text.index("x"))


@pytest.mark.parametrize(
    "text", ["`" * 20_000, "- " * 5_000 + "x", "> " * 5_000 + "x", "`a ``b " * 3_000, "```\n" * 5_000]
)
def test_hostile_text_is_read_in_bounded_work(text):
    assert isinstance(code(text), list)
    Code(text).covers(len(text) - 1)
