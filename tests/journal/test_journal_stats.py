"""Figures over many runs: refused plans cost money too, and an undo is no dream."""

from __future__ import annotations

from agentops_dream.journal.stats import Day, Size, Stats, gather
from agentops_dream.models import Fault, Receipt, Usage, Verdict


def receipt(run, kind="dream", outcome="applied", day="2026-01-02", **more):
    return Receipt(run, kind, "Stop", outcome, "", f"{day}T03:04:05Z", 1.0, "/m", "/p", **more)


def row(label, before, after):
    return {"label": label, "before": before, "after": after, "ops": [0], "diff": ""}


def test_no_run_at_all():
    assert gather([]) == Stats()


def test_sums():
    loss = Fault("loss", "x")
    found = gather(
        [
            receipt(
                "2",
                outcome="failed",
                usage=Usage(0.02, 10, 1, 1, "m", 2.0),
                verdicts=(Verdict(0, "", "rejected", faults=(Fault("malformed", "x"), loss, loss)),),
            ),
            receipt(
                "1",
                usage=Usage(0.01, 100, 20, 1, "m", 0.5),
                verdicts=(Verdict(0, "merge", "applied"), Verdict(1, "merge", "parked", faults=(loss,))),
                files=(row("a", "1", "2"), row("b", "1", None), row("c", None, "2")),
            ),
            receipt("3", "undo", undoes="1", day="2026-01-03", files=(row("a", "2", "1"),)),
            receipt("4", "apply", day="2026-01-03", usage=Usage(0.04, 1, 1, 1, "m", 1.0)),
        ]
    )
    assert (found.runs, found.first, found.last) == (4, "2026-01-02T03:04:05Z", "2026-01-03T03:04:05Z")
    assert found.outcomes == {"apply applied": 1, "dream applied": 1, "dream failed": 1, "undo applied": 1}
    assert found.ops == {"?": {"rejected": 1}, "merge": {"applied": 1, "parked": 1}}
    assert list(found.faults.items()) == [("loss", 2), ("malformed", 1)]
    assert (found.changed, found.created, found.removed, found.undone) == (1, 1, 1, 1)
    assert (found.calls, found.usd, found.input_tokens, found.output_tokens) == (3, 0.07, 111, 22)
    assert found.seconds == 3.5 and found.usd_by_day == {"2026-01-02": 0.03, "2026-01-03": 0.04}


def test_days_and_sizes_over_time():
    """What a person looks for: is it worth its money, and does the memory shrink."""
    found = gather(
        [
            receipt("3", day="2026-01-04", entries=9, index_bytes=400),
            receipt("1", usage=Usage(0.01, 100, 20, 1, "m", 0.5), entries=11, index_bytes=600),
            receipt("2", "apply", verdicts=(Verdict(0, "merge", "applied"),), entries=10, index_bytes=500),
            receipt("4", "undo", day="2026-01-04"),
        ]
    )
    assert list(found.days.items()) == [("2026-01-02", Day(1, 1, 120, 0.01)), ("2026-01-04", Day(1, 0, 0, 0.0))]
    assert [(size.entries, size.index_bytes) for size in found.sizes] == [(11, 600), (10, 500), (9, 400)]
    assert found.sizes[0] == Size("1", "2026-01-02T03:04:05Z", 11, 600) and found.dreams == 2


def test_an_op_that_was_only_proposed_is_not_counted_as_done():
    """Approving first would otherwise count each op twice."""
    verdicts = (Verdict(0, "merge", "applied"), Verdict(1, "delete", "flagged"), Verdict(2, "update", "rejected"))
    found = gather(
        [
            receipt("1", outcome="staged", verdicts=verdicts),
            receipt("2", "apply", verdicts=verdicts[:1]),
            receipt("3", outcome="failed", verdicts=verdicts[:1]),
        ]
    )
    assert found.ops == {
        "delete": {"staged": 1},
        "merge": {"applied": 1, "failed": 1, "staged": 1},
        "update": {"rejected": 1},
    }
    assert found.days["2026-01-02"].applied == 1
