"""Estimates of how often users would click under another policy, with 95 % intervals, from a log.

The value of a policy is Σ_k Σ_d π(d at k) θ_k r_d, its expected clicks. A click at place k counts w = π(d at k) / π₀(d
at k) times, π₀ the logging policy; that is the item-position model of Li et al. (KDD 2018). R logs at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learners.base import Array
from learners.off_policy.log import Log

Z = 1.959963984540054  # of the normal distribution, for 95 %


class Estimate(NamedTuple):
    """An estimate for each log, (R,), and the ends of its interval."""

    value: Array
    low: Array
    high: Array

    @classmethod
    def of(cls, value: Array, noise: Array) -> Estimate:
        """Return the interval of a value with this noise in each of N interactions, (R, N)."""
        return cls.within(value, noise.std(axis=1, ddof=1), noise.shape[1])

    @classmethod
    def within(cls, value: Array, deviation: Array, interactions: Array | int) -> Estimate:
        """Return the interval value ± 1.96 s/√N, with s the deviation of the noise, (R,), of N interactions."""
        width = Z * deviation / np.sqrt(interactions)
        return cls(value, value - width, value + width)


def weights(log: Log, target: Array, logging: Array) -> Array:
    """Return w of each document shown, (R, N, n). target, logging : (n, n) chances of documents at places.

    Raises
    ------
    ValueError : if the target shows a document where the logging policy never does, as no log can tell.
    """
    if ((logging == 0) & (target > 0)).any():
        raise ValueError("the logging policy must show every document wherever the other policy may show it")
    ratio = target / np.where(logging > 0, logging, 1.0)
    found: Array = ratio[log.shown, np.arange(len(ratio))]
    return found


def ips(log: Log, target: Array, logging: Array) -> Estimate:
    """Weight clicks by w (inverse propensity scores): no bias, but a large variance where w is large."""
    each = (weights(log, target, logging) * log.clicks).sum(axis=2)
    return Estimate.of(each.mean(axis=1), each)


def snips(log: Log, target: Array, logging: Array) -> Estimate:
    """Divide by the mean weight of each place (self-normalised): a small bias, and no value beyond what is possible."""
    w = weights(log, target, logging)
    mean = w.mean(axis=1, keepdims=True)
    place = (w * log.clicks).mean(axis=1, keepdims=True) / mean
    return Estimate.of(place.sum(axis=(1, 2)), (w * (log.clicks - place) / mean).sum(axis=2))


def doubly_robust(log: Log, target: Array, logging: Array, model: Array) -> Estimate:
    """Weight what a model of the clicks (n, n), or (R, n, n), gets wrong: no bias, and less variance if it is good.

    The model must not be fitted on this log; `halves` splits one for that.
    """
    R, _, n = log.shown.shape
    model = np.broadcast_to(model, (R, n, n))
    expected = model[np.arange(R)[:, None, None], log.shown, np.arange(n)]
    each = (weights(log, target, logging) * (log.clicks - expected)).sum(axis=2) + (target * model).sum(axis=(1, 2))[
        :, None
    ]
    return Estimate.of(each.mean(axis=1), each)


def halves(log: Log) -> tuple[Log, Log]:
    """Return the first and the second half of the interactions."""
    half = log.shown.shape[1] // 2
    return Log(*(part[:, :half] for part in log)), Log(*(part[:, half:] for part in log))
