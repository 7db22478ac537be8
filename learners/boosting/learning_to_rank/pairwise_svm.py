"""The ranking SVM on all pairs of documents: a reference that is trained once ([V] §3.4)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Line, Shape
from learners.boosting.base import Round
from learners.boosting.learning_to_rank.linear import LinearRanker
from learners.boosting.learning_to_rank.pairs import MAX_PAIRS, pairs
from learners.ranking.ranking_svm import fit
from learners.threads import one_thread

TRAINED = 50_000  # pairs that it is trained on at most; of more, so many are drawn
NUMBERS = 20_000_000  # pairs × features at most


@dataclass(kw_only=True)
class PairwiseSVM(LinearRanker):
    """Train w of least ½‖w‖² + C Σ max(0, 1 − w·(x_i − x_j))² over pairs of a query with r_i > r_j; ranks by w·x.

    All is learnt in the first round. Where there are more than 50,000 pairs (or 20 million numbers), so many are drawn
    at random, none twice. The hinge loss is squared, as scikit-learn's LinearSVC solves it; the SVM of the text is not.
    `Round.values`: objective, what is minimised, over the number of pairs. `Round.details`: pairs, picked (|w| times
    the spread of the differences).

    >>> from learners.boosting.learning_to_rank.base import Queries
    >>> problem = Queries(np.array([[2.0, 1.0], [0.0, 1.0]]), np.array([0, 2]), np.array([1.0, 0.0]))
    >>> learner = PairwiseSVM(C=100.0)
    >>> learner.reset(problem, np.random.default_rng(0))
    >>> learner.round().details["weights"].round(4)  # one pair with the difference (2, 0): 400/801
    array([0.4994, 0.    ])
    """

    id: ClassVar[str] = "pairwise-svm"
    title: ClassVar[str] = "Ranking SVM (batch)"
    short: ClassVar[str] = "Ranking SVM"
    summary: ClassVar[str] = (
        "A linear support vector machine that is to put every pair of documents of a query in order. It is done after "
        "one round; the reference for what a linear ranking can reach."
    )
    finds: ClassVar[str] = "a weighted sum of the features was trained to put every pair of a query in order"
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§3.4.1 (RankSVM)"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "observe",
            r"List the pairs $(i, j)$ of documents of the same query with $r_i > r_j$",
            "It lists the pairs of documents of a query with different grades.",
        ),
        Line(
            "predict",
            r"$w \leftarrow \mathrm{argmin}_w \frac12 \|w\|^2 + C \sum_{(i, j)} \max(0, 1 - w^\top (x_i - x_j))^2$",
            "It looks for weights w that put most pairs in order by a margin. A large C counts errors more, a small "
            "C keeps the weights small.",
        ),
        Line("update", r"$F(x) \leftarrow w^\top x$", "The score F of a document is w · x."),
    )

    C: float = real(
        0.01, 1e-6, 1e4,
        help="Weight of the errors against the size of w. Try 0.0001 where there are many features and few queries.",
    )  # fmt: skip

    def memory(self, shape: Shape, replicates: int) -> int:
        listed = min(shape.examples * shape.documents // 2, MAX_PAIRS)
        held = min(listed * shape.features, TRAINED * shape.features, NUMBERS)
        return 16 * listed + 24 * held + super().memory(shape, replicates)  # of one replicate at a time

    def learn(self) -> Round:
        x = self.problem.features
        a, b, _ = pairs(self.problem)
        if not len(a):
            self.last = Round(values={"objective": 0.0})
            return Round(stopped="No query has documents of different grades.")
        room = max(1, min(TRAINED, NUMBERS // x.shape[1]))
        if len(a) > room:
            drawn = np.sort(self.rng.choice(len(a), room, replace=False))
            a, b = a[drawn], b[drawn]
        differences = x[a].astype(np.float64) - x[b]
        with one_thread():
            self.w = fit(differences, self.C)
            missing = np.maximum(0.0, 1.0 - differences @ self.w)
        loss = 0.5 * float((self.w * self.w).sum()) + self.C * float((missing * missing).sum())
        spread = np.sqrt(np.einsum("pd,pd->d", differences, differences) / len(a))
        self.add(1.0, self.score)
        details = {"picked": np.abs(self.w) * spread, "weights": self.w, "pairs": len(a)}
        return Round(step=1.0, values={"objective": loss / len(a)}, details=details)
