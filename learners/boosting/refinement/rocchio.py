"""The Rocchio algorithm for relevance feedback ([V] Eq. 4.20)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array, Line
from learners.boosting.refinement.linear import LinearRefiner


def least_parameter() -> float:
    """Return the declaration of the grade at which relevance begins, for every learner that needs it."""
    declared: float = real(
        1.0, 0.001, 100, step=1.0, 
        help="Grade from which a judged document counts as relevant; for movies, whose grades are stars less one, try "
        "3.",
    )  # fmt: skip
    return declared


@dataclass(kw_only=True)
class Rocchio(LinearRefiner):
    """Score documents by the inner product with Q = α · mean of the relevant − β · mean of the irrelevant ones.

    The documents are those judged. The original query Q_0 is 0, as a document is a vector of what it has in common with
    the query, and the base ranker's score is one more feature (both as in the dissertation). All features are scaled to
    0 … 1 over the query's documents. Where one of the two kinds is missing, its mean is left out.

    One feature and the base score, both scaled: document 0 is [0, 1] and relevant, document 1 is [1, 0] and not, and
    Q = [0, 1] − ½ [1, 0]. The third is [½, ½].

    >>> from learners.boosting.refinement.base import Judged
    >>> x, base = np.array([[2.0], [4.0], [3.0]]), np.array([9.0, 7.0, 8.0])
    >>> problem = Judged(x, base, np.array([0, 1]), np.array([1.0, 0.0]))
    >>> learner = Rocchio(alpha=1, beta=0.5)
    >>> learner.reset(problem, np.random.default_rng(0))
    >>> _ = learner.round()
    >>> learner.vote(problem.features)
    array([ 1.  , -0.5 ,  0.25])
    """

    id: ClassVar[str] = "rocchio"
    title: ClassVar[str] = "Rocchio"
    summary: ClassVar[str] = (
        "Looks for documents like those judged relevant and unlike those judged irrelevant: an inner product with the "
        "difference of their means."
    )
    finds: ClassVar[str] = "documents like those judged relevant, and unlike those judged irrelevant, got high scores"
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "Eq. 4.20"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"$x_i \leftarrow (x_i, g_i)$, each feature scaled to $[0, 1]$ over the documents of the query",
            "The score g of the base ranker becomes a feature like all others, and each feature is scaled.",
        ),
        Line(
            "predict",
            r"$Q \leftarrow \frac{\alpha}{n_1} \sum_{i\ \mathrm{relevant}} x_i - \frac{\beta}{n_2} "
            r"\sum_{i\ \mathrm{irrelevant}} x_i$, over the judged documents",
            "The ideal document Q is the mean of the relevant documents minus the mean of the irrelevant ones, among "
            "those judged.",
        ),
        Line(
            "update", r"$F_i \leftarrow Q^\top x_i$; rank by $F$, ties by $g$", "Documents that resemble Q come first."
        ),
    )

    alpha: float = real(
        1.0, 0, 10, symbol="α", step=0.5, help="Weight of the relevant documents; only its ratio to β matters."
    )
    beta: float = real(
        1.0, 0, 10, symbol="β", step=0.5, help="Weight of the irrelevant documents; only its ratio to α matters."
    )
    least: float = least_parameter()

    def solve(self, x: Array) -> Array | str:
        judged, relevant = x[self.problem.judged], self.problem.grades >= self.least
        query = np.zeros(x.shape[1])  # Q_0
        for weight, some in ((self.alpha, relevant), (-self.beta, ~relevant)):
            if some.any():
                query = query + weight * judged[some].mean(axis=0)
        return query
