"""The base of the second-order learners of [G], with the weights, inverse matrices and both updates of Fig. 1."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from datasets.multilabel import LOSSES
from datasets.parameters import choice, real
from learners.base import Array
from learners.compiled import compiled
from learners.multilabel.algebra import absorb, link
from learners.multilabel.matrices import DIAGONAL, MATRICES, WithMatrices, margins
from learners.multilabel.page import Page
from learners.multilabel.sets import best_size, rounded
from learners.vectors import rank

LOGISTIC = LOSSES.index("logistic")


@compiled
def look(page: Page, R: float, matrices: int) -> None:
    """Compute V = A⁻¹x, q = x·A⁻¹x, w·x and Δ̂ = w'·x, where w' is w projected to |w·x| ≤ R ([G] Fig. 1, step 1)."""
    margins(page, matrices)
    for i in range(len(page.w)):
        page.delta[i] = min(max(page.margin[i], -R), R)


@compiled
def show(page: Page, loss: int, R: float) -> int:
    """Compute p̂ at Δ̂ + ε, rank the labels, and return how many to show (steps 2 and 3)."""
    logistic = loss == LOGISTIC
    for i in range(len(page.delta)):
        page.estimate[i] = page.probability[i] = rounded(link(page.delta[i], logistic))
    for i in range(len(page.width)):
        raised = min(max(page.delta[i] + page.width[i], -R), R)
        page.probability[i] = rounded(link(raised, logistic))
    rank(page.probability, page.order)
    return int(best_size(page.probability, page.order, page.a, page.constant, page.cap))


@compiled
def project(page: Page) -> None:
    """Take step 1, w' = w − (w·x − R sign(w·x)) / (x·A⁻¹x) A⁻¹x where |w·x| > R."""
    own = len(page.q) == len(page.w)
    for i in range(len(page.w)):
        excess = page.margin[i] - page.delta[i]
        if excess != 0:
            m = i if own else 0
            share = excess / page.q[m]
            for j in range(len(page.x)):
                page.w[i, j] -= share * page.V[m, j]


@compiled
def learn(page: Page, loss: int, curvature: float, matrices: int) -> None:
    """Take step 1, then step 5 where s ≠ 0, A += xxᵀ and w = w' + (1/c″) g(s Δ̂) s A⁻¹x, where g = −L′."""
    project(page)
    logistic, own, first = loss == LOGISTIC, len(page.q) == len(page.w), True
    for i in range(len(page.w)):
        s = page.heard[i]
        if s != 0:
            m = i if own else 0
            if own or first:  # labels that share a matrix are heard of together, and it changes once
                absorb(page.Ainv, m, page.x, matrices == DIAGONAL, page.V, page.q[m])
                first = False
            g = 1 / (math.exp(s * page.delta[i]) + 1) if logistic else 1 - s * page.delta[i]
            step = g * s / curvature
            for j in range(len(page.x)):
                page.w[i, j] += step * page.V[m, j]


@dataclass(kw_only=True)
class SecondOrderLearner(WithMatrices):
    """Base of the learners that take online Newton steps on a loss L of each label's margin s Δ ([G] Fig. 1)."""

    loss: str = choice(
        "square", LOSSES, symbol="L",
        help="How the probability of a label depends on its score, linearly or through the logistic function.",
    )  # fmt: skip
    range: float = real(
        2.0, 0.1, 10, symbol="R", step=0.5, when=("loss", "logistic"),
        help="Scores are clipped to [−R, R], so the largest probability is 1/(1 + exp(−R)). Steps grow with cosh R. "
        "Try 2 or 3.",
    )  # fmt: skip
    matrices: str = choice(
        "full", MATRICES, symbol="A",
        help="Diagonal matrices take d numbers for each label in place of d², and are much faster, but ignore "
        "correlations between features.",
    )  # fmt: skip

    @property
    def R(self) -> float | Array:
        """Half the width of the margin domain D = [−R, R], 1 for the square loss."""
        return 1.0 if self.loss == "square" else self.range

    @property
    def curvature(self) -> float | Array:
        """c″_L, the smallest second derivative of L on D ([G] after Theorem 2)."""
        return 1.0 if self.loss == "square" else 1 / (2 * (1 + np.cosh(self.range)))
