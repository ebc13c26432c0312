"""The page's server: loopback only, for one person in one browser, and gone when it is done (SPEC §12, §16).

Who may ask: the browser that brought the one-time token, told by a cookie. The cookie is bound to a path
that nobody can guess, because browsers send cookies to every port of a host. A page of another site gets
nowhere: its requests carry another ``Origin`` or ``Host``, no cookie (``SameSite=Strict``) and no CSRF token.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import secrets as randomness
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from agentops_dream import secrets
from agentops_dream.review.desk import BadRequest, Desk
from agentops_dream.review.markup import Html, h
from agentops_dream.review.page import policy
from agentops_dream.staging import BadProposal

HOST = "127.0.0.1"
COOKIE = "agentops_dream"
LARGEST = 2_000_000
"""Bytes of one request: a text that a person has edited."""
SLOW = 10.0
"""Seconds that a connection may take for its request."""

Draw = Callable[[], str]


def draw() -> str:
    """Return a secret that cannot be guessed."""
    return randomness.token_urlsafe(32)


@dataclass
class Door:
    """Who may come in, and how long it stays open."""

    idle: float
    """Seconds without a request by the person after which it closes."""
    clock: Callable[[], float] = time.monotonic
    token: str = field(default_factory=draw)
    place: str = field(default_factory=draw)
    session: str = field(default_factory=draw)
    csrf: str = field(default_factory=draw)
    used: bool = False
    last: float = 0.0
    closed: str = ""
    """Why it is closed; ``""`` while it is open."""

    def __post_init__(self) -> None:
        self.last = self.clock()
        self._changed = threading.Condition()
        self._working = 0

    def exchange(self, token: str) -> bool:
        """Return whether ``token`` opens the door: once, and never again."""
        with self._changed:
            if self.used or not _same(token, self.token):
                return False
            self.used = True
            return True

    def seen(self) -> None:
        """Note that the person is there."""
        self.last = self.clock()

    @property
    def left(self) -> float:
        """Seconds until it closes by itself; never less than all while something is being done."""
        return self.idle if self._working else self.idle - (self.clock() - self.last)

    @contextlib.contextmanager
    def work(self) -> Iterator[None]:
        """Keep the door open for what is done inside."""
        with self._changed:
            self._working += 1
        try:
            yield
        finally:
            self.seen()
            with self._changed:
                self._working -= 1
                self._changed.notify_all()

    def settle(self) -> None:
        """Wait until nothing is being done: a transaction is not to be cut off by the end of the process."""
        with self._changed:
            self._changed.wait_for(lambda: not self._working)


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


class Server(ThreadingHTTPServer):
    """Serves one sitting. Use ``serving`` to run one."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = False
    request_queue_size = 64
    """Browsers open connections ahead; with the usual 5 a person would wait behind them."""

    def __init__(self, desk: Desk, door: Door) -> None:
        self.desk = desk
        self.door = door
        super().__init__((HOST, 0), _Handler)

    @property
    def origin(self) -> str:
        """What a browser calls us."""
        return f"http://{HOST}:{self.server_port}"

    @property
    def address(self) -> str:
        """The address for the person, good for one browser."""
        return f"{self.origin}/{self.door.place}/?token={self.door.token}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong, unless it is a browser that hung up."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


@contextlib.contextmanager
def serving(desk: Desk, door: Door) -> Iterator[Server]:
    """Serve until the block is left; then nothing listens any more. Raises ``OSError``."""
    server = Server(desk, door)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        door.settle()
        thread.join(5)


def wait(door: Door, *, sleep: Callable[[float], None] = time.sleep) -> str:
    """Return why the door has closed, once it has: ``carried``, ``quit`` or ``idle``."""
    while not door.closed:
        if door.left <= 0:
            door.closed = "idle"
            break
        sleep(min(0.1, max(door.left, 0.01)))
    return door.closed


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version = "agentops-dream"
    sys_version = ""
    timeout = SLOW

    def do_GET(self) -> None:
        door = self.server.door
        refused = self._stranger(reading=True)
        if refused:
            return self._refuse(refused)
        where = urlsplit(self.path)
        if where.path != f"/{door.place}/":
            return self._refuse("there is nothing here", HTTPStatus.NOT_FOUND)
        token = parse_qs(where.query).get("token", [""])[0]
        if token and not self._known() and door.exchange(token):
            return self._welcome()
        if not self._known():
            return self._refuse(
                "This address was used already, or belongs to another browser. "
                "Run agentops-dream review --web again."
            )
        door.seen()
        if token:
            return self._welcome()
        try:
            page = self.server.desk.page(door.csrf)
        except BadProposal as error:
            return self._refuse(secrets.redact(str(error)), HTTPStatus.NOT_FOUND)
        self._send(HTTPStatus.OK, "text/html", page.encode(), (("Content-Security-Policy", _live()),))

    def do_POST(self) -> None:
        door = self.server.door
        if refused := self._stranger(reading=False):
            return self._fail(refused, HTTPStatus.FORBIDDEN)
        where = urlsplit(self.path).path
        if not self._known() or not _same(self.headers.get("X-CSRF-Token", ""), door.csrf):
            return self._fail("not from this page", HTTPStatus.FORBIDDEN)
        if door.closed:
            return self._fail("the review is over", HTTPStatus.GONE)
        try:
            data = self._body()
        except ValueError:
            return self._fail("not readable", HTTPStatus.BAD_REQUEST)
        what = where.removeprefix(f"/{door.place}/")
        with door.work():
            try:
                answer = self.server.desk.answer(what, data)
            except KeyError:
                return self._fail("there is nothing here", HTTPStatus.NOT_FOUND)
            except (BadRequest, BadProposal) as error:
                return self._fail(secrets.redact(str(error)), HTTPStatus.CONFLICT)
            self._send(HTTPStatus.OK, "application/json", json.dumps(answer).encode())
            door.closed = {"carry": "carried", "quit": "quit"}.get(what, door.closed)

    # ------------------------------------------------------------ who asks

    def _stranger(self, *, reading: bool) -> str:
        """Return why a request cannot come from our page, ``""`` if it can."""
        if self.headers.get_all("Host", []) != [self.server.origin.removeprefix("http://")]:
            return "wrong Host"  # another name that leads here: DNS rebinding
        origin = self.headers.get("Origin")
        if origin != self.server.origin and not (reading and origin is None):
            return "wrong Origin"
        if not reading and self.headers.get_content_type() != "application/json":
            return "wrong content type"
        return ""

    def _known(self) -> bool:
        """Return whether the request comes from the browser that brought the token."""
        door = self.server.door
        if not urlsplit(self.path).path.startswith(f"/{door.place}/") or not door.used:
            return False
        try:
            cookie = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and _same(cookie.value, door.session)

    def _body(self) -> dict[str, Any]:
        length = int(self.headers.get("Content-Length", ""))
        if not 0 <= length <= LARGEST:
            raise ValueError("too large")
        try:
            data = json.loads(self.rfile.read(length))
        except RecursionError as error:
            raise ValueError("too deep") from error
        if not isinstance(data, dict):
            raise ValueError("no object")
        return data

    # ------------------------------------------------------------ answers

    def _welcome(self) -> None:
        # No redirect: after one, a browser that came here from elsewhere would keep a strict cookie back.
        door = self.server.door
        cookie = f"{COOKIE}={door.session}; Path=/{door.place}/; HttpOnly; SameSite=Strict"
        home = h("a", {"href": f"/{door.place}/"}, "Go on")
        page = _page("One moment", home, f"0;url=/{door.place}/")
        self._send(HTTPStatus.OK, "text/html", page, (("Set-Cookie", cookie), _BARE))
        door.seen()

    def _refuse(self, why: str, status: HTTPStatus = HTTPStatus.FORBIDDEN) -> None:
        self._send(status, "text/html", _page("Refused", h("p", None, why)), (_BARE,))

    def _fail(self, why: str, status: HTTPStatus) -> None:
        self._send(status, "application/json", json.dumps({"error": why}).encode())

    def _send(
        self, status: HTTPStatus, kind: str, body: bytes, headers: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in (*_ALWAYS, *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged: the address holds the token."""


_ALWAYS = (
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
)
_BARE = ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")


def _live() -> str:
    return f"{policy(live=True)}; frame-ancestors 'none'"


def _page(title: str, content: Html, refresh: str | None = None) -> bytes:
    head = [h("meta", {"charset": "utf-8"}), h("title", None, title)]
    if refresh:
        head.append(h("meta", {"http-equiv": "refresh", "content": refresh}))
    body = h("body", None, h("h1", None, title), content)
    return f"<!doctype html>\n{h('html', {'lang': 'en'}, h('head', None, head), body)}\n".encode()
