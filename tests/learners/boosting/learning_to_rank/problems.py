"""Small problems for learning to rank, and the sums of NDCG_Boost written out."""

import math

import numpy as np

from datasets import load
from learners.boosting.learning_to_rank.base import Queries, RankBooster
from learners.catalogue import learner_classes

IDS = sorted(id for id, cls in learner_classes().items() if issubclass(cls, RankBooster))


def started(learner, x, grades, starts, seed=0):
    problem = Queries(np.asarray(x, dtype=float), np.asarray(starts), np.asarray(grades, dtype=float))
    learner.reset(problem, np.random.default_rng(seed))
    return learner


def random_problem(seed, queries=6, d=3, most=7, levels=4):
    """Queries of 2 to 7 documents with tied features and grades 0 … 3, now and then all of one grade."""
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(rng.integers(2, most + 1, queries))])
    n = int(starts[-1])
    grades = rng.integers(0, levels, n).astype(float)
    if seed % 3 == 0:
        grades[: starts[1]] = seed % 2
    return Queries(rng.integers(0, 5, (n, d)) / 2 + rng.integers(0, 2, (n, d)), starts, grades)


def slow(problem, F):
    """M, w, θ and the gains / Z, pair by pair, as the text has them."""
    n = len(F)
    theta, gain, w, M = np.zeros((n, n)), np.zeros(n), np.zeros(n), 0.0
    for a, b in zip(problem.starts[:-1], problem.starts[1:], strict=True):
        best = sorted((2.0**r - 1 for r in problem.grades[a:b]), reverse=True)
        Z = sum(g / math.log2(k + 2) for k, g in enumerate(best)) or 1.0
        for i in range(a, b):
            gain[i] = (2.0 ** problem.grades[i] - 1) / Z
        for i in range(a, b):
            for j in range(a, b):
                if i != j:
                    M += gain[i] / (1 + math.exp(F[i] - F[j]))
                    theta[i, j] = math.exp(F[i] - F[j]) / (1 + math.exp(F[i] - F[j])) ** 2
                    w[i] += (gain[i] - gain[j]) * theta[i, j]
    return M, w, theta, gain


def small(queries=20, **params):
    return load("web-search", queries=queries, documents=6, features=4, **params)
