"""A tiny plugin that writes down which hooks fired and what they were given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_NOTE = """\
import json, os, sys
payload = json.load(sys.stdin)
kept = {k: v for k, v in os.environ.items() if "TOKEN" not in k and "KEY" not in k}
with open(sys.argv[1], "a", encoding="utf-8") as out:
    out.write(json.dumps({"payload": payload, "env": kept}) + "\\n")
"""

_SERVER = """\
import json, sys
with open(sys.argv[1], "a", encoding="utf-8") as out:
    out.write("started\\n")
for line in sys.stdin:
    message = json.loads(line)
    result = {"tools": [], "resources": [], "prompts": []}
    if message["method"] == "initialize":
        version = message["params"]["protocolVersion"]
        about = {"name": "tracer", "version": "1"}
        result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@dataclass(frozen=True)
class Fired:
    """One hook event."""

    payload: Mapping[str, Any]
    env: Mapping[str, str]

    @property
    def name(self) -> str:
        return str(self.payload["hook_event_name"])


class Tracer:
    """The plugin in ``folder``; also answers to ``/trace``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._trace = folder / "trace"
        about = {"name": "tracer", "version": "1.0.0", "description": "Traces.", "author": {"name": "Ada"}}
        market = {"name": "shelf", "owner": {"name": "Ada"}, "plugins": [{"name": "tracer", "source": "./"}]}
        header = "---\nname: trace\ndescription: Traces.\nallowed-tools: Bash(echo:*)\n---\n"
        hooks = {
            "hooks": {name: [{"hooks": [self.hook()]}] for name in ("Stop", "SubagentStop", "SessionEnd")}
        }
        for name, content in {
            "note.py": _NOTE,
            "server.py": _SERVER,
            ".claude-plugin/plugin.json": json.dumps(about),
            ".claude-plugin/marketplace.json": json.dumps(market),
            "hooks/hooks.json": json.dumps(hooks),
            "commands/trace.md": header + "!`echo traced $ARGUMENTS`\n",
        }.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, encoding="utf-8")

    def hook(self) -> dict[str, Any]:
        """Return a hook that traces, for anybody's settings."""
        words = ["python3", str(self.folder / "note.py"), str(self._trace)]
        return {"type": "command", "command": " ".join(f"'{word}'" for word in words)}

    def mcp_server(self) -> dict[str, Any]:
        """Return an MCP server without tools that traces its starts, for anybody's configuration."""
        return {"command": "python3", "args": [str(self.folder / "server.py"), str(self.folder / "starts")]}

    def mcp_starts(self) -> int:
        """Return how often the server was started."""
        path = self.folder / "starts"
        return len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0

    def fired(self) -> list[Fired]:
        """Return the events so far, in order."""
        if not self._trace.exists():
            return []
        lines = self._trace.read_text(encoding="utf-8").splitlines()
        return [Fired(**json.loads(line)) for line in lines]

    def names(self) -> list[str]:
        """Return the names of the events so far, in order."""
        return [event.name for event in self.fired()]
