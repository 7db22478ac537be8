"""The expected update of the Banditron, over the label that is drawn ([B] Lemmas 4 and 5)."""

import numpy as np

from learners.base import Array
from pages.ui.figures.figure import Curves, Size

GAMMAS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
CLASSES, FEATURES, DRAWS = 9, 20, 50
PLAYED, PREDICTED = "divided by P(ỹ)", "divided by P(ŷ)"
RIGHT, WRONG = "ŷ right", "ŷ wrong"


def updates(x: Array, predicted: int, truth: int, gamma: float, played: bool = True) -> tuple[Array, Array]:
    """Return the probability (K,) of each label ỹ that may be drawn, and the update (K, K, d) that follows it.

    x : (d,). played : whether a right label counts 1 / P(ỹ), of the label played, or 1 / P(ŷ), of the one predicted.

    >>> chances, moves = updates(np.array([1.0]), 0, 1, gamma=0.5)
    >>> chances[:2].round(4), moves[1, :2, 0].round(4)
    (array([0.5556, 0.0556]), array([-1., 18.]))
    """
    chances = np.full(CLASSES, gamma / CLASSES)
    chances[predicted] += 1 - gamma
    moves = np.zeros((CLASSES, CLASSES, len(x)))
    moves[:, predicted] -= x
    moves[truth, truth] += x / chances[truth if played else predicted]
    return chances, moves


def perceptron(x: Array, predicted: int, truth: int) -> Array:
    """Return the update (K, d) of the perceptron, which is told the true label ([B] Eq. 3)."""
    move = np.zeros((CLASSES, len(x)))
    move[truth] += x
    move[predicted] -= x
    return move


def unbiased(seed: int, size: Size) -> Curves:
    """Return how far the expected update is from the perceptron's, ‖E Ũ − U‖ / ‖x‖, by γ.

    It is the largest over 50 examples that are drawn, with random labels. The expectation is a sum over the nine
    labels, not a mean over draws.
    """
    rng = np.random.default_rng(seed)
    drawn = [(rng.normal(size=FEATURES), rng.integers(CLASSES, size=2).tolist()) for _ in range(DRAWS)]
    found = {name: (GAMMAS, np.zeros(len(GAMMAS))) for name in (PLAYED, PREDICTED)}
    for place, gamma in enumerate(GAMMAS):
        for x, (predicted, truth) in drawn:
            for name, (_, y) in found.items():
                chances, moves = updates(x, predicted, truth, gamma, played=name == PLAYED)
                gap = np.tensordot(chances, moves, 1) - perceptron(x, predicted, truth)
                y[place] = max(y[place], float(np.linalg.norm(gap) / np.linalg.norm(x)))
    return found


def length(seed: int, size: Size) -> Curves:
    """Return E ‖Ũ‖² divided by the most that Lemma 5 allows, by γ, for a right and for a wrong prediction."""
    x = np.random.default_rng(seed).normal(size=FEATURES)
    found = {name: (GAMMAS, np.zeros(len(GAMMAS))) for name in (RIGHT, WRONG)}
    for place, gamma in enumerate(GAMMAS):
        for name, truth, factor in ((RIGHT, 0, gamma), (WRONG, 1, CLASSES / gamma)):
            chances, moves = updates(x, 0, truth, gamma)
            found[name][1][place] = chances @ (moves**2).sum(axis=(1, 2)) / (2 * (x @ x) * factor)
    return found
