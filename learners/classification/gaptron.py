"""Gaptron, which explores where its margin is small (van der Hoeven 2020), for right and wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Line, Shape
from learners.classification.banditron import Banditron, gamma_parameter
from learners.classification.base import ClassificationLearner
from learners.classification.block import Turn, explore, move, predict, probability
from learners.classification.linear import Vector, best_of, squared
from learners.classification.second_order.soba import rival_of
from learners.compiled import compiled
from learners.random import Source


@compiled
def present(x: Vector, turn: Turn, gamma: float) -> None:
    """Play the prediction, or a random label with the probability max(a, γ), where a is the gap of the margin."""
    predict(x, turn)
    best = best_of(turn.scores)
    margin = turn.scores[best] - turn.scores[rival_of(turn.scores, best)]
    explore(turn, max(gamma, (1 - min(1.0, margin)) ** 2))


@compiled
def update(x: Vector, turn: Turn, gamma: float, scale: float) -> None:
    """After a right answer, step against the gradient of the smooth hinge loss, over the chance of the answer."""
    turn.kept[0] = max(turn.kept[0], squared(x))
    if not turn.right[0]:
        return
    label = turn.label[0]
    rival = rival_of(turn.scores, label)
    margin = turn.scores[label] - turn.scores[rival]
    slope = 2.0 if label != turn.predicted[0] else 2 * max(0.0, 1 - margin)
    if slope > 0 and turn.kept[0] > 0:
        classes = len(turn.scores)
        rate = scale * gamma / (4 * classes**2 * turn.kept[0])
        step = rate * slope / probability(turn)
        move(x, turn, 0, label, step)
        move(x, turn, 1, rival, -step)


@dataclass(kw_only=True)
class Gaptron(ClassificationLearner):
    """Plays a random label the more often, the smaller the lead of its best label, and at least with probability γ.

    With m* the lead of the best label over the second, it explores at the rate max(a, γ) with a = (1 − min(1, m*))².
    Its loss is the smooth multiclass hinge of the margin m of the true label: 1 − 2m where m is negative, (1 − m)² up
    to 1, then 0. But for γ, the loss is never less than the chance of a mistake plus what a gradient step costs (the
    surrogate gap), so that a step pays for itself. That holds with steps of γ / (4 K² X²), where X is the largest norm
    of an example; the constant was derived anew for this loss.

    The paper knows X; here it is the largest so far. The paper treats the logistic and the plain hinge loss too.

    >>> from learners import Simulation, create
    >>> run = Simulation(create("gaptron", scale=100), "synsep", seed=0)
    >>> run.advance(steps=2000)
    >>> bool(run.history["gamma"][-100:].mean() < 0.5 < run.history["gamma"][:100].mean())
    True
    """

    id: ClassVar[str] = "gaptron"
    title: ClassVar[str] = "Gaptron"
    summary: ClassVar[str] = (
        "Explores where it is unsure: the smaller the lead of its best label, the likelier it plays a random one. Its "
        "regret needs no more exploration than the gap between its loss and its mistakes pays for."
    )
    needs: ClassVar[str] = Banditron.needs
    paper: ClassVar[str] = "H20"
    works: ClassVar[Mapping[str, str]] = {
        "H20": "van der Hoeven. Exploiting the Surrogate Gap in Online Multiclass Classification. NeurIPS 2020."
    }
    section: ClassVar[str] = "Algorithm 1, with the smooth multiclass hinge loss and right or wrong as feedback"
    lines: ClassVar[tuple[Line, ...]] = (
        *Banditron.lines_of("start", "observe", "predict"),
        Line(
            "perturb",
            r"Sample $\tilde y_t$ from $P(r) = (1-\gamma_t)\mathbf{1}[r = \hat y_t] + \gamma_t/K$ with $\gamma_t = "
            r"\max\{\gamma, (1 - \min\{1, m^\star_t\})^2\}$",
            "The lead of the best label over the second is m*. At a lead of 1 or more it explores at the rate γ; the "
            "smaller the lead, the more it explores.",
        ),
        *Banditron.lines_of("feedback"),
        Line(
            "update",
            r"If $\tilde y_t = y_t$: compute the gradient $g_t$ of $\ell(m) = 1 - 2m$ for $m < 0$, $(1-m)^2$ for "
            r"$0 \le m \le 1$, else $0$, at the margin $m$ of $y_t$, and set $W^{t+1} \leftarrow W^t - "
            r"\frac{\eta}{P(\tilde y_t)}\, g_t$ with $\eta = s\,\gamma / (4 K^2 X^2)$",
            "Only a right answer teaches. m is the lead of the true label over its strongest rival, and the loss falls "
            "until it is 1. The step counts the more, the less likely the answer was. η is its size, s times that of "
            "the theory, where X is the largest norm of an example so far.",
        ),
    )

    rules = present, update
    fastest: ClassVar[str] = "scale"
    explores: ClassVar[str] = "gamma"

    gamma: float = gamma_parameter(0.1)
    scale: float = real(
        1.0, 1e-3, 1e5, symbol="s", step=1, named=True,
        help="Times which the step of the theory is taken. With 1 the guarantee holds, but the steps are tiny: a "
        "hundredth of γ for ten classes. Try 10 and 100.",
    )  # fmt: skip

    @property
    def adapts(self) -> bool:
        return True

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.kept = np.zeros((replicates, 1))  # X²
