"""A simulation of several points of a grid at once, all of which meet the same data order and the same noise."""

from typing import Any, Self

from learners.catalogue import create
from learners.random import Seeds
from learners.run.history import LEAST_ROWS, History
from learners.run.simulation import Simulation
from learners.spec import RunSpec


class Points(Simulation):
    """A simulation of P points of a grid with r replicates each; replicate p·r + j is replicate j of point p.

    Each point gets the random numbers that it gets in a simulation of its own with r replicates.
    """

    # of a sweep only the end is reported, so few steps are kept; how many must not depend on the batch
    def __init__(
        self, learner: Any, dataset: Any, user: Any, points: int, replicates: int, seed: int, recorded: int = LEAST_ROWS
    ) -> None:
        self.points = points
        super().__init__(learner, dataset, user, points * replicates, seed, recorded=recorded, megabytes=0)

    @classmethod
    def of(cls, run: RunSpec, number: int, data: Any, points: int, recorded: int = LEAST_ROWS) -> Self:
        """Return the simulation of a learner of a run, by its number from 0, at step 0.

        run : replicates are those of one point. A value that differs from point to point is an array with one number
            for each replicate of each point, (P·r,).
        """
        learner = run.learners[number]
        made = create(learner.id, **learner.values)  # not `learner_of`, which can have no arrays
        return cls(made, data, run.made_user(), points, run.replicates, run.seed, recorded)

    def history_of(self, point: int) -> History:
        """Return the history of a point, as a simulation of its own has it, (rows, r) for each metric."""
        each = self.replicates // self.points
        return self.history.of(slice(point * each, (point + 1) * each))

    @property
    def seeds(self) -> Seeds:
        return Seeds(self.seed, self.replicates, self.points)
