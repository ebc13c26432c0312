"""MEMORY.md: hand-made text stays, entries are found, nothing new goes where it is not loaded."""

import re
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agentops_dream.models import Entry
from agentops_dream.store.index import listed, load_cut, reachable, reconcile
from agentops_dream.store.index_line import destination, is_hook_of, readable, render


def entry(path, description="", type="project", **kwargs):
    stem = path.rpartition("/")[2][:-3]
    values = {"id": stem, "name": stem, "body": "", "fields": {}, "links": (), "mtime": 0.0, **kwargs}
    return Entry(path=path, raw=b"", sha256="", description=description, type=type, **values)


A, B, C = entry("a.md", "alpha fact"), entry("b.md", "beta fact"), entry("c.md", "gamma fact")


def change(text, before, after, heirs=None, **kwargs):
    """Reconcile, and check that a second time changes nothing."""
    raw = None if text is None else text.encode()
    result = reconcile(raw, before, after, heirs or {}, **kwargs)
    again = reconcile(result.raw, before, after, heirs or {}, **kwargs)
    assert again.raw == result.raw
    assert reconcile(result.raw, after, after, {}, **kwargs).raw == result.raw
    return None if result.raw is None else result.raw.decode()


def repair(text, *entries, **kwargs):
    return change(text, entries, entries, **kwargs)


CURATED = """\
---
owner: Mira
---
# Memory of the *orders* service

Ports live in the two db notes. Mira reads this file herself.

## People

- [Answer style](answer-style.md) — file name first, no emoji

## Services

| what | note |
|------|------|
| relay | [Outbox](outbox-relay.md) |
| cache | `cache.md` |

1. [Staging](<staging db.md>) — port 6432
2. [Prod](./prod-db.md#port "port") – port 6433
   * [ ] **[Freeze](sub/freeze%20(2).md)**: until October

```
- [Not an entry](code.md) — shown as an example
```

<!-- - [Nor this](comment.md) — hidden -->

See also [[wiki-note|the wiki]], [rates][r] and [the docs](https://docs.example/x.md).

[r]: rates.md "Rates"
"""
CURATED_ENTRIES = [
    entry("answer-style.md", "Mira wants the file name first", "feedback"),
    entry("outbox-relay.md", "relay"),
    entry("cache.md", "cache"),
    entry("staging db.md", "staging"),
    entry("prod-db.md", "prod"),
    entry("sub/freeze (2).md", "freeze"),
    entry("wiki-note.md", "wiki"),
    entry("rates.md", "rates", "reference"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("end", [True, False])
def test_a_curated_index_that_lacks_nothing_would_be_rewritten(newline, bom, end):
    text = bom + CURATED.replace("\n", newline)
    text = text if end else text[: -len(newline)]
    assert repair(text, *CURATED_ENTRIES) == text


def test_a_curated_index_would_lose_its_order_when_an_entry_is_added():
    new = entry("late.md", "late readings", "feedback")
    text = repair(CURATED, *CURATED_ENTRIES, new)
    assert text == CURATED.replace("no emoji\n", "no emoji\n- [Late](late.md) — late readings\n")


def test_files_without_a_line_and_lines_without_a_file_would_drift_apart():
    text = "# Notes\n\nprose\n\n- [Y](y.md) — gone\n- [A](a.md) — by hand\n\nmore prose, `y.md`\n"
    expected = "# Notes\n\nprose\n\n- [A](a.md) — by hand\n- [X y](x_y.md) — what x is\n\nmore prose, `y.md`\n"
    assert repair(text, A, entry("x_y.md", "what x is")) == expected


@pytest.mark.parametrize(
    "line",
    [
        "- [Y](https://x.example/y.md) — a page",
        "- [Y](../y.md) — outside",
        "- [Y](/etc/y.md) — outside",
        "- [Y](~/y.md) — outside",
        "- [Y](MEMORY.md) — itself",
        "- [Y](team/y.md) — of the team",
        "- [Y](.hidden/y.md) — hidden",
        "- [Y](y.txt) — no entry",
        "- [Y](unreadable.md) — not an entry, but there",
        "- ![Y](y.md)",
        "- `[Y](y.md)` — an example",
        "- [[y]] — a link to nothing is legal",
        "- y.md — a bare name",
        "- the plan is in [Y](y.md), says Mira",
        "| [Y](y.md) | in a table |",
        "Prose about [Y](y.md).",
        "> - [Y](y.md) — quoted",
        "```\n- [Y](y.md)\n```",
        "<!-- - [Y](y.md) -->",
    ],
)
def test_text_that_is_no_line_of_an_entry_would_be_dropped(line):
    text = f"- [A](a.md) — by hand\n\n{line}\n"
    assert repair(text, A, known=["Unreadable.md"]) == text


# ---------------------------------------------------------------- removed, merged, renamed


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("- [A](a.md) — by hand", None),
        ("* [A](./a.md#top) — by hand", None),
        ("+ [x] **[A](<a.md>)** — by hand", None),
        ("3. [A](a.md 'title')", None),
        ("- 📌 [A](a%2Emd) — by hand", None),
        ("- 2026-01-02: [A](a.md) — by hand", None),
        ("- [[a]] — by hand", None),
        ("- [[a|Alpha]] — by hand", None),
        ("- `a.md` — by hand", None),
        ("- **a.md**: by hand", None),
        ("- [A][ref] — by hand\n\n[ref]: a.md", ""),
        ("- [A](a.md) — by hand\n  and more of it", None),
        ("- [A](a.md) — by hand\nprose without a blank line", "prose without a blank line"),
        ("- [A](a.md) — by hand\n  - [C](c.md) — below", "- A\n  - [C](c.md) — below"),
        ("- **[A](a.md)** — by hand\n\n  A paragraph.", "- **A**\n\n  A paragraph."),
        ("- [A](a.md), [C](c.md) — both", "- A, [C](c.md) — both"),
    ],
)
def test_the_line_of_a_removed_entry_would_stay_or_take_others_along(line, left):
    frame = "# Notes\n\n- [B](b.md) — by hand\n{}\n## More\n"
    text = frame.format(line + "\n")
    after = [B, C] if "c.md" in line else [B]
    expected = frame.format("" if left is None else left + "\n")
    assert change(text, [A, *after], after) == expected


def test_a_removed_entry_in_prose_would_go_unreported():
    text = "See [A](a.md) and [[a]].\n\n| x | [A](a.md) |\n\n- [B](b.md) — like [A](a.md)\n"
    result = reconcile(text.encode(), [A, B], [B], {})
    assert result.raw.decode() == text
    assert [note for note in result.notes if "a.md" in note and "line" in note] == list(result.notes)
    assert {re.search(r"line (\d+)", note)[1] for note in result.notes} == {"1", "3", "5"}


def test_links_to_a_merged_entry_would_dangle():
    text = "See [A](a.md#x) and [[a|alpha]], [ref].\n\n| x | [A](a.md) | `a.md` |\n|---|---|---|\n\n- [A](a.md) — by hand\n- [B](b.md) — like [A](a.md)\n\n[ref]: <a.md>\n"
    expected = "See [A](b.md) and [[b|alpha]], [ref].\n\n| x | [A](b.md) | `b.md` |\n|---|---|---|\n\n- [B](b.md) — like [A](b.md)\n\n[ref]: <b.md>\n"
    assert change(text, [A, B], [B], {"a.md": "b.md"}) == expected


def test_a_renamed_entry_would_lose_its_place_or_its_hand_written_hook():
    new = entry("alpha-two.md", "alpha fact, again")
    text = "- [C](c.md) — x\n- [My alpha](a.md) — my words\n- [B](b.md) — y\n"
    assert change(text, [A, B, C], [new, B, C], {"a.md": "alpha-two.md"}) == text.replace("a.md", "alpha-two.md")
    text = "- [A](a.md) — alpha fact\n- [B](b.md) — y\n- [C](c.md) — x\n"
    expected = "- [Alpha two](alpha-two.md) — alpha fact, again\n- [B](b.md) — y\n- [C](c.md) — x\n"
    assert change(text, [A, B, C], [new, B, C], {"a.md": "alpha-two.md"}) == expected


def test_an_heir_would_get_two_lines_or_none():
    heir = entry("d.md", "delta")
    text = "- [A](a.md) — one\n- [B](b.md) — two\n"
    assert change(text, [A, B], [heir], {"a.md": "d.md", "b.md": "d.md"}) == "- [D](d.md) — one\n"
    chain = {"a.md": "b.md", "b.md": "c.md"}
    assert change("- [[a]] — one\n", [A, B], [C], chain) == "- [[c]] — one\n"
    assert change("- [A](a.md) — one\n", [A, B], [B], {"a.md": "gone.md"}) == "- [B](b.md) — beta fact\n"
    assert change("- [A](a.md) — one\n", [A], [B], {"a.md": "x.md", "x.md": "a.md"}) == "- [B](b.md) — beta fact\n"


def test_a_file_moved_to_a_folder_would_lose_its_hand_written_line():
    moved = entry("sub/a.md", "alpha fact")
    assert repair("- [My alpha](a.md) — my words\n", moved) == "- [My alpha](sub/a.md) — my words\n"
    both = "- [My alpha](a.md) — my words\n- [A](sub/a.md) — x\n"
    assert repair(both, moved) == "- [A](sub/a.md) — x\n"


def test_a_line_with_another_spelling_of_the_file_would_be_dropped():
    text = "- [A](Some_Note.md) — by hand\n- [É](e\u0301.md) — by hand\n"
    assert repair(text, entry("some-note.md"), entry("\u00e9.md")) == text


# ---------------------------------------------------------------- hooks

LONG = "The staging database listens on port 6432 of db.example, the role is orders_ro, the pool has 20 connections, and nobody may run migrations there by hand on Fridays."


@pytest.mark.parametrize(
    ("hook", "renewed"),
    [
        ("alpha fact", True),
        ("Alpha: by hand", False),
        ("alpha fact, and more by hand", False),
        ("alpha", False),
    ],
)
@pytest.mark.parametrize("form", ["- [A](a.md) — {}", "* **[A](a.md)** - {}", "1. [[a]]: {}", "  - [x] [A](a.md) – {}  "])
def test_a_hand_written_hook_would_be_overwritten_or_an_old_description_kept(hook, renewed, form):
    new = entry("a.md", "alpha fact, changed")
    text = "- parent\n" + form.format(hook) + "\n"
    expected = text if not renewed else text.replace(hook, "alpha fact, changed")
    if form.endswith("  ") and renewed:
        expected = expected.replace("changed  ", "changed  ")
    assert change(text, [A], [new]) == expected


def test_a_hook_cut_by_a_machine_would_not_follow_its_description():
    old, new = entry("a.md", LONG), entry("a.md", "short now")
    for limit in (150, 100, 60):
        line = render(old, limit)
        assert len(line) > limit
        assert change(line + "\n", [old], [new]) == "- [A](a.md) — short now\n"
    assert change(f"- [A](a.md) — {LONG[:90]}…\n", [old], [new]) == "- [A](a.md) — short now\n"
    assert change("- [A](a.md) — short now\n", [new], [entry("a.md", "")]) == "- [A](a.md)\n"


@given(st.text(max_size=200), st.text(max_size=200))
def test_our_own_hook_would_not_be_known_again(description, other):
    old, new = entry("a.md", description), entry("a.md", other)
    line = render(old) + "\n"
    if " — " in line:
        assert is_hook_of(line.partition(" — ")[2].rstrip("\n"), description)
        assert change(line, [old], [new]) == render(new) + "\n"


# ---------------------------------------------------------------- new lines


def test_an_index_would_be_made_for_nothing_or_not_at_all():
    assert change(None, [], []) is None
    assert change(None, [entry("team/t.md", readonly="team")] * 1, [entry("team/t.md", readonly="team")]) is None
    assert repair(None, B, A) == "- [A](a.md) — alpha fact\n- [B](b.md) — beta fact\n"
    assert repair("", A) == "- [A](a.md) — alpha fact\n"
    assert repair("\ufeff", A) == "\ufeff- [A](a.md) — alpha fact\n"
    assert change("- [A](a.md) — x\n", [A], []) == ""


SECTIONS = """\
# Memory

Intro.

## People
- [U](u.md) — someone

## Work

- [A](a.md) — by hand

  with a second paragraph
  - [F](f.md) — nested, of another type
- [B](b.md) — by hand

Some words.

## References

## Rest
- [C](c.md) — by hand
- [F2](f2.md) — by hand
"""
SECTION_ENTRIES = [entry("u.md", "", "user"), A, B, C, entry("f.md", "", "feedback"), entry("f2.md", "", "feedback")]


@pytest.mark.parametrize(
    ("type", "after"),
    [
        ("user", "- [U](u.md) — someone\n"),
        ("project", "- [B](b.md) — by hand\n"),
        ("reference", "## References\n\n"),
        ("decision", "- [B](b.md) — by hand\n"),
    ],
)
def test_a_new_line_would_stand_among_strangers(type, after):
    new = entry("new.md", "new fact", type)
    line = "- [New](new.md) — new fact\n"
    blank = "\n" if type == "reference" else ""
    assert repair(SECTIONS, *SECTION_ENTRIES, new) == SECTIONS.replace(after, after + line + blank)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# H", "# H\n\n{}"),
        ("# H\n", "# H\n\n{}\n"),
        ("# H\r\n\r\n", "# H\r\n\r\n{}\r\n"),
        ("prose\n\n\n", "prose\n\n{}\n\n"),
        ("---\nx: y\n---\n", "---\nx: y\n---\n\n{}\n"),
        ("- [A](a.md) — x", "- [A](a.md) — x\n{}"),
        ("- [A](a.md) — x\r\n- other\r\n", "- [A](a.md) — x\r\n{}\r\n- other\r\n"),
        ("1. top\n   - [A](a.md) — x\n2. next\n", "1. top\n   - [A](a.md) — x\n   {}\n2. next\n"),
        ("| [A](a.md) | x |\n|---|---|\nprose\n", "| [A](a.md) | x |\n|---|---|\n\n{}\n\nprose\n"),
        ("- [A](a.md) — x\n  more of x\nprose\n", "- [A](a.md) — x\n  more of x\nprose\n{}\n"),
        ("- [A](a.md) — x\n\n---\n", "- [A](a.md) — x\n{}\n\n---\n"),
        ("# H\n```\nnever closed\n", "{}\n\n# H\n```\nnever closed\n"),
        ("<!-- never closed\n", "{}\n\n<!-- never closed\n"),
        ("---\nx: y\n---\n~~~\n", "---\nx: y\n---\n\n{}\n\n~~~\n"),
    ],
)
def test_a_new_line_would_break_what_is_around_it(text, expected):
    entries = [A, B] if "a.md" in text else [B]
    assert repair(text, *entries) == expected.format("- [B](b.md) — beta fact")


NAMES = ["my file.md", "a (b) c.md", "日本語 メモ.md", "sub dir/ü.md", "a#b?.md", "100%25.md", "[x](y).md", "a:b.md",
         "<i>.md", "a\"b.md", "`t`.md", "~x.md", "a\\b.md", "a|b.md", "*x*.md", "-.md", "x\ny.md", "a\udcffb.md", "%2e%2e.md"]  # fmt: skip


@pytest.mark.parametrize("path", NAMES)
def test_a_file_with_an_awkward_name_would_not_be_found_through_the_index(path):
    line = render(entry(path, "what it is"))
    simple = re.search(r"\[([^\]]+)\]\(([^)\s]+)\)", line)
    assert simple[2] == destination(path)
    tokens = MarkdownIt().parse(line.encode("utf-8", "replace").decode())
    links = [t for t in next(t for t in tokens if t.type == "inline").children if t.type == "link_open"]
    assert len(links) == 1
    assert listed(line.encode("utf-8", "surrogateescape"), [entry(path)]) == {path}
    raw = reconcile(None, [entry(path)], [entry(path)], {}).raw
    assert reconcile(raw, [entry(path)], [entry(path)], {}).raw == raw
    assert reconcile(raw, [entry(path)], [], {}).raw == b""


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ({"path": "feedback_testing-rules.md", "name": "feedback_testing-rules"}, "Testing rules"),
        ({"path": "a.md", "name": "Human Title"}, "Human Title"),
        ({"path": "a.md", "name": "対応版"}, "対応版"),
        ({"path": "a.md", "name": "a-slug", "fields": {"title": "Deploy"}}, "Deploy"),
        ({"path": "2026-11-24_sensor.md", "name": ""}, "2026-11-24 sensor"),
        ({"path": "a.md", "name": "x [y](z) `code` \n#"}, "x (y)(z) `code` #"),
        ({"path": "project_.md", "name": ""}, "Project"),
    ],
)
def test_a_title_would_be_unreadable(values, shown):
    path = values.pop("path")
    assert render(entry(path, **values)).startswith(f"- [{shown}](")


HOSTILE = [
    "x](evil.md) [y](https://evil.example)",
    "[[other]] and [B](b.md)",
    "line one\n- [B](b.md) — forged\n# Heading",
    "<!-- hidden", "--> `unbalanced", "```", "<b>bold</b> *x* __y__", "a\u202eb\u200bc\x00d\x1b[0m", "| a | b |", "\\",
]  # fmt: skip


@given(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=60)), st.one_of(st.sampled_from(HOSTILE), st.text(max_size=40)))
def test_a_description_or_name_would_forge_an_index_line(description, name):
    hostile = entry("a.md", description, name=name)
    raw = repair("# Notes\n", hostile, B)
    assert raw.count("\n") == 4
    assert set(re.findall(r"\]\(([^)]*)\)", raw)) == {"a.md", "b.md"}
    (inline,) = [t for t in MarkdownIt("commonmark").parse(render(hostile)) if t.type == "inline"]
    kinds = [t.type for t in inline.children]
    assert kinds.count("link_open") == 1
    assert not {"html_inline", "image", "strong_open", "em_open"} & set(kinds)


def test_a_hook_would_be_cut_inside_a_word():
    line = render(entry("a.md", LONG))
    assert line.endswith("on…") or line.endswith("by…") or line[-2].isalnum()
    assert len(line.partition(" — ")[2]) <= 150
    assert LONG.startswith(line.partition(" — ")[2][:-1])
    assert LONG[len(line.partition(" — ")[2]) - 1] == " "
    assert len(render(entry("a.md", "説明" * 100)).partition(" — ")[2]) == 150


# ---------------------------------------------------------------- what is loaded


def many(count, size=20):
    entries = [entry(f"e{n:03}.md", ("fact " + "x" * size)[:size]) for n in range(count)]
    return entries, "".join(f"- [E{n:03}](e{n:03}.md) — {'h' * size}\n" for n in range(count))


def test_an_index_over_a_limit_would_not_be_reported():
    entries, text = many(146, 330)
    cut = load_cut(text.encode())
    line = len(text.partition("\n")[0].encode()) + 1
    assert (cut.lines, cut.first, cut.size) == (146, 25_001 // line, 146 * line - 1)
    assert len(cut.cut) == 146 - cut.first
    (note,) = reconcile(text.encode(), entries, entries, {}).notes
    assert f"line {cut.first + 1}" in note
    assert "25,000" in note
    entries, text = many(201)
    assert load_cut(text.encode()).first == 200
    assert "not loaded" in reconcile(text.encode(), entries, entries, {}).notes[0]
    assert load_cut(many(200)[1].encode()).first is None
    assert load_cut(None).message == load_cut(b"").message == ""
    exact = b"x" * 24_999 + b"\n" + b"y\n"
    assert load_cut(exact).first == 1
    assert load_cut(exact[:25_000]).first is None


def test_what_the_client_strips_would_count():
    _, text = many(200)
    stripped = "---\nowner: me\n---\n\n<!-- one -->\n<!--\ntwo\n-->\n\n" + text + "\n\n"
    assert load_cut(stripped.encode()).first is None
    assert load_cut(("\ufeff" + stripped).encode()).lines == 200
    assert load_cut(("text\n" + stripped).encode()).first is not None


@pytest.mark.parametrize("count,size", [(199, 20), (200, 20), (230, 20), (146, 330), (74, 320)])
@pytest.mark.parametrize("added", [1, 3, 20])
def test_new_entries_would_go_where_the_cut_falls(count, size, added):
    entries, text = many(count, size)
    new = [entry(f"new{n}.md", "new fact") for n in range(added)]
    result = reconcile(text.encode(), entries, [*entries, *new], {})
    out = result.raw.decode()
    lost = load_cut(result.raw).cut
    assert not any("new fact" in line for line in lost)
    for n in range(added):
        assert out.count(f"(new{n}.md)") == 1
    assert "".join(line for line in out.splitlines(True) if "new fact" not in line) == text
    assert any("not loaded" in note for note in result.notes) == bool(lost)
    assert reconcile(result.raw, entries, [*entries, *new], {}).raw == result.raw


def test_long_prose_would_push_new_lines_out_of_what_is_loaded():
    prose = "# H\n\n" + "word " * 5_500 + "\n\n"
    out = repair(prose + "- [A](a.md) — x\n", A, B)
    assert "b.md" not in "".join(load_cut(out.encode()).cut)
    assert out.endswith(prose + "- [A](a.md) — x\n")


def test_a_first_index_of_a_large_store_would_be_cut_for_want_of_shorter_hooks():
    entries = [entry(f"entry-{n:03}.md", f"Fact {n}: " + "word " * 40) for n in range(190)]
    out = repair(None, *entries)
    assert load_cut(out.encode()).first is None
    assert out.count("\n") == 190


# ---------------------------------------------------------------- reachable


def test_an_entry_behind_a_link_would_pass_for_lost():
    linked = entry("d.md", links=("e_f", "nowhere"))
    end = entry("e-f.md", links=("d",))
    index = b"| [A](a.md) |\n\n- [D](d.md)\n```\n- [B](b.md)\n```\n"
    assert reachable(index, [A, B, linked, end]) == {"a.md", "d.md", "e-f.md"}
    assert reachable(None, [A]) == set()
    assert listed(index, [A, B, linked, end]) == {"a.md", "d.md"}


# ---------------------------------------------------------------- any index at all

LINES = ["# H", "## Feedback", "", "", "prose", "- [A](a.md) — alpha fact", "- [A](a.md) — by hand", "* [B](b.md)", "  - [C](c.md) — x",
         "- [Y](y.md) — nowhere", "| [B](b.md) | x |", "|---|---|", "```", "~~~", "<!--", "-->", "    - [A](a.md)", "> [A](a.md)", "- [[c]] — w",
         "see [[a]] and [B](b.md).", "[r]: a.md", "- [R][r] — by reference", "---", "===", "<div>", "- a.md: bare", "1. [D](sub/d.md) — n", "  continued",
         "\ttab", "- ", "- [ ] todo", "- [A](a.md), [B](b.md)", "\ufeff"]  # fmt: skip
D = entry("sub/d.md", "delta", "feedback")
ABCD = "- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n- [D](sub/d.md)\n- [E](e%20e.md)\n"
pieces = st.tuples(st.one_of(st.sampled_from(LINES), st.text(max_size=12)), st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", ""]))
E = entry("e e.md", "epsilon", "user")
subsets = st.sets(st.integers(0, 4)).map(lambda chosen: [[A, B, C, D, E][n] for n in sorted(chosen)])


@given(st.lists(pieces, max_size=14), subsets, subsets, st.dictionaries(st.sampled_from(["a.md", "b.md", "sub/d.md"]), st.sampled_from(["a.md", "c.md", "x.md"])), st.sampled_from(["", "", ABCD]))
@example([("- [A](a.md)", "\r"), ("", "\n")], [A], [B], {}, "")
@example([("```", "\n")], [A], [A], {}, "")
@example([("[r]: a.md", "\n"), ("\ufeff", ""), ("[r]: a.md", "\n")], [A], [], {}, "")
@example([("| [B](b.md) | x |", "\n"), ("    - [A](a.md)", "\r\n")], [D, E], [B, D], {}, "")
def test_any_index_would_be_damaged(parts, before, after, heirs, head):
    text = head + "".join(line + end for line, end in parts)
    raw = text.encode("utf-8", "surrogatepass")
    result = reconcile(raw, before, after, heirs)
    out = result.raw
    if "\0" in text:
        assert out == raw
        return
    assert reconcile(out, before, after, heirs).raw == out
    assert reconcile(out, after, after, {}).raw == out
    assert {e.path for e in after} == listed(out, after)
    assert reachable(out, after) >= {e.path for e in after}
    # Nothing to add, nothing gone, no line for a file that is nowhere: not a byte.
    if before == after and not heirs and {e.path for e in after} <= listed(raw, after) and len(after) == 5 and b"y.md" not in raw:
        assert out == raw


@given(st.lists(pieces, max_size=14), subsets)
def test_lines_of_nobody_would_change(parts, entries):
    text = "".join(line + end for line, end in parts)
    out = reconcile(text.encode("utf-8", "surrogatepass"), entries, entries, {}).raw.decode("utf-8", "surrogateescape")
    # Lines for files that are nowhere go, with what is indented below them; all else is there, in order.
    lines = [line for line in re.split(r"[\r\n]+", text) if line and not line[0].isspace()]
    old = [line for line in lines if ".md" not in line and "[[" not in line and "[r]" not in line]
    position = 0
    for line in old:
        position = out.index(line, position) + len(line)


def test_undecodable_bytes_would_be_lost():
    raw = b"# Caf\xe9\n\n- [A](a.md) \xe2\x80\x94 x\n"
    assert reconcile(raw, [A, B], [A, B], {}).raw == raw + "- [B](b.md) — beta fact\n".encode()
    assert reconcile(b"a\0b", [A], [A], {}).raw == b"a\0b"


def test_a_slug_would_stay_a_slug():
    assert readable("user_role-and-tools") == "Role and tools"
    assert readable("v1-2") == "V1-2"


# ---------------------------------------------------------------- what changes is said, what is not known stays


def test_a_line_that_went_would_go_unsaid():
    result = reconcile(b"- [N](notes-2024.md) \xe2\x80\x94 old\n- [A](a.md)\n", [A], [A], {})
    assert result.raw == b"- [A](a.md)\n"
    assert result.notes == ("MEMORY.md: line for notes-2024.md removed, there is no such file",)
    kept = reconcile(b"- [N](notes-2024.md)\n  - [A](a.md)\n", [A], [A], {})
    assert kept.raw == b"- N\n  - [A](a.md)\n"
    assert kept.notes == ("MEMORY.md: link to notes-2024.md removed, there is no such file",)
    assert reconcile(b"- [B](b.md)\n- [A](a.md)\n", [A, B], [A], {}).notes == ()


def test_lines_below_a_folder_that_cannot_be_read_would_go():
    text = "- [S](sub/s.md) \u2014 my hook\n- [T](./Sub/t/deep.md)\n- [U](submarine.md)\n- [A](a.md)\n"
    assert repair(text, A, known=["sub"]) == text.replace("- [U](submarine.md)\n", "")


# ---------------------------------------------------------------- cost


def steps(text, before, after):
    """Return how many calls and lines of Python a reconcile takes: work, whatever else the machine does."""
    count = 0

    def tracer(frame, event, arg):
        nonlocal count
        count += 1
        return tracer

    old = sys.gettrace()
    sys.settrace(tracer)
    try:
        reconcile(text.encode(), before, after, {})
    finally:
        sys.settrace(old)
    return count


FEW, MANY = 100, 800
NUMBERED = [entry(f"x{n}.md", f"about {n}") for n in range(MANY)]
GROWING = {
    "plain": (lambda n: "- [T](https://x.example)\n" * n + "- [A](a.md)\n", False, False),
    "missing": (lambda n: "".join(f"- [T](y{i}.md)\n" for i in range(n)), False, False),
    "gone": (lambda n: "".join(f"- [T](x{i}.md)\n" for i in range(n)), True, False),
    "headings": (lambda n: "".join(f"# h\n\n- [T](x{i}.md)\n\n" for i in range(n)), True, True),
    "html": (lambda n: "<div>\n- [T](https://x.example)\n</div>\n\n" * n + "- [A](a.md)\n", False, False),
    "definitions": (lambda n: "".join(f"[r{i}]: x{i}.md\n\n- [T][r{i}]\n\n" for i in range(n)), True, False),
    "blank": (lambda n: "x\n- [A](a.md)" + "\n" * n, False, False),
    "links in a line": (lambda n: "- " + "[T](a.md) [[a]] " * n + "\n", False, False),
    "ends of links in a line": (lambda n: "- " + "](x" * n + "\n- [A](a.md)\n", False, False),
    "open comments": (lambda n: "- [A](a.md)\n\n" + "<!-- a\n\n" * n, False, False),
}


@pytest.mark.parametrize("kind", GROWING)
def test_a_long_index_would_take_for_ever(kind):
    """Eight times the lines are about eight times the work; with all pairs of lines it would be up to 64 times."""
    make, before, after = GROWING[kind]
    few, many = (steps(make(n), NUMBERED[:n] if before else [A], NUMBERED[:n] if after else [A]) for n in (FEW, MANY))
    assert many < 13 * few


def test_what_is_no_index_any_more_would_be_read_for_hours():
    raw = b"- [Y](y.md)\n" * 90_000
    result = reconcile(raw, [A], [A], {})
    assert result.raw == raw
    (note,) = result.notes
    assert "1,080,000 bytes" in note
    assert reachable(raw, [A]) == listed(raw, [A]) == {"a.md"}
