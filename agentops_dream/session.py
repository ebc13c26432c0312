"""What a session would have that a shell has not: variables from the client's settings (SPEC §3).

People configure the plugin in the ``env`` block of their settings. A command run from a shell has to see
the same values, or a dream "in audit mode" would edit. Standard library only, Python 3.9.
"""

from __future__ import annotations

from collections.abc import Mapping

from agentops_dream.lean import NotJson, read_json
from agentops_dream.places import config_dir, managed_settings
from agentops_dream.settings import PREFIX


def as_in_a_session(env: Mapping[str, str]) -> dict[str, str]:
    """Return ``env`` with the settings' values for our own variables, where it has none. Never raises.

    Only from the user's and the administrator's settings: those of a project come with its checkout,
    and the client asks before it trusts them.
    """
    merged = dict(env)
    for path in (managed_settings(), config_dir(env) + "/settings.json"):
        try:
            block = read_json(path)["env"]
            values = {str(name): value for name, value in block.items()}
        except (OSError, NotJson, KeyError, TypeError, AttributeError):
            continue
        for name, value in values.items():
            if name.startswith(PREFIX) and isinstance(value, (str, int)) and not merged.get(name):
                merged[name] = str(int(value)) if isinstance(value, bool) else str(value)
    return merged
