"""A Messages API on the loopback, so that the real client and the real SDK run without a network.

It stands in for the model, not for Claude Code. Several roles meet at one server: the *agent* of a
session, which follows a script of turns; the *extractor*, the client's own background pass that
writes memories after ``Stop``; and the *dreamer*, told apart by the schema that its reply has to
satisfy (one with ``ops``). Everything else that a client asks is answered politely, and every
request is recorded.

    with FakeAPI(dreamer="tidy", agent=[remember("a.md", "…"), say("Done.")]) as api:
        subprocess.run(["claude", "-p", "…"], env={**env, **api.env()})
    assert len(api.dreams) == 1

From a shell: ``python3 -m fake_claude.server --dreamer tidy`` prints its port and serves.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Union

from fake_claude import scenarios
from fake_claude.answer import STRUCTURED, Answer, ToolUse, error, say
from fake_claude.loopback import Call, Loopback
from fake_claude.messages import Request, events, failure, message, usage
from fake_claude.prompt import Prompt, parse

Agent = Callable[[Request], Answer]
Dream = Callable[[Prompt], Answer]
# Aliases are evaluated at run time, also on Python 3.9.
Dreamer = Union[str, Answer, Dream, Sequence[Any]]  # noqa: UP007
Script = Union[Agent, Sequence[Any]]  # noqa: UP007

_MODELS = ("claude-haiku-4-5-20251001", "claude-sonnet-4-5-20250929", "claude-opus-4-5-20251101")


class FakeAPI(Loopback):
    """The server, as a context manager. Its roles may be given new scripts while it runs.

    ``dreamer``: a scenario name, a path to one, an ``Answer``, a function from ``Prompt`` to
    ``Answer``, or a list of these, one per dream (the last one repeats). ``agent`` and ``extractor``:
    a function from ``Request`` to ``Answer``, or a list of answers and functions, one per turn since
    the user's last own words; after its end they say "Done." ``log``: a file that gets every
    request as a JSON line.
    """

    def __init__(
        self,
        *,
        dreamer: Dreamer = "nothing",
        agent: Script = (),
        extractor: Script = (),
        log: str | os.PathLike[str] | None = None,
        **bounds: Any,
    ) -> None:
        super().__init__(**bounds)
        self.dreamer = dreamer
        self.agent = agent
        self.extractor = extractor
        self.log = log
        self.requests: list[Request] = []
        self.answers: dict[int, Answer] = {}
        """Request number -> what was answered."""

    def env(self) -> dict[str, str]:
        """Return what a client needs to come here, and nowhere else."""
        return {
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_KEY": "fake-key-for-a-local-stand-in",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
        }

    # ------------------------------------------------------------ what was asked

    def of_role(self, role: str) -> list[Request]:
        """Return the requests of one role, in order."""
        with self.lock:
            return [request for request in self.requests if request.role == role]

    @property
    def dreams(self) -> list[Request]:
        """Requests of the dreamer: each is one paid model call."""
        return self.of_role("dreamer")

    @property
    def turns(self) -> list[Request]:
        """Requests of the agent."""
        return self.of_role("agent")

    @property
    def calls(self) -> list[Request]:
        """All requests that a real API would have charged for."""
        with self.lock:
            return [request for request in self.requests if request.role]

    # ------------------------------------------------------------ what is answered

    def handle(self, call: Call) -> None:
        """Answer one HTTP request."""
        request = self._record(call)
        if request.role:
            self._model(request, call)
        elif request.path == "/v1/messages/count_tokens" and request.method == "POST":
            call.json(200, {"input_tokens": usage(request, Answer())["input_tokens"]})
        elif request.path == "/v1/models":
            call.json(200, {"data": [_model(name) for name in _MODELS], "has_more": False})
        elif request.path.startswith("/v1/models/"):
            call.json(200, _model(request.path.rsplit("/", 1)[1]))
        elif request.path == "/":
            call.json(200, {"stand-in": "messages"})
        else:
            call.json(404, failure(error(404, "not_found_error", "not part of the stand-in")))

    def answer(self, request: Request) -> Answer:
        """Return what the model says to ``request``."""
        if not request.messages:
            answer = error(400, "invalid_request_error", "messages: Field required")
        elif request.role == "dreamer":
            answer = self._dream(request)
        elif request.role == "agent":
            answer = _turn(self.agent, request)
        elif request.role == "extractor":
            answer = _turn(self.extractor, request)
        else:
            answer = _courtesy(request)
        with self.lock:
            self.answers[request.number] = answer
        return answer

    def _record(self, call: Call) -> Request:
        with self.lock:
            number = len(self.requests)
            request = Request(number, call.command, call.where, call.public_headers, call.payload)
            if request.method == "POST" and request.path == "/v1/messages":
                request = request.as_role(role_of(request))
            self.requests.append(request)
            if self.log is not None:
                line = {
                    "number": number,
                    "method": request.method,
                    "path": request.path,
                    "role": request.role,
                }
                with open(self.log, "a", encoding="utf-8") as out:
                    out.write(json.dumps({**line, "body": request.body}, ensure_ascii=False) + "\n")
        return request

    def _dream(self, request: Request) -> Answer:
        results = request.results
        if results and not any(result.get("is_error") for result in results):
            # Some versions ask once more after the structured output was accepted.
            return say("Done.")
        first_tries = [r for r in self.dreams if r.number < request.number and len(r.messages) == 1]
        nth = len(first_tries) - (len(request.messages) > 1)
        answer = scenarios.dream(self.dreamer, parse(f"{request.system}\n{request.prompt}"), nth)
        # Bound to a schema without a tool for it, a model gives JSON as its text.
        return answer if STRUCTURED in request.tools else answer.as_text()

    def _model(self, request: Request, call: Call) -> None:
        answer = self.answer(request)
        if answer.wait:
            self.closed.wait(min(answer.wait, self.seconds))
        if answer.dead or self.closed.is_set():
            call.hang_up()
        elif answer.status != 200:
            call.json(
                answer.status, failure(answer), {"retry-after": "1"} if answer.status in (429, 529) else {}
            )
        elif request.body.get("stream"):
            call.stream(events(request, answer), finish=answer.cut != "reset")
        elif answer.cut:
            call.part(message(request, answer))
        else:
            call.json(200, message(request, answer))


def role_of(request: Request) -> str:
    """Return who asks: ``dreamer``, ``agent``, ``extractor`` or ``other``.

    A session may end with a background fork that extracts memories after ``Stop``; its last words
    from the user's side say that it is one.
    """
    if "ops" in (request.schema.get("properties") or {}):
        return "dreamer"
    if not request.tools:
        return "other"
    return "extractor" if "memory extraction subagent" in request.prompt else "agent"


def memory_dir(request: Request) -> str:
    """Return the memory directory that the client told its model about; raises ``LookupError``.

    A scripted agent learns it the way a model does: from the prompt.
    """
    for text in (request.system, request.prompt):
        found = re.search(r"memory (?:system |directory )?(?:located )?at `?([^`\n]+?/)`", text)
        if found:
            return found.group(1)
    raise LookupError("the prompt names no memory directory")


def remember(path: str, content: str) -> Agent:
    """Return a turn that writes ``content`` to ``path`` below the memory directory with Write."""

    def turn(request: Request) -> Answer:
        return Answer((ToolUse("Write", {"file_path": memory_dir(request) + path, "content": content}),))

    return turn


def _turn(script: Script, request: Request) -> Answer:
    if callable(script):
        return script(request)
    turn = script[request.answered] if request.answered < len(script) else say("Done.")
    answer: Answer = turn(request) if callable(turn) else turn
    return answer


def _courtesy(request: Request) -> Answer:
    """Titles, topic checks, warm-ups: something that fits."""
    wanted = {
        name: "Session" if (shape or {}).get("type", "string") == "string" else None
        for name, shape in (request.schema.get("properties") or {}).items()
    }
    return say(json.dumps(wanted)) if wanted else say("OK")


def _model(name: str) -> dict[str, str]:
    return {"type": "model", "id": name, "display_name": name, "created_at": "2025-10-01T00:00:00Z"}


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until the time is up or the process is interrupted."""
    parser = argparse.ArgumentParser(prog="fake_claude.server", description="A Messages API on the loopback.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--dreamer", default="nothing", help="scenario name or file")
    parser.add_argument(
        "--remember", type=Path, metavar="FILE", help="the agent writes this file as a memory"
    )
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--max-requests", type=int, default=1000)
    parser.add_argument("--log", type=Path, help="append every request here, one JSON object a line")
    args = parser.parse_args(argv)
    agent: Script = ()
    if args.remember:
        agent = [remember(args.remember.name, args.remember.read_text(encoding="utf-8"))]
    bounds = {"seconds": args.seconds, "max_requests": args.max_requests, "port": args.port}
    api = FakeAPI(dreamer=args.dreamer, agent=agent, log=args.log, **bounds)
    with api, contextlib.suppress(KeyboardInterrupt):
        print(api.port, flush=True)
        while not api.closed.is_set():
            time.sleep(0.1)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
