"""Ops as a person names them on a command line, as ``wording.ops_named`` tells them (SPEC §15)."""

from __future__ import annotations

import re

import click


def numbers(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> frozenset[int] | None:
    """Return the numbers in ``0,2,5-7``; ``None`` if the option was not given. Raises ``click.BadParameter``."""
    if value is None:
        return None
    found: set[int] = set()
    for part in value.replace(",", " ").split():
        match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", part)
        if match is None:
            raise click.BadParameter("numbers of ops, as in 0,2,5-7")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise click.BadParameter(f"{part} ends before it begins; say {last}-{first}")
        found.update(range(first, last + 1))
    if not found:
        raise click.BadParameter("no op is named; numbers of ops, as in 0,2,5-7")
    return frozenset(found)
