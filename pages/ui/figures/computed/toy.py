"""The toy of [S] §4.2 and §5, simulated anew in a few lines: one good document among ten, which the perceptron loses.

Documents other than d₁ have the same features, so that the difference g = w₁ − w₂ of the two weights decides where d₁
stands: first where g ≥ 0, last otherwise. An update that moves d₁ from position a to b changes g by 2 (γ_b − γ_a).
"""

import numpy as np

from datasets.ranking import discounts
from learners.base import Array
from pages.ui.figures.figure import Curves, Size

DOCUMENTS, NOISE = 10, 0.2
START = 2.0  # g of w₁ = [1, −1]
PREFP, SWAPPED, REPAIRED, BY_CHANCE = "PrefP", "top two swapped", "d₁ comes back", "(1 − η)¹⁰"
NOISES = (0.1, 0.2, 0.3, 0.4)
PROBABILITIES = (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0)
POINTS = 20


def ranks(seed: int, size: Size) -> Curves:
    """Return the mean rank at which d₁ is shown since the point before, without and with the top two swapped."""
    runs = {PREFP: shown(seed, size, 0.0), SWAPPED: shown(seed, size, 0.5)}
    return {name: _binned(rank) for name, rank in runs.items()}


def worst(seed: int, size: Size) -> Curves:
    """Return the share of the steps since the point before in which d₁ is shown last."""
    return {PREFP: _binned((shown(seed, size, 0.0) == DOCUMENTS).astype(float))}


def repairs(seed: int, size: Size) -> Curves:
    """Return for each noise the share of the steps with d₁ in the last position after which it stands first.

    Beside it stands the probability that nine judgements of poor documents and that of d₁ are all right.
    """
    found = []
    for noise in NOISES:
        rank = shown(seed, size, 0.0, noise)
        last = rank[:-1] == DOCUMENTS
        found.append((rank[1:][last] == 1).mean())
    return {REPAIRED: (NOISES, np.array(found)), BY_CHANCE: (NOISES, (1 - np.array(NOISES)) ** DOCUMENTS)}


def gain(seed: int, size: Size) -> Curves:
    """Return for each swap probability the utility that the feedback gains on average where the weights are w*.

    It is exact: all ways to pair and swap and all positions clicked are weighed by their probabilities.
    """
    return {
        SWAPPED: (PROBABILITIES, np.array([_gain_of_top_two(p) for p in PROBABILITIES])),
        "3PR": (PROBABILITIES, np.array([_gain_of_pairs(p) for p in PROBABILITIES])),
    }


def shown(seed: int, size: Size, probability: float, noise: float = NOISE) -> Array:
    """Return the rank at which d₁ is shown in every step and run, (steps, runs), by moving the clicked document up.

    probability : that the top two documents are swapped before the ranking is shown.
    """
    rng, runs, gamma = np.random.default_rng(seed), size.replicates, discounts(DOCUMENTS)
    g, found = np.full(runs, START), np.empty((size.steps, runs), dtype=int)
    for t in range(size.steps):
        swap, right = rng.random(runs) < probability, rng.random((runs, DOCUMENTS)) >= noise
        place = np.where(g >= 0, swap.astype(int), DOCUMENTS - 1)  # of d₁, from 0
        good = np.arange(DOCUMENTS) == place[:, None]
        seems_good = good == right
        clicked = np.where(seems_good.any(axis=1), seems_good.argmax(axis=1), 0)  # no click leaves all as it is
        after = np.where(clicked == place, 0, np.where(place == 0, clicked, place))
        g += 2 * (gamma[after] - gamma[place])
        found[t] = place + 1
    return found


def _binned(values: Array) -> tuple[tuple[int, ...], Array]:
    """Return the means of (steps, runs) over POINTS parts of equal length, with the last step of each."""
    parts = np.array_split(values, min(POINTS, len(values)))
    return tuple(np.cumsum([len(part) for part in parts]).tolist()), np.array([part.mean() for part in parts])


def _clicks(place: int) -> Array:
    """Return the probability (DOCUMENTS,) that each position is clicked while d₁ stands at `place`, from 0."""
    seems_good = np.where(np.arange(DOCUMENTS) == place, 1 - NOISE, NOISE)
    clicked: Array = seems_good * np.cumprod(np.concatenate([[1.0], 1 - seems_good[:-1]]))
    return clicked


def _gain_of_top_two(p: float) -> float:
    gamma = discounts(DOCUMENTS)
    first = _clicks(0)[1:] @ (2 * (gamma[1:] - gamma[0]))  # d₁ gives way to a poor document
    second = _clicks(1)[1] * 2 * (gamma[0] - gamma[1])
    return float((1 - p) * first + p * second)


def _gain_of_pairs(p: float) -> float:
    """Return the gain of 3PR's feedback. With probability ½ d₁ has no partner, and the feedback does not move it."""
    gamma = discounts(DOCUMENTS)
    moved = 2 * (gamma[0] - gamma[1])
    return float(0.5 * (p * _clicks(1)[1] - (1 - p) * _clicks(0)[1]) * moved)
