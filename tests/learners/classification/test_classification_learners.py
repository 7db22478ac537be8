"""The declarations, plays, refusals and reports of every classification learner."""

from itertools import product

import numpy as np
import pytest

from learners import create
from learners.classification.base import Feedback
from learners.classification.environment import hit
from learners.classification.linear import Examples
from tests.cases import cases
from tests.learners.classification.helpers import IDS, random_data, run, start


@cases("id", IDS)
def test_the_label_played_is_a_label(id):
    learner = create(id, **({"most": 500} if id == "halving" else {}))
    for k, sim in ((4, run(learner, random_data())), (2, run(learner, random_data(k=2)))):
        label = sim.last.shown.label
        assert label.dtype.kind == "i" and label.min() >= 0 and label.max() < k
        assert sim.last.shown.scores.shape == (3, k)
        if sim.learner.weights is not None:
            assert sim.learner.weights.shape == (3, k, 5) and np.isfinite(sim.learner.weights).all()


@cases("id", [id for id in IDS if id != "perceptron"])
def test_wrong_parameters_are_refused(id):
    params = create(id).params
    for name in {"gamma", "rate", "exponent"} & set(params):
        with pytest.raises(ValueError, match=name):
            create(id, **{name: 0.0})
    if "margin" in params:
        with pytest.raises(ValueError, match="margin"):
            create(id, margin=-1.0)


def test_parameters_that_must_be_one_number_for_all_replicates():
    for id, values in (("halving", {"levels": np.array([3, 5, 5])}), ("banditron-labels", {"labels": [1, 2, 2]})):
        with pytest.raises(ValueError, match="must be one number for all replicates, got 3 of them"):
            create(id, **values)


def test_halving_refuses_a_grid_that_does_not_fit_in_memory():
    with pytest.raises(ValueError, match="lower most, or set projection"):
        start("halving", 400, 9)


def test_the_moves_tell_what_was_added():
    """Every learner's moves, applied to nothing, are the change of the weights (or of what they are made of)."""
    for id, seed in product(IDS, range(3)):
        if id in ("halving", "banditron-positive"):
            continue
        learner = start(id, 3, 4, 6)
        rng = np.random.default_rng(seed)
        for _ in range(20):
            state = learner.theta if hasattr(learner, "theta") else learner.W
            before = state.copy()
            x = Examples(rng.normal(size=(6, 3)))
            shown = learner.present(x)
            truth = rng.integers(4, size=6)
            moves = learner.update(
                x, shown, Feedback(hit(shown.label, truth), truth if learner.hears == "label" else None)
            )
            added = np.zeros_like(state)
            for label, coefficient in moves:
                np.add.at(
                    added, (np.arange(6)[:, None], np.arange(3), label[:, None]), coefficient[:, None] * x.features
                )
            np.testing.assert_allclose(state - before, added, atol=1e-9)
