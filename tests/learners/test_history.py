"""The record of a run: thinned on a logarithmic grid, smoothed, summed up at the end; checked by brute force."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.metric import Metric
from learners.run.history import LEAST_ROWS, History

STEP = "gamma"  # belongs to single steps
DECLARED = {"x": Metric("x", "X", "A running value."), STEP: Metric(STEP, "γ", "Of the step.", per_step=True)}


def declared(values):
    """The block as an environment hands it over: by the declarations."""
    return {DECLARED[name]: part for name, part in values.items()}


runs = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "recorded": st.integers(1, 40) | st.just(1000),  # also more than there are steps
        "steps": st.integers(1, 400),
        "replicates": st.sampled_from([1, 3]),
        "missing": st.sampled_from([0.0, 0.3, 1.0]),
    }
)
many = settings(max_examples=60, deadline=None)


def values_of(run):
    """(T, R) values of two metrics, some of them missing."""
    rng = np.random.default_rng(run["seed"])
    shape = (run["steps"], run["replicates"])
    whole = {"x": rng.normal(size=shape), STEP: rng.normal(size=shape)}
    for values in whole.values():
        values[rng.random(shape) < run["missing"]] = np.nan
    return whole


def filled(run, whole, sizes, ask=False):
    history, at, i = History(run["replicates"], run["recorded"]), 0, 0
    while at < run["steps"]:
        size = sizes[i % len(sizes)]
        history.append(declared({name: values[at : at + size] for name, values in whole.items()}))
        at, i = min(at + size, run["steps"]), i + 1
        if ask:
            history.final(STEP), history.final("x")
    return history


def mean(values):
    """(R,) over the steps that have a value; NaN where none has."""
    known = ~np.isnan(values)
    number = known.sum(axis=0)
    return np.where(number > 0, np.where(known, values, 0).sum(axis=0) / np.maximum(number, 1), np.nan)


def grid(recorded, steps):
    """The steps that have a row: gaps of 1, 2, 4, … for `recorded`, as many, twice as many, … steps; and the last."""
    kept, gap, end = [], 1, recorded
    for step in range(1, steps + 1):
        if step > end:
            gap, end = 2 * gap, 2 * end
        if step % gap == 0 or step == steps:
            kept.append(step)
    return kept


@many
@given(runs)
def test_rows_stand_on_the_grid_and_the_last_step_always_has_one(run):
    whole = values_of(run)
    history = History(run["replicates"], run["recorded"])
    for t in range(run["steps"]):
        history.append(declared({name: values[t : t + 1] for name, values in whole.items()}))
        assert history.at[-1] == t + 1 == history.steps
        np.testing.assert_array_equal(history["x"][-1], whole["x"][t])
    assert history.at.tolist() == grid(run["recorded"], run["steps"])
    assert history.thinned == (run["steps"] > run["recorded"])
    np.testing.assert_array_equal(history["x"], whole["x"][history.at - 1])


@many
@given(runs)
def test_a_row_of_a_metric_of_single_steps_is_the_mean_since_the_row_before(run):
    whole = values_of(run)
    history = filled(run, whole, [64])
    at = np.append(0, history.at)
    for row, (a, b) in enumerate(pairwise(at)):
        np.testing.assert_allclose(history[STEP][row], mean(whole[STEP][a:b]), atol=1e-12)


@many
@given(runs, st.lists(st.integers(1, 200), min_size=1, max_size=5), st.booleans())
def test_sliced_differently_it_is_the_same_to_the_last_bit(run, sizes, ask):
    """Also where it was asked between the slices."""
    whole = values_of(run)
    first, second = filled(run, whole, [run["steps"]]), filled(run, whole, sizes, ask)
    np.testing.assert_array_equal(first.at, second.at)
    for name in whole:
        np.testing.assert_array_equal(first[name], second[name])
        np.testing.assert_array_equal(first.final(name), second.final(name))


@many
@given(runs, st.integers(1, 300), st.booleans())
def test_smooth_is_the_mean_over_the_steps_of_the_window(run, window, ask):
    """A window that begins between two rows is widened to the earlier one."""
    whole = values_of(run)
    history = filled(run, whole, [50], ask)
    rows = np.unique(np.random.default_rng(run["seed"]).integers(0, history.rows, size=6))
    at = np.append(0, history.at)
    for name, values in whole.items():
        if name != STEP:  # a running value stands for the steps since the row before
            values = np.repeat(values[history.at - 1], np.diff(at), axis=0)
        for row, found in zip(rows, history.smooth(name, rows, window), strict=True):
            end = history.at[row]
            start = at[at <= max(0, end - window)].max()
            np.testing.assert_allclose(found, mean(values[start:end]), atol=1e-10)
        assert history.smooth(name, np.array([], dtype=int), window).shape == (0, run["replicates"])


@many
@given(runs)
def test_final_is_the_last_value_or_the_mean_of_the_last_tenth(run):
    whole = values_of(run)
    history = filled(run, whole, [77])
    np.testing.assert_array_equal(history.final("x"), whole["x"][-1])
    steps, at = run["steps"], np.append(0, history.at)
    start = at[at <= steps - max(1, steps // 10)].max()
    np.testing.assert_allclose(history.final(STEP), mean(whole[STEP][start:]), atol=1e-10)
    if not history.thinned:
        np.testing.assert_allclose(history.final(STEP), mean(whole[STEP][-max(1, steps // 10) :]), atol=1e-10)


def test_the_window_of_a_long_run_is_right_to_a_thousandth():
    history, rng = History(1, recorded=LEAST_ROWS), np.random.default_rng(0)
    values = rng.normal(size=(123_457, 1)) + np.linspace(0, 100, 123_457)[:, None]
    for part in np.array_split(values, 500):
        history.append(declared({STEP: part}))
    np.testing.assert_allclose(history.final(STEP), values[-12_345:].mean(axis=0), rtol=1e-3)


def test_memory_grows_like_the_logarithm_of_the_steps():
    history, recorded, rows = History(2, recorded=64), 64, []
    block = np.zeros((64, 2))
    for _ in range(2**12):
        history.append(declared({"x": block, STEP: block}))
        rows.append(history.rows)
    doublings = np.array(rows)[2 ** np.arange(13) - 1]  # after 64, 128, 256, … steps
    np.testing.assert_array_equal(np.diff(doublings), recorded // 2)
    held = sum(array.nbytes for array in history._data.values()) + history._at.nbytes
    assert held < 4 * history.rows * (2 * 2 + 1) * 8, "room for twice as many rows, and no more"


def test_values_that_are_missing_only_late():
    """The first of them meets rows that were taken to be whole."""
    values = np.arange(64.0)[:, None]
    values[40:45] = np.nan
    history = History(1, recorded=4)
    for part in np.array_split(values, 16):
        history.append(declared({STEP: part}))
        history.final(STEP)
    np.testing.assert_allclose(history.smooth(STEP, np.array([history.rows - 1]), 64)[0], mean(values))


@pytest.mark.parametrize("recorded", [0, -1])
def test_a_record_of_no_steps_is_refused(recorded):
    with pytest.raises(ValueError, match=f"recorded must be a whole number of at least 1, got {recorded}"):
        History(1, recorded)


def test_how_much_is_kept_depends_on_the_replicates():
    assert [History(r).recorded for r in (1, 20, 100, 2000, 10**6)] == [100_000, 100_000, 20_000, 2000, 2000]


def test_the_row_of_a_step_is_the_next_that_is_kept():
    history = History(1, recorded=4)
    history.append(declared({"x": np.arange(20.0)[:, None]}))
    assert history.at[history.row_of(np.array([1, 5, 6, 13, 99]))].tolist() == [1, 6, 16, 20]
    frame = history.frame(every=3)
    assert frame["step"].tolist() == history.at[2::3].tolist()
    assert frame["value"].tolist() == [float(t - 1) for t in history.at[2::3]]
