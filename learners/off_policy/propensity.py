"""How likely each place is looked at, estimated from a log: by exchanged neighbours, or by expectation–maximisation."""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.off_policy.log import RANDOM, Log, counts


def by_swaps(log: Log) -> Array:
    """Return θ_k / θ_1, (R, n), from pairs of neighbours that were shown in either order with equal chances.

    Both documents of a pair stand equally often at k and at k + 1. So the clicks at k + 1 over those at k estimate
    θ_{k+1}/θ_k, whatever the documents are: 3PR's perturbation of lists is an experiment on attention. Where nobody
    clicked, the ratio is NaN. Joachims, Swaminathan & Schnabel, WSDM 2017, exchange places 1 and k to the same end.
    """
    n = log.shown.shape[2]
    found: Array = np.ones((len(log.shown), n))
    for k in range(n - 1):
        paired = (log.pairing == k % 2) | (log.pairing == RANDOM)
        above, below = ((log.clicks[..., i] & paired).sum(axis=1) for i in (k, k + 1))
        found[:, k + 1] = found[:, k] * np.where(above > 0, below / np.maximum(above, 1), np.nan)
    return found


def by_em(log: Log, rounds: int = 200) -> tuple[Array, Array]:
    """Return θ_k / θ_1 (R, n) and θ_1 r_d (R, n) of the position-based model, by expectation–maximisation.

    A click is looked at and relevant; without, both follow from Bayes' rule: P(looked at) = θ(1 − r)/(1 − θr) and
    P(relevant) = r(1 − θ)/(1 − θr). Each round takes the means of these (Chuklin, Markov & de Rijke 2015, §4).
    """
    shown, clicked = counts(log)
    R, n, _ = shown.shape
    theta, r = np.full((R, 1, n), 0.5), np.full((R, n, 1), 0.5)
    missed, places, documents = shown - clicked, shown.sum(axis=1, keepdims=True), shown.sum(axis=2, keepdims=True)
    for _ in range(rounds):
        rest = np.maximum(1 - theta * r, 1e-12)
        looked = (clicked + missed * theta * (1 - r) / rest).sum(axis=1, keepdims=True)
        relevant = (clicked + missed * r * (1 - theta) / rest).sum(axis=2, keepdims=True)
        theta, r = looked / np.maximum(places, 1), relevant / np.maximum(documents, 1)
    first = theta[:, :, :1]
    return (theta / first)[:, 0], (r * first)[..., 0]
