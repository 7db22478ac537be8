"""Classification data from openml.org by name."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from datasets.base import Array
from datasets.downloads.base import Downloaded, folder
from datasets.parameters import flag, integer, text
from datasets.tables import packing
from datasets.tables.encoding import Table, check_size, classes_of

_NAME = re.compile(r"[A-Za-z0-9_.(),+-]{1,100}")


@dataclass(kw_only=True)
class OpenML(Downloaded):
    """A data set from openml.org; its declared target column is the label.

    Columns of words become features of 0 and 1, as in files (see `classification_file`).

    Source: J. Vanschoren, J. van Rijn, B. Bischl and L. Torgo, OpenML: networked science in machine learning,
    SIGKDD Explorations 15, 2014.

    >>> OpenML(name="a data set").size()
    Traceback (most recent call last):
    ValueError: name must be the name of a data set on openml.org, got 'a data set'
    """

    id = "openml"
    order = 230
    title = "A data set from OpenML"
    summary = (
        "Any classification data from openml.org by name, among them the sets on which bandit algorithms are often "
        "compared. They are downloaded once, on your request."
    )
    paper = "Vanschoren et al., OpenML, SIGKDD Explorations 15, 2014"
    server = "openml"

    name: str = text(
        "pendigits", named=True,
        help="Name on openml.org. Try mnist_784, letter, pendigits, optdigits, nursery or isolet.",
    )  # fmt: skip
    version: int = integer(1, 1, 1000, help="Version on openml.org; 1 is the first one uploaded.")
    unit_length: bool = flag(True, help="Scale each example to length 1, as the theorems assume.")

    @property
    def label(self) -> str:
        return f"openml {self.name}" + (f" version {self.version}" if self.version != 1 else "")

    @property
    def file(self) -> Path:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"name must be the name of a data set on openml.org, got {self.name[:60]!r}")
        return folder() / f"openml-{self.name.lower()}-{self.version}.npz"

    @property
    def arguments(self) -> dict[str, Any]:
        return {"name": self.name} | ({"version": self.version} if self.version != 1 else {})

    def fetch(self, home: Path) -> dict[str, Array]:
        from sklearn.datasets import fetch_openml

        bunch = fetch_openml(self.name, version=self.version, data_home=str(home), n_retries=1)
        if bunch.target is None:
            raise ValueError(f"{self.label} names no column to predict, so it is not for classification")
        if bunch.target.ndim != 1:
            raise ValueError(f"{self.label} has {bunch.target.shape[1]} columns to predict; one is needed")
        if not hasattr(bunch.data, "columns"):
            return _sparse(self.label, bunch.data, bunch.target)
        return packing.pack_table(_table(self.label, bunch.data, bunch.target))


def _table(name: str, data: Any, target: Any) -> Table:
    """Return the table made of a pandas frame of features and a series of labels."""
    from pandas import Categorical

    check_size(name, *data.shape)
    numbers, words = np.zeros((len(data), data.shape[1] + 1)), {}
    for c, values in enumerate([*(data[column] for column in data.columns), target]):
        if values.dtype.kind in "iuf":
            numbers[:, c] = values.to_numpy(dtype=float, na_value=np.nan)
        elif hasattr(values, "cat"):
            words[c] = Categorical(values.cat.rename_categories([str(value) for value in values.cat.categories]))
        else:
            words[c] = Categorical(values.map(str, na_action="ignore"))
    columns = (*map(str, data.columns), str(target.name))
    return Table(name, [numbers], words, lambda row: f"{name}, row {row + 1}", columns)


def _sparse(name: str, data: Any, target: Any) -> dict[str, Array]:
    """Return packed sparse features and labels; `target` is an array of numbers or of words."""
    from pandas import Categorical
    from scipy.sparse import csr_array

    features = csr_array(data)
    if not np.isfinite(features.data).all():
        raise ValueError(f"{name} has missing values, which are not allowed")
    numeric = np.asarray(target).dtype.kind in "iuf"
    label = np.asarray(target, dtype=float) if numeric else Categorical([str(value) for value in target])
    return packing.pack(features, *classes_of(name, label, lambda row: f"{name}, row {row + 1}"))
