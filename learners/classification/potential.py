"""Potential-based online learning, of which the Banditron is an instance ([V] Algorithm 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import choice, integer, real
from learners.base import Array, Line, Shape
from learners.classification.banditron import gamma_parameter
from learners.classification.base import ClassificationLearner
from learners.classification.block import Turn, explore, move, predict, probability
from learners.classification.linear import Vector
from learners.compiled import compiled
from learners.random import Source
from learners.vectors import LARGEST

POTENTIALS = ("squared-norm", "exponential", "hyperbolic", "p-norm")
EXPONENTIAL, HYPERBOLIC, P_NORM = 1, 2, 3
FAR = 1e13  # exp 30


@compiled
def present(x: Vector, turn: Turn, gamma: float, kind_number: int) -> None:
    """Play the prediction, or with probability γ a random label."""
    classes = len(turn.scores)
    predict(x, turn)
    if kind_number == EXPONENTIAL:
        for k in range(classes):
            turn.scores[k] /= turn.kept[classes + k]
    explore(turn, gamma)


@compiled
def update(x: Vector, turn: Turn, rate: float, kind_number: int, exponent: float) -> None:
    """Update θ as the Banditron its weights, times η, and set W = ∇Φ(θ) where θ has changed."""
    # [V] Eq. 5.4 misprints p of ŷ in the denominator; the probability of the label played makes it unbiased
    move(x, turn, 0, turn.label[0], rate * (turn.right[0] / probability(turn)))
    move(x, turn, 1, turn.predicted[0], -rate)
    for label in turn.moved:
        gradient(x, turn, label, kind_number, exponent)


@compiled
def gradient(x: Vector, turn: Turn, k: int, kind: int, p: float) -> None:
    """Set W = ∇Φ(θ) for label k at the features of the example."""
    if kind == EXPONENTIAL:
        exponentials(x, turn, k)
        return
    for j in x.feature:
        theta = turn.theta[j, k]
        if kind == P_NORM:
            theta = np.sign(theta) * abs(theta) ** (p - 1)
        elif kind == HYPERBOLIC:
            theta = np.sinh(min(max(theta, -700.0), 700.0))
        turn.W[j, k] = theta
        turn.finite[0] &= abs(theta) <= LARGEST


@compiled
def exponentials(x: Vector, turn: Turn, k: int) -> None:
    """Set W = exp(θ − m) for label k, and Z to its sum; m follows the largest θ of the label where that moves far."""
    place = len(turn.scores) + k
    for j in x.feature:
        turn.W[j, k] = np.exp(turn.theta[j, k] - turn.kept[k])
    total = largest = 0.0
    for j in range(len(turn.W)):
        total += turn.W[j, k]
        largest = max(largest, turn.W[j, k])
    if not 1 / FAR < largest < FAR:
        turn.kept[k], total = turn.theta[0, k], 0.0
        for j in range(1, len(turn.W)):
            turn.kept[k] = max(turn.kept[k], turn.theta[j, k])
        for j in range(len(turn.W)):
            turn.W[j, k] = np.exp(turn.theta[j, k] - turn.kept[k])
            total += turn.W[j, k]
    turn.kept[place] = total
    turn.finite[0] &= abs(total) <= LARGEST


@dataclass(kw_only=True)
class PotentialLearner(ClassificationLearner):
    """Base of the learners of [V] Algorithm 8, which update θ (R, d, K) and predict with W = ∇Φ(θ).

    For the exponential potential, W holds exp(θ − m); `kept` the shift m and the sum Z of each label. The weights are
    W / Z.
    """

    rules = present, update
    fastest: ClassVar[str] = "scale"
    moved: ClassVar[str] = "θ of row"
    then: ClassVar[str] = "the weights follow from θ as W = ∇Φ(θ)"
    needs: ClassVar[str] = "whether the label played is right"
    paper: ClassVar[str] = "V"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Set $\theta^0$ constant and $W^0 = \nabla\Phi(\theta^0)$",
            "The parameters θ are all equal at first. The potential Φ turns them into weights W.",
        ),
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$"),
        Line(
            "predict",
            r"Compute $\hat y_t \leftarrow \mathrm{argmax}_k\, x_t^\top w_k^{t-1}$",
            "Each class k scores x by its weights w. The class with the highest score is the label predicted, ŷ.",
        ),
        Line(
            "perturb",
            r"Sample $\tilde y_t$ from $p_k = (1-\gamma)[k = \hat y_t] + \gamma/K$",
            "With probability γ it explores, and draws the label played, ỹ, from all K classes. Otherwise it plays "
            "ŷ. p is the chance of each label.",
        ),
        Line("feedback", r"Predict $\tilde y_t$ and receive $[y_t = \tilde y_t]$"),
        Line(
            "update",
            r"Compute $\delta_t = \mathbf{1}_{\hat y_t} - \mathbf{1}_{\tilde y_t}\frac{[y_t = \tilde y_t]}{p_{\tilde "
            r"y_t}}$ and $\theta^t = \theta^{t-1} - \eta\, x_t \delta_t^\top$",
            "δ is the answer in place of the true label. It speaks against ŷ, and for ỹ if that was right, the more, "
            "the smaller its chance. θ moves accordingly, at the rate η.",
        ),
        Line(
            "after",
            r"Compute $W^t = \nabla\Phi(\theta^t)$",
            "The potential Φ turns the parameters θ into the weights W.",
        ),
    )

    gamma: float = gamma_parameter()
    scale: float = real(
        1e-5, 1e-8, 1, symbol="s", step=1e-5,
        help="The step size η is this times Eq. 5.12, √(K(1−γ) ln K / Tγ). The dissertation uses 0.00001, so small "
        "that the exponential is nearly linear; try 0.01. It has no effect with squared norm and p-norm.",
    )  # fmt: skip
    horizon: int = integer(
        0, 0, 10_000_000, symbol="T", step=1000,
        help="Number of steps T for which Eq. 5.12 sets the step size; 0 means one pass through the data.",
    )  # fmt: skip

    @property
    def kind(self) -> str:
        """The name of the potential Φ."""
        raise NotImplementedError

    @property
    def kind_number(self) -> int:
        """The place of the potential among all."""
        return POTENTIALS.index(self.kind)

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.theta = np.zeros_like(self.W)
        self.shape = shape
        self.changed()
        self.kept = np.zeros((replicates, 2 * shape.classes))
        if self.kind == "exponential":
            self.W[:] = 1.0  # θ⁰ is constant
            self.kept[:, shape.classes :] = shape.features

    def changed(self) -> None:
        self.rate = self.step_size(self.shape)

    @property
    def weights(self) -> Array | None:
        weights = self.W.swapaxes(1, 2)
        return weights / self.kept[:, self.classes :, None] if self.kind == "exponential" else weights

    def memory(self, shape: Shape, replicates: int) -> int:
        return 2 * super().memory(shape, replicates)

    def step_size(self, shape: Shape) -> Any:
        """Return η of [V] Eq. 5.12 times `scale`, or 1 where only the direction of W matters."""
        if self.kind in ("squared-norm", "p-norm"):
            return 1.0
        horizon = np.where(np.asarray(self.horizon) == 0, shape.examples, self.horizon)
        gamma, k = np.asarray(self.gamma), shape.classes
        return self.scale * np.sqrt(k * (1 - gamma) * np.log(k) / (horizon * gamma))

    @property
    def exponent(self) -> float | Array:
        """p of the p-norm."""
        return 2.0


@dataclass(kw_only=True)
class Potential(PotentialLearner):
    """Applies the Banditron's update to θ, and predicts with W = ∇Φ(θ).

    The step size η matters where ∇Φ is curved (exponential, hyperbolic); elsewhere it only scales W, which changes no
    prediction.

    squared-norm : W = θ, the Banditron. exponential : each class's weights are a distribution over the features,
    W ∝ exp θ ([V] Eq. 5.10). hyperbolic : W = sinh θ, its form for weights of both signs. p-norm : W_j = sign(θ_j)
    |θ_j|^(p−1), between the squared norm (p = 2) and the multiplicative potentials (large p).

    >>> from learners import Simulation, create
    >>> runs = [create("potential", potential="squared-norm", gamma=0.1), create("banditron", gamma=0.1)]
    >>> first, second = (Simulation(x, "digits", replicates=2) for x in runs)
    >>> first.advance(steps=300), second.advance(steps=300)
    (None, None)
    >>> bool((first.history["mistakes"] == second.history["mistakes"]).all())
    True
    """

    id: ClassVar[str] = "potential"
    title: ClassVar[str] = "Potential-based learner"
    short: ClassVar[str] = "Potential"
    summary: ClassVar[str] = (
        "Applies the Banditron's update to parameters θ, which a potential turns into weights. The squared norm gives "
        "the Banditron itself and the exponential gives exponentiated gradient; two more are related to them."
    )
    section: ClassVar[str] = "Algorithm 8"

    at_start: ClassVar[tuple[str, ...]] = ("potential",)

    potential: str = choice(
        "exponential",
        POTENTIALS,
        named=True,
        help="The convex function Φ whose gradient turns θ into weights. With the squared norm updates add, with the "
        "exponential they multiply. Try both on the digits.",
    )
    power: float = real(
        3.0, 2, 20, symbol="p", step=0.5, when=("potential", "p-norm"),
        help="The p of the p-norm; 2 gives the squared norm, and about 2 ln d behaves like a multiplicative update.",
    )  # fmt: skip

    @property
    def kind(self) -> str:
        return self.potential

    @property
    def exponent(self) -> float | Array:
        return self.power
