"""One fold of ranking data: its training queries to learn on, and its test queries to measure on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from datasets import file_cache
from datasets.base import Array
from datasets.guard import guarded
from datasets.letor.file import RankingFile, assembled, fitted
from datasets.letor.layouts import Layout
from datasets.letor.merge import parsed, together
from datasets.letor.parts import PartSource, source
from datasets.parameters import integer, text
from datasets.ranking import RankingData

_VERSION = 1  # of the cached arrays; increase it whenever `arrays_of` changes


@dataclass(kw_only=True)
class LetorSplit(RankingFile):
    """The training queries of a fold, and its test queries, which no learner sees.

    `path` names what `letor-folds` reads: Fold1 … Fold5, S1.txt … S5.txt, or a training file with a test file, in a
    folder or a zip file; or a single folder such as Fold1. Validation files are not read. A metric measures what was
    learned on the test queries. w* is the least-squares fit of the grades of the training queries.

    Raises
    ------
    ValueError : from `size` and `build`, one sentence with the file's name and what is wrong.

    Source: the experiments of online learning to rank, such as H. Oosterhuis and M. de Rijke, Differentiable Unbiased
    Online Learning to Rank, CIKM 2018, §4.1, learn on the training queries of a fold and measure on its test queries.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "train.txt").write_text("1 qid:1 1:1\\n0 qid:1 1:2\\n")
    >>> _ = (folder / "test.txt").write_text("0 qid:8 1:1\\n2 qid:8 2:1\\n0 qid:9 1:3\\n1 qid:9 1:4\\n")
    >>> data = LetorSplit(path=str(folder), scale="0 to 2").build()
    >>> data.query_names, data.test.query_names, data.dimension, data.top_grade
    (('1',), ('8', '9'), 2, 2)
    """

    id = "letor-split"
    order = 55
    title = "A fold of ranking files of your own"
    summary = (
        "Graded documents from the training file of a fold, as LETOR and MSLR have them, or any two such files. Those "
        "of its test file stay secret, and a chart says how well they would be ranked."
    )
    paper = "Oosterhuis and de Rijke, Differentiable Unbiased Online Learning to Rank, CIKM 2018"
    section = "§4.1 (learning on the training queries of a fold)"

    path: str = text(
        help="A folder or .zip with Fold1 … Fold5 or S1.txt … S5.txt, or a training file with a test file beside it."
    )
    fold: int = integer(1, 1, 100, help="Number of the fold; what holds a training file and a test file has one fold.")

    what, form = "folder or file with folds", "folds"

    def parsed(self, path: Path) -> RankingData:
        return read(path, self.fold)


@guarded
def read(path: Path, fold: int = 1, *, cached: bool = True) -> RankingData:
    """Read one fold from a folder, a zip file, or one of its files; see `LetorSplit`.

    cached : whether the parsed arrays may be kept on disk under a key of the files' contents.
    """
    path = Path(path)
    with _one(path, fold) as files:
        name = file_cache.key(_VERSION, *files.contents(), split=str(fold)) if cached else None
        restore = partial(_data, path)
        return file_cache.through(name, lambda: fitted(arrays_of(files), restore), restore)


@contextmanager
def _one(path: Path, fold: int) -> Iterator[PartSource]:
    """Yield the training and test files of one fold of the data set at a path."""
    with source(path) as files:
        folds = files.layout.folds
        if fold > len(folds):
            held = "one fold" if len(folds) == 1 else f"{len(folds)} folds"
            raise ValueError(f"{path.name} holds {held}, so fold must be at most {len(folds)}, got {fold}")
        train, _, test = folds[fold - 1]
        yield files.only(Layout(files.layout.kind, files.layout.base, ((train, (), test),)))


def arrays_of(files: PartSource) -> dict[str, Array]:
    """Return the arrays of `parse` for the training queries and after them the test queries, and their number `tests`.

    Raises
    ------
    ValueError : for a query that is in both, told apart by its qid, unless each file numbers its queries by itself.
    """
    train, _, test = files.layout.folds[0]
    found = parsed(files, [*train, *test])
    names = [{q for name in part for q in found[name]["names"].tolist()} for part in (train, test)]
    if (both := names[0] & names[1]) and files.layout.kind != "single":
        query = min(both)
        raise ValueError(f"query {query} is both a training query and a test query of that fold")
    tests = sum(len(found[name]["names"]) for name in test)
    return together(found) | {"tests": np.array(tests)}


def _data(path: Path, arrays: dict[str, Array]) -> RankingData:
    """Return the training queries with the test queries."""
    first, starts = len(arrays["starts"]) - 1 - int(arrays["tests"]), arrays["starts"]
    row = int(starts[first])
    learned = {
        "features": arrays["features"][:row], "starts": starts[: first + 1], "grades": arrays["grades"][:, :row],
        "names": arrays["names"][:first], "notes": arrays["notes"],
    } | {name: arrays[name] for name in ("weights",) if name in arrays}  # fmt: skip
    data = assembled(LetorSplit.id, path, learned)
    test = replace(
        data, features=arrays["features"][row:], starts=starts[first:] - row, grades=arrays["grades"][:, row:],
        query_names=tuple(arrays["names"][first:].tolist()), notes=(),
    )  # fmt: skip
    return replace(data, test=test)
