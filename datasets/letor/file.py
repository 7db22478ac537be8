"""Your own ranking files: LETOR / SVMlight, plain or gzip, with qids or with a file of query sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from datasets import file_cache
from datasets.base import Array
from datasets.guard import guarded
from datasets.letor.parse import parse
from datasets.letor.text import beside
from datasets.own_file import OwnFile
from datasets.parameters import choice, text
from datasets.ranking import RankingData, RankingDataset, counted
from datasets.tables.text_files import check_file

NOT_DECLARED = "not declared"
SCALES = {"0 to 1": 1, "0 to 2": 2, "0 to 4": 4}  # of grades, with the highest

_VERSION = 3  # of the cached arrays; increase it whenever `parse` or the fit of w* changes


@dataclass(kw_only=True)
class RankingFile(OwnFile, RankingDataset):
    """Ranking data read from a file; `parsed` is what its reader returns."""

    scale: str = choice(
        NOT_DECLARED, (NOT_DECLARED, *SCALES), family="ranking",
        help="The scale on which the documents were graded, which no file says. Users who click by the grade need to "
        "know it. MSLR and Yahoo have grades from 0 to 4, most of LETOR from 0 to 2 or 0 to 1.",
    )  # fmt: skip
    slots: int = counted()

    def parsed(self, path: Path) -> RankingData:
        """Read the data, without what this data set declares about them."""
        raise NotImplementedError

    def read(self, path: Path) -> RankingData:
        data = self.parsed(path)
        declared: dict[str, Any] = {"top_grade": SCALES.get(self.scale), "slots": self.slots or None}
        test = None if data.test is None else replace(data.test, **declared)
        found: RankingData = self.named(data, path, test=test, **declared)
        return found


@dataclass(kw_only=True)
class MeasuredFile(RankingFile):
    """Ranking data from a file, for which learning to rank can measure NDCG in two ways."""

    ndcg: str = choice(
        "standard",
        ("standard", "letor"),
        help="Discount of NDCG in learning to rank: 1/log2(1 + rank), or that of LETOR's own script, which gives ranks "
        "1 and 2 the same weight. Try letor to compare with published tables.",
    )


@dataclass(kw_only=True)
class LetorFile(MeasuredFile):
    """A file with one document per line: `grade qid:N number:value number:value … # comment`.

    The documents of a query must be adjacent. They are stored in a fixed pseudo-random order that does not depend on
    their grades: tied documents are shown in stored order, so in a file sorted by grade a learner without knowledge
    would look perfect. Where the lines have no qid, the sizes of the queries, one per line, come from a file next to
    it, as in LightGBM: rank.train.gz and rank.train.query. See `read` for the limits.

    Raises
    ------
    ValueError : from `size` and `build`, one sentence with the file's name, the line and what is wrong.

    Source: the format of T. Qin, T.-Y. Liu, J. Xu and H. Li, LETOR: A benchmark collection for research on
    learning to rank for information retrieval, Information Retrieval 13, 2010. The true weights are the
    least-squares fit of the grades, as in P. Shivaswamy and T. Joachims, Coactive Learning, JAIR 53, 2015,
    §6.1.1.

    >>> LetorFile(path="").build()
    Traceback (most recent call last):
    ValueError: path must name a ranking file, got an empty text
    """

    id = "letor-file"
    order = 40
    title = "A ranking file of your own"
    summary = (
        "Graded documents from a file in the format of LETOR, SVMlight or LightGBM, such as the LETOR or "
        "Yahoo! learning to rank data. Each line is a document with its grade, its query and its features. "
        "A file opens faster the second time."
    )
    paper = "Qin et al., LETOR, Information Retrieval 13, 2010"
    section = "(the file format)"

    path: str = text(help="The ranking file, plain or .gz; try a name from the folder FEEDBACK_LAB_DATA.")

    what = "ranking file"

    def parsed(self, path: Path) -> RankingData:
        return read(path)


@guarded
def read(path: Path, sizes: Path | None = None, *, cached: bool = True) -> RankingData:
    """Read ranking data from a file, such as one that was uploaded.

    Parameters
    ----------
    path : the ranking file, of at most 200 MB, 1 GB of text once unpacked, 1.5 million lines and 500 million
        numbers (documents × features), since all are stored, and in no more memory than FEEDBACK_LAB_DATA_MB allows.
        Grades range from 0 to 100. Features are numbered from 1 (or from 0) to 3000, in increasing order along a line.
    sizes : the file of query sizes. By default the qids are used, or without qids the file of sizes next to `path`.
    cached : whether the parsed arrays may be kept on disk (see `file_cache`) under a key of the files' contents.

    Returns
    -------
    Features are float64, or float32 from 2²⁴ numbers on. The documents of a query are in the order of
    `order.document_order`, the queries in that of the file. Queries with a single document cannot be ranked; they are
    dropped, and `notes` says how many.

    Raises
    ------
    ValueError : one sentence with the file's name, the line and what is wrong.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "mine.txt"
    >>> _ = file.write_text("2 qid:7 1:0.5 3:1\\n0 qid:7 2:1\\n1 qid:8 1:1 # alone\\n")
    >>> data = read(file, cached=False)
    >>> data.features
    array([[0. , 1. , 0. ],
           [0.5, 0. , 1. ]])
    >>> data.query_names, data.notes
    (('7',), ('dropped 1 query with a single document',))
    """
    path = Path(path)
    check_file(path)
    found = beside(path) if not sizes else Path(sizes)
    if found is not None:
        check_file(found)
    name = file_cache.key(_VERSION, path, found, use_qid=sizes is None) if cached else None
    restore = partial(assembled, LetorFile.id, path)
    return file_cache.through(name, lambda: fitted(parse(path, found, use_qid=sizes is None), restore), restore)


def fitted(arrays: dict[str, Array], restore: Callable[[dict[str, Array]], RankingData]) -> dict[str, Array]:
    """Return the arrays with the weights that were fitted to the data made of them, so that a cache spares the fit."""
    return arrays | {"weights": restore(arrays).weights}


def assembled(id: str, path: Path, arrays: dict[str, Array]) -> RankingData:
    """Return the data made of arrays that were parsed from `path` or loaded from the cache."""
    return RankingData(
        id=id,
        params={"path": str(path)},
        features=arrays["features"],
        starts=arrays["starts"],
        grades=arrays["grades"],
        weights=arrays.get("weights"),  # type: ignore[arg-type]  # fitted where None
        query_names=tuple(arrays["names"].tolist()),
        notes=tuple(arrays["notes"].tolist()),
    )
