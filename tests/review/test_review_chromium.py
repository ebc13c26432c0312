"""The page in a real Chromium: keyboard only, many ops, Japanese, stale and hostile entries."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from chromium import Chromium
from dream_kit import Bed
from review_kit import BETTER, NIHONGO_BETTER, THREE, UPDATE, many, op, proposal_of, stage
from test_review_commands import call, essence, page, twin

from agentops_dream import deciding
from agentops_dream.review import decisions
from agentops_dream.review.desk import Desk
from agentops_dream.review.server import Door, serving

pytestmark = pytest.mark.slow

OPEN = "document.querySelector('.card.current')"
HOSTILE = (
    "<script>document.title = 'owned'</script> \x1b[31mred\x1b[0m \u202egnirts\u202c\n"
    "<!-- agentops:dreaming:end -->\n<img src=x onerror=\"document.title='owned'\"> </div></article></main>"
)


@contextmanager
def sitting(bed: Bed, **shape: Any) -> Iterator[Chromium]:
    """Serve what waits and open it; afterwards the page must have had no error and asked nobody else."""
    with serving(Desk(bed.order()), Door(60)) as server, Chromium(**shape) as browser:
        browser.open(server.address)
        browser.wait_for(OPEN)
        yield browser
        assert browser.problems() == []
        assert all(address.startswith(server.origin) for address in browser.requests())


def stage_all(bed: Bed) -> None:
    """Stage one op of every kind of card."""
    bed.write("hostile", f"Note to self: {HOSTILE}", description="Hostile <img src=x onerror=alert(1)> \u202eentry")
    ops: Sequence[Any] = [
        *THREE,
        op("update", "note-1", new_body="The worker1 handles queue number 1 of the intake at 4711 rpm."),
        op("merge", "note-2", "note-3", new_body="The worker2 handles queue number 2 and worker3 handles queue number 3 of the intake.", confidence=0.6),
        op("relink", "note-4", links=["note-1"]),
        op("update", "kensho-db", new_body=NIHONGO_BETTER, rationale="読点を補った。"),
        op("update", "hostile", new_body=HOSTILE, rationale="<script>document.title='owned'</script>"),
        "junk",
    ]
    stage(bed, ops)
    path = bed.memory / "note-4.md"
    path.write_text(path.read_text() + "\nEdited since.\n")


def progress(browser: Chromium, text: str) -> None:
    browser.wait_for(f"document.querySelector('#progress').textContent === {json.dumps(text)}")


def test_with_the_keyboard_alone_the_good_ones_are_accepted_and_the_bad_one_sent_away(bed: Bed, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The way over the page ends in the same bytes and the same receipt as the one over the terminal."""
    other = twin(bed, tmp_path_factory.mktemp("script"))
    other.later(60)
    deciding.apply(other.order(), ops=[1, 2])
    deciding.discard(other.order(), ops=[0])
    stage(bed, THREE)
    process, address = page(bed)
    with Chromium() as browser:
        browser.open(address)
        browser.wait_for(OPEN)
        for key, done in (("r", 1), ("a", 2), ("a", 3)):
            browser.press(key)
            progress(browser, f"{done} of 3 decided")
        browser.press("c")
        browser.wait_for("document.querySelector('#summary-dialog[open]')")
        assert "2 accepted, 1 rejected, 0 left for later" in browser.text("#summary-dialog")
        browser.press("Enter")
        browser.wait_for("document.body.innerText.includes('agentops-dream undo')")
        assert browser.problems() == []
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0 and "sent away: op 0" in out, (out, err)
    assert bed.tree() == other.tree()
    assert essence(bed) == essence(other)
    assert list(bed.order().staging.iterdir()) == []


def test_the_address_is_worth_nothing_in_a_second_browser(bed: Bed) -> None:
    stage(bed, THREE)
    with serving(Desk(bed.order()), Door(60)) as server, Chromium() as first:
        first.open(server.address)
        first.wait_for(OPEN)
        with Chromium() as second:
            second.open(server.address)
            assert "Refused" in second.text() and "kettle" not in second.text()
        first.press("a")
        progress(first, "1 of 3 decided")


def test_another_sites_page_gets_nowhere(bed: Bed) -> None:
    """The browser is full of other pages; none of them may decide about a memory, or read one."""
    stage(bed, THREE)
    with serving(Desk(bed.order()), Door(60)) as server, serving(Desk(bed.order()), Door(60)) as elsewhere, Chromium() as browser:
        browser.open(server.address)
        browser.wait_for(OPEN)
        place = f"{server.origin}/{server.door.place}/"
        browser.open(elsewhere.address)  # another origin: another port
        browser.wait_for(OPEN)
        browser.call("Page.setBypassCSP", enabled=True)
        browser.open(f"{elsewhere.origin}/{elsewhere.door.place}/")
        browser.wait_for(OPEN)
        for options in ({}, {"mode": "no-cors"}, {"mode": "no-cors", "credentials": "include"}):
            for what in ("", "decide"):
                body = {"method": "POST", "body": json.dumps({"run": proposal_of(bed).run, "op": 1, "choice": "accept"})} if what else {}
                got = browser.js(
                    f"fetch({json.dumps(place + what)}, {json.dumps({**options, **body})})"
                    ".then(a => a.text()).catch(e => 'blocked')"
                )
                assert got in ("blocked", ""), (options, what, got)
    assert decisions.load(bed.order().staging, proposal_of(bed)).choices == {}


def test_a_hostile_entry_is_text(bed: Bed) -> None:
    stage_all(bed)
    with sitting(bed) as browser:
        assert browser.js("document.title") == "Review · agentops dreaming"
        assert browser.js("document.querySelectorAll('img, script').length") == 1
        card = browser.js("document.querySelector('.card[data-op=\"7\"]').textContent")
        for words in ("<script>document.title = 'owned'</script>", "\\u001b[31mred", "\\u202egnirts", "<!-- agentops:dreaming:end -->", "</article></main>"):
            assert words in card
        assert browser.js("document.querySelectorAll('main .card').length") == 9
        everything = browser.js("document.body.textContent")
        assert "\x1b" not in everything and "\u202e" not in everything


def test_every_kind_of_card_can_be_reached_read_and_filtered_with_the_keyboard(bed: Bed) -> None:
    stage_all(bed)
    with sitting(bed) as browser:
        seen = []
        for _ in range(12):
            seen.append(browser.js("document.activeElement.closest('.card')?.dataset.op ?? document.querySelector('.card.current').dataset.op"))
            browser.press("j")
        assert list(dict.fromkeys(seen)) == ["0", "1", "2", "4", "5", "6", "7", "3", "8"]
        browser.press("Enter")
        browser.press(*"kkkkkkkkk")
        kinds = []
        for _ in range(6):
            browser.press("f")
            kinds.append(browser.js("document.querySelector('[data-filter][aria-pressed=true]').dataset.filter"))
        assert kinds == ["parked", "passed", "flag-only", "stale", "refused", "all"]
        browser.press(*"ffff")
        shown = browser.js("[...document.querySelectorAll('.card')].filter(c => c.checkVisibility()).map(c => c.dataset.op)")
        assert shown == ["5"] and "note-4.md changed since it was proposed" in browser.text(".card.current")
        browser.press("a")
        browser.wait_for("document.querySelector('#said').textContent.includes('cannot be accepted')")
        browser.press("f")
        assert "4711 rpm" not in browser.text(".card[data-op='3']")
        browser.press("Enter")
        assert "4711 rpm" in browser.text(".card[data-op='3']")
        assert not browser.js("document.querySelector('.card[data-op=\"3\"] footer')")


def test_side_by_side_and_one_text_say_the_same(bed: Bed) -> None:
    stage_all(bed)
    with sitting(bed) as browser:
        flat = "document.querySelector('.card[data-op=\"1\"] .diff').textContent"
        before = browser.js(flat)
        browser.press("v")
        sides = browser.js("[...document.querySelectorAll('.card[data-op=\"1\"] .block')].at(-1).innerText")
        assert "Note to self: a release is tagged" in sides and "A release is tagged" in sides
        browser.press("v")
        assert browser.js(flat) == before


def test_an_edit_on_the_page_is_judged_and_carried_out(bed: Bed) -> None:
    stage(bed, THREE)
    with sitting(bed) as browser:
        browser.press("j", "e")
        browser.wait_for("document.querySelector('#edit-dialog[open]')")
        assert browser.js("document.activeElement.value") == BETTER
        browser.js("document.activeElement.select()")
        browser.type(BETTER + " See OPS-4711. 検証")
        browser.click("#edit-dialog [data-do=save]")
        browser.wait_for("document.querySelector('.card.current').innerText.includes('edited by you')")
        assert "invention" in browser.text(".card.current")
        assert browser.js("document.querySelector('.card.current [data-act=accept]').disabled")
        browser.press("e")
        browser.wait_for("document.querySelector('#edit-dialog[open]')")
        browser.js("document.activeElement.select()")
        browser.type(BETTER.replace("never by hand", "never ever by hand"))
        browser.click("#edit-dialog [data-do=save]")
        browser.wait_for("!document.querySelector('.card.current [data-act=accept]').disabled")
        browser.press("a")
        progress(browser, "1 of 3 decided")
        browser.press("c")
        browser.wait_for("document.querySelector('#summary-dialog[open]')")
        browser.press("Enter")
        browser.wait_for("document.body.innerText.includes('agentops-dream undo')")
    assert "never ever by hand" in (bed.memory / "release.md").read_text()


def test_a_secret_typed_into_an_edit_is_refused_and_the_text_is_not_lost(bed: Bed) -> None:
    stage(bed, [UPDATE])
    text = BETTER + " Use ghp_" + "a1B2" * 9
    with sitting(bed) as browser:
        browser.press("e")
        browser.wait_for("document.querySelector('#edit-dialog[open]')")
        browser.js("document.activeElement.select()")
        browser.type(text)
        browser.click("#edit-dialog [data-do=save]")
        browser.wait_for("document.querySelector('#edit-error').textContent.includes('secret')")
        assert browser.js("document.querySelector('#edit-body').value") == text
        browser.press("Escape")
        problems = browser.problems()
        assert all("409" in problem for problem in problems)
        browser._events.clear()


def test_two_hundred_ops_are_gone_through_without_waiting(bed: Bed) -> None:
    bed.env["AGENTOPS_DREAM_MAX_BYTES"] = "2000000"
    stage(bed, many(bed, 200))
    with sitting(bed) as browser:
        assert browser.js("document.querySelectorAll('.card').length") == 200
        for number in range(1, 11):
            browser.press("a")
            progress(browser, f"{number} of 200 decided")
        browser.press(*"j" * 100)
        assert browser.js("document.querySelector('.card.current').dataset.op") == "110"
        box = browser.js("(() => { const b = document.querySelector('.card.current').getBoundingClientRect(); return [b.top, b.bottom]; })()")
        assert 0 <= box[0] < 900, "the card that is decided about is the one in view"


@pytest.mark.parametrize("shape", [{"width": 390, "height": 844, "mobile": True}, {"width": 320, "height": 640, "mobile": True}, {"width": 768, "height": 1024}, {"width": 1600, "height": 900}])
def test_the_page_fits_phones_and_wide_screens(bed: Bed, shape: dict[str, Any]) -> None:
    stage_all(bed)
    bed.write("long", "x" * 400)
    with sitting(bed, **shape) as browser:
        assert browser.js("document.documentElement.scrollWidth") <= shape["width"]
        small = browser.js("[...document.querySelectorAll('.card footer button')].filter(b => b.checkVisibility() && b.getBoundingClientRect().height < 36).length")
        assert small == 0


CONTRAST = """(() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c.slice(0, 3); } return rgb(getComputedStyle(document.body).backgroundColor); };
  const bad = [];
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !e.checkVisibility() || e.closest('script, :disabled')) continue;
    const one = light(rgb(getComputedStyle(e).color).slice(0, 3)), other = light(ground(e));
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) bad.push(`${e.tagName}.${e.className} ${e.textContent.slice(0, 20)} ${ratio.toFixed(2)}`);
  }
  return bad;
})()"""

UNNAMED = """[...document.querySelectorAll('button, a, input, textarea, dialog, nav, section, article')].filter((e) => {
  const by = e.getAttribute('aria-labelledby');
  const name = e.getAttribute('aria-label') || (by && document.getElementById(by)?.textContent) || e.labels?.[0]?.textContent || e.textContent;
  return !name?.trim() || (['DIALOG', 'NAV', 'ARTICLE'].includes(e.tagName) && !e.getAttribute('aria-label') && !by);
}).map((e) => e.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("dark", [False, True])
def test_everything_can_be_read_in_light_and_dark_and_has_a_name(bed: Bed, dark: bool) -> None:
    """Contrast of at least 4.5 (WCAG AA), a name for every control, one main heading."""
    stage_all(bed)
    with sitting(bed, dark=dark) as browser:
        ground = browser.js("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", ground))) < 200) == dark
        for done in (1, 0):  # accepted, and taken back: waiting for what stands there already would not wait
            assert browser.js(CONTRAST) == []
            browser.press("v", "a")
            progress(browser, f"{done} of 7 decided")
            browser.press("k", "k")
        assert browser.js(CONTRAST) == []
        assert browser.js(UNNAMED) == []
        assert browser.js("document.querySelectorAll('h1').length") == 1
        for _ in range(3):
            browser.press("Tab")
        assert browser.js("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_a_report_is_one_file_that_needs_nobody(bed: Bed, tmp_path: Path) -> None:
    stage_all(bed)
    target = tmp_path / "a report.html"
    done = call(bed, "report", "-o", str(target))
    assert done.returncode == 0, done.stderr
    with Chromium() as browser:
        browser.open(target.as_uri())
        browser.wait_for(OPEN)
        assert "kettle-metrics" in browser.text() and not browser.js("document.querySelector('[data-act]')")
        browser.press("a", "c", "e", "v", "j")
        assert browser.js("document.title") == "Review · agentops dreaming"
        assert browser.problems() == []
        assert {address.split(":")[0] for address in browser.requests()} <= {"file", "data"}


def test_the_figures_can_be_read_on_a_phone_and_in_the_dark(bed: Bed, tmp_path: Path) -> None:
    stage(bed, THREE)
    target = tmp_path / "figures.html"
    assert call(bed, "report", "--stats", "-o", str(target)).returncode == 0
    with Chromium(width=390, height=844, mobile=True, dark=True) as browser:
        browser.open(target.as_uri())
        assert browser.js("document.documentElement.scrollWidth") <= 390
        assert browser.js(CONTRAST) == [] and browser.problems() == []
        assert browser.js("document.querySelectorAll('svg[role=img][aria-label]').length") == 4
