"""The Banditron that shows several labels at once ([B] §6, Label Ranking)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import integer
from learners.base import Array, Line, Shape
from learners.classification.banditron import Banditron
from learners.classification.base import Feedback, Shown
from learners.classification.linear import Examples, Moves
from learners.random import EACH, Source


@dataclass(kw_only=True)
class BanditronLabels(Banditron):
    """A Banditron that shows the r best labels and, when exploring, replaces one of them by a label ranked lower.

    A step is right if the true label is among those shown; the learner then hears which one it is. With full
    information, the update for a true label y outside the r best would add x to row y and subtract it from the row of
    the last of the r best, v. Both parts are estimated without bias from the feedback: the first, (K − r)/γ · x, from
    exploring steps whose replacement is right; the second, x/(1 − γ), from exploiting steps without a right label.

    [B] gives the sampling and says that exploring steps teach; the form of the estimate is ours.

    >>> from learners import Simulation, create
    >>> sim = Simulation(create("banditron-labels", labels=3), "digits", replicates=2)
    >>> sim.advance(steps=10)
    >>> sim.last.shown.label.shape
    (2, 3)
    """

    id: ClassVar[str] = "banditron-labels"
    title: ClassVar[str] = "Banditron showing several labels"
    needs: ClassVar[str] = "which of the labels shown is right, if any"
    summary: ClassVar[str] = (
        "Shows a few labels at a time, as a web page shows a few adverts, and is right if one of them is. To explore, "
        "it replaces one of them by a label it ranks lower, so exploration costs a single slot."
    )
    section: ClassVar[str] = "§6, Label Ranking (a sketch; the estimate is ours)"
    lines: ClassVar[tuple[Line, ...]] = (
        *Banditron.lines[:2],
        Line("predict", r"Find the $r$ labels with the highest scores $(W^t x_t)_k$"),
        Line(
            "perturb",
            r"Show them; with probability $\gamma$ replace a random one of them by a random label ranked lower",
        ),
        Line("feedback", r"Receive which of the labels shown is $y_t$, if any"),
        Line(
            "update",
            r"If the replacement is right, add $\frac{K-r}{\gamma} x_t$ to its row; if nothing was replaced and no "
            r"label is right, subtract $\frac{1}{1-\gamma} x_t$ from the row of the last label shown",
        ),
    )

    labels: int = integer(
        2, 1, 50, symbol="r", named=True, shapes_state=True,
        help="Labels shown at a time, at most one fewer than there are classes. With 1 it is a variant of the "
        "Banditron.",
    )  # fmt: skip

    @property
    def bounds(self) -> tuple[str, ...]:
        return ()

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.shown = min(self.labels, shape.classes - 1)

    def present(self, x: Examples) -> Shown:
        scores, _ = self.predict(x)
        order = np.argsort(-scores, axis=1, kind="stable")
        best = order[:, : self.shown]
        draws = self.rng.random((3, EACH))
        explored = draws[0] < self.gamma
        place = (draws[1] * self.shown).astype(np.intp)
        lower = self.shown + (draws[2] * (self.classes - self.shown)).astype(np.intp)
        rows = np.arange(self.replicates)
        label = best.copy()
        label[rows, place] = np.where(explored, order[rows, lower], best[rows, place])
        return Shown(label, best, scores, self.gamma, explored)

    def update(self, x: Examples, shown: Shown, feedback: Feedback) -> Moves:
        replaced = shown.label != shown.predicted  # (R, r), at most one of them
        found = feedback.right & replaced
        label: Array = np.where(found, shown.label, 0).sum(axis=1)  # 0, with no gain, if none was found
        gain = found.any(axis=1) * ((self.classes - self.shown) / shown.gamma)
        missed = ~shown.explored & ~feedback.right.any(axis=1)
        gamma = np.asarray(shown.gamma)
        loss = np.where(missed, -1.0, 0.0) / np.where(gamma < 1, 1 - gamma, 1.0)
        moves = (label, gain), (shown.predicted[:, -1], loss)
        x.add(self.W, moves)
        return moves
