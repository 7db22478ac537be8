"""Recordings that a person drags into the app, from the library and from elsewhere."""

import base64
import gzip
import json
import re
from dataclasses import replace

import nh3

from learners import Simulation
from pages.ui.library.notebook import bundle
from pages.ui.library.record import document_of
from pages.ui.library.recorder import Recorder
from pages.ui.recordings.folding import unfolded
from tests.browser.ear import EAR, listen

DROP = """
({ text, name }) => {
  const file = new File([Uint8Array.from(atob(text), sign => sign.charCodeAt(0))], name);
  const carried = new DataTransfer();
  carried.items.add(file);
  const place = document.querySelector('[data-testid=stFileUploaderDropzone]');
  for (const kind of ['dragenter', 'dragover', 'drop'])
    place.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: carried }));
}
"""
CLEAN = {"*": {"class", "style", "title"}, "a": {"href"}, "img": {"alt", "src"}}
MARKUP = '<img src=x onerror="parent.pwned=1"> **b** [a](http://elsewhere.example) </script><script>pwned=1</script>'


def drop(me, file, name="run.flab"):
    """Let go of a file over the place for it."""
    me.page.evaluate(DROP, {"text": base64.b64encode(file).decode(), "name": name})
    return me


def frame(me):
    found = me.page.frame_locator(".fl-recording iframe")
    found.locator(".fl-grid[data-frames]").wait_for()
    return found


def test_a_recording_is_dragged_in_and_plays(visit):
    sims = [
        Simulation(id, "toy-ranking", "cascade", seed=0) for id in ("preference-perceptron", "perturbed-perceptron")
    ]
    for sim in sims:
        sim.advance(steps=60)
    document = replace(document_of(sims, title=MARKUP), words=MARKUP)
    me = drop(visit("/runs"), document.packed())
    player = frame(me).locator(".fl-player")
    assert me.page.locator(".fl-recording iframe").get_attribute("sandbox") == "allow-scripts", "it has no origin"
    frame(me).get_by_role("button", name="Play").first.click()
    frame(me).locator(".fl-player[data-state=finished]").wait_for()
    assert player.get_attribute("data-t") == "60"
    me.page.keyboard.press("p")
    frame(me).locator(".fl-story h2").first.wait_for()
    assert frame(me).locator(".fl-s-body li, .fl-s-body [class*=row]").count() > 0, "the scene is there"
    assert "<img src=x" in me.text, "a text is shown as it is"
    assert me.page.evaluate("globalThis.pwned") is None and me.page.locator("img[src=x]").count() == 0


def test_a_run_of_another_program_is_dragged_in_and_a_bad_file_is_refused(visit):
    recorder = Recorder(MARKUP, [MARKUP, "other"], {"share": MARKUP}, words=MARKUP)
    for t in range(50):
        recorder.step(MARKUP, share=t / 50)
        recorder.step("other", share=1 - t / 50)
    recorder.mark(MARKUP, learner="other", kind=MARKUP)
    made = recorder.document().packed()
    me = drop(visit("/runs"), made)
    frame(me).get_by_role("button", name="Play").first.click()
    frame(me).locator(".fl-player[data-state=finished]").wait_for()
    for _ in range(2):  # in frames of a frame and on the page
        assert frame(me).locator("img[src=x]").count() == 0 == me.page.locator("img[src=x]").count()
    assert me.page.evaluate("globalThis.pwned") is None
    parts = unfolded(gzip.decompress(made))
    parts["version"] = 7
    drop(me, gzip.compress(json.dumps(parts).encode()), "later.flab")
    me.page.get_by_text("has version 7").wait_for()
    assert me.page.locator(".fl-recording").count() == 0 and me.failures == []


def test_an_output_of_a_notebook_plays_without_a_network_and_is_a_picture_where_it_is_not_trusted(browser):
    sim = Simulation("perturbed-perceptron", "toy-ranking", "cascade", replicates=3, seed=0)
    sim.advance(steps=60)
    made = bundle(sim)["text/html"]
    context = browser.new_context(offline=True)
    context.add_init_script(EAR)
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url) if request.url.startswith("http") else None)
    page.set_content(made)
    inside = page.frame_locator("iframe")
    inside.locator(".fl-speed").select_option("25")
    assert {"sine", "square"} == listen(inside, inside.get_by_role("button", name="Play").first.click)
    assert inside.locator(".fl-player").get_attribute("data-state") == "finished"
    assert inside.locator(".fl-copy .js-line").count() >= 4 and not page.locator(".fl-still").is_visible() and not asked
    # JupyterLab cleans what it does not trust: no frame, no script, no style sheet, and images of every address
    clean = nh3.clean(made, tags=nh3.ALLOWED_TAGS, attributes=CLEAN, url_schemes={"http", "https", "data"})
    assert "iframe" not in clean and "<style" not in clean and "fl-still {" not in clean
    page.set_content(clean)
    assert page.locator(".fl-still").evaluate("image => image.complete && image.naturalWidth > 300")
    assert page.locator("p").inner_text().startswith("3PR on toy-ranking") and not asked
    context.close()


def test_a_link_opens_a_recording_of_the_same_address_and_no_other(visit):
    """The browser fetches it; what is no recording, is not there, or lies elsewhere is refused in a sentence."""
    sim = Simulation("perturbed-perceptron", "toy-ranking", "cascade", seed=0)
    sim.advance(steps=40)
    made = document_of(sim).packed()
    me = visit("/home")
    asked = []
    me.page.route("**/lecture/**", lambda route: route.fulfill(body=made if "good" in route.request.url else b"none"))
    me.page.route("https://elsewhere.example/**", lambda route: asked.append(route.request.url))
    here = me.page.evaluate("location.origin")
    me.page.goto(f"{here}/runs?url=lecture/good.flab")
    frame(me).get_by_role("button", name="Play").first.click()
    frame(me).locator(".fl-player[data-state=finished]").wait_for()
    for url, sentence in (
        ("lecture/bad.flab", "is no recording"),
        ("lectures/missing.flab", "is no recording"),
        ("https://elsewhere.example/a.flab", "it must be on this address"),
    ):
        me.page.goto(f"{here}/runs?url={url}")
        told = me.page.locator("[data-testid=stAlert]").first
        told.wait_for()
        assert re.search(sentence, told.inner_text()), told.inner_text()
    assert not asked
