"""Estimates from a log how likely each place is looked at: by exchanged neighbours, or by expectation–maximisation."""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.off_policy.log import RANDOM, Log, counts


def by_swaps(log: Log) -> Array:
    """Return θ_k / θ_1, (R, n), from pairs of neighbours that were shown in either order with equal chances.

    Both documents of a pair stand equally often at k and at k + 1. So the clicks at k + 1 over those at k estimate
    θ_{k+1}/θ_k, whatever the documents are: 3PR's perturbation of lists is an experiment on attention. Where nobody
    clicked, the ratio is NaN. Joachims, Swaminathan & Schnabel, WSDM 2017, exchange places 1 and k to the same end.
    """
    R, n = len(log.shown), log.shown.shape[2]
    above, below = np.zeros((2, R, n - 1))
    for k in range(n - 1):
        paired = (log.pairing == k % 2) | (log.pairing == RANDOM)
        above[:, k], below[:, k] = ((log.clicks[..., i] & paired).sum(axis=1) for i in (k, k + 1))
    return of_neighbours(above, below)


def of_neighbours(above: Array, below: Array) -> Array:
    """Return θ_k / θ_1, (R, n), from the clicks on the upper and the lower places of pairs, (R, n − 1) each.

    >>> of_neighbours(np.array([[10.0, 4.0]]), np.array([[5.0, 3.0]]))
    array([[1.   , 0.5  , 0.375]])
    """
    ratios = np.where(above > 0, below / np.maximum(above, 1), np.nan)
    return np.concatenate([np.ones((len(above), 1)), np.cumprod(ratios, axis=1)], axis=1)


def by_em(log: Log, rounds: int = 200) -> tuple[Array, Array]:
    """Return θ_k / θ_1 (R, n) and θ_1 r_d (R, n) of the position-based model, by expectation–maximisation."""
    return of_counts(*counts(log), rounds)


def of_counts(shown: Array, clicked: Array, rounds: int = 200) -> tuple[Array, Array]:
    """Return the same from how often each document was shown, and clicked, at each place, (R, n, n) each.

    A click is looked at and relevant; without, both follow from Bayes' rule: P(looked at) = θ(1 − r)/(1 − θr) and
    P(relevant) = r(1 − θ)/(1 − θr). Each round takes the means of these (Chuklin, Markov & de Rijke 2015, §4).
    """
    R, n, _ = shown.shape
    looks, attracts = np.full((R, n), 0.5), np.full((R, n), 0.5)
    tables = (np.ascontiguousarray(part, dtype=float).reshape(R, n * n) for part in (shown, clicked))
    go_rounds(*tables, looks, attracts, np.empty((2, n)), rounds)
    return looks / looks[:, :1], attracts * looks[:, :1]


@compiled
def go_round(shown: Array, clicked: Array, looks: Array, attracts: Array, looked: Array, relevant: Array) -> None:
    """Take one round of EM for one replicate, in place of θ_k and r_d, (n,) each.

    shown, clicked : (n²,) by document, then by place. looked, relevant : room for (n,) numbers.
    """
    n = looks.shape[0]
    for i in range(n):
        looked[i] = relevant[i] = 0.0
    for d in range(n):
        for k in range(n):
            theta, r, clicks = looks[k], attracts[d], clicked[d * n + k]
            missed = (shown[d * n + k] - clicks) / max(1.0 - theta * r, 1e-12)
            looked[k] += clicks + missed * theta * (1.0 - r)
            relevant[d] += clicks + missed * r * (1.0 - theta)
    for i in range(n):
        at_place = of_document = 0.0
        for j in range(n):
            at_place += shown[j * n + i]
            of_document += shown[i * n + j]
        looks[i], attracts[i] = looked[i] / max(at_place, 1.0), relevant[i] / max(of_document, 1.0)


@compiled
def go_rounds(shown: Array, clicked: Array, looks: Array, attracts: Array, room: Array, rounds: int) -> None:
    """Take rounds of EM for each replicate; all with R in front, and room (2, n)."""
    for r in range(shown.shape[0]):
        for _ in range(rounds):
            go_round(shown[r], clicked[r], looks[r], attracts[r], room[0], room[1])
