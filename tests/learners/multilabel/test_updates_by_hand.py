"""Updates and widths of the multilabel learners, worked out by hand in the docstrings."""

import math

import numpy as np

from learners import create
from learners.multilabel.base import Context
from tests.learners.multilabel.helpers import start, step


def test_projection_by_hand_also_of_labels_not_shown():
    """A = I, w_0 = (2, 0), w_1 = (−3, 1), x = (1, 0), width ¼: w'_0 = (1, 0), w'_1 = (−1, 1). p̂_0 = 1 is shown and
    wrong: w_0 = (1, 0) − g(−1) · (½, 0) = (1, 0) − 2 · (½, 0) = 0. p̂_1 = (1 − 1 + ½)/2 = ¼ is not shown: w_1 = w'_1,
    A_1 = I.
    """
    learner = start(create("multilabel-ucb", width=0.25, costs="constant"), 2, 2)
    learner.w[0] = [[2, 0], [-3, 1]]
    labels, p = step(learner, [1, 0])
    assert labels == [0] and p.tolist() == [1, 0.25]
    np.testing.assert_allclose(learner.w[0], [[0, 0], [-1, 1]], atol=1e-15)
    np.testing.assert_allclose(learner.Ainv[0], [[[0.5, 0], [0, 1]], np.eye(2)])


def test_logistic_loss_by_hand():
    """R = 2: 1/c″ = 2(1 + cosh 2) = 9.524391. x = 1, width 4: z = clip(0 + 2) = 2, p̂ = 1/(1 + e⁻²) = .880797, shown and
    right: w = 9.524391 · g(0) · ½ = 2.381098. Again x = 1: w > 2, w' = 2, p̂ as before. Wrong: A⁻¹x = 1/3,
    g(−2) = .880797, w = 2 − 9.524391 · .880797 / 3 = −.796353.
    """
    learner = start(create("multilabel-ucb", loss="logistic", range=2, width=4), 1, 1)
    labels, p = step(learner, [1], 0)
    assert labels == [0]
    np.testing.assert_allclose(p, 0.880797, atol=1e-6)
    np.testing.assert_allclose(learner.w[0], 2.381098, atol=1e-6)
    labels, p = step(learner, [1])
    assert labels == [0]
    np.testing.assert_allclose(p, 0.880797, atol=1e-6)
    np.testing.assert_allclose(learner.w[0], -0.796353, atol=1e-5)


def test_diagonal_matrices_by_hand():
    """x = (.6, .8), right: A = (1.36, 1.64), w = (.6/1.36, .8/1.64). x = (1, 0): margin .6/1.36 = .441176, width
    √(.3/1.36) = .469668, p̂ = .955422. Wrong: A = (2.36, 1.64), w_1 = .441176 − 1.441176/2.36 = −10/59.
    """
    learner = start(create("multilabel-ucb", matrices="diagonal"), 1, 2)
    assert step(learner, [0.6, 0.8], 0)[0] == [0]
    np.testing.assert_allclose(learner.Ainv[0, 0], [1 / 1.36, 1 / 1.64])
    np.testing.assert_allclose(learner.w[0, 0], [0.6 / 1.36, 0.8 / 1.64])
    labels, p = step(learner, [1, 0])
    assert labels == [0]
    np.testing.assert_allclose(p, 0.955422, atol=1e-6)
    np.testing.assert_allclose(learner.w[0, 0], [-10 / 59, 0.8 / 1.64])


def test_online_binary_relevance_by_hand():
    """x = (1, 0): p̂ = ½ for both, nothing is shown, yet both learn: label 0 is right, 1 is not, one matrix diag(2, 1),
    w = ±(½, 0). x = (.6, .8): p̂ = (1 ± .3)/2, label 0 is shown. Label 1 alone is right: g(−.3) = 1.3 for both,
    w_0 = (½, 0) − 1.3 (.3, .8)/1.82 = (2/7, −4/7), w_1 = −w_0.
    """
    learner = start(create("online-binary-relevance", costs="constant"), 2, 2)
    labels, p = step(learner, [1, 0], 0)
    assert labels == [] and p.tolist() == [0.5, 0.5]
    np.testing.assert_allclose(learner.w[0], [[0.5, 0], [-0.5, 0]])
    np.testing.assert_allclose(learner.Ainv[0], [[[0.5, 0], [0, 1]]])
    labels, p = step(learner, [0.6, 0.8], 1)
    assert labels == [0]
    np.testing.assert_allclose(p, [0.65, 0.35])
    np.testing.assert_allclose(learner.w[0], [[2 / 7, -4 / 7], [-2 / 7, 4 / 7]])


def test_the_papers_widths_by_hand():
    """Square, d = K = 1, x = 1, U = 2, δ = .1: c′ = 4, c″ = 1, L(−1) = 2.
    t = 1: ε² = 4 + 0 + 12 (4 + 6) ln(5/.1); t = 2, A = 2: ε² = ½ (4 + 4 ln 2 + 120 ln(6/.1)). Remark 1: min(…, 4).
    """
    learner = start(create("multilabel-ucb", confidence="known norm", norm=2), 1, 1)
    x = Context(np.array([[1.0]]))
    np.testing.assert_allclose(learner.present(x).width, math.sqrt(4 + 120 * math.log(50)))
    step(learner, [1], 0)
    np.testing.assert_allclose(learner.present(x).width, math.sqrt((4 + 4 * math.log(2) + 120 * math.log(60)) / 2))
    learner = start(create("multilabel-ucb", confidence="remark 1"), 1, 1)
    assert learner.present(x).width == 2
    learner.t = 2
    learner.Ainv[:] = 1e-4
    expected = 1e-4 * (2 * 4 * math.log(2) + 120 * math.log(60))
    np.testing.assert_allclose(learner.present(x).width, math.sqrt(expected))
    # logistic, R = 2: c′ = 1, L(−2) = ln(1 + e²), 1/c″ = 9.524391
    learner = start(create("multilabel-ucb", loss="logistic", confidence="known norm", norm=2), 1, 1)
    expected = 4 + 12 * 9.524391 * (9.524391 + 3 * math.log(1 + math.e**2)) * math.log(50)
    np.testing.assert_allclose(learner.present(x).width, math.sqrt(expected), rtol=1e-6)
