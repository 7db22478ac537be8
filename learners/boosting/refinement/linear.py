"""References that score documents by a weighted sum of their features and the base ranker's score."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array
from learners.boosting.base import Round
from learners.boosting.refinement.base import Judged, Refiner


@dataclass(kw_only=True)
class LinearRefiner(Refiner):
    """A refiner that learns weights w (d + 1,) of the scaled features and the base score in its first round."""

    boosts: ClassVar[bool] = False

    def solve(self, x: Array) -> Array | str:
        """Return w for the scaled documents (n, d + 1) of the query, or say why there is nothing to learn."""
        raise NotImplementedError

    def learn(self) -> Round:
        w = self.solve(scaled(self.problem))
        if isinstance(w, str):
            return Round(stopped=w)
        self.w: Array = w
        self.add(1.0, self.score)
        return Round(step=1.0, answers=self.score(self.problem.features))

    def score(self, features: Array, base: Array | None = None) -> Array:
        """Return the scores (m,) of rows (m, d); base : (m,) the base ranker's, None for the query's own documents."""
        if base is not None:
            rows = scaled(self.problem, np.column_stack([features, base]))
        elif np.array_equal(features, self.problem.features):
            rows = scaled(self.problem)
        else:
            raise ValueError(f"{self.id} needs base, the base ranker's scores of documents other than the query's own")
        scores: Array = np.einsum("nd,d->n", rows, self.w)
        return scores

    def decision_function(self, features: Array, base: Array | None = None) -> Array:
        if base is None or not self.ensemble:
            return super().decision_function(features)
        return self.score(features, base)


def scaled(problem: Judged, rows: Array | None = None) -> Array:
    """Return features and base score (m, d + 1), each scaled so that the query's documents span 0 … 1, as in LETOR.

    rows : (m, d + 1) features and base score, or None for the query's own documents. Features that are the same for
    all documents of the query become 0 for them.

    >>> scaled(Judged(np.array([[1.0, 5.0], [3.0, 5.0]]), np.array([2.0, -2.0]), np.array([0]), np.array([1.0])))
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """
    own = np.column_stack([problem.features, problem.base])
    low, high = own.min(axis=0), own.max(axis=0)
    result: Array = ((own if rows is None else rows) - low) / np.where(high > low, high - low, 1.0)
    return result
