"""Data to show single replicates: their curves, and the strips that tell when each of them was unstable."""

import base64
import json
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import datasets
from datasets.spec import Spec
from learners import Simulation, create, create_user
from learners.catalogue import families, learners_of
from learners.metric import Metric, Strip
from learners.ranking.metrics import METRICS, RANK_OF_BEST, TOP10_OVERLAP
from learners.run.history import History
from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.play import strips
from pages.ui.play.film import MISSING, film, packed
from pages.ui.play.strips import binned, columns, strip
from pages.ui.race.charts import ChartSpec, ChartView, curves, figure
from pages.ui.race.moment import Moment

CHARTS = curves(METRICS)
LEARNERS = (Spec("preference-perceptron"), Spec("perturbed-perceptron"))


def unpacked(curve, replicates):
    """The values (points, R) of a packed curve, as the browser reads them."""
    codes = np.frombuffer(base64.b64decode(curve["codes"]), dtype="<u2").reshape(replicates, -1).T
    values = np.where(codes == MISSING, np.nan, curve["low"] + codes * curve["step"])
    return np.asarray(10**values if curve["log"] else values)


def moment_of(learners=LEARNERS, replicates=5, steps=300, taken=300, recorded=None):
    setup = RunSpec(learners, Spec("toy-ranking"), Spec("noisy-grades"), replicates, steps, 0)
    data = datasets.load("toy-ranking")
    found = []
    for choice in learners:
        user = create_user("noisy-grades")
        found.append(Simulation(create(choice.id), data, user, replicates=replicates, seed=0, recorded=recorded))
        if taken:
            found[-1].advance(steps=taken)
    return Moment(setup, taken, found)


@pytest.fixture(scope="module")
def moment():
    return moment_of()


@pytest.fixture(scope="module")
def thinned():
    """Of 300 steps, a row for each of the first 40, then for every second, fourth and eighth."""
    made = moment_of(recorded=40)
    assert all(s.history.thinned for s in made.simulations)
    return made


# ---- the curves of every replicate


@pytest.mark.parametrize("kind", ["moment", "thinned"])
@pytest.mark.parametrize(
    "view",
    [
        ChartView(),
        ChartView(which="both", window=1),
        ChartView(which="predicted", x_log=True),
        ChartView(y_log=True, bounds=False),
    ],
    ids=["default", "both", "predicted", "logarithmic"],
)
def test_the_mean_of_the_replicates_is_the_curve_drawn(kind, view, request):
    made = request.getfixturevalue(kind)
    sent = film(made, CHARTS, view, Look(), curves=True)["charts"]
    assert list(sent) == [chart.id for chart in CHARTS]
    for spec in CHARTS:
        lines = figure(spec, made, replace(view, band="none"), Look())["data"]
        assert len(lines) == len(sent[spec.id]), "a packed curve for each line, in their order"
        for line, curve in zip(lines, sent[spec.id], strict=True):
            values = unpacked(curve, replicates=5)
            assert values.shape == (len(line["x"]), 5)
            if not curve["log"]:
                np.testing.assert_allclose(values.mean(axis=1), line["y"], rtol=1e-9, atol=0.51 * curve["step"])
            else:  # half a step is a factor; what is not above 0 has no place on this axis
                drawn = ~np.isnan(values).any(axis=1)
                factor = 10 ** (0.51 * curve["step"])
                assert (values[drawn].mean(axis=1) <= line["y"][drawn] * factor + 1e-12).all()
                assert (values[drawn].mean(axis=1) >= line["y"][drawn] / factor - 1e-12).all()


def test_a_replicate_has_its_own_values_smoothed_as_the_curve_is(moment):
    """Step 200, replicate 3: the mean of its ranks at steps 176 … 200."""
    spec = next(c for c in CHARTS if c.metric is RANK_OF_BEST)
    curve = film(moment, [spec], ChartView(window=25), Look(), curves=True)["charts"][spec.id][0]
    x = np.asarray(figure(spec, moment, ChartView(band="none"), Look())["data"][0]["x"])
    expected = moment.simulations[0].history["rank-of-best"][175:200, 3].mean()
    assert unpacked(curve, 5)[list(x).index(200), 3] == pytest.approx(expected, abs=curve["step"])


numbers = st.floats(-1e300, 1e300) | st.just(np.nan)


@given(st.tuples(st.integers(1, 6), st.integers(2, 5)).flatmap(lambda shape: arrays(float, shape, elements=numbers)))
def test_the_error_of_a_packed_value_is_at_most_half_a_step(values):
    curve = packed(values)
    back = unpacked(curve, values.shape[1])
    np.testing.assert_array_equal(np.isnan(back), np.isnan(values))
    if (known := ~np.isnan(values)).any():
        largest, span = np.abs(values[known]).max(), np.ptp(values[known])
        assert curve["step"] == pytest.approx(span / (MISSING - 1), rel=1e-9, abs=1e-300)
        assert (np.abs(back - values)[known] <= 0.5 * curve["step"] + 4e-16 * largest + 1e-300).all()


@given(arrays(float, (4, 3), elements=st.floats(1e-12, 1e12)))
def test_on_a_logarithmic_axis_small_values_keep_their_digits(values):
    back = unpacked(packed(values, log=True), 3)
    np.testing.assert_allclose(back, values, rtol=1e-3)  # 24 powers of ten in 65,534 steps


def test_what_cannot_be_drawn_is_missing():
    values = np.array([[1.0, np.inf], [np.nan, 3.0], [-np.inf, 0.0]])
    np.testing.assert_allclose(unpacked(packed(values), 2), [[1, np.nan], [np.nan, 3], [np.nan, 0]], atol=1e-4)
    back = unpacked(packed(values, log=True), 2)
    np.testing.assert_array_equal(np.isnan(back), [[False, True], [True, False], [True, True]])
    assert np.isnan(unpacked(packed(np.full((2, 2), np.nan)), 2)).all()


def test_codes_lie_replicate_by_replicate_low_byte_first():
    """Between 0 and 65,534 the code of a whole number is this number."""
    values = np.array([[0.0, 258.0], [65_534.0, np.nan]])
    assert base64.b64decode(packed(values)["codes"]) == bytes([0, 0, 254, 255, 2, 1, 255, 255])


def test_a_value_takes_less_than_three_bytes(moment):
    sent = film(moment, CHARTS, ChartView(), Look(), curves=True)
    size = sum(unpacked(c, 5).size for lines in sent["charts"].values() for c in lines)
    assert len(orjson.dumps(sent["charts"])) < 2.8 * size + 120 * sum(map(len, sent["charts"].values()))
    light = orjson.dumps(film(moment, CHARTS, ChartView(), Look()))
    assert json.loads(light)["charts"] is None and len(light) < 10_000


def test_a_single_run_or_no_step_makes_no_film():
    assert film(moment_of(replicates=1, taken=20), CHARTS, ChartView(), Look(), curves=True) is None
    assert film(moment_of(taken=0), CHARTS, ChartView(), Look(), curves=True) is None


def test_the_key_changes_with_the_curves_and_with_nothing_else(moment):
    def key(made=moment, charts=CHARTS, look=Look(), **view):  # noqa: B008
        return film(made, charts, ChartView(**view), look)["key"]

    assert key() == key(look=Look.of("dark")) == key(band="none")
    other = replace(moment, setup=replace(moment.setup, seed=1))
    keys = [key(), key(window=7), key(which="both"), key(x_log=True), key(bounds=False), key(charts=CHARTS[:2])]
    assert len({*keys, key(other), key(replace(moment, t=200))}) == 8


# ---- the strips


def run_of(values, recorded=None, per_step=True, blocks=1, **declared):
    """The strip of a metric with these values (steps, R), "lower" better, and the history that holds them."""
    how = {"scale": lambda data: (1, 10), "fall": 5, "within": "worst"} | declared
    metric = Metric("rank", "Rank", "", per_step=per_step, better="lower", strip=Strip("It falls.", "fell", **how))
    history = History(values.shape[1], recorded)
    for block in np.array_split(values, blocks):
        history.append({metric: block})
    run = SimpleNamespace(history=history, t=len(values), dataset=None, replicates=values.shape[1])
    setup = SimpleNamespace(steps=len(values), replicates=values.shape[1])
    return strip(metric, Moment(setup, len(values), [run]), ChartView(), Look()), run


def matrix(made, learner=0):
    """The values of a strip as the browser reads them, (R, columns), by the number of the replicate."""
    row = made["learners"][learner]
    codes = np.frombuffer(base64.b64decode(row["codes"]), np.uint8).reshape(len(row["order"]), -1)
    values = np.where(codes == strips.MISSING, np.nan, made["best"] + codes * made["step"])
    return values[np.argsort(row["order"])]


def test_a_flip_of_one_step_among_thousands_stays_visible():
    values = np.ones((3000, 3))
    values[1234, 1] = 10
    made, _ = run_of(values)
    seen = matrix(made)
    assert seen.shape == (3, strips.COLUMNS) and (seen == 10).sum() == 1
    column = int(np.flatnonzero(seen[1] == 10)[0])
    assert made["edges"][column] < 1235 <= made["edges"][column + 1], "steps are counted from 1"
    assert made["learners"][0]["order"] == [1, 0, 2], "the worst first, then as they were"
    assert made["learners"][0]["lapses"] == [1235]


def test_who_never_fell_is_said_so():
    made, _ = run_of(np.linspace(10, 1, 50)[:, None] * [1, 0.9])
    assert made["learners"][0]["lapses"] == []


def test_a_lapse_needs_something_good_to_fall_from():
    """The first replicate begins at the bottom and rises; the second was at 5 and falls to 10; the third falls by 4."""
    values = np.array([[10.0, 5, 1], [10, 10, 5], [2, 6, 5]])
    made, _ = run_of(values)
    assert made["learners"][0]["lapses"] == [2]


@given(st.data())
def test_the_replicates_are_sorted_by_their_mean_over_the_steps(data):
    """In a run so short that each column is one step."""
    values = data.draw(arrays(float, (12, 4), elements=st.integers(1, 10).map(float)))
    made, _ = run_of(values)
    means = values.mean(axis=0)
    assert made["learners"][0]["order"] == sorted(range(4), key=lambda r: (-means[r], r))
    np.testing.assert_allclose(matrix(made), values.T, atol=1e-9)  # whole ranks are exact


def test_the_order_is_that_of_the_steps_and_not_of_the_columns(moment, thinned):
    """However wide the columns are drawn; a thinned history holds means, whose mean is the same."""
    means = moment.simulations[0].history["rank-of-best"].mean(axis=0)
    for made, view in ((moment, ChartView()), (moment, ChartView(x_log=True)), (thinned, ChartView())):
        order = strip(RANK_OF_BEST, made, view, Look())["learners"][0]["order"]
        assert (np.diff(means[order]) <= 1e-9).all()


def slow_column(at, values, first, last, within):
    """The content of a column of the steps first + 1 … last, from the rows that end in it."""
    sums = np.zeros(values.shape[1])
    rows = [i for i in range(len(at)) if first < at[i] <= last]
    if not rows:
        return np.full(values.shape[1], np.nan)
    if within == "worst":
        return values[rows].max(axis=0)
    if within == "mean":
        steps = 0
        for i in rows:
            gap = at[i] - (at[i - 1] if i else 0)
            sums, steps = sums + gap * values[i], steps + gap
        return sums / steps
    before = rows[0] - 1
    start = at[before] * values[before] if before >= 0 else sums
    return (at[rows[-1]] * values[rows[-1]] - start) / (at[rows[-1]] - (at[before] if before >= 0 else 0))


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("within", ["worst", "mean", "since"])
@given(st.integers(1, 400), st.integers(1, 400), st.integers(1, 60), st.integers(1, 9), st.integers(1, 3))
@settings(max_examples=40)
def test_columns_hold_what_a_slow_loop_finds(within, log, steps, taken, recorded, fewest, blocks):
    taken = min(taken, steps)
    values = np.random.default_rng(taken).integers(1, 10, (taken, 2), endpoint=True).astype(float)
    _, run = run_of(values, recorded, per_step=within != "since", blocks=min(blocks, taken))
    edges = columns(steps, fewest, log)
    at, kept = run.history.at, run.history["rank"]
    slow = [slow_column(at, kept, a, b, within) for a, b in pairwise(edges)]
    np.testing.assert_allclose(binned(run, "rank", edges, within, 1.0), slow, atol=1e-9)


@given(st.integers(1, 1_000_000), st.integers(1, 50), st.booleans())
def test_columns_cover_all_steps_and_are_wide_enough(steps, fewest, log):
    edges = columns(steps, fewest, log)
    widths = np.diff(edges)
    assert edges[0] == 0 and edges[-1] == steps and len(widths) <= strips.COLUMNS
    assert len(widths) == 1 or widths.min() >= fewest


def test_a_mean_since_the_start_is_taken_apart_by_columns():
    """150 losses of 1 and then 150 of 3: the mean so far creeps from 1 to 2, the strip jumps from 1 to 3."""
    losses = np.repeat([1.0, 3.0], 150)[:, None] * [1, 1]
    made, _ = run_of(losses.cumsum(axis=0) / np.arange(1, 301)[:, None], per_step=False, within="since", fall=2)
    np.testing.assert_allclose(matrix(made), np.repeat([[1.0, 3.0]] * 2, 75, axis=1), atol=1e-9)
    assert made["learners"][0]["lapses"] == [152, 152]  # the ends of columns of two steps


def test_missing_values_have_their_own_code_and_are_worse_than_nothing():
    values = np.ones((10, 3))
    values[:4, 0] = np.nan
    values[:, 1] = np.nan
    values[5:, 2] = 9
    made, _ = run_of(values)
    np.testing.assert_array_equal(np.isnan(matrix(made)), np.isnan(values).T)
    assert made["learners"][0]["order"] == [2, 0, 1], "a replicate without a value comes last"


def test_what_is_not_computed_yet_is_missing_and_columns_do_not_shift():
    early, late = (strip(RANK_OF_BEST, moment_of(taken=t), ChartView(), Look()) for t in (90, 300))
    assert early["edges"] == late["edges"]
    for learner in range(2):
        there = matrix(early, learner)
        np.testing.assert_array_equal(there[:, :45], matrix(late, learner)[:, :45])
        assert np.isnan(there[:, 45:]).all()


def test_the_strip_shows_at_a_glance_who_flips(moment):
    """The preference perceptron loses the best document in every replicate; 3PR keeps it in nearly all."""
    made = strip(RANK_OF_BEST, moment, ChartView(), Look())
    flips, keeps = (np.nanmean(matrix(made, learner) > 5) for learner in range(2))
    assert flips > 0.5 and keeps < 0.15
    assert len(made["learners"][0]["lapses"]) == 5 and made["lapse"] == "lost the best document"
    assert (made["best"], made["best"] + made["levels"] * made["step"]) == (1, moment.data.longest)


def test_the_strip_follows_the_ranking_that_is_drawn(moment):
    made = strip(RANK_OF_BEST, moment, ChartView(which="predicted"), Look())
    assert made["id"] == RANK_OF_BEST.companion.id and made["title"].startswith(RANK_OF_BEST.companion.title)
    expected = moment.simulations[1].history[made["id"]].reshape(150, 2, 5).max(axis=1).T
    np.testing.assert_allclose(matrix(made, 1), expected, atol=1e-9)


def test_only_charts_whose_metric_declares_a_strip_have_one(moment):
    def chosen(*metrics):
        return [c for c in CHARTS if c.metric in metrics]

    assert film(moment, chosen(TOP10_OVERLAP), ChartView(), Look())["strips"] == []
    picture = ChartSpec("picture", "Picture", "", draw=lambda *_: {})
    (made,) = film(moment, [*chosen(RANK_OF_BEST, TOP10_OVERLAP), picture], ChartView(), Look.of("dark"))["strips"]
    assert made["id"] == "rank-of-best" and made["ramp"] == Look.of("dark").ramp


@pytest.mark.parametrize("family", families().values(), ids=lambda family: family.id)
def test_every_family_has_a_metric_that_tells_instability(family):
    declared = [metric for metric in family.metrics if metric.strip]
    assert declared
    data = datasets.load(family.smallest.id, **family.smallest.values)
    learner = next(iter(learners_of(family)))
    run = Simulation(create(learner), data, create_user(family.user) if family.user else None, replicates=3, seed=0)
    run.advance(steps=3)
    setup = SimpleNamespace(steps=3, replicates=3)
    for metric in declared:
        made = strip(metric, Moment(setup, run.t, [run]), ChartView(unit=family.unit), Look())
        assert matrix(made).shape == (3, len(made["edges"]) - 1)
        assert made["help"].startswith(metric.strip.help) and metric.strip.help.endswith(".")
        assert made["lapse"] == metric.strip.lapse and set(made["learners"][0]["lapses"]) <= {1, 2, 3}


def test_a_metric_with_a_strip_says_which_way_is_better():
    with pytest.raises(ValueError, match="rank has a strip and must say whether lower or higher is better"):
        Metric("rank", "Rank", "", strip=Strip("It falls.", "fell", fall=5))


def test_the_colours_grow_stronger_from_the_best_to_the_worst():
    """So that they are told apart without colour; on the page they begin close to its background."""

    def lightness(color):
        r, g, b = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return 0.2126 * r**2.2 + 0.7152 * g**2.2 + 0.0722 * b**2.2

    for theme, sign in (("light", -1), ("dark", 1)):
        steps = np.diff([lightness(color) for color in Look.of(theme).ramp]) * sign
        assert (steps > 0.02).all()
