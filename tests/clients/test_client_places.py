"""Our idea of the memory directory is the client's own, wherever a session is started.

If it were not, dreams would run over an empty folder, or over another project's memory.
"""

from __future__ import annotations

import os

import pytest
from client_desk import Desk
from client_layouts import LAYOUTS
from client_tracer import Tracer

from agentops_dream import places
from fake_claude.answer import say, use

pytestmark = pytest.mark.client


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYOUTS)
def test_the_memory_directory_is_the_clients_own(desk: Desk, name: str) -> None:
    """The model changes directory on the way, which the payload's ``cwd`` follows."""
    tracer = Tracer(desk.folder / "tracer")
    start = LAYOUTS[name](desk)
    desk.install_plugin(tracer.folder)
    desk.api.agent = [use("Bash", command="cd /"), say("Done.")]
    session = desk.session("Go.", allow="Bash", cwd=start)
    desk.wait_for_quiet()
    (stop,) = (event for event in tracer.fired() if event.name == "Stop")
    found = places.resolve(stop.env, str(stop.payload["cwd"]))
    assert os.path.realpath(found.memory) == os.path.realpath(session.memory), session.memory
