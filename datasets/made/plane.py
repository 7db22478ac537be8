"""The base class of data sets of points in the plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from datasets.base import Array, ExampleSize
from datasets.classification import ClassificationData, ClassificationDataset, labelled, training


@dataclass(kw_only=True)
class PlanePoints(ClassificationDataset):
    """N points in K classes of N / K points, give or take one; `shape` is the name of a class, such as moon."""

    shape: ClassVar[str] = ""

    labelled: float = labelled(0.05)
    training: float = training(0.5)

    if TYPE_CHECKING:  # each data set declares them with its own bounds
        classes: int
        examples: int

    def size(self) -> ExampleSize:
        return ExampleSize(self.examples, 2, self.classes, 8 * self.examples * 3)

    def build(self) -> ClassificationData:
        labels = np.arange(self.examples) % self.classes
        names = tuple(f"{self.shape} {k + 1}" for k in range(self.classes))
        return ClassificationData(self.id, self.params, self.points(labels), labels, names)

    def points(self, labels: Array) -> Array:
        """Draw (N, 2) points for the classes `labels` (N,)."""
        raise NotImplementedError
