"""From ratings of movies to one-item recommendation: features from half of the users, wishes from the others.

The preparation of [C] §6.1.2, the same for made-up ratings and for MovieLens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.base import Array
from datasets.movies.ratings import HIGHEST, LOWEST, FromRatings, Ratings
from datasets.parameters import integer, real
from datasets.ranking import RankingData, Size


def size_of(users: int, movies: int, features: int) -> Size:
    """About the size of recommendation data: features, grades and utilities of half of the users."""
    tasks = users - users // 2
    return Size(1, movies, features, 4 * movies * features + (4 + 8) * tasks * movies + 8 * tasks * features)


@dataclass(kw_only=True)
class Recommendation(FromRatings):
    """Recommending one movie at a time: how wishes are made of ratings."""

    features: int = integer(50, 1, 200, symbol="d", help="Numbers that describe a movie; try 5 to learn faster.")
    ridge: float = real(
        3.0, 0, 100, symbol="λ", step=0.5,
        help="How much the fit of a user's true weights is drawn to 0. At 0 it is plain least squares, which goes wild "
        "for users with about as many ratings as there are features; from 3 to 30 it predicts new ratings best.",
    )  # fmt: skip
    data_seed: int = integer(0, 0, 2**31 - 1, help="Seed that divides the users: one half gives the features.")

    def size(self) -> Size:
        """The size; the ratings are read for it."""
        ratings = self.rated()
        return size_of(len(ratings.user_names), len(ratings.names), self.features)

    def build(self) -> RankingData:
        return recommendation(self.id, self.params, self.rated(), self.features, self.ridge, self.data_seed)


def recommendation(
    id: str, params: dict[str, Any], ratings: Ratings, features: int, ridge: float, data_seed: int
) -> RankingData:
    """The data in which each user of the second half is a task.

    1. Users are divided into two halves at random. The first half gives the features: its ratings, less the mean of
       each user, 0 where there is none, ≈ P Σ Qᵀ by a truncated SVD; movie j has the row j of Q Σ^½, all scaled so that
       the longest is 1. No rating of the second half enters.
    2. A user of the second half has w*, the least-squares fit of his ratings of movies that have features, less the
       mean of those, on the features, with λ ‖w‖² added, λ = `ridge` · mean ‖x‖² (0: the fit of smallest norm).
    3. His grade of a movie is his rating, or where there is none the imputed one, mean + w* · x, rounded to the nearest
       legal rating.

    All movies are candidates, but for those that nobody of the first half rated, which have no features.

    Raises
    ------
    ValueError : for more features than the ratings of the first half can give, in one sentence.

    Source: Shivaswamy and Joachims, Coactive Learning, JAIR 53, 2015, §6.1.2. There the features are those of a
    regularised factorisation (Bell and Koren, ICDM 2007, Eq. 15) with dimension and regularisation cross-validated.
    """
    users = len(ratings.user_names)
    order = np.random.default_rng([data_seed, 1]).permutation(users)
    first = np.zeros(users, dtype=bool)
    first[order[: users // 2]] = True
    old = first[ratings.user]
    known = np.flatnonzero(np.bincount(ratings.movie[old], minlength=len(ratings.names)))
    place = np.full(len(ratings.names), -1)
    place[known] = np.arange(len(known))
    most = min(int(first.sum()), len(known)) - 1
    if features > most:
        raise ValueError(
            f"features must be at most {max(most, 0)} for these ratings, got {features}: the first half of the users "
            f"are {int(first.sum())}, who rated {len(known)} movies"
        )
    x = _embedding(ratings, old, place, features)
    notes = [f"features come from {int(first.sum())} users, the other {users - int(first.sum())} are the tasks"]
    if len(known) < len(ratings.names):
        notes.append(f"left out {len(ratings.names) - len(known)} movies that nobody of the first half rated")
    tested, weights, grades = _wishes(ratings, ~old, place, x, ridge)
    if len(tested) < 1:
        raise ValueError("no user of the second half rated a movie that the first half rated")
    if len(tested) < users - int(first.sum()):
        notes.append(f"left out {users - int(first.sum()) - len(tested)} users without a rating of these movies")
    return RankingData(
        id=id,
        params=params,
        features=x,
        starts=np.array([0, len(known)]),
        grades=grades,
        weights=weights,
        task_names=tuple(ratings.user_names[i] for i in tested),
        query_names=("movies",),
        notes=tuple(notes),
        slots=1,
        consumable=True,
        document_names=tuple(ratings.names[j] for j in known),
    )


def _embedding(ratings: Ratings, old: Array, place: Array, features: int) -> Array:
    """(n, d) float32 features of the movies that are known, from the ratings `old` (E,) bool alone."""
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import svds

    user, movie, stars = ratings.user[old], place[ratings.movie[old]], ratings.stars[old].astype(float)
    rows, user = np.unique(user, return_inverse=True)
    mean = np.bincount(user, stars) / np.bincount(user)
    size = len(rows), int(movie.max()) + 1
    matrix = csr_array((stars - mean[user], (user, movie)), shape=size)
    features = min(features, min(size))
    if features < min(size) // 2:
        start = np.random.default_rng(0).standard_normal(min(size))
        _, values, vectors = svds(matrix, k=features, v0=start)
    else:  # too many for a truncated one
        _, values, vectors = np.linalg.svd(matrix.toarray(), full_matrices=False)
        values, vectors = values[:features], vectors[:features]
    falling = np.argsort(-values, kind="stable")
    values, vectors = values[falling], vectors[falling]
    signs = np.sign(vectors[np.arange(len(vectors)), np.abs(vectors).argmax(axis=1)])
    x: Array = (vectors * (signs * np.sqrt(values))[:, None]).T
    longest = np.sqrt((x * x).sum(axis=1).max())
    return np.ascontiguousarray(x / (longest or 1.0), dtype=np.float32)


def _wishes(ratings: Ratings, new: Array, place: Array, x: Array, ridge: float) -> tuple[Array, Array, Array]:
    """Users who are tasks (K,), their w* (K, d), and their grades (K, n) float32 of all movies."""
    used = new & (place[ratings.movie] >= 0)
    order = np.flatnonzero(used)[np.argsort(ratings.user[used], kind="stable")]
    tested, begins = np.unique(ratings.user[order], return_index=True)
    exact = x.astype(float)
    penalty = ridge * np.einsum("nd,nd->n", exact, exact).mean() * np.eye(x.shape[1])
    weights, means = np.empty((len(tested), x.shape[1])), np.empty(len(tested))
    grades = np.empty((len(tested), len(x)), dtype=np.float32)
    pieces = np.split(order, begins[1:])
    for i, piece in enumerate(pieces):
        stars, seen = ratings.stars[piece].astype(float), exact[place[ratings.movie[piece]]]
        means[i] = stars.mean()
        if ridge > 0:
            weights[i] = np.linalg.solve(seen.T @ seen + penalty, seen.T @ (stars - means[i]))
        else:
            weights[i] = np.linalg.lstsq(seen, stars - means[i], rcond=None)[0]
    for i, piece in enumerate(pieces):
        imputed = np.floor(means[i] + exact @ weights[i] + 0.5)
        grades[i] = np.clip(imputed, LOWEST, HIGHEST)
        grades[i, place[ratings.movie[piece]]] = ratings.stars[piece]
    return tested, weights, grades
