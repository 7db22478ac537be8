"""SOBA, the second-order Banditron (Beygelzimer, Orabona & Zhang 2017, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import choice, real
from learners.base import Array, Line, Shape
from learners.classification import banditron
from learners.classification.banditron import Banditron, gamma_parameter
from learners.classification.base import ClassificationLearner
from learners.classification.block import Turn, move, probability
from learners.classification.linear import Vector
from learners.classification.second_order.matrices import DIAGONAL, MATRICES
from learners.compiled import compiled
from learners.random import Source
from learners.vectors import LARGEST


@compiled
def rival_of(scores: Array, label: int) -> int:
    """Return the label with the highest score beside another, the first of ties."""
    found = 1 if label == 0 else 0
    for k in range(found + 1, len(scores)):
        if k != label and scores[k] > scores[found]:
            found = k
    return found


@compiled
def update(x: Vector, turn: Turn, matrix: int) -> None:
    """After a right answer, take a second-order step if the gains of all steps stay at least 0."""
    if not turn.right[0]:
        return
    label, p = turn.label[0], probability(turn)
    rival = rival_of(turn.scores, label)
    lead = (turn.scores[rival] - turn.scores[label]) / np.sqrt(p)  # ⟨W, z⟩
    diagonal = matrix == DIAGONAL
    length = towards_diagonal(x, turn, label, rival, p) if diagonal else towards(x, turn, label, rival, p)
    gain = (lead**2 + 2 * lead / np.sqrt(p)) / (1 + length)
    if turn.kept[0] + gain < 0:
        return
    turn.kept[0] += gain
    move(x, turn, 0, label, 1 / p)
    move(x, turn, 1, rival, -1 / p)
    if diagonal:
        weigh_diagonal(x, turn, label, rival, p)
    else:
        weigh(turn, (lead + 1 / np.sqrt(p)) / (1 + length), 1 + length)


@compiled
def towards(x: Vector, turn: Turn, label: int, rival: int, p: float) -> float:
    """Write v = A⁻¹ z for z = (e_rival − e_label) ⊗ x / √p, and return zᵀ v."""
    classes = len(turn.scores)
    size = len(turn.W) * classes
    v = turn.kept[1 + size * size :]
    for i in range(size):
        v[i] = 0.0
    for i in range(len(x.feature)):
        above, below = 1 + (x.feature[i] * classes + rival) * size, 1 + (x.feature[i] * classes + label) * size
        value = x.value[i] / np.sqrt(p)
        for j in range(size):
            v[j] += value * (turn.kept[above + j] - turn.kept[below + j])
    length = 0.0
    for i in range(len(x.feature)):
        place = x.feature[i] * classes
        length += x.value[i] * (v[place + rival] - v[place + label])
    return length / np.sqrt(p)


@compiled
def weigh(turn: Turn, factor: float, norm: float) -> None:
    """Set W = A⁻¹ θ after the step by the formula of Sherman and Morrison: A⁻¹ loses v vᵀ / norm, and W factor · v."""
    classes = len(turn.scores)
    size = len(turn.W) * classes
    v = turn.kept[1 + size * size :]
    for i in range(size):
        share, row = v[i] / norm, 1 + i * size
        if share != 0.0:
            for j in range(size):
                turn.kept[row + j] -= share * v[j]
        w = turn.W[i // classes, i % classes] - factor * v[i]
        turn.W[i // classes, i % classes] = w
        turn.finite[0] &= abs(w) <= LARGEST


@compiled
def towards_diagonal(x: Vector, turn: Turn, label: int, rival: int, p: float) -> float:
    """Return zᵀ A⁻¹ z where only the diagonal of A is kept."""
    classes = len(turn.scores)
    length = 0.0
    for i in range(len(x.feature)):
        place = 1 + x.feature[i] * classes
        length += x.value[i] ** 2 * (1 / turn.kept[place + rival] + 1 / turn.kept[place + label])
    return length / p


@compiled
def weigh_diagonal(x: Vector, turn: Turn, label: int, rival: int, p: float) -> None:
    """Add z² to the diagonal of A, and set W = θ / A where it has changed."""
    classes = len(turn.scores)
    for i in range(len(x.feature)):
        for k in (label, rival):
            place = 1 + x.feature[i] * classes + k
            turn.kept[place] += x.value[i] ** 2 / p
            w = turn.theta[x.feature[i], k] / turn.kept[place]
            turn.W[x.feature[i], k] = w
            turn.finite[0] &= abs(w) <= LARGEST


@dataclass(kw_only=True)
class Soba(ClassificationLearner):
    """A Banditron that knows how sure it is of each direction, and so moves far in new ones and little in old ones.

    W is a matrix of weights, written as one vector of K d numbers: W = A⁻¹ θ. Both θ and A grow in steps whose answer
    is right, as if it minimised a squared hinge loss of the margin between the true class and its strongest rival. It
    skips a step where the sum of its gains m would fall below 0.

    matrix : "full" keeps A⁻¹, with (K d)² numbers, as in the paper. "diagonal" keeps the diagonal of A alone, as the
    paper's experiments do where K d is large; then W = θ / A, number by number.

    >>> from learners import Simulation, create
    >>> runs = [Simulation(create(id, gamma=0.1), "digits", seed=1) for id in ("soba", "banditron")]
    >>> for run in runs:
    ...     run.advance(steps=1500)
    >>> soba, banditron = (float(run.history["error-rate"][-1, 0]) for run in runs)
    >>> soba < banditron
    True
    """

    id: ClassVar[str] = "soba"
    title: ClassVar[str] = "SOBA, second-order Banditron"
    short: ClassVar[str] = "SOBA"
    summary: ClassVar[str] = (
        "A Banditron with a memory of the directions it has been told about: it moves far where it knows little. It "
        "learns only from right answers, from fewer of them, at a higher cost of each step."
    )
    needs: ClassVar[str] = Banditron.needs
    paper: ClassVar[str] = "BOZ17"
    works: ClassVar[Mapping[str, str]] = {
        "BOZ17": "Beygelzimer, Orabona & Zhang. Efficient Online Bandit Multiclass Learning with Õ(√T) Regret. ICML "
        "2017."
    }
    section: ClassVar[str] = "Algorithm 1; the diagonal matrix as in the experiments"
    moved: ClassVar[str] = "θ of row"
    then: ClassVar[str] = "the weights follow from θ as W = A⁻¹ θ"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Set $W_1 \leftarrow 0$, $\theta_0 \leftarrow 0$ and $A_0 \leftarrow a I$",
            "All weights are 0. A says how sure it is of each direction; a is what it begins with.",
        ),
        *Banditron.lines_of("observe", "predict", "perturb", "feedback"),
        Line(
            "update",
            r"If $\tilde y_t = y_t$: let $\bar y_t = \mathrm{argmax}_{i \ne y_t} (W_t x_t)_i$, $g_t = \frac{1}{P(y_t)}"
            r"(e_{\bar y_t} - e_{y_t}) \otimes x_t$ and $z_t = \sqrt{P(y_t)}\, g_t$",
            "Only a right answer teaches. ȳ is the strongest rival of the true class. The direction g would lower the "
            "lead of the rival. It counts the more, the less likely the answer was.",
        ),
        Line(
            "update",
            r"Compute $m_t = \frac{\langle W_t, z_t\rangle^2 + 2 \langle W_t, g_t\rangle}{1 + z_t^\top A_{t-1}^{-1} "
            r"z_t}$",
            "The step gains m. That is negative where the true class already leads, by less than 2.",
        ),
        Line(
            "update",
            r"If $m_t + \sum_{s<t} n_s m_s \ge 0$: $n_t = 1$, $A_t = A_{t-1} + z_t z_t^\top$, $\theta_t = \theta_{t-1} "
            r"- g_t$ and $W_{t+1} = A_t^{-1} \theta_t$",
            "It takes the step if all gains so far add up to at least 0. A then knows the direction z better, and the "
            "weights W follow from θ and A.",
        ),
    )

    rules = banditron.present, update
    explores: ClassVar[str] = "gamma"
    at_start: ClassVar[tuple[str, ...]] = ("a", "matrix")

    gamma: float = gamma_parameter(0.1)
    a: float = real(
        1.0, 1e-6, 1e6, symbol="a", step=0.5,
        help="How sure it is of all directions at first. A small a lets the first right answers move the weights far. "
        "Try 0.01 and 100.",
    )  # fmt: skip
    matrix: str = choice(
        "full", MATRICES, named=True,
        help="Full, it keeps (K d)² numbers, which is slow for more than some hundred features. Diagonal, it knows "
        "only how often each weight was moved.",
    )  # fmt: skip

    @property
    def extra(self) -> float:
        size = self.features * self.classes
        return float(3 * size if self.matrix == "diagonal" else size * size)

    def memory(self, shape: Shape, replicates: int) -> int:
        size = shape.features * shape.classes
        return 8 * replicates * (2 * size + 1 + (size if self.matrix == "diagonal" else size * size + size))

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.theta = np.zeros_like(self.W)
        size, a = shape.features * shape.classes, np.broadcast_to(np.asarray(self.a, dtype=float), replicates)
        if self.matrix == "diagonal":  # the sum of the gains, and the diagonal of A
            self.kept = np.zeros((replicates, 1 + size))
            self.kept[:, 1:] = a[:, None]
        else:  # the sum of the gains, A⁻¹, and room for v
            self.kept = np.zeros((replicates, 1 + size * size + size))
            self.kept[:, 1 : 1 + size * size : size + 1] = 1 / a[:, None]
