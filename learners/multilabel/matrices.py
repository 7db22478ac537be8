"""The base of the learners with weights and a matrix for each label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array, Shape
from learners.compiled import compiled
from learners.multilabel.algebra import multiply, products
from learners.multilabel.base import MultilabelLearner
from learners.multilabel.page import Page
from learners.random import Source

MATRICES = ("full", "diagonal")
DIAGONAL = MATRICES.index("diagonal")


@compiled
def margins(page: Page, matrices: int) -> None:
    """Compute V = A⁻¹x, q = x·A⁻¹x and the margins w·x."""
    multiply(page.Ainv, page.x, matrices == DIAGONAL, page.V)
    products(page.V, page.x, page.q)
    products(page.w, page.x, page.margin)


@dataclass(kw_only=True)
class WithMatrices(MultilabelLearner):
    """Base of the learners whose parameter `matrices` says whether they keep A⁻¹ of each label, or its diagonal alone.

    Their state is w (R, K, d) and Ainv, the inverse matrices (R, M, d, d), or (R, M, d) if they are diagonal. M is K,
    or 1 if all labels share one matrix. Since both are large, they change in place.
    """

    linear: ClassVar[bool] = True
    at_start: ClassVar[tuple[str, ...]] = ("matrices",)

    @property
    def first(self) -> float | Array:
        """The number on the diagonals of A at first."""
        return 1.0

    def number_of_matrices(self, labels: int) -> int:
        """Return M, the number of labels unless they share one matrix."""
        return labels

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        M, d = self.number_of_matrices(self.classes), self.features
        one: Array = np.eye(d) if self.params["matrices"] == "full" else np.ones(d)
        scale = np.broadcast_to(self.first, replicates).reshape(replicates, *(1,) * (one.ndim + 1))
        self.Ainv: Array = np.tile(one, (replicates, M, *(1,) * one.ndim)) / scale
        self.V, self.q = np.zeros((replicates, M, d)), np.zeros((replicates, M))  # A⁻¹x and x·A⁻¹x

    def memory(self, shape: Shape, replicates: int) -> int:
        each = shape.features + 1 if self.params["matrices"] == "full" else 2  # rows, of A⁻¹ with A⁻¹x
        matrices = 8 * replicates * self.number_of_matrices(shape.classes) * each * shape.features
        return super().memory(shape, replicates) + matrices

    def state(self) -> dict[str, Array]:
        R, M, d = self.V.shape
        return super().state() | {"Ainv": self.Ainv.reshape(R, M, -1, d), "V": self.V, "q": self.q}
