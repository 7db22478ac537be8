"""Your own multilabel files: ARFF as in Mulan and MEKA, dense or sparse, and SVMlight; plain or gzip."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from datasets import file_cache
from datasets.base import Array
from datasets.guard import guarded
from datasets.limits import check_peak
from datasets.multilabel import MAX_LABELS, MultilabelData, MultilabelDataset
from datasets.own_file import OwnFile
from datasets.parameters import flag, integer, text
from datasets.tables.multilabel_arff import parse_arff, xml_beside
from datasets.tables.multilabel_svm import parse_svm
from datasets.tables.text_files import blocks, check_file

_VERSION = 1  # of the cached arrays; increase it whenever the parsing changes
_WHAT = "multilabel file"
_NAMES = 3  # most labels named in a note


@dataclass(kw_only=True)
class MultilabelFile(OwnFile, MultilabelDataset):
    """A file whose examples have any number of labels; see `read` for formats and limits.

    Raises
    ------
    ValueError : from `size` and `build`, one sentence with the file's name, the line and what is wrong.

    Source: the formats of G. Tsoumakas, E. Spyromitros-Xioufis, J. Vilcek and I. Vlahavas, MULAN: A Java library for
    multi-label learning, JMLR 12, 2011, and of J. Read, P. Reutemann, B. Pfahringer and G. Holmes, MEKA, JMLR 17, 2016.

    >>> MultilabelFile(path="").build()
    Traceback (most recent call last):
    ValueError: path must name a multilabel file, got an empty text
    """

    id = "multilabel-file"
    order = 210
    title = "A multilabel file of your own"
    summary = (
        "Examples with several labels each from an ARFF file of Mulan or MEKA, or in the format of SVMlight, such as "
        "the yeast or video data. Label names come from the XML file next to it. A file opens faster the second time."
    )
    paper = "Tsoumakas et al., MULAN: A Java library for multi-label learning, JMLR 12, 2011"
    section = "(the file format)"

    path: str = text(help="The multilabel file, plain or .gz; try a name from the folder FEEDBACK_LAB_DATA.")
    labels: int = integer(
        0, 0, MAX_LABELS, symbol="K",
        help="Number of label columns; with 0, the XML file next to it or its @relation decides.",
    )  # fmt: skip
    unit_length: bool = flag(
        True, help="Scale each example to length 1, as the paper does; otherwise long ones weigh more."
    )
    constant: bool = flag(
        False,
        help="Add a constant feature, as large as all others together if examples have length 1, so that a label can "
        "be common or rare whatever the other features are. Try it on the yeast data.",
    )

    what = _WHAT

    def read(self, path: Path) -> MultilabelData:
        return read(path, labels=self.labels, unit_length=self.unit_length, constant=self.constant)


@guarded
def read(
    path: Path,
    xml: Path | None = None,
    *,
    labels: int = 0,
    unit_length: bool = True,
    constant: bool = False,
    cached: bool = True,
) -> MultilabelData:
    """Read multilabel data from a file, such as one that was uploaded.

    Parameters
    ----------
    path : an ARFF file, or a file of lines `1,3,7 4:0.5 9:1`, label numbers and features numbered from 1. It may have
        200 MB, 1 GB of text once unpacked, 1.5 million lines, 1000 labels and 100 million numbers (examples ×
        (features + labels)), since all are stored. A nominal feature becomes one 0/1 feature for each of its values,
        or a single feature if these are 0 and 1. Data above FEEDBACK_LAB_DATA_MB are refused before they
        are made (see `datasets.limits`).
    xml : the file of label names, by default the one next to an ARFF file, such as yeast.xml for yeast.arff.gz.
    labels : number of label columns, which come last unless @relation has MEKA's `-C` with a positive number. With 0,
        the XML file names them or `-C` gives their number. In SVMlight files, the number of labels, or 0 for those
        that occur.
    unit_length : whether to scale examples to length 1; an example of zeros stays as it is.
    constant : whether to add a feature that is the same for all examples, √½ with `unit_length` and 1 without.
    cached : whether the parsed arrays may be kept on disk (see `file_cache`) under a key of the files' contents.

    Returns
    -------
    Labels are in the order of the file's columns. `notes` names labels that no example or every example has.

    Raises
    ------
    ValueError : one sentence with the file's name, the line and what is wrong.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "mine.svm"
    >>> _ = file.write_text("1,3 1:3 2:4\\n3 2:2 # a comment\\n")
    >>> data = read(file, cached=False)
    >>> data.features.tolist(), data.labels.tolist(), data.names, data.notes
    ([[0.6, 0.8], [0.0, 1.0]], [[True, True], [False, True]], ('1', '3'), ('the label 3 is always on',))
    """
    path, labels = Path(path), MultilabelFile.parameter("labels").check(labels)
    check_file(path, _WHAT)
    arff = _is_arff(path)
    xml = (xml or xml_beside(path)) if arff else None
    if xml is not None:
        check_file(xml, "file of label names")
    params = {"path": str(path), "labels": labels, "unit_length": unit_length, "constant": constant}
    name = file_cache.key(_VERSION, path, xml, arff=arff, **{f"{labels} labels": True}) if cached else None

    def parse() -> dict[str, Array]:
        return parse_arff(path, labels, xml) if arff else parse_svm(path, labels)

    return file_cache.through(name, parse, partial(_data, params))


def _is_arff(path: Path) -> bool:
    """Return whether this is an ARFF file, judging by its name or its first line that is no comment."""
    if path.name.lower().removesuffix(".gz").endswith(".arff"):
        return True
    for _, block in blocks(path):
        for line in block.split(b"\n"):
            if (line := line.strip()) and not line.startswith((b"%", b"#")):
                return line.startswith(b"@")
    return False


def _data(params: dict[str, Any], arrays: dict[str, Array]) -> MultilabelData:
    features, labels, names = arrays["features"], arrays["labels"], tuple(arrays["names"].tolist())
    shares = labels.mean(axis=0)
    notes = [_note(names, shares == share, when) for share, when in ((0, "never"), (1, "always"))]
    if params["unit_length"]:
        largest = np.maximum(features.max(axis=1, keepdims=True), -features.min(axis=1, keepdims=True))
        features /= np.maximum(largest, np.finfo(float).tiny)  # in place, since the data may be large
        lengths = np.sqrt(np.einsum("nd,nd->n", features, features))
        features /= np.where(lengths > 0, lengths, 1.0)[:, None]
        if zeros := int((lengths == 0).sum()):
            notes.append(f"{zeros} {'example has' if zeros == 1 else 'examples have'} only zeros as features")
    if params["constant"]:
        check_peak(Path(params["path"]).name, 2 * features.nbytes + labels.nbytes)
        features = np.column_stack([features, np.ones(len(features))])
        features /= np.sqrt(2) if params["unit_length"] else 1.0
    return MultilabelData(MultilabelFile.id, params, features, labels, names, notes=tuple(filter(None, notes)))


def _note(names: tuple[str, ...], which: Array, when: str) -> str:
    """Return a sentence on the labels that are never or always on, or an empty text."""
    chosen = [names[i][:40] for i in np.flatnonzero(which)]
    if len(chosen) < 2:
        return f"the label {chosen[0]} is {when} on" if chosen else ""
    first, last = (
        (chosen[:-1], chosen[-1]) if len(chosen) <= _NAMES else (chosen[:_NAMES], f"{len(chosen) - _NAMES} more")
    )
    return f"the labels {', '.join(first)} and {last} are {when} on"
