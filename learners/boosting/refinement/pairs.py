"""The matrices W and T of pairs of documents, from the base ranker and the judgements ([V] Eq. 4.1 and 4.3)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from learners.base import Array
from learners.boosting.refinement.base import Judged
from learners.boosting.sums import inner
from learners.compiled import compiled

BEST = 10  # documents whose scores give the scale of the base ranker ([V] §4.3.2)


def confidence(scores: Array) -> float:
    """Return λ = 1 / (standard deviation of the ten best scores). If these are equal, take all; if they all are, 0.

    >>> confidence(np.array([0.0, 2.0])), confidence(np.ones(3))
    (1.0, 0.0)
    """
    for some in (np.sort(scores)[::-1][:BEST], scores):
        spread = float(some.std())
        if spread > 1e-12 * float(np.abs(some).max()):
            return 1.0 / spread
    return 0.0


@dataclass(frozen=True)
class Pull:
    """The weight of the pairs at scores F. above, below : (n,) Σ_j γ_ij and Σ_j γ_ji, for γ = a and γ = b.

    a_ij = W_ij e^(F_j − F_i) / êrr_w and b_ij likewise with T ([V] Eq. 4.11–4.12): each sums to 1 (b to 0 without
    judged pairs). loss_w, loss_t : êrr_w and êrr_t ([V] Eq. 4.6–4.7).
    """

    loss_w: float
    loss_t: float
    above: tuple[Array, Array]
    below: tuple[Array, Array]


class Pairs:
    """W (n, n) and T, of which only the part of the judged documents (m, m) is kept: it is 0 elsewhere.

    W_ij = e^(λg_i) / (e^(λg_i) + e^(λg_j)) is the chance that i goes before j for the base ranker. T_ij is 1 − η/2
    where the judgements say that i goes before j, η/2 where they say the opposite, and 0 for all other pairs. (Printed
    is η/2 for all others, which drowns what was judged.) λ is `scale` times `confidence(base)`.

    e^(F_j − F_i) is e^(F_j) e^(−F_i), so every sum over pairs is a product of W or T with a vector.

    >>> two = Judged(np.zeros((2, 1)), np.array([1.0, -1.0]), np.array([0, 1]), np.array([0.0, 1.0]))
    >>> pairs = Pairs(two)
    >>> pairs.W.round(3), pairs.T
    (array([[0.5  , 0.881],
            [0.119, 0.5  ]]), array([[0.  , 0.25],
            [0.75, 0.  ]]))
    >>> pairs.start  # Σ W, Σ T
    (2.0, 1.0)
    """

    def __init__(self, problem: Judged, eta: float = 0.5, scale: float = 1.0) -> None:
        g = problem.base / (np.abs(problem.base).max() or 1.0)  # of a size that can be squared
        g = scale * confidence(g) * g
        self.W = 0.5 * (1.0 + np.tanh(0.5 * (g[:, None] - g[None, :])))  # Eq. 4.1
        self.judged = problem.judged
        says = np.sign(problem.grades[:, None] - problem.grades[None, :])
        self.T = np.where(says > 0, 1.0 - eta / 2, np.where(says < 0, eta / 2, 0.0))  # Eq. 4.3, corrected
        self.start = float(self.W.sum()), float(self.T.sum())

    @cached_property
    def ordered(self) -> bool:
        """Return whether the judgements order any pair."""
        return bool(self.T.any())

    def losses(self, F: Array) -> tuple[float, float]:
        """Return êrr_w and êrr_t of the scores (n,), [V] Eq. 4.6–4.7."""
        pull = self.pull(F)
        return pull.loss_w, pull.loss_t

    def pull(self, F: Array) -> Pull:
        """Return the weights of the pairs at the scores (n,), summed over either document."""
        u, v = _exponentials(F)
        some = self.judged
        rows_w, cols_w, rows_t, cols_t = np.zeros((4, len(F)))
        both_ways(self.W, u, v, rows_w, cols_w)
        judged_rows, judged_cols = np.zeros((2, len(some)))
        both_ways(self.T, u[some], v[some], judged_rows, judged_cols)
        rows_t[some], cols_t[some] = judged_rows, judged_cols
        w, t = float(rows_w.sum()), float(rows_t.sum())
        each = t or 1.0
        return Pull(w, t, (rows_w / w, rows_t / each), (cols_w / w, cols_t / each))

    def split(self, F: Array, f: Array) -> tuple[Array, Array]:
        """Return the weight of the pairs that f (n,) bool orders rightly and wrongly.

        Σ γ_ij f_i (1 − f_j) and Σ γ_ij (1 − f_i) f_j.

        Each is a pair of numbers, for W and T, not yet divided by êrr_w and êrr_t.
        """
        u, v = _exponentials(F)
        some = self.judged
        by_w, by_t = across(self.W, u, v, f), across(self.T, u[some], v[some], f[some])
        return np.array([by_w[0], by_t[0]]), np.array([by_w[1], by_t[1]])

    def ranked(self, ranking: Array) -> tuple[float, float]:
        """Return err_w and err_t of a ranking (n,), Σ W_ij over j ranked before i, as a share ([V] Eq. 4.4–4.5)."""
        place = np.empty(len(ranking), dtype=int)
        place[ranking] = np.arange(len(ranking))
        wrong = turned(self.W, place), turned(self.T, place[self.judged])
        return self._share(0, wrong[0]), self._share(1, wrong[1])

    def _share(self, which: int, wrong: float) -> float:
        return wrong / self._apart[which] if self._apart[which] > 0 else 0.0

    @cached_property
    def _apart(self) -> tuple[float, float]:
        """Return Σ W and Σ T over the pairs of different documents."""
        return float(self.W.sum() - np.trace(self.W)), float(self.T.sum() - np.trace(self.T))


def _exponentials(F: Array) -> tuple[Array, Array]:
    """Return e^F and e^−F, up to a shift of F, which no loss depends on."""
    middle = F - 0.5 * (F.max() + F.min())
    return np.exp(middle), np.exp(-middle)


@compiled(allocates=True)
def both_ways(matrix, u, v, rows, columns):  # type: ignore[no-untyped-def]
    """Put v_i Σ_j M_ij u_j into rows (n,), and u_j Σ_i v_i M_ij into columns (n,), in one pass over M (n, n)."""
    columns[:] = 0.0
    for i in range(len(u)):
        row = matrix[i]
        rows[i] = v[i] * inner(row, u)
        by = v[i]
        for j in range(len(u)):
            columns[j] += by * row[j]
    for j in range(len(u)):
        columns[j] *= u[j]


@compiled(allocates=True)
def across(matrix, u, v, f):  # type: ignore[no-untyped-def]
    """Return Σ v_i M_ij u_j over the pairs of which f (n,) bool picks i alone, and over those of which it picks j."""
    picked, others = np.where(f, u, 0.0), np.where(f, 0.0, u)
    right, wrong = 0.0, 0.0
    for i in range(len(u)):
        if f[i]:
            right += v[i] * inner(matrix[i], others)
        else:
            wrong += v[i] * inner(matrix[i], picked)
    return right, wrong


@compiled(allocates=True)
def turned(matrix, place):  # type: ignore[no-untyped-def]
    """Return the sum of M_ij over the pairs of which j has the lower place (n,)."""
    total = 0.0
    for i in range(len(place)):
        row, own, part = matrix[i], place[i], 0.0
        for j in range(len(place)):
            if own > place[j]:
                part += row[j]
        total += part
    return total
