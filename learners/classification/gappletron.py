"""Gappletron, Gaptron's heir with a rate of exploration and steps of its own (van der Hoeven et al. 2021)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array, Line, Shape
from learners.classification.banditron import Banditron
from learners.classification.base import ClassificationLearner
from learners.classification.block import Turn, explore, move, predict, probability
from learners.classification.linear import Vector, best_of, squared
from learners.classification.second_order.soba import rival_of
from learners.compiled import compiled
from learners.random import Source

STEPS, SQUARES, NORM = range(3)  # t, Σ ‖ĝ‖² and ‖θ‖², which the rules keep


@compiled
def present(x: Vector, turn: Turn, exploration: float, radius: float) -> None:
    """Play from (1 − γ) p′ + γ/K, where p′ mixes the prediction and a random label by the gap a of the margin."""
    turn.kept[STEPS] += 1
    predict(x, turn)
    for k in range(len(turn.scores)):
        turn.scores[k] *= radius / max(turn.kept[NORM], turn.kept[SQUARES], 1e-300) ** 0.5
    best = best_of(turn.scores)
    margin = turn.scores[best] - turn.scores[rival_of(turn.scores, best)]
    gamma = min(0.5, exploration * np.sqrt(len(turn.scores) / turn.kept[STEPS]))
    explore(turn, gamma + (1 - gamma) * (1 - min(1.0, margin)) ** 2)


@compiled
def update(x: Vector, turn: Turn, radius: float) -> None:
    """After a right answer, subtract the gradient, over the chance of the answer, from θ."""
    label, square = turn.label[0], squared(x)
    rival = rival_of(turn.scores, label)
    margin = turn.scores[label] - turn.scores[rival]
    step = (2.0 if label != turn.predicted[0] else 2 * max(0.0, 1 - margin)) / probability(turn)
    if turn.right[0] and step > 0 and square > 0:
        move(x, turn, 0, label, step)
        move(x, turn, 1, rival, -step)
        length = max(turn.kept[NORM], turn.kept[SQUARES]) ** 0.5
        turn.kept[NORM] += 2 * step * (margin * length / radius + step * square)
        turn.kept[SQUARES] += 2 * step**2 * square


@dataclass(kw_only=True)
class Gappletron(ClassificationLearner):
    """Explores where its margin is small, and beside that at a rate that falls as 1/√t; its steps tune themselves.

    In the paper a label may reveal others, along a graph; by right or wrong it only reveals itself (ρ = K). With
    Gaptron's smooth hinge loss, the chance of a mistake, but for γ, is at most (K − 1)/K of the loss; the rest pays for
    learning on ‖W‖ ≤ D, here by scale-free dual averaging (Orabona & Pál 2018; `W` keeps θ). The abstract has
    regret B √(ρ K T), with B "the diameter of the prediction space", here 2D. Gradient descent "following" the paper
    has steps B / √(2 Σ ‖ĝ‖²) in arXiv 2502.18709 (appendix H), which also takes B = 10, and does not project. The rate
    of γ and the constants rest on memory, and were derived anew.

    >>> from learners import Simulation
    >>> run = Simulation("gappletron", "synsep", seed=0)
    >>> run.advance(steps=2000)
    >>> bool(run.history["gamma"][-100:].mean() < 0.3 < run.history["gamma"][:10].mean())
    True
    """

    id: ClassVar[str] = "gappletron"
    title: ClassVar[str] = "Gappletron"
    summary: ClassVar[str] = "Explores where it is unsure, and ever less beside that. Its steps find their own length."
    needs: ClassVar[str] = Banditron.needs
    paper: ClassVar[str] = "HFC21"
    works: ClassVar[Mapping[str, str]] = {
        "HFC21": "van der Hoeven, Fusco & Cesa-Bianchi. Beyond Bandit Feedback in Online Multiclass "
        "Classification. NeurIPS 2021."
    }
    section: ClassVar[str] = "Algorithm 1, with the smooth hinge loss and right or wrong as feedback graph"
    lines: ClassVar[tuple[Line, ...]] = (
        *Banditron.lines_of("start", "observe", "predict"),
        Line(
            "perturb",
            r"Sample $\tilde y_t$ from $P = (1-\gamma_t) p'_t + \gamma_t/K$ with $p'_t(r) = (1-a_t)\mathbf{1}[r = "
            r"\hat y_t] + a_t/K$, $a_t = (1 - \min\{1, m^\star_t\})^2$ and $\gamma_t = \min\{\frac12, s\sqrt{K/t}\}$",
            "The lead of the best label over the second is m*. At 1 or more it explores by the falling rate γ alone.",
        ),
        *Banditron.lines_of("feedback"),
        Line(
            "update",
            r"If $\tilde y_t = y_t$: $\theta^{t+1} \leftarrow \theta^t - \hat g_t$, $\hat g_t = g_t/P(\tilde y_t)$, "
            r"where $g_t$ is the gradient of $\ell(m) = 1 - 2m$ for $m < 0$, $(1-m)^2$ for $0 \le m \le 1$, else $0$;"
            r" $W^{t+1} \leftarrow D \theta^{t+1} / \max\{\|\theta^{t+1}\|, (\sum_{s \le t} \|\hat g_s\|^2)^{1/2}\}$",
            "Only a right answer teaches. θ adds up all steps, and W is θ, shortened so that it is at most D long.",
        ),
    )
    rules = present, update
    explores: ClassVar[str] = "exploration"
    moved: ClassVar[str] = "θ of row"
    then: ClassVar[str] = "the weights are θ, shortened to D or less"

    exploration: float = real(1.0, 1e-6, 1000, symbol="s", step=0.1, named=True, help="How much it explores beside.")
    radius: float = real(10.0, 1e-3, 1e6, symbol="D", step=1, named=True, help="How far from 0 the weights may be.")

    @property
    def adapts(self) -> bool:
        return True

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.kept = np.zeros((replicates, 3))

    @property
    def weights(self) -> Array | None:
        scale = self.radius / np.sqrt(np.maximum(self.kept[:, 1:].max(axis=1), 1e-300))
        return np.asarray(scale[:, None, None] * self.W.swapaxes(1, 2))
