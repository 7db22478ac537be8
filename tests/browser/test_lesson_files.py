"""A lesson from files: the same cards beside the same player, with recordings that the page fetches and no server."""

import gzip
import json

import pytest

from pages.ui.lessons import cards
from pages.ui.play import assets
from pages.ui.recordings import takeaway
from pages.ui.static.store import wrapped
from tests.browser.lesson import CARDS, LESSON, Student, run

FACES = [{"label": name, "grade": float(name == "c")} for name in "abc"]
TREE = {
    "of": 2, "more": 100, "wanted": {"of": "topic", "what": "<em>c</em>"}, "counts": True,
    "faces": FACES, "lists": {"": [0, 1, 2]} | {branch: [2, 0, 1] for branch in "012"},
    "ends": {f"{a}{b}": {"after": [2, 1, 0], "later": [2, 0, 1], "map": None} for a in "012" for b in "012"},
}  # fmt: skip
RUNS = {"runs/a.js": run("a"), "runs/b.js": run("b")}
FILES = LESSON | {"cards": [card | {"run": "runs/a.js", "truth": None, "stops": None, "tree": None} for card in CARDS]}
FILES["cards"][2]["truth"] = 7
FILES["cards"][6]["stops"] = {
    "key": "noise", "label": "Noise", "help": "How often the user errs.", "texts": ["0", "0.2"], "at": 1,
    "runs": ["runs/b.js", "runs/a.js"], "truths": [None, None],
}  # fmt: skip
FILES["cards"][7] |= {"run": None, "tree": TREE}


def page(dark=False):
    given = {"lesson": FILES, "colors": json.loads(takeaway.colors({"text": "#1B1F24"}))}
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lesson</title>
<meta name="viewport" content="width=device-width"><style>{takeaway.SHEET}{assets.style()}{cards.style()}
main {{ display: flex; flex-wrap: wrap; gap: 1.4rem; }} main > * {{ flex: 3 1 24rem; min-width: 0; }}</style>
<script>document.documentElement.dataset.scheme = '{"dark" if dark else "light"}';</script></head><body><main>
<div class="fl-lesson"></div><div><div class="fl-stops"></div><div class="fl-player"></div><div class="fl-hand"></div>
<div class="fl-story"></div></div></main><script type="module">{cards.script("files")}
globalThis.told = [];
globalThis.host = flOpenLesson({{ ...{json.dumps(given)}, report: event => told.push(event),
  link: href => href === 'lessons' ? 'index.html' : '' }});
globalThis.lesson = host.runner; globalThis.player = host.player;
</script></body></html>"""


class Reader(Student):
    """A person before a lesson from files."""

    refuse = ()

    def _serve(self, route):
        name = route.request.url.removeprefix("http://lesson.test/").partition("?")[0]
        if name in self.refuse:
            route.fulfill(status=404)
        elif name in RUNS:
            made = json.dumps({"payload": RUNS[name], "stories": []}).encode()
            route.fulfill(body=wrapped(gzip.compress(made)), content_type="text/javascript")
        else:
            route.fulfill(body=page(self.dark), content_type="text/html")

    def open(self, query=""):
        self.page.goto(f"http://lesson.test/index.html?lesson=flip{query}")
        return self.until("globalThis.lesson?.data && (lesson.ready || !lesson.card.run)")


@pytest.fixture
def read(browser):
    readers = []

    def open_lesson(**how):
        readers.append(Reader(browser, **how))
        return readers[-1]

    yield open_lesson
    for reader in readers:
        reader.close()
        assert not reader.failures, reader.failures


def test_a_lesson_is_done_from_files_by_keys_alone_and_a_course_hears_of_it(read):
    me = read()
    assert me.title == "A user who clicks"
    me.page.focus(".fl-card h2")
    me.key("Enter")
    me.until("lesson.ready && lesson.index === 1").page.locator(".fl-c-option input").first.focus()
    me.key("ArrowDown", "Tab", "Enter", "Enter").rest(57).until("told.length === 1")
    assert me.get("told[0]") == {
        "kind": "answered", "card": "flip", "ask": "choice", "question": "What do you expect?", "value": 1,
        "response": "It falls to the last place", "right": True, "points": 1,
    }  # fmt: skip
    me.page.focus(".fl-card h2")
    me.key("Enter").until("lesson.ready && lesson.index === 2").page.focus(".fl-c-range")
    me.key("ArrowRight", "Tab", "Enter", "Enter").rest(400).until("told.length === 2")
    assert me.words(".fl-c-outcome").startswith("You said 11 flips. It came out as 7 flips.")
    assert (me.get("told[1].right"), me.get("told[1].response")) == (False, "11 flips")
    me.page.focus(".fl-card h2")
    me.key("Enter").until("lesson.ready && lesson.index === 3").page.focus(".fl-pad")
    me.key("ArrowUp")
    for _ in range(12):
        me.key("ArrowRight", "ArrowDown")
    before = me.get("lesson.view.ask.draft")
    me.key("Control+z")
    assert me.get("lesson.view.ask.draft") != before and "undone" in me.words(".fl-card > [aria-live]")
    me.key("ArrowDown", "Enter", "Enter").rest(400).until("told.length === 3")
    assert me.get("told[2].points") in (0, 0.5, 1)
    me.press("next").until("lesson.ready").key("p").until("player.t === 300").press("next").until("lesson.index === 5")
    me.press("skip").until("lesson.index === 6 && lesson.ready")
    assert not me.can("next")
    assert "fl-stop" in me.get("document.querySelector('.fl-pointed').className")
    me.page.focus(".fl-stop input")
    me.key("ArrowLeft").until("player.payload.run === 'b'")
    me.press("next").until("lesson.index === 7")
    assert not me.page.is_visible(".fl-player")
    assert "Three ways to click were recorded" in me.words(".fl-hand")
    for _ in range(2):
        me.page.focus(".fl-cards button")
        me.key("Enter")
        me.page.focus("[data-hand=next]")
        me.key("Enter")
    me.page.focus("[data-hand=then]")
    me.key("Enter")
    assert "the simulated user the next 100" in me.words(".fl-hand")
    me.press("next").until("told.length === 4")
    assert me.get("told[3].kind") == "completed" and me.get("told[3].of") == 3
    links = {link.inner_text(): link.get_attribute("href") for link in me.page.locator(".fl-card a").all()}
    assert links == {"All lessons": "index.html"}, "nothing leads to an app that is not there"
    me.open("&card=9")
    assert me.get("told") == [], "a course hears of each answer, and of the end, once"
    me.open("&card=2").rest(57)
    assert "This is why." in me.words(".fl-c-outcome")


def test_a_recording_that_is_missing_is_said_and_asked_for_again(read):
    me = read(dark=True)
    me.refuse = ("runs/b.js",)
    me.page.evaluate("host.card(6)")
    me.until("lesson.ready").page.focus(".fl-stop input")
    me.key("ArrowLeft").until("document.querySelector('.fl-story [role=alert]')")
    assert me.words(".fl-story [role=alert]") == "The recording runs/b.js could not be read: it is not there."
    me.refuse = ()
    me.page.click("text=Try again")
    me.until("lesson.ready && player.payload.run === 'b'")


def test_a_browser_that_keeps_nothing_and_a_disk_do_no_harm(read, tmp_path):
    """Opened from a disk, recordings are scripts beside the page; storage is refused."""
    (tmp_path / "runs").mkdir()
    for address, payload in RUNS.items():
        packed = gzip.compress(json.dumps({"payload": payload, "stories": []}).encode())
        (tmp_path / address).write_bytes(wrapped(packed))
    (tmp_path / "index.html").write_text(page())
    me = read()
    me.page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })")
    me.page.goto((tmp_path / "index.html").as_uri())
    me.until("lesson.ready")
    me.press("next").until("lesson.ready && lesson.index === 1").page.locator(".fl-c-option").first.click()
    me.press("lock").press("play").rest(57).until("told.length === 1")
    me.press("back").until("lesson.index === 0").press("next").until("lesson.ready && lesson.index === 1")
    assert "This is why." in me.words(".fl-c-outcome"), "kept until the page is left"
