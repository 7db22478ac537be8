"""Stumps: the best of all splits."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.boosting.stumps import Stumps


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(2, 12))
def test_the_stump_is_the_best_of_all(seed, d, n):
    rng = np.random.default_rng(seed)
    x = rng.choice([0, 1, 1.5, 7], (n, d)) * rng.choice([1, -1e-3])
    w = rng.normal(size=n)
    w -= w.mean()
    best = 0.0
    for j in range(d):
        for threshold in np.unique(x[:, j])[:-1]:
            for answers in (x[:, j] > threshold, x[:, j] <= threshold):
                best = max(best, float((w * answers).sum()))
    stump = Stumps(x).best(w)
    if stump is None:
        assert best <= 1e-12
        return
    assert math.isclose(stump.eta, best, rel_tol=1e-9) and math.isclose((w * stump(x)).sum(), best, rel_tol=1e-9)
    values = np.unique(x[:, stump.feature])
    place = np.searchsorted(values, stump.threshold, side="right")
    assert math.isclose(stump.threshold, values[place - 1 : place + 1].mean(), abs_tol=1e-12)  # between two values


def test_a_stump_between_neighbouring_numbers():
    low = np.nextafter(1.0, 2)
    high = np.nextafter(low, 2)  # the number between them would be rounded to this one
    stump = Stumps(np.array([[low], [high]])).best(np.array([-1.0, 1.0]))
    assert stump(np.array([[low], [high]])).tolist() == [0, 1]
    large = Stumps(np.array([[1e308], [1.5e308]])).best(np.array([-1.0, 1.0]))
    assert math.isclose(large.threshold, 1.25e308)
