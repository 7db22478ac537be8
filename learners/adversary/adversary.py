"""The adversary of [C] Lemma 3, from which no coactive learner learns faster than 1/√T."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from datasets.parameters import whole
from learners.adversary.environment import AdversaryEnvironment
from learners.base import Array, Shape
from learners.ranking.base import RankingLearner
from learners.run.history import History
from learners.run.simulation import Simulation

MOST_BYTES = 2_000_000_000  # of the learner's state
MOST_STEPS = 100_000
SEES = ("shown", "nothing")


class Adversary(Simulation):
    """Makes any learner of rankings suffer an average regret of 2/√T, whatever it does ([C] §4.1, Lemma 3).

    The context of step t is the basis vector e_t of R^T, the objects are y = +1 and −1 with φ(x, y) = y x. Nothing
    that was heard before says anything about the new direction. The adversary sees which object is presented, answers
    the other one, which is 1-informative feedback, and in the end all its answers follow from one user:
    w* = (−y_1, …, −y_T)/√T, of length 1. Each step then costs w*·φ(e_t, y*_t) − w*·φ(e_t, y_t) = 2/√T. Theorem 1
    with R = ‖w*‖ = 1 and no slack allows as much, 2/√T: the preference perceptron could not be better, even in the
    constant.

    It is used as a `Simulation` is, and ends after `horizon` steps. Metrics: `average-regret`, `cumulative-regret` and
    `lower-bound` for the w* of the horizon; `average-regret-by-horizon` and `lower-bound-by-horizon` for the w* that
    would have been chosen had step t been the last (the answers are the same, so one run is the adversary of every
    horizon); `bound`, Theorem 1, for the learners for which it holds; `mistakes`; `weight-norm`.

    Parameters
    ----------
    learner : an id, or an instance made by `create`, of the ranking family.
    horizon : number of steps T, which is the number of features as well; at most 100,000.
    replicates, seed, recorded : as of `Simulation`.
    sees : "shown", as above; or "nothing": the user is drawn beforehand, w* = (±1, …, ±1)/√T by fair coins. Then half
        of the objects are wrong, and the regret of any learner, however it randomises, is 1/√T in expectation.

    Raises
    ------
    ValueError : for a learner of another family, a horizon that is not allowed or for which the learner's state would
        take more than 2 GB, or an unknown `sees`.

    >>> adversary = Adversary("perturbed-perceptron", horizon=400, replicates=3, seed=0)
    >>> adversary.advance(steps=1000)
    >>> adversary.t, adversary.history["average-regret"][-1], adversary.history["lower-bound"][-1]
    (400, array([0.1, 0.1, 0.1]), array([0.1, 0.1, 0.1]))
    """

    def __init__(
        self,
        learner: str | RankingLearner,
        horizon: int = 1000,
        replicates: int = 1,
        seed: int = 0,
        sees: str = "shown",
        recorded: int | None = None,
    ) -> None:
        self.horizon, self.sees = whole("horizon", horizon, low=1, high=MOST_STEPS), sees
        if sees not in SEES:
            raise ValueError(f"sees must be one of {', '.join(SEES)}, got {str(sees)[:60]}")
        super().__init__(learner, None, None, replicates, seed, recorded)

    def _world(self, dataset: None, user: None) -> tuple[None, None]:
        """Refuse what it cannot play against; the adversary itself is data and user."""
        if not isinstance(self.learner, RankingLearner):
            given = getattr(self.learner, "id", str(self.learner)[:60])
            raise ValueError(f"the adversary plays against learners of the ranking family, got {given}")
        needed = self.learner.memory(Shape(self.horizon, documents=2), self.replicates)
        if needed > MOST_BYTES:
            raise ValueError(
                f"{self.replicates:,} replicates of {self.learner.id} with a horizon of {self.horizon:,} need "
                f"{needed / 1e9:.1f} GB of memory; at most {MOST_BYTES / 1e9:.0f} GB are allowed"
            )
        return None, None

    def reset(self) -> None:
        """Back to step 0, with the same random numbers ahead."""
        self.history = History(self.replicates, self.recorded)
        self.environment: Any = AdversaryEnvironment(self.learner, self.horizon, self.replicates, self.seeds, self.sees)

    @property
    def done(self) -> bool:
        """Whether the horizon is reached."""
        return self.t == self.horizon

    @property
    def weights(self) -> Array:
        """(R, T) the user's w* of the horizon as far as it is decided; 0 for the steps to come."""
        decided: Array = self.environment.wanted.T / np.sqrt(self.horizon)
        return decided

    def advance(self, steps: int | None = None, seconds: float | None = None) -> None:
        """As `Simulation.advance`, but at most to the horizon; without steps and seconds up to there."""
        left = self.horizon - self.t
        if steps is None or steps > left:
            steps = left
        super().advance(steps, seconds)

    def __iter__(self) -> Iterator[Any]:
        """The steps up to the horizon."""
        while not self.done:
            self.advance(steps=1)
            yield self.last
