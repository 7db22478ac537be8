"""The adversary of [C] Lemma 3, which shows that no coactive learner learns faster than 1/√T."""

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

from datasets.parameters import shown, whole
from learners.adversary.environment import AdversaryEnvironment
from learners.base import Array, Shape
from learners.catalogue import create
from learners.ranking.base import RankingLearner
from learners.run.past import MEGABYTES
from learners.run.simulation import Simulation

MOST_BYTES = 2_000_000_000  # of the learner's state
MOST_STEPS = 100_000
SEES = ("shown", "nothing")


class Adversary(Simulation):
    """A simulation that makes any ranking learner suffer an average regret of 2/√T ([C] §4.1, Lemma 3).

    The context of step t is the basis vector e_t of R^T, and the objects are y = +1 and −1 with φ(x, y) = y x. Earlier
    feedback says nothing about the new direction. The adversary sees which object is presented and answers with the
    other one, which is 1-informative feedback. In the end one user explains all its answers,
    w* = (−y_1, …, −y_T)/√T, of length 1. Each step then costs w*·φ(e_t, y*_t) − w*·φ(e_t, y_t) = 2/√T. Theorem 1
    with R = ‖w*‖ = 1 and no slack allows exactly 2/√T, so the bound of the preference perceptron cannot be improved,
    not even in its constant.

    It works like a `Simulation` and ends after `horizon` steps. Its metrics are `average-regret`, `cumulative-regret`
    and `lower-bound` for the w* of the horizon; `average-regret-by-horizon` and `lower-bound-by-horizon` for the w*
    that the adversary would have chosen if step t were the last (the answers are the same, so one run serves every
    horizon); `bound`, Theorem 1, for learners for which it holds; `mistakes`; and `weight-norm`.

    Parameters
    ----------
    learner : an id or an instance, made by `create`, of the ranking family.
    horizon : number of steps T, which is also the number of features; at most 100,000.
    replicates, seed, recorded, megabytes : as in `Simulation`.
    sees : "shown", as above; or "nothing", where the user w* = (±1, …, ±1)/√T is drawn beforehand by fair coins. Then
        half of the objects are wrong, and any learner, however it randomises, has a regret of 1/√T in expectation.

    Raises
    ------
    ValueError : for a learner of another family, a horizon that is not allowed or needs more than 2 GB for the
        learner's state, or an unknown `sees`.

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
        megabytes: float = MEGABYTES,
    ) -> None:
        self.horizon, self.sees = whole("horizon", horizon, low=1, high=MOST_STEPS), sees
        if not isinstance(sees, str) or sees not in SEES:
            raise ValueError(f"sees must be one of {', '.join(SEES)}, got {shown(sees)}")
        super().__init__(learner, None, None, replicates, seed, recorded, megabytes)

    def _parts(self, learner: Any, dataset: None, user: None) -> tuple[Any, None, None]:
        """Refuse what it cannot play against; the adversary itself is data and user."""
        made = create(learner) if isinstance(learner, str | type) else learner
        if not isinstance(made, RankingLearner):
            given = getattr(made, "id", str(made)[:60])
            raise ValueError(f"the adversary plays against learners of the ranking family, got {given}")
        needed = made.memory(self.shape, self.replicates)
        if needed > MOST_BYTES:
            raise ValueError(
                f"{self.replicates:,} replicates of {made.id} with a horizon of {self.horizon:,} need "
                f"{needed / 1e9:.1f} GB of memory; at most {MOST_BYTES / 1e9:.0f} GB are allowed"
            )
        return copy.copy(made), None, None

    def _environment(self, learner: Any, user: None) -> AdversaryEnvironment:
        return AdversaryEnvironment(learner, self.horizon, self.replicates, self.seeds, self.sees)

    @property
    def shape(self) -> Shape:
        """The facts that the learner may know about the contexts: a feature for each step, and two objects."""
        return Shape(self.horizon, documents=2)

    @property
    def done(self) -> bool:
        """Whether the horizon has been reached."""
        return self.t == self.horizon

    @property
    def weights(self) -> Array:
        """The user's w* of the horizon (R, T) as far as it is decided, and 0 for later steps."""
        decided: Array = self.environment.wanted.T / np.sqrt(self.horizon)
        return decided

    def advance(self, steps: int | None = None, seconds: float | None = None, progress: bool = False) -> None:
        """Advance as a `Simulation` does, but no further than the horizon; without arguments, up to it."""
        left = self.horizon - self.t
        if steps is None or steps > left:
            steps = left
        super().advance(steps, seconds, progress)

    def __iter__(self) -> Iterator[Any]:
        """Yield the record of each step up to the horizon."""
        while not self.done:
            self.advance(steps=1)
            yield self.last
