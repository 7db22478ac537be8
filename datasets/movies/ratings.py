"""Movie ratings, and the base class of the data sets made from them."""

from dataclasses import dataclass

from datasets.base import Array
from datasets.ranking import RankingDataset

LOWEST, HIGHEST = 1, 5  # legal ratings, whole numbers


@dataclass(frozen=True, eq=False)
class Ratings:
    """E ratings of movies by users.

    user, movie, stars : (E,) integers; users and movies are numbered from 0, stars range from 1 to 5.
    names : the name of each movie, such as "Toy Story (1995) · Animation, Comedy".
    user_names : the name of each user.
    """

    user: Array
    movie: Array
    stars: Array
    names: tuple[str, ...]
    user_names: tuple[str, ...]


@dataclass(kw_only=True)
class FromRatings(RankingDataset):
    """A data set made from ratings."""

    def rated(self) -> Ratings:
        """Return the ratings."""
        raise NotImplementedError
