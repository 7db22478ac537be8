"""A ranking SVM that is trained on the judged documents of a query ([V] §4.4.1)."""

import warnings
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array, Line
from learners.boosting.refinement.linear import LinearRefiner
from learners.ranking.ranking_svm import fit
from learners.threads import one_thread


@dataclass(kw_only=True)
class FeedbackSVM(LinearRefiner):
    """Learn w from the pairs of judged documents with different grades: w · x is to be larger for the better one.

    The base ranker's score is one more feature, as in the dissertation, and all are scaled to 0 … 1 over the query's
    documents. The loss is squared (`ranking_svm.fit`). Without such a pair the ranking stays that of the base ranker.

    >>> from learners.boosting.refinement.base import Judged
    >>> x, base = np.array([[2.0], [4.0], [3.0]]), np.array([9.0, 7.0, 8.0])
    >>> problem = Judged(x, base, np.array([0, 1]), np.array([0.0, 1.0]))
    >>> learner = FeedbackSVM(C=1000)  # one pair: [1, 0] − [0, 1] has to have w · Δ = 1
    >>> learner.reset(problem, np.random.default_rng(0))
    >>> _ = learner.round()
    >>> learner.vote(problem.features).round(2)
    array([-0.5,  0.5,  0. ])
    """

    id: ClassVar[str] = "feedback-svm"
    title: ClassVar[str] = "Ranking SVM on the judged documents"
    short: ClassVar[str] = "Ranking SVM"
    summary: ClassVar[str] = (
        "Trains a linear ranking function on the pairs of judged documents, with the base ranker's score as one more "
        "feature, and ranks all documents by it."
    )
    finds: ClassVar[str] = "a weighted sum of the features was trained to put the judged pairs in order"
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§4.4.1"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"$x_i \leftarrow (x_i, g_i)$, each feature scaled to $[0, 1]$ over the documents of the query",
            "The score g of the base ranker becomes a feature like all others, and each feature is scaled.",
        ),
        Line(
            "predict",
            r"$w \leftarrow \mathrm{argmin}_w\, \frac12\|w\|^2 + C \sum_{i \succ j} \max(0, 1 - w^\top(x_i - x_j))^2$, "
            r"over the pairs judged",
            "It looks for weights w that put most judged pairs in order by a margin. A large C counts errors more, a "
            "small C keeps the weights small.",
        ),
        Line("update", r"$F_i \leftarrow w^\top x_i$; rank by $F$, ties by $g$", "The score F of a document is w · x."),
    )

    C: float = real(
        1.0, 1e-6, 1000, symbol="C",
        help="Weight of the pairs against the length of w; at 0.01 it is close to Rocchio, at 100 it follows every "
        "judgement.",
    )  # fmt: skip

    def solve(self, x: Array) -> Array | str:
        problem = self.problem
        better, worse = np.nonzero(problem.grades[:, None] > problem.grades[None, :])
        if len(better) == 0:
            return "The judged documents all have the same grade, so there is no pair to learn from."
        judged = x[problem.judged]
        with warnings.catch_warnings(), one_thread():
            warnings.simplefilter("ignore")  # the solver would go on over the last digits
            return fit(judged[better] - judged[worse], self.C)
