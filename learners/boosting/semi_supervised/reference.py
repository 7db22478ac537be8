"""References that learn everything in their first round."""

from typing import ClassVar

import numpy as np

from learners.base import Array
from learners.boosting.base import Round
from learners.boosting.semi_supervised.base import SemiSupervisedLearner, Training


class Reference(SemiSupervisedLearner):
    """A learner of a single round: `fit` trains it, `classify` names the class of rows.

    Each row gets one vote, step size 1; the error is the share of the labelled rows whose class it gets wrong. Rows are
    trained on alike that have a label in `believed` (n,), −1 for none; `fit` may add labels there.
    """

    boosts: ClassVar[bool] = False

    def reset(self, problem: Training, rng: np.random.Generator) -> None:
        super().reset(problem, rng)
        self.labelled = np.flatnonzero(problem.labels >= 0)  # (m,) the labelled rows
        self.believed: Array = problem.labels

    def fit(self) -> None:
        """Train on the problem."""
        raise NotImplementedError

    def classify(self, features: Array) -> Array:
        """Return the class (n,) of rows (n, d)."""
        raise NotImplementedError

    def learn(self) -> Round:
        self.fit()
        self.add(1.0, self.classify)
        answers = self.classify(self.problem.features)
        error = float((answers[self.labelled] != self.problem.labels[self.labelled]).mean())
        weights = np.where(self.believed >= 0, 1 / max((self.believed >= 0).sum(), 1), 0.0)
        return Round(1.0, error, weights, self.believed, answers, details={"labelled": len(self.labelled)})
