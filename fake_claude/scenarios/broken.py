"""Replies that are no plan: wrong shapes, wrong bodies, and everything a client says instead.

The names begin with where the fault lies: ``body_`` in one op, ``reply_`` in the whole reply, and
the rest in the way there.
"""

from __future__ import annotations

import json
from typing import Any

from fake_claude.answer import Answer, error, say, structured
from fake_claude.answer import dead as _dead
from fake_claude.prompt import Prompt
from fake_claude.scenarios.honest import editable, tidy
from fake_claude.scenarios.ops import body_of, merge, op, plan, scenario, update

# ---------------------------------------------------------------- one op


def _rewrite(prompt: Prompt, body: Any) -> Answer:
    ops = [{**update(e), "new_body": body} for e in editable(prompt)]
    return plan(ops)


def _join(prompt: Prompt, body: Any, **more: Any) -> Answer:
    entries = prompt.entries
    return plan([merge(entries[0], entries[1], body, **more)] if len(entries) > 1 else [])


@scenario
def body_null(prompt: Prompt) -> Answer:
    """A merge whose body is ``null``."""
    return _join(prompt, None)


@scenario
def body_missing(prompt: Prompt) -> Answer:
    """A merge without a body."""
    answer = _join(prompt, None)
    assert answer.structured is not None
    for item in answer.structured.input["ops"]:
        del item["new_body"]
    return answer


@scenario
def body_empty(prompt: Prompt) -> Answer:
    """Every body becomes the empty text."""
    return _rewrite(prompt, "")


@scenario
def body_blank(prompt: Prompt) -> Answer:
    """Every body becomes white space."""
    return _rewrite(prompt, " \n\t\n")


@scenario
def body_literal_null(prompt: Prompt) -> Answer:
    """Every body becomes the word null."""
    return _rewrite(prompt, "null")


@scenario
def body_number(prompt: Prompt) -> Answer:
    """Every body becomes a number."""
    return _rewrite(prompt, 42)


@scenario
def body_shrunk(prompt: Prompt) -> Answer:
    """Every body loses two thirds."""
    return plan([update(e, body=body_of(e)[: len(body_of(e)) // 3]) for e in editable(prompt)])


@scenario
def merge_with_itself(prompt: Prompt) -> Answer:
    """A merge of an entry with itself."""
    return plan([merge(e, e, body_of(e)) for e in editable(prompt)[:1]])


@scenario
def not_shown(prompt: Prompt) -> Answer:
    """Ops on entries that were never shown."""
    return plan([op("delete", ["never-shown"], 0.99), op("update", ["../outside"], new_body="text")])


@scenario
def confidence_text(prompt: Prompt) -> Answer:
    """Confidence in words."""
    return plan([update(e, body=body_of(e), confidence="high") for e in editable(prompt)])


@scenario
def confidence_high(prompt: Prompt) -> Answer:
    """Confidence of 95 out of 1."""
    return plan([update(e, body=body_of(e), confidence=95) for e in editable(prompt)])


@scenario
def confidence_nan(prompt: Prompt) -> Answer:
    """Confidence that is not a number; some parsers let the word through."""
    return plan([update(e, body=body_of(e), confidence=float("nan")) for e in editable(prompt)])


# ---------------------------------------------------------------- the whole reply


@scenario
def reply_null(prompt: Prompt) -> Answer:
    """The reply is ``null``."""
    return structured(None)


@scenario
def reply_list(prompt: Prompt) -> Answer:
    """The reply is a list."""
    return structured([])


@scenario
def reply_empty_object(prompt: Prompt) -> Answer:
    """The reply has no ops at all."""
    return structured({})


@scenario
def ops_null(prompt: Prompt) -> Answer:
    """``ops`` is ``null``."""
    return structured({"ops": None, "summary": ""})


@scenario
def ops_not_a_list(prompt: Prompt) -> Answer:
    """``ops`` is an object."""
    return structured({"ops": {"op": "delete"}, "summary": ""})


@scenario
def ops_text(prompt: Prompt) -> Answer:
    """``ops`` is a text that contains the list."""
    return structured({"ops": "[]", "summary": ""})


@scenario
def reply_empty(prompt: Prompt) -> Answer:
    """Nothing was said."""
    return say("")


@scenario
def reply_blank(prompt: Prompt) -> Answer:
    """Only white space was said."""
    return say(" \n \n")


@scenario
def reply_literal_null(prompt: Prompt) -> Answer:
    """The word null was said."""
    return say("null")


@scenario
def reply_prose(prompt: Prompt) -> Answer:
    """A friendly text without a plan."""
    return say("I had a look at your memories {all of them} and they look wonderful. Shall I do anything?")


def _tidy_text(prompt: Prompt) -> str:
    block = tidy(prompt).structured
    assert block is not None
    return json.dumps(block.input, ensure_ascii=False)


@scenario
def reply_text(prompt: Prompt) -> Answer:
    """A good plan as bare text: good, though not through the tool."""
    return say(_tidy_text(prompt))


@scenario
def reply_fenced(prompt: Prompt) -> Answer:
    """A good plan in a fence, after prose with braces and an example of its own."""
    example = '```json\n{"example": "of {braces}"}\n```'
    plan_ = f"```json\n{_tidy_text(prompt)}\n```"
    return say(f"Sure {{about travel}}. The form is:\n{example}\nHere you are:\n{plan_}\nDone.")


@scenario
def reply_truncated(prompt: Prompt) -> Answer:
    """A plan that breaks off after its first ops."""
    text = _tidy_text(prompt)
    return say(text[: max(2, len(text) - 20)])


@scenario
def reply_truncated_fenced(prompt: Prompt) -> Answer:
    """The same in a fence that never closes."""
    text = _tidy_text(prompt)
    return say(f"```json\n{text[: max(2, len(text) - 20)]}")


# ---------------------------------------------------------------- the way there


def _as_success(status: int, kind: str, message: str, text: str) -> Answer:
    return error(status, kind, message, rc=0, envelope={"is_error": False, "result": text})


@scenario
def nothing_at_all(prompt: Prompt) -> Answer:
    """Success, and not a byte on stdout."""
    return say("", stdout="", rc=0)


@scenario
def error_with_rc_0(prompt: Prompt) -> Answer:
    """An error envelope that ends with success."""
    return error(500, "api_error", "Internal server error", rc=0)


@scenario
def error_as_success(prompt: Prompt) -> Answer:
    """The text of an error as the result of a success."""
    return _as_success(500, "api_error", "Internal server error", "API Error: 500 Internal server error")


@scenario
def login(prompt: Prompt) -> Answer:
    """Not logged in, said as plain text with success."""
    text = "Invalid API key · Please run /login\n"
    return error(401, "authentication_error", "invalid x-api-key", stdout=text, rc=0)


@scenario
def login_envelope(prompt: Prompt) -> Answer:
    """Not logged in, said as an ordinary result."""
    text = "Invalid API key · Please run /login"
    return _as_success(401, "authentication_error", "invalid x-api-key", text)


@scenario
def limit(prompt: Prompt) -> Answer:
    """The usage limit is reached, said as an ordinary result."""
    text = "You've hit your limit · resets 5pm"
    return _as_success(429, "rate_limit_error", text, text)


@scenario
def bad_request(prompt: Prompt) -> Answer:
    """The API refuses the request."""
    return error(400, "invalid_request_error", "prompt is too long")


@scenario
def unauthorized(prompt: Prompt) -> Answer:
    """The API refuses the key."""
    return error(401, "authentication_error", "invalid x-api-key")


@scenario
def rate_limited(prompt: Prompt) -> Answer:
    """Too many requests."""
    return error(429, "rate_limit_error", "Number of requests has exceeded your rate limit")


@scenario
def overloaded(prompt: Prompt) -> Answer:
    """The API is overloaded."""
    return error(529, "overloaded_error", "Overloaded")


@scenario
def refusal(prompt: Prompt) -> Answer:
    """The model refuses."""
    return say("I can't help with that.", stop_reason="refusal")


@scenario
def out_of_tokens(prompt: Prompt) -> Answer:
    """The reply is longer than it may be."""
    text = _tidy_text(prompt)
    return say(text[: len(text) // 2], stop_reason="max_tokens")


@scenario
def over_budget(prompt: Prompt) -> Answer:
    """A good plan that costs more than it may."""
    block = tidy(prompt).structured
    assert block is not None
    return structured(block.input, usage={"input_tokens": 50_000_000})


@scenario
def cut(prompt: Prompt) -> Answer:
    """The stream ends in the middle, with every sign of success."""
    return say(_tidy_text(prompt), cut="clean")


@scenario
def cut_off(prompt: Prompt) -> Answer:
    """The connection breaks in the middle."""
    return say(_tidy_text(prompt), cut="reset")


@scenario
def dead(prompt: Prompt) -> Answer:
    """Nobody answers."""
    return _dead()


@scenario
def slow(prompt: Prompt) -> Answer:
    """A good plan, a minute later; ``slow:5`` after five seconds."""
    return tidy(prompt).after(60.0)
