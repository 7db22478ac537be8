"""The base of the learners that fit a ridge regressor to the answers on each label (Qin, Chen & Zhu 2014)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from datasets.parameters import choice, real
from learners.base import Array
from learners.compiled import compiled
from learners.multilabel.algebra import absorb, link
from learners.multilabel.matrices import DIAGONAL, MATRICES, WithMatrices, margins
from learners.multilabel.page import Page
from learners.multilabel.sets import best_size, rounded
from learners.vectors import rank


@compiled
def regress(page: Page, matrices: int) -> None:
    """Compute V = A⁻¹x, q = x·A⁻¹x, the margins w·x, and the estimates (1 + w·x) / 2 of the probabilities."""
    margins(page, matrices)
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
class RidgeLearner(WithMatrices):
    """Base of the learners with a linear regressor w_i of the answers s = ±1 on each label i.

    The papers have one regressor of the features of all items. With x in the block of label i and 0 elsewhere, its
    matrix has a block for each label, and it falls into K regressors, each with A_i = λI + Σ xxᵀ and b_i = Σ s x over
    the steps in which label i was shown. Since E[s] = 2P − 1, w_i·x estimates the margin of [G] Eq. 2 for the square
    loss.
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

    @property
    def first(self) -> float | Array:
        return self.ridge
