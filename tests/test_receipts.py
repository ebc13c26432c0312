"""A receipt's difference is one of real bytes: git makes of the store before what the run left behind."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from dream_kit import Bed, make_bed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_strategies import stores, write_store

from agentops_dream import secrets, undoing
from agentops_dream.models import Receipt
from agentops_dream.order import Nothing, Stopped

MODELS = ("offline", "tidy", "restless", "flag", "relink", "mixed")
AGENTS = (None, b"", b"# Mine\n", b"\xef\xbb\xbf# Mine\r\nno final newline", "# 手書き\n".encode())


def replay(before: Mapping[str, bytes], receipt: Receipt) -> dict[str, bytes]:
    """Return what ``git apply`` makes of the files of ``before``."""
    patch = "".join(row["diff"] for row in receipt.files).encode("utf-8", "surrogateescape")
    with tempfile.TemporaryDirectory() as folder:
        for name, data in before.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if patch:
            env = {**os.environ, "GIT_CEILING_DIRECTORIES": folder, "GIT_CONFIG_NOSYSTEM": "1", "HOME": folder}
            done = subprocess.run(
                ["git", "apply", "--whitespace=nowarn", "-"], input=patch, cwd=folder, env=env, capture_output=True
            )
            assert done.returncode == 0, (done.stderr.decode(), patch.decode("utf-8", "replace"))
        found = {os.fspath(path.relative_to(folder)): path for path in Path(folder).rglob("*") if path.is_file()}
        return {name: path.read_bytes() for name, path in found.items()}


def dreamt(bed: Bed, model: str) -> Receipt:
    if model == "offline":
        return bed.dream("nothing", BACKEND="offline")
    return bed.dream(model)


def check(store: Mapping[str, bytes], agents: bytes | None, model: str) -> int:
    """Dream over ``store``, undo it, and hold both receipts against the bytes; return how many files changed."""
    with tempfile.TemporaryDirectory() as folder:
        bed = make_bed(Path(folder))
        write_store(bed.memory, store)
        if agents is not None:
            (bed.project / "AGENTS.md").write_bytes(agents)
        before = bed.tree()
        if any(secrets.find(data.decode("utf-8", "replace")) for data in before.values()):
            return 0  # a receipt shows no secret, so nothing can be made of it there
        try:
            receipt = dreamt(bed, model)
        except (Nothing, Stopped):
            assert bed.tree() == before
            return 0
        after = bed.tree()
        assert replay(before, receipt) == after
        if receipt.files:
            undone = undoing.undo(bed.order(), receipt.run)
            assert replay(after, undone) == bed.tree() == before
        return len(receipt.files)


GENERATED = {"suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much]}


@settings(max_examples=20, **GENERATED)
@given(stores(max_entries=6), st.sampled_from(AGENTS), st.sampled_from(MODELS))
def test_a_receipt_leads_from_the_bytes_before_to_the_bytes_after(
    store: Mapping[str, bytes], agents: bytes | None, model: str
) -> None:
    """What a person sees in `show`, `diff` or a report is what was done, or nothing there can be trusted."""
    check(store, agents, model)


@pytest.mark.slow
@settings(max_examples=400, **GENERATED)
@given(stores(max_entries=8), st.sampled_from(AGENTS), st.sampled_from(MODELS))
def test_many_receipts_lead_from_the_bytes_before_to_the_bytes_after(
    store: Mapping[str, bytes], agents: bytes | None, model: str
) -> None:
    check(store, agents, model)


def test_the_generated_runs_do_change_files() -> None:
    """Else the two above would hold for a program that does nothing."""
    body = "---\nname: {0}\ndescription: note to self: {0}\n---\n\nNote to self: the {0} listens on port 80{1}.\r\nsame"
    store = {f"{name}.md": body.format(name, number).encode() for number, name in enumerate(("api", "web", "db"), 10)}
    assert sum(check(store, AGENTS[3], model) for model in MODELS) > 10
