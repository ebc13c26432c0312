"""A small HTTP server for stand-ins: loopback only, bounded in time and in requests.

It ends by itself whatever its caller does: after ``seconds``, after ``max_requests``, or with the
process (all threads are daemons). Subclasses say what is answered.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar
from urllib.parse import urlsplit

_PRIVATE = ("authorization", "x-api-key", "cookie", "proxy-authorization")
_BIGGEST = 64 * 1024 * 1024
_Self = TypeVar("_Self", bound="Loopback")


class Loopback:
    """Serves between ``start`` and ``close``; a context manager does both."""

    def __init__(self, *, seconds: float = 600.0, max_requests: int = 1000, port: int = 0) -> None:
        self.seconds = seconds
        self.max_requests = max_requests
        self.closed = threading.Event()
        self.lock = threading.Lock()
        self.count = 0
        self._server = _Server(("127.0.0.1", port), _handler(self))
        self._timer = threading.Timer(seconds, self.close)
        self._timer.daemon = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self: _Self) -> _Self:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def start(self) -> None:
        """Begin to serve."""
        self._timer.start()
        self._thread.start()

    def close(self) -> None:
        """Stop at once; answers that still wait are given up. Safe to call twice."""
        with self.lock:
            if self.closed.is_set():
                return
            self.closed.set()
        self._timer.cancel()
        if self._thread.is_alive():
            self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def handle(self, call: Call) -> None:
        """Answer one request through ``call``."""
        raise NotImplementedError


class Call(BaseHTTPRequestHandler):
    """One request, with the means to answer it."""

    protocol_version = "HTTP/1.1"
    timeout = 120
    owner: Loopback
    payload: Any = None
    """The parsed JSON body, the text if it is none, ``None`` without one."""

    @property
    def where(self) -> str:
        """The path without the query."""
        return urlsplit(self.path).path

    @property
    def public_headers(self) -> dict[str, str]:
        """Headers by lower-case name, without those that authenticate somebody."""
        return {k.lower(): v for k, v in self.headers.items() if k.lower() not in _PRIVATE}

    def json(self, status: int, value: Any, more: Mapping[str, str] | None = None) -> None:
        """Send ``value`` whole."""
        raw = json.dumps(value, ensure_ascii=False).encode()
        self.head(status, "application/json", {"Content-Length": str(len(raw)), **(more or {})})
        if self.command != "HEAD":
            self.wfile.write(raw)

    def part(self, value: Any) -> None:
        """Send half of ``value`` and hang up."""
        raw = json.dumps(value, ensure_ascii=False).encode()
        self.head(200, "application/json", {"Content-Length": str(len(raw))})
        self.wfile.write(raw[: len(raw) // 2])
        self.hang_up()

    def stream(self, events: Iterable[tuple[str, Any]], *, finish: bool = True) -> None:
        """Send server-sent events; without ``finish`` the connection breaks after the last one."""
        self.head(200, "text/event-stream", {"Transfer-Encoding": "chunked", "Cache-Control": "no-cache"})
        for name, data in events:
            line = f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
            self.wfile.flush()
        if finish:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.hang_up()

    def hang_up(self) -> None:
        """Close the connection after what has been sent."""
        self.close_connection = True

    def head(self, status: int, kind: str, more: Mapping[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("request-id", "req_fake")
        for name, value in more.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: stderr belongs to the test."""

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(min(length, _BIGGEST)) if length else b""
        try:
            self.payload = json.loads(raw.decode("utf-8", "replace")) if raw else None
        except ValueError:
            self.payload = raw.decode("utf-8", "replace")
        with self.owner.lock:
            self.owner.count += 1
            enough = self.owner.count > self.owner.max_requests
        if enough:
            self.hang_up()
            self.json(503, {"error": {"type": "api_error", "message": "the stand-in has answered enough"}})
            threading.Thread(target=self.owner.close, daemon=True).start()
        else:
            self.owner.handle(self)

    do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_GET


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is an everyday event, not a traceback."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


def _handler(owner: Loopback) -> type[Call]:
    return type("BoundCall", (Call,), {"owner": owner})
