"""The Banditron with weights that are never negative ([V] §5.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Line
from learners.classification.banditron import Banditron
from learners.classification.base import Feedback, Shown
from learners.classification.linear import Examples, Moves


@dataclass(kw_only=True)
class BanditronPositive(Banditron):
    """The Banditron, with every negative weight set to 0 after each update.

    >>> from learners import Simulation
    >>> sim = Simulation("banditron-positive", "digits")
    >>> sim.advance(steps=200)
    >>> bool(sim.learner.weights.min() >= 0)
    True
    """

    id: ClassVar[str] = "banditron-positive"
    title: ClassVar[str] = "Banditron, positive weights"
    summary: ClassVar[str] = (
        "The Banditron projected to weights of at least 0, as a fair rival of exponentiated gradient, which knows no "
        "others. Without negative weights no feature can speak against a class, which costs a lot on most data."
    )
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§5.4"
    lines: ClassVar[tuple[Line, ...]] = (
        *Banditron.lines,
        Line("after", r"Project: $W^{t+1} \leftarrow \max(0, W^{t+1})$"),
    )

    @property
    def bounds(self) -> tuple[str, ...]:
        return ()  # holds only against comparators that are not negative

    def update(self, x: Examples, shown: Shown, feedback: Feedback) -> Moves:
        moves = super().update(x, shown, feedback)
        for label, _ in moves:
            x.change(self.W, label, lambda weights: weights.clip(min=0.0))
        return moves
