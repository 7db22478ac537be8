"""Interleaved half circles in the plane."""

from dataclasses import dataclass

import numpy as np

from datasets.base import Array
from datasets.made.plane import PlanePoints
from datasets.parameters import integer, real

_ASIDE, _ABOVE = 1.25, 0.5  # offsets between the centres of successive half circles


@dataclass(kw_only=True)
class Moons(PlanePoints):
    """K interleaved half circles of radius 1, alternately open downwards and upwards.

    Features (N, 2), with the middle of the chain at the origin; each class has N / K examples, give or take one.
    Without noise, points of different moons are at least 0.44 apart.

    Source: the two half circles are a classic example of semi-supervised learning, as in D. Zhou et al., Learning with
    Local and Global Consistency, NIPS 2003; the longer chain and the points are ours.

    >>> data = Moons(examples=100, classes=3).build()
    >>> data.features.shape, data.names
    ((100, 2), ('moon 1', 'moon 2', 'moon 3'))
    """

    id = "moons"
    order = 150
    title = "Moons in the plane"
    summary = (
        "Interleaved half circles with a few labels on each. A learner that follows the unlabelled points along an arc "
        "classifies its tips correctly; one that uses the labels alone cuts straight through."
    )
    paper = "Zhou et al., Learning with Local and Global Consistency, NIPS 2003"
    section = "§4.1 (the two moons; more of them, and the points, are ours)"
    shape = "moon"

    classes: int = integer(2, 2, 6, symbol="K", help="Number of half circles in the chain, each a class; try 4.")
    noise: float = real(
        0.1, 0, 1, symbol="σ", step=0.05,
        help="Standard deviation of both coordinates; the arcs have radius 1. From 0.2 on, the moons touch.",
    )  # fmt: skip
    examples: int = integer(400, 100, 100_000, symbol="N", step=100, help="Points before they repeat; try 2000.")
    data_seed: int = integer(0, 0, 2**31 - 1, rare=True, help="Seed of the points.")

    def points(self, labels: Array) -> Array:
        rng = np.random.default_rng(self.data_seed)
        angle = np.pi * rng.random(self.examples)
        down = labels % 2  # every other moon is open upwards
        x = np.cos(angle) + _ASIDE * (labels - (self.classes - 1) / 2)
        y = np.where(down, -np.sin(angle), np.sin(angle)) + _ABOVE * (down - 0.5)
        noise: Array = self.noise * rng.standard_normal((self.examples, 2))
        return np.stack([x, y], axis=1) + noise
