"""From accepted ops to bytes: edits, lineage, links, flags (SPEC §4, §8)."""

from __future__ import annotations

import pytest
import yaml
from deep_world import OUTBOX, PAGES, World, after, codes, op, page, statuses

from agentops_dream.deep import changes
from agentops_dream.store.document import EditRefused

TOKEN = "ghp_" + "a1B2" * 9


def header(raw: bytes | None) -> dict[str, object]:
    assert raw is not None
    loaded = yaml.safe_load(raw.decode("utf-8-sig").split("---")[1])
    assert isinstance(loaded, dict)
    return loaded


def meta(raw: bytes | None) -> dict[str, object]:
    """Return top level and metadata as one."""
    fields = header(raw)
    inner = fields.pop("metadata", None) or {}
    assert isinstance(inner, dict)
    return {**fields, **inner}


MERGE = op("merge", "outbox", "outbox-events", new_body=OUTBOX)


# ---------------------------------------------------------------- bytes


def test_changes_are_complete_and_say_who_made_them(world: World) -> None:
    """Lost if wrong: undo, receipts and the transaction work on bytes that never were."""
    judged = world.judge(MERGE, op("flag", "paging"))
    entries = {change.path: change for change in judged.changes.entries}
    assert set(entries) == {"outbox.md", "outbox-events.md", "worker.md", "paging.md"}
    for change in entries.values():
        assert change.before == (world.root / change.path).read_bytes()
        assert change.after != change.before
    assert entries["outbox-events.md"].after is None
    assert entries["outbox-events.md"].ops == entries["outbox.md"].ops == entries["worker.md"].ops == (0,)
    assert entries["paging.md"].ops == (1,)
    assert judged.changes.heirs == {"outbox-events.md": "outbox.md"}


def test_an_op_that_changes_nothing_writes_nothing(world: World) -> None:
    """Lost if wrong: a no-op counts as a change, and the next dream is paid for it."""
    same = op("update", "paging", new_body=PAGES, new_frontmatter={"name": "paging", "metadata": {"type": "reference"}})
    judged = world.judge(same)
    assert statuses(judged) == ["applied"] and not judged.changes
    assert codes(judged.verdicts[0]) == ["no-change"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_the_form_of_a_file_survives(world: World, newline: str, bom: bytes) -> None:
    """Lost if wrong: a dream turns line ends and BOMs over, and every diff is noise."""
    text = "---\nname: form\nodd: [1, 2]\ntype: project\n---\n\nThe port of the proxy is 6432 and stays.\n"
    world.write("form.md", bom + text.replace("\n", newline).encode())
    judged = world.judge(op("update", "form", new_body="The proxy has port 6432.\n\nIt stays.\n"))
    raw = after(judged)["form.md"]
    assert raw is not None and raw.startswith(bom + b"---")
    assert raw.count(b"\r\n") == (raw.count(b"\n") if newline == "\r\n" else 0)
    assert raw.decode("utf-8-sig").replace("\r\n", "\n") == text.split("The port")[0] + "The proxy has port 6432.\n\nIt stays.\n"


def test_an_old_file_stays_old_and_a_new_one_takes_after_its_source(world: World) -> None:
    """Lost if wrong: a dream migrates formats behind the user's back."""
    old = "---\nname: Old Form\ndescription: Ports\ntype: project\n---\n\nStaging has port 6432.\n\nThe relay polls every 250 ms.\n"
    world.write("sub/old_form.md", old)
    judged = world.judge(
        op("update", "Old Form", new_body="Staging has port 6432.\n"),
        op("update", "Old Form", new_name="Relay", new_body="The relay polls every 250 ms.\n",
           new_frontmatter={"description": "Relay", "metadata": {"type": "reference"}}),
    )  # fmt: skip
    made = after(judged)
    assert set(made) == {"sub/old_form.md", "sub/Relay.md"}
    assert header(made["sub/Relay.md"])["type"] == "reference" and header(made["sub/old_form.md"])["type"] == "project"
    assert b"node_type" not in (made["sub/Relay.md"] or b"")


# ---------------------------------------------------------------- survivors and names


def test_whose_file_a_merge_is_written_to(world: World) -> None:
    """Lost if wrong: the linked entry goes and the other stays, or a name decides nothing."""
    cases = [
        ({}, "outbox.md"),
        ({"new_frontmatter": {"name": "outbox-events"}}, "outbox-events.md"),
        ({"new_name": "Outbox_Events".replace("_", "-")}, "outbox-events.md"),
        ({"new_name": "outbox-events", "new_frontmatter": {"name": "outbox"}}, "outbox-events.md"),
        ({"new_frontmatter": {"name": "something-else"}}, "outbox.md"),
    ]
    for fields, survivor in cases:
        made = after(world.judge({**MERGE, **fields}))
        assert [path for path in ("outbox.md", "outbox-events.md") if made[path] is not None] == [survivor], fields


def test_a_merge_under_a_new_name_is_a_new_file_with_all_links(world: World) -> None:
    """Lost if wrong: links to either of the two lead nowhere."""
    world.write("reader.md", page("reader", "Reader", "project", "See [[outbox]] and [[outbox-events|events]].\n"))
    judged = world.judge({**MERGE, "new_name": "Event outbox"})
    made = after(judged)
    assert made["outbox.md"] is None and made["outbox-events.md"] is None
    assert meta(made["Event-outbox.md"])["name"] == "Event outbox"
    assert judged.changes.heirs == {"outbox.md": "Event-outbox.md", "outbox-events.md": "Event-outbox.md"}
    assert made["reader.md"] is not None and b"[[Event-outbox]] and [[Event-outbox|events]]" in made["reader.md"]


def test_new_files_never_meet_old_ones(world: World) -> None:
    """Lost if wrong: on a case-folding disk a new entry overwrites another one."""
    world.write("Rounding Rules.md", "Another note.\n")
    world.write("rounding.md", page("something", "Else", "project", "Else.\n"))
    verdict = world.one(op("update", "mixed", new_name="Rounding!", new_body="Invoices: amounts are stored in `amount_minor`.\n"))
    assert verdict.status == "applied", verdict.reason
    judged = world.judge(op("update", "mixed", new_name="Rounding!", new_body="Invoices: amounts are stored in `amount_minor`.\n"))
    (path,) = after(judged)
    assert path.lower() != "rounding.md" and path.lower().startswith("rounding")


def test_a_name_that_differs_by_case_alone_does_not_move_the_file(world: World) -> None:
    """Lost if wrong: on a case-folding disk the renamed entry is deleted as its own old file."""
    made = after(world.judge(op("update", "paging", new_name="Paging!", delete_source=True)))
    assert set(made) == {"paging.md"} and meta(made["paging.md"])["name"] == "Paging!"


# ---------------------------------------------------------------- lineage


def test_lineage_survives_any_number_of_rewrites(world: World) -> None:
    """Lost if wrong: after three dreams nobody can say where a fact came from."""
    for name in "abcd":
        world.write(f"{name}.md", page(name, f"Note {name}", "project", "The relay polls every 250 ms.\n",
                                       f"originSessionId: s-{name}", f"source_files: [src/{name}.py]"))  # fmt: skip
    steps = [("a", "b"), ("c", "a"), ("d", "c")]
    for keep, lose in steps:
        judged = world.judge(op("merge", keep, lose, new_body="The relay polls every 250 ms.\n"))
        assert statuses(judged) == ["applied"]
        for path, raw in after(judged).items():
            if raw is None:
                (world.root / path).unlink()
            else:
                world.write(path, raw)
        world.judge(op("update", keep, new_body="Every 250 ms the relay polls.\n"))
    fields = meta(world.entry("d.md").raw)
    assert set(fields["merged_from"]) == {"a", "b", "c"}  # type: ignore[call-overload]
    assert set(fields["source_files"]) == {"src/a.py", "src/b.py", "src/c.py", "src/d.py"}  # type: ignore[call-overload]
    assert fields["originSessionId"] == "s-d"
    assert set(fields["merged_originSessionId"]) == {"s-a", "s-b", "s-c"}  # type: ignore[call-overload]


@pytest.mark.parametrize("inferred", ["outbox", "outbox-events"])
def test_inferred_sticks(world: World, inferred: str) -> None:
    """Lost if wrong: a guess is promoted to a fact by being merged."""
    for name in ("outbox", "outbox-events"):
        grounding = "inferred" if name == inferred else "stated"
        world.write(f"{name}.md", page(name, "Events", "project", OUTBOX, f"grounding: {grounding}"))
    assert meta(after(world.judge(MERGE))["outbox.md"])["grounding"] == "inferred"


def test_the_losers_own_keys_are_kept(world: World) -> None:
    """Lost if wrong: tags and status of a merged entry are gone without a word."""
    world.write("outbox.md", page("outbox", "Events", "project", OUTBOX, "tags: [events]", "status: open"))
    world.write("outbox-events.md", page("outbox-events", "Events", "project", OUTBOX, "tags: [relay]", "status: done",
                                         "owner: Tobias", "private: true"))  # fmt: skip
    fields = meta(after(world.judge(MERGE))["outbox.md"])
    assert fields["tags"] == ["events", "relay"] and fields["owner"] == "Tobias" and fields["private"] is True
    assert fields["status"] == "open" and fields["merged_status"] == ["done"]


def test_a_flag_of_a_merged_entry_stays_with_its_facts(world: World) -> None:
    """Lost if wrong: a doubtful fact sheds its flag by being merged."""
    world.write("outbox-events.md", page("outbox-events", "Events", "project", OUTBOX, "flagged: true", "flagged_reason: is it 250?"))
    fields = meta(after(world.judge(MERGE))["outbox.md"])
    assert fields["flagged"] is True and fields["flagged_reason"] == "is it 250?"


def test_a_split_half_carries_where_it_came_from(world: World) -> None:
    """Lost if wrong: a new entry looks as if it had just been learnt."""
    lines = ("originSessionId: s-1", "modified: 2026-03-01T10:00:00Z", "grounding: inferred", "private: true", "tags: [ci]")
    world.write("mixed.md", page("mixed", "CI and rounding", "project", world.entry("mixed.md").body, *lines))
    half = op("update", "mixed", new_name="ci", new_frontmatter={"description": "CI build cache"},
              new_body="CI: the build cache is keyed on `go.sum` plus the runner image.\n")  # fmt: skip
    made = after(world.judge(half))["ci.md"]
    fields = meta(made)
    assert fields["originSessionId"] == "s-1" and fields["derived_from"] == ["mixed"]
    assert fields["grounding"] == "inferred" and fields["private"] is True and fields["tags"] == ["ci"]
    assert made is not None and b"2026-03-01T10:00:00Z" in made


# ---------------------------------------------------------------- links


def test_links_of_the_whole_store_follow_a_merge(world: World) -> None:
    """Lost if wrong: pruning one entry leaves dead links in dozens of others (C21)."""
    world.write("c.md", page("c", "C", "project", "As in [[Outbox_Events#relay|the relay]]; `[[outbox-events]]` is code.\n",
                             "relates_to: [outbox-events.md, paging.md]"))  # fmt: skip
    world.hidden = ["c"]
    judged = world.judge(MERGE)
    raw = after(judged)["c.md"]
    assert raw is not None and b"[[outbox#relay|the relay]]; `[[outbox-events]]` is code." in raw
    assert meta(raw)["relates_to"] == ["outbox.md", "paging.md"]
    assert next(change for change in judged.changes.entries if change.path == "c.md").ops == (0,)


def test_a_pinned_entry_keeps_its_link_and_somebody_is_told(world: World) -> None:
    """Lost if wrong: pinned bytes change, or a link dies in silence."""
    world.write("pin.md", page("pin", "Pinned", "reference", "See [[outbox-events]].\n", "pinned: true"))
    judged = world.judge(MERGE)
    assert statuses(judged) == ["applied"] and "pin.md" not in after(judged)
    assert "link-kept" in codes(judged.verdicts[0]) and "pin.md" in judged.verdicts[0].reason


def test_a_rename_takes_links_and_index_line_along(world: World) -> None:
    """Lost if wrong: the entry is there and nobody finds it."""
    judged = world.judge(op("update", "outbox-events", new_name="Events", delete_source=True))
    made = after(judged)
    assert made["outbox-events.md"] is None and made["Events.md"] is not None
    assert judged.changes.heirs == {"outbox-events.md": "Events.md"}
    assert made["worker.md"] is not None and b"[[Events]]" in made["worker.md"]


def test_relink_adds_links_and_nothing_else(world: World) -> None:
    """Lost if wrong: a relink rewrites, repeats a link, or links an entry to itself."""
    judged = world.judge(op("relink", "paging", links=["outbox", "[[mixed]]", "Outbox", "paging"], new_body="Gone."))
    raw = after(judged)["paging.md"]
    assert raw == world.entry("paging.md").raw + b"\nRelated: [[outbox]], [[mixed]]\n"
    again = world.judge(op("relink", "worker", links=["outbox-events"]))
    assert statuses(again) == ["applied"] and not again.changes


def test_a_link_into_an_open_code_block_is_no_link(world: World) -> None:
    """Lost if wrong: the link is written where nothing reads it as one."""
    world.write("fence.md", page("fence", "Fence", "project", "Run it:\n\n```\nmake run\n"))
    verdict = world.one(op("relink", "fence", links=["outbox"]))
    assert verdict.status == "rejected" and codes(verdict) == ["render"]


def test_links_of_a_merge_that_its_text_lacks_are_added(world: World) -> None:
    """Lost if wrong: a proposed cross-link is dropped without a word."""
    raw = after(world.judge({**MERGE, "links": ["paging", "outbox-events"]}))["outbox.md"]
    assert raw is not None and raw.endswith(b"\n\nRelated: [[paging]]\n")


# ---------------------------------------------------------------- flags


def test_a_flag_is_a_field_and_a_reason(world: World) -> None:
    """Lost if wrong: a flag rewrites text, leaks a secret, or breaks the frontmatter."""
    world.write("key.md", page("key", "Key", "project", f"The token of the bot is {TOKEN} for now.\n"))
    reason = f"Page size: 200 or more?\nSeen with {TOKEN} # maybe"
    raw = after(world.judge(op("flag", "paging", rationale=reason, new_body="x")))["paging.md"]
    fields = meta(raw)
    assert fields["flagged"] is True
    text = str(fields["flagged_reason"])
    assert text.startswith("Page size: 200 or more? Seen with ") and TOKEN not in text and "\n" not in text
    assert raw is not None and raw.endswith(PAGES.encode()) and header(raw)["name"] == "paging"


def test_a_flagged_entry_is_not_flagged_again(world: World) -> None:
    """Lost if wrong: every dream over a flagged entry changes it, for ever."""
    world.write("paging.md", page("paging", "Paging", "reference", PAGES, "flagged: true", "flagged_reason: why"))
    assert not world.judge(op("flag", "paging", rationale="another reason")).changes


def test_a_flag_on_what_is_merged_in_this_plan_goes_to_the_survivor(world: World) -> None:
    """Lost if wrong: the doubt disappears with the file."""
    judged = world.judge(MERGE, op("flag", "outbox-events", rationale="is it 250?"))
    made = after(judged)
    assert made["outbox-events.md"] is None and meta(made["outbox.md"])["flagged_reason"] == "is it 250?"


def test_a_flag_on_what_is_deleted_in_this_plan_touches_nobody_else(world: World) -> None:
    """Lost if wrong: a pinned survivor is flagged in place of the entry that went."""
    world.write("outbox.md", page("outbox", "Events", "project", OUTBOX, "pinned: true"))
    cited = [{"text": "Events", "by": "outbox"}]
    for doubt in (op("flag", "outbox-events"), op("relink", "outbox-events", links=["paging"]), op("delete", "outbox-events", confidence=0.6)):
        judged = world.judge(op("delete", "outbox-events", superseded=cited), doubt)
        assert set(after(judged)) == {"outbox-events.md", "worker.md"}


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (op("flag", "paging"), "rejected"),
        (op("delete", "paging"), "rejected"),
        (op("delete", "paging", confidence=0.6), "rejected"),
        (op("merge", "paging", "mixed", new_body="x", confidence=0.6), "rejected"),
        (op("relink", "paging", links=["mixed"]), "applied"),
    ],
)
def test_an_edit_that_the_store_refuses_refuses_its_op_alone(
    world: World, monkeypatch: pytest.MonkeyPatch, raw: dict[str, object], status: str
) -> None:
    """Lost if wrong: a file that cannot be edited hangs the dream, or costs the others their ops."""
    real = changes.edits.flag

    def flag(data: bytes, reason: str, *, path: str = "") -> bytes:
        if path == "paging.md":
            raise EditRefused(path, "`flagged`", "its neighbours would change too")
        return real(data, reason, path=path)

    monkeypatch.setattr(changes.edits, "flag", flag)
    judged = world.judge(raw, op("flag", "worker"))
    assert statuses(judged) == [status, "applied"]
    assert "worker.md" in after(judged) and ("paging.md" in after(judged)) == (status == "applied")


def test_a_reference_that_cannot_follow_keeps_its_target(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lost if wrong: a merge leaves dead links in the one file that cannot be edited."""
    def refuse(data: bytes, moves: object, *, own: str = "", path: str = "") -> bytes:
        if path == "worker.md":
            raise EditRefused(path, "the body", "it would be read as frontmatter")
        return real(data, moves, own=own, path=path)  # type: ignore[arg-type]

    real = changes.retarget
    monkeypatch.setattr(changes, "retarget", refuse)
    judged = world.judge(MERGE, op("flag", "paging"))
    assert statuses(judged) == ["parked", "applied"] and set(after(judged)) == {"paging.md"}
    assert "worker.md" in judged.verdicts[0].reason


def test_a_body_that_would_be_read_as_frontmatter_is_refused(world: World) -> None:
    """Lost if wrong: a plain note becomes metadata."""
    world.write("plain.md", "A plain note about the relay that polls every 250 ms.\n")
    raw = op("update", "plain", new_body="---\nA plain note: about the relay that polls every 250 ms.\n---\n")
    assert world.one(raw).status == "rejected" and not world.judge(raw).changes


def test_broken_frontmatter_is_repaired_with_the_edit(world: World) -> None:
    """Lost if wrong: what the dream writes still does not load in strict readers."""
    world.write("broken.md", "---\nname: broken\ndescription: Steps: a, b\ntype: project\n---\n\nRun the steps a and b.\n")
    raw = after(world.judge(op("update", "broken", new_frontmatter={"description": "Steps: a, b"})))["broken.md"]
    assert header(raw)["description"] == "Steps: a, b"


def test_a_reason_brings_nothing_in(world: World) -> None:
    """Lost if wrong: what no entry says gets into memory as the reason of a flag."""
    known = after(world.judge(op("flag", "paging", rationale="200 rows here; is ORD-1422 right on 2026-11-30?")))
    assert "ORD-1422" in str(meta(known["paging.md"])["flagged_reason"])
    bad = after(world.judge(op("flag", "paging", rationale="The port is 9999 now, use `make open`.")))
    assert "9999" not in (bad["paging.md"] or b"").decode() and meta(bad["paging.md"])["flagged"] is True


# ---------------------------------------------------------------- secrets


RELAY = "The relay polls every 250 ms and writes to `order_outbox`.\n"
PASSWORD = "Tr0ub4dor" + "-Kx93z"


@pytest.mark.parametrize(
    "secret_line", [f"api_token: {TOKEN}", f"{TOKEN}: v", f"db_password:\n    - {PASSWORD}", f"source_files: [a, {TOKEN}]"]
)
def test_a_secret_of_a_header_does_not_move(world: World, secret_line: str) -> None:
    """Lost if wrong: merging or splitting copies a token into an entry that people pass on."""
    world.write("plain.md", page("plain", "Relay", "project", RELAY))
    world.write("keyed.md", page("keyed", "Relay", "project", RELAY + "\nIt has port 6432.\n", secret_line))
    body = RELAY + "\nIt has port 6432.\n"
    merged = world.judge(op("merge", "plain", "keyed", new_body=body), op("flag", "paging", rationale="why"))
    assert statuses(merged) == ["rejected", "applied"] and codes(merged.verdicts[0]) == ["secret"]
    parts = [op("update", "keyed", new_body=RELAY), op("update", "keyed", new_name="port", new_body="It has port 6432.\n")]
    split = world.judge(*parts)
    assert "rejected" in statuses(split) and not split.changes
    for verdict in (*merged.verdicts, *split.verdicts):
        assert TOKEN not in verdict.reason and PASSWORD not in verdict.reason
    # In its own file it may stay, whatever the file is called.
    for own in (op("update", "keyed", new_body=body.replace("\nIt", "\nAnd it")), op("merge", "keyed", "plain", new_body=body),
                op("update", "keyed", new_name="other", delete_source=True), op("merge", "keyed", "plain", new_name="other", new_body=body)):  # fmt: skip
        judged = world.judge(own)
        assert statuses(judged) == ["applied"], judged.verdicts[0].reason


def test_a_name_that_is_a_secret_does_not_go_into_other_entries(world: World) -> None:
    """Lost if wrong: lineage and links spread a token over the store."""
    world.write("odd.md", page(TOKEN, "Relay", "project", RELAY))
    world.write("plain.md", page("plain", "Relay", "project", RELAY))
    world.write("reader.md", page("reader", "Reader", "project", "See [[plain]] and [the relay](plain.md).\n"))
    assert codes(world.one(op("merge", "plain", "odd.md", new_body=RELAY))) == ["secret"]
    assert codes(world.one(op("relink", "reader", links=["odd.md"]))) == ["secret"]
    judged = world.judge(op("merge", "odd.md", "plain", new_body=RELAY))
    assert all(raw is None or TOKEN.encode() not in raw or path == "odd.md" for path, raw in after(judged).items())
