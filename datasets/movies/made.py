"""Synthetic movie ratings of the same shape as MovieLens."""

from dataclasses import dataclass

import numpy as np

from datasets.base import Array
from datasets.movies.ratings import HIGHEST, LOWEST, FromRatings, Ratings
from datasets.parameters import integer, real

GENRES = (
    "Action", "Adventure", "Animation", "Children's", "Comedy", "Crime", "Documentary", "Drama", "Fantasy", "Film-Noir",
    "Horror", "Musical", "Mystery", "Romance", "Sci-Fi", "Thriller", "War", "Western",
)  # fmt: skip
TASTES = 20  # dimension of the vectors that describe movies and users
LEAST = 20  # smallest number of ratings of a user, as in MovieLens
_ROWS = 256  # users drawn at a time


@dataclass(kw_only=True)
class MadeRatings(FromRatings):
    """Users who each rated some of the movies with 1 to 5 stars.

    A movie has one to three genres and a vector of `TASTES` numbers, which combines the vectors of its genres with one
    of its own. A user has a vector of likes of the same length. A rating is 3.6 + the user's mildness + the movie's
    quality + the product of both vectors + normal noise, rounded to 1 … 5. A few movies are rated by most users, good
    ones more often than bad ones. Every user has at least twenty ratings, most a few times as many, some very many.
    """

    users: int = integer(
        943, 20, 6040, help="Users who rated movies; MovieLens 100K has 943, 1M has 6040. Half of them are simulated."
    )
    movies: int = integer(1682, 30, 3900, help="Number of movies; MovieLens 100K has 1682, 1M has 3900.")
    ratings: int = integer(
        106, 20, 500, help="Mean number of ratings per user; MovieLens 100K has 106, 1M has 166. Fewer blur w*."
    )
    rating_noise: float = real(0.7, 0, 3, help="Standard deviation of the noise in a rating, in stars; try 0.")

    data_seed: int = integer(0, 0, 2**31 - 1, rare=True, help="Seed of the ratings and of the split of the users.")

    def rated(self) -> Ratings:
        rng = np.random.default_rng([self.data_seed, 0])
        names, taste = self.movies_and_tastes(rng)
        quality = 0.45 * rng.standard_normal(self.movies)
        popularity = 1.2 * rng.standard_normal(self.movies) + 1.5 * quality
        mild = 0.4 * rng.standard_normal(self.users)
        likes = 0.6 * rng.standard_normal((self.users, TASTES)) / np.sqrt(TASTES)
        # log-normal above the minimum, with the requested mean, and at most all movies
        spread = np.exp(1.0 * rng.standard_normal(self.users) - 0.5)
        counts = LEAST + np.floor((self.ratings - LEAST) * spread + 0.5).astype(int)
        counts = np.clip(counts, LEAST, self.movies)
        users, movies, stars = [], [], []
        for a in range(0, self.users, _ROWS):
            some = slice(a, a + _ROWS)
            # the largest values of popularity plus Gumbel noise are a weighted sample without replacement
            key = popularity + rng.gumbel(size=(len(counts[some]), self.movies))
            descending = np.argsort(-key, axis=1)
            chosen = np.sort(np.where(np.arange(self.movies) < counts[some, None], descending, self.movies), axis=1)
            user, at = np.nonzero(chosen < self.movies)
            movie = chosen[user, at]
            fit = (likes[some] @ taste.T)[user, movie]
            score = 3.6 + mild[some][user] + quality[movie] + fit + self.rating_noise * rng.standard_normal(len(user))
            users.append(a + user)
            movies.append(movie)
            stars.append(np.clip(np.floor(score + 0.5), LOWEST, HIGHEST).astype(int))
        people = tuple(f"user {i + 1}" for i in range(self.users))
        return Ratings(np.concatenate(users), np.concatenate(movies), np.concatenate(stars), names, people)

    def movies_and_tastes(self, rng: np.random.Generator) -> tuple[tuple[str, ...], Array]:
        """Draw the movies' names and their vectors (movies, TASTES), whose entries have mean square 1."""
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
