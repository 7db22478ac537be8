"""A game against the adversary: what determines it, what it costs, and the job that plays it."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from datasets.spec import Spec
from learners.adversary import Adversary, metrics
from learners.base import Array, Shape
from learners.catalogue import families
from learners.family import Family
from learners.run.cost import held
from learners.spec import learner_of
from pages.ui.draw.charts import rows_to_draw
from pages.ui.jobs.estimate import RaceEstimate
from pages.ui.jobs.job import Sliced
from pages.ui.jobs.queue import QUEUE, Queue

REPLICATES = 10


@dataclass(frozen=True)
class BoundGame:
    """The settings that determine a game."""

    learner: Spec
    steps: int
    sees: str
    seed: int

    @property
    def family(self) -> Family:
        """The family of the learner."""
        return families()["ranking"]

    @property
    def shape(self) -> Shape:
        """The shape of the adversary's contexts, which the learner may know."""
        return Shape(self.steps, documents=2)

    def adversary(self, replicates: int = REPLICATES) -> Adversary:
        """Return the game at step 0."""
        made: Any = learner_of(self.learner)
        return Adversary(made, self.steps, replicates, self.seed, self.sees, megabytes=0)

    def checked(self) -> RaceEstimate | None:
        """Check that it does not ask for more than a shared server should give.

        Return its estimate, which may still be made; None if it is light.

        Raises
        ------
        ValueError : with a sentence that says what to lower.
        """
        learner = learner_of(self.learner)
        state = learner.memory(self.shape, REPLICATES)
        if state > self.family.budget.megabytes * 1e6:
            raise ValueError(
                f"This learner would hold {state / 1e6:,.0f} MB for a horizon of {self.steps:,}, and a page may have "
                f"{self.family.budget.megabytes:,} MB. Lower the horizon."
            )
        return RaceEstimate(
            self, self.family, 1, REPLICATES, self.steps, state,
            held(learner, self.shape, REPLICATES, self.steps, self.steps),
            make=lambda number, replicates: self.adversary(replicates), lower="the horizon",
        ).checked()  # fmt: skip


class GameResult(NamedTuple):
    """(points,) horizons, (points, R) regret and lower bound by horizon, and (R,) mistakes at the end."""

    steps: Array
    regret: Array
    bound: Array
    mistakes: Array


class Played(Sliced):
    """A game that workers play; `result` is what has come of it so far, None before the first step.

    >>> from pages.ui.jobs.queue import Queue
    >>> played = opened(BoundGame(Spec("preference-perceptron"), 100, "shown", 0), Queue(workers=1))
    >>> played.wait(60)
    >>> played.complete, float(played.result.regret[-1].mean())
    (True, 0.2)
    """

    def __init__(self, game: BoundGame, estimate: RaceEstimate | None = None) -> None:
        super().__init__()
        self.setup, self.unit, self.estimate = game, game.family.unit, estimate
        self.result: GameResult | None = None
        self._adversary: Adversary | None = None

    @property
    def complete(self) -> bool:
        """Whether it has ended."""
        return bool(self.failed) or self.t == self.setup.steps

    def advance(self, seconds: float) -> None:
        """Play for about `seconds`."""
        adversary = self._adversary = self._adversary or self.setup.adversary()
        try:
            adversary.advance(seconds=seconds)
        except ValueError as error:  # such as weights that overflow
            self.failed = self.failed or str(error)
        if self.abandoned or not adversary.t:
            return
        t, h = adversary.t, adversary.history
        rows = rows_to_draw(t, self.setup.steps, log=True)
        regret, bound = (h[metric.id][rows] for metric in (metrics.REGRET_BY_HORIZON, metrics.LOWER_BOUND_BY_HORIZON))
        self.result = GameResult(rows + 1, regret, bound, h[metrics.MISTAKES.id][-1])
        self.t = t
        state = adversary.learner.memory(self.setup.shape, REPLICATES)
        self.bytes = int(adversary.bytes + state)
        if self.complete:  # what is drawn is kept, the game is not
            self._adversary, self.bytes = None, sum(part.nbytes for part in self.result)


def opened(game: BoundGame, queue: Queue = QUEUE, estimate: RaceEstimate | None = None) -> Played:
    """Return the game as the server plays it for all who ask for it; whoever asks is taken to wait for it a while."""
    return queue.open(game, lambda: Played(game, estimate))
