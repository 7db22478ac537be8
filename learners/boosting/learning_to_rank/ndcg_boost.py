"""Boosting on the expected NDCG ([V] Algorithm 5)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array, Line, Shape
from learners.boosting.base import Round
from learners.boosting.learning_to_rank.base import Queries, RankBooster
from learners.boosting.learning_to_rank.pairs import MAX_PAIRS
from learners.boosting.learning_to_rank.surrogate import Surrogate
from learners.boosting.stumps import Stumps
from learners.theory import BOUNDS, Descent

MAX_STEP = 10.0  # of α, which has no limit where a weak ranker puts no pair out of order
TINY = 1e-12  # share of M⁰ that counts as no progress


@dataclass(kw_only=True)
class NDCGBoost(RankBooster):
    """Boosting of stumps on M, a surrogate for the expected NDCG of all rankings that the scores F induce.

    A round weighs each document by w = −∂M/∂F, trains the stump f(x) ∈ {0, 1} with the largest η = Σ w f, exactly,
    and adds it with the α that is best for a bound on M. M never rises. Differences from the text: M is the sum over
    queries, without which Theorem 7 is false; Theorem 6 needs a minus sign before its last term; η is maximised over
    all stumps, in place of training on a sample; where a stump puts no pair out of order (α₂ = 0), α is 10 and the
    bound counts what that is good for, α₁ + α₂ − α₁ e^−α − α₂ e^α, which is (√α₁ − √α₂)² at any other α.

    `Round.values`: surrogate M and bound, both after the round. `Round.error`: ε of Eq. 3.16. `Round.details`: feature,
    threshold, above (whether rows above the threshold get 1), eta, and the weights right (α₁) and wrong (α₂) of pairs.

    >>> learner = NDCGBoost()
    >>> problem = Queries(np.array([[0.0], [1.0]]), np.array([0, 2]), np.array([0.0, 1.0]))
    >>> learner.reset(problem, np.random.default_rng(0))
    >>> done = learner.round()
    >>> done.details["threshold"], done.details["above"], done.weights, done.targets
    (0.5, True, array([0.25, 0.25]), array([-1., 1.]))
    """

    id: ClassVar[str] = "ndcg-boost"
    title: ClassVar[str] = "NDCG_Boost"
    summary: ClassVar[str] = (
        "Boosts stumps on the expected NDCG: documents that stand too low for their grade are to be lifted, those too "
        "high to be lowered, the more the closer they are to changing places."
    )
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§3.3.5, Algorithm 5"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $F_i^k \leftarrow 0$ for all documents $i$ of all queries $k$",
            "The scores F of all documents are 0 at first."),
        Line(
            "observe",
            r"$\theta_{ij}^k \leftarrow \exp(F_i^k - F_j^k) / (1 + \exp(F_i^k - F_j^k))^2$ for all pairs $i \neq j$",
            "θ is large for two documents of a query whose scores are close, so that their order can still change.",
        ),
        Line(
            "observe",
            r"$w_i^k \leftarrow \sum_j \theta_{ij}^k (2^{r_i^k} - 2^{r_j^k}) / Z_k$, "
            r"$y_i^k \leftarrow \mathrm{sign}(w_i^k)$",
            "The weight w adds up, over all other documents, how much NDCG would gain if this one stood above them. "
            "Its sign y says whether the document should rise or fall.",
        ),
        Line("predict", r"Train $f(x) \in \{0, 1\}$ to maximise $\eta = \sum_k \sum_i |w_i^k| y_i^k f(x_i^k)$",
            "It trains a weak ranker f, which lifts some documents and leaves the others, to lift those that should "
            "rise."),
        Line(
            "feedback",
            r"$\alpha_1 \leftarrow \sum_k \sum_{ij} \theta_{ij}^k [f_j^k < f_i^k] (2^{r_i^k} - 1) / Z_k$, $\alpha_2$ "
            r"likewise with $[f_j^k > f_i^k]$; $\alpha \leftarrow \frac12 \log(\alpha_1 / \alpha_2)$",
            "α₁ is the weight of the pairs that f puts in order, α₂ of those that it puts out of order. The more the "
            "first exceeds the second, the larger the step α.",
        ),
        Line("update", r"$F_i^k \leftarrow F_i^k + \alpha f(x_i^k)$",
            "The documents that f lifts gain α."),
    )  # fmt: skip

    shared: ClassVar[tuple[str, ...]] = ("ensemble",)

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("ndcg-theorem-7",)

    def memory(self, shape: Shape, replicates: int) -> int:
        pairs = min(shape.examples * shape.documents // 2, MAX_PAIRS)
        return replicates * (16 * pairs + shape.examples * (5 * shape.features + 64))

    def reset(self, problem: Queries, rng: np.random.Generator) -> None:
        super().reset(problem, rng)
        self.surrogate, self.stumps = Surrogate(problem), Stumps(problem.features)
        self.F: Array = np.zeros(len(problem.grades))
        self.start = self.M = self.surrogate.at(self.F)
        self.progress = 0.0
        self.last = Round(values=self._values())

    def learn(self) -> Round:
        w = self.surrogate.w
        stump = self.stumps.best(w)
        if stump is None or stump.eta <= TINY * self.start:
            never = "no stump helps: nothing tells good documents from bad"
            return Round(stopped="no stump helps any more" if self.progress else never)
        f = stump(self.problem.features)
        both = max(self.surrogate.both(f), stump.eta)
        right, wrong = (both + stump.eta) / 2, (both - stump.eta) / 2  # α₁ − α₂ = η, since θ is symmetric
        alpha = min(MAX_STEP, 0.5 * float(np.log(right / wrong)) if wrong > TINY * right else MAX_STEP)  # Eq. 3.15
        self.progress += (right * -np.expm1(-alpha) - wrong * np.expm1(alpha)) / self.M
        self.F = self.F + alpha * f
        self.M = self.surrogate.at(self.F)
        self.add(alpha, stump)
        return Round(
            step=alpha,
            error=wrong / both,
            weights=np.abs(w),
            targets=np.sign(w),
            answers=f,
            values=self._values(),
            details=stump.details | {"eta": stump.eta, "right": right, "wrong": wrong},
        )

    def next_weights(self) -> Array:
        return np.abs(self.surrogate.w)

    def _values(self) -> dict[str, float]:
        bound = BOUNDS["ndcg-theorem-7"].evaluate(Descent(self.start, self.progress))
        return {"surrogate": self.M, "bound": float(bound)}
