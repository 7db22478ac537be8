"""Loaded classification data: examples x, each with one true label.

Shapes: N examples with d features, K classes. Features are dense, or sparse and then never made dense.
"""

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from datasets.base import Array, Dataset, Labelled, check_names, is_sparse, numbers, stored
from datasets.parameters import real

MAX_CLASSES = 1000
_SAMPLE = 2000  # most examples used to fit the comparator


@dataclass(frozen=True, eq=False)
class ClassificationData(Labelled):
    """Examples, each with one label.

    Parameters
    ----------
    id, params : the data set's id and parameters.
    features : (N, d) numbers, an array or a scipy.sparse matrix.
    labels : (N,) integers from 0 to K − 1.
    names : K names of the classes.
    image_shape : (height, width) where the features of an example are a picture.
    separator : (K, d) weights known to separate the classes, or None.
    notes : sentences on how the data were changed while loading.

    Raises
    ------
    ValueError : for fewer than two classes or more than 1000, labels that do not match the names, arrays whose
        shapes do not match, and features that are not finite or are all 0.

    >>> data = ClassificationData("two", {}, np.eye(2), np.array([0, 1]), ("no", "yes"))
    >>> data.examples, data.dimension, data.classes, data.radius
    (2, 2, 2, 1.0)
    """

    id: str
    params: dict[str, Any]
    features: Any
    labels: Array
    names: tuple[str, ...]
    image_shape: tuple[int, int] | None = None
    separator: Array | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_names("names", self.names)
        object.__setattr__(self, "features", numbers("features", self.features, 2, sparse=True))
        if self.separator is not None:
            object.__setattr__(self, "separator", numbers("separator", self.separator, 2))
        if self.sparse:
            from scipy.sparse import csr_array

            rows = csr_array(self.features)
            if not rows.has_canonical_format:
                rows = rows.copy()  # so as not to change the caller's matrix
                rows.sum_duplicates()
            if rows.nnz < 2**31:  # half the memory, and so the time to read them
                parts = rows.data, rows.indices.astype(np.int32, copy=False), rows.indptr.astype(np.int32, copy=False)
                rows = csr_array(parts, shape=rows.shape)
            object.__setattr__(self, "features", rows)
        allowed = f"labels must be whole numbers from 0 to {self.classes - 1}"
        try:
            labels = numbers("labels", self.labels, 1)
        except ValueError:
            raise ValueError(allowed) from None
        if labels.dtype.kind == "f" and not (np.isfinite(labels).all() and (labels % 1 == 0).all()):
            raise ValueError(allowed)
        if labels.dtype.kind == "f" and np.abs(labels).max(initial=0) > MAX_CLASSES:  # more than integers hold
            raise ValueError(allowed)
        object.__setattr__(self, "labels", labels.astype(np.intp))
        n = len(self.labels)
        if self.features.shape[0] != n or n == 0:
            raise ValueError(f"features must have one row for each of the {n} labels, got {self.features.shape[0]}")
        if not 2 <= self.classes <= MAX_CLASSES:
            only = f"only the class {self.names[0]!r}" if self.names else "no class"
            found = only if self.classes < 2 else f"{self.classes} classes"
            raise ValueError(f"classification needs 2 to {MAX_CLASSES} classes, got {found}")
        if self.labels.min() < 0 or self.labels.max() >= self.classes:
            raise ValueError(allowed)
        self.check_finite()
        if not stored(self.features).any():
            raise ValueError("every feature is 0 in every example")

    @property
    def training_rows(self) -> int:
        """Number n of training examples for semi-supervised learners, at least 2 and, if possible, one per class.

        >>> ClassificationData("two", {"training": 0.5}, np.eye(9), np.arange(9) % 2, ("no", "yes")).training_rows
        4
        """
        few = max(2, min(self.classes, self.examples // 2))
        return min(max(round(self._share("training") * self.examples), few), self.examples - 1)

    @property
    def labelled_rows(self) -> int:
        """Number of training examples with a known label: at least one per class, or all n if there are fewer."""
        n = self.training_rows
        return min(max(round(self._share("labelled") * n), self.classes), n)

    def _share(self, name: str) -> float:
        """Return the value of a parameter that is a share, or its default where the data have no such parameter."""
        return float(self.params.get(name, ClassificationDataset.parameter(name).default))

    @property
    def sparse(self) -> bool:
        """Whether the features are a sparse matrix."""
        return is_sparse(self.features)

    def gather(self, rows: Array) -> tuple[Array, Array]:
        """Return the (R, m) feature numbers and values of some sparse rows, padded with number d and value 0."""
        starts = self.features.indptr[rows]
        lengths = self.features.indptr[rows + 1] - starts
        place = np.arange(max(1, lengths.max()))
        there = place < lengths[:, None]
        at = np.where(there, starts[:, None] + place, 0)
        index = np.where(there, self.features.indices.take(at), self.dimension)
        return index, np.where(there, self.features.data.take(at), 0.0).astype(np.float64)

    @cached_property
    def norms(self) -> Array:
        """(N,) lengths ‖x‖."""
        if self.sparse:
            squares = np.asarray(self.features.multiply(self.features).sum(axis=1), dtype=np.float64).ravel()
        else:
            squares = np.einsum("nd,nd->n", self.features, self.features, dtype=np.float64)
        norms: Array = np.sqrt(squares)
        return norms

    @cached_property
    def radius(self) -> float:
        """The largest ‖x‖."""
        return float(self.norms.max())

    @cached_property
    def comparator(self) -> Array:
        """(K, d) fixed weights W* to which the theorems compare a learner.

        The theorems hold for every W*; this one makes the perceptron's bound [B] Eq. 7 small. Its direction is the
        separator, or a linear support vector machine fitted to at most 2000 examples. Its length is the best on a grid.
        """
        rng = np.random.default_rng(0)
        rows = np.sort(rng.choice(self.examples, size=min(_SAMPLE, self.examples), replace=False))
        direction = self._linear_svm(rows) if self.separator is None else self.separator
        direction = direction / (np.linalg.norm(direction) or 1.0)
        best, least = direction, np.inf
        for length in np.geomspace(0.1, 1000, 25) / self.radius:
            loss = float(self._hinge(length * direction, rows).mean()) * self.examples
            complexity = 2 * (length * self.radius) ** 2
            bound = loss + complexity + np.sqrt(loss * complexity)
            if bound < least:
                best, least = length * direction, bound
        return best

    @cached_property
    def hinge(self) -> Array:
        """(N,) multiclass hinge loss of the comparator on each example ([B] Eq. 4)."""
        return np.concatenate(
            [
                self._hinge(self.comparator, np.arange(a, min(a + 20_000, self.examples)))
                for a in range(0, self.examples, 20_000)
            ]
        )

    @property
    def complexity(self) -> float:
        """D = 2 ‖W*‖² of [B] Eq. 6, for examples scaled to at most unit length."""
        return float(2 * (self.comparator**2).sum() * self.radius**2)

    def _hinge(self, weights: Array, rows: Array) -> Array:
        scores = np.asarray(self.features[rows] @ weights.T)
        at = np.arange(len(rows))
        own = scores[at, self.labels[rows]]
        scores[at, self.labels[rows]] = -np.inf
        loss: Array = np.maximum(0.0, 1.0 - own + scores.max(axis=1))
        return loss

    def _linear_svm(self, rows: Array) -> Array:
        """Return the (K, d) weights of a linear support vector machine, 0 for classes absent from the sample."""
        import warnings

        from sklearn.exceptions import ConvergenceWarning
        from sklearn.svm import LinearSVC

        weights = np.zeros((self.classes, self.dimension))
        present = np.unique(self.labels[rows])
        if len(present) < 2:
            return weights
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            machine = LinearSVC(C=1.0, fit_intercept=False, max_iter=300, random_state=0)
            machine.fit(self.features[rows] / self.radius, self.labels[rows])
        if len(present) == 2:
            weights[present] = np.stack([-machine.coef_[0], machine.coef_[0]])
        else:
            weights[present] = machine.coef_
        return weights


@dataclass(kw_only=True)
class ClassificationDataset(Dataset):
    """A classification data set that can be built from its parameters."""

    family: ClassVar[str] = "classification"

    labelled: float = real(
        0.05, 0.001, 1, step=0.01, family="semi-supervised",
        help="Share of the training examples whose label is known, at least one of each class; the others are "
        "unlabelled. Try 0.02 and 0.5.",
    )  # fmt: skip
    training: float = real(
        0.2, 0.001, 0.95, step=0.05, family="semi-supervised",
        help="Share of the examples used for training; the others are for testing. The dissertation trains on a fifth.",
    )  # fmt: skip


def labelled(default: float) -> Any:
    """Declare the parameter `labelled` of `ClassificationDataset` with another default."""
    return _with_default("labelled", default)


def training(default: float) -> Any:
    """Declare the parameter `training` of `ClassificationDataset` with another default."""
    return _with_default("training", default)


def _with_default(name: str, default: float) -> Any:
    declared = next(f for f in fields(ClassificationDataset) if f.name == name).metadata["parameter"]
    return field(default=default, metadata={"parameter": declared | {"default": default}})
