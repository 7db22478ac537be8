"""Rank the movies that each user rated: ranking refinement for a recommender system ([V] §4.4.5)."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.base import Array
from datasets.movies.made import GENRES, MadeRatings
from datasets.movies.personality_diagnosis import predict
from datasets.movies.ratings import LOWEST, FromRatings, Ratings
from datasets.parameters import integer, real
from datasets.ranking import RankingData, Size


@dataclass(kw_only=True)
class RatedRanking(FromRatings):
    """Ratings as ranking data: each user who is not a training user is a query whose documents are movies."""

    training: int = integer(
        20, 1, 1000, help="Users whose ratings the collaborative filter knows; the dissertation uses 20."
    )
    known: int = integer(
        10, 1, 100, help="Ratings of every other user that the filter knows; those movies are not ranked."
    )
    spread: float = real(
        2.5,
        0.1,
        10,
        symbol="σ",
        step=0.1,
        help="Noise of a rating that the filter assumes, in stars. With less noise it relies more on the training "
        "users with similar ratings. Try 0.5.",
    )
    data_seed: int = integer(
        0, 0, 2**31 - 1, rare=True, help="Seed that picks the training users and the known ratings."
    )

    def keywords_of(self) -> Array | None:
        """Return which keywords describe each movie, (movies, K) ones and zeros, or None."""
        return None

    def build(self) -> RankingData:
        return rated(
            self.id,
            self.params,
            self.rated(),
            self.training,
            self.known,
            self.spread,
            self.data_seed,
            self.keywords_of(),
        )


@dataclass(kw_only=True)
class RatedMovies(RatedRanking, MadeRatings):
    """The synthetic ratings of `movies`, prepared by `rated`.

    Besides genres and a year a movie has keywords. A keyword stands for a direction in the space of the movies' vectors
    (see `made.MadeRatings`), and belongs to the fifth of the movies that lie farthest in that direction.

    Raises
    ------
    ValueError : for a parameter that is out of its range; from `build` if too few users or ratings are left.

    Source: stands in for MovieLens as used in H. Valizadegan, Boosting and Online Learning for Classification and
    Ranking, Michigan State University, 2010, §4.4.

    >>> data = RatedMovies(users=60, movies=80, ratings=30).build()
    >>> data.queries, data.dimension, int(data.lengths.min()) >= 10, data.base.shape == data.grades[0].shape
    (40, 51, True, True)
    """

    id = "rated-movies"
    order = 90
    judged_by = "titles"
    title = "Rated movies (synthetic)"
    summary = (
        "Synthetic ratings of the same shape as MovieLens. Each user is a query whose rated movies are to be ranked. "
        "The base ranker is a collaborative filter that knows twenty other users; the features are genres, year and "
        "keywords."
    )
    paper = "after Valizadegan, Boosting and Online Learning for Classification and Ranking, 2010"
    section = "§4.4"

    users: int = integer(943, 22, 6040, help="Users who rated movies, including the training users; MovieLens has 943.")
    keywords: int = integer(
        32, 0, 100, help="Keywords that describe the movies, each given to a fifth of them; the dissertation has 32."
    )

    def size(self) -> Size:
        features = len(GENRES) + 1 + self.keywords
        rows = self.ratings * self.users
        return Size(self.users - self.training, self.movies, features, rows * (4 * features + 3 * 8 + 60))

    def keywords_of(self) -> Array:
        _, taste = self.movies_and_tastes(np.random.default_rng([self.data_seed, 0]))  # the same as in `MadeRatings`
        directions = np.random.default_rng([self.data_seed, 4]).standard_normal((taste.shape[1], self.keywords))
        projections = np.einsum("mt,tk->mk", taste, directions)
        return np.asarray(projections > np.quantile(projections, 0.8, axis=0), dtype=np.float32)


def rated(
    id: str,
    params: dict[str, Any],
    ratings: Ratings,
    training: int,
    known: int,
    sigma: float,
    data_seed: int,
    keywords: Array | None = None,
) -> RankingData:
    """Return ranking data in which each user who is not a training user is a query.

    1. Draw `training` users at random, and `known` ratings of every other user. From these and the training users'
       ratings, Personality Diagnosis predicts the remaining ratings. Its predictions are the base ranker.
    2. The documents of a query are the movies that the user rated, except those known to the filter. Their grades are
       the stars minus one, so that one star is irrelevant. Users with fewer than two such movies are left out.
    3. Features are the genres, 1 or 0, the year the movie came out, in decades since the earliest (the mean where the
       title has none), and the `keywords` (movies, K) if given. They do not depend on the ratings.

    Raises
    ------
    ValueError : if all users would be training users, or if nobody rated enough movies, in one sentence.

    Source: Valizadegan 2010, §4.4.1, with 20 training users and 10 ratings; the features there are 19 genres and 32
    keywords (§1.6.2). It says that one star is the best rating; in MovieLens, and here, five stars are.
    """
    users = len(ratings.user_names)
    if training > users - 1:
        raise ValueError(f"training must be less than the number of users, {users}, got {training}")
    order = np.random.default_rng([data_seed, 2]).permutation(users)
    content, names = _content(ratings.names)
    if keywords is not None and keywords.shape[1]:
        content, names = np.column_stack([content, keywords]), [*names, f"{keywords.shape[1]} keywords"]
    table = np.full((training, len(ratings.names)), np.nan)
    place = np.full(users, -1)
    place[order[:training]] = np.arange(training)
    trained = place[ratings.user] >= 0
    table[place[ratings.user[trained]], ratings.movie[trained]] = ratings.stars[trained]

    rows = np.lexsort((ratings.movie, ratings.user))
    starts = np.searchsorted(ratings.user[rows], np.arange(users + 1))
    draws = np.random.default_rng([data_seed, 3]).random(len(rows))
    kept: list[Array] = []
    base: list[Array] = []
    tested = []
    for user in np.sort(order[training:]):
        own = rows[starts[user] : starts[user + 1]]
        if len(own) < known + 2:
            continue
        shuffled = own[np.argsort(draws[starts[user] : starts[user + 1]], kind="stable")]
        known_rows, ranked_rows = shuffled[:known], np.sort(shuffled[known:])
        known_stars = np.full(len(ratings.names), np.nan)
        known_stars[ratings.movie[known_rows]] = ratings.stars[known_rows]
        base.append(predict(table, known_stars, sigma)[ratings.movie[ranked_rows]])
        kept.append(ranked_rows)
        tested.append(int(user))
    if not tested:
        raise ValueError(f"no user rated {known + 2} movies or more, so there is nothing to rank; take a smaller known")
    notes = [f"{training} training users and {known} ratings of each other user made the base ranker's predictions"]
    if len(tested) < users - training:
        notes.append(f"left out {users - training - len(tested)} users who rated fewer than {known + 2} movies")
    notes.append(f"features are {', '.join(names)}")
    documents = np.concatenate(kept)
    return RankingData(
        id=id,
        params=params,
        features=content[ratings.movie[documents]],
        starts=np.concatenate([[0], np.cumsum([len(k) for k in kept])]),
        grades=(ratings.stars[documents] - LOWEST).astype(float)[None],
        query_names=tuple(ratings.user_names[u] for u in tested),
        notes=tuple(notes),
        document_names=tuple(ratings.names[m] for m in ratings.movie[documents]),
        base=np.concatenate(base),
        base_name="Personality Diagnosis",
    )


def _content(names: tuple[str, ...]) -> tuple[Array, list[str]]:
    """Return the features (movies, d) float32 of movies named like "Toy Story (1995) · Animation, Comedy".

    Also return the names of the features, which are the genres and the year.
    """
    genres = [set(name.rpartition(" · ")[2].split(", ")) if " · " in name else set() for name in names]
    there = sorted(set().union(*genres)) or ["none"]
    found = [re.search(r"\((\d{4})\)", name) for name in names]
    years = np.array([float(year[1]) if year else np.nan for year in found])
    if np.isnan(years).all():
        years = np.zeros(len(names))
    years = np.where(np.isnan(years), np.nanmean(years), years)
    flags = np.array([[genre in own for genre in there] for own in genres], dtype=np.float32)
    return np.column_stack([flags, (years - years.min()) / 10]).astype(np.float32), [*there, "year"]
