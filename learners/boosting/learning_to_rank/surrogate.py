"""The surrogate of the expected NDCG that NDCG_Boost makes small, and its derivatives."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from learners.base import Array
from learners.boosting.learning_to_rank.base import Queries
from learners.boosting.learning_to_rank.measures import GradedQueries
from learners.boosting.learning_to_rank.pairs import pairs

_CHUNK = 1 << 17  # pairs that are computed at a time


class Surrogate:
    """M = Σ_k 1/Z_k Σ_{i≠j} (2^r_i − 1) / (1 + exp(F_i − F_j)), and its derivatives, for all queries at once.

    The pairs within queries are listed once; memory and the time of a round are linear in their number.

    Source: Eq. 3.11 of [V], not divided by the number of queries.

    >>> problem = Queries(np.zeros((2, 1)), np.array([0, 2]), np.array([1.0, 0.0]))
    >>> surrogate = Surrogate(problem)
    >>> surrogate.at(np.zeros(2)), surrogate.w  # 1 / 2; θ = 1/4
    (0.5, array([ 0.25, -0.25]))
    """

    def __init__(self, problem: Queries) -> None:
        measures = GradedQueries(problem.starts, problem.grades)
        ideal = np.where(measures.ideal > 0, measures.ideal, 1.0)
        self.gain = measures.gain / ideal[measures.query]  # (2^r − 1) / Z
        self.a, self.b, counts = pairs(problem, equal=True)
        self.theta = np.zeros(len(self.a))
        self.w = np.zeros(len(problem.grades))
        ends = np.concatenate([[0], np.cumsum(counts)])  # of the pairs of each query
        cuts = np.unique(np.append(np.searchsorted(ends, np.arange(0, ends[-1], _CHUNK)), len(counts)))
        self._parts = [  # whole queries, of about as many pairs: where their pairs and their documents begin
            (slice(int(ends[q]), int(ends[r])), int(problem.starts[q]))
            for q, r in pairwise([0, *cuts[cuts > 0].tolist()])
        ]

    def at(self, F: Array) -> float:
        """Return M at scores (n,); keep `theta` (P,), θ of each pair, and `w` (n,), Σ_j (2^r_i − 2^r_j)/Z · θ_ij."""
        theta, w, M = np.empty_like(self.theta), np.zeros(len(F)), 0.0
        for part, first in self._parts:
            a, b = self.a[part], self.b[part]
            x = F[a] - F[b]
            e = np.exp(-np.abs(x))
            share = 1.0 / (1.0 + e)
            theta[part] = e * share * share  # Eq. 3.14
            wrong = np.where(x > 0, e, 1.0) * share  # 1 / (1 + exp(F_a − F_b))
            lower = self.gain[b]
            more = self.gain[a] - lower
            M += float((more * wrong + lower).sum())
            more *= theta[part]
            ahead, behind = np.bincount(a - first, more), np.bincount(b - first, more)
            w[first : first + len(ahead)] += ahead
            w[first : first + len(behind)] -= behind
        self.theta, self.w = theta, w
        return M

    def both(self, f: Array) -> float:
        """Return α₁ + α₂, the weight of all pairs that answers (n,) put in some order, right or wrong."""
        total = 0.0
        for part, _ in self._parts:
            a, b = self.a[part], self.b[part]
            total += float(((self.gain[a] + self.gain[b]) * self.theta[part] * np.abs(f[a] - f[b])).sum())
        return total
