"""The Banditron with the multiplicative updates of Winnow ([B] §6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import flag, real
from learners.base import Array, Line
from learners.classification import banditron
from learners.classification.banditron import Banditron, gamma_parameter
from learners.classification.base import ClassificationLearner
from learners.classification.block import Turn, explore
from learners.classification.linear import Vector
from learners.compiled import compiled


@compiled
def present(x: Vector, turn: Turn, gamma: float, rate: float, balanced: bool) -> None:
    """Score by Σ_j x_j exp(η θ_{k,j} − m); play the prediction, or with probability γ a random label."""
    m = 0.0
    for j in x.feature:
        for theta in turn.W[j]:
            m = max(m, abs(rate * theta))
    turn.scores[:] = 0.0
    for i in range(len(x.feature)):
        for k in range(len(turn.scores)):
            exponent = rate * turn.W[x.feature[i], k]
            weight = np.exp(exponent - m)
            if balanced:
                weight -= np.exp(-exponent - m)
            turn.scores[k] += x.value[i] * weight
    explore(turn, gamma)


@dataclass(kw_only=True)
class BanditronWinnow(ClassificationLearner):
    """A Banditron that multiplies W_{k,j} by exp(η Ũ_{k,j}), where Ũ is the Banditron's update.

    [B] only conjectures such a learner. This one is Winnow (Littlestone 1988; Kivinen and Warmuth 1997) with Ũ in place
    of the perceptron's update. It keeps θ = Σ Ũ in `W`. The common scale of the weights changes no prediction, so the
    scores are Σ_j x_j exp(η θ_{k,j} − m), where m is the largest exponent of the example's features. The balanced form
    has the weights W⁺ − W⁻, which are 2 sinh(η θ) up to that scale.

    >>> from learners import Simulation
    >>> sim = Simulation("banditron-winnow", "digits", replicates=2)
    >>> sim.advance(steps=2000)
    >>> bool(sim.history["accuracy-greedy"][-500:].mean() > 0.3)
    True
    """

    id: ClassVar[str] = "banditron-winnow"
    title: ClassVar[str] = "Banditron, multiplicative (Winnow)"
    short: ClassVar[str] = "Banditron, Winnow"
    needs: ClassVar[str] = Banditron.needs
    paper: ClassVar[str] = "B"
    moved: ClassVar[str] = "θ of row"
    fastest: ClassVar[str] = "rate"
    explores: ClassVar[str] = "gamma"
    one_scale: ClassVar[bool] = False
    then: ClassVar[str] = "the weights are exp(η θ), so they are multiplied"
    rules = present, banditron.update
    summary: ClassVar[str] = (
        "Multiplies the weights of an example's features instead of adding to them. It does best where only a few of "
        "many features matter, like the keywords among the words of the synthetic topics."
    )
    section: ClassVar[str] = "§6, Multiplicative Updates (a sketch; the step is ours)"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $W^1_{k,j} \leftarrow 1$", "All weights are 1 at first."),
        *Banditron.lines_of("observe", "predict", "perturb", "feedback"),
        Line(
            "update",
            r"Update $W^{t+1}_{k,j} \leftarrow W^t_{k,j}\, e^{\eta \tilde U^t_{k,j}}$ with the Banditron's $\tilde "
            r"U^t$",
            "Weights are multiplied where the Banditron adds. U is what the Banditron would add, and η the rate.",
        ),
    )

    gamma: float = gamma_parameter()
    rate: float = real(
        0.005, 1e-6, 1, symbol="η", step=0.005,
        help="How strongly one update multiplies. A correct random label weighs K/γ, so the rate must be small. Try "
        "0.05 to see a single correct label take over.",
    )  # fmt: skip
    balanced: bool = flag(
        False, help="Keep a second set of weights that is subtracted, so that a feature can also count against a class."
    )

    @property
    def weights(self) -> Array | None:
        return np.asarray(self._power(self.W)).swapaxes(1, 2)

    def _power(self, theta: Array) -> Array:
        """Return exp(η θ − m), balanced exp(η θ − m) − exp(−η θ − m), with m = max |η θ|, for θ of shape (R, m, K)."""
        exponent = np.reshape(self.rate, (-1, 1, 1)) * theta
        m = np.abs(exponent).max(axis=(1, 2), keepdims=True)
        up = np.exp(exponent - m)
        return np.asarray(up - np.exp(-exponent - m) if self.balanced else up)
