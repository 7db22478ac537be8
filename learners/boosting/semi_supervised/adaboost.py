"""AdaBoost on the labelled rows alone ([V] Algorithm 1)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import integer
from learners.base import Array, Line
from learners.boosting.base import Round
from learners.boosting.cart import Tree
from learners.boosting.semi_supervised.base import SemiSupervisedLearner, Training
from learners.boosting.weak import criterion_field, tree
from learners.theory import BOUNDS, Descent

NO_MISTAKE = (
    "The latest weak hypothesis made no mistake, so that its step size would be infinite. It got a step larger than "
    "all others together and decides alone: there is nothing left to add."
)
NO_BETTER = "The weak hypothesis is wrong on half of the weight or more: it is not added."
ALONE = "The first weak hypothesis was wrong on half of the weight or more. It is kept, alone, and nothing is added."


def step_size(error: float, wrong: bool, before: float) -> tuple[float, str]:
    """Return the step size for a weighted error, 0 to add nothing, and why nothing more will be added, or "".

    wrong : whether the hypothesis errs at all. before : sum of all step sizes so far.

    >>> step_size(0.2, True, 0.0)[0].__round__(4), step_size(0.0, False, 2.0)[0], step_size(0.6, True, 2.0)[0]
    (0.6931, 3.0, 0.0)
    """
    if not wrong:
        return 1.0 + before, NO_MISTAKE
    if error < 0.5 - 1e-12:
        return 0.5 * float(np.log((1 - error) / error)), ""
    return (0.0, NO_BETTER) if before else (1.0, ALONE)


@dataclass(kw_only=True)
class AdaBoost(SemiSupervisedLearner):
    """Train a small tree a round with the weights D of the labelled rows, and raise the weights of those it gets wrong.

    With two classes this is Algorithm 1, F = the votes for class 1 less those for class 0. With more it is AdaBoost.M1
    (Freund & Schapire 1997), by the same formulas with y f replaced by +1 where the tree is right and −1 where it is
    wrong. The objective is the mean of exp(−Σ_t α_t (±1)) over the labelled rows, equal to Π_t Z_t; with the prescribed
    steps Z = 2 √(ε(1 − ε)), the bound.

    Two cases in which the step size is of no use: with ε = 0 the hypothesis decides alone, by a step of 1 + the sum of
    all steps before, and nothing more is added; with ε ≥ ½ nothing is added, but the first hypothesis is kept with a
    step of 1, so that there is something to predict with. Z = (1 − ε) e^−α + ε e^α then stands in the bound.

    >>> learner = AdaBoost(depth=1)
    >>> problem = Training(np.array([[0.0], [1.0], [2.0], [9.0]]), np.array([0, 1, 0, -1]), 2)
    >>> learner.reset(problem, np.random.default_rng(0))
    >>> done = learner.round()
    >>> round(done.error, 4), round(done.step, 4), done.weights.round(4)
    (0.3333, 0.3466, array([0.3333, 0.3333, 0.3333, 0. ]))
    """

    id: ClassVar[str] = "adaboost"
    title: ClassVar[str] = "AdaBoost"
    needs: ClassVar[str] = "a few labels; ignores examples without"
    summary: ClassVar[str] = (
        "Trains one small tree after the other, each with more weight on the labelled examples that the one before got "
        "wrong. It ignores the examples without a label: semi-supervised learners must beat it."
    )
    section: ClassVar[str] = "§1.3, Algorithm 1"
    paper: ClassVar[str] = "V"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Set $F(x_i) = 0$ and $D_1(i) = 1/m$ for the $m$ labelled examples",
            "The votes F are 0 at first, and the m labelled examples share the weight equally.",
        ),
        Line("observe", r"Take the weights $D_t$", "Each labelled example has a weight D."),
        Line(
            "predict",
            r"Find the classifier $f_t$ that minimizes $\epsilon_t = \sum_{i=1}^m D_t(i)\,\mathbf{1}[y_i \ne "
            r"f_t(x_i)]$",
            "It trains a weak classifier f. ε is the share of the weight on which f errs.",
        ),
        Line(
            "feedback",
            r"Compute $\alpha_t = \frac12 \ln\frac{1-\epsilon_t}{\epsilon_t}$; stop if $\alpha_t \le 0$",
            "The smaller the error ε, the larger the vote α. At an error of one half boosting ends.",
        ),
        Line(
            "update",
            r"$F(x_i) \leftarrow F(x_i) + \alpha_t f_t(x_i)$",
            "The answers of f join the vote F, weighed by α.",
        ),
        Line(
            "after",
            r"$D_{t+1}(i) = D_t(i)\, e^{-\alpha_t y_i f_t(x_i)} / Z_t$",
            "Examples on which f erred gain weight, and the others lose. Z makes the weights add up to 1.",
        ),
    )

    depth: int = integer(
        2, 1, 20,
        help="Levels of questions of each tree. 1 is a single question (a stump). With many classes a tree of two "
        "levels errs too often to be boosted: try 4.",
    )  # fmt: skip
    criterion: str = criterion_field()

    shared: ClassVar[tuple[str, ...]] = ("ensemble",)

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("training-error",)

    def reset(self, problem: Training, rng: np.random.Generator) -> None:
        super().reset(problem, rng)
        self.labelled = np.flatnonzero(problem.labels >= 0)  # (m,) the labelled rows
        self.x, self.y = problem.features[self.labelled], problem.labels[self.labelled]
        m = len(self.labelled)
        self.D: Array = np.full(m, 1 / m)
        self.margin: Array = np.zeros(m)  # Σ_t α_t (+1 where f_t is right, −1 where it is wrong)
        self.progress = self.steps = 0.0

    def learn(self) -> Round:
        f = tree(self.x, self.y, self.D, self.depth, self.rng, self.criterion)
        right = np.where(f.predict(self.x) == self.y, 1.0, -1.0)
        error = float(self.D[right < 0].sum())
        step, self.end = step_size(error, bool((right < 0).any()), self.steps)
        if not step:
            return Round(stopped=self.end)
        self.add(step, f.predict)
        D = self.D
        Z = (1 - error) * np.exp(-step) + error * np.exp(step)
        self.steps, self.margin = self.steps + step, self.margin + step * right
        weights = D * np.exp(-step * right)
        self.D = weights / weights.sum()
        self.progress -= float(np.log(Z))
        return self._record(f, step, error, D)

    def next_weights(self) -> Array:
        weights = np.zeros(len(self.problem.labels))
        weights[self.labelled] = self.D
        return weights

    def _record(self, f: Tree, step: float, error: float, D: Array) -> Round:
        weights = np.zeros(len(self.problem.labels))
        weights[self.labelled] = D
        values = {
            "objective": float(np.exp(-self.margin).mean()),
            "bound": float(BOUNDS["training-error"].evaluate(Descent(1.0, self.progress))),
        }
        answers = f.predict(self.problem.features)
        wrong = int((answers[self.labelled] != self.y).sum())
        details = {"labelled": len(self.labelled), "wrong": wrong, "steps": self.steps}
        return Round(step, error, weights, self.problem.labels, answers, values, details)
