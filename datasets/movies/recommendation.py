"""Turn movie ratings into one-item recommendation: half of the users determine the features, the others are tasks.

This follows [C] §6.1.2, both for synthetic ratings and for MovieLens.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.base import Array
from datasets.movies.ratings import HIGHEST, LOWEST, FromRatings, Ratings
from datasets.parameters import integer, real
from datasets.ranking import RankingData, Size

ROUNDS = 10  # times the number of rows or columns, after which the search for singular vectors gives up


def size_of(users: int, movies: int, features: int) -> Size:
    """Return the approximate size of recommendation data: features, grades and utilities of half of the users."""
    tasks = users - users // 2
    return Size(1, movies, features, 4 * movies * features + (4 + 8) * tasks * movies + 8 * tasks * features)


@dataclass(kw_only=True)
class Recommendation(FromRatings):
    """A data set for recommending one movie at a time."""

    features: int = integer(50, 1, 200, symbol="d", help="Number of features of a movie; try 5 to learn faster.")
    ridge: float = real(
        3.0, 0, 100, symbol="λ", step=0.5,
        help="Regularisation of the fit of a user's true weights. At 0 it is plain least squares, which overfits users "
        "with about as many ratings as there are features; values from 3 to 30 predict new ratings best.",
    )  # fmt: skip
    data_seed: int = integer(
        0, 0, 2**31 - 1, rare=True, help="Seed that splits the users into halves; one half determines the features."
    )

    def size(self) -> Size:
        """Return the size; this reads the ratings."""
        ratings = self.rated()
        return size_of(len(ratings.user_names), len(ratings.names), self.features)

    def build(self) -> RankingData:
        return recommendation(self.id, self.params, self.rated(), self.features, self.ridge, self.data_seed)


def recommendation(
    id: str, params: dict[str, Any], ratings: Ratings, features: int, ridge: float, data_seed: int
) -> RankingData:
    """Return ranking data in which each user of the second half is a task.

    1. Split the users into two halves at random. The ratings of the first half, minus each user's mean and 0 where
       missing, are ≈ P Σ Qᵀ by a truncated SVD. The features of movie j are row j of Q Σ^½, scaled so that the longest
       row has length 1. They do not depend on the second half.
    2. For a user of the second half, w* is a least-squares fit on the features. The targets are the user's ratings of
       movies with features, minus their mean, and the penalty is λ ‖w‖² with λ = `ridge` · mean ‖x‖². For `ridge` = 0
       it is the fit of smallest norm.
    3. The grade of a movie is the user's rating, or where it is missing the prediction mean + w* · x, rounded to the
       nearest legal rating.

    The candidates are all movies rated by somebody of the first half; the others have no features.

    Raises
    ------
    ValueError : for more features than the ratings of the first half allow, in one sentence.

    Source: Shivaswamy and Joachims, Coactive Learning, JAIR 53, 2015, §6.1.2. Their features come from a regularised
    factorisation (Bell and Koren, ICDM 2007, Eq. 15) with cross-validated dimension and regularisation.
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
            f"features must be at most {max(most, 0)} for these ratings, got {features}: the first half has "
            f"{int(first.sum())} users, who rated {len(known)} movies"
        )
    x = _embedding(ratings, old, place, features)
    notes = [f"features come from {int(first.sum())} users, the other {users - int(first.sum())} are the tasks"]
    if len(known) < len(ratings.names):
        notes.append(f"left out {len(ratings.names) - len(known)} movies that nobody of the first half rated")
    tested, weights, grades = _utilities(ratings, ~old, place, x, ridge)
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
    """Return (n, d) float32 features of the candidate movies, from the ratings selected by `old` (E,) bool alone."""
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import ArpackNoConvergence, svds

    user, movie, stars = ratings.user[old], place[ratings.movie[old]], ratings.stars[old].astype(float)
    rows, user = np.unique(user, return_inverse=True)
    mean = np.bincount(user, stars) / np.bincount(user)
    size = len(rows), int(movie.max()) + 1
    matrix = csr_array((stars - mean[user], (user, movie)), shape=size)
    features = min(features, min(size))
    if features < min(size) // 2:
        start = np.random.default_rng(0).standard_normal(min(size))
        try:
            _, values, vectors = svds(matrix, k=features, v0=start, maxiter=ROUNDS * min(size))
        except ArpackNoConvergence:
            raise ValueError(f"no {features} features could be found in these ratings; lower features") from None
    else:  # too many singular vectors for the truncated SVD
        _, values, vectors = np.linalg.svd(matrix.toarray(), full_matrices=False)
        values, vectors = values[:features], vectors[:features]
    descending = np.argsort(-values, kind="stable")
    values, vectors = values[descending], vectors[descending]
    signs = np.sign(vectors[np.arange(len(vectors)), np.abs(vectors).argmax(axis=1)])
    x: Array = (vectors * (signs * np.sqrt(values))[:, None]).T
    longest = np.sqrt((x * x).sum(axis=1).max())
    return np.ascontiguousarray(x / (longest or 1.0), dtype=np.float32)


def _utilities(ratings: Ratings, new: Array, place: Array, x: Array, ridge: float) -> tuple[Array, Array, Array]:
    """Return the users who are tasks (K,), their w* (K, d), and their grades (K, n) float32 of all movies."""
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
