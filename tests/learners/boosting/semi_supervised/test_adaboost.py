"""AdaBoost on labelled rows: steps by hand, its identities, its two ends."""

import math

import numpy as np
import pytest

from learners.boosting.semi_supervised.base import Training
from tests.cases import cases
from tests.learners.boosting.semi_supervised.problems import begun, problem, rounds

# --- AdaBoost ---------------------------------------------------------------------------------------------------------


def test_adaboost_by_hand():
    """Points 0, 1, 2 with classes 0, 1, 0, and one without a label, whose answer only counts as an answer.

    D = (1, 1, 1)/3. Every stump errs on one point: ε = 1/3, α = ½ ln 2. e^−α = 1/√2, so the two right ones get
    1/(3√2) and the wrong one √2/3: normalised ¼, ¼, ½. The mean of e^−yF is (2/√2 + √2)/3 = 2√2/3 = 2√(1/3 · 2/3).
    """
    learner = begun("adaboost", Training(np.array([[0.0], [1.0], [2.0], [9.0]]), np.array([0, 1, 0, -1]), 2), depth=1)
    first = learner.round()
    assert first.error == pytest.approx(1 / 3, abs=1e-15)
    assert first.step == pytest.approx(0.5 * math.log(2), abs=1e-15)
    np.testing.assert_allclose(first.weights, [1 / 3, 1 / 3, 1 / 3, 0], rtol=1e-15)
    assert first.targets.tolist() == [0, 1, 0, -1]
    assert first.values["objective"] == pytest.approx(2 * math.sqrt(2) / 3, rel=1e-14)
    assert first.values["bound"] == pytest.approx(2 * math.sqrt(2) / 3, rel=1e-14)
    second = learner.round()
    wrong = first.answers[:3] != [0, 1, 0]
    np.testing.assert_allclose(second.weights[:3], np.where(wrong, 0.5, 0.25), rtol=1e-14)
    assert second.error == pytest.approx(0.25, abs=1e-15)
    np.testing.assert_allclose(learner.vote(np.array([[0.0]])).sum(), 0.5 * math.log(3), rtol=1e-14)


@cases("classes", [2, 4])
@cases("seed", range(5))
def test_adaboost_identities(classes, seed):
    """Mean exp(−yF) = Π 2√(ε(1 − ε)); the new weights give the same hypothesis an error of exactly ½."""
    given = problem(seed, n=150, d=2, classes=classes, labelled=0.8)
    learner = begun("adaboost", given, depth=1 if classes == 2 else 3)
    has = given.labels >= 0
    y, x = given.labels[has], given.features[has]
    product, F = 1.0, np.zeros((has.sum(), classes))
    seen = 0
    for done in rounds(learner, 12):
        if learner.end:
            break
        seen += 1
        product *= 2 * math.sqrt(done.error * (1 - done.error))
        F = F + learner.vote(x)
        right = F[np.arange(len(y)), y]
        margin = right - (F.sum(axis=1) - right)  # with two classes y F
        assert np.exp(-margin).mean() == pytest.approx(product, rel=1e-12)
        assert done.values["objective"] == pytest.approx(product, rel=1e-12)
        assert done.values["bound"] == pytest.approx(product, rel=1e-12)
        assert (F.argmax(axis=1) != y).mean() <= done.values["bound"] + 1e-12
        assert learner.D[done.answers[has] != y].sum() == pytest.approx(0.5, abs=1e-12)
    assert seen >= 3


def test_adaboost_perfect_tree_decides_alone():
    """ε = 0: a step of 1 more than all before, the training error is 0, and from then on nothing is added."""
    late = 0
    for seed in range(50):
        given = problem(seed, n=14, d=2, classes=2, labelled=0.6)
        learner = begun("adaboost", given, seed, depth=2)
        steps = [done.step for done in rounds(learner, 40)]
        if learner.last.error == 0:
            late += len(steps) > 1
            assert steps[-1] == pytest.approx(1 + sum(steps[:-1]))
            assert learner.last.values["objective"] == pytest.approx(learner.last.values["bound"], rel=1e-12)
            assert "no mistake" in learner.round().stopped
            np.testing.assert_array_equal(learner.predict(learner.x), learner.y)
    assert late >= 3  # some become perfect after they have erred


def test_adaboost_that_errs_on_half_keeps_its_first_tree():
    """Four classes, four points and one question: two are wrong, ε = ½. It is kept with step 1; then nothing."""
    learner = begun("adaboost", Training(np.arange(4.0)[:, None], np.arange(4), 4), depth=1)
    assert learner.round().step == 1
    assert learner.last.values["objective"] == pytest.approx((math.e + 1 / math.e) / 2)
    assert learner.last.values["bound"] == pytest.approx((math.e + 1 / math.e) / 2)
    again = learner.round()
    assert again.step == 0 and "half of the weight" in again.stopped
    np.testing.assert_array_equal(again.weights, learner.last.weights)
