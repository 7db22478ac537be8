"""Two small tables of measurements that come with scikit-learn: wines, and cells of breast tumours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.base import ExampleSize
from datasets.classification import ClassificationData, ClassificationDataset, labelled, training
from datasets.parameters import flag


@dataclass(kw_only=True)
class _SmallTable(ClassificationDataset):
    """A table of scikit-learn's; rows, columns, names: what is in it."""

    rows: ClassVar[int]
    columns: ClassVar[int]
    names: ClassVar[tuple[str, ...]]

    standardised: bool = flag(
        True, help="Give every feature mean 0 and variance 1; without it, features of large numbers drown the others."
    )

    def size(self) -> ExampleSize:
        return ExampleSize(self.rows, self.columns, len(self.names), 8 * self.rows * (self.columns + 1))

    def build(self) -> ClassificationData:
        bunch = self._load()
        features = bunch.data.astype(float)
        if self.standardised:
            features = (features - features.mean(axis=0)) / features.std(axis=0)
        return ClassificationData(self.id, self.params, features, bunch.target, self.names)

    def _load(self) -> Any:
        raise NotImplementedError


@dataclass(kw_only=True)
class Wine(_SmallTable):
    """178 wines from three growers of one region, by 13 chemical measurements.

    Source: S. Aeberhard and M. Forina, Wine, UCI Machine Learning Repository, 1991; the copy in scikit-learn.

    >>> data = Wine().build()
    >>> data.features.shape, data.names
    ((178, 13), ('grower 1', 'grower 2', 'grower 3'))
    """

    id = "wine"
    order = 180
    title = "Wine"
    summary = (
        "Wines of three growers, told apart by alcohol, colour and eleven more measurements. The three groups lie well "
        "apart: ten labels and a nearest neighbour get seven of eight right, so that is what to beat."
    )
    paper = "Aeberhard and Forina, Wine, UCI, 1991"
    section = "(the copy in scikit-learn)"
    rows, columns = 178, 13
    names = ("grower 1", "grower 2", "grower 3")

    labelled: float = labelled(0.1)
    training: float = training(0.6)

    def _load(self) -> Any:
        from sklearn.datasets import load_wine

        return load_wine()


@dataclass(kw_only=True)
class BreastCancer(_SmallTable):
    """569 tumours, malignant or benign, by 30 measurements of the nuclei of their cells.

    Source: W. Wolberg, O. Mangasarian, N. Street and W. Street, Breast Cancer Wisconsin (Diagnostic), UCI Machine
    Learning Repository, 1993; the copy in scikit-learn.

    >>> data = BreastCancer().build()
    >>> data.features.shape, data.names
    ((569, 30), ('malignant', 'benign'))
    """

    id = "breast-cancer"
    order = 190
    title = "Breast cancer"
    summary = (
        "Tumours, malignant or benign, by the size, shape and texture of cell nuclei. Two classes and strongly "
        "correlated features: seventeen labels get nine of ten right, so see whether the other examples add anything."
    )
    paper = "Wolberg et al., Breast Cancer Wisconsin (Diagnostic), UCI, 1993"
    section = "(the copy in scikit-learn)"
    rows, columns = 569, 30
    names = ("malignant", "benign")

    labelled: float = labelled(0.05)
    training: float = training(0.6)

    def _load(self) -> Any:
        from sklearn.datasets import load_breast_cancer

        return load_breast_cancer()
