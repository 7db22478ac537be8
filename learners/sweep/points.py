"""A simulation of several points of a grid at once, all of which meet the same data order and the same noise."""

from __future__ import annotations

from typing import Any

from learners.random import Seeds
from learners.run.history import LEAST
from learners.run.simulation import Simulation


class Points(Simulation):
    """A simulation of P points of a grid with r replicates each; replicate p·r + j is replicate j of point p.

    Each point gets the random numbers that it gets in a simulation of its own with r replicates.
    """

    def __init__(self, learner: Any, dataset: Any, user: Any, points: int, replicates: int, seed: int) -> None:
        self.points = points
        # only the end of the run is reported, so few steps are kept; how many must not depend on the batch
        super().__init__(learner, dataset, user, points * replicates, seed, recorded=LEAST, megabytes=0)

    @property
    def seeds(self) -> Seeds:
        return Seeds(self.seed, self.replicates, self.points)
