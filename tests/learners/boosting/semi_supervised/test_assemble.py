"""ASSEMBLE: steps by hand, first pseudo-labels, weights after a round."""

import math

import numpy as np
import pytest

from learners.boosting.semi_supervised.base import Training
from tests.cases import cases
from tests.learners.boosting.semi_supervised.problems import begun, problem, rounds

# --- ASSEMBLE ---------------------------------------------------------------------------------------------------------


def test_assemble_by_hand():
    """Points 0, 1, 2 with classes 0, 1, 0, and a fourth at 2.2 without; β = ½, stumps.

    Round 1 is trained on the first three: ε = 1/3, α = ½ ln 2, so e^{2α} = 2: the weights are (1, 1, 1)/3 with the
    wrong one doubled, ¼ ¼ ½, of which the labelled keep half; the fourth has ½. As printed e^α = √2, and the fourth
    has 0.
    """
    given = Training(np.array([[0.0], [1.0], [2.0], [2.2]]), np.array([0, 1, 0, -1]), 2)
    for variant, by, share in (("corrected", 2, 0.5), ("printed", math.sqrt(2), 0.0)):
        learner = begun("assemble", given, depth=1, variant=variant, beta=0.5)
        first = learner.round()
        assert first.step == pytest.approx(0.5 * math.log(2))
        np.testing.assert_allclose(first.weights, [1 / 3, 1 / 3, 1 / 3, 0])
        assert first.targets.tolist() == [0, 1, 0, -1]
        second = learner.round()
        wrong = first.answers[:3] != [0, 1, 0]
        raw = np.where(wrong, by, 1.0)
        np.testing.assert_allclose(second.weights[:3], (1 - share) * raw / raw.sum())
        assert second.weights[3] == pytest.approx(share)
        assert second.targets[3] == first.answers[3]  # its pseudo-label is what F says


def test_assemble_first_labels_by_the_nearest():
    learner = begun("assemble", problem(1, n=50), first="nearest", depth=3, beta=0.3)
    done, given = learner.round(), learner.problem
    has = given.labels >= 0
    near = np.linalg.norm(given.features[:, None] - given.features[has], axis=2).argmin(axis=1)
    np.testing.assert_array_equal(done.targets, given.labels[has][near])
    assert done.weights[~has].sum() == pytest.approx(0.3)


@cases("seed", range(3))
def test_assemble_reweights_to_error_half(seed):
    """With exp(2αI), as in AdaBoost, the hypothesis has an error of ½ with the new weights, on the same labels."""
    given = problem(seed, n=80, classes=3)
    learner = begun("assemble", given, depth=3, beta=0.4)
    next(rounds(learner, 1))
    for done in rounds(learner, 8):
        if not learner.end:
            assert learner.w[done.answers != done.targets].sum() == pytest.approx(0.5, abs=1e-12)
            assert done.details["pseudo-labels"] == (given.labels < 0).sum()
