"""The Banditron with multiplicative updates, as Winnow has them ([B] §6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import flag, real
from learners.base import Array, Line
from learners.classification.banditron import Banditron, gamma_parameter
from learners.classification.base import ClassificationLearner, Feedback, Shown
from learners.classification.linear import Examples, Moves


@dataclass(kw_only=True)
class BanditronWinnow(ClassificationLearner):
    """W_{k,j} is multiplied by exp(η Ũ_{k,j}), with the Banditron's update Ũ.

    [B] only conjectures such a learner; this is Winnow (Littlestone 1988; Kivinen and Warmuth 1997) with Ũ in place of
    the perceptron's update. What is kept is θ = Σ Ũ; the common scale of W changes no prediction, so scores are
    Σ_j x_j exp(η θ_{k,j} − m), m the largest exponent at hand. Balanced: W = W⁺ − W⁻, 2 sinh(η θ) up to that scale.

    >>> from learners import Simulation
    >>> sim = Simulation("banditron-winnow", "digits", replicates=2)
    >>> sim.advance(steps=2000)
    >>> bool(sim.history["accuracy-greedy"][-500:].mean() > 0.3)
    True
    """

    id: ClassVar[str] = "banditron-winnow"
    title: ClassVar[str] = "Banditron, multiplicative (Winnow)"
    moved: ClassVar[str] = "θ of row"
    needs: ClassVar[str] = "whether the label played is right"
    summary: ClassVar[str] = (
        "Multiplies the weights of the features at hand instead of adding to them. It shines where few of many "
        "features matter, as the keywords do among the words of the synthetic topics."
    )
    paper: ClassVar[str] = "B"
    section: ClassVar[str] = "§6, Multiplicative Updates (a sketch; the step is ours)"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $W^1_{k,j} \leftarrow 1$"),
        *Banditron.lines[1:5],
        Line(
            "update",
            r"Update $W^{t+1}_{k,j} \leftarrow W^t_{k,j}\, e^{\eta \tilde U^t_{k,j}}$ with the Banditron's $\tilde U^t$",
        ),
    )

    gamma: float = gamma_parameter()
    rate: float = real(
        0.005, 0, 1, low_open=True, symbol="η", step=0.005,
        help="How strongly one update multiplies. Lucky hits weigh K/γ, so that small rates are needed; try 0.05 to see "
        "a single hit take over.",
    )  # fmt: skip
    balanced: bool = flag(
        False, help="Keep a second set of weights that is subtracted, so that a feature can also speak against a class."
    )

    @property
    def weights(self) -> Array | None:
        return np.asarray(self._power(self.W[:, : self.features])).swapaxes(1, 2)

    def exploration(self) -> float | Array:
        return self.gamma

    def predict(self, x: Examples) -> tuple[Array, Array]:
        weights = self._power(x.entries(self.W))
        if x.index is not None:
            weights[x.index == self.features] = 0.0  # the places beyond an example's length
        scores = x.weigh(weights)
        return scores, scores.argmax(axis=1)

    def _power(self, theta: Array) -> Array:
        """exp(η θ − m), or exp(η θ − m) − exp(−η θ − m), with m = max |η θ|; θ (R, m, K)."""
        exponent = np.reshape(self.rate, (-1, 1, 1)) * theta
        m = np.abs(exponent).max(axis=(1, 2), keepdims=True)
        up = np.exp(exponent - m)
        return np.asarray(up - np.exp(-exponent - m) if self.balanced else up)

    def update(self, x: Examples, shown: Shown, feedback: Feedback) -> Moves:
        gain = feedback.right / self.probability(shown)
        moves = (shown.label, gain), (shown.predicted, self.minus_one)
        x.add(self.W, moves)
        return moves
