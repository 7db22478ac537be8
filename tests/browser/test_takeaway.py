"""The file that is taken away, opened from a disk without a network."""

import socket
import time

import pytest

from pages.ui.draw import plotly_js
from pages.ui.play import assets
from pages.ui.recordings import takeaway
from pages.ui.recordings.document import Document
from tests.browser.conftest import PATIENCE
from tests.pages.player import PAYLOAD, STORIES, stand_in


@pytest.fixture
def save(tmp_path, monkeypatch):
    """Returns a function that takes a run away and returns the file."""
    monkeypatch.setattr(assets, "FOLDER", stand_in(tmp_path / "js"))
    assets.style.cache_clear()

    def save(stories=STORIES):
        path = tmp_path / "run.html"
        document = Document.of("A run", PAYLOAD, stories, link="https://example.org/stability")
        path.write_text(takeaway.page(document), encoding="utf-8")
        return path

    yield save
    assets.style.cache_clear()


@pytest.fixture
def open_file(browser, save):
    """Returns a function that opens the file where every request is refused; what was asked for is in `asked`."""
    contexts = []

    def open_file(scheme="light", width=1200, stories=STORIES, block=True):
        file = save(stories)
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})
        contexts.append(context)
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.asked, page.failures = [], []
        if block:
            page.route("http*://**", lambda route: route.abort())
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("pageerror", lambda error: page.failures.append(str(error)))
        page.goto(file.as_uri())
        end = time.monotonic() + PATIENCE  # the page allows no text as code, with which wait_for_function looks again
        while not page.evaluate("Boolean(globalThis.played?.drawn)"):
            assert time.monotonic() < end, "the film was not drawn"
            page.wait_for_timeout(50)
        return page

    yield open_file
    for context in contexts:
        context.close()


def test_it_draws_every_kind_of_trace_also_as_a_picture_and_asks_for_nothing(open_file):
    page = open_file()
    assert page.asked == [page.url] and page.failures == []
    assert page.evaluate("Plotly.version.split('.')[0]") == plotly_js.VERSION.split(".")[0]
    for layer in ("scatterlayer .trace", "barlayer .point", "heatmaplayer .hm"):
        assert page.locator(f".{layer}").count() > 0
    assert page.evaluate("played.ends") == "</script><!-- no end -->", "the code means what it meant"
    assert page.locator("h2", has_text="Lost: B & <C>").count() == 1
    for kind, start in (("png", "data:image/png"), ("svg", "data:image/svg")):
        made = page.evaluate("kind => Plotly.toImage(document.querySelector('.js-plotly-plot'), {format: kind})", kind)
        assert made.startswith(start) and len(made) > 1000


def test_a_server_that_a_text_in_it_names_is_not_asked(open_file):
    """A picture in one of the stories, and a script that asks; the server is there and counts."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/spy.png"
        page = open_file(stories=[STORIES[0] | {"html": f'<img src="{address}">'}], block=False)
        assert page.evaluate("url => fetch(url).then(() => 'answered', () => 'refused')", address) == "refused"
        assert page.evaluate("url => import(url).then(() => 'answered', () => 'refused')", address) == "refused"
        assert page.locator("img[src*=spy]").evaluate("image => image.complete && !image.naturalWidth")
        server.settimeout(0.5)
        with pytest.raises(TimeoutError):
            server.accept()


def test_it_follows_the_scheme_of_the_person(open_file):
    for scheme, ground, text, curve, band, turned in (
        ("light", "rgb(255, 255, 255)", "#1B1F24", "#0072B2", "rgba(0,114,178,0.2)", "none"),
        ("dark", "rgb(18, 22, 28)", "#E8ECF1", "#56B4E9", "rgba(86,180,233,0.2)",
         "invert(1) hue-rotate(180deg)"),
    ):  # fmt: skip
        page = open_file(scheme)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground
        payload = page.evaluate("played.payload")
        drawn, classes, places = payload["charts"]
        frame, lines = (chart["frames"]["frames"][0][0][1] for chart in (classes, places))
        assert drawn["layout"]["font"]["color"] == frame["layout"]["font"]["color"] == text
        assert (drawn["data"][0]["line"]["color"], drawn["data"][0]["fillcolor"]) == (curve, band)
        assert payload["learners"][0]["color"] == payload["legend"][0]["color"] == curve
        assert frame["data"][0]["marker"]["color"] == "#0072B2", "classes keep their colours"
        assert frame["layout"]["annotations"][0]["font"]["color"] == curve, "and learners above them have theirs"
        assert lines["data"][0]["line"]["color"] == curve
        assert classes["title"] == "Classes"
        page.emulate_media(media="print", color_scheme="light")  # browsers print in the light scheme
        found = page.evaluate("(s => [s.backgroundColor, s.filter])(getComputedStyle(document.body))")
        assert found == ["rgba(0, 0, 0, 0)", turned], "on paper what was dark is turned round"


def test_a_narrow_screen_needs_no_sideways_scrolling(open_file):
    page = open_file(width=400)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
