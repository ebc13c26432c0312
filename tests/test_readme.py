"""The README says what the code does, or it is wrong."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from dream_kit import ROOT

from agentops_dream import settings
from agentops_dream.cli.main import cli

README = (ROOT / "README.md").read_text(encoding="utf-8")


def settings_table() -> str:
    """Return the table of settings as the README must show it."""
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    for name, _, default, meaning, _ in settings.TABLE:
        if isinstance(default, bool):
            shown = str(int(default))
        elif isinstance(default, float):
            shown = f"{default:.2f}" if "USD" in name else f"{default:g}"
        else:
            shown = str(default)
        rows.append(f"| `{settings.PREFIX}{name}` | {f'`{shown}`' if shown else 'see meaning'} | {meaning} |")
    return "\n".join(rows)


def test_the_settings_table_is_the_one_in_the_code() -> None:
    between = README.split("<!-- settings:start -->")[1].split("<!-- settings:end -->")[0]
    assert between.strip() == settings_table()


def test_readme_opens_with_what_the_user_gets_and_then_the_two_commands() -> None:
    first = re.search(r"```sh\n(.*?)```", README, re.DOTALL)
    assert first and first[1].split("\n")[:2] == ["bin/agentops-dream demo", "tests/run"]


@pytest.mark.parametrize("line", sorted(set(re.findall(r"^agentops-dream [a-z][^\n#]*", README, re.MULTILINE))))
def test_every_command_in_the_readme_exists_with_its_options(line: str) -> None:
    """A user who copies a line from the README must not be told that it is wrong usage."""
    words = line.split()[1:]
    command = cli.commands[words[0]]
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words[1:] if word.startswith("-")} <= known


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_explains_itself_and_stands_in_the_readme(name: str) -> None:
    done = CliRunner().invoke(cli, [name, "--help"])
    assert done.exit_code == 0 and len(done.output.splitlines()) > 5
    assert re.search(rf"`?agentops-dream {name}\b|`{name}`", README), f"{name} is missing from the README"
