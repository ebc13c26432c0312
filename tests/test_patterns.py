"""Patterns that are made late are right all the same, and the same as those made at once."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hook_wall import ROOT

from agentops_dream.patterns import late


def test_a_late_pattern_answers_like_one_made_at_once() -> None:
    now, then = re.compile("(?P<v>a+)b", re.I), late("(?P<v>a+)b", re.I)
    for _ in range(2):
        assert then.findall("AAb ab") == now.findall("AAb ab")
        assert then.fullmatch("aaB")["v"] == now.fullmatch("aaB")["v"] == "aa"  # type: ignore[index]
        assert (then.pattern, then.groups) == (now.pattern, now.groups)
    with pytest.raises(AttributeError):
        then.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_no_pattern_waits_with_its_mistake_for_the_text_that_needs_it() -> None:
    """It would end a dream that was paid for, or let a secret through."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import importlib, pkgutil, re, agentops_dream, agentops_dream.patterns as patterns\n"
        "made = []\n"
        "patterns.late = lambda source, flags=0: made.append(source) or re.compile(source, flags)\n"
        "for module in pkgutil.walk_packages(agentops_dream.__path__, 'agentops_dream.'):\n"
        "    if not module.name.endswith('__main__'): importlib.import_module(module.name)\n"
        "assert len(made) > 40, len(made)"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code, str(ROOT)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
