"""Recommend one movie at a time, on synthetic ratings of the same shape as MovieLens."""

from dataclasses import dataclass

from datasets.movies.made import MadeRatings
from datasets.movies.recommendation import Recommendation, size_of
from datasets.parameters import integer
from datasets.ranking import Size


@dataclass(kw_only=True)
class Movies(Recommendation, MadeRatings):
    """Users who rated some of the movies with 1 to 5 stars and now want one movie after another.

    `made.MadeRatings` describes how the ratings are drawn, and `recommendation.recommendation` how features, true
    weights and grades are computed from them: half of the users determine the features, the others are the tasks. The
    only query offers all movies and has a single slot, so one movie is shown. A movie that was shown or chosen is not
    offered again; when fewer than two are left, the user starts afresh.

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
    judged_by = "titles"
    title = "Movies, one at a time (synthetic)"
    summary = (
        "Synthetic ratings of the same shape as MovieLens. At each step one movie is recommended to a user who has "
        "rated some and would like others; a movie that was shown or chosen is not offered again."
    )
    paper = "after Shivaswamy and Joachims, Coactive Learning, JAIR 53, 2015"
    section = "§6.1.2"

    data_seed: int = integer(0, 0, 2**31 - 1, rare=True, help="Seed of the ratings and of the split of the users.")

    def size(self) -> Size:
        return size_of(self.users, self.movies, self.features)
