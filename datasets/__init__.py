"""Data sets for learning from feedback: what there is, how large it will be, and the data themselves.

>>> from datasets import catalogue, create, load
>>> [info.id for info in catalogue() if info.family == "ranking"]
['toy-ranking', 'digits-search', 'web-search', 'letor-file', 'letor-folds', 'news-topics', 'movies', 'movielens-file',
 'rated-movies', 'rated-movies-file', 'movielens']
>>> create("web-search", queries=28000, documents=23, features=700, precision="single").size()
Size(queries=28000, documents=23, features=700, bytes=1808576008)
>>> load("toy-ranking", documents=10).utility.shape
(1, 10)
"""

from __future__ import annotations

from typing import Any

from datasets.base import Dataset
from datasets.bundled.digits import Digits
from datasets.bundled.digits_search import DigitsSearch
from datasets.bundled.small_tables import BreastCancer, Wine
from datasets.check import check_dataset
from datasets.classification import ClassificationData, ClassificationDataset
from datasets.downloads.sources import DOWNLOADS, SOURCES, Cancelled, Source, download
from datasets.folders import data_folder, file_in, find_files
from datasets.letor.file import LetorFile
from datasets.letor.file import read as read_letor
from datasets.letor.folds import LetorFolds
from datasets.made.blobs import Blobs
from datasets.made.moons import Moons
from datasets.made.multilabel_synthetic import MultilabelSynthetic
from datasets.made.rings import Rings
from datasets.made.separable_points import SeparablePoints
from datasets.made.synsep import SynNonSep, SynSep
from datasets.made.toy_ranking import ToyRanking
from datasets.made.web_search import WebSearch
from datasets.movies.movies import Movies
from datasets.movies.movies_file import MovieLensFile
from datasets.movies.rated_movies import RatedMovies, RatedMoviesFile
from datasets.multilabel import MultilabelData, MultilabelDataset
from datasets.news.news_topics import NewsTopics
from datasets.parameters import Info, Parameter, pick
from datasets.ranking import RankingData, RankingDataset, Size
from datasets.tables.classification_file import ClassificationFile
from datasets.tables.classification_file import read as read_classification
from datasets.tables.multilabel_file import MultilabelFile
from datasets.tables.multilabel_file import read as read_multilabel

__all__ = [
    "SOURCES",
    "Cancelled",
    "ClassificationData",
    "ClassificationDataset",
    "Dataset",
    "Info",
    "MultilabelData",
    "MultilabelDataset",
    "Parameter",
    "RankingData",
    "RankingDataset",
    "Size",
    "Source",
    "catalogue",
    "check_dataset",
    "classes",
    "create",
    "data_folder",
    "download",
    "file_in",
    "find_files",
    "load",
    "read_classification",
    "read_letor",
    "read_multilabel",
]

_ALL: tuple[type[Dataset], ...] = (
    ToyRanking,
    DigitsSearch,
    WebSearch,
    LetorFile,
    LetorFolds,
    NewsTopics,
    Movies,
    MovieLensFile,
    RatedMovies,
    RatedMoviesFile,
    SynSep,
    SynNonSep,
    Digits,
    SeparablePoints,
    Moons,
    Blobs,
    Rings,
    Wine,
    BreastCancer,
    MultilabelSynthetic,
    MultilabelFile,
    ClassificationFile,
    *DOWNLOADS.values(),
)
_CLASSES: dict[str, type[Dataset]] = {c.id: c for c in _ALL}


def classes() -> dict[str, type[Dataset]]:
    """The class of each data set, by id, whose parameters can be asked for without building it."""
    return dict(_CLASSES)


def catalogue() -> list[Info]:
    """What data sets there are: id, title, family, parameters, summary and source of each."""
    return [c.info() for c in _CLASSES.values()]


def create(id: str, **params: Any) -> Any:
    """A data set that is not built yet, of which `size()` can be asked.

    Raises
    ------
    ValueError : for an unknown id or parameter, or a value that is not allowed.

    >>> create("toy-ranking", documents=1)
    Traceback (most recent call last):
    ValueError: documents must be a whole number in [2, 100], got 1
    """
    return pick(id, _CLASSES, "data set").make(**params)


def load(id: str, **params: Any) -> Any:
    """The data of a data set; the same parameters give the same data.

    Raises
    ------
    ValueError : as `create`, and for data that are too large or a file that cannot be read.
    """
    return create(id, **params).build()
