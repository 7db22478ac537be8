"""The weak learner of ranking refinement."""

import numpy as np
import pytest
from hypothesis import given

from learners.boosting.refinement.weak_learner import WeakLearner
from tests.learners.boosting.refinement.problems import few, seeds


@few
@given(seeds)
def test_the_stump_is_the_best_there_is(seed):
    """Against all features, thresholds and directions; a tree is taken only where it has a larger η."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 20))
    x, w = rng.integers(0, 5, (n, 3)).astype(float), rng.normal(size=n)
    w -= w.mean()
    best = max(
        (w @ (x[:, j] > t if way else x[:, j] <= t) for j in range(3) for t in x[:, j] for way in (True, False)),
        default=0.0,
    )
    stump = WeakLearner(x)(w)
    if stump is None:
        assert best < 1e-9
        return
    assert w @ stump(x) == pytest.approx(best)
    deep = WeakLearner(x, depth=3)(w)
    assert w @ deep(x) >= best - 1e-12
    assert set(np.unique(deep(x))) <= {False, True}


def test_thresholds_part_what_they_parted_in_training():
    """Between two neighbouring floating-point numbers too, where their mean is one of them."""
    for low in (1.0, np.nextafter(1.0, 2)):
        x = np.array([[low], [np.nextafter(low, 2)]])
        for w in ([-0.5, 0.5], [0.5, -0.5]):
            stump = WeakLearner(x)(np.array(w))
            assert stump(x).tolist() == [w[0] > 0, w[1] > 0]
