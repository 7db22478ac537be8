"""The Banditron with nonnegative weights ([V] §5.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Line
from learners.classification import banditron
from learners.classification.banditron import Banditron
from learners.classification.block import Turn
from learners.classification.linear import Vector
from learners.compiled import compiled


@compiled
def update(x: Vector, turn: Turn) -> None:
    """Update as the Banditron, then set the negative weights to 0."""
    banditron.learn(x, turn)
    for label in turn.moved:
        for j in x.feature:
            turn.W[j, label] = max(0.0, turn.W[j, label])


@dataclass(kw_only=True)
class BanditronPositive(Banditron):
    """A Banditron that sets every negative weight to 0 after each update.

    >>> from learners import Simulation
    >>> sim = Simulation("banditron-positive", "digits")
    >>> sim.advance(steps=200)
    >>> bool(sim.learner.weights.min() >= 0)
    True
    """

    id: ClassVar[str] = "banditron-positive"
    title: ClassVar[str] = "Banditron, positive weights"
    short: ClassVar[str] = "Banditron, positive"
    summary: ClassVar[str] = (
        "The Banditron restricted to nonnegative weights, for a fair comparison with exponentiated gradient, whose "
        "weights are always positive. No feature can then count against a class, which costs a lot on most data."
    )
    then: ClassVar[str] = "weights below 0 are then set to 0"
    rules = banditron.present, update
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§5.4"
    lines: ClassVar[tuple[Line, ...]] = (
        *Banditron.lines,
        Line("after", r"Project: $W^{t+1} \leftarrow \max(0, W^{t+1})$", "Weights below 0 are set to 0."),
    )

    @property
    def bounds(self) -> tuple[str, ...]:
        return ()  # the Banditron's holds only against nonnegative comparators
