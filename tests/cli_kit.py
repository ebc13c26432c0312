"""The command line without a process of its own: fast enough to type dozens of commands in one test."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from dream_kit import Bed

from agentops_dream.cli.main import main

Say = Callable[..., str]
"""Takes the words of a command and returns all that it prints."""


class Shell:
    """Types commands into the memory directory of ``bed``."""

    def __init__(self, bed: Bed, patch: pytest.MonkeyPatch, output: pytest.CaptureFixture[str]) -> None:
        self.bed, self._patch, self._output = bed, patch, output

    def __call__(self, *words: str, **env: str) -> tuple[int, str, str]:
        """Return the exit code, stdout and stderr of one command; ``env``: variables besides the bed's."""
        with self._patch.context() as patch:
            for name in [name for name in os.environ if name.startswith(("CLAUDE", "AGENTOPS", "FAKE"))]:
                patch.delenv(name)
            for name, value in {**self.bed.env, **env}.items():
                patch.setenv(name, value)
            patch.chdir(self.bed.project)
            self._output.readouterr()
            code = main(words)
        out, err = self._output.readouterr()
        return code, out, err

    def say(self, *words: str, **env: str) -> str:
        """Return all that one command prints, on lines that are not wrapped."""
        return "".join(self(*words, COLUMNS="500", **env)[1:])
