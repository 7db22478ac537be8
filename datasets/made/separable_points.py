"""Points in a few dimensions that a linear classifier separates with a margin."""

from dataclasses import dataclass

import numpy as np

from datasets.base import ExampleSize
from datasets.classification import ClassificationData, ClassificationDataset
from datasets.parameters import integer, real


@dataclass(kw_only=True)
class SeparablePoints(ClassificationDataset):
    """Points of the unit ball, each labelled by the direction, out of K, with which its inner product is largest.

    Features (N, d). The directions are the unit rows of W*; in two dimensions they are evenly spaced, otherwise random.
    Points whose two best scores under W* differ by less than `margin` are left out, so W* separates the data with that
    margin.

    >>> data = SeparablePoints(examples=100).build()
    >>> scores = np.sort(data.features @ data.separator.T, axis=1)
    >>> bool((scores[:, -1] - scores[:, -2]).min() >= 0.2)
    True
    """

    id = "separable-points"
    order = 140
    judged_by = "points in the plane"
    title = "Points in the plane"
    summary = (
        "Points in two (or a few) dimensions, in sectors around the origin with gaps between them. The data are small "
        "enough for the halving algorithm, which evaluates every hypothesis on a grid."
    )
    paper = "Kakade et al., Efficient Bandit Algorithms for Online Multiclass Prediction, ICML 2008"
    section = "§4 (the separable setting; the points are ours)"

    classes: int = integer(3, 2, 10, symbol="K", help="Number of sectors, each a class; try 5.")
    dimensions: int = integer(2, 2, 10, symbol="d", help="Number of features; beyond 2 the directions are random.")
    margin: float = real(
        0.2, 0, 0.5, step=0.05, help="Smallest difference between the best and the second-best score; 0 leaves no gap."
    )
    examples: int = integer(2000, 100, 100_000, symbol="N", step=100, help="Points before they repeat; try 100.")
    data_seed: int = integer(0, 0, 2**31 - 1, rare=True, help="Seed of the directions and points.")

    def size(self) -> ExampleSize:
        return ExampleSize(self.examples, self.dimensions, self.classes, 8 * self.examples * (self.dimensions + 1))

    def build(self) -> ClassificationData:
        rng = np.random.default_rng(self.data_seed)
        if self.dimensions == 2:
            angles = 2 * np.pi * (np.arange(self.classes) / self.classes + rng.random())
            directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        else:
            directions = rng.standard_normal((self.classes, self.dimensions))
            directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        kept = np.empty((0, self.dimensions))
        for _ in range(1000):
            points = rng.standard_normal((4 * self.examples, self.dimensions))
            points /= np.linalg.norm(points, axis=1, keepdims=True)
            points *= rng.random((len(points), 1)) ** (1 / self.dimensions)
            scores = np.sort(points @ directions.T, axis=1)
            kept = np.concatenate([kept, points[scores[:, -1] - scores[:, -2] >= self.margin]])
            if len(kept) >= self.examples:
                break
        else:
            raise ValueError(
                f"margin must be smaller: with {self.classes} classes hardly any point of the unit ball has a "
                f"margin of {self.margin:g}"
            )
        points = kept[: self.examples]
        labels = (points @ directions.T).argmax(axis=1)
        names = tuple(f"sector {k + 1}" for k in range(self.classes))
        return ClassificationData(self.id, self.params, points, labels, names, separator=directions)
