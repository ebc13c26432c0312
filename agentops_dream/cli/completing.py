"""Shell completion: click's own scripts, and the names of runs, proposals and entries (SPEC §15)."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class

from agentops_dream import places, settings, staging
from agentops_dream.cli.app import App, bare, legible
from agentops_dream.journal import runs

VARIABLE = "_AGENTOPS_DREAM_COMPLETE"
"""What click sets when a shell asks for completions; derived from the program's name."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@bare
def completion(app: App, shell: str) -> int:
    """Print the completion script for a shell.

    bash: put `eval "$(agentops-dream completion bash)"` into ~/.bashrc. zsh: the same with zsh, into
    ~/.zshrc. fish: `agentops-dream completion fish > ~/.config/fish/completions/agentops-dream.fish`.
    """
    found = get_completion_class(shell)
    assert found is not None
    root = click.get_current_context().find_root()
    script = found(root.command, {}, "agentops-dream", VARIABLE).source()
    if not app.json:
        click.echo(script)
    app.answer({"shell": shell, "script": script})
    return 0


def names(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the runs that begin with ``typed``, newest first; never raises."""
    state = Path(_places(context).state)
    found = [CompletionItem("last", help="the last run")]
    found += [CompletionItem(receipt.run, help=legible(receipt.message)) for receipt in runs.every(state)]
    return [item for item in found if item.value.startswith(typed)]


def proposals(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the proposals that begin with ``typed``; never raises."""
    waiting, _ = staging.waiting(Path(_places(context).staging))
    return [CompletionItem(item.run, help=item.kind) for item in waiting if item.run.startswith(typed)]


def _places(context: click.Context) -> places.Places:
    env = dict(os.environ)
    if given := context.params.get("memory_dir"):
        env[settings.PREFIX + "MEMORY_DIR"] = str(Path(given).expanduser().absolute())
    return places.resolve(env, os.getcwd())
