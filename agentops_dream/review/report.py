"""What was dreamt, and what it added up to, as pages to read and to keep (SPEC §13).

Made from receipts alone, so they say what the receipts say: the differences of real bytes, redacted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agentops_dream.journal.stats import Stats
from agentops_dream.models import Receipt, Verdict
from agentops_dream.review import charts, words
from agentops_dream.review.cards import as_written, word
from agentops_dream.review.markup import Html, h, join
from agentops_dream.review.page import Item, document, framed
from agentops_dream.review.panels import anchor, article, chip, details, figure, meta, prose, written

FEW = 8
"""Entries that are named without being asked for."""

SHARED = "indexes"
"""The filter under which files stand that belong to no single op."""


def run_page(receipt: Receipt) -> Html:
    """Return the page of one run: its figures, every op with its verdict and its files, the indexes."""
    items = [
        Item(anchor(receipt.run, verdict.index), _kind(verdict, receipt), verdict.status, _title(verdict))
        for verdict in receipt.verdicts
    ]
    shared = [row for row in receipt.files if not row["ops"]]
    if shared:
        items.append(Item(f"files-{receipt.run}", SHARED, receipt.outcome, "indexes and mirror"))
    main = join(
        _head(receipt),
        [_op(receipt, verdict) for verdict in receipt.verdicts],
        _shared(receipt, shared) if shared else None,
    )
    return document(f"Run {receipt.run}", framed(f"Run {receipt.run}", items, main))


def _kind(verdict: Verdict, receipt: Receipt) -> str:
    return word(verdict.status, receipt.outcome).replace(" ", "-")


def _head(receipt: Receipt) -> Html:
    usage = receipt.usage
    tokens = usage.input_tokens + usage.output_tokens
    rows: list[tuple[str, object]] = [
        ("What", prose(f"{receipt.kind} ({receipt.trigger}), {receipt.started}, {receipt.seconds:g} s")),
        ("Result", [chip(receipt.outcome), " ", prose(receipt.message)]),
    ]
    if usage.calls:
        rows.append(("Model", prose(f"{usage.model}: {tokens} tokens, ${usage.usd:.4f}")))
    rows += [
        (name, _paths(paths))
        for name, paths in (("Focus", receipt.focus), ("Deferred", receipt.deferred))
        if paths
    ]
    if receipt.undoes:
        rows.append(("Takes back", prose(receipt.undoes)))
    rows += [("Note", prose(note)) for note in receipt.notes]
    return h("section", {"class": "deck"}, details(rows))


def _paths(paths: Sequence[str]) -> Html:
    told = prose(", ".join(paths))
    return told if len(paths) <= FEW else h("details", None, h("summary", None, f"{len(paths)} entries"), told)


def _title(verdict: Verdict) -> str:
    return f"{verdict.kind or 'unreadable op'} {', '.join(verdict.targets)}".strip()


def _op(receipt: Receipt, verdict: Verdict) -> Html:
    where = anchor(receipt.run, verdict.index)
    rows: list[tuple[str, object]] = []
    if verdict.rationale:
        rows.append(("Why", prose(verdict.rationale)))
    rows += [("Gate", prose(f"{fault.code}: {fault.message}")) for fault in verdict.faults]
    files = [row for row in receipt.files if verdict.index in row["ops"]]
    return article(
        where,
        _title(verdict),
        {"data-kind": _kind(verdict, receipt), "data-open": ""},
        meta(verdict.status, word(verdict.status, receipt.outcome), verdict.index, verdict.confidence),
        details(rows),
        *map(_file, files),
        written(as_written(verdict.raw)) if not files and verdict.raw is not None else None,
    )


def _shared(receipt: Receipt, rows: Iterable[Mapping[str, Any]]) -> Html:
    data = {"data-kind": SHARED, "data-open": ""}
    return article(f"files-{receipt.run}", "indexes and mirror", data, (), *map(_file, rows))


def _file(row: Mapping[str, Any]) -> Html:
    note = "new" if row["before"] is None else "deleted" if row["after"] is None else ""
    if not row["diff"]:
        note = f"{note} (the difference was purged)".strip()
    return figure(str(row["label"]), note, words.from_unified(str(row["diff"])))


# ---------------------------------------------------------------- stats


def stats_page(found: Stats, memory_dir: str, entries: int, index_bytes: int) -> Html:
    """Return the figures of a memory directory as a page; the last two are as they stand now."""
    figures = [
        ("Dreams", str(found.dreams)),
        ("Ops carried out", str(sum(counts.get("applied", 0) for counts in found.ops.values()))),
        ("Taken back", str(found.undone)),
        ("Tokens", f"{found.input_tokens + found.output_tokens:,}"),
        ("Dollars", f"{found.usd:.4f}"),
        ("Entries", str(entries)),
        ("MEMORY.md, bytes", f"{index_bytes:,}"),
    ]
    days = list(found.days.items())
    sizes = [(size.started[:10], size) for size in found.sizes]
    body = join(
        h("header", {"class": "bar"}, h("h1", None, "Dreaming in figures")),
        h(
            "main",
            {"class": "plain"},
            h("p", {"class": "about"}, prose(memory_dir)),
            h(
                "dl",
                {"class": "figures"},
                [h("div", None, h("dt", None, name), h("dd", None, value)) for name, value in figures],
            ),
            _ops(found),
            h(
                "div",
                {"class": "charts"},
                charts.bars("Dreams a day", [(day, row.dreams) for day, row in days]),
                charts.bars("Ops carried out a day", [(day, row.applied) for day, row in days]),
                charts.bars("Tokens a day", [(day, row.tokens) for day, row in days]),
                charts.bars("Dollars a day", [(day, row.usd) for day, row in days]),
                charts.line("Entries after each run", [(day, size.entries) for day, size in sizes]),
                charts.line("Bytes of MEMORY.md after each run", [(day, size.index_bytes) for day, size in sizes]),
            ),
        ),
    )
    return document("Dreaming in figures", body)


def _ops(found: Stats) -> Html | None:
    statuses = list(dict.fromkeys(status for counts in found.ops.values() for status in counts))
    if not statuses:
        return None
    most = max(sum(counts.values()) for counts in found.ops.values())
    return h(
        "section",
        {"class": "sheet"},
        h("h2", None, "Ops by verb and verdict"),
        h(
            "table",
            None,
            h(
                "thead",
                None,
                h("tr", None, [h("th", {"scope": "col"}, name) for name in ("verb", *statuses, "all")]),
            ),
            h(
                "tbody",
                None,
                [
                    h(
                        "tr",
                        None,
                        h("th", {"scope": "row"}, verb),
                        [h("td", None, str(counts.get(status, 0) or "–")) for status in statuses],
                        h("td", None, charts.share(sum(counts.values()), most)),
                    )
                    for verb, counts in found.ops.items()
                ],
            ),
        ),
    )
