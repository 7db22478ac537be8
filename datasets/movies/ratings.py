"""Ratings of movies, and what all data sets that are made of them have in common."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.base import Array
from datasets.ranking import RankingDataset

LOWEST, HIGHEST = 1, 5  # legal ratings, whole numbers


@dataclass(frozen=True, eq=False)
class Ratings:
    """E ratings: numbers of users and of movies, both counted from 0, and stars from 1 to 5.

    user, movie, stars : (E,) integers. names : of each movie, such as "Toy Story (1995) · Animation, Comedy".
    user_names : of each user.
    """

    user: Array
    movie: Array
    stars: Array
    names: tuple[str, ...]
    user_names: tuple[str, ...]


@dataclass(kw_only=True)
class FromRatings(RankingDataset):
    """A data set that is made of ratings."""

    def rated(self) -> Ratings:
        """Return the ratings themselves."""
        raise NotImplementedError
