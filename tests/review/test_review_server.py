"""The page's door: one browser, one person, and nobody after that."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from dream_kit import Bed, make_bed
from review_kit import BETTER, THREE, UPDATE, op, proposal_of, stage

from agentops_dream import staging
from agentops_dream.review import decisions, server
from agentops_dream.review.desk import Desk
from agentops_dream.review.server import Door, Server, serving


@dataclass
class Visitor:
    """Somebody who talks to the server, by hand."""

    server: Server
    cookie: str = ""
    csrf: str = ""

    def ask(self, method: str, path: str, *, body: Any = None, raw: bytes | None = None, **headers: str | None) -> tuple[int, Mapping[str, str], str]:
        """Send one request; ``headers`` with ``_`` for ``-``, ``None`` leaves a usual one out."""
        given: dict[str, str | None] = {"Host": urlsplit(self.server.origin).netloc, "Cookie": self.cookie or None}
        if method == "POST":
            given |= {"Origin": self.server.origin, "X-CSRF-Token": self.csrf, "Content-Type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=20)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in given.items():
            if value is not None:
                connection.putheader(name, value)
        if method == "POST":
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        answer = connection.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read().decode()
        connection.close()
        return found

    def enter(self) -> int:
        """Come in with the token, and read the page; return the status of the first answer."""
        where = urlsplit(self.server.address)
        status, headers, _ = self.ask("GET", f"{where.path}?{where.query}")
        if "Set-Cookie" in headers:
            self.cookie = headers["Set-Cookie"].split(";")[0]
            _, _, page = self.ask("GET", self.place)
            self.csrf = page.split('name="csrf" content="')[1].split('"')[0]
        return status

    def post(self, what: str, **data: Any) -> tuple[int, Any]:
        status, _, text = self.ask("POST", self.place + what, body=data)
        return status, json.loads(text)

    @property
    def place(self) -> str:
        return f"/{self.server.door.place}/"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Server]:
    """A server that nobody has come to yet; nothing waits there."""
    with serving(Desk(make_bed(tmp_path).order()), Door(60)) as made:
        yield made


@pytest.fixture(scope="module")
def resident(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Somebody who is in; shared, for requests that change nothing."""
    with serving(Desk(make_bed(tmp_path_factory.mktemp("resident")).order()), Door(60)) as made:
        visitor = Visitor(made)
        assert visitor.enter() == 200
        yield visitor


@pytest.fixture
def person(bed: Bed) -> Iterator[Visitor]:
    """Somebody who is in, and has three ops to decide about."""
    stage(bed, THREE)
    with serving(Desk(bed.order()), Door(60)) as made:
        visitor = Visitor(made)
        assert visitor.enter() == 200
        yield visitor


def test_only_this_machine_can_reach_it(running: Server) -> None:
    assert running.server_address[0] == "127.0.0.1"
    address = socket.gethostbyname(socket.gethostname())
    if not address.startswith("127."):
        with pytest.raises(OSError):
            socket.create_connection((address, running.server_port), timeout=2)


def test_the_token_opens_for_one_browser_and_never_again(running: Server) -> None:
    first, second = Visitor(running), Visitor(running)
    assert first.enter() == 200
    assert second.enter() == 403 and not second.cookie
    assert first.ask("GET", first.place)[0] == 200
    where = urlsplit(running.address)
    assert first.ask("GET", f"{where.path}?{where.query}")[0] == 200, "reloading the address in the same browser"
    assert first.ask("GET", first.place + "?token=wrong")[0] == 200


@pytest.mark.parametrize("query", ["", "?token=", "?token=wrong", "?x=1"])
def test_without_the_token_there_is_no_page(running: Server, query: str) -> None:
    visitor = Visitor(running)
    status, headers, page = visitor.ask("GET", visitor.place + query)
    assert status == 403 and "Set-Cookie" not in headers and "kettle" not in page
    assert visitor.ask("GET", "/")[0] == 404
    assert visitor.ask("GET", "/" + query)[0] == 404
    assert Visitor(running).enter() == 200, "a wrong token does not use up the right one"


def test_the_cookie_is_out_of_reach_for_scripts_and_other_ports(running: Server) -> None:
    """Browsers send a host's cookies to all its ports; this path no other server can guess."""
    where = urlsplit(running.address)
    _, headers, _ = Visitor(running).ask("GET", f"{where.path}?{where.query}")
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert f"Path=/{running.door.place}/" in cookie and len(running.door.place) >= 32


@pytest.mark.parametrize("host", ["localhost:{port}", "127.0.0.1", "evil.example:{port}", "evil.example", "127.0.0.1:{port}.evil.example", "", None])
def test_another_name_for_us_is_refused(resident: Visitor, host: str | None) -> None:
    """A page can let its own name point here (DNS rebinding); the browser then takes us for that page."""
    name = None if host is None else host.format(port=resident.server.server_port)
    assert resident.ask("GET", resident.place, Host=name)[0] == 403
    assert resident.ask("POST", resident.place + "alive", body={}, Host=name)[0] == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "http://localhost:{port}", "http://127.0.0.1:{port}.evil.example", None])
def test_another_sites_page_is_refused(resident: Visitor, origin: str | None) -> None:
    name = None if origin is None else origin.format(port=resident.server.server_port)
    assert resident.ask("POST", resident.place + "alive", body={}, Origin=name)[0] == 403
    if name is not None:
        assert resident.ask("GET", resident.place, Origin=name)[0] == 403


def test_a_request_without_csrf_token_cookie_or_json_is_refused(resident: Visitor) -> None:
    for headers in ({"X_CSRF_Token": None}, {"X_CSRF_Token": "wrong"}, {"Cookie": None}, {"Cookie": "agentops_dream=x"}, {"Cookie": "a\x01=;;"}, {"Content_Type": "text/plain"}, {"Content_Type": None}):
        assert resident.ask("POST", resident.place + "alive", body={}, **headers)[0] == 403, headers
    assert resident.post("alive") == (200, {})


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"\xff", b"1", b'"x"', b"[" * 100_000])
def test_a_request_that_is_no_object_is_refused_and_the_server_stays(resident: Visitor, raw: bytes) -> None:
    assert resident.ask("POST", resident.place + "alive", raw=raw)[0] == 400
    assert resident.post("alive") == (200, {})


def test_a_body_of_any_claimed_length_is_bounded(resident: Visitor) -> None:
    for length in ("-1", "99999999999", "x"):
        with socket.create_connection(("127.0.0.1", resident.server.server_port), timeout=20) as wire:
            wire.sendall(
                f"POST {resident.place}alive HTTP/1.1\r\nHost: 127.0.0.1:{resident.server.server_port}\r\nOrigin: {resident.server.origin}\r\n"
                f"Cookie: {resident.cookie}\r\nX-CSRF-Token: {resident.csrf}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n".encode()
            )
            assert b" 400 " in wire.recv(200)


def test_no_answer_may_be_kept_framed_or_load_anything(person: Visitor) -> None:
    for path in (person.place, "/", person.place + "?token=x"):
        _, headers, page = person.ask("GET", path)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert headers["Cache-Control"] == "no-store" and headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "no-referrer" and headers["X-Content-Type-Options"] == "nosniff"
        assert "http://" not in page and "https://" not in page


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "HEAD", "TRACE"])
def test_other_methods_are_not_there(resident: Visitor, method: str) -> None:
    assert resident.ask(method, resident.place)[0] == 501


def test_decisions_of_the_page_are_those_of_the_terminal(bed: Bed, person: Visitor) -> None:
    run = proposal_of(bed).run
    assert person.post("decide", run=run, op=1, choice="accept") == (200, {"choice": "accept"})
    assert decisions.load(bed.order().staging, proposal_of(bed)).choices == {1: "accept"}
    made = decisions.load(bed.order().staging, proposal_of(bed))
    decisions.save(bed.order().staging, decisions.Decisions(run, {**made.choices, 0: "reject"}))
    assert person.post("decide", run=run, op=1, choice="")[0] == 200
    assert decisions.load(bed.order().staging, proposal_of(bed)).choices == {0: "reject"}


def test_what_cannot_be_is_said_and_changes_nothing(bed: Bed, person: Visitor) -> None:
    before = bed.tree()
    wrong: list[tuple[str, dict[str, Any], int]] = [
        ("decide", {"op": 1, "choice": "maybe"}, 409),
        ("decide", {"op": 9, "choice": "accept"}, 409),
        ("decide", {"op": "1", "choice": "accept"}, 409),
        ("decide", {"run": "x", "op": 1, "choice": "accept"}, 409),
        ("draft", {"op": 2}, 409),
        ("edit", {"op": 1, "body": 3, "description": None}, 409),
        ("edit", {"op": 1, "body": " ", "description": None}, 409),
        ("edit", {"op": 1, "body": "ghp_" + "a1B2" * 9, "description": None}, 409),
        ("carry", {}, 409),
        ("nothing", {}, 404),
        ("../alive", {}, 404),
    ]  # fmt: skip
    for what, data, status in wrong:
        found, answer = person.post(what, **{"run": proposal_of(bed).run, **data})
        assert found == status and answer["error"], what
        assert bed.tree() == before and not person.server.door.closed
        assert decisions.load(bed.order().staging, proposal_of(bed)).choices == {}


def test_an_edit_comes_back_as_the_card_it_makes(bed: Bed, person: Visitor) -> None:
    run = proposal_of(bed).run
    assert person.post("draft", run=run, op=1) == (200, {"description": None, "body": BETTER})
    _, answer = person.post("edit", run=run, op=1, description=None, body=f"{BETTER}\n\n<b>Never</b> by hand.")
    assert "&lt;b&gt;" in answer["card"] and "edited by you" in answer["card"]
    assert person.post("draft", run=run, op=1)[1]["body"].endswith("by hand.")


def test_the_summary_is_read_before_anything_is_carried_out(bed: Bed, person: Visitor) -> None:
    run, before = proposal_of(bed).run, bed.tree()
    assert person.post("summary")[1]["settled"] == 0
    person.post("decide", run=run, op=1, choice="accept")
    person.post("decide", run=run, op=0, choice="reject")
    status, answer = person.post("summary")
    assert (status, answer["settled"]) == (200, 2)
    assert "1 accepted, 1 rejected, 1 left for later" in answer["html"] and "will be carried out" in answer["html"]
    assert bed.tree() == before


def test_once_carried_out_it_ends_and_nothing_listens(bed: Bed) -> None:
    stage(bed, THREE)
    desk, door = Desk(bed.order()), Door(60)
    with serving(desk, door) as made:
        person = Visitor(made)
        person.enter()
        person.post("decide", run=proposal_of(bed).run, op=1, choice="accept")
        status, answer = person.post("carry")
        assert status == 200 and "agentops-dream undo" in answer["html"]
        assert server.wait(door) == "carried"
        assert person.post("alive")[0] == 410
        port = made.server_port
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=2)
    assert BETTER in (bed.memory / "release.md").read_text()
    assert [done.left for done in desk.done] == [(0, 2)]


def test_stopping_keeps_the_decisions_and_ends(bed: Bed, person: Visitor) -> None:
    before = bed.tree()
    person.post("decide", run=proposal_of(bed).run, op=1, choice="accept")
    assert person.post("quit")[0] == 200
    assert server.wait(person.server.door) == "quit" and bed.tree() == before
    assert decisions.load(bed.order().staging, proposal_of(bed)).choices == {1: "accept"}


def test_it_ends_by_itself_when_nobody_is_there() -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    door = Door(900, clock=lambda: now[0])
    now[0] = 600.0
    door.seen()
    assert server.wait(door, sleep=sleep) == "idle"
    assert 1500 <= now[0] < 1501


def test_requests_of_strangers_do_not_keep_it_open(running: Server) -> None:
    running.door.last = -1000.0
    Visitor(running).ask("GET", "/")
    Visitor(running).ask("GET", Visitor(running).place)
    Visitor(running).post("alive")
    assert running.door.last == -1000.0


def test_the_end_waits_for_what_is_being_carried_out(bed: Bed) -> None:
    """The end of the process must not cut a transaction off."""
    stage(bed, [UPDATE])
    begun, go_on = threading.Event(), threading.Event()

    class Slow(Desk):
        def answer(self, what: str, data: Mapping[str, Any]) -> dict[str, Any]:
            begun.set()
            assert go_on.wait(20)
            return super().answer(what, data)

    door = Door(60)
    answers: list[int] = []
    with serving(Slow(bed.order()), door) as made:
        person = Visitor(made)
        person.enter()
        asking = threading.Thread(target=lambda: answers.append(person.post("alive")[0]))
        asking.start()
        assert begun.wait(20)
        door.last = -1000.0
        assert door.left == 60
        threading.Timer(0.3, go_on.set).start()
    assert go_on.is_set(), "it ended before the request was done"
    asking.join(20)
    assert answers == [200]


def test_many_idle_connections_do_not_shut_the_person_out(resident: Visitor) -> None:
    """Browsers open connections ahead and say nothing on them."""
    silent = [socket.create_connection(("127.0.0.1", resident.server.server_port)) for _ in range(20)]
    start = time.monotonic()
    assert resident.post("alive") == (200, {})
    assert time.monotonic() - start < server.SLOW
    for wire in silent:
        wire.close()


def test_the_page_goes_on_with_what_is_on_disk(bed: Bed, person: Visitor) -> None:
    """A dream, or a terminal beside the page, may have changed things meanwhile."""
    run = proposal_of(bed).run
    staging.discard(bed.order().staging, run)
    status, answer = person.post("decide", run=run, op=1, choice="accept")
    assert status == 409 and "does not wait any more" in answer["error"]
    assert person.ask("GET", person.place)[0] == 200
    stage(bed, [op("update", "release", new_body=BETTER)])
    assert "update release" in person.ask("GET", person.place)[2]


def test_an_entry_that_changes_while_the_page_is_open_is_stale_when_it_is_decided(bed: Bed, person: Visitor) -> None:
    (bed.memory / "release.md").write_text("---\nname: release\n---\n\nEdited meanwhile.\n")
    status, answer = person.post("decide", run=proposal_of(bed).run, op=1, choice="accept")
    assert status == 409 and "release.md changed" in answer["error"]
