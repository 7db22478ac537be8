"""References that learn everything in their first round."""

from typing import ClassVar

import numpy as np

from learners.base import Array
from learners.boosting.base import Round
from learners.boosting.semi_supervised.base import SemiSupervisedLearner, Training


class Reference(SemiSupervisedLearner):
    """A learner of a single round: `fit` trains it, `classify` names the class of rows.

    Each row gets one vote, step size 1; the error is the share of the labelled rows whose class it gets wrong.
    """

    boosts: ClassVar[bool] = False

    def reset(self, problem: Training, rng: np.random.Generator) -> None:
        super().reset(problem, rng)
        self.labelled = np.flatnonzero(problem.labels >= 0)  # (m,) the labelled rows

    def fit(self) -> None:
        """Train on the problem."""
        raise NotImplementedError

    def classify(self, features: Array) -> Array:
        """Return the class (n,) of rows (n, d)."""
        raise NotImplementedError

    def row_weights(self) -> Array:
        """Return the weight (n,) of each training row: here of the labelled rows alone, all alike."""
        return np.where(self.problem.labels >= 0, 1 / len(self.labelled), 0.0)

    def targets(self) -> Array:
        """Return the label (n,) that each training row was to have, −1 for none."""
        labels: Array = self.problem.labels
        return labels

    def learn(self) -> Round:
        self.fit()
        self.add(1.0, self.classify)
        answers = self.classify(self.problem.features)
        error = float((answers[self.labelled] != self.problem.labels[self.labelled]).mean())
        return Round(1.0, error, self.row_weights(), self.targets(), answers, details={"labelled": len(self.labelled)})
