"""Estimates of how often users would click under another policy, with 95 % intervals, from a log.

The value of a policy is Σ_k Σ_d π(d at k) θ_k r_d, its expected clicks. A click at place k counts w = π(d at k) / π₀(d
at k) times, π₀ the logging policy; that is the item-position model of Li et al. (KDD 2018). R logs at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learners.base import Array
from learners.off_policy.log import Log, counts

Z = 1.959963984540054  # of the normal distribution, for 95 %


class Estimate(NamedTuple):
    """An estimate for each log, (R,), and the ends of its interval."""

    value: Array
    low: Array
    high: Array

    @classmethod
    def of(cls, share: Array, square: Array | float, interactions: Array | float, model: Array | float) -> Estimate:
        """Return the sum of estimated chances of a click at each place, (R, P), and its interval.

        The estimate D of a chance p varies by ((W p (1 − p) + (W − 1) (p − m)²) / N)^½, with `square` W = E w² of the
        place, N interactions, and m the chance by a model, or 0. All p from which D is at most 1.96 times that away are
        its interval, and half the weight of a click on either side (Wilson 1927). The clicks that have not come are in
        it, if they are rare and count much; D ± 1.96 s/√N knows nothing of them. Distances of the ends from the
        estimates add up as independent errors do (Zou & Donner, Statistics in Medicine 27(10), 2008).

        >>> low, high = Estimate.of(np.zeros((1, 1)), 100.0, 1000.0, 0.0)[1:]  # no click in 1000, each counts 100
        >>> [low[0].item(), round(high[0].item(), 2)]
        [0.0, 0.43]
        """
        a = Z * Z / interactions
        middle = share + a * square / 2 - a * (square - 1) * model
        room = middle**2 - (1 + a) * (share**2 - a * (square - 1) * model**2)
        half, click = np.sqrt(np.maximum(room, 0)), square / interactions / 2
        low, high = (np.clip((middle + side * half) / (1 + a) + side * click, 0, 1) for side in (-1, 1))
        inside = np.clip(share, low, high)
        total = inside.sum(axis=1)
        below, above = (np.sqrt(((inside - end) ** 2).sum(axis=1)) for end in (low, high))
        return cls(share.sum(axis=1), total - below, total + above)


def weights(log: Log, target: Array, logging: Array) -> Array:
    """Return w of each document shown, (R, N, n). target, logging : (n, n) chances of documents at places."""
    found: Array = _ratios(target, logging)[log.shown, np.arange(len(target))]
    return found


def _ratios(target: Array, logging: Array) -> Array:
    """Return w of each document at each place, (n, n).

    Raises
    ------
    ValueError : if the target shows a document where the logging policy never does, as no log can tell.
    """
    if ((logging == 0) & (target > 0)).any():
        raise ValueError("the logging policy must show every document wherever the other policy may show it")
    found: Array = target / np.where(logging > 0, logging, 1.0)
    return found


def ips(log: Log, target: Array, logging: Array) -> Estimate:
    """Weight clicks by w (inverse propensity scores): no bias, but a large variance where w is large."""
    return doubly_robust(log, target, logging, np.zeros_like(target))


def snips(log: Log, target: Array, logging: Array) -> Estimate:
    """Divide by the mean weight of each place (self-normalised): a small bias, and no value beyond what is possible.

    Such a place knows as much as (Σ w)² / Σ w² interactions that showed it as the target does (Kish).
    """
    return normalised(*counts(log), _ratios(target, logging))


def doubly_robust(log: Log, target: Array, logging: Array, model: Array) -> Estimate:
    """Weight what a model of the clicks (n, n), or (R, n, n), gets wrong: no bias, and less variance if it is good.

    The model must not be fitted on this log; `halves` splits one for that.
    """
    return robust(*counts(log), _ratios(target, logging), float(log.shown.shape[1]), target, model)


def normalised(shown: Array, clicked: Array, w: Array) -> Estimate:
    """Return SNIPS, given how often each document was shown, and clicked, at each place, (R, n, P), with its w."""
    with np.errstate(divide="ignore", invalid="ignore"):
        total, square = (w * shown).sum(axis=-2), (w * w * shown).sum(axis=-2)
        return Estimate.of((w * clicked).sum(axis=-2) / total, 1.0, total**2 / square, 0.0)


def robust(
    shown: Array, clicked: Array, w: Array, interactions: Array | float, target: Array, model: Array
) -> Estimate:
    """Return the doubly robust estimate from the same, which is IPS if the model is 0."""
    known = (target * model).sum(axis=-2)
    share = known + (w * (clicked - model * shown)).sum(axis=-2) / interactions
    return Estimate.of(share, (target * w).sum(axis=-2), interactions, known)


def halves(log: Log) -> tuple[Log, Log]:
    """Return the first and the second half of the interactions."""
    half = log.shown.shape[1] // 2
    return Log(*(part[:, :half] for part in log)), Log(*(part[:, half:] for part in log))
