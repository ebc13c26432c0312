"""One line at session start: seen once by the user, never by the model, never in the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hook_wall import PAYLOAD, Wall


@pytest.fixture
def wall(tmp_path: Path) -> Wall:
    return Wall(tmp_path)


def start(wall: Wall, **more: str) -> str:
    done = wall.hook("SessionStart", {**PAYLOAD, "hook_event_name": "SessionStart", "source": "startup"}, env=more)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_the_notice_is_shown_once_and_to_the_user_only(wall: Wall) -> None:
    wall.write_state("notice.json", {"text": "Dreamt: 夢 \"2\" changes"})
    assert json.loads(start(wall)) == {"systemMessage": "Dreamt: 夢 \"2\" changes"}
    assert start(wall) == ""


def test_no_notice_no_output(wall: Wall) -> None:
    assert start(wall) == ""


@pytest.mark.parametrize("name", ["AGENTOPS_DREAM_NOTIFY", "AGENTOPS_DREAM_DISABLE", "AGENTOPS_DREAM_CHILD"])
def test_nobody_is_told_who_does_not_want_to_know(wall: Wall, name: str) -> None:
    wall.write_state("notice.json", {"text": "Dreamt"})
    assert start(wall, **{name: "0" if name.endswith("NOTIFY") else "1"}) == ""
    assert json.loads(start(wall))["systemMessage"] == "Dreamt"


@pytest.mark.parametrize("value", ["", "{", "[]", {"text": 5}, {"text": ""}, {}, "\x00"])
def test_a_broken_notice_is_no_notice(wall: Wall, value: object) -> None:
    wall.write_state("notice.json", value)
    assert start(wall) == ""


def test_a_notice_is_one_short_printable_line(wall: Wall) -> None:
    """It may repeat names from files; none of them may play with the terminal."""
    wall.write_state("notice.json", {"text": "a\nb\x1b[31m\u202ec" + "x" * 1000})
    text = json.loads(start(wall))["systemMessage"]
    assert text.startswith("a b[31mcx")
    assert len(text) == 400


def test_a_notice_that_cannot_be_taken_away_is_not_shown_for_ever(wall: Wall) -> None:
    """Here: a folder in its place, which cannot be removed like a file."""
    (wall.state / "notice.json").mkdir(parents=True)
    assert start(wall) == ""
