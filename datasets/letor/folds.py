"""Ranking data with a published split into training, validation and test queries, such as the folds of LETOR."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from datasets import file_cache
from datasets.base import Array
from datasets.guard import guarded
from datasets.letor.file import MeasuredFile, assembled, fitted
from datasets.letor.merge import merged
from datasets.letor.parts import source
from datasets.parameters import text
from datasets.ranking import RankingData

_VERSION = 2  # of the cached arrays; increase it whenever `merged` changes


@dataclass(kw_only=True)
class LetorFolds(MeasuredFile):
    """Queries with their published folds. `path` names a folder, a zip file, or any one of the files.

    Three layouts are supported, with plain or .gz files:

    - Folders Fold1 … Fold5, each with train.txt, vali.txt and test.txt. Every fold holds all queries, which are stored
      once and identified by their qid.
    - Parts S1.txt … S5.txt. As in LETOR, fold k trains on S_k, S_k+1 and S_k+2, validates on S_k+3 and tests on
      S_k+4, where numbers above 5 start again at 1.
    - A training file, a test file and optionally a validation file, which make one fold: train.txt and test.txt, or as
      in LightGBM rank.train and rank.test with query sizes next to them. Without a validation file there are no
      validation queries.

    The documents of a query are reordered as in `letor-file`. In learning to rank each replicate uses the next fold;
    other labs use all queries.

    Raises
    ------
    ValueError : from `size` and `build`, one sentence with the file's name and what is wrong. The limits of
        `file.read` hold for each file and for all together.

    Source: T. Qin, T.-Y. Liu, J. Xu and H. Li, LETOR: A benchmark collection for research on learning to rank for
    information retrieval, Information Retrieval 13, 2010, §3.4.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for k in range(1, 6):
    ...     _ = (folder / f"S{k}.txt").write_text(f"1 qid:{k} 1:1\\n0 qid:{k} 1:2\\n")
    >>> data = LetorFolds(path=str(folder)).build()
    >>> data.query_names, [part.tolist() for part in data.folds[1]]
    (('1', '2', '3', '4', '5'), [[1, 2, 3], [4], [0]])
    """

    id = "letor-folds"
    order = 50
    title = "Ranking files of your own, with folds"
    summary = (
        "Graded documents with a fixed split into training, validation and test queries: the folds of LETOR, or a "
        "training file with a test file. Learners are trained on one part and measured on another, so the results can "
        "be compared with published ones. Each replicate uses another fold."
    )
    paper = "Qin et al., LETOR, Information Retrieval 13, 2010"
    section = "§3.4 (the folds)"

    path: str = text(
        help="A folder or .zip with Fold1 … Fold5 or S1.txt … S5.txt, or a training file with a test file beside it."
    )

    what, form = "folder or file with folds", "folds"

    def parsed(self, path: Path) -> RankingData:
        return read(path)


@guarded
def read(path: Path, *, cached: bool = True) -> RankingData:
    """Read a data set with folds from a folder, a zip file, or one of its files; see `LetorFolds`.

    cached : whether the parsed arrays may be kept on disk under a key of the files' contents.
    """
    path = Path(path)
    with source(path) as files:
        name = file_cache.key(_VERSION, *files.contents(), **{f"folds_{files.layout.kind}": True}) if cached else None
        restore = partial(_data, path)
        return file_cache.through(name, lambda: fitted(merged(files), restore), restore)


def _data(path: Path, arrays: dict[str, Array]) -> RankingData:
    folds = tuple(
        (np.flatnonzero(row == 0), np.flatnonzero(row == 1), np.flatnonzero(row == 2)) for row in arrays["folds"]
    )
    return replace(assembled(LetorFolds.id, path, arrays), folds=folds)
