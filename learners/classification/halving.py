"""The halving algorithm with bandit feedback, on a finite grid of linear hypotheses ([B] §4)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import integer
from learners.base import Array, Line, Shape
from learners.classification.base import ClassificationLearner, Feedback, Shown
from learners.classification.linear import Examples, Moves
from learners.random import Source, Stream


@dataclass(kw_only=True)
class Halving(ClassificationLearner):
    """Plays what most of the hypotheses left say; after a mistake, those that said it are struck off.

    The hypotheses are all (K, d) matrices whose entries lie on a grid of `levels` numbers from −1 to 1 (Theorem 7; the
    common scale of a matrix changes no prediction). With `projection` d′ > 0 examples are first projected by a random
    (d′, d) matrix with entries from U(−1, 1), over √d′ (Theorem 8). Where the grid has more than `most` hypotheses, as
    many are drawn from it at random: Lemma 6 then holds only for those drawn. Where no hypothesis is left (none was
    free of mistakes), all come back.

    Every replicate strikes off hypotheses of its own; grid and projection are shared by all.

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
        "Keeps every hypothesis of a grid that has not been caught lying, and plays what most of them say. On separable "
        "data the number of its mistakes is finite, without any exploration; the grid grows too fast for more than a "
        "few features, so that a random projection must come first."
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
        help="Numbers on the grid for each weight, from −1 to 1. More come closer to a perfect hypothesis; their "
        "number is this to the power of K d. Try 3.",
    )  # fmt: skip
    projection: int = integer(
        0, 0, 20, symbol="d′", shapes_state=True,
        help="Dimension to which examples are projected at random first; 0 leaves them as they are. Try 2 on the digits "
        "to see how much is lost.",
    )  # fmt: skip
    most: int = integer(
        20_000, 100, 100_000, step=1000, shapes_state=True,
        help="If the grid has more hypotheses than this, so many are drawn from it at random.",
    )  # fmt: skip

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("halving-lemma-6",)

    @property
    def weights(self) -> Array | None:
        return None

    def memory(self, shape: Shape, replicates: int) -> int:
        d = min(self.projection, shape.features) or shape.features
        return int(self.most) * (4 * shape.classes * int(d) + 17 * replicates)  # the grid; who said what, who is left

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
        """Put those hypotheses together that some replicate has left: the others need not be asked."""
        self.left = np.flatnonzero(self.active.any(axis=0))  # (A,)
        self.living = np.ascontiguousarray(self.grid[self.left].swapaxes(0, 1))  # (K, A, d)

    def _hypotheses(self, numbers: int) -> Array:
        """(H, numbers) the grid, or a sample of it; float32, since they are only compared."""
        values = np.linspace(-1, 1, self.levels, dtype=np.float32)
        if numbers * np.log(self.levels) < np.log(self.most) + 1e-9:  # levels to the power of numbers is at most `most`
            return np.array(list(itertools.product(values, repeat=numbers)), dtype=np.float32)
        if self.most * numbers > 50_000_000:
            raise ValueError(
                f"halving would hold {self.most:,} hypotheses of {numbers:,} numbers each; at most 50,000,000 numbers are "
                "allowed: lower most, or set projection"
            )
        return values[self.rng.common.integers(self.levels, size=(self.most, numbers))]

    def present(self, x: Examples) -> Shown:
        examples = np.stack([x.dense(r, self.features) for r in range(self.replicates)])
        if self.P is not None:
            examples = examples @ self.P.T
        scores = self.living @ examples.T.astype(np.float32)  # (K, A, R)
        best, said = scores[0], np.zeros(scores.shape[1:], dtype=np.intp)
        for k in range(1, self.classes):
            said[scores[k] > best] = k
            best = np.maximum(best, scores[k])
        self.said = said.T  # (R, A) what each hypothesis left says
        active = self.active[:, self.left]
        votes = np.stack([((self.said == k) & active).sum(axis=1) for k in range(self.classes)], axis=1).astype(float)
        label = votes.argmax(axis=1)
        return Shown(label, label, votes, 0.0, np.zeros(self.replicates, dtype=bool))

    def update(self, x: Examples, shown: Shown, feedback: Feedback) -> Moves:
        if feedback.right.all():
            return ()
        struck = (self.said == shown.label[:, None]) & ~feedback.right[:, None]
        active = self.active.copy()
        active[:, self.left] &= ~struck
        active[~active.any(axis=1)] = True
        self.active = active
        self._gather()
        return ()
