"""Runs of every classification learner agree with plain loops."""

import numpy as np
import pytest

from tests.learners.classification.helpers import run
from tests.learners.classification.setups import SETUPS, create_batch, data_in_form
from tests.learners.classification.slow_reference import METRICS, slow_history

# of zeros and ones the scores of the other learners are often equal but for rounding
ADDITIVE = [s for s in SETUPS if s[0] not in ("exponentiated-gradient", "potential", "banditron-winnow", "halving")]
COMPARED = [(form, *s) for form in ("dense", "sparse") for s in SETUPS] + [("binary", *s) for s in ADDITIVE]


@pytest.mark.parametrize(("form", "id", "params"), COMPARED)
def test_runs_agree_with_a_slow_reference(form, id, params):
    """A batch of three replicates with parameters of their own: each as if it ran alone."""
    data = data_in_form(form=form, d=2 if id == "halving" and "projection" not in params else 3)
    steps = 60 if id == "halving" else 300
    expected = slow_history(data, id, params, 3, 5, steps)
    history = run(create_batch(id, params), data, steps=steps, seed=5).history
    assert set(history) == METRICS
    for metric in METRICS:
        np.testing.assert_allclose(history[metric], expected[metric], rtol=1e-9, err_msg=metric)
