"""The API through its SDK: what costs money must be bounded, and half a reply is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rem_parts import TODAY, USUAL, configured

from agentops_dream.rem import prices
from agentops_dream.rem.ask import ask
from agentops_dream.rem.backends import api
from agentops_dream.rem.call import Call
from agentops_dream.rem.errors import RemError


def call(
    env: dict[str, str], *, budget: float = 1.0, timeout: float = 20, model: str = "claude-haiku-4-5-20251001"
) -> Call:
    return Call("rules", "data", model, timeout, budget, env, Path("/nowhere"))


class Clock:
    """Time passes only where somebody sleeps, and a little on each look."""

    def __init__(self, tick: float = 0.0) -> None:
        self.now = 0.0
        self.tick = tick
        self.slept: list[float] = []

    def __call__(self) -> float:
        self.now += self.tick
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def served(dreamer: Any) -> Any:
    from fake_claude.server import FakeAPI

    return FakeAPI(dreamer=dreamer)


def test_an_overloaded_api_is_asked_again_and_then_answers() -> None:
    from fake_claude.answer import error, say

    clock = Clock()
    with served([error(529, "overloaded_error", "Overloaded"), say('{"ops": [], "summary": ""}')]) as server:
        answer = api.ask(call(server.env()), clock=clock, sleep=clock.sleep)
        assert len(server.calls) == 2
    assert answer.text == '{"ops": [], "summary": ""}' and clock.slept == [1.0]


def test_it_is_not_asked_for_ever() -> None:
    clock = Clock()
    with served("overloaded") as server, pytest.raises(RemError) as caught:
        api.ask(call(server.env()), clock=clock, sleep=clock.sleep)
    assert caught.value.kind == "api" and len(clock.slept) == api.RETRIES == len(server.calls) - 1


def test_it_does_not_wait_past_its_time() -> None:
    clock = Clock()
    with served("rate_limited") as server, pytest.raises(RemError) as caught:
        api.ask(call(server.env(), timeout=0.9), clock=clock, sleep=clock.sleep)
    assert caught.value.kind == "limit" and clock.slept == []


@pytest.mark.parametrize("scenario", ["bad_request", "unauthorized"])
def test_what_will_not_change_is_not_asked_again(scenario: str) -> None:
    clock = Clock()
    with served(scenario) as server, pytest.raises(RemError):
        api.ask(call(server.env()), clock=clock, sleep=clock.sleep)
    assert len(server.calls) == 1


def test_a_reply_that_drips_past_the_time_is_ended_and_counted() -> None:
    clock = Clock(tick=1.0)
    with served("tidy") as server, pytest.raises(RemError) as caught:
        api.ask(call(server.env(), timeout=4), clock=clock, sleep=clock.sleep)
    assert caught.value.kind == "timeout" and caught.value.usage.input_tokens > 0


def test_a_stream_without_its_end_is_no_reply_though_its_json_is_whole() -> None:
    from fake_claude.answer import say

    whole = '{"ops": [], "summary": ""}'
    with served(say(whole + " " * 2 * len(whole), cut="clean")) as server, pytest.raises(RemError) as caught:
        api.ask(call(server.env()))
    assert caught.value.kind == "truncated" and caught.value.usage.usd > 0


@pytest.mark.parametrize("env", [{}, {"ANTHROPIC_API_KEY": ""}])
def test_without_a_key_it_says_which_variable(
    env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "somebody-elses")
    with pytest.raises(RemError) as caught:
        ask(USUAL, configured(backend="api"), env=env, workdir=tmp_path, today=TODAY)
    assert caught.value.kind == "login" and "ANTHROPIC_API_KEY" in caught.value.message


def test_a_token_serves_instead_of_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with served("nothing") as server:
        env = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_AUTH_TOKEN": "any"}
        api.ask(call(env))
        assert len(server.calls) == 1


def test_without_the_sdk_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(name: str, *rest: Any) -> Any:
        if name == "anthropic":
            raise ImportError(name)
        return found(name, *rest)

    found = api.importlib.import_module
    monkeypatch.setattr(api.importlib, "import_module", missing)
    with pytest.raises(RemError) as caught:
        ask(USUAL, configured(backend="api"), env={"ANTHROPIC_API_KEY": "x"}, workdir=tmp_path, today=TODAY)
    assert caught.value.kind == "not-found" and "pip install" in caught.value.message


def test_the_output_is_bounded_by_the_money_that_is_left() -> None:
    with served("nothing") as server:
        api.ask(call(server.env(), budget=0.05))
        api.ask(call(server.env(), budget=5.0))
        with pytest.raises(RemError) as caught:
            api.ask(call(server.env(), budget=0.005))
        limits = [request.body["max_tokens"] for request in server.calls]
    assert limits[0] * 5e-6 <= 0.05 < (limits[0] + 10) * 5e-6 + 1e-4
    assert limits[1] == api.MOST_OUTPUT
    assert caught.value.kind == "budget"


class TestPrices:
    def test_the_client_and_the_table_agree(self) -> None:
        """Measured: a thousand tokens in and five hundred out cost 0.0035 with the default model."""
        assert prices.cost("claude-haiku-4-5-20251001", read=1000, wrote=500) == pytest.approx(0.0035)

    @pytest.mark.parametrize(
        "model",
        ["claude-sonnet-4-5-20250929", "us.anthropic.claude-sonnet-4-5-v1:0", "anthropic/claude-sonnet-4-6"],
    )
    def test_a_model_is_known_by_how_its_name_begins(self, model: str) -> None:
        assert prices.per_token(model) == (3e-6, 15e-6)

    def test_the_closest_name_counts(self) -> None:
        assert prices.per_token("claude-sonnet-5-5") == (2e-6, 10e-6)

    @pytest.mark.parametrize("model", ["", "gpt", "claude", "claude-opus-4-1-20250805", "my-gateway-model"])
    def test_an_unknown_model_counts_as_the_dearest(self, model: str) -> None:
        """Else a cap would hold for known models only."""
        assert all(prices.per_token(model)[1] >= price[1] / 1e6 for price in prices.PRICES.values())

    def test_tokens_are_not_undercounted_in_any_script(self) -> None:
        assert prices.tokens("a" * 300) >= 75 and prices.tokens("記" * 300) >= 300
