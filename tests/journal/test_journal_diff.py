"""A receipt's diff, applied to the file before the dream, gives the file after it: every byte of it."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agentops_dream.journal.diff import NO_NEWLINE, unified


def apply(before, text):
    """Apply a unified diff to bytes, as the format is defined; no tool that might repair something."""
    lines = (before or b"").decode("utf-8", "surrogateescape").split("\n")
    old = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    out, at = [], 0
    rows = text.split("\n")
    assert rows.pop() == ""
    rows = [row + "\n" for row in rows]
    for number in range(len(rows) - 1, -1, -1):
        if rows[number].rstrip("\n") == NO_NEWLINE:
            del rows[number]
            rows[number - 1] = rows[number - 1][:-1]
    for row in rows[2:]:
        sign, rest = row[0], row[1:]
        if sign == "@":
            start = int(rest.split("-")[1].split(" ")[0].split(",")[0])
            count = rest.split("-")[1].split(" ")[0].partition(",")[2]
            start = start if count == "0" else start - 1
            out += old[at:start]
            at = start
        elif sign == " ":
            assert old[at] == rest
            out.append(rest)
            at += 1
        elif sign == "-":
            assert old[at] == rest
            at += 1
        else:
            out.append(rest)
    return "".join(out + old[at:]).encode("utf-8", "surrogateescape")


LINES = st.sampled_from(["a", "b", "same", "", "- x", "+++ y", "--- z", "@@ -1 +1 @@", "\\ No", "日本", "a\rb", "\u2028"])
ENDS = st.sampled_from(["\n", "\r\n", "\n", ""])
FILES = st.lists(st.tuples(LINES, ENDS), max_size=30).map(lambda rows: "".join(map("".join, rows)).encode())


@settings(max_examples=300, deadline=None)
@given(FILES | st.binary(max_size=60), FILES | st.binary(max_size=60))
@example(b"a\r\nb\r\n", b"a\nb\r\n")
@example(b"a", b"a\n")
@example(b"a\n", b"a")
@example(b"\xff\xfe", b"\xff\n")
@example(b"", b"\n")
def test_applying_it_gives_the_new_bytes(before, after):
    text = unified(before, after, "memory/a.md")
    assert (text == "") == (before == after)
    if text:
        assert apply(before, text) == after


CASES = {
    "crlf": (b"one\r\ntwo\r\n", b"one\r\nTWO\r\n"),
    "newline lost": (b"one\ntwo\n", b"one\ntwo"),
    "newline gained": (b"one\ntwo", b"one\ntwo\n"),
    "both without": (b"one\ntwo", b"one\nzwei"),
    "made": (None, b"new\r\nfile"),
    "removed": (b"old\nfile", None),
    "line that looks like a header": (b"-- x\n", b"++ y\n"),
    "japanese": ("古い\n".encode(), "新しい\n".encode()),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ["a.md", "with space.md", "日本語.md", 'quo"te.md', "sub/é.md"])
def test_git_applies_it(tmp_path, case, name):
    """People will feed it to the tool they know."""
    before, after = CASES[case]
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if before is not None:
        path.write_bytes(before)
    patch = unified(before, after, name).encode("utf-8", "surrogateescape")
    env = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path.parent), "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/"}
    git = shutil.which("git")
    assert git, "git is needed to check that diffs are what it reads"
    subprocess.run([git, "apply", "--whitespace=nowarn", "-"], input=patch, cwd=tmp_path, env=env, check=True)
    assert (path.read_bytes() if path.exists() else None) == after


def test_an_empty_file_made_or_removed_is_seen():
    assert unified(None, b"", "memory/a.md") == "--- /dev/null\n+++ b/memory/a.md\n"
    assert unified(b"", None, "memory/a.md") == "--- a/memory/a.md\n+++ /dev/null\n"


def test_a_name_cannot_forge_a_line():
    text = unified(b"a\n", b"b\n", "memory/x\n+++ b/etc/passwd")
    assert text.splitlines()[0] == r'--- "a/memory/x\n+++ b/etc/passwd"' and len(text.splitlines()) == 5
