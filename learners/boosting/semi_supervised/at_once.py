"""References that do all they can in their first round."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from learners.base import Array
from learners.boosting.base import Round, stopped
from learners.boosting.semi_supervised.base import SemiSupervisedLearner, Training

DONE = "It has done all it can in its first round: there is nothing to add."


class AtOnce(SemiSupervisedLearner):
    """A learner of a single round: `fit` trains it, and gives the function that names the class of rows (n, d).

    Each row gets one vote, step size 1; the error is the share of the labelled rows whose class it gets wrong.
    """

    boosts: ClassVar[bool] = False

    def fit(self, problem: Training) -> Callable[[Array], Array]:
        """Train; what is returned takes (n, d) and gives (n,) classes."""
        raise NotImplementedError

    def reset(self, problem: Training, rng: np.random.Generator) -> None:
        self.rng, self.problem = rng, problem
        self.at = np.flatnonzero(problem.labels >= 0)
        self.predict: Callable[[Array], Array] | None = None
        self.last = Round()

    def mass(self) -> Array:
        """(n,) the weight of each row: here the labelled rows alone, alike."""
        return np.where(self.problem.labels >= 0, 1 / len(self.at), 0.0)

    def targets(self) -> Array:
        """(n,) the label that each row was to have, −1 for none."""
        return self.problem.labels

    def round(self) -> Round:
        if self.predict is not None:
            return stopped(self.last, DONE)
        self.predict = self.fit(self.problem)
        answers = self.predict(self.problem.features)
        error = float((answers[self.at] != self.problem.labels[self.at]).mean())
        self.last = Round(1.0, error, self.mass(), self.targets(), answers, told={"labelled": len(self.at)})
        return self.last

    def vote(self, features: Array) -> Array:
        votes = np.zeros((len(features), self.problem.classes))
        if self.predict is not None:
            votes[np.arange(len(features)), self.predict(features)] = 1.0
        return votes
