"""The classification learners, driven by hand: updates worked out on paper, what an update is in the mean over the
labels drawn, and what must hold for any data.

`turn` plays one step with the draw of the exploration fixed: explore=None exploits, explore=k draws the label k.
"""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import load
from datasets.classification import ClassificationData
from learners import Simulation, catalogue, create
from learners.base import PAPERS, PHASES, Shape
from learners.catalogue import learner_classes
from learners.classification.banditron import Banditron
from learners.classification.base import Feedback, distribution
from learners.classification.environment import hit
from learners.classification.linear import Examples
from learners.random import Stream
from learners.theory import BOUNDS

IDS = [info.id for info in catalogue() if info.family == "classification"]
BANDITS = [id for id in IDS if id != "perceptron"]
many = settings(max_examples=50, deadline=None)


def start(learner, d, k, replicates=1, examples=100):
    """The learner at its first step, on K classes and d features."""
    learner = create(learner) if isinstance(learner, str) else learner
    learner.reset(Shape(d, classes=k, examples=examples), replicates, np.random.default_rng(0))
    return learner


def turn(learner, x, truth, explore=None):
    """One step; returns what was shown."""
    learner.draws = lambda: (np.array([1.0 if explore is None else 0.0]), np.array([explore or 0]))
    return answer(learner, Examples(np.array([x], dtype=float)), np.array([truth]))


def answer(learner, x, truth):
    """Present and update with the feedback that is the learner's due."""
    shown = learner.present(x)
    told = truth if learner.hears == "label" else None
    learner.update(x, shown, Feedback(hit(shown.label, truth), told))
    return shown


def weights(learner):
    """W of the first replicate, a row a class."""
    return learner.weights[0]


# ---- by hand -------------------------------------------------------------------------------------------


def test_perceptron():
    """x = (1, 2), y = 2: all scores are 0, ŷ = 0, so W₀ = −x and W₂ = +x. Then x = (1, 0), y = 0: the scores −1, 0, 1
    say 2, so W₀ = (0, −2), W₂ = (0, 2). Then x = (0, 1), y = 2 is right, and nothing moves."""
    learner = start("perceptron", 2, 3)
    assert turn(learner, [1, 2], 2).label == 0
    np.testing.assert_array_equal(weights(learner), [[-1, -2], [0, 0], [1, 2]])
    assert turn(learner, [1, 0], 0).label == 2
    assert turn(learner, [0, 1], 2).label == 2
    np.testing.assert_array_equal(weights(learner), [[0, -2], [0, 0], [0, 2]])


def by_hand(learner):
    """The Banditron at γ = ½, K = 2, x = 1, so that P(ŷ) = ¾ and P(other) = ¼.

    1. ŷ = 0; label 1 is drawn and right: W₁ = 1 / ¼ = 4, W₀ = −1. (Divided by P(ŷ) it would be 4/3.)
    2. ŷ = 1 is played and right: W₁ = 4 + 1/¾ − 1 = 4⅓.
    3. ŷ = 1; label 0 is drawn and wrong: W₁ = 3⅓.
    4. ŷ = 1; label 1 is drawn and wrong: W₁ = 2⅓.
    """
    learner = start(learner, 1, 2)
    for truth, explore, expected in (
        (1, 1, (-1, 4)),
        (1, None, (-1, 13 / 3)),
        (1, 0, (-1, 10 / 3)),
        (0, 1, (-1, 7 / 3)),
    ):
        turn(learner, [1], truth, explore)
        np.testing.assert_allclose(weights(learner).ravel(), expected)


class DividesByPredicted(Banditron):
    """The classic bug: divides by P(ŷ), as [V] Eq. 5.4 is printed."""

    def probability(self, shown):
        return np.full(len(shown.label), 1 - shown.gamma + shown.gamma / self.classes)


class ExploitsTheDrawn(Banditron):
    """Gives the exploit mass to the label drawn at random instead of the predicted one."""

    def sample(self, predicted, gamma):
        explore, anyone = self.draws()
        return np.where(explore < gamma, predicted, anyone), explore < gamma


def test_banditron():
    by_hand(Banditron(gamma=0.5))


def test_dividing_by_the_chance_of_the_predicted_label_would_be_noticed():
    with pytest.raises(AssertionError):
        by_hand(DividesByPredicted(gamma=0.5))
    with pytest.raises(AssertionError):
        is_perceptron_in_the_mean(DividesByPredicted(gamma=0.5), np.eye(3)[None] * 0.1, [1.0, 2.0, 3.0], 0)


def plays_as_it_should(learner):
    """Draws on a grid of 20 numbers and every label: how often each label is played is (1 − γ)[r = ŷ] + γ/K."""
    k, grid = 4, 20
    learner = start(learner, 2, k, replicates=k * grid)
    learner.W[:, :2, 2] = 1.0  # ŷ = 2
    learner.draws = lambda: (np.repeat((np.arange(grid) + 0.5) / grid, k), np.tile(np.arange(k), grid))
    shown = learner.present(Examples(np.ones((k * grid, 2))))
    assert (shown.predicted == 2).all()
    share = np.bincount(shown.label, minlength=k) / (k * grid)
    np.testing.assert_allclose(share, distribution(2, learner.gamma, k))
    assert shown.explored.mean() == pytest.approx(learner.gamma)
    of_each = [learner.probability(shown)[shown.label == r] for r in range(k)]
    np.testing.assert_allclose([p[0] for p in of_each], share)


@pytest.mark.parametrize("gamma", [0.05, 0.3, 0.5, 1.0])
def test_the_exploit_mass_stands_on_the_predicted_label(gamma):
    plays_as_it_should(Banditron(gamma=gamma))


def test_exploiting_another_label_would_be_noticed():
    with pytest.raises(AssertionError):
        plays_as_it_should(ExploitsTheDrawn(gamma=0.3))


def test_banditron_positive():
    """As the Banditron, γ = ½, K = 2: after the lucky hit on x = 1, W = (max(0, −1), 4). Then x = 5 is answered by 1,
    wrong: 4 − 5 is cut to 0. From two zeros a hit by exploiting x = 3 adds 3 (4/3 − 1) = 1 to row 0."""
    learner = start(create("banditron-positive", gamma=0.5), 1, 2)
    turn(learner, [1], 1, explore=1)
    np.testing.assert_allclose(weights(learner).ravel(), [0, 4])
    turn(learner, [5], 0)
    np.testing.assert_allclose(weights(learner).ravel(), [0, 0])
    turn(learner, [3], 0)
    np.testing.assert_allclose(weights(learner).ravel(), [1, 0])


@pytest.mark.parametrize(
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
    turn(learner, [1], 1, explore=1)
    np.testing.assert_allclose(weights(learner).ravel(), expected)
    before = learner.theta[0, 0].copy()
    turn(learner, [1], 0)
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
    turn(learner, [1, 0], 1, explore=1)
    np.testing.assert_allclose(weights(learner), [[1 / 3, 2 / 3], [16 / 17, 1 / 17]])
    assert turn(learner, [0, 1], 0).label == 0
    z = 0.5 + 2 ** (1 / 3)
    np.testing.assert_allclose(weights(learner), [[0.5 / z, 2 ** (1 / 3) / z], [16 / 17, 1 / 17]])


def test_step_size_of_each_replicate_and_horizon():
    """Eq. 5.12: √(K (1 − γ) ln K / (T γ)); T is one pass, unless a horizon is given."""
    gamma = np.array([0.1, 0.5])
    learner = start(create("exponentiated-gradient", gamma=gamma, scale=1.0, horizon=np.array([0, 400])), 2, 3, 2)
    expected = [math.sqrt(3 * (1 - g) * math.log(3) / (t * g)) for g, t in zip(gamma, (100, 400), strict=True)]
    np.testing.assert_allclose(learner.rate, expected)


@pytest.mark.parametrize(
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
    assert turn(learner, [1], 0).gamma[0] == pytest.approx(first)
    gain = 1 / (1 - first / 2) - 1
    np.testing.assert_allclose(weights(learner).ravel(), [gain, 0])
    assert turn(learner, [1], 1, explore=1).gamma[0] == pytest.approx(second)
    np.testing.assert_allclose(weights(learner).ravel(), [gain - 1, 2 / second])
    assert learner.exploration()[0] == pytest.approx(expected[2])


@pytest.mark.parametrize("balanced", [False, True])
def test_banditron_winnow(balanced):
    """γ = ½, K = 2, x = 1, η = ln 2: a lucky hit multiplies W₁ by 2⁴ and W₀ by ½. Shown are the weights over the
    largest, 16: 1/32 and 1; balanced (2^θ − 2^−θ)/16: −1.5/16 and 1 − 1/256. Then 1 is played, wrong: 2³."""
    learner = start(create("banditron-winnow", gamma=0.5, rate=math.log(2), balanced=balanced), 1, 2)
    turn(learner, [1], 1, explore=1)
    np.testing.assert_allclose(weights(learner).ravel(), [-1.5 / 16, 255 / 256] if balanced else [1 / 32, 1])
    shown = turn(learner, [1], 0)
    assert shown.label == 1
    np.testing.assert_allclose(shown.scores[0], [-1.5 / 16, 255 / 256] if balanced else [1 / 32, 1])
    np.testing.assert_allclose(weights(learner).ravel(), [-1.5 / 8, 63 / 64] if balanced else [1 / 16, 1])


def test_banditron_winnow_neither_overflows_nor_vanishes():
    """A hit of K/γ = 10⁴ at η = 1 makes e^10000 of one weight; examples without that feature are told apart still."""
    learner = start(create("banditron-winnow", gamma=2e-4, rate=1.0), 2, 2)
    turn(learner, [1, 0], 1, explore=1)
    turn(learner, [0, 1], 1)
    learner.draws = lambda: (np.array([1.0]), np.array([0]))
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
        turn(learner, [1], truth, explore)
        np.testing.assert_allclose(weights(learner).ravel(), expected)


class Dice:
    """Stands in for a random generator: hands out the numbers it was given."""

    def __init__(self, *draws):
        self.left = [np.array(draw, dtype=float)[:, None] for draw in draws]

    def random(self, shape):
        assert shape == (3, 1)
        return self.left.pop(0)


def test_banditron_labels():
    """K = 4, r = 2, γ = ½, x = 1. At first 0 and 1 are best; 1 is exchanged for 3, which is right: W₃ = (4 − 2)/½ = 4.
    Now 3 and 0 are best and shown, both wrong: the last of them, 0, loses 1/½ = 2. Now 3 and 1; 3 is exchanged for 2,
    and 1, which stayed, is right: nothing moves. Exploring without a hit moves nothing either."""
    learner = start(create("banditron-labels", labels=2, gamma=0.5), 1, 4)
    dice = Dice((0.0, 0.9, 0.9), (0.9, 0, 0), (0.0, 0.0, 0.1), (0.0, 0.9, 0.1))
    learner.rng = Stream(dice, replicates=1)
    x = Examples(np.ones((1, 1)))
    for truth, label, expected in (
        (3, [0, 3], [0, 0, 0, 4]),
        (2, [3, 0], [-2, 0, 0, 4]),
        (1, [2, 1], [-2, 0, 0, 4]),
        (0, [3, 2], [-2, 0, 0, 4]),
    ):
        shown = answer(learner, x, np.array([truth]))
        assert shown.label[0].tolist() == label
        np.testing.assert_allclose(weights(learner).ravel(), expected)


def test_halving():
    """Levels −1 and 1, d = 1, K = 2: of the four hypotheses all but (−1, 1) answer x = 1 by 0. That is wrong, and the
    three go. What is left answers −1 by 0 and 1 by 1. When it errs too, all come back."""
    learner = start(create("halving", levels=2), 1, 2)
    assert learner.grid[:, :, 0].tolist() == [[-1, -1], [-1, 1], [1, -1], [1, 1]]
    shown = turn(learner, [1], 1)
    assert shown.label == 0 and shown.scores.tolist() == [[3, 1]]
    assert learner.active.tolist() == [[False, True, False, False]]
    assert turn(learner, [-1], 0).label == 0 and turn(learner, [1], 1).label == 1
    assert learner.active.sum() == 1
    turn(learner, [1], 0)
    assert learner.active.all()


def test_halving_takes_the_whole_grid_when_it_just_fits():
    """10⁵ hypotheses of five numbers on ten levels, and `most` = 10⁵; one fewer and they are drawn at random."""
    assert start(create("halving", levels=10, most=100_000), 1, 5).hypotheses == 100_000
    whole = start(create("halving", levels=5, most=15_625), 2, 3).grid
    assert len(np.unique(whole.reshape(-1, 6), axis=0)) == 15_625
    assert start(create("halving", levels=5, most=15_624), 2, 3).hypotheses == 15_624


# ---- in the mean over the labels drawn -----------------------------------------------------------------


def outcomes(learner, W, x, y):
    """(K × K, d, K) what the update adds for each label that may be drawn, and its chance, with W (1, K, d) at hand."""
    k, d = W.shape[1:]
    gamma = learner.gamma
    learner = start(learner, d, k, replicates=2 * k)
    learner.W[:, :d] = np.swapaxes(W, 1, 2)
    before = learner.W.copy()
    # the first K replicates exploit, the others explore label 0, …, K − 1
    learner.draws = lambda: (np.repeat([1.0, -1.0], k), np.tile(np.arange(k), 2))
    answer(learner, Examples(np.tile(np.asarray(x, dtype=float), (2 * k, 1))), np.full(2 * k, y))
    return (learner.W - before)[:, :d], np.repeat([(1 - gamma) / k, gamma / k], k)


def mean(learner, W, x, y):
    """E over ỹ of the update, (K, d)."""
    change, chance = outcomes(learner, W, x, y)
    return (chance[:, None, None] * change).sum(axis=0).T


def perceptron_update(W, x, y):
    """[B] Eq. 3."""
    update = np.zeros(W.shape[1:])
    update[y] += x
    update[(W[0] @ x).argmax()] -= x
    return update


def is_perceptron_in_the_mean(learner, W, x, y):
    np.testing.assert_allclose(mean(learner, W, x, y), perceptron_update(W, np.asarray(x), y), atol=1e-9)


@st.composite
def problems(draw):
    """W (1, K, d), x and y."""
    k, d, seed = draw(st.integers(2, 6)), draw(st.integers(1, 4)), draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    if draw(st.booleans()):  # with ties
        return rng.integers(-1, 2, (1, k, d)).astype(float), rng.integers(-1, 2, d).astype(float), int(rng.integers(k))
    return rng.normal(size=(1, k, d)), rng.normal(size=d), int(rng.integers(k))


gammas = st.floats(0.01, 1.0)


@many
@given(gammas, st.integers(2, 50), st.integers(0, 49))
def test_the_distribution_sums_to_one(gamma, k, predicted):
    predicted = predicted % k
    p = distribution(predicted, gamma, k)
    assert p.sum() == pytest.approx(1)
    assert p[predicted] == p.max() and p.min() == pytest.approx(gamma / k)


@many
@given(problems(), gammas)
def test_the_banditron_is_the_perceptron_in_the_mean(problem, gamma):
    """[B] Lemma 4."""
    is_perceptron_in_the_mean(Banditron(gamma=gamma), *problem)


@many
@given(problems(), st.floats(0.01, 0.5))
def test_the_second_moment_of_the_update(problem, gamma):
    """[B] Lemma 5: E‖Ũ‖² ≤ 2 ‖x‖² (K/γ [ŷ ≠ y] + γ [ŷ = y])."""
    W, x, y = problem
    change, chance = outcomes(Banditron(gamma=gamma), W, x, y)
    second = (chance * (change**2).sum(axis=(1, 2))).sum()
    right = (W[0] @ x).argmax() == y
    assert second <= 2 * (x @ x) * (gamma if right else W.shape[1] / gamma) + 1e-9


@many
@given(problems(), st.floats(0.01, 0.99), st.floats(0.3, 5))
def test_the_second_moment_in_other_norms(problem, gamma, s):
    """[V] Proposition 5: E|δ|_s² ≤ γ/(1 − γ) + [ŷ ≠ y] (1 − γ + γ/K (1 + (K/γ)^s)^(2/s)), with Ũ = −x δᵀ."""
    W, _, y = problem
    k = W.shape[1]
    change, chance = outcomes(Banditron(gamma=gamma), W[:, :, :1], [1.0], y)  # x = 1: the change is −δ
    second = (chance * (np.abs(change[:, 0]) ** s).sum(axis=1) ** (2 / s)).sum()
    wrong = W[0, :, 0].argmax() != y
    bound = gamma / (1 - gamma) + wrong * (1 - gamma + gamma / k * (1 + (k / gamma) ** s) ** (2 / s))
    assert second <= bound * (1 + 1e-9)


@many
@given(problems(), st.floats(0.01, 0.99), st.floats(0, 3))
def test_the_margin_learner_steps_along_the_hinge_loss_in_the_mean(problem, gamma, margin):
    """x goes to row y and is taken from the best other row, after a mistake or where the lead is below the margin."""
    W, x, y = problem
    scores = W[0] @ x
    others = scores.copy()
    others[y] = -np.inf
    predicted = scores.argmax()
    rival = others.argmax() if predicted == y else predicted
    expected = np.zeros(W.shape[1:])
    if predicted != y or scores[y] - others[rival] < margin:
        expected[y] += x
        expected[rival] -= x
    np.testing.assert_allclose(
        mean(create("banditron-margin", gamma=gamma, margin=margin), W, x, y), expected, atol=1e-9
    )


@many
@given(problems(), st.floats(0.01, 0.99), st.integers(1, 5))
def test_both_parts_of_the_update_with_several_labels_are_unbiased(problem, gamma, r):
    """Where y is not among the r best, x goes to row y and is taken from the last of them; else nothing, in the mean.
    All places and lower labels are drawn once."""
    W, x, y = problem
    k, d = W.shape[1:]
    r = min(r, k - 1)
    places, lower = (np.ravel(a) for a in np.meshgrid(np.arange(r), np.arange(k - r)))
    n = len(places)
    learner = start(create("banditron-labels", labels=r, gamma=gamma), d, k, replicates=1 + n)
    learner.W[:, :d] = np.swapaxes(W, 1, 2)
    before = learner.W.copy()

    class Every:
        def random(self, shape):
            draws = np.concatenate(
                [[[1.0], [0.0], [0.0]], [[-1.0] * n, (places + 0.5) / r, (lower + 0.5) / (k - r)]], axis=1
            )
            assert draws.shape == shape
            return draws

    learner.rng = Stream(Every(), 1 + n)
    answer(learner, Examples(np.tile(x, (1 + n, 1))), np.full(1 + n, y))
    chance = np.concatenate([[1 - gamma], np.full(n, gamma / n)])
    got = (chance[:, None, None] * (learner.W - before)[:, :d]).sum(axis=0).T
    best = np.argsort(-(W[0] @ x), kind="stable")[:r]
    expected = np.zeros((k, d))
    if y not in best:
        expected[y] += x
        expected[best[-1]] -= x
    np.testing.assert_allclose(got, expected, atol=1e-9)


# ---- what must hold for any data -----------------------------------------------------------------------


def world(n=60, d=5, k=4, seed=0, whole=False):
    """Random examples; with `whole` numbers for features, so that sums are exact in any order."""
    rng = np.random.default_rng(seed)
    features = rng.integers(-3, 4, (n, d)).astype(float) if whole else rng.normal(size=(n, d))
    features[0, 0] = 1.0
    labels = (features @ rng.normal(size=(d, k)) + 0.5 * rng.normal(size=(n, k))).argmax(axis=1)
    return ClassificationData("world", {}, features, labels, tuple(map(str, range(k))))


def run(learner, data, steps=150, replicates=3, seed=0):
    sim = Simulation(learner, data, replicates=replicates, seed=seed)
    sim.advance(steps=steps)
    return sim


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.floats(0.05, 0.9))
def test_positive_weights_stay_positive(seed, gamma):
    sim = run(create("banditron-positive", gamma=gamma), world(seed=seed))
    assert sim.learner.weights.min() >= 0


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.floats(1e-6, 1))
def test_rows_of_exponentiated_gradient_are_distributions(seed, scale):
    w = run(create("exponentiated-gradient", scale=scale), world(seed=seed)).learner.weights
    np.testing.assert_allclose(w.sum(axis=2), 1)
    assert w.min() >= 0


@pytest.mark.parametrize("params", [{"potential": "squared-norm"}, {"potential": "p-norm", "power": 2.0}])
def test_two_potentials_are_the_banditron_bit_for_bit(params):
    for data in (world(), load("synsep", examples=200)):
        same = run(create("potential", gamma=0.2, **params), data), run(create("banditron", gamma=0.2), data)
        assert (same[0].learner.weights == same[1].learner.weights).all()
        assert (same[0].history["error-rate"] == same[1].history["error-rate"]).all()


def test_the_margin_learner_without_margin_is_the_banditron():
    same = run(create("banditron-margin", gamma=0.2, margin=0), world()), run(create("banditron", gamma=0.2), world())
    np.testing.assert_allclose(same[0].learner.weights, same[1].learner.weights, atol=1e-9)


def test_exponentiated_gradient_with_tiny_steps_is_the_banditron_on_centred_rows():
    """w_k = (1 + η (θ_k − mean θ_k)) / d + O(η²): the scores order the labels as x · (θ_k − mean θ_k) does."""

    class Centred(Banditron):
        def predict(self, x):
            w = self.W[:, : self.features]
            scores = np.einsum("rd,rdk->rk", x.features, w - w.mean(axis=1, keepdims=True))
            return scores, scores.argmax(axis=1)

    data = load("digits")
    first = run(create("exponentiated-gradient", gamma=0.25, scale=1e-8), data, steps=1500)
    second = run(Centred(gamma=0.25), data, steps=1500)
    assert (first.history["mistakes"] == second.history["mistakes"]).all()
    assert (
        run(create("banditron", gamma=0.25), data, steps=1500).history["mistakes"] != second.history["mistakes"]
    ).any()


@pytest.mark.parametrize("strategy", ["ag0", "ag1", "ag2", "ag3"])
@pytest.mark.parametrize("exponent", [0.1, 0.5, 1.0])
def test_rates_of_exploration(strategy, exponent):
    """0 < γ_t ≤ ½; ag0 and ag1 never rise; ag2 and ag3 fall after a hit by exploiting and never fall after any other
    step; after the first such hit ag3 is below ag2."""
    learner = create("adaptive-banditron", strategy=strategy, exponent=exponent)
    sim = Simulation(learner, world(), replicates=4, seed=1)
    hits, gammas = [], []
    for step in sim:
        gammas.append(np.array(step.shown.gamma))
        hits.append(step.right & (step.shown.label == step.shown.predicted))
        if step.t == 300:
            break
    gamma, hit = np.array(gammas), np.array(hits)[:-1]
    assert (gamma > 0).all() and (gamma <= 0.5).all()
    rise = np.diff(gamma, axis=0)
    if strategy in ("ag0", "ag1"):
        assert (rise <= 1e-15).all()
    elif exponent < 1:
        assert (rise[hit] < 0).all() and (rise[~hit] >= -1e-15).all()
    if strategy == "ag3" and exponent < 1:
        before = np.arange(300)[:, None]
        total = np.concatenate([np.zeros((1, 4)), np.cumsum(hit, axis=0)])
        second = 0.5 * ((2 + before) / (1 + before - total)) ** (exponent - 1)
        assert (gamma[total > 0] < second[total > 0]).all()


@pytest.mark.parametrize(("classes", "levels"), [(2, 5), (3, 3)])
def test_halving_keeps_the_perfect_hypothesis(classes, levels):
    """Labels are given by one hypothesis of the grid: it is never struck off, and mistakes are at most K ln |H|."""
    rng = np.random.default_rng(classes)
    features = rng.normal(size=(200, 2))
    for seed in range(5):
        learner = start(create("halving", levels=levels), 2, classes)
        perfect = int(rng.integers(learner.hypotheses))
        labels = (features @ learner.grid[perfect].T.astype(float)).argmax(axis=1)
        data = ClassificationData("grid", {}, features, labels, tuple("abc"[:classes]))
        sim = run(create("halving", levels=levels), data, steps=400, seed=seed)
        assert sim.learner.active[:, perfect].all()
        assert (sim.history["mistakes"][-1] <= classes * np.log(learner.hypotheses)).all()
        assert (sim.history["bound"] == classes * np.log(learner.hypotheses)).all()


@pytest.mark.parametrize("id", ["perceptron", "banditron", "banditron-positive", "adaptive-banditron"])
def test_examples_twice_as_long_give_the_same_answers(id):
    """The scores grow fourfold, exactly."""
    data = world()
    twice = ClassificationData("twice", {}, 2 * data.features, data.labels, data.names)
    assert (run(id, data).history["mistakes"] == run(id, twice).history["mistakes"]).all()


def test_the_order_of_the_features_is_of_no_account():
    """Whole numbers, so that sums are exact."""
    data = world(whole=True)
    mixed = ClassificationData("mixed", {}, data.features[:, [3, 0, 4, 2, 1]], data.labels, data.names)
    assert (run("perceptron", data).history["mistakes"] == run("perceptron", mixed).history["mistakes"]).all()


@pytest.mark.parametrize("id", [id for id in IDS if id not in ("banditron-labels", "halving")])
def test_renaming_the_labels_renames_the_answers(id):
    """The same draws with labels renamed; random weights at the start, so that there are no ties."""
    k, d, n = 4, 3, 5
    rng = np.random.default_rng(2)
    name = np.array([2, 0, 3, 1])
    first, second = start(id, d, k, n), start(id, d, k, n)
    theta = rng.random((n, d, k)) * (1e-6 if id == "exponentiated-gradient" or id == "potential" else 1)
    for learner, order in ((first, np.arange(k)), (second, np.argsort(name))):
        learner.W[:, :d] = theta[:, :, order]
        if hasattr(learner, "theta"):
            learner.theta[:, :d] = theta[:, :, order]
            learner.W[:, :d] = np.stack([learner.weights_of(learner.theta[:, :d, c]) for c in range(k)], axis=2)
    for _ in range(30):
        x, truth = Examples(rng.normal(size=(n, d))), rng.integers(k, size=n)
        draw, label = rng.random(n), rng.integers(k, size=n)
        first.draws, second.draws = (lambda a=draw, b=label: (a, b)), (lambda a=draw, b=label: (a, name[b]))
        one, two = answer(first, x, truth), answer(second, x, name[truth])
        assert (name[one.label] == two.label).all() and (name[one.predicted] == two.predicted).all()
    np.testing.assert_array_equal(first.W[:, :d], second.W[:, :d][:, :, name])


# ---- every learner that is found -----------------------------------------------------------------------


@pytest.mark.parametrize("id", IDS)
def test_what_a_learner_declares(id):
    cls = learner_classes()[id]
    learner = create(id)
    assert id == cls.__module__.rsplit(".", 1)[1].replace("_", "-")
    assert cls.paper in PAPERS and cls.section and cls.summary and cls.title and cls.needs
    assert [line.phase for line in cls.lines] == sorted((line.phase for line in cls.lines), key=PHASES.index)
    assert all(bound in BOUNDS for bound in learner.bounds)
    assert cls.hears == ("label" if id == "perceptron" else "right")


@pytest.mark.parametrize("id", IDS)
def test_the_label_played_is_a_label(id):
    learner = create(id, **({"most": 500} if id == "halving" else {}))
    for k, sim in ((4, run(learner, world())), (2, run(learner, world(k=2)))):
        label = sim.last.shown.label
        assert label.dtype.kind == "i" and label.min() >= 0 and label.max() < k
        assert sim.last.shown.scores.shape == (3, k)
        if sim.learner.weights is not None:
            assert sim.learner.weights.shape == (3, k, 5) and np.isfinite(sim.learner.weights).all()


@pytest.mark.parametrize("id", BANDITS)
def test_wrong_parameters_are_refused(id):
    params = create(id).params
    for name in {"gamma", "rate", "exponent"} & set(params):
        with pytest.raises(ValueError, match=name):
            create(id, **{name: 0.0})
    if "margin" in params:
        with pytest.raises(ValueError, match="margin"):
            create(id, margin=-1.0)


def test_parameters_that_must_be_one_number_for_all_replicates():
    for id, params in (("halving", {"levels": np.array([3, 5, 5])}), ("banditron-labels", {"labels": [1, 2, 2]})):
        with pytest.raises(ValueError, match="must be one number for all replicates, got 3 of them"):
            create(id, **params)


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
