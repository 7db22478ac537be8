"""Runs of every classification learner agree with plain loops."""

import numpy as np
import pytest

from learners import Simulation
from tests.cases import cases
from tests.learners.classification.helpers import run
from tests.learners.classification.setups import SETUPS, create_batch, data_in_form
from tests.learners.classification.slow_reference import METRICS, slow_history, slow_runs

# of zeros and ones the scores of the other learners are often equal but for rounding
OTHERS = ("exponentiated-gradient", "potential", "banditron-winnow", "gappletron", "halving", "confidit")
ADDITIVE = [s for s in SETUPS if s[0] not in OTHERS]
FORMS = ["dense", pytest.param("sparse", marks=pytest.mark.long), pytest.param("binary", marks=pytest.mark.long)]
COMPARED = [pytest.param("dense", *s) for s in SETUPS]
COMPARED += [pytest.param("sparse", *s, marks=pytest.mark.long) for s in SETUPS]
COMPARED += [pytest.param("binary", *s, marks=pytest.mark.long) for s in ADDITIVE]


@pytest.mark.parametrize(("form", "id", "params"), COMPARED)
def test_runs_agree_with_a_slow_reference(form, id, params):
    """A batch of three replicates with parameters of their own: each as if it ran alone."""
    data = data_in_form(form=form, d=2 if id == "halving" and "projection" not in params else 3)
    steps = 60 if id == "halving" else 300
    expected = slow_history(data, id, params, 3, 5, steps)
    history = run(create_batch(id, params), data, steps=steps, seed=5).history
    assert set(history) == METRICS
    for metric in METRICS:
        least = 1e-12 if id == "newtron" else 0.0  # its moves become as small as rounding
        np.testing.assert_allclose(history[metric], expected[metric], rtol=1e-9, atol=least, err_msg=metric)


@pytest.mark.parametrize("form", FORMS)
@cases(("id", "params"), SETUPS)
def test_weights_agree_step_by_step(form, id, params):
    """To 12 digits of the largest weight; of the winnow and the exponential potential up to the common scale."""
    data = data_in_form(form=form, d=2 if id == "halving" and "projection" not in params else 4)
    steps = 25 if id == "halving" else 70
    runs, world = slow_runs(data, id, params, 3, 7, steps)
    sim = Simulation(create_batch(id, params), data, replicates=3, seed=7)
    for rows, draw in world:
        sim.advance(steps=1)
        assert (sim.last.row == rows).all()
        for r, slow in enumerate(runs):
            slow.step(int(rows[r]), draw[:, r], told=int(np.ravel(sim.last.shown.predicted[r])[0]))
            if id == "halving":
                assert set(np.flatnonzero(sim.learner.active[r])) == slow.left
                continue
            found, expected = sim.learner.weights[r], np.array(slow.weights())
            if id == "banditron-winnow":
                found, expected = found / np.abs(found).max(), expected / np.abs(expected).max()
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())
