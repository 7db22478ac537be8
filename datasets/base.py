"""What every data set is before it is built: declared parameters, a size that is cheap to ask for, `build`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from datasets.parameters import Declared

Array = NDArray[Any]


@dataclass(frozen=True)
class ExampleSize:
    """How large a data set of examples with labels will be, known before it is built."""

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
    """A data set that can be built from its parameters; `family` says which learners can be run on it.

    order : its place in the catalogue, smallest first; new ones stand at the end.
    """

    order: ClassVar[int] = 10_000

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, value in self.params.items():
            if isinstance(value, np.ndarray):
                raise ValueError(f"{name} of {self.id} must be a single value: all replicates share the data")

    def size(self) -> Any:
        """The size it will have, with its `bytes`; cheap, so that too large a request can be refused."""
        raise NotImplementedError

    def build(self) -> Any:
        """The data; the same parameters give the same numbers."""
        raise NotImplementedError
