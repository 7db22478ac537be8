"""Two small tables of measurements from scikit-learn: wines, and cells of breast tumours."""

from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.base import ExampleSize
from datasets.classification import ClassificationData, ClassificationDataset, labelled, training
from datasets.parameters import flag


@dataclass(kw_only=True)
class _SmallTable(ClassificationDataset):
    """A table from scikit-learn with `rows` examples, `columns` features and classes called `names`."""

    rows: ClassVar[int]
    columns: ClassVar[int]
    names: ClassVar[tuple[str, ...]]

    standardised: bool = flag(
        True, help="Give every feature mean 0 and variance 1; otherwise features with large values dominate."
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
    """178 wines from three growers of one region, described by 13 chemical measurements.

    Source: S. Aeberhard and M. Forina, Wine, UCI Machine Learning Repository, 1991; the copy in scikit-learn.

    >>> data = Wine().build()
    >>> data.features.shape, data.names
    ((178, 13), ('grower 1', 'grower 2', 'grower 3'))
    """

    id = "wine"
    order = 180
    title = "Wine"
    summary = (
        "Wines of three growers, described by alcohol, colour and eleven more measurements. The three groups are well "
        "separated: with ten labels, the nearest neighbour gets seven of eight right. That is the score to beat."
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
    """569 tumours, malignant or benign, described by 30 measurements of their cell nuclei.

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
        "Tumours, malignant or benign, described by the size, shape and texture of cell nuclei. The features are "
        "strongly correlated: seventeen labels suffice to get nine of ten right. See what the unlabelled ones add."
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
