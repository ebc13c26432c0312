"""The call as a whole: what is hidden, what comes back, and what an error may say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rem_parts import TODAY, TOKEN, USUAL, bare, configured, entry, shown

from agentops_dream.models import Reply, Usage, WorkingSet
from agentops_dream.rem import ask as module
from agentops_dream.rem.ask import CALL_CAP_USD, ask
from agentops_dream.rem.call import Answer, Call
from agentops_dream.rem.errors import RemError
from agentops_dream.secrets import Vault

SPENT = Usage(usd=0.02, input_tokens=5, output_tokens=6, calls=1, model="m", seconds=1.0)
SECRET_ENTRY = entry("access.md", f"token: {TOKEN}")


class Model:
    """A backend that says what it is told to, in terms of what it was shown."""

    def __init__(self, say: Any) -> None:
        self.say = say
        self.call: Call | None = None

    def __call__(self, call: Call) -> Answer:
        self.call = call
        said = self.say(call)
        if isinstance(said, Exception):
            raise said
        return Answer(said, "", SPENT)


def asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, say: Any, working_set: WorkingSet = USUAL, **more: Any
) -> tuple[Reply, Call]:
    model = Model(say)
    monkeypatch.setattr(module, "MODELS", {"claude": model})
    reply = ask(working_set, configured(), env={}, workdir=tmp_path, today=TODAY, **more)
    assert model.call is not None
    return reply, model.call


def test_placeholders_come_back_as_secrets_but_not_in_words_for_people(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    vault = Vault("n0nce")

    def say(call: Call) -> Any:
        [mark] = set(vault.placeholders_in(call.user))
        op = {
            "op": "update", "target_ids": ["access"], "new_body": f"The token is {mark}.", "confidence": 0.9,
            "new_frontmatter": {"description": f"Token {mark}"}, "superseded": [{"text": mark, "by": "access"}],
            "rationale": f"It was {mark}.",
        }  # fmt: skip
        return {"ops": [op], "summary": f"Kept {mark}."}

    reply, call = asked(monkeypatch, tmp_path, say, shown(SECRET_ENTRY), vault=vault)
    [op] = reply.ops
    assert TOKEN not in call.user and TOKEN not in call.system
    assert op["new_body"] == f"The token is {TOKEN}."
    assert op["new_frontmatter"]["description"] == f"Token {TOKEN}" and op["superseded"][0]["text"] == TOKEN
    assert TOKEN not in op["rationale"] and TOKEN not in reply.summary


PASSWORD = "Tr0ub4dor" + "-Kx93z"
HEADER = "---\nname: b\ndescription: B\nmetadata:\n  type: project\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{HEADER}  db_password: {PASSWORD}\n---\nB uses `b_tab`.\n",
        f"{HEADER}  db_password: {PASSWORD}\n---\nLog in with {PASSWORD}.\n",
        f"{HEADER}  db_password:\n    - one\n    - {PASSWORD}\n---\nB\n",
        f"{HEADER}  db_password: >-\n    {PASSWORD}\n---\nB\n",
        f"{HEADER}  password of {PASSWORD}: x\n  db_password: {PASSWORD}\n---\nB\n",
        f"{HEADER}  {TOKEN}: v\n---\nB\n",
        f"{HEADER}  of:\n    deep:\n      - {{{TOKEN}: v}}\n---\nB\n",
        f"{HEADER}---\n| user | password |\n|---|---|\n| admin | {PASSWORD} |\n",
        f"---\nname: {TOKEN}\ndescription: the {TOKEN}\n---\nB\n",
    ],
)
def test_a_secret_would_reach_the_model_out_of_its_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
) -> None:
    """A value loses the word that gave it away once it stands alone in a field."""
    nothing = lambda call: {"ops": [], "summary": ""}  # noqa: E731
    index = f"- [B](b.md) — log in with {PASSWORD}, {TOKEN}\n"
    _, call = asked(monkeypatch, tmp_path, nothing, shown(bare("b.md", text), index=index))
    assert TOKEN not in call.user
    assert PASSWORD not in call.user or PASSWORD not in text


def test_a_placeholder_that_stands_for_nothing_stays_where_the_judge_sees_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    vault = Vault("n0nce")

    def say(call: Call) -> Any:
        mark = vault.placeholders_in(call.user)[0].replace("1", "7")
        return {
            "ops": [{"op": "update", "target_ids": ["access"], "new_body": mark, "confidence": 0.9}],
            "summary": "",
        }

    reply, _ = asked(monkeypatch, tmp_path, say, shown(SECRET_ENTRY), vault=vault)
    assert vault.placeholders_in(reply.ops[0]["new_body"])


def test_the_model_is_told_of_placeholders_only_if_there_are_any(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    nothing = lambda call: {"ops": [], "summary": ""}  # noqa: E731
    assert "stand for secrets" not in asked(monkeypatch, tmp_path, nothing)[1].user
    assert "stand for secrets" in asked(monkeypatch, tmp_path, nothing, shown(SECRET_ENTRY))[1].user


@pytest.mark.parametrize(("budget", "cap"), [(None, CALL_CAP_USD), (0.25, 0.25), (100.0, CALL_CAP_USD)])
def test_a_call_may_cost_what_is_left_of_the_day_and_never_more_than_its_cap(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, budget: float | None, cap: float
) -> None:
    reply, call = asked(monkeypatch, tmp_path, lambda call: {"ops": [], "summary": ""}, budget_usd=budget)
    assert call.budget_usd == cap and reply.usage == SPENT


@pytest.mark.parametrize(
    "say",
    [
        lambda call: {"ops": "no"},
        lambda call: None,
        lambda call: RemError("api", f"API Error: the key {TOKEN} is\nnot known", SPENT),
    ],
)
def test_an_error_tells_its_cost_in_one_line_without_secrets(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, say: Any
) -> None:
    with pytest.raises(RemError) as caught:
        asked(monkeypatch, tmp_path, say)
    assert caught.value.usage == SPENT
    assert TOKEN not in str(caught.value) and "\n" not in str(caught.value)


def test_a_reason_that_is_too_long_is_cut_and_not_the_op_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    op = {"op": "flag", "target_ids": ["the-port"], "confidence": 0.9, "rationale": "x\n" * 500}
    reply, _ = asked(monkeypatch, tmp_path, lambda call: {"ops": [op], "summary": ""})
    assert len(reply.ops[0]["rationale"]) == 240 and "\n" not in reply.ops[0]["rationale"]


def test_every_dream_has_a_mark_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nothing = lambda call: {"ops": [], "summary": ""}  # noqa: E731
    first, second = (asked(monkeypatch, tmp_path, nothing)[1].user for _ in range(2))
    assert first != second
