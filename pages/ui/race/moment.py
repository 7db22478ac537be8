"""A race as it stands at one step, from which pictures and inspectors are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from learners import Simulation
from learners.spec import RunSpec


@dataclass(frozen=True)
class Moment:
    """The simulations of a race, each with `t` steps taken.

    setup : what determines its numbers. t : steps taken. simulations : one for each learner.
    costs : for each simulation (step reached, µs per step and replicate).
    """

    setup: RunSpec
    t: int
    simulations: Sequence[Simulation]
    costs: Sequence[Sequence[tuple[int, float]]] = ()

    @property
    def data(self) -> Any:
        """The data that the learners run on."""
        return self.simulations[0].dataset
