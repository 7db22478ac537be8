"""Pictures follow the playhead in a browser, on a page made of the files that draw them."""

import base64
from dataclasses import replace

import numpy as np
import orjson
import pytest

from datasets.spec import Spec
from pages.ui.draw.scatter_panels import color_of
from pages.ui.families.classification import pictures as bandit
from pages.ui.families.ranking import coactive_pictures as coactive
from pages.ui.families.ranking import comparison_pictures as interleaving
from tests.browser.picture_page import page, record, setup
from tests.pages.test_frames import decoded, received

CONFUSION = "pictures.confusion.plot"
Z = f"{CONFUSION}.calcdata.map(one => Array.from(one[0].z, row => Array.from(row)))"


def own(browser, tmp_path_factory, payload, **size):
    """Open the page, without an error until its end."""
    path = tmp_path_factory.mktemp("pictures") / "page.html"
    path.write_text(page(payload), "utf-8")
    opened = browser.profile.new_page()
    opened.set_viewport_size({"width": 1000, "height": 900} | size)
    opened.failures = []
    opened.on("pageerror", lambda error: opened.failures.append(str(error)))
    opened.goto(path.as_uri())
    opened.evaluate("ready")
    return opened


@pytest.fixture(scope="module")
def payload():
    race = setup(("perceptron", "banditron"), Spec("digits"), steps=200)
    return record(race, [spec for spec in bandit.PICTURES if spec.id != "regions"], keyframes=20)


@pytest.fixture(scope="module")
def frames(payload):
    """By chart id, each keyframe's step and picture as they should be drawn."""
    return {
        chart["id"]: dict(zip(chart["frames"]["at"], received(chart["frames"]), strict=True))
        for chart in payload["charts"]
    }


@pytest.fixture
def shown(browser, tmp_path_factory, payload):
    opened = own(browser, tmp_path_factory, payload)
    yield opened
    opened.close()
    assert not opened.failures, opened.failures


def at_rest(opened, t):
    """Move the playhead, and wait until every picture has had its turn."""
    opened.evaluate("t => seek(t)", t)
    opened.wait_for_function("pictureTurns.waiting.size === 0")
    return opened


@pytest.mark.parametrize("order", [(10, 20, 200, 190, 10), (200, 105.7, 99.9, 15), (0, 200, 0)], ids=str)
def test_the_picture_is_that_of_the_last_keyframe_at_or_before_the_playhead(shown, frames, order):
    """Forwards, backwards and between keyframes; after each move, the numbers that Plotly has drawn."""
    for t in order:
        at_rest(shown, t)
        step = max(at for at in frames["confusion"] if at <= t)
        expected = [decoded(trace["z"]).tolist() for trace in frames["confusion"][step]["data"]]
        assert shown.evaluate(Z) == expected, t
        assert shown.locator("#weight-maps img").first.get_attribute("src") in "".join(frames["weight-maps"][step])
        for id in frames:
            where = f"step {step}" if step else "before the first step"
            assert shown.locator(f"#{id}").get_attribute("aria-label").endswith(where)


def test_pictures_keep_their_size(shown):
    sizes = set()
    for t in (0, 10, 100, 200, 0):
        at_rest(shown, t)
        sizes.add(tuple(shown.evaluate("[...document.querySelectorAll('.fl-plot')].map(p => p.offsetHeight)")))
    assert len(sizes) == 1 and min(*sizes) > 50


def test_nothing_is_drawn_between_two_keyframes_and_little_while_playing(shown):
    at_rest(shown, 50)
    before = shown.evaluate("drawn.length")
    at_rest(shown, 55)
    assert shown.evaluate("drawn.length") == before
    shown.evaluate("""() => new Promise(done => {
      const began = performance.now();
      const tick = () => {
        const t = (performance.now() - began) / 10;
        seek(Math.min(t, 200), t < 200);
        if (t < 200) requestAnimationFrame(tick); else done();
      };
      tick();
    })""")  # 20 keyframes in two seconds
    shown.wait_for_function("pictureTurns.waiting.size === 0")
    assert 2 <= shown.evaluate("drawn.length") - before <= 18, "at most eight a second, and the last"
    assert shown.evaluate(f"{CONFUSION}.dataset.step") == "200"


PIXEL = """([id, x, y]) => {
  const canvas = document.querySelector(`#${id} canvas.fl-painting`), fine = canvas.width / canvas.clientWidth;
  return Array.from(canvas.getContext('2d').getImageData(x * fine, y * fine, 1, 1).data);
}"""
CENTRE = """([id, x, y, a, b]) => {  // of a value, in pixels of the figure
  const layout = document.getElementById(id)._fullLayout, place = (axis, value, down) => {
    const share = (value - axis.range[0]) / (axis.range[1] - axis.range[0]);
    return axis._offset + axis._length * (down ? 1 - share : share);
  };
  return [place(layout[a], x, false), place(layout[b], y, true)];
}"""


def test_while_it_plays_the_table_is_painted_in_the_colours_that_plotly_draws(shown, frames):
    """Each cell of the second learner, Banditron: orange, the denser the more often it happened."""
    at_rest(shown, 100)
    shown.evaluate("seek(150, true)")
    shown.wait_for_function("document.querySelector('#confusion canvas') && !pictureTurns.waiting.size")
    table = decoded(frames["confusion"][150]["data"][1]["z"])
    assert shown.evaluate(Z)[1] != table.tolist(), "Plotly has not drawn it"
    assert shown.locator("#confusion").get_attribute("aria-label").endswith("step 150")
    for i in range(10):
        for j in range(10):
            at = shown.evaluate(CENTRE, ["confusion", j, i, "xaxis2", "yaxis2"])
            red, green, blue, alpha = shown.evaluate(PIXEL, ["confusion", *at])
            assert abs(alpha / 255 - (0.06 + 0.94 * table[i, j])) < 0.01
            assert alpha < 40 or (abs(red - 0xD5), abs(green - 0x5E), abs(blue)) < (6, 6, 6)
    at_rest(shown, 150)
    assert shown.evaluate(Z)[1] == table.tolist()
    shown.wait_for_function("!document.querySelector('#confusion canvas')")


def test_while_it_plays_regions_and_points_are_painted_where_they_are(browser, tmp_path_factory):
    race = setup(("perceptron", "banditron"), Spec("separable-points", (("examples", 200),)))
    data = record(race, [spec for spec in bandit.PICTURES if spec.id == "regions"], 10)
    last = received(data["charts"][0]["frames"])[-1]["data"]
    opened = own(browser, tmp_path_factory, data)
    at_rest(opened, 10)
    opened.evaluate("seek(100, true)")
    opened.wait_for_function("document.querySelector('#regions canvas') && !pictureTurns.waiting.size")
    region, points = decoded(last[0]), decoded(last[1])
    colors = {k: [int(color_of(k)[i : i + 2], 16) for i in (1, 3, 5)] for k in range(3)}
    found = set()
    for i in range(2, 48, 5):
        for j in range(2, 48, 5):
            k = int(region["z"][i, j])
            at = opened.evaluate(CENTRE, ["regions", float(region["x"][j]), float(region["y"][i]), "xaxis", "yaxis"])
            *color, alpha = opened.evaluate(PIXEL, ["regions", *at])
            if abs(alpha / 255 - 0.25) < 0.02:  # no point lies there
                assert np.abs(np.array(color) - colors[k]).max() < 8
                found.add(k)
    assert found == {0, 1, 2}
    for x, y, color in list(zip(points["x"], points["y"], points["marker"]["color"], strict=True))[::20]:
        at = opened.evaluate(CENTRE, ["regions", float(x), float(y), "xaxis", "yaxis"])
        assert opened.evaluate(PIXEL, ["regions", *at])[3] > 200, color
    assert not opened.failures
    opened.close()


def test_a_finger_on_a_picture_scrolls_the_page(browser, tmp_path_factory):
    race = setup(("preference-perceptron",), Spec("toy-ranking"), Spec("cascade"), steps=30)
    path = tmp_path_factory.mktemp("pictures") / "page.html"
    path.write_text(page(record(race, [s for s in coactive.PICTURES if s.id == "slack"], 3)), "utf-8")
    context = browser.new_context(has_touch=True, viewport={"width": 400, "height": 500})
    opened = context.new_page()
    opened.goto(path.as_uri())
    opened.evaluate("ready")
    at_rest(opened, 30)
    opened.evaluate("document.body.style.paddingBottom = '2000px'")
    axes = "JSON.stringify(['xaxis', 'yaxis'].map(axis => pictures.slack.plot._fullLayout[axis].range))"
    before, session = opened.evaluate(axes), context.new_cdp_session(opened)
    send = lambda kind, *at: session.send(  # noqa: E731
        "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in at]}
    )
    send("touchStart", (200, 200))
    for i in range(1, 9):
        send("touchMove", (200, 200 - 15 * i))
        opened.wait_for_timeout(16)
    send("touchEnd")
    opened.wait_for_function("scrollY > 60")
    assert opened.evaluate(axes) == before, "it does not zoom"
    assert not opened.locator(".modebar").is_visible()
    context.close()


def test_the_axes_of_a_histogram_stay_over_the_frames_of_a_run(browser, tmp_path_factory):
    race = setup(("preference-perceptron", "perturbed-perceptron"), Spec("toy-ranking"), Spec("cascade"), steps=60)
    data = record(race, [spec for spec in coactive.PICTURES if spec.id == "slack"], 6)
    opened = own(browser, tmp_path_factory, data)
    layouts = [frame["layout"] for frame in received(data["charts"][0]["frames"]) if frame["data"]]
    seen = []
    for t in (10, 30, 60, 20):
        at_rest(opened, t)
        axes = "['xaxis', 'yaxis'].map(axis => pictures.slack.plot._fullLayout[axis].range)"
        seen.append(opened.evaluate(axes))
    for axis, range in zip(("xaxis", "yaxis"), seen[0], strict=True):
        needed = np.array([layout[axis]["range"] for layout in layouts])
        assert len({*needed[:, 1]}) > 1, "they would change"
        assert range == pytest.approx([needed[:, 0].min(), needed[:, 1].max()])
    assert all(ranges == seen[0] for ranges in seen)
    assert not opened.failures
    opened.close()


def test_frames_come_in_parts_and_none_is_taken_twice(shown, payload, frames):
    """As when a run is still computed, its frames asked for one after the other, some of them twice."""
    whole = orjson.loads(orjson.dumps(payload))
    for drawn, parts in (("b", [(0, 5), (5, 6), (3, 9), (9, 21)]), ("c", [(0, 2), (2, 21)])):
        for first, last in parts:
            part = {k: v[first:last] for k, v in whole["charts"][0]["frames"].items() if k != "first"}
            chart = whole["charts"][0] | {"frames": part | {"first": first}}
            shown.evaluate(
                "p => pictures.confusion.update(p.charts[0], p)", whole | {"drawn": drawn, "charts": [chart]}
            )
        assert shown.evaluate("pictures.confusion.frames.count") == 21
        for t in (200, 40):
            at_rest(shown, t)
            expected = [decoded(trace["z"]).tolist() for trace in frames["confusion"][t]["data"]]
            assert shown.evaluate(Z) == expected
    late = whole["charts"][0] | {"frames": {"first": 7, "at": [70], "frames": [None]}}
    other = whole | {"run": "other", "drawn": "d", "charts": [late]}
    shown.evaluate("p => pictures.confusion.update(p.charts[0], p)", other)
    assert shown.evaluate("pictures.confusion.frames.count") == 0, "what came before is missing"


def test_texts_that_repeat_and_arrays_arrive_whole(shown):
    """The packed forms, as they are handed to Plotly."""
    packed = {"texts": ["<a>", "ü"], "which": {"dtype": "u1", "bdata": base64.b64encode(bytes([1, 0, 1])).decode()}}
    assert shown.evaluate("v => Keyframes.whole(v)", {"a": [packed], "b": None}) == {
        "a": [["ü", "<a>", "ü"]],
        "b": None,
    }


def test_a_table_changes_in_place(browser, tmp_path_factory):
    dataset = Spec("web-search", (("queries", 20), ("documents", 8), ("features", 5)))
    race = replace(
        setup(("preference-perceptron",), dataset, Spec("cascade")),
        comparison=(("method", "team-draft"), ("sample", 5)),
    )
    opened = own(browser, tmp_path_factory, record(race, interleaving.PICTURES, 10), width=400)
    opened.evaluate("document.querySelector('#verdicts td').kept = true")
    at_rest(opened, 0)
    assert "nothing compared yet" in opened.inner_text("#verdicts")
    at_rest(opened, 100)
    text = opened.inner_text("#verdicts")
    assert "nothing compared yet" not in text and "Preference perceptron" in text
    assert opened.evaluate("document.querySelector('#verdicts td').kept"), "cells stay, and with them a selection"
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a wide table scrolls by itself"
    assert not opened.failures
    opened.close()
