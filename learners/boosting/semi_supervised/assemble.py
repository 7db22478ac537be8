"""ASSEMBLE: boosting with pseudo-labels ([V] Algorithm 2, corrected)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import choice, integer, real
from learners.base import Array, Line
from learners.boosting.base import Round
from learners.boosting.semi_supervised.adaboost import step_size
from learners.boosting.semi_supervised.base import SemiSupervisedLearner, Training
from learners.boosting.semi_supervised.nearest_neighbour import NearestNeighbour
from learners.boosting.weak import criterion_field, tree


@dataclass(kw_only=True)
class Assemble(SemiSupervisedLearner):
    """AdaBoost in which each example without a label has as pseudo-label the class that F predicts for it.

    As printed, an example without a label has weight 0 and keeps it, so that it has no effect; and
    exp(α I) is half the step for which α = ½ ln((1 − ε)/ε) is made. Corrected, the examples without a label start with
    a share β of the mass, as in Bennett, Demiriz & Maclin (KDD 2002), and the exponent is 2αI. In the first round F is
    0 and says nothing: the first tree is trained on the labelled examples alone, and the others get their share when
    it is done; or, as Bennett et al. have it, the first pseudo-labels are those of the nearest labelled examples.

    The objective is (1 − β) times the mean of exp(−m_i) over the labelled examples and β times that over the others,
    where m_i = Σ_t α_t (±1) is the margin of the example's label or present pseudo-label. ε = 0 and ε ≥ ½ are met as
    in `AdaBoost`.

    >>> from learners import Simulation, create
    >>> sim = Simulation(create("assemble", depth=6, first="nearest"), "digits")
    >>> sim.advance(steps=2)
    >>> done = sim.last.rounds[0]
    >>> bool((done.targets >= 0).all()), round(float(done.weights.sum()), 6)
    (True, 1.0)
    """

    id: ClassVar[str] = "assemble"
    title: ClassVar[str] = "ASSEMBLE"
    summary: ClassVar[str] = (
        "Boosts with pseudo-labels: what it predicts for an example without a label now is what the next tree must "
        "learn. Errors of the start are learned with the rest, which is why it seldom beats a single tree."
    )
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§2.3.2, Algorithm 2"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Set $F(x_i) = 0$; $w_1(i) = (1-\beta)/N_l$ for labelled examples, $\beta/(N - N_l)$ for others (for "
            r"these from the second round on, unless neighbours give the first pseudo-labels)",
            "The votes F are 0 at first. The labelled examples share the weight 1 − β, the unlabelled ones β.",
        ),
        Line(
            "observe",
            r"Set $y_i = \mathrm{argmax}_k F^k(x_i)$ for $i > N_l$ (from the second round on)",
            "Each unlabelled example takes the class with most votes so far as its pseudo-label.",
        ),
        Line(
            "predict",
            r"Find $f_t$ that minimizes $\epsilon_t = \sum_i w_t(i)\,\mathbf{1}[y_i \ne f_t(x_i)]$",
            "It trains a weak classifier f. ε is the share of the weight on which f errs.",
        ),
        Line(
            "feedback",
            r"$\alpha_t = \frac12 \ln\frac{1-\epsilon_t}{\epsilon_t}$; stop if $\alpha_t \le 0$",
            "The smaller the error ε, the larger the vote α. At an error of one half boosting ends.",
        ),
        Line(
            "update",
            r"$F(x_i) \leftarrow F(x_i) + \alpha_t f_t(x_i)$",
            "The answers of f join the vote F, weighed by α.",
        ),
        Line(
            "after",
            r"$w_{t+1}(i) = w_t(i) \exp(2 \alpha_t \mathbf{1}[y_i \ne f_t(x_i)]) / Z_t$",
            "Examples on which f erred gain weight. Z makes the weights add up to 1.",
        ),
    )

    depth: int = integer(
        2, 1, 20,
        help="Levels of questions of each tree. With many classes a tree of two levels errs too often to be boosted: "
        "try 6.",
    )  # fmt: skip
    variant: str = choice(
        "corrected", ("corrected", "printed"),
        help="As printed in the dissertation, the examples without a label never get any weight, and weights change "
        "half as fast.",
    )  # fmt: skip
    beta: float = real(
        0.1, 0.001, 0.95, step=0.05, symbol="β", when=("variant", "corrected"),
        help="Share of the weight that the examples without a label start with. Try .5.",
    )  # fmt: skip

    first: str = choice(
        "tree", ("tree", "nearest"), when=("variant", "corrected"),
        help="Where the first pseudo-labels come from: from the first tree, which knows the labelled examples alone, "
        "or from the nearest labelled example.",
    )  # fmt: skip
    criterion: str = criterion_field()

    at_start: ClassVar[tuple[str, ...]] = ("variant", "beta", "first")
    shared: ClassVar[tuple[str, ...]] = ("ensemble",)

    def reset(self, problem: Training, rng: np.random.Generator) -> None:
        super().reset(problem, rng)
        self.has = problem.labels >= 0  # (n,) whether labelled
        self.share = 0.0 if self.variant == "printed" or self.has.all() else float(self.beta)
        self.w: Array = self.has / self.has.sum()
        self.pseudo: Array = np.full(len(self.has), -1)  # (n,) class that each example without a label is taken for
        if self.share and self.first == "nearest":
            self.pseudo, self.w = self._nearest(), self._shared(self.w)
        self.scores: Array = np.zeros((len(self.has), problem.classes))
        self.steps = 0.0

    def learn(self) -> Round:
        x, w = self.problem.features, self.w
        y = np.where(self.has, self.problem.labels, self.pseudo)
        f = tree(x, y, w, self.depth, self.rng, self.criterion)
        answers = f.predict(x)
        wrong = (answers != y) & (w > 0)
        error = float(w[wrong].sum())
        step, self.end = step_size(error, bool(wrong.any()), self.steps)
        if not step:
            return Round(stopped=self.end)
        self.add(step, f.predict)
        after = w * np.exp((1.0 if self.variant == "printed" else 2.0) * step * wrong)
        after = after / after.sum()
        if self.share and self.pseudo.max() < 0:  # the first pseudo-labels are there
            after = self._shared(after)
        self.steps, self.w = self.steps + step, after
        scores = self.scores.copy()
        scores[np.arange(len(w)), answers] += step
        self.scores = scores
        details = {
            "labelled": int(self.has.sum()),
            "pseudo-labels": int((y[~self.has] >= 0).sum()),
            "steps": self.steps,
        }
        details["pseudo-label weight"] = float(w[~self.has].sum())
        self.pseudo = scores.argmax(axis=1)
        return Round(step, error, w, y, answers, self._values(), details)

    def next_weights(self) -> Array:
        return self.w

    def _shared(self, weights: Array) -> Array:
        """Return the weights (n,): those of labelled examples scaled down, so that the others share β of the mass."""
        return np.where(self.has, (1 - self.share) * weights, self.share / (~self.has).sum())

    def _nearest(self) -> Array:
        """Return the class (n,) of the nearest labelled example."""
        nearest = NearestNeighbour()
        nearest.reset(self.problem, self.rng)
        nearest.fit()
        return nearest.classify(self.problem.features)

    def _values(self) -> dict[str, float]:
        label = np.where(self.has, self.problem.labels, self.scores.argmax(axis=1))
        margin = 2 * self.scores[np.arange(len(label)), label] - self.steps
        labelled = float(np.exp(-margin[self.has]).mean())
        others = float(np.exp(-margin[~self.has]).mean()) if self.share else 0.0
        values = {"objective": (1 - self.share) * labelled + self.share * others, "objective-labelled": labelled}
        return values | ({"objective-unlabelled": others} if self.share else {})
