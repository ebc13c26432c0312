"""What a file means, and the edits of an op: what they keep matters as much as what they change."""

from __future__ import annotations

import pytest
import store_strategies as shapes
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agentops_dream.store import entry as edits
from agentops_dream.store.document import EditRefused, NotText, parse
from agentops_dream.store.keys import locate, lookup

often = settings(max_examples=100, deadline=None)


def read(raw: bytes | str, path: str = "note.md"):
    return edits.read_entry(path, raw.encode() if isinstance(raw, str) else raw, 0.0)


# ---------------------------------------------------------------- meaning


def test_the_form_that_the_client_rewrites_reads_as_the_same_entry():
    before = read(
        "---\nname: Formatter Repro Test\ndescription: see PR #762\ntype: feedback\ntriggers: [a, b]\n---\nbody\n"
    )
    after = read(
        "---\nname: formatter-repro-test\ndescription: see PR\nmetadata: \n  node_type: memory\n  type: feedback\n"
        "  triggers: [a, b]\n  originSessionId: 0b8f\n---\nbody\n"
    )
    assert before.type == after.type == "feedback" and before.body == after.body
    assert lookup(before.fields, "triggers") == lookup(after.fields, "triggers") == ["a", "b"]
    assert before.description == "see PR #762"
    # Each keeps its form when it is edited.
    assert parse(edits.retype(before.raw, "user")).fields["type"] == "user"
    assert parse(edits.retype(after.raw, "user")).fields["metadata"]["type"] == "user"


@pytest.mark.parametrize(
    ("path", "kind"),
    [("feedback_x.md", "feedback"), ("sub/user-role.md", "user"), ("reference.md", "reference"), ("Project_X.md", "project"),
     ("projector.md", "unknown"), ("notes.md", "unknown"), ("my_feedback.md", "unknown")],
)  # fmt: skip
def test_an_entry_that_lost_its_header_keeps_identity_and_type(path, kind):
    entry = read(
        '---\nname: ""\nmetadata: \n  node_type: memory\n  originSessionId: 0b8f\n---\n\nBody.\n', path
    )
    assert (entry.name, entry.type, entry.id, entry.body) == ("", kind, edits.stem(path), "\nBody.\n")


@pytest.mark.parametrize(
    ("header", "kind", "warned"),
    [
        ("type: user\n", "user", False),
        ("metadata:\n  type: user\n", "user", False),
        ("type: user\nmetadata:\n  type: user\n", "user", False),
        ("type: user\nmetadata:\n  type: project\n", "project", True),
        ("type: user\nmetadata:\n  type:\n", "user", False),
        ("type: Feedback # corrections\n", "feedback", False),
        ("type: Decision\n", "Decision", False),
        ("type: # later\n", "unknown", False),
        ("type: [a]\n", "unknown", False),
    ],
)
def test_type_is_found_in_either_place_and_a_conflict_is_said(header, kind, warned):
    entry = read(f"---\n{header}---\nx\n")
    assert entry.type == kind and any("counts" in warning for warning in entry.warnings) == warned
    assert not any("cut" in warning for warning in entry.warnings)


@pytest.mark.parametrize(
    ("header", "flags"),
    [
        ("flagged: true\n", (True, False, False)),
        ("metadata:\n  flagged: yes\n  pinned: true\n", (True, True, False)),
        ("pinned: false\nmetadata:\n  pinned: True # keep\n", (False, True, False)),
        ("pinned: false # not yet\nflagged: no # seen\n", (False, False, False)),
        ("pinned: always\n", (False, True, False)),
        ("flagged: no\npinned:\nprivate: null\n", (False, False, False)),
        ("private: true\n", (False, False, True)),
        ("tags: [a, Private]\n", (False, False, True)),
        ("metadata:\n  tags:\n  - '#private'\n", (False, False, True)),
        ("tags: a, private\n", (False, False, True)),
        ("tags: [privateer]\n", (False, False, False)),
    ],
)
def test_flags_are_read_at_the_top_and_under_metadata(header, flags):
    entry = read(f"---\n{header}---\nx\n")
    assert (entry.flagged, entry.pinned, entry.private) == flags


def test_a_field_in_both_places_is_read_by_one_rule():
    fields = read(
        "---\nname: top\nown: top\ntags: [a]\nmetadata:\n  name: in\n  own: in\n  tags: []\n---\n"
    ).fields
    assert (lookup(fields, "name"), lookup(fields, "own"), lookup(fields, "tags")) == ("top", "in", ["a"])
    assert locate(fields, "tags") == ("tags",) and lookup(fields, "none") is None


def test_a_malformed_entry_is_kept_with_a_warning():
    entry = read("---\nname: n\ndescription: Root cause: the server died\ntype: user\n---\nbody\n")
    assert (entry.name, entry.description, entry.type, entry.body) == (
        "n",
        "Root cause: the server died",
        "user",
        "body\n",
    )
    assert entry.warnings == ("frontmatter: `description` is not valid YAML and was read as plain text",)


@pytest.mark.parametrize("value", ["2026-06-03", "404", "yes", "null", "1.0", "設定メモ", "a --- b"])
def test_names_are_text_as_written(value):
    entry = read(f"---\nname: {value}\n---\n")
    assert entry.name == entry.id == value


def test_a_description_over_lines_is_one_line_and_odd_kinds_are_shown():
    assert read("---\ndescription: >\n  one\n  two\n\n  three\n---\n").description == "one two three"
    assert read("---\ndescription: [WIP]\nname: {a: b}\n---\n").description == "[WIP]"


@often
@given(shapes.entry_files(), st.sampled_from(["note.md", "user_x.md"]))
def test_every_file_that_is_text_is_an_entry(raw, path):
    try:
        entry = read(raw, path)
    except NotText:
        return
    assert entry.raw == raw and entry.path == path and entry.id and entry.type
    assert all(isinstance(text, str) for text in (entry.name, entry.description, entry.type, *entry.links))


# ---------------------------------------------------------------- edits

EDITS = {
    "describe": lambda raw, text: edits.describe(raw, text),
    "rename": lambda raw, text: edits.rename(raw, text),
    "retype": lambda raw, text: edits.retype(raw, text),
    "flag": lambda raw, text: edits.flag(raw, text),
    "unflag": lambda raw, text: edits.unflag(raw),
    "set_body": lambda raw, text: edits.set_body(raw, text),
    "repair": lambda raw, text: edits.repair(raw),
}
OWN = {"describe": "description", "rename": "name", "retype": "type", "flag": "flagged", "unflag": "flagged"}


@settings(max_examples=250, deadline=None)
@given(
    st.one_of(shapes.entry_files(), shapes.documents()), st.sampled_from(sorted(EDITS)), shapes.hard_values()
)
def test_an_edit_keeps_every_other_field_and_never_the_date(raw, verb, text):
    try:
        before = parse(raw)
        made = EDITS[verb](raw, text)
    except (NotText, EditRefused):
        return
    after = parse(made)
    assert lookup(after.fields, "modified") == lookup(before.fields, "modified")
    if verb != "set_body":
        assert after.body == before.body
    assert flat(after.fields, OWN.get(verb)) == flat(before.fields, OWN.get(verb))
    if verb in ("describe", "rename", "retype"):
        assert lookup(after.fields, OWN[verb]) == text
    assert EDITS[verb](made, text) == made


def flat(fields, but):
    """All fields by path, without the one that was edited and without mappings that only it filled."""
    found = {}
    for key, value in fields.items():
        if isinstance(value, dict) and value:
            found |= {
                f"{key}.{inner}": item
                for inner, item in value.items()
                if but is None or not inner.startswith(but)
            }
        elif value not in ("", {}) and (but is None or not key.startswith(but)):
            found[key] = value
    return found


@often
@given(shapes.documents(), shapes.hard_values())
def test_a_flag_can_be_cleared_without_a_trace(raw, reason):
    assume(locate(parse(raw).fields, "flagged") is None)
    assume("metadata:\n" not in parse(raw).header or isinstance(parse(raw).get("metadata"), dict))
    flagged = edits.flag(raw, reason)
    entry = read(flagged)
    assert entry.flagged and lookup(entry.fields, "flagged_reason") == reason and entry.body == read(raw).body
    assert edits.unflag(flagged) == raw


def test_a_flag_that_a_person_set_is_found_where_it_is():
    raw = b"---\nname: a\nflagged: no\nmetadata:\n  type: user\n---\nx\n"
    assert (
        edits.flag(raw, "why: so")
        == b'---\nname: a\nflagged: true\nmetadata:\n  type: user\nflagged_reason: "why: so"\n---\nx\n'
    )
    both = b"---\nflagged: true\nmetadata:\n  flagged: true\n  type: user\n---\nx\n"
    assert edits.unflag(both) == b"---\nmetadata:\n  type: user\n---\nx\n"
    assert (
        edits.flag(b"---\nmetadata: text\n---\n", "r")
        == b"---\nmetadata: text\nflagged: true\nflagged_reason: r\n---\n"
    )


def test_retype_goes_where_the_generation_keeps_it():
    assert edits.retype(b"---\nname: a\n---\n", "user") == b"---\nname: a\nmetadata:\n  type: user\n---\n"
    assert edits.retype(b"---\ntype: a\n---\n", "user") == b"---\ntype: user\n---\n"
    both = b"---\ntype: a\nmetadata:\n  type: b\n---\n"
    assert edits.retype(both, "user") == b"---\ntype: user\nmetadata:\n  type: user\n---\n"
    assert edits.retype(b"text\n", "user") == b"---\nmetadata:\n  type: user\n---\ntext\n"


# ---------------------------------------------------------------- bodies


@pytest.mark.parametrize(
    ("old", "new", "made"),
    [
        ("\nold\n", "new", "\nnew\n"),
        ("old", "new\n\n", "new"),
        ("\n\nold\n\n", "\nold\n", "\n\nold\n\n"),
        ("a\r\nb\r\n", "a\nc", "a\r\nc\r\n"),
        ("a\r\nb\nc\r\nd", "a\nb\nx\nc\nd", "a\r\nb\nx\nc\r\nd"),
        ("a\r\nb\r\n", "a\r\nb", "a\r\nb\r\n"),
        ("", "new", "\nnew\n"),
        ("\n", "new", "\nnew\n"),
        ("  indented\n", "  other  ", "  other  \n"),
    ],
)
def test_a_new_body_keeps_the_frame_and_the_line_ends_of_the_old_one(old, new, made):
    head = b"---\nname: a\n---\n"
    assert edits.set_body(head + old.encode(), new) == head + made.encode()


@often
@given(shapes.entry_files())
def test_the_same_body_again_is_no_edit(raw):
    try:
        body = parse(raw).body
    except NotText:
        return
    assert edits.set_body(raw, body) == raw
    assert edits.set_body(raw, "\n" + body.replace("\r\n", "\n") + "\n\n") == raw


@often
@given(shapes.documents(), shapes.bodies())
def test_a_body_reads_back_but_for_its_frame(raw, body):
    assume(not body.strip("\n").startswith("---") or parse(raw).span)
    made = parse(edits.set_body(raw, body))
    assert made.body.replace("\r\n", "\n").strip("\n") == body.strip("\n")


# ---------------------------------------------------------------- repair


def test_repair_quotes_what_is_broken_and_nothing_else():
    raw = (
        b"---\r\nname: 'kept'\r\ndescription: Root cause: it #1\r\nstatus: done # a comment\r\ntags: [x]\r\n"
        b"metadata: \r\n  own: `a`\r\n  type: user # y\r\n---\r\nbody"
    )
    made = edits.repair(raw)
    assert made == raw.replace(b"Root cause: it #1", b'"Root cause: it #1"').replace(b"`a`", b'"`a`"')
    assert parse(made).fields == parse(raw).fields
    assert edits.repair(b"---\ndescription: see #7\n---\n") == b'---\ndescription: "see #7"\n---\n'


@often
@given(shapes.entry_files())
def test_repair_changes_no_value_and_makes_yaml_of_most(raw):
    try:
        doc = parse(raw)
    except NotText:
        return
    made = parse(edits.repair(raw))
    assert made.fields == doc.fields and made.body == doc.body and made.valid >= doc.valid
    assert edits.repair(made.raw) == made.raw


# ---------------------------------------------------------------- new entries


def test_a_new_entry_has_the_form_of_its_neighbours():
    flat_form = parse(b"---\r\nname: a\r\ntype: user\r\n---\r\nx\r\n")
    assert edits.new_entry("note", "d: e", "user", "b1\nb2", like=flat_form) == (
        b'---\r\nname: note\r\ndescription: "d: e"\r\ntype: user\r\n---\r\n\r\nb1\r\nb2\r\n'
    )
    nested = parse(b"---\nname: a\nmetadata: \n  node_type: memory\n  type: user\n---\nx\n")
    assert edits.new_entry("note", "d", "user", "b", like=nested) == (
        b"---\nname: note\ndescription: d\nmetadata:\n  node_type: memory\n  type: user\n---\n\nb\n"
    )
    assert (
        edits.new_entry("note", "d", "user", "")
        == b"---\nname: note\ndescription: d\nmetadata:\n  type: user\n---\n"
    )


@often
@given(
    shapes.hard_values(),
    shapes.hard_values(),
    st.sampled_from(["user", "404"]),
    shapes.bodies(),
    shapes.entry_files(),
)
def test_a_new_entry_reads_back_whatever_it_says(name, description, kind, body, neighbour):
    try:
        like = parse(neighbour)
    except NotText:
        like = None
    doc = parse(edits.new_entry(name, description, kind, body, like=like))
    loaded = yaml.safe_load(doc.header)
    assert loaded["name"] == name and loaded["description"] == description
    assert (loaded.get("metadata") or loaded)["type"] == kind
    assert doc.body.replace("\r\n", "\n").strip("\n") == body.strip("\n")
