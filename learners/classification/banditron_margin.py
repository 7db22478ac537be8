"""The Banditron that also learns from right answers given too narrowly ([B] §6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Line
from learners.classification.banditron import Banditron
from learners.classification.base import Feedback, Shown
from learners.classification.linear import Examples, Moves


@dataclass(kw_only=True)
class BanditronMargin(Banditron):
    """Stochastic subgradient steps on the multiclass hinge loss, from right and wrong alone.

    [B] only sketches it. With full information the step adds x to the row of y and subtracts it from that of the best
    other label r*, whenever (W x)_y < (W x)_{r*} + margin. Which row r* is can be known only where the label played
    was right, so the step is taken then, divided by P(ỹ): its mean over the labels drawn is the full step.

    >>> from learners import Simulation
    >>> sim = Simulation("banditron-margin", "digits", replicates=2)
    >>> sim.advance(steps=1000)
    >>> bool(sim.history["accuracy-greedy"][-300:].mean() > 0.3)
    True
    """

    id: ClassVar[str] = "banditron-margin"
    title: ClassVar[str] = "Banditron with margin"
    summary: ClassVar[str] = (
        "Updates also when it is right by too little, and only when the label played was right, since only then is the true "
        "label known. Steadier on noisy data; its bound for clean data is worse than the Banditron's."
    )
    section: ClassVar[str] = "§6, Margin-Based Updates (a sketch; the step is ours)"
    lines: ClassVar[tuple[Line, ...]] = (
        *Banditron.lines[:5],
        Line(
            "update",
            r"If right and $(W^t x_t)_{\tilde y_t} < (W^t x_t)_{r^*} + m$ with $r^* = \mathrm{argmax}_{r \ne \tilde y_t} "
            r"(W^t x_t)_r$: add $x_t / P(\tilde y_t)$ to row $\tilde y_t$ and subtract it from row $r^*$",
        ),
    )

    margin: float = real(
        50.0, 0, 1000, symbol="m", step=10,
        help="By how much the right label must lead. A lucky hit adds up to K/γ ‖x‖² to its score, so that margins of that "
        "size count; 0 updates after mistakes only. Try 0 and 20.",
    )  # fmt: skip

    @property
    def bounds(self) -> tuple[str, ...]:
        return ()

    def update(self, x: Examples, shown: Shown, feedback: Feedback) -> Moves:
        rows = np.arange(self.replicates)
        others = shown.scores.copy()
        others[rows, shown.label] = -np.inf
        rival = others.argmax(axis=1)
        lead = shown.scores[rows, shown.label] - others[rows, rival]
        # a tie counts as a violation even at margin 0: it is won by the order of the labels alone
        short = (lead < self.margin) | (lead <= 0)
        gain = (feedback.right & short) / self.probability(shown)
        moves = (shown.label, gain), (rival, -gain)
        x.add(self.W, moves)
        return moves
