"""The base class of all data sets: declared parameters, a size known in advance, and `build`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from datasets.parameters import Declared

Array = NDArray[Any]


@dataclass(frozen=True)
class ExampleSize:
    """The size of a data set of labelled examples, known before it is built."""

    examples: int
    features: int
    classes: int
    bytes: int


def bytes_of(features: Any) -> int:
    """Return the bytes that an array or a scipy.sparse matrix takes."""
    parts = [features] if isinstance(features, np.ndarray) else [features.data, features.indices, features.indptr]
    return sum(part.nbytes for part in parts)


@dataclass(kw_only=True)
class Dataset(Declared):
    """A data set that can be built from its parameters; `family` says which learners can run on it.

    order : the position in the catalogue, smallest first; by default a data set comes last. judged_by : by what a
    person can judge its documents or examples, such as "images"; "" if they are nothing but numbers.
    """

    order: ClassVar[int] = 10_000
    judged_by: ClassVar[str] = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, value in self.params.items():
            if isinstance(value, np.ndarray):
                raise ValueError(f"{name} of {self.id} must be a single value: all replicates share the data")

    def size(self) -> Any:
        """Return the size the data will have, in `bytes` among others, cheaply enough to refuse large requests."""
        raise NotImplementedError

    def build(self) -> Any:
        """Build the data; the same parameters give the same numbers."""
        raise NotImplementedError
