"""A lesson of the static edition, from a file server and from a disk, with every other host out of reach."""

import functools
import http.server
import json
import threading

import pytest

from pages.ui.lessons.lesson import read
from pages.ui.static import command
from tests.browser.conftest import PATIENCE
from tests.pages.lessons.sample import SAMPLE


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *given):
        pass


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    lesson = read(SAMPLE, "flipping")
    patch.setattr(command.library, "lessons", lambda: {lesson.id: lesson})
    folder = tmp_path_factory.mktemp("edition")
    assert command.main([str(folder), "--lessons", "--workers", "1"]) == 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    patch.undo()


@pytest.fixture
def open_lesson(browser, edition):
    """Opens the lesson; whatever the page asks of another host is refused, and noted in `page.refused`."""
    contexts = []

    def open_lesson(where):
        folder, address = edition
        own = address if where == "server" else folder.as_uri()
        contexts.append(browser.new_context(viewport={"width": 1280, "height": 720}))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.refused, page.failures = [], []
        page.on("request", lambda r: page.refused.append(r.url) if not r.url.startswith((own, "data:")) else None)
        page.on("pageerror", lambda error: page.failures.append(str(error)))
        if where == "server":
            page.route("**/*", lambda r: r.continue_() if r.request.url.startswith(own) else r.abort())
        page.goto(f"{own.rstrip('/')}/lesson-flipping.html")
        return page

    yield open_lesson
    for context in contexts:
        context.close()


def press(page, name, keys):
    """Press a button of the card, by a click or with the keyboard alone."""
    button = page.locator(f".fl-lesson [data-do={name}][aria-disabled=false], .fl-hand [data-hand={name}]").first
    button.wait_for()
    if keys:
        button.focus()
        page.keyboard.press("Enter")
    else:
        button.click()


def play(page, keys):
    page.locator(".fl-lesson [data-do=play][aria-disabled=false]").wait_for()
    page.evaluate("__feedbackLab.player.setSpeed('max')")
    press(page, "play", keys)


@pytest.mark.parametrize(("where", "right", "keys"), [("server", True, False), ("server", False, True),
                                                     ("disk", True, True)])  # fmt: skip
def test_a_lesson_is_taken_to_its_end(open_lesson, where, right, keys):
    page = open_lesson(where)
    play(page, keys)
    press(page, "next", keys)
    truth = json.loads(page.locator("#fl-page").text_content())["lesson"]["cards"][1]["truth"]
    slider = page.locator(".fl-lesson input[type=range]")
    slider.focus()
    page.keyboard.press("Home" if not right else "ArrowRight")
    for _ in range(abs(int(truth - int(slider.input_value()))) if right else 0):
        page.keyboard.press("ArrowLeft" if truth < int(slider.input_value()) else "ArrowRight")
    press(page, "lock", keys)
    play(page, keys)
    press(page, "next", keys)
    options = page.locator(".fl-lesson input[type=radio]")
    options.first.focus()
    page.keyboard.press("Space")
    if right:
        page.keyboard.press("ArrowDown")
    press(page, "lock", keys)
    press(page, "next", keys)
    page.locator(".fl-stops input").focus()
    page.keyboard.press("ArrowLeft")
    press(page, "next", keys)
    page.locator(".fl-hand [aria-pressed]").first.wait_for()
    for _ in range(2):
        press(page, "next", keys)
    page.wait_for_function("JSON.parse(localStorage.getItem('fl-lesson:flipping'))?.completed")
    cards = page.evaluate("JSON.parse(localStorage.getItem('fl-lesson:flipping')).cards")
    assert [cards[id]["points"] for id in ("guess", "why")] == [float(right)] * 2
    assert page.refused == [] and page.failures == []
