"""SquareCB, a contextual bandit with inverse gap weighting (Foster & Rakhlin 2020, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import flag, real
from learners.base import Array, Line
from learners.classification.banditron import Banditron
from learners.classification.base import Shown
from learners.classification.block import Turn, answer, predict
from learners.classification.linear import Vector
from learners.classification.regression.base import RewardRegressor, update
from learners.classification.second_order.matrices import STEPS
from learners.compiled import compiled


@compiled
def present(x: Vector, turn: Turn, sharpness: float, grows: bool) -> None:
    """Play a label with a chance that falls with the gap between its estimate and the highest."""
    predict(x, turn)
    answer(turn)
    best, classes = turn.predicted[0], len(turn.scores)
    weight = sharpness * (np.sqrt(turn.kept[STEPS] + 1) if grows else 1.0)
    others = 0.0
    for k in range(classes):
        if k != best:
            others += 1 / (classes + weight * (turn.scores[best] - turn.scores[k]) / 2)
            if not turn.explored[0] and turn.draws[0] < others:
                turn.label[0], turn.explored[0] = k, True
    turn.gamma[0] = others


@dataclass(kw_only=True)
class InverseGap(RewardRegressor):
    """Plays label r with probability 1/(K + γ_t (p̂_best − p̂_r)) and the best label with what is left.

    p̂_r = (1 + w_r·x)/2 estimates the chance that label r is right. So labels that are nearly as good as the best are
    tried often, and bad ones hardly ever. γ_t is c, or grows as c √t. The paper sets γ from the regret of the
    regression, which is of that order in T, and has K in the place of its μ.

    The exploration rate that pages draw is the chance of any label but the best.

    >>> from learners import Simulation, create
    >>> run = Simulation(create("inverse-gap"), "synsep", seed=0)
    >>> run.advance(steps=1000)
    >>> run.history["gamma"][0, 0].round(3) > 0.8 > run.history["gamma"][-1, 0]
    np.True_
    """

    id: ClassVar[str] = "inverse-gap"
    title: ClassVar[str] = "SquareCB, inverse gap weighting"
    short: ClassVar[str] = "SquareCB"
    summary: ClassVar[str] = (
        "Estimates by regression how likely each label is right, and plays each the more rarely, the farther it lies "
        "behind the best. What it has learned decides not only how often it explores, but what."
    )
    paper: ClassVar[str] = "FR20"
    works: ClassVar[Mapping[str, str]] = {
        "FR20": "Foster & Rakhlin. Beyond UCB: Optimal and Efficient Contextual Bandits with Regression Oracles. ICML"
        " 2020."
    }
    section: ClassVar[str] = "Algorithm 1 (SquareCB); the growth of γ with √t is ours"
    lines: ClassVar[tuple[Line, ...]] = (
        RewardRegressor.start,
        *Banditron.lines_of("observe"),
        Line(
            "predict",
            r"Compute $\hat p_k = (1 + w_k \cdot x_t)/2$ for each $k$, and $\hat y_t \leftarrow \mathrm{argmax}_k\, "
            r"\hat p_k$",
            "Each class has an estimate of how likely it is right. The highest is that of the label predicted, ŷ.",
        ),
        Line(
            "perturb",
            r"Sample $\tilde y_t$ from $P(k) = 1/(K + \gamma_t (\hat p_{\hat y_t} - \hat p_k))$ for $k \ne \hat y_t$, "
            r"and $P(\hat y_t)$ what is left",
            "A label is played the more rarely, the larger the gap between its estimate and the best one. γ says how "
            "much the gap counts.",
        ),
        *Banditron.lines_of("feedback"),
        RewardRegressor.fit,
    )

    rules = present, update
    chances: ClassVar[int] = 1

    sharpness: float = real(
        10.0, 0, 1e6, symbol="c", step=5, named=True,
        help="How much the gap between two estimates counts. At 0 all labels are equally likely; a large number hardly "
        "explores. Try 1 and 100.",
    )  # fmt: skip
    grows: bool = flag(
        True, help="Whether the gap counts more and more, by c √t instead of c, so that exploration fades."
    )

    @property
    def adapts(self) -> bool:
        return True

    def distribution(self, shown: Shown, r: int) -> Array:
        scores, best = shown.scores[r], int(shown.predicted[r])
        weight = np.broadcast_to(np.asarray(self.sharpness, dtype=float), len(shown.scores))[r]
        if self.grows:
            weight = weight * np.sqrt(self.kept[r, STEPS])
        p: Array = 1 / (len(scores) + weight * (scores[best] - scores) / 2)
        p[best] += 1 - p.sum()
        return p
