"""Recommending one movie at a time, on made-up ratings with the shapes of MovieLens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.base import Array
from datasets.movies.recommendation import HIGHEST, LOWEST, Ratings, recommendation
from datasets.parameters import integer, real
from datasets.ranking import RankingData, RankingDataset, Size

GENRES = (
    "Action", "Adventure", "Animation", "Children's", "Comedy", "Crime", "Documentary", "Drama", "Fantasy", "Film-Noir",
    "Horror", "Musical", "Mystery", "Romance", "Sci-Fi", "Thriller", "War", "Western",
)  # fmt: skip
TASTES = 20  # numbers that describe a movie and a user's taste
LEAST = 20  # movies that everybody rated at least, as in MovieLens
_ROWS = 256  # users who are drawn at a time


def size_of(users: int, movies: int, features: int) -> Size:
    """About the size of recommendation data: features, grades and utilities of half of the users."""
    tasks = users - users // 2
    return Size(1, movies, features, 4 * movies * features + (4 + 8) * tasks * movies + 8 * tasks * features)


@dataclass(kw_only=True)
class Movies(RankingDataset):
    """Users who rated some of the movies with 1 to 5 stars, and who now want one movie after the other.

    A movie has one to three genres and a vector of `TASTES` numbers, the mean of its genres' vectors and one of its own;
    a user likes some directions and not others. A rating is 3.6 + how mild the user is + how good the movie is + how
    well both fit + normal noise, rounded to 1 … 5. A few movies are rated by most, good ones more than bad ones, and
    everybody rated at least twenty, most a few times as many, some very many.

    From the ratings come features, true weights and grades as `datasets.movies.recommendation.recommendation` says: half of the
    users give the features, the others are the tasks. There is one query, all movies, with a single slot: one movie is
    shown. A movie shown or chosen is not offered again; when fewer than two are left, the user starts anew.

    Raises
    ------
    ValueError : for a parameter that is out of its range; from `build` for more features than half of the users.

    Source: stands in for MovieLens, P. Shivaswamy and T. Joachims, Coactive Learning, JAIR 53, 2015, §6.1.2.

    >>> data = Movies(users=60, movies=80, ratings=30, features=5).build()
    >>> data.tasks, data.dimension, data.slots, data.consumable, data.longest == len(data.document_names)
    (30, 5, 1, True, True)
    """

    id = "movies"
    order = 70
    title = "Movies, one at a time (synthetic)"
    summary = (
        "Made-up ratings with the shapes of MovieLens. One movie is recommended at each step to a user who has rated "
        "some and would like others; a movie shown or chosen is not offered again."
    )
    paper = "after Shivaswamy and Joachims, Coactive Learning, JAIR 53, 2015"
    section = "§6.1.2"

    users: int = integer(
        943, 20, 6040, help="Users who rated movies. MovieLens 100K has 943, 1M has 6040; half of them are simulated."
    )
    movies: int = integer(1682, 30, 3900, help="Movies; MovieLens 100K has 1682, 1M has 3900.")
    ratings: int = integer(
        106, 20, 500, help="Mean number of ratings of a user; MovieLens 100K has 106, 1M has 166. Fewer blur w*."
    )
    features: int = integer(50, 1, 200, symbol="d", help="Numbers that describe a movie; try 5 to learn faster.")
    ridge: float = real(
        3.0, 0, 100, symbol="λ", step=0.5,
        help="How much the fit of a user's true weights is drawn to 0. At 0 it is plain least squares, which goes wild "
        "for users with about as many ratings as there are features; from 3 to 30 it predicts new ratings best.",
    )  # fmt: skip
    rating_noise: float = real(0.7, 0, 3, help="Standard deviation of the noise in a rating, in stars; try 0.")
    data_seed: int = integer(0, 0, 2**31 - 1, help="Seed that draws the ratings and divides the users.")

    def size(self) -> Size:
        return size_of(self.users, self.movies, self.features)

    def build(self) -> RankingData:
        return recommendation(self.id, self.params, self.rated(), self.features, self.ridge, self.data_seed)

    def rated(self) -> Ratings:
        """The ratings themselves."""
        rng = np.random.default_rng([self.data_seed, 0])
        names, taste = self._movies(rng)
        quality = 0.45 * rng.standard_normal(self.movies)
        popularity = 1.2 * rng.standard_normal(self.movies) + 1.5 * quality
        mild = 0.4 * rng.standard_normal(self.users)
        likes = 0.6 * rng.standard_normal((self.users, TASTES)) / np.sqrt(TASTES)
        # log-normal beyond the least, with the mean asked for; nobody rated more than all
        spread = np.exp(1.0 * rng.standard_normal(self.users) - 0.5)
        counts = LEAST + np.floor((self.ratings - LEAST) * spread + 0.5).astype(int)
        counts = np.clip(counts, LEAST, self.movies)
        users, movies, stars = [], [], []
        for a in range(0, self.users, _ROWS):
            some = slice(a, a + _ROWS)
            # the movies of highest popularity plus Gumbel noise: a weighted sample without repetition
            key = popularity + rng.gumbel(size=(len(counts[some]), self.movies))
            falling = np.argsort(-key, axis=1)
            chosen = np.sort(np.where(np.arange(self.movies) < counts[some, None], falling, self.movies), axis=1)
            user, at = np.nonzero(chosen < self.movies)
            movie = chosen[user, at]
            fit = (likes[some] @ taste.T)[user, movie]
            score = 3.6 + mild[some][user] + quality[movie] + fit + self.rating_noise * rng.standard_normal(len(user))
            users.append(a + user)
            movies.append(movie)
            stars.append(np.clip(np.floor(score + 0.5), LOWEST, HIGHEST).astype(int))
        people = tuple(f"user {i + 1}" for i in range(self.users))
        return Ratings(np.concatenate(users), np.concatenate(movies), np.concatenate(stars), names, people)

    def _movies(self, rng: np.random.Generator) -> tuple[tuple[str, ...], Array]:
        """Names of the movies, and their vectors (movies, TASTES) of mean square 1 a number."""
        genre = rng.standard_normal((len(GENRES), TASTES))
        count = rng.choice(3, size=self.movies, p=(0.4, 0.4, 0.2)) + 1
        order = rng.random((self.movies, len(GENRES))).argsort(axis=1)
        has = np.zeros(order.shape, dtype=bool)
        np.put_along_axis(has, order, np.arange(len(GENRES)) < count[:, None], axis=1)
        taste = (has @ genre) / np.sqrt(count)[:, None] + 0.7 * rng.standard_normal((self.movies, TASTES))
        years = 2000 - rng.geometric(0.08, size=self.movies).clip(1, 80)
        names = tuple(
            f"Movie {j + 1} ({years[j]}) · {', '.join(g for g, there in zip(GENRES, has[j], strict=True) if there)}"
            for j in range(self.movies)
        )
        return names, taste / np.sqrt((taste**2).mean())
