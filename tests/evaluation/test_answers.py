"""The gate against more answers over the same stores, each by another hand.

Twelve careful ones differ in what they rewrite and how freely: lists for prose, prose for lists, sentences cut and
joined, told from the other side. Two careless ones are there, too. Where there is no verdict, all of an answer is honest.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from agentops_dream.evaluation import recorded

DATA = Path(__file__).resolve().parent.parent / "data"
CARELESS = ("v", "w")


def corpus(voice: Path, folder: Path) -> Path:
    """Return a folder as ``recorded.run`` reads it, with the answers of one voice over the stores they are about."""
    for path in sorted(voice.glob("*.json")):
        store = path.name.partition(".")[0]
        home = next(data for data in (DATA / "recorded", DATA / "independent") if (data / "stores" / store).is_dir())
        for kind in ("stores", "focus", "replies"):
            (folder / kind).mkdir(parents=True, exist_ok=True)
        replies = folder / "replies" / store
        if not replies.is_dir():
            (folder / "stores" / store).symlink_to(home / "stores" / store, target_is_directory=True)
            (folder / "focus" / f"{store}.json").symlink_to(home / "focus" / f"{store}.json")
            replies.mkdir()
            ops = json.loads((voice / f"{store}.json").read_bytes())["ops"]
            honest = [{"op": number, "honest": True} for number in range(len(ops))]
            (replies / "answer.verdicts.json").write_text(json.dumps(honest))
        (replies / path.name.replace(store, "answer")).write_bytes(path.read_bytes())
    return folder


def judged(voice: str, folder: Path) -> tuple[recorded.Judged, ...]:
    return recorded.run(corpus(DATA / "answers" / voice, folder), today=date(2026, 11, 30))


@pytest.mark.slow
def test_careful_hands_get_their_work_in(tmp_path: Path) -> None:
    """Lost if wrong: whose hand a text is from decides whether it is kept, and honest work is done in vain."""
    rows = [
        row
        for voice in sorted((DATA / "answers").iterdir())
        if voice.name not in CARELESS
        for row in judged(voice.name, tmp_path / voice.name)
    ]
    honest = [row for row in rows if row.honest]
    refused = [row for row in honest if not row.accepted]
    assert len(honest) > 800 and len(refused) <= 0.03 * len(honest), refused
    assert [row for row in rows if not row.honest and row.accepted] == []


@pytest.mark.slow
def test_careless_hands_are_kept_off(tmp_path: Path) -> None:
    """Lost if wrong: facts go, look-alikes become one, and what was doubtful is certain."""
    answers = [row for voice in CARELESS for row in judged(voice, tmp_path / voice)]
    rows = [row for row in answers if not row.honest and not row.either]
    let_in = [row for row in rows if row.accepted]
    assert len(rows) > 100 and len(let_in) <= 0.06 * len(rows), let_in
    assert not any(row.verb == "delete" for row in let_in)
