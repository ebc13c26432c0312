"""What tells at once that a sentence cannot hold a sign must never hide a sign that is there."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentops_dream.facts import signs

CUES = {name: value for name, value in vars(signs).items() if isinstance(value, signs.Cue)}
CUES |= {row[0]: cue for row, cue in zip(signs.POLES, signs.POLAR)}


@pytest.mark.parametrize("name", CUES)
@settings(derandomize=True, max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_sign_is_overlooked(name: str, data: st.DataObject) -> None:
    """Else a rule that was turned round would pass."""
    cue = CUES[name]
    text = data.draw(st.from_regex(cue.pattern.pattern, fullmatch=False))
    for match in cue.pattern.finditer(text):
        assert [found.span() for found in cue.within(text, signs.traits(text))], match.group()


def test_what_needs_a_longer_word_is_not_held_by_a_shorter_one() -> None:
    """Else nothing is seen at once, and a night of many entries takes twice as long."""
    assert not list(signs.WITHOUT.within("The port is 8080.", signs.traits("The port is 8080.")))
    assert signs.WITHOUT.needs.isdisjoint(signs.traits("The port is 8080."))
