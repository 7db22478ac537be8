"""Rankings learned from a log: by clicks as they are, by inverse propensities, doubly robust, and safely (PRPO).

Each returns rankings (R, n). Inverse propensities are policy-aware: ρ_d = Σ_k π₀(d at k) θ_k is the chance that a
document is looked at, and Σ c_d / (N ρ_d) estimates its relevance without bias (Oosterhuis & de Rijke 2020, as
quoted by Gupta, Oosterhuis & de Rijke, arXiv 2409.09881, Eq. 4).
"""

import numpy as np

from learners.base import Array
from learners.off_policy.log import Log, counts
from learners.off_policy.proximal import rank_all_safely, room_for


def by_falling(relevance: Array) -> Array:
    """Return the documents by falling relevance (R, n), ties by number."""
    found: Array = np.argsort(-relevance, axis=1, kind="stable")
    return found


def naive(log: Log) -> Array:
    """Rank by clicks for each time shown, as if every place were looked at alike."""
    shown, clicked = (part.sum(axis=2) for part in counts(log))
    return by_falling(clicked / np.maximum(shown, 1))


def looks(log: Log, logging: Array, examination: Array, clip: float) -> Array:
    """Return N max(ρ_d, clip) (n,), how often each document is looked at in expectation, with propensities clipped."""
    found: Array = log.shown.shape[1] * np.maximum(logging @ examination, max(clip, 1e-12))
    return found


def relevance_by_ips(log: Log, logging: Array, examination: Array, clip: float = 0.0) -> Array:
    """Return Σ c_d / (N max(ρ_d, clip)), (R, n): no bias without clip, less variance with it."""
    clicked = counts(log)[1].sum(axis=2)
    found: Array = clicked / looks(log, logging, examination, clip)
    return found


def inverse_propensity(log: Log, logging: Array, examination: Array, clip: float = 0.0) -> Array:
    """Rank by relevance estimated with inverse propensities."""
    return by_falling(relevance_by_ips(log, logging, examination, clip))


def relevance_doubly_robust(log: Log, logging: Array, examination: Array, clip: float = 0.0) -> Array:
    """Return r̂_d + Σ (c_d − θ_k r̂_d) / (N max(ρ_d, clip)), (R, n), with r̂ the smoothed share of clicks of looks."""
    shown, clicked = counts(log)
    looked, clicks = shown @ examination, clicked.sum(axis=2)
    model = (clicks + clicks.sum(axis=1, keepdims=True) / np.maximum(looked.sum(axis=1, keepdims=True), 1)) / (
        looked + 1
    )
    found: Array = model + (clicks - looked * model) / looks(log, logging, examination, clip)
    return found


def doubly_robust(log: Log, logging: Array, examination: Array, clip: float = 0.0) -> Array:
    """Rank by relevance estimated doubly robust."""
    return by_falling(relevance_doubly_robust(log, logging, examination, clip))


def safe(relevance: Array, ranking: Array, discounts: Array, bound: float, relative: bool = True) -> Array:
    """Rank by proximal ranking policy optimisation (PRPO): gain nothing by moving a document farther than a bound.

    With ω₀ the discount of a document in the safe ranking (n,), and ω that in the new one, it maximises
    Σ_d ω₀ r̂_d clip(ω/ω₀), r̂ relative to its mean or as it is: a document with a reward above 0 counts with at most
    `bound` times its old discount, one below with no less than 1/bound of it. With bound 1 nothing moves, without bound
    it is plain sorting. Each term depends on one place alone, so the best ranking is an assignment, and found exactly.

    Rewards r̂ > 0 as they are lose at most (bound − 1) max_d(r_d / r̂_d) Σ ω₀ r̂, whatever they are: what is lost by
    documents that fall is less than what others gain. Relative ones lose nothing at 1, and any amount above, as a bad
    document and a good one both gain by an exchange. That it clips, so that nothing is gained by rankings too far from
    the safe one, is from the abstract of Gupta, Oosterhuis & de Rijke (CIKM 2024); the two bounds, on rewards as they
    are, from their code (shashankg7/cikm-safeultr, `dr_ppo_obj_cv`).
    """
    n = len(ranking)
    before = np.empty(n)
    before[ranking] = discounts
    found: Array = np.empty((len(relevance), n), dtype=np.int64)
    estimates = np.ascontiguousarray(relevance, dtype=float)
    rank_all_safely(
        estimates, before, np.asarray(discounts, dtype=float), float(bound), relative, np.empty(room_for(n)), found
    )  # fmt: skip
    return found
