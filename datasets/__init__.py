"""Data sets for learning from feedback: a catalogue, sizes known in advance, and the data.

>>> from datasets import catalogue, create, load
>>> [info.id for info in catalogue() if info.family == "ranking"]
['toy-ranking', 'graded-list', 'digits-search', 'web-search', 'one-list', 'letor-file', 'letor-folds', 'letor-split',
 'news-topics', 'function-search', 'movies', 'movielens-file', 'rated-movies', 'rated-movies-file', 'movielens']
>>> create("web-search", queries=28000, documents=23, features=700, precision="single").size()
Size(queries=28000, documents=23, features=700, bytes=1808576008)
>>> load("toy-ranking", documents=10).utility.shape
(1, 10)
"""

from typing import Any

from datasets import discovery
from datasets.base import Dataset
from datasets.check import check_dataset
from datasets.classification import ClassificationData, ClassificationDataset
from datasets.downloads.download import SOURCES, Cancelled, Source, download
from datasets.letor.file import read as read_letor
from datasets.multilabel import MultilabelData, MultilabelDataset
from datasets.own_code import OwnOrKnown
from datasets.own_code import OwnSource as OwnSource  # exported scripts take both from here
from datasets.own_code import take_sources as take_sources
from datasets.parameters import Info, Parameter, pick
from datasets.paths import data_folder, file_in
from datasets.ranking import RankingData, RankingDataset, Size
from datasets.tables.classification_file import read as read_classification
from datasets.tables.multilabel_file import read as read_multilabel
from datasets.user_files import find_files

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


def classes() -> dict[str, type[Dataset]]:
    """Return the class of each data set by id; its parameters can be inspected without building the data."""
    return OwnOrKnown(discovery.classes())


def catalogue() -> list[Info]:
    """Return an entry for each data set, with its id, title, family, parameters, summary and source."""
    return [c.info() for c in discovery.classes().values()]


def create(id: str | type[Dataset], **params: Any) -> Any:
    """Return a data set that is not built yet; its `size()` is already known.

    id : or a class of one's own, or what names it, such as "mine.py:Waves".

    Raises
    ------
    ValueError : for an unknown id or parameter, or a value that is not allowed.

    >>> create("toy-ranking", documents=1)
    Traceback (most recent call last):
    ValueError: documents must be a whole number in [2, 100], got 1
    """
    return pick(id, discovery.classes(), "data set", Dataset).make(**params)


def load(id: str | type[Dataset], **params: Any) -> Any:
    """Load the data of a data set; the same parameters give the same data.

    Raises
    ------
    ValueError : as for `create`, and for data that are too large or a file that cannot be read.
    """
    return create(id, **params).build()
