"""The base class of all data sets: declared parameters, a size known in advance, and `build`."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from datasets.parameters import Declared, shown

Array = NDArray[Any]


@dataclass(frozen=True)
class ExampleSize:
    """The size of a data set of labelled examples, known before it is built."""

    examples: int
    features: int
    classes: int
    bytes: int


class Labelled:
    """N examples with d features and labels, as loaded: classes by K names, of which an example has one or several."""

    features: Any
    labels: Array
    names: tuple[str, ...]

    @property
    def examples(self) -> int:
        """Number of examples N."""
        return len(self.labels)

    @property
    def dimension(self) -> int:
        """Number of features d."""
        return int(self.features.shape[1])

    @property
    def classes(self) -> int:
        """Number of classes or labels K."""
        return len(self.names)

    def size(self) -> ExampleSize:
        """Return how large the data are, as the data set promised before it was built."""
        taken = bytes_of(self.features) + self.labels.nbytes
        return ExampleSize(self.examples, self.dimension, self.classes, taken)

    def check_finite(self) -> None:
        """Raise a ValueError for a feature that is no finite number."""
        if not np.isfinite(stored(self.features)).all():
            raise ValueError("a feature is missing or not a finite number")


def stored(features: Any) -> Array:
    """Return the numbers that an array or a scipy.sparse matrix stores."""
    return np.asarray(features.data if is_sparse(features) else features)


def bytes_of(features: Any) -> int:
    """Return the bytes that an array or a scipy.sparse matrix takes."""
    parts = [features] if isinstance(features, np.ndarray) else [features.data, features.indices, features.indptr]
    return sum(part.nbytes for part in parts)


def numbers(name: str, value: Any, dimensions: int | None = None, sparse: bool = False) -> Any:
    """Return an array of real numbers with `dimensions` axes (None: any), or a sparse matrix where one is allowed.

    Arrays of numbers stay as they are; lists become arrays.

    Raises
    ------
    ValueError : one sentence with the name, for anything else.

    >>> numbers("base", [1, 2], 1)
    array([1, 2])
    >>> numbers("base", ["x"], 1)
    Traceback (most recent call last):
    ValueError: base must be a list of numbers, got ['x']
    """
    kinds = {None: "numbers", 1: "a list of numbers", 2: "a table of numbers"}
    if is_sparse(value):
        found = value if sparse else None
    else:
        try:
            found = np.asarray(value)
        except Exception:  # lists of unequal length, and objects that refuse
            found = None
    if found is None or dimensions not in (None, found.ndim) or found.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be {kinds[dimensions]}, got {shown(value)}")
    return found


def is_sparse(value: Any) -> bool:
    """Return whether a value is a matrix of scipy.sparse, which is imported only where there can be one."""
    return type(value).__module__.startswith("scipy.sparse")


def check_names(name: str, given: Any) -> None:
    """Raise a ValueError of one sentence unless names are a list, a tuple or an array of texts."""
    texts = isinstance(given, (list, tuple)) or (isinstance(given, np.ndarray) and given.ndim == 1)
    if not texts or not all(isinstance(text, str) for text in given):
        raise ValueError(f"{name} must be a list of texts, got {shown(given)}")


DATA_SEED = "data_seed"  # the parameter of data that are drawn


@dataclass(kw_only=True)
class Dataset(Declared):
    """A data set that can be built from its parameters; `family` says which learners can run on it.

    order : the position in the catalogue, smallest first; by default a data set comes last. judged_by : by what a
    person can judge its documents or examples, such as "images"; "" if they are nothing but numbers.
    """

    order: ClassVar[int] = 10_000
    judged_by: ClassVar[str] = ""
    circumstance: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, value in self.params.items():
            if isinstance(value, np.ndarray):
                raise ValueError(f"{name} of {self.id} must be a single value: all replicates share the data")

    @classmethod
    def drawn(cls) -> bool:
        """Return whether the data are drawn at random, so that another `data_seed` gives others of the same kind."""
        return any(parameter.name == DATA_SEED for parameter in cls.parameters())

    def size(self) -> Any:
        """Return the size the data will have, in `bytes` among others, cheaply enough to refuse large requests."""
        raise NotImplementedError

    def build(self) -> Any:
        """Build the data; the same parameters give the same numbers."""
        raise NotImplementedError
