"""Ranking refinement by boosting ([V] Algorithm 6)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import choice, integer, real
from learners.base import Array, Line, Shape
from learners.boosting.base import Round
from learners.boosting.refinement.base import Judged, Refiner
from learners.boosting.refinement.pairs import Pairs
from learners.boosting.refinement.weak_learner import WeakLearner
from learners.theory import BOUNDS, Descent

LEAST = 1e-12  # of η: less is no progress. Of ν / μ: less would make the step endless
WIDEST = 600.0  # spread of the scores whose exponentials can still be computed
NO_PAIR = "The judged documents all have the same grade, so they order no pair; the ranking stays the base ranker's."
NO_QUESTION = "No question about a feature separates documents that should move up from those that should not."
NO_BETTER = "The best weak hypothesis is no better than chance: this is as far as it goes."
TOO_LARGE = "The scores have become so large that their exponentials cannot be computed."


@dataclass(kw_only=True)
class RankingRefinement(Refiner):
    r"""Find scores F that agree with the base ranker and with the judgements, whose losses it multiplies or adds.

    L_p = êrr_w · êrr_t (Eq. 4.10), or L_a = γ êrr_w + êrr_t (Eq. 4.9), with êrr_w = Σ_ij W_ij e^(F_j − F_i) and êrr_t
    likewise with T (`Pairs`). A round weighs the pairs by γ_ij = a_ij + b_ij (the sum: by γ W_ij + T_ij, times
    e^(F_j − F_i) and divided by L_a), a document by w_i = Σ_j γ_ij − γ_ji, and adds the classifier f: x → {0, 1} with
    the largest η = Σ_i w_i f_i with the step α = ½ log(μ/ν), which makes the loss fall by at least the factor
    exp(−(√μ − √ν)²) ≤ exp(−η²/4). (Theorem 10 says exp(−η), which is false.)

    It stops where the judgements order no pair of documents, where no f has an η above 0, and where F becomes too large
    to compute with. A step is at most ½ log 10¹² = 13.8, for an f that is never wrong.

    Values of a round: objective (L_p or L_a); loss-w, loss-t: êrr_w and êrr_t over their start values; bound (of L_p).
    Its weights are w (n,), signed: what should move up is positive; the weak learner gets |w|. Details: rule (f in
    words) and, of a stump, feature (from 0), threshold, above; eta, mu, nu; scores: (n,) F before the round.

    Example
    -------
    The base ranker prefers document 0, the judge document 1. W at e^±2 and T as in `Pairs`. w_1 = .25 > 0, so that f
    picks document 1, μ = .119/2 + .75 = .8096 and ν = .881/2 + .25 = .6904: α = ½ log(μ/ν).

    >>> problem = Judged(np.array([[0.0], [1.0]]), np.array([1.0, -1.0]), np.array([0, 1]), np.array([0.0, 1.0]))
    >>> learner = RankingRefinement()
    >>> learner.reset(problem, np.random.default_rng(0))
    >>> first = learner.round()
    >>> print(first.details["rule"], round(first.details["mu"], 4), round(first.details["nu"], 4), round(first.step, 4))
    feature 1 > 0.5 0.8096 0.6904 0.0796
    """

    id: ClassVar[str] = "ranking-refinement"
    title: ClassVar[str] = "Ranking refinement"
    short: ClassVar[str] = "Refinement"
    summary: ClassVar[str] = (
        "Boosts scores that keep to the order of the base ranker and to that of the judgements at once. Multiplying "
        "the two losses balances them without a weight; adding them needs one."
    )
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "Algorithm 6"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"$W_{i,j} \leftarrow \frac{e^{\lambda g_i}}{e^{\lambda g_i} + e^{\lambda g_j}}$, "
            r"$\lambda = 1/\mathrm{std}$ of the ten best scores $g$ of the base ranker",
            "W says for each pair of documents how surely the base ranker puts i before j, by the difference of its "
            "scores g.",
        ),
        Line(
            "start",
            r"$T_{i,j} \leftarrow 1 - \frac\eta2$ where $i$ was judged better than $j$, $\frac\eta2$ where worse, "
            r"else $0$; $F \leftarrow 0$",
            "T says the same of the judgements, of which a share η may be wrong. The refined score F is 0 at first.",
        ),
        Line(
            "observe",
            r"$\gamma_{i,j} \leftarrow a_{i,j} + b_{i,j}$, with $a_{i,j} \propto W_{i,j} e^{F_j - F_i}$, "
            r"$b_{i,j} \propto T_{i,j} e^{F_j - F_i}$, $\sum a = \sum b = 1$ (the sum $L_a$: "
            r"$\gamma_{i,j} \propto (\gamma W_{i,j} + T_{i,j}) e^{F_j - F_i}$)",
            "γ is the weight of a pair, from the base ranker (a) and from the judgements (b). Pairs that F puts out "
            "of order weigh most.",
        ),
        Line(
            "observe",
            r"$w_i \leftarrow \sum_j \gamma_{i,j} - \gamma_{j,i}$, $\; y_i \leftarrow \mathrm{sign}(w_i)$",
            "A document's weight w adds up its pairs. Its sign y says whether the document should rise or fall.",
        ),
        Line(
            "predict",
            r"Train $f: \mathbb{R}^d \to \{0, 1\}$ that maximises $\eta_t = \sum_i |w_i| f(x_i) y_i$",
            "It trains a weak ranker f, which lifts some documents and leaves the others, to lift those that should "
            "rise.",
        ),
        Line(
            "feedback",
            r"$\mu \leftarrow \sum_{i,j} \gamma_{i,j} [f_i = 1, f_j = 0]$, "
            r"$\nu \leftarrow \sum_{i,j} \gamma_{i,j} [f_i = 0, f_j = 1]$, $\alpha \leftarrow \frac12 \log "
            r"\frac\mu\nu$",
            "μ is the weight of the pairs that f puts in order, ν of those that it puts out of order. The more the "
            "first exceeds the second, the larger the step α.",
        ),
        Line("update", r"$F \leftarrow F + \alpha f$; rank by $F$, ties by $g$", "The documents that f lifts gain α."),
    )

    combine: str = choice(
        "product", ("product", "sum"), named=True,
        help="Whether the losses of the base ranker and of the judgements are multiplied, which needs no weight, or "
        "added.",
    )  # fmt: skip
    gamma: float = real(
        1.0, 0, 100, symbol="γ", step=0.1, when=("combine", "sum"),
        help="Weight of the base ranker in the sum. W has far more pairs than T, so try small ones, such as 0.01.",
    )  # fmt: skip
    eta: float = real(
        0.5, 0, 1, symbol="η", step=0.05,
        help="How often the judge is thought to err: at 0 never, at 1 the judgements say nothing. The dissertation "
        "takes ½.",
    )  # fmt: skip
    confidence: float = real(
        1.0, 0, 10, symbol="λ", step=0.1,
        help="How far the base ranker is trusted, in units of 1 over the spread of its ten best scores; 0 ignores it.",
    )  # fmt: skip
    depth: int = integer(1, 1, 5, help="Levels of the tree that is added in a round; 1 is a stump, a single question.")

    at_start: ClassVar[tuple[str, ...]] = ("eta", "confidence", "depth")
    shared: ClassVar[tuple[str, ...]] = ("ensemble",)

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("refinement-theorem-9",) if self.combine == "product" else ()

    def memory(self, shape: Shape, replicates: int) -> int:
        return 8 * replicates * shape.documents * (shape.documents + 4 * shape.features)

    def reset(self, problem: Judged, rng: np.random.Generator) -> None:
        super().reset(problem, rng)
        self.pairs = Pairs(problem, self.eta, self.confidence)
        self.features, self.find = problem.features, WeakLearner(problem.features, self.depth)
        self.F = np.zeros(len(problem.base))
        self.pull = self.pairs.pull(self.F)
        self.progress = 0.0  # of Theorem 9: Σ (√μ − √ν)²
        self.last = Round(values=self._values(*self.pairs.start))
        if not self.pairs.ordered:
            self.end = NO_PAIR

    def weigh(self, loss_w: float, loss_t: float) -> tuple[float, float]:
        """Return the factors of W e^(F_j − F_i) and of T e^(F_j − F_i) in γ_ij."""
        if self.combine == "product":
            return 1.0 / loss_w, 1.0 / loss_t  # Eq. 4.11–4.12
        total = self.gamma * loss_w + loss_t
        return self.gamma / total, 1.0 / total

    def pulled(self) -> tuple[Array, Array]:
        """Return the two factors of `weigh` (2,), and the signed weight w (n,) of each document."""
        pull = self.pull
        by = np.array(self.weigh(pull.loss_w, pull.loss_t))
        share = by * (pull.loss_w, pull.loss_t)  # how much of γ is due to W and T
        w = sum(s * (above - below) for s, above, below in zip(share, pull.above, pull.below, strict=True))
        return by, np.asarray(w)

    def next_weights(self) -> Array:
        return np.abs(self.pulled()[1])

    def learn(self) -> Round:
        F, by, w = self.F, *self.pulled()
        f = self.find(w)
        if f is None:
            return Round(stopped=NO_QUESTION)
        answers = f(self.features) > 0
        eta = float(w @ answers)  # Eq. 4.13
        right, wrong = self.pairs.split(F, answers)
        mu, nu = float(by @ right), float(by @ wrong)
        if eta <= LEAST or mu <= nu:
            return Round(stopped=NO_BETTER)
        alpha = 0.5 * float(np.log(mu / max(nu, LEAST * mu)))
        scores = F + alpha * answers
        if scores.max() - scores.min() > WIDEST:
            return Round(stopped=TOO_LARGE)
        self.F, self.pull = scores, self.pairs.pull(scores)
        self.add(alpha, f)
        self.progress += mu + nu - mu * float(np.exp(-alpha)) - nu * float(np.exp(alpha))  # (√μ − √ν)² at this α
        return Round(
            step=alpha,
            error=nu / (mu + nu),
            weights=np.abs(w),
            targets=np.where(w > 0, 1, -1),
            answers=answers.astype(int),
            values=self._values(self.pull.loss_w, self.pull.loss_t),
            details={"rule": str(f), "eta": eta, "mu": mu, "nu": nu, "scores": F} | f.details,
        )

    def _values(self, loss_w: float, loss_t: float) -> dict[str, float]:
        start_w, start_t = self.pairs.start
        values = {"loss-w": loss_w / start_w, "loss-t": loss_t / start_t if start_t else 1.0}
        if self.combine == "sum":
            return values | {"objective": self.gamma * loss_w + loss_t}
        bound = BOUNDS["refinement-theorem-9"].evaluate(Descent(start_w * start_t, self.progress))
        return values | {"objective": loss_w * loss_t, "bound": float(bound)}
