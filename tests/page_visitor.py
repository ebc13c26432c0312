"""A page of ``review --web`` without a browser: enter with the address, then ask as the page's script does."""

from __future__ import annotations

import json
import re
import urllib.request
from typing import Any


def drive(address: str, *requests: Any) -> Any:
    """Enter the page as a browser does and make requests of it; return the last answer."""
    with urllib.request.urlopen(address, timeout=20) as answer:
        cookie = answer.headers["Set-Cookie"].split(";")[0]
    place = address.split("?")[0]
    with urllib.request.urlopen(urllib.request.Request(place, headers={"Cookie": cookie}), timeout=20) as answer:
        csrf = re.search(r'name="csrf" content="([^"]+)"', answer.read().decode())[1]  # type: ignore[index]
    headers = {"Cookie": cookie, "X-CSRF-Token": csrf, "Content-Type": "application/json", "Origin": place.rsplit("/", 2)[0]}
    got = None
    for request in requests:
        what, data = (request, {}) if isinstance(request, str) else request
        with urllib.request.urlopen(urllib.request.Request(place + what, json.dumps(data).encode(), headers), timeout=20) as answer:
            got = json.loads(answer.read())
    return got
