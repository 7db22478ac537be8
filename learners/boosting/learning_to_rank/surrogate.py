"""The surrogate of the expected NDCG that NDCG_Boost makes small, and its derivatives."""

from __future__ import annotations

import math

import numpy as np

from learners.base import Array
from learners.boosting.learning_to_rank.base import Queries
from learners.boosting.learning_to_rank.measures import GradedQueries
from learners.boosting.learning_to_rank.pairs import pairs
from learners.compiled import compiled


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
        self.a, self.b, _ = pairs(problem, equal=True)
        self.theta = np.zeros(len(self.a))
        self.w = np.zeros(len(problem.grades))

    def at(self, F: Array) -> float:
        """Return M at scores (n,); keep `theta` (P,), θ of each pair, and `w` (n,), Σ_j (2^r_i − 2^r_j)/Z · θ_ij."""
        self.theta, self.w = np.empty_like(self.theta), np.zeros(len(F))
        M: float = surrogate_at(self.a, self.b, self.gain, F, self.theta, self.w)
        return M

    def both(self, f: Array) -> float:
        """Return α₁ + α₂, the weight of all pairs that answers (n,), 0 or 1, put in some order, right or wrong."""
        total: float = put_in_order(self.a, self.b, self.gain, self.theta, f)
        return total


@compiled(allocates=True)
def surrogate_at(a, b, gain, F, theta, w):  # type: ignore[no-untyped-def]
    """Return M at scores F (n,); fill theta (P,) and add to w (n,). a, b : (P,) the pairs. gain : (n,)."""
    M = 0.0
    for p in range(len(a)):
        i, j = a[p], b[p]
        x = F[i] - F[j]
        e = math.exp(-abs(x))
        share = 1.0 / (1.0 + e)
        theta[p] = e * share * share  # Eq. 3.14
        wrong = e * share if x > 0 else share  # 1 / (1 + exp(F_i − F_j))
        more = gain[i] - gain[j]
        M += more * wrong + gain[j]
        pull = more * theta[p]
        w[i] += pull
        w[j] -= pull
    return M


@compiled(allocates=True)
def put_in_order(a, b, gain, theta, f):  # type: ignore[no-untyped-def]
    """Return the sum of (gain_i + gain_j) θ_ij over the pairs of which f (n,) says something different."""
    total = 0.0
    for p in range(len(a)):
        i, j = a[p], b[p]
        if f[i] != f[j]:
            total += (gain[i] + gain[j]) * theta[p]
    return total
