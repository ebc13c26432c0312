"""One suite for every backend: whatever answers, these hold. Written once, run for each.

``claude`` is the stand-in executable, which refuses any call but the least-privilege one; ``api`` is the real
SDK against the stand-in server; ``offline`` needs neither.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest
from rem_parts import PORT, TODAY, TOKEN, USUAL, ask_client, calls, configured, entry, shown

from agentops_dream.models import Reply, WorkingSet
from agentops_dream.rem.ask import ask, prepare
from agentops_dream.rem.errors import KINDS, RemError
from agentops_dream.rem.schema import validate_op


class Backend(Protocol):
    name: str

    def ask(self, scenario: str, working_set: WorkingSet = USUAL, **more: Any) -> Reply: ...

    def seen(self) -> list[str]:
        """What left the house, call by call."""
        ...


class Claude:
    name = "claude"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ask(self, scenario: str, working_set: WorkingSet = USUAL, **more: Any) -> Reply:
        return ask_client(self.folder, scenario, working_set, **more)

    def seen(self) -> list[str]:
        return [json.dumps(call, ensure_ascii=False) for call in calls(self.folder)]


class Api:
    name = "api"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: list[str] = []

    def ask(
        self,
        scenario: str,
        working_set: WorkingSet = USUAL,
        settings: dict[str, Any] | None = None,
        **more: Any,
    ) -> Reply:
        from fake_claude.server import FakeAPI

        with FakeAPI(dreamer=scenario) as server:
            env = {"HOME": str(self.folder), **server.env()}
            try:
                return ask(
                    working_set,
                    configured(backend="api", **(settings or {})),
                    env=env,
                    workdir=self.folder,
                    today=TODAY,
                    **more,
                )
            finally:
                self._seen += [request.everything for request in server.calls]

    def seen(self) -> list[str]:
        return self._seen


class Offline:
    name = "offline"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ask(self, scenario: str, working_set: WorkingSet = USUAL, **more: Any) -> Reply:
        more.pop("settings", None)
        settings = configured(backend="offline")
        return ask(working_set, settings, env={}, workdir=self.folder, today=TODAY, **more)

    def seen(self) -> list[str]:
        return []


ALL = [Claude, Api, Offline]
MODELS = [Claude, Api]


@pytest.fixture(params=ALL, ids=lambda made: made.name)
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Backend:
    return request.param(tmp_path)  # type: ignore[no-any-return]


@pytest.fixture(params=MODELS, ids=lambda made: made.name)
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Backend:
    return request.param(tmp_path)  # type: ignore[no-any-return]


def refused(asked: Callable[[], Reply]) -> RemError:
    with pytest.raises(RemError) as caught:
        asked()
    error = caught.value
    assert error.kind in KINDS and error.message and "\n" not in error.message
    return error


# ---------------------------------------------------------------- every backend


def test_proposals_are_well_formed_and_about_what_was_shown(backend: Backend) -> None:
    twin = entry("deploy-port-copy.md", PORT.body.strip())
    reply = backend.ask("tidy", shown(PORT, twin))
    ids = {"deploy-port", "deploy-port-copy"}
    assert reply.ops and all(validate_op(op) is None for op in reply.ops)
    assert all(set(op["target_ids"]) <= ids for op in reply.ops)
    assert reply.summary and "\n" not in reply.summary
    assert reply.usage.model and reply.usage.usd >= 0


def test_asked_the_same_it_answers_the_same(backend: Backend) -> None:
    assert backend.ask("tidy").ops == backend.ask("tidy").ops


def test_nothing_to_look_at_costs_nothing(backend: Backend) -> None:
    reply = backend.ask("tidy", shown())
    assert (reply.ops, reply.usage.usd, reply.usage.calls, backend.seen()) == ((), 0, 0, [])


def test_no_entry_is_changed_by_being_asked_about(backend: Backend) -> None:
    before = [(e.raw, e.sha256, dict(e.fields)) for e in USUAL.shown]
    backend.ask("tidy")
    assert [(e.raw, e.sha256, dict(e.fields)) for e in USUAL.shown] == before


def test_the_working_directory_is_left_as_it_was(backend: Backend) -> None:
    work = backend.folder / "work" if backend.name == "claude" else backend.folder  # type: ignore[attr-defined]
    work.mkdir(exist_ok=True)
    before = sorted(os.listdir(work))
    backend.ask("tidy")
    assert sorted(os.listdir(work)) == before


# ---------------------------------------------------------------- every model


@pytest.mark.parametrize("scenario", ["tidy", "reply_text", "reply_fenced"])
def test_a_good_plan_arrives_however_it_is_wrapped(model: Backend, scenario: str) -> None:
    reply = model.ask(scenario)
    assert [op["op"] for op in reply.ops] == ["update"]
    assert reply.ops[0]["new_body"].startswith("The deploy port is 8080.")
    assert reply.usage.calls == 1 and reply.usage.usd > 0
    assert reply.usage.input_tokens > 100 and reply.usage.output_tokens > 20


BAD = {
    "reply_null": {"malformed"},
    "reply_list": {"malformed"},
    "reply_empty_object": {"malformed"},
    "ops_null": {"malformed"},
    "ops_not_a_list": {"malformed"},
    "ops_text": {"malformed"},
    "reply_empty": {"empty"},
    "reply_blank": {"empty"},
    "reply_literal_null": {"malformed"},
    "reply_prose": {"malformed"},
    "reply_truncated": {"truncated"},
    "reply_truncated_fenced": {"truncated"},
    "out_of_tokens": {"truncated"},
    "cut": {"truncated"},
    "refusal": {"refusal"},
    "bad_request": {"too-long"},
    "unauthorized": {"login"},
    "rate_limited": {"limit"},
    "overloaded": {"api"},
}


@pytest.mark.parametrize("scenario", BAD)
def test_a_bad_reply_is_an_error_and_what_it_cost_is_told(model: Backend, scenario: str) -> None:
    error = refused(lambda: model.ask(scenario, settings={"timeout": 5}))
    assert error.kind in BAD[scenario]
    assert error.retry_smaller == (error.kind in ("truncated", "too-long", "timeout"))
    answered = error.kind in ("malformed", "empty", "truncated", "refusal")
    assert (error.usage.usd > 0) == answered
    assert error.usage.calls == int(answered) or not answered


@pytest.mark.parametrize("scenario", ["cut_off", "dead"])
def test_a_dead_connection_is_an_error(model: Backend, scenario: str) -> None:
    assert refused(lambda: model.ask(scenario, settings={"timeout": 5})).kind in (
        "api",
        "failed",
        "truncated",
    )


@pytest.mark.parametrize(
    "scenario", ["body_null", "body_number", "body_empty", "confidence_text", "confidence_nan", "not_shown"]
)
def test_a_bad_op_is_left_to_the_judge(model: Backend, scenario: str) -> None:
    """A dream that dies of one op would throw away what was paid for."""
    reply = model.ask(scenario)
    assert reply.ops
    json.dumps(reply.ops, allow_nan=False).encode("utf-8")


def test_no_answer_in_time_is_an_error_and_assumed_to_have_cost(model: Backend) -> None:
    error = refused(lambda: model.ask("slow:30", settings={"timeout": 1}))
    assert error.kind == "timeout" and error.retry_smaller and error.usage.usd > 0


def test_a_secret_does_not_leave_the_house_and_comes_back_in_place(model: Backend) -> None:
    one = entry(
        "access.md", f"Note to self: token for the runner: {TOKEN}, keep it.", description=f"Runner {TOKEN}"
    )
    reply = model.ask("tidy", shown(one, index=f"- [Access](access.md) — {TOKEN}\n"))
    assert model.seen() and not any(TOKEN in text for text in model.seen())
    assert any(TOKEN in op["new_body"] for op in reply.ops if op.get("new_body"))


def test_without_money_nothing_is_sent(model: Backend) -> None:
    assert refused(lambda: model.ask("tidy", budget_usd=0.0)).kind == "budget"
    assert model.seen() == []


def test_the_model_is_offered_no_tool_and_told_todays_date(model: Backend) -> None:
    model.ask("nothing")
    [text] = model.seen()
    assert "Today is 2026-11-30." in text and "the deploy port is 8080" in text
    request = json.loads(text)
    if model.name == "api":
        assert "tools" not in request and request["stream"] is True
        assert request["output_config"]["format"]["type"] == "json_schema"
        assert request["max_tokens"] <= 32_000
    else:
        assert request["argv"][request["argv"].index("--tools") + 1] == ""


def test_what_is_missing_is_known_before_anything_is_done(backend: Backend, tmp_path: Path) -> None:
    settings = configured(backend=backend.name, claude_bin="/no/such/claude")
    if backend.name == "claude":
        with pytest.raises(RemError) as caught:
            prepare(settings, {"HOME": str(tmp_path), "PATH": ""})
        assert caught.value.kind == "not-found"
    else:
        assert backend.name in prepare(settings, {}) or prepare(settings, {}).startswith("anthropic ")
