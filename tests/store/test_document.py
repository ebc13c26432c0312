"""Reading and editing one file: not a byte is lost, and an edit reaches its field alone."""

from __future__ import annotations

import json
import re

import pytest
import store_strategies as shapes
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from agentops_dream.store.document import BadValue, EditRefused, NotText, new_document, parse

FIELDS = [
    ("name",),
    ("description",),
    ("type",),
    ("metadata", "type"),
    ("metadata", "own"),
    ("own-key",),
    ("new",),
]
often = settings(max_examples=100, deadline=None)


def edited(raw: bytes, path, value) -> bytes:
    return parse(raw).with_field(path, value).raw


# ---------------------------------------------------------------- reading


@often
@given(shapes.entry_files())
def test_reading_and_writing_back_changes_no_byte(raw):
    try:
        doc = parse(raw)
    except NotText:
        with pytest.raises(UnicodeDecodeError):
            raw.decode("utf-8")
        return
    assert doc.raw == raw
    assert doc.with_body(doc.body).raw == raw
    for key, value in doc.fields.items():
        assert doc.with_field(key, value).raw == raw
    assert raw.endswith(doc.body.encode())
    json.dumps(doc.fields)


@often
@given(
    st.one_of(
        st.text().map(str.encode), st.text("-\n\r:a '\"#|>&*[]{},\t\ufeff", max_size=40).map(str.encode)
    )
)
def test_any_text_whatever_is_read_and_kept(raw):
    doc = parse(raw)
    assert doc.raw == raw and raw.endswith(doc.body.encode())
    json.dumps(doc.fields)


@pytest.mark.parametrize(
    "raw", [b"\xff", b"---\nname: \xff\n---\nx\n", b"---\nname: a\n---\n\xc3\x28\n", b"\xff\xfea\x00"]
)
def test_a_file_that_is_not_utf8_is_named_and_not_guessed_at(raw):
    with pytest.raises(NotText, match=r"notes\.md is not UTF-8 .*save it as UTF-8"):
        parse(raw, "notes.md")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_byte_order_mark_do_not_hide_the_header(end, bom):
    raw = bom + "---\nname: a\ndescription: b\ntype: user\n---\nbody\n".replace("\n", end).encode()
    doc = parse(raw)
    assert doc.fields == {"name": "a", "description": "b", "type": "user"}
    assert doc.body == "body" + end and doc.newline == end and doc.bom == bool(bom)
    made = doc.with_field("description", "c: d").with_field(("metadata", "flagged"), True)
    assert made.raw.count(b"\n") == made.raw.count(end.encode()) and made.raw.startswith(bom + b"---")
    assert made.raw.count(b"\xef\xbb\xbf") == len(bom) // 3


def test_a_header_that_ends_with_the_file_is_a_header():
    doc = parse(b"---\nname: a\ntype: user\n---")
    assert doc.fields == {"name": "a", "type": "user"} and doc.body == ""
    assert doc.with_body("text\n").raw == b"---\nname: a\ntype: user\n---\ntext\n"


def test_rules_in_values_and_bodies_do_not_end_the_header():
    doc = parse(b"---\nname: a --- b\ndescription: x\ntype: project\n---\npart 1\n\n---\n\npart 2\n")
    assert doc.fields["name"] == "a --- b" and doc.body == "part 1\n\n---\n\npart 2\n"


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nJust a rule at the top, no header.\n",
        "---\n\nA rule, prose\n\n---\n\nand another rule.\n",
        "---\n# Heading\n---\ntext\n",
        "---\n- a\n- b\n---\ntext\n",
        '---\nWhat happened: "it" broke: badly\n- one\n---\ntext\n',
        "----\nname: a\n---\n",
        " ---\nname: a\n---\n",
    ],
)
def test_what_is_no_mapping_between_two_rules_is_body(text):
    doc = parse(text.encode())
    assert doc.fields == {} and doc.body == text and doc.span is None
    assert doc.with_field(("metadata", "flagged"), True).body == text


def test_values_stay_as_written_where_yaml_would_convert_them():
    doc = parse(
        b"---\nname: 2026-06-03\nversion: 1.0\ncount: 404\nok: yes\ndescription: null\nnothing:\ntilde: ~\n"
        b"metadata:\n  modified: 2026-07-30T17:50:02.540Z\n  flagged: yes\n  pinned: false\n---\n"
    )
    assert doc.fields == {
        "name": "2026-06-03",
        "version": "1.0",
        "count": "404",
        "ok": "yes",
        "description": "null",
        "nothing": "",
        "tilde": "~",
        "metadata": {"modified": "2026-07-30T17:50:02.540Z", "flagged": True, "pinned": False},
    }
    assert json.loads(json.dumps(doc.fields)) == doc.fields


@pytest.mark.parametrize("text", ["proven pattern for #123 retirements", "#977 follow-up", "a # b # c"])
def test_text_after_a_number_sign_is_shown_and_survives_a_rewrite(text):
    doc = parse(f"---\nname: x\ndescription: {text}\ntags: [a]  # comment\n---\n".encode())
    assert doc.fields["description"] == text and doc.fields["tags"] == ["a"]
    assert any("`description`" in warning for warning in doc.warnings)
    made = doc.with_field("description", text, rewrite=True)
    assert yaml.safe_load(made.header)["description"] == text and not made.warnings


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Root cause: the server died", "Root cause: the server died"),
        ('"Half" a quote', '"Half" a quote'),
        ("`code` first", "`code` first"),
        ("[WIP] not a list", "[WIP] not a list"),
        ("@you: look", "@you: look"),
        ("*bold* text", "*bold* text"),
        ("'open quote", "'open quote"),
        ("ends with colon:", "ends with colon:"),
        ("%x y: z # 1", "%x y: z # 1"),
        ("a: b\n  goes on", "a: b goes on"),
    ],
)
def test_a_value_that_yaml_refuses_costs_a_warning_and_nothing_else(line, value):
    raw = f"---\nname: n\ndescription: {line}\nmetadata: \n  node_type: memory\n  type: user\ntags:\n- a\n- 'b'\n---\nbody\n"
    doc = parse(raw.encode())
    assert not doc.valid and any("`description` is not valid YAML" in warning for warning in doc.warnings)
    assert doc.fields == {
        "name": "n",
        "description": value,
        "metadata": {"node_type": "memory", "type": "user"},
        "tags": ["a", "b"],
    }
    made = doc.with_field(("metadata", "flagged"), True)
    assert made.raw == raw.replace("  type: user\n", "  type: user\n  flagged: true\n").encode()
    assert doc.with_field("description", value, rewrite=True).valid


def test_twice_the_same_key_is_reported_and_the_last_one_counts():
    doc = parse(b"---\ntype: user\ntype: project\n---\n")
    assert doc.fields == {"type": "project"} and "`type` stands more than once" in doc.warnings[0]
    assert doc.with_field("type", "feedback").raw == b"---\ntype: user\ntype: feedback\n---\n"


@pytest.mark.parametrize(
    "header",
    [
        "a: " + "[" * 50_000,
        "a: " + "{b: " * 50_000,
        "- " * 50_000,
        "x: &x [a, a, a, a, a, a, a, a, a]\n"
        + "".join(
            f"{chr(98 + i)}: &{chr(98 + i)} [" + ", ".join([f"*{'x' if not i else chr(97 + i)}"] * 9) + "]\n"
            for i in range(8)
        ),
        "a: &a [*a]",
        "name: " + "x" * 200_000,
        "? [a, b]\n: c",
    ],
    ids=["flow", "maps", "items", "laughs", "cycle", "long", "complex"],
)
def test_a_hostile_header_is_survived(header):
    raw = f"---\nname: kept\n{header}\n---\nbody\n".encode()
    doc = parse(raw)
    assert doc.raw == raw and "body\n" in doc.body


# ---------------------------------------------------------------- editing fields


@often
@given(shapes.documents(), st.sampled_from(FIELDS), shapes.hard_values())
@example(b"", ("name",), "")
@example(b"---\nmetadata: {type: x}\n---\n", ("metadata", "own"), "a, b")
def test_an_edit_of_sound_frontmatter_changes_one_line_and_reads_back_in_any_reader(raw, path, value):
    doc = parse(raw)
    made = doc.with_field(path, value)
    loaded = yaml.safe_load(made.header)
    for key in path:
        loaded = loaded[key]
    assert made.get(path) == value
    if made is not doc:
        assert loaded == value
    before, after = lines(raw), lines(made.raw)
    where = next(
        (i for i, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), len(before)
    )
    if doc.get(path) is not None:
        assert len(after) == len(before) and before[where + 1 :] == after[where + 1 :]
        if made is not doc:
            assert (path[-1] + ":").encode() in before[where]
            assert re.match(rb".*?(?=\r?\n)", after[where])[0] != before[where]
            assert before[where].endswith(b"\r\n") == after[where].endswith(b"\r\n")
    else:
        added = len(after) - len(before)
        assert before[where:] == after[where + added :] or (added == 0 and path[0] == "metadata")


def lines(raw: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+", raw.removeprefix(shapes.BOM))


@settings(max_examples=200, deadline=None)
@given(shapes.entry_files(), st.sampled_from(FIELDS), shapes.hard_values())
def test_an_edit_of_any_file_is_proven_or_refused(raw, path, value):
    try:
        doc = parse(raw)
        made = doc.with_field(path, value)
    except (NotText, EditRefused):
        return
    assert made.get(path) == value and made.body == doc.body and made.raw.endswith(doc.body.encode())
    assert made.valid >= doc.valid
    known, changed = dict(doc.fields), dict(made.fields)
    known.pop(path[0], None)
    changed.pop(path[0], None)
    assert changed == known
    if doc.get(path) is not None and len(path) == 1 and doc.span:
        # Nothing but the lines from this key to the next one differs.
        start, end = region(doc.header, path[0])
        assert made.header.startswith(doc.header[:start]) and made.header.endswith(doc.header[end:])


def region(header: str, key: str) -> tuple[int, int]:
    starts = [
        match.start() for match in re.finditer(rf"^[\"']?{re.escape(key)}[\"']? *:", header, re.MULTILINE)
    ]
    assume(starts)
    # A line that is neither a key nor anything else goes on with the value above it.
    following = re.compile(r"^[^\s#\-][^\n]*?:(?=\s)", re.MULTILINE).search(
        header, header.index("\n", starts[-1]) + 1
    )
    return starts[-1], following.start() if following else len(header)


@settings(max_examples=200, deadline=None)
@given(shapes.entry_files(), st.sampled_from(FIELDS))
def test_almost_no_real_shape_is_refused(raw, path):
    """A store whose files cannot be flagged is one that cannot be dreamt over."""
    try:
        doc = parse(raw)
    except NotText:
        return
    assume(doc.valid and not doc.warnings and isinstance(doc.get("metadata") or {}, dict))
    assume("?" not in doc.header and "*" not in doc.header and "&" not in doc.header)
    assert doc.with_field(path, "new: value").get(path) == "new: value"


@often
@given(shapes.documents(), st.sampled_from([("new",), ("metadata", "flagged"), ("metadata", "deep", "er")]))
def test_a_field_that_is_added_and_removed_leaves_the_bytes_from_before(raw, path):
    doc = parse(raw)
    assume(doc.get(path) is None)
    assert doc.with_field(path, "x").without_field(path).raw == raw
    assert doc.without_field(path) is doc


@often
@given(shapes.entry_files())
def test_each_field_can_go_without_another_one_going(raw):
    try:
        doc = parse(raw)
    except NotText:
        return
    for key in doc.fields:
        try:
            made = doc.without_field(key)
        except EditRefused:
            continue
        assert made.fields == {k: v for k, v in doc.fields.items() if k != key} and made.body == doc.body


@often
@given(
    st.sampled_from(
        [
            "x: [{0}]\n",
            "x:\n{1}",
            "m:\n  x: [{0}]  # c\n  z: 1\n",
            "m:\n  x: # c\n{2}",
            "x: [\n  {0} ]\nz: 2\n",
        ]
    ),
    st.lists(st.sampled_from(["a", "b.md", '"c: d"', "'e'", "漢"]), min_size=1, max_size=4),
    st.lists(st.one_of(st.sampled_from(["a", "b.md", "c: d", "漢"]), shapes.hard_values()), max_size=4),
)
def test_lists_are_changed_item_by_item(form, items, new):
    text = form.format(
        ", ".join(items), "".join(f"- {i}\n" for i in items), "".join(f"    -   {i}  # why\n" for i in items)
    )
    doc = parse(f"---\nname: n\n{text}---\nbody\n".encode())
    path = ("m", "x") if "m" in doc.fields else ("x",)
    # In block form, a plain item keeps what YAML would take for a comment.
    old = doc.get(path)
    wanted = [next((had for had in old if had.startswith(item) and item), item) for item in new]
    made = doc.with_field(path, wanted)
    assert made.get(path) == wanted and made.valid
    for key in ("name", "z"):
        assert made.get(key) == doc.get(key)
    if wanted[: len(old)] == old and "[" not in form:
        for line in text.splitlines()[1:]:
            assert line in made.header


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("tags: [a, b]", ["a", "c", "b"], "tags: [a, c, b]"),
        ("tags: [a, 'b']", ["'", "b"], "tags: [\"'\", 'b']"),
        ("tags: [a, b, c]", ["c"], "tags: [c]"),
        ("tags: [a, b, c]", ["a"], "tags: [a]"),
        ("tags: []", ["a"], "tags:\n  - a"),
        ("tags: [a]", [], "tags: []"),
        ("tags:\n- a # one\n- b", ["a # one", "b", "c, d"], 'tags:\n- a # one\n- b\n- "c, d"'),
        ("tags:\n    - a\n    # two\n    - b", ["b"], "tags:\n    - b"),
        ("tags: a", ["a", "b"], "tags:\n  - a\n  - b"),
        ("tags:", ["a"], "tags:\n  - a"),
        ("tags: >\n  folded\n  text", "new", "tags: new"),
        ("tags: |\n  a\n\n  b", "x\ny", 'tags: "x\\ny"'),
        ("tags: {a: b}", "x", "tags: x"),
        ("tags:\n  a: b", "x", "tags: x"),
        ("tags: &t x", "z", "tags: z"),
        ("tags: x", "y", 'tags: "y"'),
    ],
)
def test_each_form_of_a_value_can_be_replaced(before, value, after):
    raw = f"---\nname: n # 1\n{before}\nlast: 'z'\n---\nbody\n"
    assert edited(raw.encode(), "tags", value) == raw.replace(before, after).encode()


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        ("own: a: b\n", {"own": "a: b"}),
        ("Some prose key: a: b\nname: n\n", {"Some prose key": "a: b", "name": "n"}),
        ("name:\nstray line\n", {"name": "stray line"}),
    ],
)
def test_a_broken_header_is_told_from_prose_between_rules(header, fields):
    doc = parse(f"---\n{header}---\nbody\n".encode())
    assert doc.fields == fields and doc.body == "body\n"
    key = next(iter(fields))
    made = doc.with_field(key, "sound")
    assert made.get(key) == "sound" and made.valid


def test_a_key_that_stands_twice_is_removed_twice():
    assert parse(b"---\nname: n\ntype: a\ntype: b\n---\n").without_field("type").raw == b"---\nname: n\n---\n"


def test_a_header_is_not_removed_where_the_body_would_become_one():
    raw = b"---\nx: y\n---\n---\n---\nbody\n"
    assert parse(raw).without_field("x").raw == raw.replace(b"x: y\n", b"")
    assert parse(raw).without_field("x").body == parse(raw).body


def test_an_edit_that_breaks_the_yaml_of_a_neighbour_is_refused_even_if_it_would_still_be_read():
    with pytest.raises(EditRefused):
        edited(b'---\nname: &n "*n"\nother: *n\n---\n', "name", "b")


def test_an_anchor_that_others_use_is_not_edited_away():
    raw = b"---\nname: &n a\nother: *n\n---\nbody\n"
    with pytest.raises(EditRefused, match=r"x\.md: cannot edit `name`.*by hand"):
        parse(raw, "x.md").with_field("name", "b")
    assert edited(raw, "other", "b") == b"---\nname: &n a\nother: b\n---\nbody\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("metadata: \n  type: x\nz: 1\n", "metadata: \n  type: x\n  flagged: true\nz: 1\n"),
        ("metadata:\n    type: x\n", "metadata:\n    type: x\n    flagged: true\n"),
        ("metadata: {type: x}\n", "metadata: {type: x, flagged: true}\n"),
        ("metadata: {}\n", "metadata: {flagged: true}\n"),
        ("metadata:\nz: 1\n", "metadata:\n  flagged: true\nz: 1\n"),
        ("metadata: # ours\n  type: x # y\n", "metadata: # ours\n  type: x # y\n  flagged: true\n"),
        ("name: a\n", "name: a\nmetadata:\n  flagged: true\n"),
        ("a: |+\n  x\n\n", "a: |+\n  x\n\nmetadata:\n  flagged: true\n"),
        (
            "metadata:\n  own: |\n    text\n\n# end\n",
            "metadata:\n  own: |\n    text\n  flagged: true\n\n# end\n",
        ),
        ("", "metadata:\n  flagged: true\n"),
        ("m:\n   a: b\n", "m:\n   a: b\nmetadata:\n   flagged: true\n"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_key_is_added_in_the_files_own_form(before, after, end):
    frame = "---\n{}---\nbody\n"
    raw = frame.format(before).replace("\n", end).encode()
    assert edited(raw, ("metadata", "flagged"), True) == frame.format(after).replace("\n", end).encode()


def test_a_metadata_that_is_text_is_not_overwritten():
    with pytest.raises(EditRefused, match="holds a value and not a mapping"):
        edited(b"---\nmetadata: some text\n---\n", ("metadata", "flagged"), True)


def test_a_file_without_frontmatter_gets_one():
    assert edited(b"hello", "name", "x") == b"---\nname: x\n---\nhello"
    assert edited(b"\xef\xbb\xbfa\r\nb", "name", "x") == b"\xef\xbb\xbf---\r\nname: x\r\n---\r\na\r\nb"
    assert edited(b"", ("metadata", "type"), "x") == b"---\nmetadata:\n  type: x\n---\n"


@pytest.mark.parametrize("value", ["\ud800", "a\udfffb", ["ok", "\ud83d"]])
def test_half_a_surrogate_pair_is_refused_by_name(value):
    with pytest.raises(BadValue, match=r"character \d is half of a surrogate pair .* take it out"):
        edited(b"---\nname: a\n---\n", "name", value)
    with pytest.raises(BadValue):
        parse(b"x").with_body("\ud800")


def test_a_value_of_a_foreign_kind_is_an_error_and_not_a_guess():
    with pytest.raises(TypeError, match="text, lists and mappings, not int"):
        edited(b"---\nname: a\n---\n", "name", 404)


# ---------------------------------------------------------------- bodies and new files


@often
@given(shapes.entry_files(), st.text(st.characters(exclude_categories=["Cs"])))
def test_a_new_body_leaves_the_frontmatter_bytes_alone(raw, text):
    try:
        doc = parse(raw)
        made = doc.with_body(text)
    except (NotText, EditRefused):
        return
    assert made.body == text and made.fields == doc.fields and made.raw.startswith(raw[: doc.head])


def test_a_body_that_would_become_frontmatter_is_refused():
    with pytest.raises(EditRefused, match="would be read as frontmatter"):
        parse(b"text\n").with_body("---\nname: forged\n---\n")
    assert parse(b"---\na: b\n---\ntext\n").with_body("---\nname: kept\n---\n").fields == {"a": "b"}


@often
@given(
    st.dictionaries(st.sampled_from(["name", "description", "type", "own key", "404"]), shapes.hard_values()),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["\n", "\r\n"]),
)
def test_a_new_file_reads_back_in_any_reader(fields, body, newline):
    made = new_document(fields, body, newline=newline)
    assert made.fields == fields and made.body == body
    assert (yaml.safe_load(made.header) or {}) == fields
