"""How old an entry is (SPEC §6): what it says of itself first, file times last.

File times are reset by a checkout, a copy or a sync; the frontmatter travels with the entry.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from agentops_dream.models import Entry

_DATE = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")


def changed_at(entry: Entry) -> float:
    """Return when the entry was last changed, in seconds since the epoch.

    ``modified``, then ``created`` or ``date``, from the top of the frontmatter or under
    ``metadata``; then a date in the file name; then the file's modification time.
    """
    metadata = entry.fields.get("metadata")
    scopes: list[Mapping[str, Any]] = [entry.fields]
    if isinstance(metadata, Mapping):
        scopes.append(metadata)
    for key in ("modified", "created", "date"):
        for scope in scopes:
            moment = _moment(scope.get(key))
            if moment is not None:
                return moment
    moment = _moment(entry.path.rpartition("/")[2])
    return entry.mtime if moment is None else moment


def _moment(value: object) -> float | None:
    if not isinstance(value, str):
        return None
    text = value.strip()
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        found = _DATE.search(text)
        if found is None:
            return None
        try:
            year, month, day = (int(part) for part in found.groups())
            moment = datetime(year, month, day)
        except ValueError:
            return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    try:
        return moment.timestamp()
    except (OverflowError, OSError):
        return None
