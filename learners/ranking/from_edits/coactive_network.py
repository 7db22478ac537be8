"""A small network that learns from edits: CoRLL in small (Tucker, Brantley, Cahall & Joachims, ICML 2024)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import integer, real
from learners.base import Array, Line, Shape
from learners.compiled import compiled
from learners.random import Source
from learners.ranking.base import Context, RankingLearner
from learners.ranking.from_edits.network import forward, initial, learn, score
from learners.ranking.step.page import Page
from learners.ranking.step.rankings import rank
from learners.vectors import copy


@compiled
def show_best(page: Page, hidden: float) -> float:
    """Present the documents by falling f."""
    for i in range(page.scores.shape[0]):
        page.scores[i] = score(page, int(hidden), i)
    rank(page, page.scores, 1, page.predicted)
    copy(page.predicted, page.shown)
    return 0.0


@dataclass(kw_only=True)
class CoactiveNetwork(RankingLearner):
    """Scores documents by a network with one hidden layer, and makes each edit more probable than what it edits.

    P(ȳ ≻ y) = σ(r(ȳ) − r(y)), as between two texts of a language model; r adds up what the network says of the
    documents, by the discounts of their places. The perceptron takes a whole step after each edit; here the step is the
    smaller, the better the edit was foreseen. The abstract speaks of "weak implicit preference feedback ȳ ≻ y" and of
    "coactive training of non-linear models", the workshop paper of "direct preference optimization". The loss is that
    one without its reference model, from memory; that CoRLL is the paper's Algorithm 2 is from a list of its parts.

    >>> from learners import Simulation
    >>> sim = Simulation("coactive-network", "web-search", "strict-alpha", replicates=3, seed=0)
    >>> sim.advance(steps=600)
    >>> ndcg = sim.history["ndcg@5"].mean(axis=1)
    >>> bool(ndcg[-100:].mean() > ndcg[:100].mean() + 0.1)
    True
    """

    id: ClassVar[str] = "coactive-network"
    title: ClassVar[str] = "Coactive network (CoRLL in small)"
    short: ClassVar[str] = "CoRLL"
    needs: ClassVar[str] = "clicks, or an improved ranking"
    summary: ClassVar[str] = (
        "A small neural network ranks, and each edit by the user teaches it. It can learn what no weighted sum of the "
        "features can say."
    )
    paper: ClassVar[str] = "TBCJ24"
    works: ClassVar[Mapping[str, str]] = {
        "TBCJ24": "Tucker, Brantley, Cahall & Joachims. Coactive Learning for Large Language Models using Implicit "
        "User Feedback. ICML 2024."
    }
    section: ClassVar[str] = "Algorithm 2 (the loss from memory), with one hidden layer"
    linear: ClassVar[bool] = False
    cells: ClassVar[tuple[str, ...]] = ("U{i},{j};b{i};v{i}",)
    reads: ClassVar[bool] = True
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Draw $U, v$ at random, $b \leftarrow 0$", "The network begins with small random weights."),
        Line("observe", r"Observe $x_t$"),
        Line(
            "predict",
            r"Present $y_t$ by falling $f(x_{t,i})$ with $f(x) = \sum_k v_k \tanh(U_k \cdot x + b_k)$",
            "Each hidden unit k looks at the features in its own way, U; their outputs, weighted by v, are the score.",
        ),
        Line("feedback", r"Obtain feedback $\bar y_t$"),
        Line(
            "update",
            r"$(U, b, v) \leftarrow (U, b, v) + \eta\,\sigma(r(y_t) - r(\bar y_t))\,\nabla (r(\bar y_t) - r(y_t))$ "
            r"with $r(y) = \sum_i \gamma_i f(x_{y_i})$",
            "All weights move so that the edited ranking ȳ is worth more than the one shown, the less, the more it was "
            "so already.",
        ),
    )

    hidden: int = integer(8, 1, 64, symbol="H", shapes_state=True, named=True, help="Units of the hidden layer.")
    eta: float = real(0.1, 1e-6, 100, symbol="η", step=0.05, named=True, help="Length of the gradient step.")

    rule_to_present: ClassVar[Any] = staticmethod(show_best)
    rule_to_learn: ClassVar[Any] = staticmethod(learn)

    def remembered(self, shape: Shape) -> int:
        return 2 * int(self.hidden) * (shape.features + 2)  # U, b, v, and their gradient

    def cells_in(self, shape: Shape) -> tuple[int, int, int]:
        return 0, int(self.hidden) * (shape.features + 2), shape.features + 2

    def memory(self, shape: Shape, replicates: int) -> int:
        return 8 * replicates * (self.remembered(shape) + shape.features)

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.units[:] = initial(self.rng, int(self.hidden), shape.features)

    def remark(self, replicate: int) -> str:
        return "All weights of the network move, the less, the more it had expected this edit."

    @property
    def units(self) -> Array:
        """(R, H, d + 2) U, b and v of each unit."""
        return self.tally[:, : self.tally.shape[1] // 2].reshape(len(self.tally), int(self.hidden), -1)

    def effort(self, n: int, d: int) -> float:
        return 4.0 * self.hidden * n * (d + 10)

    def scores(self, context: Context) -> Array:
        return forward(self.units, context.features)
