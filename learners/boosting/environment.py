"""The base of the environments of the boosting families: a learner for each replicate, a round a step."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import of_replicate
from learners.base import Array
from learners.boosting.base import Booster, Round
from learners.boosting.metrics import STEP_SIZE
from learners.boosting.side_by_side import Pace, side_by_side
from learners.environment import Stepwise
from learners.metric import Metric
from learners.random import EACH, Seeds, Stream


@dataclass(frozen=True)
class LatestRound:
    """The latest round, for the inspector: its number t from 1, and what each replicate's learner did."""

    t: int
    rounds: tuple[Round, ...]


def require_dense(data: Any, who: str) -> None:
    """Raise ValueError for sparse features. who : such as "learning to rank needs"."""
    if data.sparse:
        raise ValueError(f"{who} dense features, but those of {data.id} are sparse; choose another data set")


class BoostingEnvironment(Stepwise):
    """Run one boosting learner on R replicates, each on a problem of its own.

    A family says what the problems are (`prepare`), what becomes of the scores of a round (`tally`), and what is
    measured (`metrics`). Shared by all: learners, rounds, problems, each a list with one entry a replicate. The rounds
    of boosting learners run side by side (see `side_by_side`). References learn one after the other, since the
    libraries that train them share random numbers and warnings between threads.
    """

    block = 1
    shared: ClassVar[tuple[str, ...]] = ("problems",)
    reported: ClassVar[tuple[Metric, ...]]  # what the learners report in `Round.values`
    weak_error: ClassVar[Metric]

    def __init__(self, data: Any, user: Any, learner: Booster, replicates: int, seeds: Seeds) -> None:
        self.data, self.user, self.learner, self.replicates = data, user, learner, replicates
        order, person, own, _ = seeds.spawn(4)  # the same four streams as in every family
        self.t = 0
        self.rounds: list[Round] = [Round()] * replicates
        self._noted: list[dict[Metric, Array]] = []
        self._pace = Pace()  # of a round
        self.problems = self.prepare(order, person)
        starts = own.integers(0, 2**62, EACH)
        self.learners: list[Any] = [of_replicate(learner, r) for r in range(replicates)]
        for booster, problem, start in zip(self.learners, self.problems, starts, strict=True):
            booster.reset(problem, np.random.default_rng(start))

    def prepare(self, order: Stream, person: Stream) -> list[Any]:
        """Return the problem of each replicate."""
        raise NotImplementedError

    def tally(self, moved: list[int]) -> None:
        """Add the votes of the latest round to the scores, and measure them anew.

        moved : the replicates that added a weak hypothesis; in the first round all.
        """
        raise NotImplementedError

    def metrics(self) -> dict[Metric, Array]:
        """Return the family's own metrics after the latest round, each (R,)."""
        raise NotImplementedError

    def step(self) -> None:
        """Run one round of every replicate."""
        if self.learner.boosts:
            self.rounds = side_by_side(self._round, range(self.replicates), self._pace)
        else:
            self.rounds = [self._round(r) for r in range(self.replicates)]
        self.t += 1
        moved = [r for r, done in enumerate(self.rounds) if self.t == 1 or not done.stopped]
        if moved:
            self.tally(moved)
        undeclared = {id for r in self.rounds for id in r.values} - {metric.id for metric in self.reported}
        if undeclared:
            raise ValueError(
                f"{self.learner.id} reports what its family does not declare: {', '.join(sorted(undeclared))}"
            )
        reported = {metric: [r.values.get(metric.id, np.nan) for r in self.rounds] for metric in self.reported}
        rounds = self.rounds if self.learner.boosts else [Round(step=np.nan)] * self.replicates
        reported |= {STEP_SIZE: [r.step for r in rounds], self.weak_error: [r.error for r in rounds]}
        self._noted.append({metric: np.asarray(v, dtype=float) for metric, v in (self.metrics() | reported).items()})

    def changed(self) -> None:
        """Hand new parameters to the learners of the replicates."""
        for r, booster in enumerate(self.learners):
            for name, value in of_replicate(self.learner, r).params.items():
                setattr(booster, name, value)
            booster.changed()

    def _round(self, replicate: int) -> Round:
        done: Round = self.learners[replicate].round()
        return done

    def last(self) -> LatestRound | None:
        """Return the record of the latest round, or None before the first."""
        return LatestRound(self.t, tuple(self.rounds)) if self.t else None

    def measure(self) -> dict[Metric, Array]:
        noted, self._noted = self._noted, []
        return {metric: np.array([values[metric] for values in noted]) for metric in noted[0]}
