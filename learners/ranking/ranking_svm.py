"""The ranking SVM, retrained from time to time on all preferences so far ([C] §6.2.5, [S] §8.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import choice, integer
from learners.base import Array, Line, Shape
from learners.random import Source
from learners.ranking.base import RankingLearner

FOLDS, ENOUGH, START_C = 5, 50, 100.0  # [C] §6.2.5: five-fold cross-validation from 50 pairs on, C = 100 before
GRID = (0.0001, 0.01, 1.0, 100.0)  # of C; the papers do not give theirs
STEPS = (10, 100, 1000, 10_000, 20_000)  # at which [S] §8.1 trains


@dataclass(kw_only=True)
class RankingSVM(RankingLearner):
    """Keeps the feature differences Δ = φ(x, ȳ) − φ(x, y) of all steps and trains on them from time to time.

    Training minimises ½‖w‖² + C Σ max(0, 1 − w·Δ)² with scikit-learn's LinearSVC without intercept and with the same
    random numbers each time. The papers' SVM does not square the loss. This is a batch learner: the solver handles one
    replicate after the other, the only loop over replicates among the ranking learners. Differences are kept in single
    precision, at most `pairs` of them; after that none is added and training stops. A difference that is 0 up to
    rounding makes no pair, as that of feedback equal to the ranking shown. Clicks are read by moving documents to the
    top.

    Attributes in addition to w: `retrained` (R,) bool, whether the latest step trained; `trained_on` (R,) pairs in the
    latest training; `count` (R,) pairs kept; `C` (R,) of the latest training, 0 before the first.

    >>> from learners import Simulation
    >>> sim = Simulation("ranking-svm", "web-search", "strict-alpha", replicates=1, seed=0)
    >>> trained = [step.t for step, _ in zip(sim, range(25)) if sim.learner.retrained[0]]
    >>> trained  # at every pair up to 11, then whenever they have grown by a tenth
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 21, 24]
    """

    id: ClassVar[str] = "ranking-svm"
    title: ClassVar[str] = "Ranking SVM"
    needs: ClassVar[str] = "clicks, or an improved ranking"
    summary: ClassVar[str] = (
        "Keeps every preference and trains a support vector machine on all of them whenever their number has grown by "
        "a tenth. A batch learner for comparison: far slower, and misled by data that its own rankings have biased."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.2.5; §8.1 of [S]"
    retrains: ClassVar[bool] = True
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Initialise $w_1 \leftarrow 0$, $D \leftarrow \emptyset$",
            "It begins with weights w of 0 and an empty collection D.",
        ),
        Line("observe", r"Observe $x_t$"),
        Line("predict", r"Present $y_t \leftarrow \mathrm{argmax}_{y}\, w_t^\top \phi(x_t, y)$"),
        Line(
            "feedback",
            r"Obtain feedback $\bar y_t$; add $\Delta_t = \phi(x_t, \bar y_t) - \phi(x_t, y_t)$ to $D$",
            "The difference Δ between the feedback ranking ȳ and the ranking shown joins the collection D.",
        ),
        Line(
            "update",
            r"If $D$ has grown by 10 %, choose $C$ by cross-validation and train $w_{t+1} \leftarrow "
            r"\mathrm{argmin}_w\, \frac12\|w\|^2 + C \sum_{\Delta \in D} \max(0, 1 - w^\top\Delta)^2$; else keep $w_t$",
            "Whenever D has grown by a tenth, it trains on all of D anew. A large C makes it follow the feedback "
            "closely, a small C keeps the weights small.",
        ),
    )

    schedule: str = choice(
        "growth",
        ("growth", "steps"),
        named=True,
        help="When it trains: whenever the pairs have grown by a tenth, or only at steps 10, 100, 1,000, 10,000 and "
        "20,000. Watch how few trainings are enough.",
    )
    pairs: int = integer(
        20_000, 1, 100_000,
        help="Largest number of pairs it keeps; later ones are left out. Fewer pairs need less memory and time.",
    )  # fmt: skip

    def memory(self, shape: Shape, replicates: int) -> int:
        pairs = int(np.max(self.pairs))
        return 4 * replicates * pairs * shape.features + super().memory(shape, replicates)

    def scratch(self, shape: Shape, steps: int) -> int:
        return 40 * min(int(np.max(self.pairs)), steps) * shape.features  # in double precision, and liblinear's lists

    def uneven(self, steps: int) -> Mapping[int, float]:
        """Return the work of the trainings, if pairs go on to come as often as so far. It is known after `reset`."""
        often = float(self.count.mean()) / self.t if self.t else 1.0
        most, d = min(steps * often, float(np.max(self.pairs))), self.w.shape[1]
        if self.schedule == "steps":
            return {at: _work(min(at * often, most), d) for at in STEPS if at <= steps}
        found, pairs = dict[int, float](), 1
        while pairs <= most:
            found[int(pairs / often)] = _work(pairs, d)
            pairs = max(pairs + 1, -(-11 * pairs // 10))
        return found

    @property
    def toiled(self) -> float:
        return self._toiled

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self._least = 1e-12 * shape.largest
        self._toiled = 0.0
        self.kept: Array = np.zeros((replicates, 0, shape.features), dtype=np.float32)  # grows; filled in place
        self.count: Array = np.zeros(replicates, dtype=np.intp)
        self.trained_on: Array = np.zeros(replicates, dtype=np.intp)
        self.retrained: Array = np.zeros(replicates, dtype=bool)
        self.C: Array = np.zeros(replicates)

    def remark(self, replicate: int) -> str:
        if self.retrained[replicate]:
            return f"It was trained anew on all {int(self.count[replicate]):,} pairs that it has kept."
        if not self.count[replicate]:
            return "It has no pair to train on yet."
        trained = f"{int(self.trained_on[replicate]):,}" if self.trained_on[replicate] else "none"
        when = "at steps 10, 100, 1,000, …" if self.schedule == "steps" else "when its pairs have grown by a tenth"
        return f"It trains only {when}. It has kept {int(self.count[replicate]):,}; w comes from {trained} of them."

    def solve(self, delta: Array) -> None:
        self._keep(delta)
        grown = self.count > self.trained_on
        if self.schedule == "steps":
            self.retrained = grown & (self.t + 1 in STEPS)
        else:
            self.retrained = grown & (10 * self.count >= 11 * self.trained_on)
        if self.retrained.any():
            w, C = self.w.copy(), self.C.copy()
            for r in np.flatnonzero(self.retrained):
                w[r], C[r] = train(self.kept[r, : self.count[r]])
            self.w, self.C = w, C
            self._toiled += sum(_work(n, self.w.shape[1]) for n in self.count[self.retrained]) / len(self.count)
            self.trained_on = np.where(self.retrained, self.count, self.trained_on)

    def _keep(self, difference: Array) -> None:
        """Keep the differences (R, d), except those that are 0 up to rounding and those of replicates that are full."""
        new = np.flatnonzero((np.abs(difference) > self._least).any(axis=1) & (self.count < self.pairs))
        room = self.kept.shape[1]
        if new.size and self.count[new].max() == room:
            size = min(max(64, 2 * room), int(np.max(self.pairs)))
            grown = np.zeros((len(self.kept), size, self.kept.shape[2]), dtype=np.float32)
            grown[:, :room] = self.kept
            self.kept = grown
        self.kept[new, self.count[new]] = difference[new]
        self.count = self.count + np.isin(np.arange(len(self.count)), new)


def _work(pairs: float, features: int) -> float:
    """Return about how much work `train` has, in the time that the solver takes for almost nothing."""
    return (1 if pairs < ENOUGH else 1 + len(GRID) * FOLDS) * (1 + pairs * features / 5000)


def train(differences: Array) -> tuple[Array, float]:
    """Train on (m, d) differences, m ≥ 1, and return the weights (d,) and the C chosen by cross-validation.

    Pair i belongs to fold i mod 5. The smallest C that orders the most held-out pairs correctly is chosen.
    """
    differences = differences.astype(np.float64)
    if len(differences) < ENOUGH:
        return fit(differences, START_C), START_C
    fold = np.arange(len(differences)) % FOLDS
    right = [
        sum(int((differences[fold == k] @ fit(differences[fold != k], C) > 0).sum()) for k in range(FOLDS))
        for C in GRID
    ]
    best = GRID[int(np.argmax(right))]
    return fit(differences, best), best


def fit(differences: Array, C: float) -> Array:
    """Return argmin_w ½‖w‖² + C Σ max(0, 1 − w·Δ)² over the rows Δ of (m, d) differences, shape (d,).

    The solver needs two classes. Without an intercept, Δ labelled 1 and −Δ labelled −1 have the same loss, so every
    second difference is negated. A single one is passed both ways with half the C.

    >>> fit(np.array([[2.0, 0.0]]), C=100.0).round(4)  # w = 2C(1 − 2w)·2: [400/801, 0] with two halves of C
    array([0.4994, 0.    ])
    """
    from sklearn import config_context
    from sklearn.svm import LinearSVC

    if len(differences) == 1:
        differences, C = np.repeat(differences, 2, axis=0), C / 2
    signs = np.where(np.arange(len(differences)) % 2 == 0, 1.0, -1.0)
    few = len(differences) <= differences.shape[1]  # then the dual form is faster
    # the tolerance of the primal form is relative to the gradient at 0, which is of the order of C
    tol = 1e-4 if few else 1e-3 / max(1.0, C)
    solver = LinearSVC(C=C, fit_intercept=False, dual=few, tol=tol, max_iter=10_000, random_state=0)
    with config_context(assume_finite=True, skip_parameter_validation=True):
        solver.fit(differences * signs[:, None], signs)
    w: Array = solver.coef_[0]
    return w
