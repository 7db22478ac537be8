"""The steps of one replicate of a run, in columns, to show them as they happen."""

from typing import Any

from datasets.parameters import within
from learners.base import Array
from learners.run.past import replay


class Watch:
    """Takes the steps of a simulation once more, in blocks, and tells what one replicate did in each of them.

    It costs about one more run, and the simulation is not touched; another thread may advance it meanwhile. The steps
    of a fork are those of the fork.

    Parameters
    ----------
    simulation : the run. replicate : counted from 0. after : the step after which it begins; the steps up to it are
    replayed from the nearest state that was kept.

    Attributes
    ----------
    t : the last step that was told. columns : the names of what `advance` tells.

    Raises
    ------
    ValueError : for a replicate that does not exist, a step that has not been taken, and runs that cannot be watched.

    >>> from learners import Simulation
    >>> sim = Simulation("perturbed-perceptron", "toy-ranking", "cascade", replicates=3, seed=0)
    >>> sim.advance(steps=100)
    >>> watch = Watch(sim, replicate=1)
    >>> found = watch.advance(steps=40)
    >>> found["shown"].shape, watch.t, len(watch.advance(steps=100)["shown"]), watch.t
    ((40, 10), 40, 60, 100)
    >>> bool((found["shown"][6] == sim.at(7).shown.ranking[1]).all())
    True
    """

    def __init__(self, simulation: Any, replicate: int, after: int = 0) -> None:
        self.columns: tuple[str, ...] = simulation.environment.watched
        if not self.columns:
            raise ValueError(f"the steps of {simulation.learner.id} cannot be watched here")
        replicate = within("replicate", replicate, 0, simulation.replicates - 1)
        after = within("after", after, 0, simulation.history.steps, "a step ")
        self._simulation = simulation
        self._environment = simulation._past.nearest(after, simulation._fresh)
        replay(self._environment, after, simulation.changes)
        self._environment.watch(replicate)

    @property
    def t(self) -> int:
        """The last step that was told."""
        steps: int = self._environment.t
        return steps

    @property
    def block(self) -> int:
        """The most steps that are worth asking for at once, since their memory and time are limited."""
        steps: int = self._environment.block
        return steps

    def advance(self, steps: int) -> dict[str, Array]:
        """Return the columns of the next steps, (steps, …); fewer where the simulation has not gone on, {} for none."""
        end = min(self.t + steps, self._simulation.history.steps)
        replay(self._environment, end, self._simulation.changes)
        found: dict[str, Array] = self._environment.seen()
        return found
