"""The halving algorithm with bandit feedback, on a finite grid of linear hypotheses ([B] §4)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import integer
from learners.base import Array, Line, Shape
from learners.classification.base import ClassificationLearner, Feedback, Shown
from learners.classification.linear import Examples, Moves
from learners.random import Source, Stream


@dataclass(kw_only=True)
class Halving(ClassificationLearner):
    """Predicts by majority vote of the remaining hypotheses, and removes those that voted for a wrong answer.

    The hypotheses are all (K, d) matrices whose entries lie on a grid of `levels` numbers from −1 to 1 (Theorem 7; the
    common scale of a matrix changes no prediction). With `projection` d′ > 0, examples are first projected by a random
    (d′, d) matrix with entries from U(−1, 1), divided by √d′ (Theorem 8). If the grid has more than `most` hypotheses,
    that many are drawn from it at random, and Lemma 6 holds only for those drawn. If no hypothesis is left, because
    each has made a mistake, all are restored.

    Each replicate removes hypotheses of its own; all replicates share the grid and the projection.

    >>> from learners import Simulation, create
    >>> sim = Simulation(create("halving", levels=5), "separable-points", replicates=3)
    >>> sim.advance(steps=500)
    >>> bool((sim.history["mistakes"][-1] <= sim.history["bound"][-1]).all())
    True
    """

    id: ClassVar[str] = "halving"
    title: ClassVar[str] = "Halving"
    needs: ClassVar[str] = "whether the label played is right"
    summary: ClassVar[str] = (
        "Keeps every hypothesis of a grid that has not yet been wrong, and predicts what most of them predict. On "
        "separable data it makes a finite number of mistakes without any exploration. The grid grows too fast for "
        "more than a few features, so a random projection must come first."
    )
    paper: ClassVar[str] = "B"
    section: ClassVar[str] = "§4, Lemma 6, Theorems 7 and 8"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Set $\mathcal{H}' \leftarrow \mathcal{H}$, all hypotheses of the grid"),
        Line("observe", r"Receive $x_t$ (projected: $\Pi(x_t) = \frac{1}{\sqrt{d'}} P x_t$)"),
        Line("predict", r"Predict the label $r$ that most hypotheses of $\mathcal{H}'$ predict"),
        Line("feedback", r"Receive $\mathbf{1}[r = y_t]$"),
        Line("update", r"If wrong, remove from $\mathcal{H}'$ all hypotheses that predicted $r$"),
    )

    levels: int = integer(
        5, 2, 21, shapes_state=True,
        help="Values from −1 to 1 that each weight can take. More values come closer to a perfect hypothesis; the "
        "number of hypotheses is this to the power of K d. Try 3.",
    )  # fmt: skip
    projection: int = integer(
        0, 0, 20, symbol="d′", shapes_state=True,
        help="Dimension to which examples are first projected at random; 0 leaves them as they are. Try 2 on the "
        "digits to see how much is lost.",
    )  # fmt: skip
    most: int = integer(
        20_000, 100, 100_000, step=1000, shapes_state=True,
        help="If the grid has more hypotheses than this, this many are drawn from it at random.",
    )  # fmt: skip

    shared: ClassVar[tuple[str, ...]] = ("P", "grid", "left", "left_grid")

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("halving-lemma-6",)

    def bound_terms(self) -> Mapping[str, Any]:
        return {"hypotheses": self.hypotheses}

    @property
    def weights(self) -> Array | None:
        return None

    def memory(self, shape: Shape, replicates: int) -> int:
        d = min(self.projection, shape.features) or shape.features
        return int(self.most) * (
            4 * shape.classes * int(d) + 17 * replicates
        )  # the grid; predictions, and which are left

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        self.rng, self.replicates = Stream.of(rng, replicates), replicates
        self.features, self.classes = shape.features, shape.classes
        self.P: Array | None = None
        d = shape.features
        if self.projection and self.projection < d:
            d = self.projection
            self.P = self.rng.common.uniform(-1, 1, (d, shape.features)) / np.sqrt(d)
        self.grid = self._hypotheses(shape.classes * d).reshape(-1, shape.classes, d)
        self.hypotheses = len(self.grid)
        self.active: Array = np.ones((replicates, self.hypotheses), dtype=bool)
        self._gather()

    def _gather(self) -> None:
        """Collect the hypotheses that are left in some replicate; only these need to predict."""
        self.left = np.flatnonzero(self.active.any(axis=0))  # (A,)
        self.left_grid = np.ascontiguousarray(self.grid[self.left].swapaxes(0, 1))  # (K, A, d)

    def _hypotheses(self, numbers: int) -> Array:
        """Return the grid or a sample of it, (H, numbers), as float32, since scores are only compared."""
        values = np.linspace(-1, 1, self.levels, dtype=np.float32)
        if numbers * np.log(self.levels) < np.log(self.most) + 1e-9:  # levels to the power of numbers is at most `most`
            return np.array(list(itertools.product(values, repeat=numbers)), dtype=np.float32)
        if self.most * numbers > 50_000_000:
            raise ValueError(
                f"halving would hold {self.most:,} hypotheses of {numbers:,} numbers each; at most 50,000,000 numbers "
                "are allowed: lower most, or set projection"
            )
        return values[self.rng.common.integers(self.levels, size=(self.most, numbers))]

    def present(self, x: Examples) -> Shown:
        examples = np.stack([x.dense(r, self.features) for r in range(self.replicates)])
        if self.P is not None:
            examples = examples @ self.P.T
        scores = self.left_grid @ examples.T.astype(np.float32)  # (K, A, R)
        best, predictions = scores[0], np.zeros(scores.shape[1:], dtype=np.intp)
        for k in range(1, self.classes):
            predictions[scores[k] > best] = k
            best = np.maximum(best, scores[k])
        self.predictions = predictions.T  # (R, A) of each hypothesis left
        active = self.active[:, self.left]
        votes = np.stack([((self.predictions == k) & active).sum(axis=1) for k in range(self.classes)], axis=1).astype(
            float
        )
        label = votes.argmax(axis=1)
        return Shown(label, label, votes, 0.0, np.zeros(self.replicates, dtype=bool))

    def update(self, x: Examples, shown: Shown, feedback: Feedback) -> Moves:
        if feedback.right.all():
            return ()
        wrong = (self.predictions == shown.label[:, None]) & ~feedback.right[:, None]
        active = self.active.copy()
        active[:, self.left] &= ~wrong
        active[~active.any(axis=1)] = True
        self.active = active
        self._gather()
        return ()
