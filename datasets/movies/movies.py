"""Recommending one movie at a time, on made-up ratings with the shapes of MovieLens."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.movies.made import MadeRatings
from datasets.movies.recommendation import Recommendation, size_of
from datasets.parameters import integer
from datasets.ranking import Size


@dataclass(kw_only=True)
class Movies(Recommendation, MadeRatings):
    """Users who rated some of the movies with 1 to 5 stars, and who now want one movie after the other.

    `made.MadeRatings` says how the ratings are made.

    From the ratings come features, true weights and grades as `recommendation.recommendation` says: half of the
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

    data_seed: int = integer(0, 0, 2**31 - 1, help="Seed that draws the ratings and divides the users.")

    def size(self) -> Size:
        return size_of(self.users, self.movies, self.features)
