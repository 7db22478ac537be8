"""The base of the second-order learners of [G], with the weights, inverse matrices and both updates of Fig. 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from datasets.multilabel import LOSSES, link
from datasets.parameters import choice, real
from learners.base import Array, Shape, column
from learners.multilabel.base import Context, Feedback, MultilabelLearner, Shown, rounded
from learners.random import Source

MATRICES = ("full", "diagonal")
_CHUNK = 300_000  # entries of the inverse matrices updated at once


class Seen(NamedTuple):
    """What `present` computes for `update`: margins w·x (R, K), V = A⁻¹x (R, M, d), q = x·A⁻¹x (R, M), Δ̂ (R, K)."""

    margins: Array
    V: Array
    q: Array
    delta: Array


@dataclass(kw_only=True)
class SecondOrderLearner(MultilabelLearner):
    """Base of the learners that take online Newton steps on a loss L of each label's margin s Δ ([G] Fig. 1).

    Their state is w (R, K, d) and Ainv, the inverse matrices (R, M, d, d), or (R, M, d) if they are diagonal. M is K,
    or 1 if all labels share one matrix. Since both are large, they change in place. g is −L′.
    """

    loss: str = choice(
        "square", LOSSES, symbol="L",
        help="How the probability of a label depends on its score, linearly or through the logistic function.",
    )  # fmt: skip
    range: float = real(
        2.0, 0.1, 10, symbol="R", step=0.5, when=("loss", "logistic"),
        help="Scores are clipped to [−R, R], so the largest probability is 1/(1 + exp(−R)). Steps grow with cosh R. "
        "Try 2 or 3.",
    )  # fmt: skip
    at_start: ClassVar[tuple[str, ...]] = ("matrices",)

    matrices: str = choice(
        "full", MATRICES, symbol="A",
        help="Diagonal matrices take d numbers for each label in place of d², and are much faster, but ignore "
        "correlations between features.",
    )  # fmt: skip

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        K, d = self.classes, self.features
        self.w: Array = np.zeros((replicates, K, d))
        one: Array = np.eye(d) if self.matrices == "full" else np.ones(d)
        self.Ainv: Array = np.tile(one, (replicates, self.number_of_matrices(K), *(1,) * one.ndim))
        self._seen: Seen | None = None

    def number_of_matrices(self, labels: int) -> int:
        """Return M, the number of labels unless they share one matrix."""
        return labels

    def memory(self, shape: Shape, replicates: int) -> int:
        K, d = shape.classes, shape.features
        M = self.number_of_matrices(K)
        return 8 * replicates * (K * d + M * d * (d + 1 if self.matrices == "full" else 2))  # w, A⁻¹ and A⁻¹x

    @property
    def weights(self) -> Array | None:
        return self.w

    @property
    def R(self) -> float | Array:
        """Half the width of the margin domain D = [−R, R], 1 for the square loss."""
        return 1.0 if self.loss == "square" else self.range

    @property
    def curvature(self) -> float | Array:
        """c″_L, the smallest second derivative of L on D ([G] after Theorem 2)."""
        return 1.0 if self.loss == "square" else 1 / (2 * (1 + np.cosh(self.range)))

    def g(self, margin: Array) -> Array:
        """Return −L′, which is 1 − Δ for the square loss and 1 / (e^Δ + 1) for the logistic."""
        return 1 - margin if self.loss == "square" else 1 / (np.exp(margin) + 1)

    def width_of(self, q: Array) -> Array | None:
        """Return ε (R, K), which is added to the margins because of uncertainty, or None. q : x·A⁻¹x (R, M)."""
        return None

    def present(self, context: Context) -> Shown:
        x = context.features
        # one product for each label, so that equal labels get equal bits and no product is split between threads
        margins = np.einsum("rkd,rd->rk", self.w, x)
        full = self.matrices == "full"
        V = np.matmul(self.Ainv, x[:, None, :, None])[..., 0] if full else self.Ainv * x[:, None, :]
        q = np.einsum("rmd,rd->rm", V, x)
        # step 1: Δ̂ = w'·x, where w' is w projected to |w·x| ≤ R in the norm of A; `update` does the projection
        R = column(self.R)
        delta = np.clip(margins, -R, R)
        self._seen = Seen(margins, V, q, delta)
        # step 2
        width = self.width_of(q)
        estimate = rounded(link(delta, self.loss))
        probability = estimate if width is None else rounded(link(np.clip(delta + width, -R, R), self.loss))
        order, size = self.choose(probability)
        return Shown(order, size, probability, estimate, width)

    def signs(self, shown: Shown, feedback: Feedback) -> Array:
        """Return s (R, K), +1 for right, −1 for wrong, 0 for unknown ([G] Fig. 1, step 4)."""
        raise NotImplementedError

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> None:
        assert self._seen is not None, "present comes before update"
        self._project(self._seen)
        self._learn(context.features, self._seen, self.signs(shown, feedback))
        self._seen = None

    def _project(self, seen: Seen) -> None:
        """Take step 1, w' = w − (w·x − R sign(w·x)) / (x·A⁻¹x) A⁻¹x where |w·x| > R."""
        excess = seen.margins - seen.delta
        r, k = np.nonzero(excess)
        if len(r):
            m = self._matrix(k)
            self.w[r, k] -= (excess[r, k] / seen.q[r, m])[:, None] * seen.V[r, m]

    def _learn(self, x: Array, seen: Seen, sign: Array) -> None:
        """Take step 5 where s ≠ 0, A += xxᵀ and w = w' + (1/c″) g(s Δ̂) s A⁻¹x; A⁻¹ by Sherman and Morrison."""
        r, k = np.nonzero(sign)
        if self.Ainv.shape[1] == self.classes:
            which, of = (r, k), np.arange(len(r))
        else:  # one matrix for all labels, updated once
            which, of = (np.arange(len(x)), np.zeros(len(x), dtype=np.intp)), r
        v, q = seen.V[which], seen.q[which][:, None]
        if self.matrices == "full":
            # A⁻¹ − A⁻¹x xᵀA⁻¹ / (1 + q), as an outer product of a vector with itself, so that it stays symmetric
            self._subtract(which, v / np.sqrt(1 + q))
            v = v / (1 + q)
        else:
            inverse, x_n = self.Ainv[which], x[which[0]]
            inverse /= 1 + x_n * v  # 1 / (A + x²)
            self.Ainv[which] = inverse
            v = inverse * x_n
        s, c = sign[r, k], self.curvature
        step = self.g(s * seen.delta[r, k]) * s / (c[r] if isinstance(c, np.ndarray) else c)
        self.w[r, k] += step[:, None] * v[of]

    def _subtract(self, which: tuple[Array, Array], vectors: Array) -> None:
        """Subtract v vᵀ from A⁻¹[which], a few matrices at a time."""
        step = max(1, _CHUNK // vectors.shape[1] ** 2)
        for a in range(0, len(vectors), step):
            v, at = vectors[a : a + step], tuple(index[a : a + step] for index in which)
            self.Ainv[at] -= v[:, :, None] * v[:, None, :]

    def _matrix(self, k: Array) -> Array:
        """Return the number of each label's matrix."""
        return k if self.Ainv.shape[1] == self.classes else np.zeros_like(k)
