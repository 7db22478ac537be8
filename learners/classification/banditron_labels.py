"""The Banditron that shows several labels at once ([B] §6, Label Ranking)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from datasets.parameters import integer
from learners.base import Line, Shape
from learners.classification.banditron import Banditron
from learners.classification.block import Turn, following, move, predict
from learners.classification.linear import Vector, best_of
from learners.compiled import compiled
from learners.random import Source
from learners.vectors import copy


@compiled
def present(x: Vector, turn: Turn, gamma: float) -> None:
    """Show the r best labels, or with probability γ one ranked lower in a random place."""
    r = len(turn.label)
    predict(x, turn)
    turn.predicted[0] = best_of(turn.scores)
    for i in range(1, r):
        turn.predicted[i] = following(turn.scores, turn.predicted[i - 1])
    copy(turn.predicted, turn.label)
    turn.gamma[0], turn.explored[0] = gamma, turn.draws[0] < gamma
    if turn.explored[0]:
        lower = turn.predicted[r - 1]
        for _ in range(1 + int(turn.draws[2] * (len(turn.scores) - r))):
            lower = following(turn.scores, lower)
        turn.label[int(turn.draws[1] * r)] = lower


@compiled
def update(x: Vector, turn: Turn, gamma: float) -> None:
    """Learn from a replacement that is right, or if nothing was replaced, from the lack of a right label."""
    r = len(turn.label)
    found, missed = 0, not turn.explored[0]
    gain = 0.0
    for i in range(r):
        if turn.right[i]:
            missed = False
            if turn.label[i] != turn.predicted[i]:
                found, gain = turn.label[i], (len(turn.scores) - r) / gamma
    move(x, turn, 0, found, gain)
    move(x, turn, 1, turn.predicted[r - 1], -1 / (1 - gamma) if missed else 0.0)


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
    short: ClassVar[str] = "Banditron, several"
    needs: ClassVar[str] = "which of the labels shown is right, if any"
    summary: ClassVar[str] = (
        "Shows a few labels at a time, as a web page shows a few adverts, and is right if one of them is. To explore, "
        "it replaces one of them by a label it ranks lower, so exploration costs a single slot."
    )
    rules = present, update
    chances = 3
    section: ClassVar[str] = "§6, Label Ranking (a sketch; the estimate is ours)"
    lines: ClassVar[tuple[Line, ...]] = (
        *Banditron.lines_of("start", "observe"),
        Line(
            "predict",
            r"Find the $r$ labels with the highest scores $(W^t x_t)_k$",
            "Each class scores x by its row of W. It finds the r classes with the highest scores.",
        ),
        Line(
            "perturb",
            r"Show them; with probability $\gamma$ replace a random one of them by a random label ranked lower",
            "It shows these r labels. With probability γ it explores, and puts another label in the place of one of "
            "them.",
        ),
        Line(
            "feedback",
            r"Receive which of the labels shown is $y_t$, if any",
            "It hears which of the labels shown is the true one, if any.",
        ),
        Line(
            "update",
            r"If the replacement is right, add $\frac{K-r}{\gamma} x_t$ to its row; if nothing was replaced and no "
            r"label is right, subtract $\frac{1}{1-\gamma} x_t$ from the row of the last label shown",
            "A replacement that is right gains x, and counts more, the rarer it is. If nothing was replaced and no "
            "label was right, the last label shown loses x.",
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
