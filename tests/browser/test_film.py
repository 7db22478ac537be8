"""Single replicates in a browser: film.js with the real data of a run; the player and its charts are stand-ins."""

import numpy as np
import orjson
import pytest

from pages.ui.draw.charts import Look
from pages.ui.modules import joined
from pages.ui.play import assets
from pages.ui.play.film import film, packed
from pages.ui.race.charts import ChartView, figure
from tests.pages.test_film import CHARTS, matrix, moment_of, unpacked

SHOWN = [chart for chart in CHARTS if chart.id in ("average-regret", "rank-of-best")]
STAND_INS = """
class Chart { solo(values) { this.alone = values; } }
const root = document.getElementById('root'), place = document.createElement('div'), curves = new Chart();
root.append(place);
globalThis.asked = 0;
globalThis.player = {
  root, t: 0, places: { film: place }, grid: { drawings: new Map([['rank-of-best', curves], ['picture', {}]]) },
  host: { film() { asked += 1; } }, draw: () => Promise.resolve(),
};
globalThis.film = new Film(player);
globalThis.receive = payload => { player.payload = payload; film.update(payload); };
globalThis.seek = t => { player.t = t; film.reveal(t); };
globalThis.alone = () => curves.alone;
"""


@pytest.fixture(scope="module")
def moment():
    return moment_of()


class Stage:
    """A page with a film in it."""

    def __init__(self, page, moment):
        self.page, self.moment = page, moment
        scripts, style = joined(assets.FOLDER / "film.js"), assets.style()
        page.set_content(
            f'<!doctype html><style>{style}</style><input id="field"><div id="root" class="fl-player"></div>'
            f"<script>{scripts}{STAND_INS}</script>"
        )

    def receive(self, view=ChartView(), complete=True, whole=False, replicates=5, label="3PR", **more):  # noqa: B008
        sent = film(self.moment, SHOWN, view, Look(), curves=whole)
        lines = [
            {"trace": 3 * n + 1}
            for n in range(len(figure(SHOWN[1], self.moment, ChartView(band="none"), Look())["data"]))
        ]
        payload = {
            "complete": complete, "failed": "", "unit": "step", "replicates": replicates, "text": "#1B1F24",
            "learners": [{"label": name, "color": "#0072B2", "dash": ""} for name in ("Perceptron", label)],
            "charts": [{"id": "rank-of-best", "lines": lines}, {"id": "picture"}], "film": sent,
        } | more  # fmt: skip
        text = orjson.dumps(payload, option=orjson.OPT_SERIALIZE_NUMPY).decode()
        self.page.evaluate("text => receive(JSON.parse(text))", text)
        return sent

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    @property
    def replicate(self):
        """The replicate that the chart shows, from 0, or None for mean and band."""
        return self.page.evaluate("alone()?.replicate ?? null")

    @property
    def asked(self):
        return self.page.evaluate("asked")

    @property
    def which(self):
        return self.page.locator(".fl-which").inner_text()

    @property
    def reading(self):
        return self.page.locator(".fl-reading").inner_text()

    def heat(self, learner=0):
        return self.page.locator(".fl-heat").nth(learner)

    def cell(self, row, column, learner=0, columns=150):
        """Where a cell of a strip is, within its frame."""
        box = self.heat(learner).bounding_box()
        return {"x": (column + 0.5) / columns * box["width"], "y": (row + 0.5) / 5 * box["height"]}


@pytest.fixture
def stage(browser, moment):
    page = browser.profile.new_page()
    page.emulate_media(reduced_motion="no-preference")
    failures = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    yield Stage(page, moment)
    page.close()
    assert not failures, failures


def test_curves_are_asked_for_once_and_the_chart_gets_those_of_the_replicate(stage):
    stage.receive()
    assert stage.replicate is None and stage.asked == 0
    stage.press("One replicate")
    assert stage.asked == 1 and stage.replicate is None and stage.which == "replicate 1 of 5 …"
    sent = stage.receive(whole=True)
    stage.press("Next replicate")
    assert stage.asked == 1 and stage.which == "replicate 2 of 5"
    alone = stage.page.evaluate("alone()")
    assert alone["replicate"] == 1 and [line["trace"] for line in alone["lines"]] == [1, 4]
    for line, curve in zip(alone["lines"], sent["charts"]["rank-of-best"], strict=True):
        np.testing.assert_allclose(line["y"], unpacked(curve, 5)[:, 1], rtol=1e-12)
    stage.receive()  # later payloads come without the curves, which are here already
    assert stage.asked == 1 and stage.replicate == 1
    stage.press("Mean and band")
    assert stage.replicate is None and not stage.page.locator(".fl-walk").is_visible()


def test_missing_values_and_logarithmic_ones(stage):
    """A replicate of two, at three points: 0.01, none, 100; half a step of the logarithm is far below a thousandth."""
    values = np.array([[1.0, 0.01], [1.0, np.nan], [1.0, 100.0]])
    charts = {"rank-of-best": [packed(values, log=True)]}
    stage.receive(replicates=2, film={"key": "k", "strips": [], "charts": charts})
    stage.page.evaluate("film.choose(1)")
    first, none, last = stage.page.evaluate("alone().lines[0].y")
    assert (first, last) == (pytest.approx(0.01, rel=1e-3), pytest.approx(100, rel=1e-3)) and none is None


def test_keys_and_buttons_walk_around(stage):
    stage.receive(whole=True)
    for key, expected in ((".", 0), (".", 1), (",", 0), (",", 4), (".", 0)):
        stage.page.keyboard.press(key)
        assert stage.replicate == expected
    stage.press("Previous replicate")
    assert stage.replicate == 4
    stage.page.locator("#field").focus()
    stage.page.keyboard.press(".")
    assert stage.replicate == 4, "who types a text moves nothing"


def test_all_replicates_are_played_through_until_a_hand_stops_it(stage):
    stage.receive(whole=True)
    stage.press("One replicate")
    stage.page.evaluate("globalThis.seen = []; setInterval(() => seen.push(alone()?.replicate), 20)")
    stage.press("Play all replicates through")
    stage.page.wait_for_function("new Set(seen).size === 5")
    stage.press("Previous replicate")
    stood = stage.replicate
    stage.page.wait_for_timeout(900)
    assert (
        stage.replicate == stood and stage.page.get_by_role("button", name="Play all replicates through").is_visible()
    )


def test_with_reduced_motion_replicates_change_by_hand_only(stage):
    stage.receive(whole=True)
    stage.press("One replicate")
    stage.press("Play all replicates through")
    stage.page.emulate_media(reduced_motion="reduce")
    stage.page.locator(".fl-walk .fl-button").nth(2).wait_for(state="hidden")
    stood = stage.replicate
    stage.page.wait_for_timeout(900)
    assert stage.replicate == stood
    stage.press("Next replicate")
    assert stage.replicate == (stood + 1) % 5


def test_curves_of_another_run_are_taken_back_and_asked_for_anew(stage):
    stage.receive(whole=True)
    stage.press("One replicate")
    assert stage.replicate == 0
    stage.receive(ChartView(window=3), complete=False)
    assert stage.replicate is None and stage.asked == 0, "a run that is still computed is not asked for"
    assert stage.which == "replicate 1 of 5, once the run is computed"
    stage.receive(ChartView(window=3))
    assert stage.replicate is None and stage.asked == 1
    stage.receive(ChartView(window=3), whole=True)
    assert stage.replicate == 0 and stage.which == "replicate 1 of 5"


def test_a_single_run_has_neither_choice_nor_strips(stage):
    stage.receive(whole=True)
    stage.press("One replicate")
    stage.receive(replicates=1, film=None)
    assert stage.replicate is None
    assert not stage.page.locator(".fl-replicates").is_visible() and not stage.page.locator(".fl-strips").is_visible()
    stage.page.keyboard.press(".")
    assert stage.replicate is None


def mixed(place):
    """The colour at a place of the scale, from 0 to 1."""
    colors = np.array([[int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in Look().ramp])
    return [np.interp(place, np.linspace(0, 1, len(colors)), colors[:, i]) for i in range(3)]


@pytest.mark.parametrize("view", [ChartView(), ChartView(x_log=True)], ids=["linear", "logarithmic"])
def test_every_cell_has_the_colour_of_its_value(stage, view):
    (made,) = stage.receive(view)["strips"]
    points = stage.page.evaluate(
        "[...document.querySelectorAll('.fl-heat canvas')].map(c => "
        "[...c.getContext('2d').getImageData(0, 0, c.width, c.height).data])"
    )
    edges = np.array(made["edges"], float)
    share = np.log10(np.maximum(edges, 1)) / np.log10(300) if view.x_log else edges / 300
    for learner, pixels in enumerate(points):
        picture = np.array(pixels).reshape(5, 1200, 4)
        values = matrix(made, learner)[made["learners"][learner]["order"]]
        for column in (0, 1, 17, 60, len(share) - 2):
            x = int((share[column] + share[column + 1]) / 2 * 1200)
            for row in range(5):
                expected = mixed((values[row, column] - 1) / 9)
                np.testing.assert_allclose(picture[row, x], [*expected, 255], atol=1)


def test_a_cell_without_a_value_has_no_colour(stage):
    early = moment_of(taken=90)
    made = film(early, SHOWN, ChartView(), Look())
    stage.receive(film=made)
    alphas = stage.page.evaluate(
        "(() => { const c = document.querySelector('.fl-heat canvas');"
        "return [300, 900].map(x => c.getContext('2d').getImageData(x, 2, 1, 1).data[3]); })()"
    )
    assert alphas == [255, 0]


@pytest.mark.parametrize("view", [ChartView(), ChartView(x_log=True)], ids=["linear", "logarithmic"])
def test_the_strips_are_uncovered_with_the_playhead(stage, view):
    stage.receive(view)
    for t in (0, 75, 300, 30.5):
        stage.page.evaluate("t => seek(t)", t)
        share = np.log(max(t, 1)) / np.log(300) if view.x_log else t / 300
        for learner in (0, 1):
            box = stage.heat(learner).bounding_box()
            veil = stage.heat(learner).locator(".fl-veil").bounding_box()
            assert veil["x"] - box["x"] == pytest.approx(share * box["width"], abs=1.5)


def test_the_steps_below_a_strip_stand_where_they_are(stage):
    stage.receive()
    box, ticks = stage.heat().bounding_box(), stage.page.locator(".fl-ticks span")
    places = ticks.evaluate_all("all => all.map(e => e.getBoundingClientRect()).map(b => [b.left, b.right])")
    assert ticks.all_inner_texts() == ["0", "50", "100", "150", "200", "250", "300"]
    for step, (left, right) in zip(range(0, 301, 50), places, strict=True):
        share = {0: left, 300: right}.get(step, (left + right) / 2)
        assert share - box["x"] == pytest.approx(step / 300 * box["width"], abs=1)


def test_pointing_reads_a_cell_and_a_click_shows_its_replicate(stage):
    (made,) = stage.receive(whole=True)["strips"]
    order, values = made["learners"][1]["order"], matrix(made, 1)
    stage.page.evaluate("seek(150)")
    stage.heat(1).hover(position=stage.cell(0, 20, 1))
    value = f"{values[order[0], 20]:.3g}, the worst of these steps"
    assert stage.reading == f"3PR, replicate {order[0] + 1}, steps 41–42. Rank of the best document: {value}."
    stage.heat(1).hover(position=stage.cell(3, 100, 1))
    assert stage.reading == f"3PR, replicate {order[3] + 1}. The playhead has not come to steps 201–202 yet."
    stage.heat(1).click(position=stage.cell(3, 20, 1))
    assert stage.replicate == order[3] and stage.which == f"replicate {order[3] + 1} of 5"
    for learner in (0, 1):  # the row of this replicate is marked in every strip
        box, mark = (p.bounding_box() for p in (stage.heat(learner), stage.heat(learner).locator(".fl-chosen")))
        row = made["learners"][learner]["order"].index(order[3])
        assert mark["y"] - box["y"] == pytest.approx(row / 5 * box["height"], abs=1)
    stage.page.mouse.move(1, 1)
    assert stage.reading.startswith("Point at a row")


def test_the_keyboard_walks_through_a_strip(stage):
    (made,) = stage.receive(whole=True)["strips"]
    order, values = made["learners"][0]["order"], matrix(made)
    stage.page.evaluate("seek(30)")
    stage.page.keyboard.press(".")  # from now on the focus is the keyboard's
    stage.heat().focus()
    assert f"replicate {order[0] + 1}, steps 29–30." in stage.reading
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowLeft"):
        stage.page.keyboard.press(key)
    assert f"replicate {order[2] + 1}, steps 27–28. " in stage.reading, "not beyond the playhead"
    assert f": {values[order[2], 13]:.3g}, the worst" in stage.reading
    stage.page.keyboard.press("Enter")
    assert stage.replicate == order[2]


def test_each_strip_says_in_words_what_it_shows(stage):
    (made,) = stage.receive(label="<b>mine</b>")["strips"]
    strips = stage.page.locator(".fl-strips")
    assert "So far" not in strips.inner_text(), "the playhead has not moved: nothing is told"
    stage.page.evaluate("seek(300)")
    assert strips.locator("h3").inner_text().startswith("Rank of the best document, one row for each replicate")
    for learner, name in enumerate(("Perceptron", "<b>mine</b>")):
        lapsed, number = len(made["learners"][learner]["lapses"]), len(made["learners"][learner]["order"])
        text = f"So far {lapsed} of {number} replicates {made['lapse']} at least once."
        if not lapsed:
            text = f"So far none of {number} replicates {made['lapse']}."
        assert stage.page.locator(".fl-learner").nth(learner).inner_text().split("\n") == [name, text]
        label = stage.heat(learner).get_attribute("aria-label")
        assert name in label and text in label
    assert "1 best" in strips.inner_text() and "10 worst" in strips.inner_text()


def test_strips_of_another_metric_or_of_fewer_learners_replace_those_before(stage):
    stage.receive()
    assert stage.page.locator("[data-strip]").evaluate_all("all => all.map(e => e.dataset.strip)") == ["rank-of-best"]
    stage.receive(ChartView(which="predicted"))
    shown = stage.page.locator("[data-strip]").evaluate_all("all => all.map(e => e.dataset.strip)")
    assert shown == ["rank-of-best-predicted"]
    one = film(moment_of(stage.moment.setup.learners[:1]), SHOWN, ChartView(), Look())
    stage.receive(film=one)
    assert stage.page.locator(".fl-heat").count() == 1
    stage.receive(film=one | {"strips": []})
    assert not stage.page.locator(".fl-strips").is_visible() and stage.page.locator(".fl-replicates").is_visible()
