"""Links with lock, hide, present, embed, t, vs and lesson, in a browser: reloaded, copied, and in a frame."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from tests.browser.conftest import PATIENCE, Visitor
from tests.pages.test_links import COMBINATIONS

BATCH = 5  # links of a test, and frames of a page
# what of a link can be seen once its page has come to rest
SEEN = """() => {
  const all = query => [...document.querySelectorAll(query)].filter(each => each.checkVisibility());
  const boxes = all('[data-testid=stExpander] summary').map(each => each.innerText);
  const disabled = each => each.matches('[disabled], :has(input:disabled)');
  const labels = all('[data-testid=stSidebar] [data-testid=stWidgetLabel], .st-key-settings-bar button, .fl-knob');
  const player = document.querySelector('.fl-player')?.player;
  return {
    t: player?.payload ? Math.floor(player.t) : null,
    complete: player?.payload?.complete ?? false,
    large: player?.payload?.present,
    pins: player?.payload?.ghosts.length,
    demo: all('[data-testid=stAlert]').some(each => each.innerText.includes('Watch a perceptron flip')),
    lesson: document.querySelector('.fl-lesson')?.lesson?.lesson.id ?? null,
    card: document.querySelector('.fl-lesson')?.lesson?.index ?? null,
    settings: labels.length,
    locked: labels.filter(disabled).length,
    unlock: all('button').filter(each => each.innerText.endsWith('Unlock')).length,
    scene: all('.fl-scene').length > 0,
    inspector: boxes.some(words => words.includes('inspector')),
    table: boxes.some(words => words.includes('Table of the values')),
    takeAway: boxes.some(words => words.includes('Export: a film')),
    tries: all('h3').some(each => each.innerText === 'What to try next'),
  };
}"""


def address(frame):
    """The query of a window or a frame, without the pace that a card of a lesson sets."""
    query = dict(parse_qsl(frame.evaluate("location.search").removeprefix("?")))
    if "lesson" in query:
        query.pop("speed", None)
    return query


def state(frame):
    return {"address": address(frame)} | frame.evaluate(SEEN)


def at_rest(visitor, frame):
    """The content of a window or a frame once it does not change any more."""
    frame.locator(".fl-player").first.wait_for(state="attached")
    before = None

    def rested():
        nonlocal before
        now = state(frame)
        quiet = frame.locator("[data-testid=stApp]").get_attribute("data-test-script-state") == "notRunning"
        same, before = quiet and now["complete"] and now == before, now
        return same

    visitor.page.wait_for_timeout(300)
    visitor.wait_until(rested)
    return before


def expected(page, query):
    """Part of what a link must show."""
    hidden = query.get("hide", "").split(",")
    shown = {"large": "present" in query, "inspector": "inspector" not in hidden, "table": "table" not in hidden,
             "scene": "scene" not in hidden, "address": query}  # fmt: skip
    if page == "lessons":
        return shown | {"lesson": query["lesson"], "card": int(query.get("card", 1)) - 1}
    locked = set(query.get("lock", "").split(",")) - {*hidden, ""}  # what is hidden needs no line
    quiet = "present" in query or "embed" in query  # settings and texts are behind buttons
    pins = {"": 0, "noise~0.4": 1}.get(query.get("vs", ""), 2)
    return shown | {
        "t": int(query.get("t", 0)), "pins": pins, "demo": "demo" in query and not quiet,
        "tries": "tries" not in hidden, "takeAway": "take-away" not in hidden,
        "unlock": int(bool(locked) and "sidebar" not in hidden and not quiet),
    }  # fmt: skip


@contextmanager
def embedding(addresses):
    """The address of a page of another server, with a frame for each address."""
    frames = "".join(f'<iframe width="1100" height="640" src="{a.replace("&", "&amp;")}"></iframe>' for a in addresses)

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>A course</title><h1>A course</h1>{frames}".encode())

        def log_message(self, *arguments):
            pass

    host = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=host.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{host.server_port}/"
    finally:
        host.shutdown()
        host.server_close()


@pytest.fixture(scope="module")
def stranger(browser):
    """The windows of another person, who has never been here."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    yield context
    context.close()


@pytest.fixture
def guest(browser, server, stranger):
    """A window of another person; it must have run without an error of JavaScript."""
    visitor = Visitor(browser, server)
    visitor.page.close()
    visitor.page = stranger.new_page()
    visitor.page.set_viewport_size({"width": 1200, "height": 760})
    visitor.page.on("pageerror", lambda error: visitor.failures.append(str(error)))
    yield visitor
    visitor.page.close()
    assert not visitor.failures, visitor.failures


@pytest.mark.parametrize(
    "first",
    [pytest.param(n, marks=[pytest.mark.thorough] * (n % (4 * BATCH) > 0)) for n in range(0, len(COMBINATIONS), BATCH)],
)
def test_links_survive_a_reload_a_copy_and_a_frame(visit, guest, server, first):
    """Each frame is that of another person, so it opens a copy; the first copy is opened in a window as well."""
    batch, copied, seen = COMBINATIONS[first : first + BATCH], [], []
    me = None
    for page, query in batch:
        path = f"/{page}?{urlencode(query)}"
        me = me or visit(path)
        me.page.goto(server + path)
        found = at_rest(me, me.page)
        wanted = expected(page, query)
        if page == "lessons":  # where a card has its own place, or asks, that is where it begins
            without_t = [
                {key: text for key, text in q.items() if key != "t"} for q in (wanted.pop("address"), found["address"])
            ]
            assert without_t[0] == without_t[1], path
        assert {key: found[key] for key in wanted} == wanted, (path, found)
        me.page.reload()
        assert at_rest(me, me.page) == found, path
        if not copied:
            guest.page.goto(me.url)
            assert at_rest(guest, guest.page) == found, path
        copied.append(me.url)
        seen.append(found)
    with embedding(copied) as host:
        guest.page.goto(host)
        frames = [frame for frame in guest.page.frames if frame != guest.page.main_frame]
        assert [urlsplit(frame.url).path for frame in frames] == [f"/{page}" for page, _ in batch]
        for frame, found in zip(frames, seen, strict=True):
            inside = at_rest(guest, frame)
            assert inside == found, frame.url


def test_the_player_works_in_a_frame_of_another_page(guest, server):
    with embedding([f"{server}/stability?steps=200&replicates=2&embed=true&lock=all"]) as host:
        guest.page.goto(host)
        frame = guest.page.frames[1]
        at_rest(guest, frame)
        frame.locator(".fl-player [data-do=step]").click()
        guest.wait_until(lambda: frame.evaluate(SEEN)["t"] == 1)
        frame.locator(".fl-player [data-do=play]").click()
        guest.wait_until(lambda: (frame.evaluate(SEEN)["t"] or 0) > 5)
        guest.wait_until(lambda: address(frame).get("t") == "200")
        assert address(frame) == {"steps": "200", "replicates": "2", "embed": "true", "lock": "all", "t": "200"}


def test_lock_hide_and_strangers_stay_when_a_setting_changes_and_when_one_goes_back(visit):
    query = {"steps": "40", "replicates": "2", "lock": "seed", "hide": "table", "utm_source": "letter"}
    me = visit(f"/stability?{urlencode(query)}")
    before = at_rest(me, me.page)
    assert before["unlock"] == 1 and not before["table"]
    me.page.get_by_role("slider", name="Noise η").press("ArrowRight")
    me.wait_until(lambda: "noise" in address(me.page))
    changed = address(me.page)
    assert float(changed.pop("noise")) > 0.2 and changed == query
    changed = address(me.page)
    me.follow("Lessons").page.go_back()
    me.wait_until(lambda: address(me.page) == changed)
    assert at_rest(me, me.page) == before | {"address": changed}
    me.follow("Silence the noise")  # a try, which is a link of its own
    kept = {key: query[key] for key in ("lock", "hide")}
    me.wait_until(lambda: kept.items() <= address(me.page).items() and "steps" not in address(me.page))
    assert at_rest(me, me.page)["unlock"] == 1 and float(address(me.page)["noise"]) == 0


def test_unlock_frees_the_settings_and_the_address(visit):
    me = visit("/stability?steps=40&replicates=2&lock=noise&utm_source=letter")
    assert at_rest(me, me.page)["locked"] == 1
    assert me.page.get_by_role("slider", name="Noise η").is_disabled()
    me.page.get_by_role("button", name="Unlock").click()
    me.wait_until(lambda: address(me.page) == {"steps": "40", "replicates": "2", "utm_source": "letter"})
    assert at_rest(me, me.page)["locked"] == 0 and not me.page.get_by_role("button", name="Unlock").count()
