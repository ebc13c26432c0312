"""A real Chromium, driven over its debugging pipe: no driver, no library, nothing that listens.

Keys are real key events, so what has the focus gets them; screenshots are what a person would see.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome", "google-chrome-stable")

_NAMED = {
    "Enter": ("Enter", 13, "\r"),
    "Escape": ("Escape", 27, ""),
    "Tab": ("Tab", 9, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
}


def binary() -> str:
    """Return a Chromium on this machine. Raises ``AssertionError`` with what to install."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    assert found, "no Chromium here; on Debian: apt-get install chromium"
    return found


class Chromium:
    """One browser with a profile of its own and one page; a context manager."""

    def __init__(self, *, width: int = 1280, height: int = 900, dark: bool = False, mobile: bool = False) -> None:
        self._shape = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        self._dark = dark
        self._next = 0
        self._buffer = b""
        self._events: list[dict[str, Any]] = []

    def __enter__(self) -> Chromium:
        self._profile = tempfile.mkdtemp(prefix="chromium-")
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def pipes() -> None:  # the browser reads commands from 3 and writes answers to 4
            kept = [os.dup(to_browser), os.dup(from_browser)]
            os.dup2(kept[0], 3)
            os.dup2(kept[1], 4)

        self._process = subprocess.Popen(
            [
                binary(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
                "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe",
                f"--user-data-dir={self._profile}", "about:blank",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=pipes,
            start_new_session=True,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        pages = self._call("Target.getTargets")["targetInfos"]
        page = next(item for item in pages if item["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for name in ("Page.enable", "Runtime.enable", "Log.enable", "Network.enable"):
            self.call(name)
        self.call("Emulation.setDeviceMetricsOverride", **self._shape)
        scheme = "dark" if self._dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        return self

    def __exit__(self, *exc: object) -> None:
        with contextlib.suppress(OSError, ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(20)
        os.close(self._write)
        os.close(self._read)
        shutil.rmtree(self._profile, ignore_errors=True)

    # ------------------------------------------------------------ what a person does

    def open(self, address: str) -> None:
        """Go to ``address`` and wait until it, or what it leads on to, has loaded."""
        self._events.clear()
        self.call("Page.navigate", url=address)
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            name, code, text = _NAMED.get(key, (key, ord(key.upper()[0]), key))
            event = {"key": name, "windowsVirtualKeyCode": code, "code": name if key in _NAMED else ""}
            self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **event)
            self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text: str) -> None:
        """Type a text into what has the focus."""
        self.call("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """Click the middle of an element with the mouse."""
        box = self.js(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """Write what is seen, or the ``whole`` page, to ``path``."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(data))

    # ------------------------------------------------------------ what is there

    def js(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page. Raises ``AssertionError`` if it throws."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def text(self, selector: str = "body") -> str:
        """Return the text that is shown in an element."""
        return str(self.js(f"document.querySelector({json.dumps(selector)}).innerText"))

    def wait_for(self, expression: str, seconds: float = 20.0) -> None:
        """Return once a JavaScript expression is true. Raises ``AssertionError``."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(AssertionError):
                if self.js(f"Boolean({expression})"):
                    return
            time.sleep(0.02)
        raise AssertionError(f"{expression} did not come true; the page: {self.js('document.body.innerText')[:2000]}")

    def problems(self) -> list[str]:
        """Return errors of the page and what its policy has blocked, since the last ``open``."""
        found = []
        for event in self._events:
            if event["method"] == "Runtime.exceptionThrown":
                found.append(json.dumps(event["params"]["exceptionDetails"]))
            elif event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(event["params"]["entry"]["text"])
        return found

    def requests(self) -> list[str]:
        """Return the addresses that the page asked for, since the last ``open``."""
        return [e["params"]["request"]["url"] for e in self._events if e["method"] == "Network.requestWillBeSent"]

    # ------------------------------------------------------------ the wire

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send one command to the page and return its result. Raises ``AssertionError``."""
        return self._call(method, self._session, **params)

    def _call(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        self._next += 1
        message = {"id": self._next, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._next:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result
            if "method" in answer:
                self._events.append(answer)

    def _message(self, seconds: float = 60.0) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        while b"\0" not in self._buffer:
            assert select.select([self._read], [], [], max(0, deadline - time.monotonic()))[0], "the browser is silent"
            got = os.read(self._read, 1 << 20)
            assert got, f"the browser ended with code {self._process.poll()}"
            self._buffer += got
        first, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(first)
        return found
