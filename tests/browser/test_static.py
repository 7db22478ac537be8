"""A lesson of the static edition, from a file server, a disk and in a course, with all other hosts out of reach."""

import functools
import http.server
import json
import threading
import zipfile
from dataclasses import replace

import pytest

from pages.ui.lessons.lesson import read
from pages.ui.modules import joined
from pages.ui.play import assets
from pages.ui.recordings.document import read as read_recording
from pages.ui.static import command, demos, lessons
from pages.ui.static.store import wrapped
from tests.browser.conftest import PATIENCE
from tests.browser.ear import EAR, listen
from tests.pages.lessons.sample import SAMPLE
from tests.pages.test_static import TINY

# the page of a course around the package of a lesson; it keeps what it is told, notes the calls, and asks for xAPI
COURSE = """<!doctype html><title>Course</title><script>
var values = {}, calls = [], note = name => (...given) => { calls.push([name, ...given]); return 'true'; };
const set = note("set"), ids = () => Object.keys(values).filter(name => /interactions.*id$/.test(name));
window.API = { LMSInitialize: note('begin'), LMSCommit: note('commit'), LMSFinish: note('finish'),
  LMSGetValue: name => name === 'cmi.interactions._count' ? String(ids().length) : values[name] ?? '',
  LMSSetValue: (name, value) => { values[name] = value; return set(name, value); } };
var statements = [];
addEventListener("message", ({ data }) => { if (data.statement) statements.push(data.statement); });
</script><iframe name="lesson" onload="this.contentWindow.postMessage({ feedbackLab: 'xapi' }, '*')"
src="course/index.html" width="1240" height="690"></iframe>"""


EVERY = bytes(range(256)) + b'\\n"\\\\\n\r'  # each byte, and what could be taken for an escape


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Says of scripts that they are UTF-8, as some servers do of every text."""

    def guess_type(self, path):
        kind = super().guess_type(path)
        return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind

    def log_message(self, *given):
        pass


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    lesson = read(SAMPLE, "flipping")
    spoken = {"en": lesson, "es": replace(lesson, language="es")}
    patch.setattr(lessons.library, "lessons", lambda language="en": {lesson.id: spoken[language]})
    patch.setattr(lessons.library, "spoken", lambda id: ("en", "es"))
    patch.setattr(demos, "DEMOS", (TINY,))
    folder = tmp_path_factory.mktemp("edition")
    assert command.main([str(folder), "--lessons", "--demos", "--workers", "1"]) == 0
    package = tmp_path_factory.mktemp("course") / "flipping.zip"
    assert command.main(["--scorm", str(package), str(folder), "--lessons", lesson.id, "--workers", "1"]) == 0
    with zipfile.ZipFile(package) as files:
        files.extractall(folder / "course")
    (folder / "course.html").write_text(COURSE)
    (folder / "bytes.js").write_bytes(wrapped(EVERY))
    reader = joined(assets.FOLDER / "read.js")
    (folder / "bytes.html").write_text(f"""<!doctype html><script>{reader}
flRead('bytes.js').then(bytes => {{ globalThis.got = [...bytes]; }});</script>""")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    patch.undo()


@pytest.fixture
def open_lesson(browser, edition):
    """Opens the lesson, in a frame where it is in a course; whatever is asked of another host is refused, and noted."""
    contexts = []

    def open_lesson(where, name="lesson-flipping"):
        folder, address = edition
        own = folder.as_uri() if where == "disk" else address
        contexts.append(browser.new_context(viewport={"width": 1280, "height": 720}))
        contexts[-1].add_init_script(EAR)
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE * 1000)
        refused, failures = [], []
        page.on("request", lambda r: refused.append(r.url) if not r.url.startswith((own, "data:")) else None)
        page.on("pageerror", lambda error: failures.append(str(error)))
        if where != "disk":
            page.route("**/*", lambda r: r.continue_() if r.request.url.startswith(own) else r.abort())
        page.goto(f"{own.rstrip('/')}/{'course' if where == 'course' else name}.html")
        return page.frame("lesson") if where == "course" else page.main_frame, refused, failures

    yield open_lesson
    for context in contexts:
        context.close()


def press(frame, name, keys):
    """Press a button of the card, by a click or with the keyboard alone."""
    button = frame.locator(f".fl-lesson [data-do={name}][aria-disabled=false], .fl-hand [data-hand={name}]").first
    button.wait_for()
    if keys:
        button.focus()
        frame.page.keyboard.press("Enter")
    else:
        button.click()


def play(frame, keys):
    frame.locator(".fl-lesson [data-do=play][aria-disabled=false]").wait_for()
    frame.evaluate("__feedbackLab.player.setSpeed('max')")
    press(frame, "play", keys)


@pytest.mark.parametrize(("where", "right", "keys"), [("course", True, False), ("server", False, True),
                                                     ("disk", True, True)])  # fmt: skip
def test_a_lesson_is_taken_to_its_end(open_lesson, where, right, keys):
    frame, refused, failures = open_lesson(where)
    keyboard = frame.page.keyboard
    if where == "server":
        frame.locator(".fl-lesson [data-do=play][aria-disabled=false]").wait_for()
        assert "sine" in listen(frame, lambda: press(frame, "play", keys)), "it can be heard, at the speed of the card"
    else:
        play(frame, keys)
    press(frame, "next", keys)
    truth = json.loads(frame.locator("#fl-page").text_content())["lesson"]["cards"][1]["truth"]
    slider = frame.locator(".fl-lesson input[type=range]")
    slider.focus()
    keyboard.press("Home" if not right else "ArrowRight")
    for _ in range(abs(int(truth - int(slider.input_value()))) if right else 0):
        keyboard.press("ArrowLeft" if truth < int(slider.input_value()) else "ArrowRight")
    press(frame, "lock", keys)
    play(frame, keys)
    press(frame, "next", keys)
    if where == "course":  # the person leaves, and comes back
        frame.goto(frame.url.partition("?")[0])
        frame.locator(".fl-lesson [data-do=resume]").click()
    options = frame.locator(".fl-lesson input[type=radio]")
    options.first.focus()
    keyboard.press("Space")
    if right:
        keyboard.press("ArrowDown")
    press(frame, "lock", keys)
    press(frame, "next", keys)
    frame.locator(".fl-stops input").focus()
    keyboard.press("ArrowLeft")
    press(frame, "next", keys)
    frame.locator(".fl-hand [aria-pressed]").first.wait_for()
    for _ in range(2):
        press(frame, "next", keys)
    kept = "parent.values['cmi.suspend_data']" if where == "course" else "localStorage.getItem('fl-lesson:flipping')"
    frame.wait_for_function(f"JSON.parse({kept} ?? null)?.completed")
    cards = frame.evaluate(f"JSON.parse({kept}).cards")
    assert [cards[id]["points"] for id in ("guess", "why")] == [float(right)] * 2
    if where == "course":
        told_to_the_course(frame)
    assert refused == [] and failures == []


@pytest.mark.parametrize("where", ["server", "disk"])
def test_every_byte_of_a_file_arrives(open_lesson, where):
    frame, refused, failures = open_lesson(where, "bytes")
    frame.wait_for_function("globalThis.got")
    assert bytes(frame.evaluate("got")) == EVERY and refused == failures == []


def test_the_recording_of_a_demo_is_saved_as_the_app_reads_it(open_lesson, tmp_path):
    frame, _, failures = open_lesson("disk", "demo-flip")
    with frame.page.expect_download() as download:
        frame.locator("[data-take]").click()
    assert download.value.suggested_filename == "flip.flab" and failures == []
    assert read_recording(download.value.path().read_bytes()).payload["steps"] == 20


def test_a_lesson_goes_on_in_another_language(open_lesson):
    frame, _, failures = open_lesson("server")
    play(frame, keys=False)
    press(frame, "next", keys=False)
    frame.get_by_role("link", name="Español").click()
    frame.locator(".fl-c-place", has_text="Tarjeta 2 de 5").wait_for()
    assert frame.locator("html").get_attribute("lang") == "es" and failures == []


def told_to_the_course(frame):
    """It heard of the beginning, each answer once, the pause, the score and the end."""
    page = frame.page
    frame.goto("about:blank")
    values, calls = page.evaluate("[values, calls]")
    assert [name for name, *_ in calls if name in ("begin", "finish")] == ["begin", "finish"] * 2
    assert calls[-1][0] == "finish"
    status = [
        value for _, name, value in (call for call in calls if call[0] == "set") if name == "cmi.core.lesson_status"
    ]
    assert status == ["incomplete", "completed"]
    exits = [value for _, name, value in (call for call in calls if call[0] == "set") if name == "cmi.core.exit"]
    assert exits == ["suspend", ""]
    answers = [[values[f"cmi.interactions.{i}.{part}"] for part in ("id", "type", "result")] for i in range(2)]
    assert answers == [["guess", "numeric", "correct"], ["why", "choice", "correct"]]
    verbs = [(made["verb"]["id"].rpartition("/")[2], made["object"]["id"]) for made in page.evaluate("statements")]
    lesson = "urn:feedback-lab:lesson:flipping"
    assert verbs == [("answered", f"{lesson}:guess"), ("answered", f"{lesson}:why"), ("completed", lesson)]
    assert "cmi.interactions.2.id" not in values and values["cmi.core.score.raw"] == "100"
