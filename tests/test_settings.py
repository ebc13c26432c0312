"""Settings: a typo must neither stop dreaming nor let it edit when it was told to only propose."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentops_dream import settings

ROOT = Path(settings.__file__).parent.parent


def read(**values: str) -> settings.Settings:
    return settings.read({settings.PREFIX + name: value for name, value in values.items()})


def test_defaults_are_those_of_the_table() -> None:
    """A user who sets nothing gets what the README says."""
    found = settings.read({})
    assert {row[0].lower(): row[2] for row in settings.TABLE} == {
        name: value for name, value in vars(found).items() if name != "problems"
    }
    assert found.problems == ()


@pytest.mark.parametrize("typo", ["audti", "aplly", "1", "apply audit", "yes"])
def test_malformed_promote_falls_back_to_audit(typo: str) -> None:
    """Otherwise a typo in `audit` would start to edit a memory that was to be left alone."""
    found = read(PROMOTE=typo)
    assert found.promote == "audit"
    assert "AGENTOPS_DREAM_PROMOTE" in found.problems[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MIN_INTERVAL", "soon"),
        ("MIN_INTERVAL", "-1"),
        ("MIN_INTERVAL", "1.5"),
        ("MAX_PER_DAY", "nan"),
        ("EVIDENCE_THRESHOLD", "1.01"),
        ("EVIDENCE_THRESHOLD", "inf"),
        ("TIMEOUT", "0"),
        ("MAX_USD_PER_DAY", "-3"),
        ("DISABLE", "perhaps"),
        ("BACKEND", "gpt"),
        ("DELETE", "always"),
    ],
)
def test_a_malformed_value_gives_the_default_and_is_reported(name: str, value: str) -> None:
    found = read(**{name: value})
    default = next(row[2] for row in settings.TABLE if row[0] == name)
    assert getattr(found, name.lower()) == default
    assert [name in problem for problem in found.problems] == [True]
    assert value not in found.problems[0].split(" is not ")[0], "a value may be private"


@given(st.dictionaries(st.sampled_from([row[0] for row in settings.TABLE]), st.text(max_size=12)))
def test_reading_never_fails_and_every_value_is_in_range(values: dict[str, str]) -> None:
    """The hook reads settings: an exception here would be a hook that dies at every stop."""
    found = read(**values)
    assert found.promote in ("apply", "audit")
    assert 0 <= found.evidence_threshold <= 1
    assert math.isfinite(found.max_usd_per_day)
    assert found.timeout >= 1


def test_importing_settings_imports_nothing_else() -> None:
    """The hook pays for every module, at every stop."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules); "
        "import agentops_dream.settings; print(sorted(set(sys.modules) - before))"
    )
    out = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(ROOT)], capture_output=True, text=True, check=True
    )
    assert out.stdout.strip() == "['__future__', 'agentops_dream', 'agentops_dream.settings']"


def test_replace_refuses_a_name_that_is_no_setting() -> None:
    with pytest.raises(TypeError):
        settings.read({}).replace(promot="audit")
