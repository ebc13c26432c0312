"""``agentops-dream``: the shell's way in (SPEC §15). Commands call rooms; they decide nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from agentops_dream import __version__
from agentops_dream.cli import back, completing, dreaming, evaluating, looking, reporting, review
from agentops_dream.cli.app import FAILED, USAGE, Failed, legible
from agentops_dream.journal.runs import NoRun
from agentops_dream.order import Busy, Stopped
from agentops_dream.rem.errors import RemError
from agentops_dream.review.decisions import BadDecision
from agentops_dream.staging import BadProposal
from agentops_dream.transaction.errors import TransactionError, remedy

EXPECTED = (Failed, Busy, Stopped, RemError, NoRun, BadProposal, BadDecision, TransactionError)
"""Errors that carry their own remedy: shown as one line, exit code 1, nothing changed."""


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", prog_name="agentops-dream")
def cli() -> None:
    """Consolidate a coding agent's memory: nothing new, nothing lost, nothing hidden.

    Exit codes: 0 done or nothing to do; 1 it failed and nothing was changed; 2 wrong usage.
    """


for command in (
    dreaming.run,
    dreaming.demo,
    looking.status,
    looking.log,
    looking.show,
    looking.diff,
    looking.doctor,
    reporting.stats,
    reporting.report,
    review.review,
    review.apply,
    review.discard,
    review.unflag,
    back.undo,
    back.purge,
    completing.completion,
    evaluating.evaluate,
):
    cli.add_command(command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a console of another code page must not end a command
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        result = cli.main(
            args=None if argv is None else list(argv), prog_name="agentops-dream", standalone_mode=False
        )
    except click.exceptions.Abort:
        return FAILED
    except click.ClickException as error:
        error.show()
        return USAGE
    except EXPECTED as error:
        print(f"agentops-dream: {legible(str(error))}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        told = f"{where}{error.strerror or error}. {remedy(error, '')}".strip()
        print(f"agentops-dream: {legible(told)}", file=sys.stderr)
        return FAILED
    return result if isinstance(result, int) else 0


if __name__ == "__main__":
    sys.exit(main())
