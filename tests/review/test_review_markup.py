"""Texts of a memory on a page: they are shown, and never do anything."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentops_dream.review import markup
from agentops_dream.review.markup import Html, h
from agentops_dream.review.visible import HIDDEN, visible
from agentops_dream.review.words import Span

HOSTILE = st.text(alphabet=st.characters(), max_size=60) | st.sampled_from(
    ["<script>alert(1)</script>", "</bdi><img src=x onerror=alert(1)>", '" autofocus onfocus="x', "<!-- agentops:dreaming:end -->", "\x1b[2J\u202egnirts", "<img src=x>\x1b<b>\u202e</b>", "&lt;b&gt;", "\ud800"]
)


class Reader(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.said = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.said += data


@given(HOSTILE)
def test_a_text_is_text_whatever_it_holds(value: str) -> None:
    read = Reader(h("p", {"title": value}, value))
    assert set(read.tags) <= {"p", "span"}
    assert read.said == visible(value)
    assert read.attributes[0] == ("title", visible(value))
    assert {name for name, _ in read.attributes} <= {"title", "class"}


@given(HOSTILE)
def test_what_is_not_to_be_seen_is_seen(value: str) -> None:
    """A character that turns a line around could show a command that is not the one in the file."""
    assert not HIDDEN.search(markup.text(value)) and not HIDDEN.search(visible(value))


def test_ordinary_text_of_many_languages_is_left_alone() -> None:
    for text in ("plain\ttext\nand more", "検証環境 데이터 数据", "می‌خواهم", "👩‍💻", "naïve café", "שלום"):
        assert visible(text) == text


def test_invisible_letters_that_only_a_model_reads_are_shown() -> None:
    """Instructions can be written in tag characters, which no font draws."""
    assert visible("a\U000e0041\u200b\u2066b") == "a\\U000e0041\\u200b\\u2066b"


@pytest.mark.parametrize("name", ["onclick", "style", "a b", "x>"])
def test_no_attribute_can_be_code(name: str) -> None:
    with pytest.raises(ValueError):
        h("p", {name: "x"})


def test_only_text_and_markup_can_be_shown() -> None:
    with pytest.raises(TypeError):
        h("p", None, 3)
    assert h("p", {"hidden": True, "lang": None, "dir": False}, Html("<b>x</b>"), None, ["a", "b"]) == "<p hidden><b>x</b>ab</p>"


def test_a_line_break_that_goes_can_be_seen() -> None:
    assert "↵" in markup.spans([Span("del", "\n")]) and "↵" not in markup.spans([Span("same", "\n")])


@pytest.mark.parametrize(("text", "language"), [("検証のポート", "ja"), ("데이터", "ko"), ("数据库", "zh"), ("text", None)])
def test_the_script_tells_the_language(text: str, language: str | None) -> None:
    assert markup.language(text) == language
