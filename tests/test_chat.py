"""What is typed after ``/dream`` reaches the command line as words, and no shell at all."""

from __future__ import annotations

import sys
import time

import pytest

from agentops_dream import chat


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", ["run"]),
        ("  \n ", ["run"]),
        ("audit", ["run", "--audit"]),
        ("AUDIT --all", ["run", "--audit", "--all"]),
        ("run --all", ["run", "--all"]),
        ("Status", ["status"]),
        ("show 20260102T030405Z-ab12", ["show", "20260102T030405Z-ab12"]),
        ('unflag "a name with spaces"', ["unflag", "a name with spaces"]),
        ("unflag 日本語", ["unflag", "日本語"]),
        ("review --web", ["review", "--detach", "--web"]),
        ("review", ["review"]),
        ("help", ["--help"]),
        ("help undo", ["undo", "--help"]),
        ("it's", ["it's"]),
        ("$(touch x); audit", ["$(touch", "x);", "audit"]),
        ("`touch x` && y | z > w", ["`touch", "x`", "&&", "y", "|", "z", ">", "w"]),
        ("log\naudit", ["log", "audit"]),
    ],
)
def test_words_of_what_was_typed(typed: str, words: list[str]) -> None:
    assert chat.words_of(typed) == words


def test_the_client_fills_in_where_it_was_typed() -> None:
    asked = chat.read(b"/home/ada/a \"b\" $c\n/data folder\nshow\n'two words'\n")
    assert (asked.project, asked.data, asked.words) == ('/home/ada/a "b" $c', "/data folder", ["show", "two words"])


@pytest.mark.parametrize(
    "text", [b"", b"\n", b"${CLAUDE_PROJECT_DIR}\n${CLAUDE_PLUGIN_DATA}\n\n", b"\xff\n\x00\n"]
)
def test_what_the_client_did_not_fill_in_is_nothing(text: bytes) -> None:
    asked = chat.read(text)
    assert (asked.project, asked.data, asked.words) == ("", "", ["run"])


def test_all_that_a_command_says_is_relayed_whatever_its_exit_code() -> None:
    code = "import sys; print('out', flush=True); sys.stderr.write('err'); sys.exit(1)"
    assert chat.relay([sys.executable, "-c", code]) == "out\nerr\n"
    assert chat.relay([sys.executable, "-c", "import os; os._exit(7)"]) == "It ended with code 7.\n"


def test_a_dream_that_outlasts_the_client_s_shell_goes_on(tmp_path) -> None:
    """The client ends commands after two minutes; a call already paid for must not be lost with it."""
    done = tmp_path / "done"
    code = f"import time; print('begun', flush=True); time.sleep(1.5); open({str(done)!r}, 'w')"
    text = chat.relay([sys.executable, "-c", code], patience=0.5)
    assert text.startswith("begun\nStill at it")
    assert not done.exists()
    for _ in range(500):
        if done.exists():
            break
        time.sleep(0.02)
    assert done.exists()
