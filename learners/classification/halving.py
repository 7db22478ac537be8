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
from learners.classification.linear import Examples, Moves, Rows, Vector, blank, read
from learners.compiled import compiled
from learners.random import Source, Stream


@compiled
def vote(
    rows: Rows, P: Array, grid: Array, left: Array, number: Array, said: Array, votes: Array, room: Vector, x: Array
) -> None:
    """Let the hypotheses that are left predict the label of their replicate's example, and count their votes.

    P : (d′, d) projection, or of no length. grid : (H, K, d′). left : (R, H) hypotheses left, of which the first
    `number` count. said : (R, H) their predictions, written. votes : (R, K), written. room, x : room for an example.
    """
    for r in range(len(left)):
        project(P, read(rows, r, room), x)
        votes[r] = 0
        for i in range(number[r]):
            label = prediction(grid[left[r, i]], x)
            said[r, i] = label
            votes[r, label] += 1


@compiled
def project(P: Array, x: Vector, projected: Array) -> None:
    """Write the example, projected if P has rows."""
    projected[:] = 0
    for i in range(len(x.feature)):
        if not len(P):
            projected[x.feature[i]] = x.value[i]
    for a in range(len(P)):
        total = 0.0
        for i in range(len(x.feature)):
            total += P[a, x.feature[i]] * x.value[i]
        projected[a] = total


@compiled
def prediction(hypothesis: Array, x: Array) -> int:
    """Return the label with the highest score, the first of ties. Scores are sums in eight parts."""
    best, highest = 0, np.float32(-np.inf)
    for k in range(len(hypothesis)):
        w, d = hypothesis[k], len(x)
        a = b = c = e = f = g = h = i = total = np.float32(0)
        j = 0
        while j + 8 <= d:
            a += w[j] * x[j]
            b += w[j + 1] * x[j + 1]
            c += w[j + 2] * x[j + 2]
            e += w[j + 3] * x[j + 3]
            f += w[j + 4] * x[j + 4]
            g += w[j + 5] * x[j + 5]
            h += w[j + 6] * x[j + 6]
            i += w[j + 7] * x[j + 7]
            j += 8
        while j < d:
            total += w[j] * x[j]
            j += 1
        total += (a + b) + (c + e) + ((f + g) + (h + i))
        if total > highest:
            best, highest = k, total
    return best


@compiled
def strike(left: Array, number: Array, said: Array, label: Array, right: Array) -> None:
    """Remove the hypotheses that predicted a wrong label; where none would be left, restore all."""
    for r in range(len(left)):
        if not right[r]:
            kept = 0
            for i in range(number[r]):
                if said[r, i] != label[r]:
                    left[r, kept] = left[r, i]
                    kept += 1
            if kept == 0:
                kept = left.shape[1]
                for i in range(kept):
                    left[r, i] = i
            number[r] = kept


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
        Line(
            "start",
            r"Set $\mathcal{H}' \leftarrow \mathcal{H}$, all hypotheses of the grid",
            "It thinks every hypothesis of a grid possible. H′ is the set of those that are left.",
        ),
        Line(
            "observe",
            r"Receive $x_t$ (projected: $\Pi(x_t) = \frac{1}{\sqrt{d'}} P x_t$)",
            "An example x arrives. A random projection P shortens it where it has too many features for a grid.",
        ),
        Line(
            "predict",
            r"Predict the label $r$ that most hypotheses of $\mathcal{H}'$ predict",
            "The hypotheses that are left vote. The label r with most votes is played.",
        ),
        Line("feedback", r"Receive $\mathbf{1}[r = y_t]$", "It hears whether r is the true label."),
        Line(
            "update",
            r"If wrong, remove from $\mathcal{H}'$ all hypotheses that predicted $r$",
            "If it is not, it strikes all hypotheses that voted for r.",
        ),
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

    shared: ClassVar[tuple[str, ...]] = ("P", "grid")

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
        return int(self.most) * (4 * shape.classes * int(d) + 6 * replicates)  # the grid; which are left, predictions

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        self.rng, self.replicates = Stream.of(rng, replicates), replicates
        self.features, self.classes = shape.features, shape.classes
        self.P: Array = np.empty((0, shape.features))
        self.shown = None
        d = shape.features
        if self.projection and self.projection < d:
            d = self.projection
            self.P = self.rng.common.uniform(-1, 1, (d, shape.features)) / np.sqrt(d)
        self.grid = self._hypotheses(shape.classes * d).reshape(-1, shape.classes, d)
        self.hypotheses = len(self.grid)
        self.left: Array = np.tile(np.arange(self.hypotheses, dtype=np.int32), (replicates, 1))
        self.number: Array = np.full(replicates, self.hypotheses)  # of hypotheses left, which stand in front
        self.said: Array = np.zeros((replicates, self.hypotheses), dtype=np.int16)  # what each predicted last

    @property
    def active(self) -> Array:
        """Whether each hypothesis is left, (R, H)."""
        active = np.zeros(self.left.shape, dtype=bool)
        for r, number in enumerate(self.number):
            active[r, self.left[r, :number]] = True
        return active

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
        votes = np.empty((self.replicates, self.classes))
        room = blank(self.features), np.empty(self.grid.shape[2], self.grid.dtype)
        vote(x.rows(self.features), self.P, self.grid, self.left, self.number, self.said, votes, *room)
        label = votes.argmax(axis=1)
        return Shown(label, label, votes, 0.0, np.zeros(self.replicates, dtype=bool))

    def update(self, x: Examples, shown: Shown, feedback: Feedback) -> Moves:
        if not feedback.right.all():
            strike(self.left, self.number, self.said, shown.label, feedback.right)
        return ()
