"""Multi-class semi-supervised boosting ([V] Algorithm 3)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import choice, integer, real
from learners.base import Array, Line, Shape
from learners.boosting.base import Round
from learners.boosting.semi_supervised.base import SemiSupervisedLearner, Training
from learners.boosting.semi_supervised.similarity import FORMED, Similarity
from learners.boosting.weak import Columns, criterion_field, resample, tree
from learners.theory import BOUNDS, Descent

NO_PROGRESS = (
    "The weak hypothesis would not lower the objective (the step size would not be positive): it is not added."
)
NO_WEIGHT = "No change of a prediction would lower the objective: all weights are 0."


@dataclass(kw_only=True)
class MCSSB(SemiSupervisedLearner):
    """Lower F = F_u + C F_l, so that similar examples get similar probabilities, and those of their labelled
    neighbours.

    b_i is the softmax of the votes H_i. F_u = Σ_ij S_ij / (b_i · b_j) over all pairs (Eq. 2.4), F_l = Σ_ij S_ij /
    b_j^{y_i} over labelled i and all j (Eq. 2.6). With T_jk the similarity of j to the labelled examples of class k,
    β_j^k = ½ (b_j^k Σ_k' T_jk' / b_j^k' − T_jk / b_j^k).

    ∂F/∂H_i^k = 2 (α_i^k + C β_i^k) as in Eq. 2.12, Σ_k of which is 0. So the weight of an example is −min_k, where the
    text has the minimum in one place and the maximum in another; the class that attains it is its pseudo-label, also
    where an example has a label. The sample is of all examples. The step is Eq. 2.19 (the algorithm refers to "4.14"),
    the error is (A_u + C A_l) / (A_u + C A_l + B_u + C B_l), after Eq. 2.20. F never rises and stays below Theorem 4.

    >>> from learners import Simulation
    >>> sim = Simulation("mcssb", "digits", seed=1)
    >>> sim.advance(steps=10)
    >>> bool((np.diff(sim.history["objective"][:, 0]) < 0).all())
    True
    """

    id: ClassVar[str] = "mcssb"
    title: ClassVar[str] = "MCSSB"
    summary: ClassVar[str] = (
        "Multi-class semi-supervised boosting: gives each example without a label the class that its neighbours and "
        "the labels near it call for, trains a small tree on the most urgent ones, and repeats. Works for many "
        "classes at once; stands and falls with the similarity."
    )
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§2.3, Algorithm 3"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Set $H(x_i) = 0$ for all $N$ examples", "The votes H of all examples are 0 at first."),
        Line(
            "observe",
            r"Compute $\alpha_i^k$ and $\beta_i^k$ for every example (Eq. 2.12)",
            "It asks for each example and class how strongly similar examples pull the example towards the class or "
            "away from it. α comes from all examples, β from the labelled ones.",
        ),
        Line(
            "observe",
            r"Assign $x_i$ to $k_i^* = \mathrm{argmin}_k(\alpha_i^k + C\beta_i^k)$ with weight "
            r"$w_i = -(\alpha_i^{k_i^*} + C\beta_i^{k_i^*})$",
            "Each example takes the class k* that its neighbours pull it towards most. The strength of the pull is "
            "its weight w.",
        ),
        Line(
            "predict",
            r"Sample $s = \max(20, N/5)$ examples in proportion to $w_i$; train a classifier $h$ on them",
            "It draws a sample of examples by their weights, and trains a weak classifier h on them.",
        ),
        Line(
            "feedback",
            r"Predict $h_i^k$ for all examples; $\alpha = \frac14 \log\frac{B_u + C B_l}{A_u + C A_l}$. Exit if "
            r"$\alpha \le 0$",
            "The pull for what h says is B, the pull against it A, each from unlabelled (u) and labelled (l) "
            "examples. The more speaks for h, the larger its vote α. If nothing does, boosting ends.",
        ),
        Line("update", r"$H(x) \leftarrow H(x) + \alpha\, h(x)$", "The answers of h join the vote H, weighed by α."),
    )

    similarity: str = choice(
        "gaussian", ("gaussian", "uniform", "absolute"),
        help="What makes two examples similar: nearness (gaussian), nothing, all pairs being equal (uniform), or only "
        "identity (absolute), which leaves the multi-class boosting alone. Try uniform to see it fail.",
    )  # fmt: skip
    width: float = real(
        0.15, 0.001, 2, step=0.01, symbol="σ", when=("similarity", "gaussian"),
        help="Width of the Gaussian, as a share of the range of the distances. A narrow one counts close neighbours "
        "only. Try .05.",
    )  # fmt: skip
    C: float = real(
        1e4, 0, 1e10,
        help="Weight of the agreement with the labels. The dissertation finds no change beyond 1000; try 1 and "
        "10000000000.",
    )  # fmt: skip
    depth: int = integer(
        2, 1, 20,
        help="Levels of questions of each tree. The dissertation's trees have two; try 5.",
    )  # fmt: skip
    train: str = choice(
        "sample", ("sample", "weights"),
        help="Whether the tree is trained on a sample drawn by the weights, as in the dissertation, or on all examples "
        "with their weights.",
    )  # fmt: skip
    criterion: str = criterion_field()

    at_start: ClassVar[tuple[str, ...]] = ("similarity", "width", "C")
    shared: ClassVar[tuple[str, ...]] = ("ensemble", "S", "T")

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("mcssb-theorem-4",)

    def memory(self, shape: Shape, replicates: int) -> int:
        n, K, gaussian = shape.examples, shape.classes, self.similarity == "gaussian"
        formed = n * (n + 1) // 2 if gaussian and n <= FORMED else 0
        return 8 * replicates * (formed + (n + 1) * (6 * K + 8 + shape.features * (1 + gaussian)))

    def reset(self, problem: Training, rng: np.random.Generator) -> None:
        super().reset(problem, rng)
        n, K = len(problem.labels), problem.classes
        at = np.flatnonzero(problem.labels >= 0)
        Y = np.zeros((n, K))
        Y[at, problem.labels[at]] = 1
        self.S = Similarity(problem.features, self.similarity, float(self.width))
        self.T = self.S.spread(Y)  # (n, K) similarity to the labelled examples of each class
        self.columns = Columns(problem.features)
        self.H: Array = np.zeros((n, K))
        self.progress = 0.0
        self._measure()
        self.start = self.F

    def _measure(self) -> None:
        """Compute b, r and V (see `Similarity.sums`) and the objective at the present H."""
        b = np.exp(self.H - self.H.max(axis=1, keepdims=True))
        self.b = b / b.sum(axis=1, keepdims=True)
        self.r, self.V = self.S.sums(self.b)
        self.over = self.T / self.b  # (n, K) Σ over labelled i of class k: S_ij / b_j^k
        self.F_u, self.F_l = float(self.r.sum()), float(self.over.sum())
        self.F = self.F_u + self.C * self.F_l

    def gradient(self) -> tuple[Array, Array]:
        """Return α_i^k and β_i^k, each (n, K) (Eq. 2.12)."""
        alpha = self.b * (self.r[:, None] - self.V)
        beta = 0.5 * (self.b * self.over.sum(axis=1, keepdims=True) - self.over)
        return alpha, beta

    def wanted(self) -> tuple[Array, Array]:
        """Return the class (n,) that each example is to get, and how urgently, its weight (n,)."""
        alpha, beta = self.gradient()
        G = alpha + self.C * beta
        pseudo = G.argmin(axis=1)
        return pseudo, np.maximum(-G[np.arange(len(pseudo)), pseudo], 0)

    def next_weights(self) -> Array:
        return self.wanted()[1]

    def learn(self) -> Round:
        pseudo, w = self.wanted()
        n = len(pseudo)
        rows = np.arange(n)
        if not w.sum() > 1e-12 * self.F:
            return Round(stopped=NO_WEIGHT)
        sample = None
        if self.train == "sample":
            sample = resample(w, max(20, n // 5), self.rng)
            h = self.columns.tree(pseudo, sample, self.depth, self.rng, self.criterion)
        else:
            h = tree(self.columns.features, pseudo, w, self.depth, self.rng, self.criterion)
        k = h.predict(self.columns.features)  # (n,) h_i^k is 1 for this k
        A_u, A_l = float((self.b[rows, k] * self.r).sum()), 0.5 * float((self.b[rows, k] * self.over.sum(axis=1)).sum())
        B_u, B_l = float((self.b[rows, k] * self.V[rows, k]).sum()), 0.5 * float(self.over[rows, k].sum())
        A, B = A_u + self.C * A_l, B_u + self.C * B_l
        if not B > A * (1 + 1e-12):
            return Round(stopped=NO_PROGRESS)
        step = 0.25 * float(np.log(B / A))
        self.add(step, h.predict)
        self.progress += (np.sqrt(A) - np.sqrt(B)) ** 2 / self.F
        H = self.H.copy()
        H[rows, k] += step
        self.H = H
        self._measure()
        details: dict[str, Any] = {"A_u": A_u, "A_l": A_l, "B_u": B_u, "B_l": B_l, "C": float(self.C)}
        details["pseudo-labels"] = int((self.problem.labels < 0).sum())
        if sample is not None:
            details["sample"] = sample
        values = {
            "objective": self.F,
            "objective-unlabelled": self.F_u,
            "objective-labelled": self.F_l,
            "bound": float(BOUNDS["mcssb-theorem-4"].evaluate(Descent(self.start, self.progress))),
        }
        return Round(step, A / (A + B), w, pseudo, k, values, details)
