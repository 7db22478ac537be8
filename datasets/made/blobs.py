"""Gaussian clouds of points in the plane."""

from dataclasses import dataclass

import numpy as np

from datasets.base import Array
from datasets.made.plane import PlanePoints
from datasets.parameters import integer, real

_CANDIDATES = 20  # random candidates for each centre


@dataclass(kw_only=True)
class Blobs(PlanePoints):
    """K clouds of points, each normally distributed around its centre.

    Features (N, 2); each class has N / K examples, give or take one. Centres lie in the square [−1, 1]². Each centre is
    the one of 20 random points that is farthest from the previous centres, which keeps them apart.

    >>> data = Blobs(examples=100, classes=5).build()
    >>> data.features.shape, data.classes
    ((100, 2), 5)
    """

    id = "blobs"
    order = 160
    title = "Blobs in the plane"
    summary = (
        "Round clouds of points, each a class. One label per cloud is nearly enough until the clouds overlap. Increase "
        "the spread and watch unlabelled points mislead."
    )
    paper = "Chapelle, Schölkopf and Zien, Semi-Supervised Learning, MIT Press, 2006"
    section = "§1.2 (the cluster assumption; the points are ours)"
    shape = "blob"

    classes: int = integer(4, 2, 10, symbol="K", help="Number of clouds, each a class; try 10.")
    spread: float = real(
        0.15, 0.001, 1, symbol="σ", step=0.05,
        help="Standard deviation of a cloud; centres lie in a square of side 2. Try 0.05 and 0.4.",
    )  # fmt: skip
    examples: int = integer(1000, 100, 100_000, symbol="N", step=100, help="Points before they repeat; try 200.")
    data_seed: int = integer(0, 0, 2**31 - 1, rare=True, help="Seed of the centres and points.")

    def points(self, labels: Array) -> Array:
        centres_rng, rng = (np.random.default_rng(s) for s in np.random.SeedSequence(self.data_seed).spawn(2))
        noise: Array = self.spread * rng.standard_normal((self.examples, 2))
        return noise + _centres(self.classes, centres_rng)[labels]


def _centres(number: int, rng: np.random.Generator) -> Array:
    """Draw (K, 2) centres in the square, far apart; a larger K keeps the first centres unchanged."""
    centres = rng.uniform(-1, 1, (1, 2))
    while len(centres) < number:
        places = rng.uniform(-1, 1, (_CANDIDATES, 2))
        nearest = ((places[:, None] - centres) ** 2).sum(axis=2).min(axis=1)
        centres = np.concatenate([centres, places[[nearest.argmax()]]])
    return centres
