"""Concentric rings in the plane."""

from dataclasses import dataclass

import numpy as np

from datasets.base import Array
from datasets.made.plane import PlanePoints
from datasets.parameters import integer, real


@dataclass(kw_only=True)
class Rings(PlanePoints):
    """K rings around the origin with radii 1/K, 2/K, … 1, each a class, the innermost first.

    Features (N, 2); each ring has N / K examples, give or take one, so that outer rings are sparser. A point's signed
    distance from its ring is normally distributed.

    >>> data = Rings(examples=100, classes=2, noise=0).build()
    >>> np.unique(np.linalg.norm(data.features, axis=1).round(12)).tolist()
    [0.5, 1.0]
    """

    id = "rings"
    order = 170
    title = "Rings in the plane"
    summary = (
        "Concentric rings, in which distant points may share a class and close ones may not. Watch labels spread "
        "around each ring, or jump across where a ring is sparse."
    )
    paper = "Chapelle, Schölkopf and Zien, Semi-Supervised Learning, MIT Press, 2006"
    section = "§1.2 (the manifold assumption; the points are ours)"
    shape = "ring"

    classes: int = integer(
        4, 2, 10, symbol="K", help="Number of rings, each a class; with 10, every point is close to other classes."
    )
    noise: float = real(
        0.1, 0, 1, symbol="σ", step=0.05,
        help="Standard deviation of the distance from the ring, in gaps between rings; from 0.3 on, they touch.",
    )  # fmt: skip
    examples: int = integer(1000, 100, 100_000, symbol="N", step=100, help="Points before they repeat; try 3000.")
    data_seed: int = integer(0, 0, 2**31 - 1, rare=True, help="Seed of the points.")

    def points(self, labels: Array) -> Array:
        rng = np.random.default_rng(self.data_seed)
        angle = 2 * np.pi * rng.random(self.examples)
        radius = (labels + 1 + self.noise * rng.standard_normal(self.examples)) / self.classes
        points: Array = radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return points
