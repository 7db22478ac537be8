"""Updates of the classification learners, worked out by hand in the docstrings."""

import math

import numpy as np
import pytest

from learners import create
from learners.classification.linear import Examples
from tests.cases import cases
from tests.learners.classification.helpers import fix_draws, play, present_and_update, start, weights
from tests.learners.dice import Dice


def test_perceptron():
    """x = (1, 2), y = 2: all scores are 0, ŷ = 0, so W₀ = −x and W₂ = +x. Then x = (1, 0), y = 0: the scores −1, 0, 1
    say 2, so W₀ = (0, −2), W₂ = (0, 2). Then x = (0, 1), y = 2 is right, and nothing moves."""
    learner = start("perceptron", 2, 3)
    assert play(learner, [1, 2], 2).label == 0
    np.testing.assert_array_equal(weights(learner), [[-1, -2], [0, 0], [1, 2]])
    assert play(learner, [1, 0], 0).label == 2
    assert play(learner, [0, 1], 2).label == 2
    np.testing.assert_array_equal(weights(learner), [[0, -2], [0, 0], [0, 2]])


def test_banditron_positive():
    """As the Banditron, γ = ½, K = 2: after the lucky hit on x = 1, W = (max(0, −1), 4). Then x = 5 is answered by 1,
    wrong: 4 − 5 is cut to 0. From two zeros a hit by exploiting x = 3 adds 3 (4/3 − 1) = 1 to row 0."""
    learner = start(create("banditron-positive", gamma=0.5), 1, 2)
    play(learner, [1], 1, explore=1)
    np.testing.assert_allclose(weights(learner).ravel(), [0, 4])
    play(learner, [5], 0)
    np.testing.assert_allclose(weights(learner).ravel(), [0, 0])
    play(learner, [3], 0)
    np.testing.assert_allclose(weights(learner).ravel(), [1, 0])


@cases(
    ("params", "expected"),
    [
        ({"potential": "squared-norm"}, [-1, 4]),
        ({"potential": "p-norm", "power": 3.0}, [-1, 16]),
        ({"potential": "p-norm", "power": 2.5}, [-1, 8]),
        ({"potential": "hyperbolic"}, [-0.75, 255 / 32]),
    ],
)
def test_potential(params, expected):
    """γ = ½, K = 2, x = 1: a lucky hit makes θ = η (−1, 4). Squared norm: W = θ. p-norm: sign(θ) |θ|^(p − 1) with
    η = 1. Hyperbolic with η = ln 2: sinh(−ln 2) = (½ − 2)/2 = −¾, sinh(4 ln 2) = (16 − 1/16)/2. Then ŷ = 1 is played,
    wrong: θ₁ falls by η."""
    learner = start(create("potential", gamma=0.5, **params), 1, 2)
    if params["potential"] == "hyperbolic":
        learner.rate = math.log(2)
    play(learner, [1], 1, explore=1)
    np.testing.assert_allclose(weights(learner).ravel(), expected)
    before = learner.theta[0, 0].copy()
    play(learner, [1], 0)
    np.testing.assert_allclose(learner.theta[0, 0], before - [0, learner.rate])


@pytest.mark.parametrize("id", ["potential", "exponentiated-gradient"])
def test_exponentiated_gradient(id):
    """γ = ½, K = 2, d = 2, η = ln 2. At first all weights are ½. x = (1, 0), label 1 is drawn and right: row 0 is
    (½, 1) over 1½, row 1 (2⁴, 1) over 17. x = (0, 1): the scores 2/3, 1/17 say 0, which is right: θ₀ gains
    (4/3 − 1) ln 2 for feature 1, so that row 0 is (½, 2^⅓) over their sum."""
    learner = start(create(id, gamma=0.5), 2, 2)
    assert learner.rate == pytest.approx(1e-5 * math.sqrt(2 * 0.5 * math.log(2) / (100 * 0.5)))  # Eq. 5.12, T = N
    learner.rate = math.log(2)
    np.testing.assert_array_equal(weights(learner), 0.5)
    play(learner, [1, 0], 1, explore=1)
    np.testing.assert_allclose(weights(learner), [[1 / 3, 2 / 3], [16 / 17, 1 / 17]])
    assert play(learner, [0, 1], 0).label == 0
    z = 0.5 + 2 ** (1 / 3)
    np.testing.assert_allclose(weights(learner), [[0.5 / z, 2 ** (1 / 3) / z], [16 / 17, 1 / 17]])


def test_step_size_of_each_replicate_and_horizon():
    """Eq. 5.12: √(K (1 − γ) ln K / (T γ)); T is one pass, unless a horizon is given."""
    gamma = np.array([0.1, 0.5])
    learner = start(create("exponentiated-gradient", gamma=gamma, scale=1.0, horizon=np.array([0, 400])), 2, 3, 2)
    expected = [math.sqrt(3 * (1 - g) * math.log(3) / (t * g)) for g, t in zip(gamma, (100, 400), strict=True)]
    np.testing.assert_allclose(learner.rate, expected)


@cases(
    ("strategy", "expected"),
    [
        ("ag0", [0.5, 0.5 * 2 ** (-1 / 3), 0.5 * 3 ** (-1 / 3)]),
        ("ag1", [0.5, 0.5 / 4**0.5, 0.5 / 5**0.5]),
        ("ag2", [0.5 / 2**0.5, 0.5 / 3**0.5, 0.5 / 2**0.5]),
        ("ag3", [0.5, 0.5 / 4**0.5, 0.5 / 2.5**0.5]),
    ],
)
def test_adaptive_banditron(strategy, expected):
    """λ = ½, so that ω′(z) goes as 1/√(1 + z). A right answer by exploiting, then a lucky hit (μ = 0, τ = 1).

    Σ 1 + μ over the steps before is 0, 3, 4; Σ τ is 0, 0, 1; t is 1, 2, 3. The hit at t = 2 weighs K/γ₂."""
    learner = start(create("adaptive-banditron", strategy=strategy, exponent=0.5), 1, 2)
    first, second = expected[:2]
    assert play(learner, [1], 0).gamma[0] == pytest.approx(first)
    gain = 1 / (1 - first / 2) - 1
    np.testing.assert_allclose(weights(learner).ravel(), [gain, 0])
    assert play(learner, [1], 1, explore=1).gamma[0] == pytest.approx(second)
    np.testing.assert_allclose(weights(learner).ravel(), [gain - 1, 2 / second])
    assert play(learner, [1], 0).gamma[0] == pytest.approx(expected[2])


@pytest.mark.parametrize("balanced", [False, True])
def test_banditron_winnow(balanced):
    """γ = ½, K = 2, x = 1, η = ln 2: a lucky hit multiplies W₁ by 2⁴ and W₀ by ½. Shown are the weights over the
    largest, 16: 1/32 and 1; balanced (2^θ − 2^−θ)/16: −1.5/16 and 1 − 1/256. Then 1 is played, wrong: 2³."""
    learner = start(create("banditron-winnow", gamma=0.5, rate=math.log(2), balanced=balanced), 1, 2)
    play(learner, [1], 1, explore=1)
    np.testing.assert_allclose(weights(learner).ravel(), [-1.5 / 16, 255 / 256] if balanced else [1 / 32, 1])
    shown = play(learner, [1], 0)
    assert shown.label == 1
    np.testing.assert_allclose(shown.scores[0], [-1.5 / 16, 255 / 256] if balanced else [1 / 32, 1])
    np.testing.assert_allclose(weights(learner).ravel(), [-1.5 / 8, 63 / 64] if balanced else [1 / 16, 1])


def test_banditron_winnow_neither_overflows_nor_vanishes():
    """A hit of K/γ = 10⁴ at η = 1 makes e^10000 of one weight; examples without that feature are told apart still."""
    learner = start(create("banditron-winnow", gamma=2e-4, rate=1.0), 2, 2)
    play(learner, [1, 0], 1, explore=1)
    play(learner, [0, 1], 1)
    fix_draws(learner, [1.0], [0])
    sparse = learner.present(Examples(index=np.array([[1]]), value=np.ones((1, 1))))
    assert sparse.predicted == 1 and np.isfinite(sparse.scores).all()


def test_banditron_margin():
    """γ = ½, K = 2, x = 1, margin 6. The lucky hit makes W = (−1, 4), as the Banditron. The lead 5 is below the
    margin: a right answer by exploiting adds 1/¾ − 1 = ⅓ as the Banditron, and moves 1/¾ from row 0 to row 1. Now the
    lead is 8: the next right answer adds ⅓ only. A wrong answer takes 1 from the row played."""
    learner = start(create("banditron-margin", gamma=0.5, margin=6.0), 1, 2)
    for truth, explore, expected in (
        (1, 1, (-1, 4)),
        (1, None, (-7 / 3, 17 / 3)),
        (1, None, (-7 / 3, 6)),
        (0, None, (-7 / 3, 5)),
        (0, 0, (-7 / 3 + 4, 4)),
    ):
        play(learner, [1], truth, explore)
        np.testing.assert_allclose(weights(learner).ravel(), expected)


def test_banditron_labels():
    """K = 4, r = 2, γ = ½, x = 1. At first 0 and 1 are best; 1 is exchanged for 3, which is right: W₃ = (4 − 2)/½ = 4.
    Now 3 and 0 are best and shown, both wrong: the last of them, 0, loses 1/½ = 2. Now 3 and 1; 3 is exchanged for 2,
    and 1, which stayed, is right: nothing moves. Exploring without a hit moves nothing either."""
    learner = start(create("banditron-labels", labels=2, gamma=0.5), 1, 4)
    rows = np.array([(0.0, 0.9, 0.9), (0.9, 0, 0), (0.0, 0.0, 0.1), (0.0, 0.9, 0.1)])
    learner.rng = Dice(*rows[:, :, None])
    x = Examples(np.ones((1, 1)))
    for truth, label, expected in (
        (3, [0, 3], [0, 0, 0, 4]),
        (2, [3, 0], [-2, 0, 0, 4]),
        (1, [2, 1], [-2, 0, 0, 4]),
        (0, [3, 2], [-2, 0, 0, 4]),
    ):
        shown = present_and_update(learner, x, np.array([truth]))
        assert shown.label[0].tolist() == label
        np.testing.assert_allclose(weights(learner).ravel(), expected)


def test_halving():
    """Levels −1 and 1, d = 1, K = 2: of the four hypotheses all but (−1, 1) answer x = 1 by 0. That is wrong, and the
    three go. The rest answers −1 by 0 and 1 by 1. When it errs too, all come back."""
    learner = start(create("halving", levels=2), 1, 2)
    assert learner.grid[:, :, 0].tolist() == [[-1, -1], [-1, 1], [1, -1], [1, 1]]
    shown = play(learner, [1], 1)
    assert shown.label == 0 and shown.scores.tolist() == [[3, 1]]
    assert learner.active.tolist() == [[False, True, False, False]]
    assert play(learner, [-1], 0).label == 0 and play(learner, [1], 1).label == 1
    assert learner.active.sum() == 1
    play(learner, [1], 0)
    assert learner.active.all()


def test_halving_takes_the_whole_grid_when_it_just_fits():
    """10⁵ hypotheses of five numbers on ten levels, and `most` = 10⁵; one fewer and they are drawn at random."""
    assert start(create("halving", levels=10, most=100_000), 1, 5).hypotheses == 100_000
    whole = start(create("halving", levels=5, most=15_625), 2, 3).grid
    assert len(np.unique(whole.reshape(-1, 6), axis=0)) == 15_625
    assert start(create("halving", levels=5, most=15_624), 2, 3).hypotheses == 15_624
