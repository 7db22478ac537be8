"""The Banditron whose exploration rate adapts to its success ([V] chapter 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import choice, real
from learners.base import Line, Shape
from learners.classification import banditron
from learners.classification.banditron import Banditron
from learners.classification.base import ClassificationLearner
from learners.classification.block import Turn, explore, predict
from learners.classification.linear import Vector
from learners.compiled import compiled
from learners.random import Source

STRATEGIES = ("ag0", "ag1", "ag2", "ag3")


@compiled
def exploration(turn: Turn, strategy: int, exponent: float) -> float:
    """Return γ_t."""
    before, hits = turn.kept[0], turn.kept[1]
    # ω′(z) is proportional to (1 + z)^(λ − 1); Σ 1 + μ = before + 2 hits, Σ τ = before − hits
    successes, failures = 1 + before + 2 * hits, 1 + before - hits
    gamma: float = 0.5 * (before + 1) ** (-1 / 3)
    if strategy == 1:
        gamma = 0.5 * successes ** (exponent - 1)
    elif strategy == 2:
        gamma = 0.5 * ((2 + before) / failures) ** (exponent - 1)
    elif strategy == 3:
        gamma = 0.5 * (successes / failures) ** (exponent - 1)
    return gamma


@compiled
def present(x: Vector, turn: Turn, strategy: int, exponent: float) -> None:
    """Play the prediction, or with probability γ_t a random label."""
    predict(x, turn)
    explore(turn, exploration(turn, strategy, exponent))


@compiled
def update(x: Vector, turn: Turn) -> None:
    """Update as the Banditron, and count the step and the hit."""
    banditron.learn(x, turn)
    turn.kept[0] += 1
    turn.kept[1] += turn.right[0] and turn.label[0] == turn.predicted[0]


@dataclass(kw_only=True)
class AdaptiveBanditron(ClassificationLearner):
    """A Banditron that sets γ_t from its success in the steps so far, never above ½.

    Write ω(z) = (1 + z)^λ, μ = 2[ŷ = ỹ = y] and τ = 1 − [ŷ = ỹ = y]; μ and τ are observed. The strategies are

    ag0 : γ_t = ½ t^(−1/3). ag1 : ω′(Σ 1 + μ_i) / 2ω′(0) (Eq. 6.4). ag2 : ω′(t) / 2ω′(Σ τ_i) (Eq. 6.5).
    ag3 : ω′(Σ 1 + μ_i) / 2ω′(Σ τ_i) (Eq. 6.3). The sums run over the steps before t.

    >>> from learners import Simulation
    >>> sim = Simulation("adaptive-banditron", "digits")
    >>> sim.advance(steps=500)
    >>> bool((sim.history["gamma"] <= 0.5).all())
    True
    """

    id: ClassVar[str] = "adaptive-banditron"
    title: ClassVar[str] = "Adaptive Banditron"
    short: ClassVar[str] = "Adaptive Banditron"
    summary: ClassVar[str] = (
        "A Banditron that sets its own exploration. While it errs, it explores on up to half of the steps; the more it "
        "gets right, the less it explores. There is no γ to tune, and there are four rules to compare."
    )
    needs: ClassVar[str] = Banditron.needs
    rules = present, update
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "Algorithm 10, Eq. 6.3 to 6.5; the rule ag0 is suggested by [B]"
    lines: ClassVar[tuple[Line, ...]] = (
        *Banditron.lines_of("start", "observe", "predict"),
        Line(
            "perturb",
            r"Sample $\tilde y_t$ from $P(r) = (1-\gamma_t)\mathbf{1}[r = \hat y_t] + \gamma_t/K$ with $\omega(z) = "
            r"(1+z)^\lambda$ and $\gamma_t$ given by the strategy: ag0 $\frac12 t^{-1/3}$, ag1 "
            r"$\frac{\omega'(\sum_{i<t} 1 + \mu_i)}{2\,\omega'(0)}$, ag2 $\frac{\omega'(t)}{2\,\omega'(\sum_{i<t} "
            r"\tau_i)}$, ag3 $\frac{\omega'(\sum_{i<t} 1 + \mu_i)}{2\,\omega'(\sum_{i<t} \tau_i)}$",
            "It explores at a rate γ that it sets itself. μ counts its successes and τ its failures. The strategy "
            "says how the two are weighed, by a function ω that grows slowly.",
        ),
        *Banditron.lines_of("feedback", "update"),
        Line(
            "after",
            r"Count $\mu_t = 2\,\mathbf{1}[\hat y_t = \tilde y_t = y_t]$ and $\tau_t = 1 - "
            r"\mathbf{1}[\hat y_t = \tilde y_t = y_t]$",
            "A step is a success if the label was predicted, played and right, and else a failure.",
        ),
    )

    strategy: str = choice(
        "ag3",
        STRATEGIES,
        named=True,
        help="What lowers exploration: ag0, time alone; ag1, success alone; ag2 and ag3, time (and success) relative "
        "to failures. Try ag1 to see exploration end too soon.",
    )
    exponent: float = real(
        0.1, 0.001, 1, symbol="λ", step=0.05,
        help="Exponent of ω(z) = (1 + z)^λ. The closer to 1, the more it explores. The dissertation uses 0.1.",
    )  # fmt: skip

    @property
    def adapts(self) -> bool:
        return True

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("adaptive-exploration",)

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.kept = np.zeros((replicates, 2))  # steps before t, and Σ [ŷ = ỹ = y] over them
