"""Sweeps over parameters, from the library."""

import numpy as np
import pytest

from datasets import load
from learners import Simulation, create, create_user, sweep

SETUP = {"learner": "perturbed-perceptron", "dataset": "toy-ranking", "user": "cascade"}


def test_a_sweep_is_a_batch_with_the_values_on_the_replicate_axis():
    table = sweep(SETUP, {"swap_probability": [0.1, 0.5]}, replicates=3, seed=4, steps=40)
    values = np.repeat([0.1, 0.5], 3)
    sim = Simulation(create("perturbed-perceptron", swap_probability=values), "toy-ranking", "cascade", 6, seed=4)
    sim.advance(steps=40)
    got = table[table.metric == "cumulative-regret"]
    np.testing.assert_array_equal(got.value, sim.history["cumulative-regret"][-1])
    np.testing.assert_array_equal(got.swap_probability, values)
    assert got.replicate.tolist() == [0, 1, 2, 0, 1, 2]
    got = table[table.metric == "rank-of-best"]
    np.testing.assert_allclose(got.value, sim.history["rank-of-best"][-4:].mean(axis=0))


def test_parameters_of_learner_user_and_data_set_together():
    over = {"noise": [0.0, 0.4], "documents": [5, 9], "dynamic": [False, True]}
    table = sweep(SETUP, over, replicates=2, steps=30, metrics=["average-regret"])
    assert len(table) == 2 * 2 * 2 * 2
    assert table.groupby(list(over)).size().eq(2).all()
    one = table[(table.noise == 0.4) & (table.documents == 9) & table.dynamic]
    sim = Simulation(
        create("perturbed-perceptron", dynamic=True),
        load("toy-ranking", documents=9),
        create_user("cascade", noise=np.repeat([0.0, 0.4], 2)),
        replicates=4,
    )
    sim.advance(steps=30)
    np.testing.assert_array_equal(one.value, sim.history["average-regret"][-1, 2:])


@pytest.mark.parametrize(
    ("over", "words"),
    [
        ({"gama": [1]}, "neither learner, user nor data set has a parameter 'gama'"),
        ({"swap_probability": [0.5, 1.5]}, r"swap_probability must be in \[0, 1\], got 1.5"),
    ],
)
def test_what_is_not_allowed_is_refused_in_words(over, words):
    with pytest.raises(ValueError, match=words):
        sweep(SETUP, over, replicates=1, steps=1)
