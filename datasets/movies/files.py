"""MovieLens files of your own: recommending one movie at a time to the users who rated them."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from datasets.movies.movies import size_of
from datasets.movies.recommendation import Ratings, recommendation
from datasets.movies.text import read
from datasets.parameters import integer, real, text
from datasets.ranking import RankingData, RankingDataset, Size
from datasets.user_files import data_folder, locate


@dataclass(kw_only=True)
class MovieRatings(RankingDataset):
    """What `movielens-file` and `movielens` have in common: real ratings, and how wishes are made of them."""

    features: int = integer(50, 1, 200, symbol="d", help="Numbers that describe a movie; try 5 to learn faster.")
    ridge: float = real(
        3.0, 0, 100, symbol="λ", step=0.5,
        help="How much the fit of a user's true weights is drawn to 0. At 0 it is plain least squares, which goes wild "
        "for users with about as many ratings as there are features.",
    )  # fmt: skip
    data_seed: int = integer(0, 0, 2**31 - 1, help="Seed that divides the users: one half gives the features.")

    def rated(self) -> Ratings:
        """The ratings themselves."""
        raise NotImplementedError

    def size(self) -> Size:
        """The size; the ratings are read for it."""
        ratings = self.rated()
        return size_of(len(ratings.user_names), len(ratings.names), self.features)

    def build(self) -> RankingData:
        return recommendation(self.id, self.params, self.rated(), self.features, self.ridge, self.data_seed)


@dataclass(kw_only=True)
class MovieLensFile(MovieRatings):
    """MovieLens 100K (u.data, u.item) or 1M (ratings.dat, movies.dat): a folder, the zip file, or the ratings' file.

    See `text.read` for what is allowed, and `recommendation.recommendation` for what is made of it.

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
    title = "MovieLens files of your own"
    summary = (
        "Ratings of real movies in the files of MovieLens 100K or 1M. One movie is recommended at each step to a user "
        "who rated some; a movie shown or chosen is not offered again."
    )
    paper = "Harper and Konstan, The MovieLens Datasets, ACM TiiS 5, 2015"
    section = "(the file format)"

    path: str = text(help="The zip file, u.data or ratings.dat; try a name from the folder FEEDBACK_LAB_DATA.")

    def rated(self) -> Ratings:
        found, folder = locate(self.path, "MovieLens folder or file"), data_folder()
        with contextlib.suppress(OSError, ValueError):  # no path: `read` says so
            found = folder / found if folder is not None and (folder / found).is_dir() else found.absolute()
        read_before: tuple[Path, Ratings] | None = getattr(self, "_read", None)
        if read_before is None or read_before[0] != found:
            read_before = self._read = (found, read(found))
        return read_before[1]
