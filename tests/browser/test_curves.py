"""A chart of curves on a page of its own, made from the files, with a stand-in for the player."""

import base64
import io
import json
from types import SimpleNamespace

import numpy as np
import orjson
import pytest
from PIL import Image

from pages.ui.draw.charts import COLORS, Axis, Curve, line_chart
from pages.ui.modules import joined
from pages.ui.play.assets import FOLDER

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><style>{css} body {{ margin: 0; padding: 20px; }}</style>
<div class="fl-plot"></div><div style="height: 3000px"></div><script>{js}
const player = {{}};
let chart;
addEventListener('keydown', event => player.keys.push(event.key));
function begin() {{
  chart?.destroy();
  Object.assign(player, {{ t: 0, playing: false, library: Plotly, keys: [] }});
  chart = new CurveChart(document.querySelector('.fl-plot'), player);
}}
function show(payload) {{ player.payload = payload; return chart.update(payload.charts[0], payload); }}
function go(t, playing = false) {{ Object.assign(player, {{ t, playing }}); chart.reveal(t); }}
// after each frame painted: the step up to which curves are seen, by the axis as it is drawn
function watch() {{
  globalThis.seen = [];
  const mine = chart;
  const look = () => {{
    if (chart !== mine) return;
    const axis = chart.drawn._fullLayout?.xaxis, own = document.querySelector('.scatterlayer');
    const edge = document.querySelector('.fl-window').getBoundingClientRect().right;
    const begin = chart.plot.getBoundingClientRect().left + axis._offset;
    const hidden = !own || getComputedStyle(own.querySelector('path') ?? own).visibility === 'hidden';
    seen.push(hidden ? axis.range[0] + (edge - begin) / axis._length * (axis.range[1] - axis.range[0]) : Infinity);
    requestAnimationFrame(look);
  }};
  look();
}}
</script></html>"""
STEPS = np.arange(1, 201)
VALUES = np.random.default_rng(0).normal(size=(2, 200, 5)).cumsum(axis=1) / 10 + np.array([4, 8])[:, None, None]
MEANS = VALUES.mean(axis=2)


def made(values=VALUES, upto=200, steps=200, names=("first", "second"), **axis):
    """A payload with one chart: a mean curve with a band for each learner, as the server makes it."""
    curves = [
        Curve(name, slot, STEPS[:upto], v[:upto]) for slot, (name, v) in enumerate(zip(names, values, strict=True))
    ]
    figure = line_chart(curves, Axis("regret", x_max=steps, **axis))
    lines = [
        {"trace": i, "slot": names.index(t["name"]), "name": t["name"], "faint": False, "bound": 0,
         "band": i - 1 if i and "fill" in figure["data"][i - 1] else None}
        for i, t in enumerate(figure["data"]) if t.get("name") in names
    ]  # fmt: skip
    chart = {"id": "regret", "title": "Regret", "help": "", "wide": False, "kind": "curves", "format": ".3g",
             "lines": lines, **figure}  # fmt: skip
    payload = {
        "run": "a", "drawn": "a", "revision": "a", "script": "", "steps": steps, "reached": upto, "unit": "step",
        "text": "#1B1F24", "learners": [{"label": n, "color": COLORS[i], "dash": ""} for i, n in enumerate(names)],
        "charts": [chart], "ghosts": [], "futures": [],
    }  # fmt: skip
    return orjson.loads(orjson.dumps(payload, option=orjson.OPT_SERIALIZE_NUMPY))


class Chart(SimpleNamespace):
    """A page with one chart, and what one does with it."""

    def show(self, payload):
        self.page.evaluate("payload => show(payload)", payload)
        return self

    def go(self, t, playing=False):
        self.page.evaluate("([t, playing]) => go(t, playing)", [t, playing])
        return self

    @property
    def across(self):
        """Where the plotting area begins and how long it is, in pixels of the plot."""
        return self.page.evaluate("[chart.x.start, chart.x.length]")

    @property
    def range(self):
        return self.page.evaluate("chart.drawn._fullLayout.xaxis.range")

    @property
    def box(self):
        return self.page.locator(".fl-plot").bounding_box()

    def place(self, share, height=0.4):
        """A place in the window: `share` along the x axis, `height` down the plot."""
        start, length = self.across
        return self.box["x"] + start + share * length, self.box["y"] + height * self.box["height"]

    def colored(self):
        """The columns (pixels along the x axis) in which something has a colour, apart from the ends of curves."""
        self.page.evaluate("chart.over.style.visibility = 'hidden'")
        picture = np.asarray(Image.open(io.BytesIO(self.page.locator(".fl-plot").screenshot())).convert("RGB"), int)
        self.page.evaluate("chart.over.style.visibility = ''")
        start, _ = self.across
        columns = (np.ptp(picture, axis=2) > 24).any(axis=0)
        return np.flatnonzero(columns) - start

    def tooltip(self):
        tip = self.page.locator(".fl-tooltip")
        return [word for word in tip.inner_text().split("\n") if word] if tip.is_visible() else []

    def walk(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        return self.page.locator(".fl-spoken").text_content()

    def read(self, t):
        return self.page.evaluate("t => chart.read(t)", t)


@pytest.fixture(scope="module")
def library():
    from plotly.offline import get_plotlyjs

    return get_plotlyjs()


@pytest.fixture(scope="module")
def page(browser, library):
    page = browser.profile.new_page()
    yield opened(page, library)
    page.close()


@pytest.fixture
def chart(page):
    """A new chart in a window 700 wide."""
    page.set_viewport_size({"width": 700, "height": 400})
    page.mouse.move(1, 1)
    page.evaluate("begin()")
    yield Chart(page=page)
    assert not page.failures


def opened(page, library):
    page.failures = []
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    page.set_default_timeout(60_000)
    style = (FOLDER / "curves.css").read_text("utf-8")
    page.set_content(PAGE.format(css=style, js=joined(FOLDER / "curves.js")))
    page.add_script_tag(content=library)
    return page


def test_nothing_is_seen_beyond_the_playhead(chart):
    chart.show(made())
    for t in (1, 37.5, 120, 199):
        chart.go(t, playing=True)
        edge = t / 200 * chart.across[1]
        columns = chart.colored()
        assert columns.max(initial=0) <= edge + 1
        if t > 10:
            assert {int(c) for c in columns} >= set(range(5, int(edge) - 2)), "all before it is seen"
    chart.go(200)
    assert chart.colored().max() >= chart.across[1] - 2


def test_before_the_first_step_an_empty_chart_says_what_will_come(chart):
    chart.show(made()).go(0)
    assert not len(chart.colored())
    assert chart.page.get_by_text("Press Play or Step, and the curves appear here.").is_visible()
    chart.go(1)
    assert not chart.page.locator(".fl-quiet").inner_text()


def test_a_chart_that_says_itself_why_it_is_empty_is_not_talked_over(chart):
    empty = np.empty((2, 200, 5))
    chart.show(made(empty, upto=0, empty="No query has two documents.")).go(0)
    assert chart.page.locator(".fl-quiet").inner_text() == "No query has two documents."
    assert chart.page.get_by_text("No query has two documents.").count() == 1


def test_a_curve_that_begins_late_says_when(chart):
    late = VALUES[:, :, :1].copy()
    late[:, :99] = np.nan
    chart.show(made(late)).go(50)
    assert chart.page.get_by_text("The first value comes with step 100.").is_visible()
    assert chart.read(50) == []
    chart.go(150)
    assert not chart.page.locator(".fl-quiet").inner_text()


def test_no_frame_uncovers_more_than_the_playhead_whatever_is_drawn_anew(chart):
    chart.show(made(upto=100)).go(60, playing=True)
    chart.page.evaluate("watch()")
    chart.page.set_viewport_size({"width": 1000, "height": 400})
    chart.page.wait_for_function("chart.x.length > 800")
    for upto, steps in ((150, 200), (200, 200), (200, 1000), (200, 250)):
        payload = made(upto=upto, steps=steps)
        payload["charts"][0]["layout"]["font"]["color"] = "#E8ECF1"  # another theme
        chart.show(payload)
        chart.page.wait_for_timeout(80)
    seen = chart.page.evaluate("seen")
    assert len(seen) > 5
    assert max(seen) < 61
    assert chart.page.evaluate("document.querySelectorAll('.scatterlayer path.js-line').length") == 4


def test_the_clip_follows_a_logarithmic_axis(chart):
    chart.show(made(x_log=True))
    for t in (1, 14.2, 100):
        chart.go(t, playing=True)
        edge = np.log10(t) / np.log10(200) * chart.across[1]
        assert chart.colored().max(initial=0) == pytest.approx(edge, abs=2)
    chart.page.mouse.move(*chart.place(np.log10(50.5) / np.log10(200)))
    assert chart.tooltip()[0] == "step 50"


def test_what_is_read_is_the_last_drawn_point_at_or_before_the_step(chart):
    payload = made()
    for trace in payload["charts"][0]["data"]:  # as over a long run, every fourth step is drawn
        if trace.get("name"):
            trace["x"], trace["y"] = trace["x"][3::4], trace["y"][3::4]
    chart.show(payload)
    assert chart.read(3) == []
    for t, step in ((4, 4), (7.9, 4), (8, 8), (200, 200)):
        read = chart.read(t)
        assert [(r["name"], r["slot"], r["step"]) for r in read] == [("first", 0, step), ("second", 1, step)]
        np.testing.assert_allclose([r["value"] for r in read], MEANS[:, step - 1], rtol=1e-6)


def test_zoom_stays_until_the_axes_change_or_a_double_click(chart):
    chart.show(made(upto=100)).go(80)
    drag(chart, 0.1, 0.6)
    low, high = chart.range
    assert (low, high) == pytest.approx((20, 120), abs=2)
    chart.show(made())
    assert chart.range == [low, high]
    chart.page.mouse.move(1, 1)
    chart.go(70, playing=True)
    edge = (70 - low) / (high - low) * chart.across[1]
    assert chart.colored().max() == pytest.approx(edge, abs=2)
    chart.show(made() | {"revision": "b"})
    assert chart.range == [0, 200]
    drag(chart, 0.3, 0.5)
    assert chart.range != [0, 200]
    chart.page.mouse.dblclick(*chart.place(0.5))
    chart.page.wait_for_function("chart.drawn._fullLayout.xaxis.range[1] === 200")


def drag(chart, start, end, during=lambda: None):
    chart.page.mouse.move(*chart.place(start))
    chart.page.mouse.down()
    chart.page.mouse.move(*chart.place(end), steps=4)
    during()
    chart.page.mouse.up()
    chart.page.wait_for_timeout(150)


def test_curves_follow_the_hand_that_moves_the_axes(chart):
    chart.show(made()).go(100)
    chart.page.locator(".fl-plot").hover()
    chart.page.locator(".modebar-btn[data-title='Pan']").click()
    where = "[document.querySelector('.fl-copy .js-line').getBoundingClientRect().left, chart.x.low]"
    before, moved = chart.page.evaluate(where), []
    drag(chart, 0.2, 0.5, lambda: moved.extend(chart.page.evaluate(where)))
    length = chart.across[1]
    assert moved == pytest.approx([before[0] + 0.3 * length, -60], abs=2)
    assert chart.page.evaluate(where) == pytest.approx(moved, abs=2)
    assert chart.page.evaluate(
        "chart.playhead.getBoundingClientRect().left - chart.plot.getBoundingClientRect().left"
    ) == pytest.approx(chart.across[0] + 0.8 * length, abs=2)


def test_a_redraw_waits_for_the_end_of_a_drag(chart):
    chart.show(made(upto=100)).go(80)
    points = "chart.drawn.data[1].x.length"
    before = []
    drag(chart, 0.1, 0.6, lambda: before.append(chart.show(made()).page.evaluate(points)))
    assert before == [100]
    chart.page.wait_for_function(f"{points} === 200")
    assert chart.range == pytest.approx([20, 120], abs=2)


def test_the_tooltip_never_tells_the_future(chart):
    chart.show(made(names=("<b>first</b>", "second"))).go(50)
    chart.page.mouse.move(*chart.place(0.9, 0.5))
    words = chart.tooltip()
    assert words[0] == "step 50"
    order = np.argsort(-MEANS[:, 49])  # as the curves lie in the picture
    assert words[1:] == [w for i in order for w in (("<b>first</b>", "second")[i], f"{MEANS[i, 49]:.3g}")]
    chart.page.mouse.move(*chart.place(30.6 / 200, 0.5))
    assert chart.tooltip()[0] == "step 30"
    chart.go(20)
    assert chart.tooltip() == []
    chart.page.mouse.move(*chart.place(0.5, 0.5))
    assert chart.tooltip()[0] == "step 20"
    box, plot = chart.page.locator(".fl-tooltip").bounding_box(), chart.box
    assert plot["x"] <= box["x"] and box["x"] + box["width"] <= plot["x"] + plot["width"]
    chart.page.mouse.move(1, 1)
    assert chart.tooltip() == []


def test_a_curve_under_the_pointer_stands_out(chart):
    chart.show(made()).go(200)
    pale = "[...document.querySelectorAll('.fl-copy .trace')].map(t => t.classList.contains('fl-pale'))"
    height = chart.page.evaluate("(chart.y.start + chart.lines[1].down[99]) / chart.plot.clientHeight")
    chart.page.mouse.move(*chart.place(100 / 200, height))
    assert chart.page.evaluate(pale) == [True, True, False, False]
    chart.page.mouse.move(1, 1)
    assert chart.page.evaluate(pale) == [False] * 4


def test_arrow_keys_walk_along_a_curve(chart):
    chart.show(made()).go(50)
    chart.page.wait_for_function(
        "chart.plot.getAttribute('aria-label')?.startsWith('Regret. At step 50 of 200: first')"
    )
    chart.page.locator(".fl-plot").focus()
    said = lambda i, step: f"{('first', 'second')[i]}: {MEANS[i, step - 1]:.3g}, step {step}"  # noqa: E731
    assert chart.walk("ArrowRight") == said(0, 50)
    assert chart.walk("ArrowRight") == said(0, 50), "not beyond the playhead"
    assert chart.walk("ArrowLeft", "ArrowLeft") == said(0, 48)
    assert chart.tooltip()[0] == "step 48"
    upper = int(MEANS[1, 47] > MEANS[0, 47])
    assert chart.walk("ArrowUp") == said(upper, 48)
    assert chart.walk("ArrowDown") == said(1 - upper, 48)
    assert chart.walk("Home") == said(1 - upper, 1)
    assert chart.walk("End") == said(1 - upper, 50)
    chart.walk("Escape")
    assert chart.tooltip() == []
    assert chart.page.evaluate("document.activeElement === document.body")
    chart.page.locator(".fl-plot").focus()
    chart.walk("p")
    assert chart.page.evaluate("player.keys") == ["p"], "what the chart uses goes no further"


def test_ghosts_are_seen_whole_and_futures_as_far_as_it_is_played(chart):
    line = {"slot": 0, "x": STEPS.tolist(), "y": np.linspace(1, 9, 200).tolist()}
    ghosts = [{"id": "g", "label": "noise .2 → .4", "charts": {"regret": [line]}}]
    later = {"x": STEPS[99:].tolist(), "y": np.linspace(3, 2, 101).tolist()}
    futures = [{"id": "f", "label": "what if", "from": 100, "slot": 1, "charts": {"regret": [later]}}]
    _, length = chart.show(made() | {"ghosts": ghosts}).go(0).across
    assert chart.colored().max() > length - 3
    chart.page.mouse.move(*chart.place(0.5, 0.9))
    chart.page.mouse.move(1, 1)
    chart.show(made() | {"futures": futures}).go(120, playing=True)
    assert chart.colored().max() == pytest.approx(0.6 * length, abs=2)
    chart.go(120)
    assert chart.colored().max() > length - 3
    height = chart.page.evaluate("(chart.y.start + chart.others[0].down[79]) / chart.plot.clientHeight")
    chart.page.mouse.move(*chart.place(179.5 / 200, height))
    words = chart.tooltip()
    assert words[0] == "step 120" and "what if (step 179)" in words


def test_one_replicate_takes_the_place_of_means_and_bands(chart):
    chart.show(made()).go(150)
    one = VALUES[:, :, 3].tolist()
    chart.page.evaluate("y => chart.solo({ replicate: 3, lines: [{ trace: 1, y: y[0] }, { trace: 3, y: y[1] }] })", one)
    np.testing.assert_allclose([r["value"] for r in chart.read(150)], VALUES[:, 149, 3])
    drawn = "[...document.querySelectorAll('.fl-copy path')].map(p => p.getAttribute('class'))"
    assert chart.page.evaluate(drawn) == ["js-line", "js-line"], "no bands"
    chart.go(90, playing=True)
    assert chart.colored().max() == pytest.approx(90 / 200 * chart.across[1], abs=2)
    chart.page.evaluate("chart.solo(null)")
    np.testing.assert_allclose([r["value"] for r in chart.read(150)], MEANS[:, 149], rtol=1e-6)
    assert "js-fill" in chart.page.evaluate(drawn)


def test_curves_that_hide_each_other_are_both_seen(chart):
    same = np.broadcast_to(VALUES[:1].mean(axis=2, keepdims=True), (2, 200, 1))
    chart.show(made(same)).go(200, playing=True)
    picture = np.asarray(Image.open(io.BytesIO(chart.page.locator(".fl-plot").screenshot())).convert("RGB"), int)
    for color in COLORS[:2]:
        wanted = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
        assert (np.abs(picture - wanted).max(axis=2) < 40).sum() > 300
    drawn = chart.page.evaluate(
        "[...document.querySelectorAll('.fl-copy .trace')].map(t => t.getBoundingClientRect().y)"
    )
    assert drawn[0] == pytest.approx(drawn[1] - 3, abs=0.1), "the one below is lifted"
    assert [line["value"] for line in chart.read(200)] == pytest.approx([same[0, -1, 0]] * 2), "its values are not"


NAMES = ("Perceptron", "3PR", "Averaged", "A dueling bandit that has a long name")
BOXES = """[...document.querySelectorAll('.fl-end:not([hidden])')].map(name => [name, name.getBoundingClientRect()])
    .map(([name, { left, top, right, bottom }]) => [name.textContent, left, top, right, bottom])"""


def raced(**more):
    """Four learners of which two lie close together."""
    values = np.concatenate([VALUES, VALUES[:1] + 0.3, VALUES[1:] - 2])
    payload = made(values, names=("first", "second", "third", "fourth"), **more)
    payload["learners"] = [
        {"label": label, "short": short, "color": COLORS[i], "dash": ""}
        for i, (label, short) in enumerate(zip(("first", "second", "third", "fourth"), NAMES, strict=True))
    ]
    return payload


@pytest.mark.parametrize("playing", [False, True])
def test_names_follow_the_playhead_beside_their_curves_and_cover_nothing(chart, playing):
    chart.show(raced())
    left, top = chart.page.evaluate(
        "[chart.window, chart.over].map(e => e.getBoundingClientRect()).map(r => [r.x, r.y])[1]"
    )
    drawn = chart.page.evaluate("chart.made = 0; chart.drawn.on('plotly_afterplot', () => { chart.made += 1; }); 1")
    for t in (20, 100, 150.5, 200):
        boxes = chart.go(t, playing=playing).page.evaluate(BOXES)
        assert {box[0] for box in boxes} == set(NAMES)
        edge = left + t / 200 * chart.across[1]
        for i, (name, a, b, c, d) in enumerate(boxes):
            assert edge + 3 < a, "nothing is drawn there"
            assert c <= chart.box["x"] + chart.box["width"]
            assert top - 8 <= b and d <= top + chart.page.evaluate("chart.y.length") + 8
            for _, w, x, y, z in boxes[:i]:
                assert c <= w or a >= y or d <= x + 0.5 or b >= z - 0.5, name
        order = [
            NAMES[i]
            for i in np.argsort(
                [-chart.page.evaluate(f"chart.ends.ends.find(e => e.line.slot === {i}).down") for i in range(4)]
            )
        ]
        assert [box[0] for box in sorted(boxes, key=lambda box: -box[2])] == order, "as the curves lie"
    assert drawn and chart.page.evaluate("chart.made") == 0, "without Plotly"


def test_a_lone_name_stands_at_the_height_of_its_curve(chart):
    chart.show(made() | {"learners": raced()["learners"]}).go(120)
    for i, (_, _, top, _, bottom) in enumerate(chart.page.evaluate(BOXES)):
        dot = chart.page.locator(".fl-dot").nth(i).bounding_box()
        assert (top + bottom) / 2 == pytest.approx(dot["y"] + dot["height"] / 2, abs=1)


def test_a_narrow_chart_has_no_names_and_leaves_their_margin_to_the_curves(chart):
    chart.show(raced()).go(100)
    wide = chart.across[1] / chart.box["width"]
    assert len(chart.page.evaluate(BOXES)) == 4
    chart.page.set_viewport_size({"width": 400, "height": 400})
    chart.page.wait_for_function("Math.abs(chart.plot.clientWidth - chart.x.start - chart.x.length - 10) < 2")
    assert chart.go(100).page.evaluate(BOXES) == [] and wide < chart.across[1] / chart.box["width"]
    assert chart.page.locator(".fl-dot:visible").count() == 4


def test_what_the_legend_chooses_stands_out_until_another_is_pointed_at(chart):
    chart.show(raced()).go(200)
    pale = "[...document.querySelectorAll('.fl-end')].map(name => name.classList.contains('fl-pale'))"
    chart.page.evaluate("chart.highlight(2)")
    assert chart.page.evaluate(pale) == [True, True, False, True]
    chart.page.evaluate("chart.keep(1)")
    assert chart.page.evaluate(pale) == [True, False, True, True]
    chart.page.locator(".fl-end").nth(0).hover()
    assert chart.page.evaluate(pale) == [False, True, True, True]
    assert "first" in chart.page.locator(".fl-tooltip .fl-bold").inner_text()
    chart.page.mouse.move(1, 1)
    assert chart.page.evaluate(pale) == [True, False, True, True]


def test_a_picture_that_is_saved_shows_no_more_than_the_chart(chart):
    chart.show(made()).go(60)
    chart.page.locator(".fl-plot").hover()
    with chart.page.expect_download() as saved:
        chart.page.locator(".modebar-btn[data-title='Download as SVG']").click()
    text = saved.value.path().read_text("utf-8")
    assert saved.value.suggested_filename == "regret.svg" and "Regret" in text and "second" in text
    lines = [p.split('d="')[1].split('"')[0] for p in text.split("<path")[1:] if "js-line" in p]
    ends = [float(d.split("L")[-1].split(",")[0]) for d in lines if "L" in d]
    assert ends and max(ends) < 0.31 * 720


def test_a_finger_scrolls_the_page_and_does_not_zoom(browser, library):
    context = browser.new_context(has_touch=True, viewport={"width": 400, "height": 400})
    chart = Chart(page=opened(context.new_page(), library))
    chart.page.evaluate("begin()")
    chart.show(made()).go(150)
    session = context.new_cdp_session(chart.page)
    swipe(session, chart, 0, -120)
    chart.page.wait_for_function("scrollY > 60")
    assert chart.tooltip() == []
    chart.page.evaluate("scrollTo(0, 0)")
    swipe(session, chart, -100, 0)
    assert chart.range == [0, 200]
    assert chart.tooltip()[0].startswith("step ")
    context.close()
    assert not chart.page.failures


def swipe(session, chart, across, down):
    x, y = chart.place(0.6)
    touch = lambda kind, *at: session.send(  # noqa: E731
        "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in at]}
    )
    touch("touchStart", (x, y))
    for i in range(1, 9):
        touch("touchMove", (x + across * i / 8, y + down * i / 8))
        chart.page.wait_for_timeout(16)
    touch("touchEnd")
    chart.page.wait_for_timeout(200)


def test_a_chart_that_is_gone_leaves_nothing_behind(chart):
    chart.show(made()).go(50)
    chart.page.locator(".fl-plot").hover()
    chart.page.evaluate("chart.destroy()")
    chart.page.mouse.move(50, 50)
    chart.page.wait_for_timeout(1200)
    assert chart.page.evaluate("document.querySelector('.fl-plot').childElementCount") == 0
    assert json.loads(chart.page.evaluate("JSON.stringify(Boolean(chart.drawn.data))")) is False


def exactly(payload, values):
    """A payload with the values (slots, steps) of every step beside its points."""
    packed = {f"{slot} 0 0": base64.b64encode(np.asarray(v, "<f4").tobytes()).decode() for slot, v in enumerate(values)}
    payload["preview"] = True
    return payload | {"exact": {"first": 1, "charts": {"regret": packed}}}


def jumping():
    """A curve of steps that falls at step 20 and has points where it changes alone, beside one that is a line."""
    x = np.array([1, 20, 60, 200])
    values = np.array([1.0, 10.0, 2.0, 2.0])[:, None]
    curves = [Curve("first", 0, x, values, steps=True), Curve("second", 1, x, values / 2)]
    payload = made(upto=2)
    figure = line_chart(curves, Axis("rank", x_max=200))
    lines = [{"trace": i, "name": t["name"], "band": None} | t["meta"] for i, t in enumerate(figure["data"])]
    payload["charts"] = [payload["charts"][0] | figure | {"lines": lines}]
    return orjson.loads(orjson.dumps(payload, option=orjson.OPT_SERIALIZE_NUMPY))


def dots(chart):
    """The values at which the dots at the ends of the curves stand."""
    return chart.page.evaluate("""chart.ends.ends.map(({ down, line }) =>
      Math.round(1000 * chart.y.value(chart.y.length - down - line.lift)) / 1000)""")


def test_the_end_of_a_curve_of_steps_stands_where_it_stood_until_it_jumps(chart):
    chart.show(jumping())
    for t, playing, value in ((19, False, 1), (19.7, True, 1), (20, False, 10), (59.5, True, 10), (60, False, 2)):
        chart.go(t, playing)
        assert dots(chart)[0] == pytest.approx(value, abs=0.05)
        assert chart.read(t)[0] | {"value": value, "step": int(t)} == chart.read(t)[0]
    chart.page.mouse.move(*chart.place(59.2 / 200))
    assert chart.tooltip()[0] == "step 59" and "10" in chart.tooltip()


def test_the_end_of_a_line_stands_at_the_value_of_its_step_not_between_two_points(chart):
    values = np.random.default_rng(1).uniform(1, 9, (2, 200))
    chart.show(exactly(jumping(), values))
    for t in (1, 19, 20, 33, 199):
        chart.go(t)
        np.testing.assert_allclose(dots(chart), values[:, t - 1], atol=0.05)
        np.testing.assert_allclose([line["value"] for line in chart.read(t)], values[:, t - 1], rtol=1e-6)
        assert {line["step"] for line in chart.read(t)} == {t}
    chart.page.evaluate("chart.payload = { ...chart.payload, drawn: 'what is drawn is older' }")
    assert chart.read(33)[1]["step"] == 20, "values of another run are left alone"


def test_before_it_is_played_a_run_is_a_pale_preview_unless_somebody_is_to_guess(chart):
    def pale():
        return chart.page.evaluate("getComputedStyle(document.querySelector('.scatterlayer')).visibility") == "visible"

    chart.show(jumping()).go(0)
    assert not pale() and "Press Play" in chart.page.locator(".fl-quiet").inner_text(), "where nothing says so"
    chart.show(exactly(jumping(), np.ones((2, 200)))).go(0)
    assert pale() and not chart.page.locator(".fl-quiet").inner_text()
    chart.go(0, playing=True)
    assert not pale()
    chart.go(19)
    assert not pale()
    chart.go(0)
    assert pale()
    chart.page.evaluate("player.guided = true")
    chart.go(0)
    assert not pale() and "Press Play" in chart.page.locator(".fl-quiet").inner_text()
    chart.page.evaluate("player.guided = false")
