"""Small problems for ranking refinement, and its sums over pairs of documents written out."""

import itertools

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from learners import create
from learners.boosting.refinement.base import Judged
from learners.catalogue import families, learners_of

few = settings(max_examples=30, deadline=None)
seeds = st.integers(0, 10_000)
LEARNERS = learners_of(families()["refinement"])  # the one with most parameters first


def problem_of(seed, n=None, d=3, levels=3):
    """A random problem with ties among features, base scores and grades."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 16)) if n is None else n
    judged = rng.permutation(n)[: int(rng.integers(2, n + 1))]
    return Judged(
        rng.integers(0, 6, (n, d)) / 2.0, rng.normal(size=n).round(1), judged,
        rng.integers(0, levels, len(judged)).astype(float),
    )  # fmt: skip


def start(problem, **params):
    learner = create("ranking-refinement", **params)
    learner.reset(problem, np.random.default_rng(0))
    return learner


def run(learner, rounds):
    """The rounds until it stops."""
    found = []
    for _ in range(rounds):
        found.append(learner.round())
        if found[-1].stopped:
            return found[:-1]
    return found


class Slow:
    """W, T and both losses with every sum over pairs written out."""

    def __init__(self, problem, eta=0.5, scale=1.0):
        g, self.n = problem.base, len(problem.base)
        spread = np.sort(g)[::-1][:10].std() or g.std()
        lam = scale / spread if spread else 0.0
        self.W, self.T = np.zeros((self.n, self.n)), np.zeros((self.n, self.n))
        grade = dict(zip(problem.judged.tolist(), problem.grades.tolist(), strict=True))
        for i, j in itertools.product(range(self.n), repeat=2):
            self.W[i, j] = 1 / (1 + np.exp(lam * (g[j] - g[i])))  # Eq. 4.1
            if i in grade and j in grade and grade[i] != grade[j]:
                self.T[i, j] = 1 - eta / 2 if grade[i] > grade[j] else eta / 2  # Eq. 4.3

    def losses(self, F):
        both = [sum(M[i, j] * np.exp(F[j] - F[i]) for i, j in itertools.product(range(self.n), repeat=2))
                for M in (self.W, self.T)]  # fmt: skip
        return np.array(both)

    def gamma(self, F, combine="product", gamma=1.0):
        E = np.exp(F[None, :] - F[:, None])
        w, t = self.losses(F)
        if combine == "product":
            return self.W * E / w + self.T * E / t
        return (gamma * self.W + self.T) * E / (gamma * w + t)


def judged_of(x, base, judged, grades):
    return Judged(np.array(x, float), np.array(base, float), np.array(judged), np.array(grades, float))


DEGENERATE = {
    "one grade": (judged_of([[0], [1], [2]], [3, 2, 1], [0, 1], [1, 1]), "same grade"),
    "one judgement": (judged_of([[0], [1]], [3, 2], [1], [1]), "same grade"),
    "constant features": (judged_of([[1], [1], [1]], [3, 2, 1], [0, 1], [0, 1]), "No question"),
    "constant base": (judged_of([[0], [1], [2]], [1, 1, 1], [0, 1], [0, 1]), ""),
    "two documents": (judged_of([[0], [1]], [1, 2], [0, 1], [2, 0]), ""),
    "a base that is sure": (judged_of([[0], [1], [2]], [0, 1e-300, 1e300], [2, 0], [1, 0]), ""),
    "huge scores": (judged_of([[0], [1], [2]], [-1e308, 0, 1e150], [2, 0], [0, 1]), ""),
    "the judge agrees": (judged_of(np.arange(12)[:, None], np.arange(12) ** 9, np.arange(12), np.arange(12)), ""),
}
