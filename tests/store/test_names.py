"""New files get names that no file system, agent or neighbour trips over."""

from __future__ import annotations

import unicodedata

import pytest
import store_strategies as shapes
from hypothesis import given, settings
from hypothesis import strategies as st

from agentops_dream.store.names import MAX_BYTES, fold, safe_filename

HOSTILE = [
    "../escape", "../CLAUDE.md", "/etc/x", "..\\x", "a/../../b", "MEMORY.md", "memory", ".git/config", "CON.md", "con",
    "nul.txt", "LPT1", "COM¹", "AGENTS.md", "Claude.local", ".hidden", "...", "", " ", "-", "a" * 300, "漢" * 300,
    "a\x00b", "a\nb", "trailing.", "trailing ", "x:y*?<>|", "\u202egnp", "\ud800", "🚀", "e\u0301" * 90, "team/x", "~",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(st.sampled_from(HOSTILE), shapes.names(), st.text(max_size=40)),
    st.lists(st.one_of(st.sampled_from(HOSTILE), shapes.names()), max_size=4),
)
def test_a_file_name_is_safe_whatever_the_name(name, others):
    taken = []
    for other in others:
        taken.append(safe_filename(other, taken))
    assert len({fold(path) for path in taken}) == len(taken)
    made = safe_filename(name, taken)
    assert made.endswith(".md") and made == unicodedata.normalize("NFC", made)
    assert len(made.encode()) <= MAX_BYTES
    assert not set(made) & set('/\\:*?"<>|\x00\n\r') and made.isprintable()
    stem = made[:-3]
    assert stem[0] not in ".-_ " and stem[-1] not in ". -" and ".." not in stem
    assert fold(stem) not in {"memory", "claude", "agents", "con", "nul", "lpt1", "com1", "claude.local"}
    assert fold(stem).split(".")[0] not in {"con", "nul", "prn", "aux", "com1", "com¹", "lpt1"}
    assert fold(made) not in {fold(path) for path in taken}
    assert safe_filename(name, taken) == made


def test_names_of_signs_alone_do_not_overwrite_one_another():
    made = {safe_filename(name, []) for name in ("🚀", "🎯", " ", "…", "")}
    assert len(made) == 5 and all(name.startswith("note-") for name in made)


@pytest.mark.parametrize(
    ("name", "taken", "made"),
    [
        ("deploy", ["Deploy.md"], "deploy-2.md"),
        ("deploy", ["sub/DEPLOY.md", "deploy-2.md"], "deploy-3.md"),
        ("\u00e9", ["e\u0301.md"], "\u00e9-2.md"),
        ("e\u0301", [], "\u00e9.md"),
        ("Straße", ["STRASSE.md"], "Straße-2.md"),
        ("設定メモ", [], "設定メモ.md"),
        ("배포 설정", [], "배포-설정.md"),
        ("किताब", [], "किताब.md"),
        ("Deploy notes (v1.2)", [], "Deploy-notes-v1.2.md"),
        ("notes.md", [], "notes.md"),
        ("../../x", [], "x.md"),
        ("MEMORY.md", [], "MEMORY-note.md"),
        ("con.cfg", [], "con-cfg.md"),
        ("CON", [], "CON-note.md"),
    ],
)
def test_names_stay_readable_and_collisions_are_seen_by_case_and_form(name, taken, made):
    assert safe_filename(name, taken) == made


def test_a_cut_name_does_not_end_inside_a_letter():
    made = safe_filename("क\u093f" * 60, [])
    assert len(made.encode()) <= MAX_BYTES and made[-4] == "\u093f"
    first, second = safe_filename("漢" * 300, []), safe_filename("漢" * 300, [safe_filename("漢" * 300, [])])
    assert first != second and len(second.encode()) <= MAX_BYTES
