"""One line for the user at session start: what was dreamt since the last one (SPEC §13, §3 ``NOTIFY``).

The worker leaves the text in ``state/<key>/notice.json`` (``{"text": …}``); the ``SessionStart`` hook
shows it once, as ``systemMessage``: seen by the user, never by the model. See ``lean`` for what may be
imported here. Runs on Python 3.9.
"""

from agentops_dream import settings
from agentops_dream.dispatch import GUARD, environment, guard_against_crashes, payload, session_start
from agentops_dream.interpreter import remember
from agentops_dream.lean import NotJson, read_json, system
from agentops_dream.places import resolve

_LONGEST = 400


def main(root: str) -> None:
    """Print the notice, if there is one, and end the process with exit code 0."""
    env = environment()
    guard_against_crashes(env)
    text = take(env, payload())
    if text:
        from _json import encode_basestring_ascii

        data = ('{"systemMessage":' + encode_basestring_ascii(text) + "}\n").encode("ascii")
        system.write(1, data)
    remember(env)
    system._exit(0)


def take(env: "dict[str, str]", event: bytes) -> str:
    """Return the text to be shown and forget it; ``""`` if there is none or nobody wants to know."""
    wanted = settings.read(env)
    if env.get(GUARD) or wanted.disable or not wanted.notify:
        return ""
    path = resolve(env, session_start(env, event)).state + "/notice.json"
    try:
        text = read_json(path)["text"]
        system.unlink(path)  # whoever removes it shows it; what cannot be removed would show for ever
    except (OSError, NotJson, KeyError, TypeError):
        return ""
    if type(text) is not str:
        return ""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:_LONGEST]
