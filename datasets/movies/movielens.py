"""MovieLens, downloaded from files.grouplens.org on request."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import numpy as np

from datasets.base import Array
from datasets.downloads.base import Download, folder
from datasets.movies.ratings import Ratings
from datasets.movies.recommendation import Recommendation
from datasets.movies.text import read
from datasets.parameters import choice

URL = "https://files.grouplens.org/datasets/movielens/{}.zip"
MD5 = {"ml-100k": "0e33842e24a9c977be4e0107933c0723", "ml-1m": "c4d9eecfca2ab87c1945afe126590906"}
"""Checksums published by GroupLens next to the files."""
_LARGEST = 50_000_000  # bytes
_PIECE = 1 << 18


@dataclass(kw_only=True)
class MovieLens(Download, Recommendation):
    """MovieLens 100K (943 users, 1682 movies) or 1M (6040 users, 3883 movies), as GroupLens distributes it.

    The checksum of the download must be the published one. `recommendation.recommendation` prepares the ratings.

    Source: F. M. Harper and J. A. Konstan, The MovieLens Datasets, ACM TiiS 5, 2015.

    >>> MovieLens(edition="ml-1m").label
    'movielens ml-1m'
    """

    id = "movielens"
    order = 260
    judged_by = "titles"
    title = "MovieLens"
    summary = (
        "Movie ratings by the users of movielens.org, the data of the paper. At each step one movie is recommended. "
        "The data are downloaded once, on your request."
    )
    paper = "Harper and Konstan, The MovieLens Datasets, ACM TiiS 5, 2015"
    server = "grouplens.org"

    edition: str = choice(
        "ml-100k", ("ml-100k", "ml-1m"), named=True,
        help="ml-100k has 100,000 ratings by 943 users; ml-1m, the paper's, a million by 6040.",
    )  # fmt: skip

    @property
    def label(self) -> str:
        return f"movielens {self.edition}"

    @property
    def file(self) -> Path:
        return folder() / f"movielens-{self.edition}.npz"

    @property
    def arguments(self) -> dict[str, Any]:
        return {"edition": self.edition} if self.edition != "ml-100k" else {}

    def fetch(self, home: Path) -> dict[str, Array]:
        packed = home / f"{self.edition}.zip"
        digest, total = hashlib.md5(usedforsecurity=False), 0
        request = Request(URL.format(self.edition), headers={"User-Agent": "feedback-lab"})
        with urlopen(request) as answer, packed.open("wb") as file:
            while piece := answer.read(_PIECE):
                digest.update(piece)
                file.write(piece)
                total += len(piece)
                if total > _LARGEST:
                    raise ValueError(f"{self.label} is larger than it should be, so it was not kept")
        if digest.hexdigest() != MD5[self.edition]:
            raise ValueError("the checksum is not the one that GroupLens publishes")
        ratings = read(packed)
        packed.unlink()
        return {
            "table": np.stack([ratings.user, ratings.movie, ratings.stars]).astype(np.int32),
            "names": np.array(ratings.names, dtype=str),
            "user_names": np.array(ratings.user_names, dtype=str),
            "size": np.array([len(ratings.user_names), len(ratings.names), len(ratings.user)]),
        }

    def rated(self) -> Ratings:
        arrays = self._read()
        names = tuple(arrays["names"].tolist()), tuple(arrays["user_names"].tolist())
        user, movie, stars = arrays["table"].astype(np.int64)
        return Ratings(user, movie, stars, *names)
