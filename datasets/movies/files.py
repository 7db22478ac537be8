"""Your own MovieLens files, to recommend one movie at a time or to rank the movies of each user."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from datasets.movies.made import GENRES
from datasets.movies.rated_movies import RatedRanking
from datasets.movies.ratings import FromRatings, Ratings
from datasets.movies.recommendation import Recommendation
from datasets.movies.text import read
from datasets.own_file import OwnFile
from datasets.parameters import text
from datasets.ranking import Size


@dataclass(kw_only=True)
class RatingsFile(FromRatings, OwnFile):
    """Ratings from MovieLens files; see `text.read` for formats and limits."""

    path: str = text(help="The zip file, u.data or ratings.dat; try a name from the folder FEEDBACK_LAB_DATA.")

    what, form = "MovieLens folder or file", "movies"

    def read(self, path: Path) -> Ratings:
        return read(path.absolute())

    def rated(self) -> Ratings:
        found: Ratings = self.content()
        return found


@dataclass(kw_only=True)
class MovieLensFile(Recommendation, RatingsFile):
    """MovieLens 100K (u.data, u.item) or 1M (ratings.dat, movies.dat) from a folder, a zip file, or the ratings file.

    See `text.read` for the limits, and `recommendation.recommendation` for how the ratings are prepared.

    Raises
    ------
    ValueError : from `size` and `build`, one sentence with the file's name, the line and what is wrong.

    Source: F. M. Harper and J. A. Konstan, The MovieLens Datasets, ACM TiiS 5, 2015; used as in P. Shivaswamy and T.
    Joachims, Coactive Learning, JAIR 53, 2015, §6.1.2.

    >>> MovieLensFile(path="").build()
    Traceback (most recent call last):
    ValueError: path must name a MovieLens folder or file, got an empty text
    """

    id = "movielens-file"
    order = 80
    judged_by = "titles"
    title = "MovieLens files of your own"
    summary = (
        "Real movie ratings in the files of MovieLens 100K or 1M. At each step one movie is recommended to a user who "
        "has rated some; a movie that was shown or chosen is not offered again."
    )
    paper = "Harper and Konstan, The MovieLens Datasets, ACM TiiS 5, 2015"
    section = "(the file format)"


@dataclass(kw_only=True)
class RatedMoviesFile(RatedRanking, RatingsFile):
    """Your own files of MovieLens 100K or 1M, prepared by `rated_movies.rated`.

    Raises
    ------
    ValueError : from `size` and `build`, one sentence that says what is wrong with the file, or that too few users or
        ratings are left.

    >>> RatedMoviesFile(path="").build()
    Traceback (most recent call last):
    ValueError: path must name a MovieLens folder or file, got an empty text
    """

    id = "rated-movies-file"
    order = 100
    judged_by = "titles"
    title = "Rated movies from MovieLens files of your own"
    summary = (
        "Real movie ratings in the files of MovieLens 100K or 1M. Each user is a query whose rated movies are to be "
        "ranked; the base ranker is a collaborative filter that knows twenty other users."
    )
    paper = "Harper and Konstan, The MovieLens Datasets, ACM TiiS 5, 2015"
    section = "(the file format)"

    def size(self) -> Size:
        ratings = self.rated()
        genres = {genre for name in ratings.names for genre in name.rpartition(" · ")[2].split(", ")}
        features = max(len(GENRES), len(genres)) + 2
        users, longest = len(ratings.user_names), int(np.bincount(ratings.user).max())
        return Size(max(users - self.training, 0), longest, features, len(ratings.user) * (4 * features + 3 * 8 + 60))
