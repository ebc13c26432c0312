"""Hypothesis strategies for memory stores as people and clients really leave them.

``stores()`` draws whole directories (path -> bytes, ``MEMORY.md`` among them), ``entry_files()`` single files,
``documents()`` files whose frontmatter is sound YAML, ``hard_values()`` text that is difficult to write.
Shapes: both generations and mixtures; names with blanks, CJK, emoji, empty ones; YAML that does not parse;
`` #``; BOM, CRLF, mixed line ends; own keys at the top and under ``metadata``; lists, block scalars, quotes,
comments, anchors, double keys; rules and unbalanced fences in bodies; folders and odd file names.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hypothesis import strategies as st

from agentops_dream.models import Entry
from agentops_dream.store.document import NotText
from agentops_dream.store.entry import read_entry
from agentops_dream.store.memory import with_ids

BOM = b"\xef\xbb\xbf"

HARD_VALUES = [
    "Use when X. Steps: a, b, c",
    "Root cause: the server died",
    "proven pattern for #123 retirements",
    "#977 follow-up",
    '"Quoted" first word',
    "'single' first",
    "`code` first",
    "[WIP] not a list",
    "{braces} first",
    "@mention",
    "- dash",
    "-dash",
    "? question",
    "!bang",
    "&anchor",
    "*star*",
    "%percent",
    "| pipe",
    "> fold",
    "= equals",
    "<<",
    "~",
    "ends with colon:",
    "a:b",
    "a: ",
    "two\nlines",
    "three\n\nlines\n",
    "tab\there",
    "line\u2028separator",
    "next\u0085line",
    "nul\x00 bell\x07 del\x7f",
    "rocket 🚀 family 👨\u200d👩\u200d👧",
    "\ufeffbom inside",
    "full\u3000width",
    "no\u00a0break",
    "back\\slash \\n not a newline",
    " leading",
    "trailing ",
    "  ",
    "",
    "---",
    "--- a",
    "...",
    "2026-06-03",
    "2026-07-28T17:50:02.540Z",
    "404",
    "1.0",
    "1e3",
    "0x1F",
    "12:30",
    "yes",
    "No",
    "true",
    "null",
    "Null",
    ".inf",
    "+1",
    "1_000",
    "設定: 本番 #3",
    "배포 설정",
    "Проверка: да",
    "a, b, [c], {d}",
    "it's",
    'say "hi"',
    "x" * 300,
    "한글" * 90 + " #1: x",
]

WORDS = [
    "deploy",
    "cache",
    "timeout",
    "8080",
    "the",
    "staging",
    "本番",
    "設定",
    "배포",
    "проверка",
    "für",
    "🚀",
    "`make build`",
    "v1.2.3",
    "never",
    "不要",
    "e\u0301clair",
]


def hard_values() -> st.SearchStrategy[str]:
    """Text for one field: the known difficult ones and whatever UTF-8 can hold."""
    return st.one_of(
        st.sampled_from(HARD_VALUES),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
        st.text(" :#-?,[]{}&*!|>'\"%@`\\\n\taé漢🚀.~=0", max_size=12),
    )


def phrases() -> st.SearchStrategy[str]:
    """A line of ordinary words."""
    return st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)


def names() -> st.SearchStrategy[str]:
    """What stands in ``name``: slugs, titles, other scripts, emoji, odd values, nothing."""
    return st.one_of(
        st.sampled_from(
            ["deploy-notes", "Deploy Notes", "deploy_notes", "Deploy notes", "設定メモ", "🚀", "", "404"]
        ),
        st.sampled_from(
            ["2026-06-03", "yes", "null", "a --- b", "Human Title", "e\u0301", "\u00e9", "x/y: z"]
        ),
        phrases(),
    )


# ---------------------------------------------------------------- frontmatter


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _single(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _one_line(text: str) -> str:
    return " ".join(text.split())


@st.composite
def sound_scalars(draw: st.DrawFn) -> str:
    """A value as a careful author writes it: valid YAML, on one line."""
    text = _one_line(draw(phrases()))
    return draw(st.sampled_from([_quoted, _single, lambda t: t.lstrip("`"), lambda t: t.lstrip("`")]))(text)


@st.composite
def raw_values(draw: st.DrawFn, indent: str = "") -> str:
    """Whatever follows ``key:``, further lines included; often no valid YAML."""
    text = draw(st.one_of(phrases(), st.sampled_from(HARD_VALUES)))
    line = _one_line(text)
    kind = draw(st.integers(0, 11))
    deeper = "\n" + indent + "  "
    if kind == 0:
        return " " + _quoted(line)
    if kind == 1:
        return " " + _single(line) + "  # a comment"
    if kind == 2:
        return " |" + draw(st.sampled_from(["", "-", "+"])) + deeper + (deeper.join(text.splitlines()) or "x")
    if kind == 3:
        return " >" + deeper + line + deeper + "more"
    if kind == 4:
        return " " + line + deeper + "continued"
    if kind == 5:
        return (
            " ["
            + ", ".join(draw(st.lists(st.sampled_from(["a", "b-c", '"x, y"', "b.md", "漢"]), max_size=3)))
            + "]"
        )
    if kind == 6:
        item = deeper + "- " if draw(st.booleans()) else "\n" + indent + "- "
        return "".join(item + _one_line(draw(phrases())) for _ in range(draw(st.integers(1, 3))))
    if kind == 7:
        return draw(
            st.sampled_from(["", " ", " # only a comment", " #977", " ~", " *x", " &x y", " !!str 404"])
        )
    if kind == 8:
        return " " + line + " " * draw(st.integers(0, 3))
    return " " + line


@st.composite
def headers(draw: st.DrawFn, *, sound: bool = False) -> str:
    """Frontmatter lines. ``sound``: YAML that parses, without anchors and double keys."""

    def value(indent: str = "") -> str:
        return " " + draw(sound_scalars()) if sound else draw(raw_values(indent))

    lines = []
    nested = draw(st.booleans())
    if draw(st.integers(0, 9)):
        name = draw(names())
        lines.append(f"name: {_quoted(name)}" if sound or not name else f"name: {name}")
    if draw(st.integers(0, 9)):
        lines.append("description:" + value())
    kind = draw(st.sampled_from(["user", "feedback", "project", "reference", "decision", "infra"]))
    if not nested or not draw(st.integers(0, 9)):
        lines.append(f"type: {kind}")
    if nested:
        inner = []
        step = draw(st.sampled_from(["  ", "    ", " "]))
        if draw(st.booleans()):
            inner.append(f"{step}node_type: memory")
        inner.append(f"{step}type: {kind}")
        if draw(st.booleans()):
            inner.append(f"{step}originSessionId: 0b8f7a5e-1111-4222-8333-{draw(st.integers(0, 999)):012d}")
        if draw(st.booleans()):
            inner.append(f"{step}modified: 2026-0{draw(st.integers(1, 9))}-28T17:50:02.540Z")
        for key in draw(
            st.lists(st.sampled_from(["tags", "status", "relates_to", "own"]), unique=True, max_size=2)
        ):
            inner.append(f"{step}{key}:" + value(step))
        if draw(st.integers(0, 7)):
            lines.append("metadata:" + draw(st.sampled_from(["", " "])))
            lines += inner
        else:
            lines.append("metadata: {type: " + kind + ", own: x}")
    for key in draw(
        st.lists(
            st.sampled_from(["tags", "relates_to", "supersedes", "created", "project", "own-key"]),
            unique=True,
            max_size=3,
        )
    ):
        lines.append(f"{key}:" + value())
    if draw(st.booleans()):
        lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(["# a comment", ""])))
    if not sound and not draw(st.integers(0, 3)):
        odd = st.sampled_from(
            [
                "\tindented: by a tab",
                "type: again",
                "stray line",
                "? complex\n: key",
                "a: [b",
                "%x",
                "...",
                "404: n",
            ]
        )
        lines.insert(draw(st.integers(0, len(lines))), draw(odd))
    if not sound and not draw(st.integers(0, 19)):
        lines = draw(
            st.sampled_from([[], ["just a rule"], ["- a", "- b"], ["{name: flow, type: user}"], ["'"]])
        )
    return "".join(line + "\n" for line in lines)


# ---------------------------------------------------------------- bodies and files

BLOCKS = [
    "part 1\n\n---\n\npart 2",
    "**Why:** it broke\n**How to apply:** always",
    "see [[deploy-notes]] and [[Human Title|alias]], [[b#heading]]",
    "`[[ -f x ]]` and `[[code]]`",
    "```\n[[:alpha:]]\n```",
    "~~~sh\n[[ -f y ]]\n~~~",
    "```\nnever closed [[z]]",
    "- a\n    - see [[nested-link]]",
    "    indented [[code-link]]",
    "<!-- comment [[hidden]] -->",
    "trailing  \nblanks \t",
    "| a | b |\n|---|---|\n| [[t\\|x]] | 1 |",
    "> quoted [[q]]",
    "設定は [[設定メモ]] を参照",
    "",
    "---",
    "# Heading",
    "name: not a field",
]


def bodies() -> st.SearchStrategy[str]:
    """Markdown with rules, fences, links, tables, several scripts."""
    blocks = st.lists(st.one_of(st.sampled_from(BLOCKS), phrases()), max_size=6).map("\n\n".join)
    return st.tuples(st.sampled_from(["", "\n"]), blocks, st.sampled_from(["\n", "", "\n\n"])).map("".join)


def _with_line_ends(draw: st.DrawFn, text: str) -> str:
    kind = draw(st.integers(0, 7))
    if kind == 0:
        return text.replace("\n", "\r\n")
    if kind == 1:
        pieces = text.split("\n")
        ends = draw(st.lists(st.sampled_from(["\n", "\r\n"]), min_size=len(pieces), max_size=len(pieces)))
        return "".join(piece + end for piece, end in zip(pieces[:-1], ends, strict=False)) + pieces[-1]
    return text


@st.composite
def entry_files(draw: st.DrawFn) -> bytes:
    """One file of a store, whatever its state; nearly always UTF-8."""
    kind = draw(st.integers(0, 24))
    if kind == 0:
        return draw(
            st.sampled_from([b"", b"\n", b"---", b"---\n", b"---\n---", b"---\n---\n", BOM, BOM + b"---\n"])
        )
    if kind == 1:
        return draw(st.binary(max_size=40))
    body = draw(bodies())
    if kind == 2:
        return _with_line_ends(draw, body).encode()
    if kind == 3:
        return _with_line_ends(draw, "---\n" + draw(headers()) + body.replace("---", "--")).encode()
    opening = "---" + draw(st.sampled_from(["", "", "", " ", "\t"])) + "\n"
    closing = "---" + draw(st.sampled_from(["\n", "\n", "\n", " \n", ""]))
    text = opening + draw(headers()) + closing + (body if closing.endswith("\n") else "")
    return draw(st.sampled_from([b"", b"", b"", BOM])) + _with_line_ends(draw, text).encode()


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """One file with sound frontmatter, or none, in any line end, with or without BOM."""
    body = draw(bodies())
    text = body if not draw(st.integers(0, 9)) else "---\n" + draw(headers(sound=True)) + "---\n" + body
    if text is body and body.startswith("---"):
        text = "x" + body
    return draw(st.sampled_from([b"", b"", b"", BOM])) + _with_line_ends(draw, text).encode()


# ---------------------------------------------------------------- stores

PATHS = [
    "deploy-notes.md",
    "feedback_testing.md",
    "user-role.md",
    "project_ledger.md",
    "reference.md",
    "Human Title.md",
    "設定メモ.md",
    "🚀.md",
    "e\u0301.md",
    "sub/deploy-notes.md",
    "sub/deep er/note.md",
    "team/shared.md",
    "CLAUDE.md",
    "LAST_SESSION.md",
    "2026-06-03 log.md",
    "b.md",
    "c.md",
    "x.md.md",
]

INDEXES = [
    b"",
    b"# Memory\n\n- [Deploy](deploy-notes.md) \xe2\x80\x94 how to deploy\n- [Gone](gone.md) \xe2\x80\x94 nothing there\n",
    b"\xef\xbb\xbf# Memory\r\n\r\n- [B](b.md) \xe2\x80\x94 b\r\n",
    b"Prose only, no list.",
    b"| entry | what |\n|---|---|\n| [C](c.md) | c |\n",
    b"---\ntype: index\n---\n<!-- kept by hand -->\n## A\n- [x](Human%20Title.md) - y\n",
    b"\xff\xfe not text",
    b"- [B](b.md) \xe2\x80\x94 hook\n" * 230,
]


@st.composite
def stores(draw: st.DrawFn, *, max_entries: int = 8) -> dict[str, bytes]:
    """A memory directory: relative path -> bytes. ``name: ""`` and shared names occur more than once."""
    paths = draw(st.lists(st.sampled_from(PATHS), unique=True, max_size=max_entries))
    store = {path: draw(st.one_of(entry_files(), documents())) for path in paths}
    for path in paths[:2]:
        if not draw(st.integers(0, 4)):
            store[path] = b'---\nname: ""\nmetadata: \n  node_type: memory\n---\n\nBody.\n'
    if draw(st.booleans()):
        store["MEMORY.md"] = draw(st.sampled_from(INDEXES))
    return store


def write_store(root: Path, store: Mapping[str, bytes]) -> None:
    """Write a drawn store below ``root``."""
    for path, raw in store.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(raw)


def entries_of(store: Mapping[str, bytes]) -> tuple[Entry, ...]:
    """Return the entries of a drawn store, ids resolved, without a disk; what is no text is left out."""
    entries = []
    for path, raw in store.items():
        try:
            if path != "MEMORY.md":
                entries.append(read_entry(path, raw, 0.0))
        except NotText:
            continue
    return with_ids(sorted(entries, key=lambda entry: entry.path))[0]
