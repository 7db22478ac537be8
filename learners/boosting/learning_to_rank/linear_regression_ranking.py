"""Linear regression of the grades: the simplest reference ([V] §3.4)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array, Line, Shape
from learners.boosting.base import Round
from learners.boosting.learning_to_rank.linear import LinearRanker
from learners.threads import one_thread

_DEPENDENT = 1e-12  # of the largest eigenvalue, below which features count as combinations of others


@dataclass(kw_only=True)
class LinearRegressionRanking(LinearRanker):
    """Fit the grades by least squares, w·x + c, and rank by w·x. Everything is learned in the first round.

    The queries play no role: it is a pointwise method. Of dependent features it takes the smallest weights.
    `Round.values`: objective, the mean squared error. `Round.details`: picked, |w| times the features' spread.

    >>> from learners.boosting.learning_to_rank.base import Queries
    >>> learner = LinearRegressionRanking()
    >>> x, grades = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]), np.array([0.0, 2.0, 4.0])
    >>> learner.reset(Queries(x, np.array([0, 3]), grades), np.random.default_rng(0))
    >>> learner.round().step, learner.vote(x).round(6), learner.round().stopped
    (1.0, array([0., 2., 4.]), 'Everything was learned in the first round.')
    """

    id: ClassVar[str] = "linear-regression-ranking"
    title: ClassVar[str] = "Linear regression"
    short: ClassVar[str] = "Regression"
    summary: ClassVar[str] = (
        "Predicts the grade of a document by a linear function of its features and ranks by that. It is done after one "
        "round; what boosting gains beyond it comes from what is not linear, or from minding the order alone."
    )
    finds: ClassVar[str] = "a weighted sum of the features was fitted to all grades by least squares"
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§3.4.1 (Regression)"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "observe",
            r"Take all documents of all queries together: features $x_i$, grades $r_i$",
            "It puts the documents of all queries together.",
        ),
        Line(
            "predict",
            r"$w, c \leftarrow \mathrm{argmin}_{w, c} \sum_i (w^\top x_i + c - r_i)^2$",
            "It fits a line that predicts the grade r of a document from its features x.",
        ),
        Line("update", r"$F(x) \leftarrow w^\top x$", "The grade predicted is the score F."),
    )

    def memory(self, shape: Shape, replicates: int) -> int:
        return 8 * shape.features * (shape.examples + 3 * shape.features) + super().memory(shape, replicates)

    def learn(self) -> Round:
        x = self.problem.features.astype(np.float64)
        y = self.problem.grades - self.problem.grades.mean()
        x -= x.mean(axis=0)
        spread = np.sqrt(np.einsum("nd,nd->d", x, x) / len(x))
        self.w = _least_squares(x, y, np.sqrt(len(x)) * spread)
        with one_thread():
            rest = y - x @ self.w
        self.add(1.0, self.score)
        values = {"objective": float((rest * rest).mean())}
        return Round(step=1.0, values=values, details={"picked": np.abs(self.w) * spread, "weights": self.w})


def _least_squares(x: Array, y: Array, norms: Array) -> Array:
    """Return the weights (d,) of least squares, by the normal equations of columns scaled by their norms."""
    scale = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 1e-12 * norms.max(initial=0.0))
    with one_thread():
        values, vectors = np.linalg.eigh(scale[:, None] * (x.T @ x) * scale)
        kept = values > max(_DEPENDENT * values[-1], 0.0)
        basis = vectors[:, kept]
        w: Array = scale * (basis @ ((basis.T @ (scale * (x.T @ y))) / values[kept]))
    return w
