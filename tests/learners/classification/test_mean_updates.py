"""The Banditron and its kin: how labels are drawn, and what an update is in the mean over the labels drawn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import create
from learners.classification import banditron
from learners.classification.banditron import Banditron
from learners.classification.base import Feedback, distribution
from learners.classification.block import explore as chance
from learners.classification.block import move, predict
from learners.classification.linear import Examples
from learners.compiled import compiled
from learners.random import EACH
from tests.cases import cases
from tests.learners.classification.helpers import fix_draws, play, present_and_update, start, weights
from tests.strategies import amounts

many = settings(max_examples=50, deadline=None)


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
        play(learner, [1], truth, explore)
        np.testing.assert_allclose(weights(learner).ravel(), expected)


class DividesByPredicted(Banditron):
    """The classic bug: divides by P(ŷ), as [V] Eq. 5.4 is printed."""

    @compiled
    def update(x, turn):
        gamma = turn.gamma[0]
        move(x, turn, 0, turn.label[0], turn.right[0] / (1 - gamma + gamma / len(turn.scores)))
        move(x, turn, 1, turn.predicted[0], -1.0)

    rules = banditron.present, update
    del update


class ExploitsTheDrawn(Banditron):
    """Gives the exploit mass to the label drawn at random instead of the predicted one."""

    @compiled
    def present(x, turn, gamma):
        predict(x, turn)
        chance(turn, gamma)
        turn.explored[0] = turn.draws[0] < gamma
        turn.label[0] = turn.predicted[0] if turn.explored[0] else int(turn.draws[1] * len(turn.scores))

    rules = present, banditron.update
    del present


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
    learner.W[:, :, 2] = 1.0  # ŷ = 2
    fix_draws(learner, np.repeat((np.arange(grid) + 0.5) / grid, k), np.tile(np.arange(k), grid))
    shown = learner.present(Examples(np.ones((k * grid, 2))))
    assert (shown.predicted == 2).all()
    share = np.bincount(shown.label, minlength=k) / (k * grid)
    np.testing.assert_allclose(share, distribution(2, learner.gamma, k))
    assert shown.explored.mean() == pytest.approx(learner.gamma)
    moves = learner.update(Examples(np.ones((k * grid, 2))), shown, Feedback(np.ones(k * grid, dtype=bool)))
    of_each = [1 / moves[0][1][shown.label == r] for r in range(k)]  # a right label counts 1 / P(ỹ)
    np.testing.assert_allclose([p[0] for p in of_each], share)


@cases("gamma", [0.05, 0.3, 0.5, 1.0])
def test_the_exploit_mass_stands_on_the_predicted_label(gamma):
    plays_as_it_should(Banditron(gamma=gamma))


def test_exploiting_another_label_would_be_noticed():
    with pytest.raises(AssertionError):
        plays_as_it_should(ExploitsTheDrawn(gamma=0.3))


def outcomes(learner, W, x, y):
    """(K × K, d, K) what the update adds for each label that may be drawn, and its chance, with W (1, K, d) at hand."""
    k, d = W.shape[1:]
    gamma = learner.gamma
    learner = start(learner, d, k, replicates=2 * k)
    learner.W[:] = np.swapaxes(W, 1, 2)
    before = learner.W.copy()
    # the first K replicates exploit, the others explore label 0, …, K − 1
    fix_draws(learner, np.repeat([1.0, -1.0], k), np.tile(np.arange(k), 2))
    present_and_update(learner, Examples(np.tile(np.asarray(x, dtype=float), (2 * k, 1))), np.full(2 * k, y))
    return learner.W - before, np.repeat([(1 - gamma) / k, gamma / k], k)


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
@given(problems(), st.floats(0.01, 0.99), amounts(3))
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
    learner.W[:] = np.swapaxes(W, 1, 2)
    before = learner.W.copy()

    class Every:
        def random(self, shape):
            draws = np.concatenate(
                [[[1.0], [0.0], [0.0]], [[-1.0] * n, (places + 0.5) / r, (lower + 0.5) / (k - r)]], axis=1
            )
            assert shape == (1, 3, EACH)
            return draws[None]

    learner.rng = Every()
    present_and_update(learner, Examples(np.tile(x, (1 + n, 1))), np.full(1 + n, y))
    chance = np.concatenate([[1 - gamma], np.full(n, gamma / n)])
    got = (chance[:, None, None] * (learner.W - before)).sum(axis=0).T
    best = np.argsort(-(W[0] @ x), kind="stable")[:r]
    expected = np.zeros((k, d))
    if y not in best:
        expected[y] += x
        expected[best[-1]] -= x
    np.testing.assert_allclose(got, expected, atol=1e-9)
