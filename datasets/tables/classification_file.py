"""Your own classification files: CSV, LIBSVM / SVMlight and ARFF, plain or gzip."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from datasets import file_cache
from datasets.base import Array
from datasets.classification import ClassificationData, ClassificationDataset
from datasets.guard import guarded
from datasets.limits import check_bytes, check_peak
from datasets.own_file import OwnFile
from datasets.parameters import choice, flag, integer, text
from datasets.tables import holes, idx, packing, sparse_text, table_text
from datasets.tables.arff import read_arff
from datasets.tables.encoding import MissingValues, Table, check_size, classes_of
from datasets.tables.label_column import LabelColumn, find_label
from datasets.tables.text_files import check_file

WORDS = ("0 and 1", "numbers")
_ROWS = 1 << 13  # rows of an ARFF file that are encoded at a time
_WHAT = "classification file"
_VERSION = 3  # of the cached arrays; increase it whenever the parsing changes


@dataclass(kw_only=True)
class ClassificationFile(OwnFile, ClassificationDataset):
    """A file with one example per line: a table with a label column, or `label number:value number:value …`.

    See `read` for the limits, and `label_column.find_label` for how the label column is guessed.

    Raises
    ------
    ValueError : from `size` and `build`, one sentence with the file's name, the line and what is wrong.

    Source: the sparse format is from C.-C. Chang and C.-J. Lin, LIBSVM: A library for support vector machines,
    ACM TIST 2, 2011; ARFF is Weka's format, and tables are as in the UCI repository.

    >>> ClassificationFile(path="").build()
    Traceback (most recent call last):
    ValueError: path must name a classification file, got an empty text
    """

    id = "classification-file"
    order = 220
    title = "A classification file of your own"
    summary = (
        "Labelled examples from a file: a CSV table with a label column, LIBSVM or ARFF. "
        "Columns of words become features of 0 and 1. A file opens faster the second time."
    )
    paper = "Chang and Lin, LIBSVM, ACM TIST 2, 2011"
    section = "(the sparse file format)"

    path: str = text(help="The file, plain or .gz; try a name from the folder FEEDBACK_LAB_DATA.")
    unit_length: bool = flag(True, help="Scale each example to length 1, as the theorems assume.")
    label: str = text(
        help="The label column: first, last, its name or its number from 1. If this is empty, it is guessed."
    )
    words: str = choice(
        "0 and 1", WORDS,
        help="A column of words becomes one feature of 0 and 1 for each value, or a single number, the place of the "
        "value among those that the file declares.",
    )  # fmt: skip
    missing: str = choice(
        holes.REFUSE, holes.CHOICES,
        help="What becomes of a table with empty cells: it is refused, their rows or columns are left out, or they are "
        "filled with the median or the most frequent value of the column (of words always the most frequent), over "
        "all rows of the file and without their labels. A row without a label is left out.",
    )  # fmt: skip
    least: int = integer(
        1, 1, 1000, help="Classes with fewer examples are left out. The dissertation leaves one of two examples out."
    )
    dense: bool = flag(
        False, family="semi-supervised",
        help="Keep a LIBSVM file as a table of all its numbers, zeros too, as semi-supervised learners need it.",
    )  # fmt: skip

    what = _WHAT

    def read(self, path: Path) -> ClassificationData:
        options = ("unit_length", "label", "words", "missing", "least")
        data: ClassificationData = read(path, **{name: self.params[name] for name in options})
        features = data.features
        if self.dense and data.sparse:
            check_size(path.name, data.examples, data.dimension)
            check_bytes(path.name, 8 * data.examples * data.dimension)
            check_peak(path.name, 8 * data.examples * data.dimension + data.size().bytes)
            features = features.toarray()
        found: ClassificationData = self.named(data, path, features=features)
        return found


@guarded
def read(
    path: Path,
    *,
    unit_length: bool = True,
    label: str = "",
    words: str = "0 and 1",
    missing: str = holes.REFUSE,
    least: int = 1,
    cached: bool = True,
) -> ClassificationData:
    """Read classification data from a file, such as one that was uploaded; the content determines the format.

    A table has one example per line, with values separated by commas, semicolons, tabs or blanks; a header line is
    recognised. A column with a value that is not a number is a column of words and becomes one feature of 0 and 1 for
    each of its values, at most 200. ARFF is a table with declared columns. LIBSVM files, with features numbered from 1,
    are kept sparse. Labels are whole numbers or words. MNIST is read from its files of pictures and labels, which lie
    next to each other; `path` is one of them.

    Parameters
    ----------
    path : the file, of at most 200 MB, 1 GB of text once unpacked, 1.5 million lines and 1000 classes. Dense data may
        have 20,000 features and 100 million numbers, sparse data 2 million features and 100 million nonzero values, a
        name 200 letters. Data above FEEDBACK_LAB_DATA_MB are refused before they are made (see `datasets.limits`).
    unit_length : whether to scale each example to length 1.
    label : the label column: first, last, its name or its number from 1. By default the last attribute of an ARFF file
        is the label, and that of a table is guessed (see `label_column.find_label`).
    words : "0 and 1", or "numbers", where a column of words becomes one feature, the place of the value from 0 on.
    missing : "refuse", or what becomes of empty cells, which are also written ?, NaN or NA: "drop rows" or "drop
        columns" leaves them out, "median" or "most frequent" fills them with that of the column, over all rows of the
        file; a column of words always takes the most frequent. Unless refused, a row without a label is left out.
    least : classes with fewer examples are left out.
    cached : whether the parsed arrays may be kept on disk (see `file_cache`) under a key of the file's content.

    Returns
    -------
    Dense features are float64, or float32 from 2²⁴ numbers on. Examples of 64 or 784 numbers, none negative, are
    treated as pictures. `notes` says which column of a table is the label, and names classes with fewer than three
    examples.

    Raises
    ------
    ValueError : one sentence with the file's name, the line and what is wrong.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "fruit.csv"
    >>> _ = file.write_text("weight,colour,kind\\n3,red,apple\\n1,red,cherry\\n2,green,apple\\n")
    >>> data = read(file, unit_length=False, cached=False)
    >>> data.features
    array([[3., 0., 1.],
           [1., 0., 1.],
           [2., 1., 0.]])
    >>> data.labels, data.names, data.notes[1]
    (array([0, 1, 0]), ('apple', 'cherry'), "label: column 3 'kind' (apple, cherry; 2 values), guessed")
    >>> read(file, label="colour", cached=False).names
    ('green', 'red')
    """
    path = Path(path)
    check_file(path, _WHAT)
    given = {"words": words, "missing": missing, "least": least}
    words, missing, least = (ClassificationFile.parameter(name).check(value) for name, value in given.items())
    params = {"path": str(path), "unit_length": unit_length, "label": label} | given
    numbered = words == "numbers"
    name = None
    if cached:
        files = idx.both(path) if idx.is_idx(path) else (path,)
        options: dict[str, Any] = {"numbered": True} if numbered else {}
        options |= {"missing": missing} if missing != holes.REFUSE else {}
        name = file_cache.key(_VERSION, *files, classification=True, label=label, **options)

    def restore(arrays: dict[str, Array]) -> ClassificationData:
        return _common(packing.unpack(ClassificationFile.id, params, arrays, unit_length), path.name, least)

    return file_cache.through(name, lambda: _parse(path, label, numbered, missing), restore)


def _common(data: ClassificationData, name: str, least: int) -> ClassificationData:
    """Return the data without the classes of fewer than `least` examples, and a note that says so."""
    counts = np.bincount(data.labels, minlength=data.classes)
    kept = np.flatnonzero(counts >= least)
    if len(kept) == data.classes:
        return data
    if len(kept) < 2:
        raise ValueError(f"{name}: least must leave at least 2 classes, but only {len(kept)} have {least} examples")
    check_peak(name, 2 * data.size().bytes)
    rows = np.isin(data.labels, kept)
    left_out = [f"{data.names[k]!r} ({counts[k]})" for k in np.flatnonzero(counts < least)]
    more = f" and {len(left_out) - 5} more" if len(left_out) > 5 else ""
    note = f"classes with fewer than {least} examples are left out: {', '.join(left_out[:5])}{more}"
    return replace(
        data, features=data.features[rows], labels=np.searchsorted(kept, data.labels[rows]),
        names=tuple(data.names[k] for k in kept), notes=(*data.notes, note),
    )  # fmt: skip


@guarded
def label_words(path: Path, label: str = "") -> str:
    """Describe which column of a file holds the label, judging by its first lines alone.

    Raises
    ------
    ValueError : for a file that cannot be read, or a column that it does not have.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "letters.csv"
    >>> _ = file.write_text("T,2,8\\nI,5,12\\nT,4,11\\n")
    >>> label_words(file)
    'column 1 (T, I; 2 values), guessed'
    """
    check_file(path, _WHAT)
    if idx.is_idx(path):
        return "those of the file beside it, as in MNIST"
    if sparse_text.is_sparse(path):
        return "the first value of each line, as LIBSVM has it"
    if _is_arff(path):
        return f"the attribute {label}" if label else "the last attribute, as usual in ARFF"
    form = table_text.sniff(path)
    rows, whole = table_text.head(path, form)
    if not rows:
        return "the last column, guessed"
    found = find_label(label, form.columns, rows, form.decimal)
    count = len({row[found.place] for row in rows})
    return found.describe(f"{count} values" + ("" if whole else f" in the first {len(rows)} rows"))


def _parse(path: Path, label: str, numbered: bool, missing: str = holes.REFUSE) -> dict[str, Array]:
    if idx.is_idx(path):
        if label:
            raise ValueError(f"label must be empty for the files of MNIST, got {label[:60]!r}")
        return idx.parse(*idx.both(path))
    if sparse_text.is_sparse(path):
        if label not in ("", "first", "1"):
            raise ValueError(f"label must be first in a LIBSVM file, whose lines begin with it, got {label[:60]!r}")
        features, labels, place = sparse_text.parse(path)
        return packing.pack(features, *classes_of(path.name, labels, place))
    if _is_arff(path):
        return _packed(_arff(path, label), numbered, missing)
    form = table_text.sniff(path)
    rows, _ = table_text.head(path, form)
    found = find_label(label, form.columns, rows, form.decimal) if rows else LabelColumn(-1)
    table = table_text.parse(path, form, found.place, missing != holes.REFUSE)
    arrays = _packed(table, numbered, missing)
    notes = ["the first line was taken for the names of the columns"] if form.columns else []
    notes += ["label: " + found.describe(f"{len(arrays['names'])} values"), *arrays["notes"].tolist()]
    return arrays | {"notes": np.array(notes, dtype=str)}


def _packed(table: Table, numbered: bool, missing: str) -> dict[str, Array]:
    """Encode a table of which cells may be empty, and pack the result."""
    if missing != holes.REFUSE:
        holes.mend(table, missing)
    try:
        return packing.pack_table(table, numbered)
    except MissingValues as error:
        raise MissingValues(
            f"{error} unless missing is {', '.join(holes.CHOICES[1:-1])} or {holes.CHOICES[-1]}"
        ) from None


def _is_arff(path: Path) -> bool:
    return next(table_text.content(path), ([], [""]))[1][0].startswith("@")


def _arff(path: Path, label: str) -> Table:
    """Return the table in an ARFF file, with the values of nominal attributes in declared order."""
    from pandas import Categorical, Index

    arff = read_arff(path)
    columns = range(len(arff.attributes))
    check_size(path.name, len(arff.lines), len(columns) - 1)
    if arff.sparse:
        check_peak(path.name, 8 * len(arff.lines) * len(columns) + 12 * len(arff.stored))
    numbers, words = arff.dense(columns), {}
    for c, attribute in enumerate(arff.attributes):
        if attribute.values:
            codes = np.nan_to_num(numbers[:, c], nan=-1).astype(np.int32)
            words[c] = Categorical.from_codes(codes, Index(attribute.values))
            numbers[:, c] = 0
    names = tuple(attribute.name for attribute in arff.attributes)
    place = find_label(label or "last", names, [names]).place
    pieces = [numbers[a : a + _ROWS] for a in range(0, len(numbers), _ROWS)]
    return Table(path.name, pieces, words, lambda row: f"{path.name}, line {arff.lines[row]}", names, place)
