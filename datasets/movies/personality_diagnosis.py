"""Personality Diagnosis: predict ratings from users who may have the same taste (Pennock et al., UAI 2000)."""

import numpy as np

from datasets.base import Array


def predict(training: Array, known: Array, sigma: float = 1.0, legal: Array | None = None) -> Array:
    """Return the expected rating (J,) of every movie by one person, given a few ratings of that person.

    The model assumes that the person's true ratings equal those of one of the I training users, and that a reported
    rating is the true one with Gaussian noise: P(x | y) ∝ exp(−(x − y)² / 2σ²) over the legal ratings x. Where the
    training user has no rating y, all x are equally likely. So P(user i | known) ∝ Π_j P(known_j | r_ij) over the
    movies j that the person rated. The expected rating of a movie is Σ_i P(user i | known) r_ij, where the mean of all
    training ratings replaces a missing rating. A movie that nobody rated thus gets the mean, and one that few rated is
    pulled towards it.

    Parameters
    ----------
    training : (I, J) ratings, NaN where there is none.
    known : (J,) ratings of the person, NaN where unknown.
    sigma : standard deviation σ > 0 of the noise, in stars.
    legal : the possible ratings, by default 1 … 5.

    Raises
    ------
    ValueError : if no training user rated anything.

    Source: D. M. Pennock, E. Horvitz, S. Lawrence and C. L. Giles, Collaborative Filtering by Personality Diagnosis,
    UAI 2000. They predict the most probable rating; the expected rating has fewer ties.

    The person's 5 makes the first user e² times as likely as the second: .8808 and .1192.

    >>> training = np.array([[5.0, 5.0, np.nan], [1.0, 2.0, np.nan]])
    >>> predict(training, np.array([5.0, np.nan, np.nan]), sigma=2.0).round(3)
    array([4.523, 4.642, 3.25 ])
    """
    rated = ~np.isnan(training)
    if not rated.any():
        raise ValueError("no training user rated a movie, so there is nothing to predict from")
    x = np.arange(1.0, 6.0) if legal is None else legal
    given = ~np.isnan(known)
    y = np.where(rated[:, given], training[:, given], 0.0)
    scale = 2 * sigma**2
    squares = (x - y[..., None]) ** 2 / scale  # for every possible rating x
    least = squares.min(axis=2)
    log_total = np.log(np.exp(least[..., None] - squares).sum(axis=2)) - least
    log_likelihood = np.where(rated[:, given], -((known[given] - y) ** 2) / scale - log_total, -np.log(len(x))).sum(
        axis=1
    )
    likelihood = np.exp(log_likelihood - log_likelihood.max())
    values = np.where(rated, training, training[rated].mean())
    result: Array = np.einsum("i,ij->j", likelihood / likelihood.sum(), values)
    return result
