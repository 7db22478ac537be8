"""The Pareto front of the two losses that ranking refinement combines ([V] §4.3.3, Theorem 8)."""

import numpy as np

from learners.base import Array
from learners.boosting.refinement.pairs import Pairs

MOST_DOCUMENTS = 300  # documents: a Newton step solves that many linear equations
STEEPEST = 100.0  # weights γ of êrr_w run from this to 1 over it, êrr_w and êrr_t both being 1 at F = 0
STEPS, ENOUGH = 100, 1e-13  # Newton steps at most, and the decrease of log L that is still worth one


def front(pairs: Pairs, points: int) -> Array | None:
    """Return (points, 2) êrr_w and êrr_t over their values at F = 0, of the F ∈ R^n that minimise γ êrr_w + êrr_t.

    F is any vector of scores, not only sums of weak hypotheses, so no learner gets below. γ falls from the first row to
    the last, evenly on a logarithmic scale (`weights`): êrr_w rises, êrr_t falls. Both losses are convex in F, so that
    the minimisers are the whole front (Eq. 4.9; the minimiser of the product, Eq. 4.10, is one of them). Newton's
    method on the logarithm, from the minimiser before. None for more than 300 documents, and where no pair was judged.

    >>> from learners.boosting.refinement.base import Judged
    >>> two = Judged(np.zeros((2, 1)), np.array([1.0, -1.0]), np.array([0, 1]), np.array([0.0, 1.0]))
    >>> found = front(Pairs(two), 3)  # the base ranker's wish, a compromise, and the judge's
    >>> found.round(3)
    array([[0.825, 2.024],
           [1.032, 0.963],
           [1.291, 0.866]])
    """
    if len(pairs.W) > MOST_DOCUMENTS or not pairs.ordered:
        return None
    T = np.zeros(pairs.W.shape)
    T[np.ix_(pairs.judged, pairs.judged)] = pairs.T / pairs.start[1]
    W, F, found = pairs.W / pairs.start[0], np.zeros(len(T)), np.empty((points, 2))
    for k, gamma in enumerate(weights(points)):
        F = _minimise(gamma * W + T, F)
        found[k] = np.array(pairs.losses(F)) / pairs.start
    return found


def weights(points: int) -> Array:
    """Return the γ (points,) of each row of `front`."""
    exponents = np.linspace(1.0, -1.0, points) if points > 1 else np.zeros(1)
    result: Array = STEEPEST**exponents
    return result


def _minimise(C: Array, F: Array) -> Array:
    """Return the F that minimises log Σ_ij C_ij e^(F_j − F_i), from a start, with mean 0."""
    n = len(F)
    from learners.threads import one_thread

    with one_thread():
        value = _log(C, F)
        for _ in range(STEPS):
            M = C * np.exp(F[None, :] - F[:, None])
            M /= M.sum()
            into, out = M.sum(axis=0), M.sum(axis=1)
            gradient = into - out
            hessian = np.diag(into + out) - M - M.T - np.outer(gradient, gradient)
            # no loss depends on the mean of F: one more equation, that it stays
            step = np.linalg.solve(hessian + 1.0 / n + 1e-14 * np.eye(n), -gradient)
            slope, t = float(gradient @ step), min(1.0, 5.0 / max(1e-300, float(np.abs(step).max())))
            while (new := _log(C, F + t * step)) > value + 0.1 * t * slope and t > 1e-6:
                t /= 2
            if not new < value - ENOUGH:
                break
            F, value = F + t * step, new
    return F


def _log(C: Array, F: Array) -> float:
    middle = F - 0.5 * (F.max() + F.min())
    return float(np.log(np.exp(-middle) @ C @ np.exp(middle)))
