"""Lemmas 3 and 4 and Theorems 6 and 7 of [V] chapter 3, checked by what they bound."""

import math
from itertools import permutations

import numpy as np

from datasets import load
from learners import Simulation, create
from learners.base import Array
from learners.boosting.learning_to_rank.base import Queries
from learners.boosting.learning_to_rank.surrogate import Surrogate
from pages.ui.figures.figure import Curves, Size, Steps

ROUNDS = Steps(log=False)


def theorem_7(seed: int, size: Size) -> Curves:
    """Return the surrogate M of NDCG_Boost and two bounds on it, all divided by M before the first round, by rounds.

    The progress Σ (√α₁ − √α₂)² / M of a run is read from the bound that the learner reports, for which M is a sum over
    the n queries. As printed M is divided by n, so that the progress is n times as large.
    """
    given = {"queries": 300, "documents": 20, **size.data}
    data = load("web-search", relevance="nonlinear", features=5, data_seed=seed, **given)
    run = Simulation(create("ndcg-boost"), data, seed=seed)
    run.advance(steps=size.steps)
    learner, n = run.environment.learners[0], len(run.environment.folds[0][0])
    at = ROUNDS.at(size.steps)
    rows = np.array(at) - 1
    bound = run.history["bound"][rows, 0] / learner.start
    return {
        "M": (at, run.history["surrogate"][rows, 0] / learner.start),
        "bound, M summed over queries": (at, bound),
        "bound as printed, M divided by n": (at, np.maximum(bound**n, 1e-6)),
    }


ALPHAS = (0.01, 0.03, 0.1, 0.3, 1.0)


def theorem_6(seed: int, size: Size) -> Curves:
    """Return by α how much the bound of [V] Theorem 6 exceeds M at least, as a share of M, over random classifiers.

    Each draw has 20 queries of 5 documents with grades 0 to 3, random scores F and a random classifier f. γ(α) is that
    of the proof, Σ θ (exp(3α) + exp(−3α) − 2) / 3. As printed the last term is added; "with a minus" it is subtracted.
    """
    rng = np.random.default_rng(seed)
    slack = {"as printed": np.full(len(ALPHAS), np.inf), "with a minus": np.full(len(ALPHAS), np.inf)}
    starts = np.arange(0, 101, 5)
    for _ in range(size.steps):
        problem = Queries(np.zeros((100, 1)), starts, rng.integers(0, 4, 100).astype(float))
        F, f = rng.normal(size=100), rng.integers(0, 2, 100).astype(float)
        surrogate = Surrogate(problem)
        M = surrogate.at(F)
        w, theta = surrogate.w, _theta(F)
        weight = float((surrogate.gain * theta).sum())
        last = float(w @ f)
        for i, alpha in enumerate(ALPHAS):
            after = surrogate.at(F + alpha * f)
            gamma = (math.exp(3 * alpha) + math.exp(-3 * alpha) - 2) / 3 * weight
            factor = math.expm1(3 * alpha) / 3
            for name, sign in (("as printed", 1.0), ("with a minus", -1.0)):
                slack[name][i] = min(slack[name][i], (M + gamma + sign * factor * last - after) / M)
    return {name: (ALPHAS, values) for name, values in slack.items()} | {"M": (ALPHAS, np.zeros(len(ALPHAS)))}


def _theta(F: Array) -> Array:
    """Return Σ_j θ_ij over the other documents of the query, (n,), for queries of 5 documents."""
    scores = F.reshape(-1, 5)
    chance = 1 / (1 + np.exp(scores[:, None, :] - scores[:, :, None]))
    theta = chance * (1 - chance)
    found: Array = (theta.sum(axis=2) - 0.25).ravel()
    return found


SPREADS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
DOCUMENTS = 5


def exact(F: Array) -> tuple[Array, Array]:
    """Return all rankings, (120, 5) ranks from 1, and their probabilities (120,) by [V] Eq. 3.6 with scores F (5,).

    >>> ranks, chance = exact(np.zeros(5))
    >>> len(ranks), round(float(chance[0] * 120), 6)
    (120, 1.0)
    """
    ranks = np.array(list(permutations(range(1, DOCUMENTS + 1))))
    weight = (DOCUMENTS - 2 * ranks + 1) @ F
    chance = np.exp(weight - weight.max())
    return ranks, chance / chance.sum()


def lemma_4(seed: int, size: Size) -> Curves:
    """Return by the spread of the scores the chance that the lower of two documents is ranked first, and its bound.

    Means over the pairs of random queries, `size.steps` of each spread; and the least by which a bound exceeds its
    chance.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for spread in SPREADS:
        chances, bounds = [], []
        for _ in range(size.steps):
            F = spread * rng.normal(size=DOCUMENTS)
            ranks, chance = exact(F)
            for i in range(DOCUMENTS):
                for j in range(DOCUMENTS):
                    if F[i] > F[j]:
                        chances.append(chance[ranks[:, i] > ranks[:, j]].sum())
                        bounds.append(1 / (1 + math.exp(2 * (F[i] - F[j]))))
        rows.append((np.mean(chances), np.mean(bounds), np.min(np.subtract(bounds, chances))))
    exactly, bound, least = np.transpose(rows)
    return {
        "chance of the wrong order": (SPREADS, exactly),
        "bound of Lemma 4": (SPREADS, bound),
        "bound less chance, least": (SPREADS, least),
    }


def lemma_3(seed: int, size: Size) -> Curves:
    """Return by the spread of the scores the expected NDCG of random queries, its lower bound, and its approximation.

    Grades are 0 to 3. Documents with better grades tend to have better scores. Of Eq. 3.2, 3.3 and 3.9; logarithms to
    the base 2, on which the ratios do not depend.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for spread in SPREADS:
        found = []
        for _ in range(size.steps):
            grades = rng.integers(0, 4, DOCUMENTS)
            gain = 2.0**grades - 1
            F = spread * (grades - grades.mean() + rng.normal(size=DOCUMENTS)) / 2
            ideal = float(np.sort(gain)[::-1] @ (1 / np.log2(np.arange(2, DOCUMENTS + 2)))) or 1.0
            ranks, chance = exact(F)
            wrong = 1 / (1 + np.exp(2 * (F[:, None] - F[None, :])))
            approximate = 1 + wrong.sum(axis=1) - 0.5
            inner = (chance @ (1 / np.log2(1 + ranks)), 1 / np.log2(1 + chance @ ranks), 1 / np.log2(1 + approximate))
            found.append([float(gain @ discount) / ideal for discount in inner])
        rows.append(np.mean(found, axis=0))
    expected, lower, approximate = np.transpose(rows)
    return {
        "expected NDCG": (SPREADS, expected),
        "lower bound of Lemma 3": (SPREADS, lower),
        "with the ranks of Eq. 3.8": (SPREADS, approximate),
    }
