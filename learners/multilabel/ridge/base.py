"""The base of the learners that fit a ridge regressor to the answers on each label (Qin, Chen & Zhu 2014)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import choice, real
from learners.base import Array, Shape
from learners.compiled import compiled
from learners.multilabel.algebra import absorb, link, multiply, products
from learners.multilabel.base import MultilabelLearner
from learners.multilabel.page import Page
from learners.multilabel.second_order import DIAGONAL, MATRICES
from learners.multilabel.sets import best_size, rank, rounded
from learners.random import Source


@compiled
def regress(page: Page, matrices: int) -> None:
    """Compute V = A⁻¹x, q = x·A⁻¹x, the margins w·x, and the estimates (1 + w·x) / 2 of the probabilities."""
    multiply(page.Ainv, page.x, matrices == DIAGONAL, page.V)
    products(page.V, page.x, page.q)
    products(page.w, page.x, page.margin)
    for i in range(len(page.w)):
        page.estimate[i] = rounded(link(page.margin[i], False))


@compiled
def show(page: Page) -> int:
    """Compute p̂ = (1 + Δ̂) / 2 from the margins in `delta`, rank the labels, and return how many to show.

    Margins may lie outside [−1, 1]. The first labels by falling p̂ are the best set then too, since
    (1 − a) Σ_j c(j, s)(1 − p_(j)) − a Σ_j p_(j) falls in every p, and the faster, the nearer the front it stands.
    """
    for i in range(len(page.delta)):
        page.probability[i] = rounded(link(page.delta[i], False))
    rank(page.probability, page.order)
    return int(best_size(page.probability, page.order, page.a, page.constant, page.cap))


@compiled
def learn(page: Page, matrices: int) -> None:
    """Solve least squares anew where s ≠ 0: A += xxᵀ, b += s x and w = A⁻¹b, which is w + (s − w·x) A⁻¹x."""
    for i in range(len(page.w)):
        s = page.heard[i]
        if s != 0:
            absorb(page.Ainv, i, page.x, matrices == DIAGONAL, page.V, page.q[i])
            for j in range(len(page.x)):
                page.w[i, j] += (s - page.margin[i]) * page.V[i, j]


@dataclass(kw_only=True)
class RidgeLearner(MultilabelLearner):
    """Base of the learners with a linear regressor w_i of the answers s = ±1 on each label i.

    The papers have one regressor of the features of all items. With x in the block of label i and 0 elsewhere, its
    matrix has a block for each label, and it falls into K regressors, each with A_i = λI + Σ xxᵀ and b_i = Σ s x over
    the steps in which label i was shown. Since E[s] = 2P − 1, w_i·x estimates the margin of [G] Eq. 2 for the square
    loss.

    Its state is w (R, K, d) and Ainv, the inverse matrices (R, K, d, d), or (R, K, d) if they are diagonal. Both change
    in place.
    """

    at_start: ClassVar[tuple[str, ...]] = ("matrices", "ridge")

    ridge: float = real(
        1.0, 0.001, 1000, symbol="λ", step=0.5,
        help="How strongly the weights are held near 0. The uncertainty x·A⁻¹x of a label that was never shown is 1/λ. "
        "“Upper confidence (multilabel)” has λ = 1.",
    )  # fmt: skip
    matrices: str = choice(
        "full", MATRICES, symbol="A",
        help="Diagonal matrices take d numbers for each label in place of d², and are much faster, but ignore "
        "correlations between features. The weights are then steps towards least squares, not its solution.",
    )  # fmt: skip

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        K, d = self.classes, self.features
        self.w: Array = np.zeros((replicates, K, d))
        one: Array = np.eye(d) if self.matrices == "full" else np.ones(d)
        scale = np.broadcast_to(self.ridge, replicates).reshape(replicates, *(1,) * (one.ndim + 1))
        self.Ainv: Array = np.tile(one, (replicates, K, *(1,) * one.ndim)) / scale
        self.V, self.q = np.zeros((replicates, K, d)), np.zeros((replicates, K))  # A⁻¹x and x·A⁻¹x

    def memory(self, shape: Shape, replicates: int) -> int:
        K, d = shape.classes, shape.features
        return 8 * replicates * K * d * (d + 2 if self.matrices == "full" else 3)  # w, A⁻¹ and A⁻¹x

    @property
    def weights(self) -> Array | None:
        return self.w

    def state(self) -> dict[str, Array]:
        R, K, d = self.V.shape
        return {"w": self.w, "Ainv": self.Ainv.reshape(R, K, -1, d), "V": self.V, "q": self.q}
