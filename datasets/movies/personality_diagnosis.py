"""Personality Diagnosis: predict ratings from people who may have the same taste (Pennock et al., UAI 2000)."""

from __future__ import annotations

import numpy as np

from datasets.base import Array


def predict(training: Array, known: Array, sigma: float = 1.0, legal: Array | None = None) -> Array:
    """The expected rating of every movie for one person, given a few ratings of that person.

    The person's true ratings are those of one of the I training users, and what the person says is the true rating with
    Gaussian noise: P(x | y) ∝ exp(−(x − y)² / 2σ²) over the legal ratings x; where the training user has no rating y,
    all x are as likely. So P(user i | known) ∝ Π_j P(known_j | r_ij) over the movies j that the person rated. The
    expected rating of a movie is Σ_i P(user i | known) r_ij, where the mean of all training ratings stands for a rating
    that is not there: a movie that nobody rated gets the mean, and one that few rated is drawn to it.

    Parameters
    ----------
    training : (I, J) ratings, NaN where there is none. known : (J,) ratings of the person, NaN where not told.
    sigma : standard deviation σ > 0 of the noise, in stars. legal : the ratings there are, by default 1 … 5.

    Raises
    ------
    ValueError : if no training user rated anything.

    Source: D. M. Pennock, E. Horvitz, S. Lawrence and C. L. Giles, Collaborative Filtering by Personality Diagnosis,
    UAI 2000. There the most probable rating is predicted: the expected one has fewer ties.

    The person's 5 makes the first user e² times as likely as the second: .8808 and .1192.

    >>> training = np.array([[5.0, 5.0, np.nan], [1.0, 2.0, np.nan]])
    >>> predict(training, np.array([5.0, np.nan, np.nan]), sigma=2.0).round(3)
    array([4.523, 4.642, 3.25 ])
    """
    rated = ~np.isnan(training)
    if not rated.any():
        raise ValueError("no training user rated a movie, so there is nothing to predict from")
    x = np.arange(1.0, 6.0) if legal is None else legal
    told = ~np.isnan(known)
    y = np.where(rated[:, told], training[:, told], 0.0)
    scale = 2 * sigma**2
    squares = (x - y[..., None]) ** 2 / scale  # of every rating that could have been said
    least = squares.min(axis=2)
    total = np.log(np.exp(least[..., None] - squares).sum(axis=2)) - least
    chance = np.where(rated[:, told], -((known[told] - y) ** 2) / scale - total, -np.log(len(x))).sum(axis=1)
    likely = np.exp(chance - chance.max())
    values = np.where(rated, training, training[rated].mean())
    result: Array = np.einsum("i,ij->j", likely / likely.sum(), values)
    return result
