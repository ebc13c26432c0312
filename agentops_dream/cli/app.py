"""What every command shares: places, settings, output, and one way for an error to end (SPEC §15)."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from agentops_dream import places, secrets, settings
from agentops_dream.journal import runs
from agentops_dream.order import Nothing
from agentops_dream.review.visible import visible
from agentops_dream.session import as_in_a_session

DONE, FAILED, USAGE = 0, 1, 2


class Failed(Exception):
    """The command could not do what was asked and changed nothing; the message says what to do."""


@dataclass
class App:
    """One invocation: where things are, what is set, and where output goes."""

    env: Mapping[str, str]
    places: places.Places
    settings: settings.Settings
    json: bool = False
    out: Console = field(default_factory=lambda: console(sys.stdout))
    err: Console = field(default_factory=lambda: console(sys.stderr))

    def say(self, text: str = "", style: str = "") -> None:
        """Print one line for a person; nothing with ``--json``. ``text`` is shown as it is."""
        if not self.json:
            self.out.print(Text(legible(text), style=style), soft_wrap=True)

    def show(self, renderable: Any) -> None:
        """Print something that rich can draw; nothing with ``--json``."""
        if not self.json:
            self.out.print(renderable)

    def answer(self, data: Any, **own: str) -> None:
        """Print ``data`` if ``--json`` was given: one document, and nothing else on stdout.

        Secrets are redacted, but not in ``own``, fields that we have made ourselves: a page's address
        holds its token.
        """
        if self.json:
            told = {**runs.without_secrets(data), **own} if own else runs.without_secrets(data)
            sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=2, default=str) + "\n")


def legible(text: str) -> str:
    """Return ``text`` as a screen may show it: without secrets, and nothing in it acts instead of showing."""
    return visible(secrets.redact(text))


def console(stream: Any) -> Console:
    """Return a console for ``stream`` that never guesses markup or links from a memory's text."""
    return Console(file=stream, markup=False, highlight=False, emoji=False, soft_wrap=True)


def bare(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command ``--json`` and hand it an ``App`` first, for the memory directory of this folder."""

    @click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else.")
    @functools.wraps(function)
    def wrapped(*args: Any, as_json: bool, **options: Any) -> Any:
        return _done(function, _app(as_in_a_session(os.environ), as_json), *args, **options)

    return wrapped


def _done(function: Callable[..., Any], app: App, *args: Any, **options: Any) -> Any:
    try:
        return function(app, *args, **options)
    except (Nothing, runs.NothingStands) as nothing:
        app.say(str(nothing))
        app.answer({"outcome": "nothing", "message": str(nothing)})
        return DONE


def _app(env: Mapping[str, str], as_json: bool) -> App:
    return App(env, places.resolve(env, os.getcwd()), settings.read(env), as_json)


def command(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command ``--memory-dir`` besides ``--json``, and hand it an ``App`` first."""

    @click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else.")
    @click.option(
        "--memory-dir",
        metavar="DIR",
        help="Memory directory (default: the one Claude Code uses for the current folder).",
    )
    @functools.wraps(function)
    def wrapped(*args: Any, as_json: bool, memory_dir: str | None, **options: Any) -> Any:
        env = as_in_a_session(os.environ)
        if memory_dir is not None:
            env[settings.PREFIX + "MEMORY_DIR"] = str(Path(memory_dir).expanduser().absolute())
        return _done(function, _app(env, as_json), *args, **options)

    return wrapped
