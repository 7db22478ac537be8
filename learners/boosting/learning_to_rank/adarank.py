"""AdaRank: boosting by weights of whole queries ([V] Algorithm 4)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import choice
from learners.base import Array, Line, Shape
from learners.boosting.base import Round
from learners.boosting.learning_to_rank.base import Queries, RankBooster
from learners.boosting.learning_to_rank.measures import GradedQueries
from learners.boosting.stumps import Stump, Stumps

MAX_STEP = 10.0  # of α, which has no limit for a weak ranker that is right on every query


@dataclass(frozen=True)
class Column:
    """The weak ranker f(x) = x_j, or −x_j where small values come first."""

    feature: int
    above: bool

    def __call__(self, features: Array) -> Array:
        """Return its scores (n,) of rows (n, d)."""
        column: Array = features[:, self.feature].astype(np.float64)
        return column if self.above else -column


@dataclass(kw_only=True)
class AdaRank(RankBooster):
    """Weigh the queries, p(k) ∝ exp(−NDCG_k(F)), and add the weak ranker with the best weighted NDCG η.

    The step is ½ log((1 + η) / (1 − η)), with η measured on the weak ranker, as in Xu and Li's own paper; with the
    ½ log(η / (1 − η)) in the text, weak rankers of η < ½ would be turned round. NDCG is that of whole rankings, ties
    broken in one order (see `ties`). A weak ranker is a feature, rising or falling, as its authors suggest; it is
    added as it stands, so features should be of comparable size. Or (`weak` = stumps) the stump with the largest
    Σ_k p(k)/m_k Σ_i (r_i − mean of the query's grades) f(x_i): all documents of a query weigh the same, as in the text.

    It ends where the same feature is chosen twice from the start: F is then a multiple of it, ranks as it does,
    and the weights of the queries stay as they are. `Round.values`: objective, Σ_k exp(−NDCG_k(F)).
    `Round.details`: feature, above (whether large values come first), threshold (stumps), eta, queries (p of each).

    >>> problem = Queries(np.array([[0.0], [1.0]]), np.array([0, 2]), np.array([0.0, 1.0]))
    >>> learner = AdaRank()
    >>> learner.reset(problem, np.random.default_rng(0))
    >>> done = learner.round()
    >>> done.details["above"], done.details["eta"], round(done.values["objective"], 4)  # perfect: exp(−1)
    (True, 1.0, 0.3679)
    >>> learner.round().stopped
    'the same feature is best again, so nothing would change any more'
    """

    id: ClassVar[str] = "adarank"
    title: ClassVar[str] = "AdaRank"
    summary: ClassVar[str] = (
        "Boosts by weights of whole queries: those ranked badly so far count more when the next weak ranker is chosen. "
        "All documents of a query weigh the same, which is what NDCG_Boost does better. It often ends after a few "
        "rounds."
    )
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§3.3.2, Algorithm 4; Xu and Li, AdaRank, SIGIR 2007"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Initialise $p_1(k) \leftarrow 1/n$ for all queries $k$, $F \leftarrow 0$",
            "All n queries have the same weight p, and the score F is 0.",
        ),
        Line("observe", r"Weigh every query $k$ by $p_t(k)$", "Each query k has a weight p."),
        Line(
            "predict",
            r"Find the weak ranker $f_t$ with the largest $\eta_t = \sum_k p_t(k)\, \mathrm{NDCG}_k(f_t)$",
            "It looks for the weak ranker f that ranks best by itself. η is its mean NDCG over the queries, by their "
            "weights.",
        ),
        Line(
            "feedback",
            r"$\alpha_t \leftarrow \frac12 \log\left((1 + \eta_t) / (1 - \eta_t)\right)$",
            "The better f ranks, the larger its step α.",
        ),
        Line("update", r"$F \leftarrow F + \alpha_t f_t$", "The scores of f join F, times α."),
        Line(
            "after",
            r"$p_{t+1}(k) \leftarrow \exp(-\mathrm{NDCG}_k(F)) / \sum_l \exp(-\mathrm{NDCG}_l(F))$",
            "Queries on which F still ranks badly gain weight.",
        ),
    )

    weak: str = choice(
        "features",
        ("features", "stumps"),
        named=True,
        help="What it adds: a feature as it stands, rising or falling, or a split of a feature in two. Try stumps on "
        "data that no linear function explains.",
    )

    at_start: ClassVar[tuple[str, ...]] = ("weak",)
    shared: ClassVar[tuple[str, ...]] = ("ensemble",)

    def memory(self, shape: Shape, replicates: int) -> int:
        queries = (
            shape.examples // 2 if self.weak == "features" else 0
        )  # at most; the sorted columns of stumps take less
        return replicates * (16 * queries * shape.features + 5 * shape.examples * shape.features + 64 * shape.examples)

    def reset(self, problem: Queries, rng: np.random.Generator) -> None:
        super().reset(problem, rng)
        self.measures = GradedQueries(problem.starts, problem.grades)
        n = len(problem.starts) - 1
        self.p: Array = np.full(n, 1.0 / n)
        self.F: Array = np.zeros(len(problem.grades))
        self.chosen: set[Any] = set()
        if self.weak == "features":
            self.worth = self._worths()
        else:
            self.stumps = Stumps(problem.features)
            means = self.measures.total(problem.grades) / self.measures.lengths
            self.centred = (problem.grades - means[self.measures.query]) / self.measures.lengths[self.measures.query]

    def learn(self) -> Round:
        f, why = self._features() if self.weak == "features" else self._stump()
        if f is None:
            return Round(stopped=why)
        answers = f(self.problem.features)
        eta = float((self.p * self._ndcg(answers)).sum())
        alpha = min(MAX_STEP, float(np.arctanh(min(eta, 1 - 1e-12))))  # = ½ log((1 + η) / (1 − η))
        self.chosen = self.chosen | {f}
        self.F = self.F + alpha * answers
        self.add(alpha, f)
        loss = np.exp(-self._ndcg(self.F))
        details = {"feature": f.feature, "above": f.above, "eta": eta, "queries": self.p}
        if isinstance(f, Stump):
            details["threshold"] = f.threshold
        weights = self.next_weights()
        self.p = loss / loss.sum()
        values = {"objective": float(loss.sum())}
        return Round(step=alpha, weights=weights, answers=answers, values=values, details=details)

    def next_weights(self) -> Array:
        return (self.p / self.measures.lengths)[self.measures.query]

    def _ndcg(self, scores: Array) -> Array:
        return self.measures.ndcg(self.measures.order(scores))

    def _worths(self) -> Array:
        """Return the NDCG (2d, Q) of every feature, with large values first and then with small values first."""
        d = self.problem.features.shape[1]
        both = [Column(j, above) for above in (True, False) for j in range(d)]
        return np.stack([self._ndcg(f(self.problem.features)) for f in both])

    def _features(self) -> tuple[Column | None, str]:
        eta = np.einsum("fq,q->f", self.worth, self.p)
        best = int(np.argmax(eta >= eta.max() * (1 - 1e-12)))
        d = len(eta) // 2
        f = Column(best % d, best < d)
        if not self.worth.any():
            return None, "no query has a relevant document"
        if self.chosen == {f}:
            return None, "the same feature is best again, so nothing would change any more"
        return f, ""

    def _stump(self) -> tuple[Stump | None, str]:
        f = self.stumps.best(self.p[self.measures.query] * self.centred)
        if f is None or f.eta <= 1e-12:
            return None, "no stump tells good documents from bad"
        if self.chosen == {f}:
            return None, "the same stump is best again, so nothing would change any more"
        return f, ""
