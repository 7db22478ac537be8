"""No labels at all: a lower reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Line
from learners.multilabel.base import Context, MultilabelLearner, Shown


@dataclass(kw_only=True)
class NeverPlay(MultilabelLearner):
    """Shows nothing, so that every right label is missed: its loss is a |Y|.

    >>> from learners import Simulation
    >>> sim = Simulation("never-play", "multilabel-synthetic", replicates=2)
    >>> sim.advance(steps=10)
    >>> bool((sim.history["loss"] == 0.5 * sim.history["hamming-loss"]).all())
    True
    """

    id: ClassVar[str] = "never-play"
    title: ClassVar[str] = "Never show anything"
    needs: ClassVar[str] = "nothing"
    summary: ClassVar[str] = (
        "Shows no label on any example. As few labels are right, that costs little, and a learner must find good labels "
        "before it does better."
    )
    paper: ClassVar[str] = "G"
    section: ClassVar[str] = "(a lower reference, not in the paper)"
    hears: ClassVar[str] = "nothing"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$"),
        Line("predict", r"$\hat Y_t \leftarrow \emptyset$"),
    )

    def present(self, context: Context) -> Shown:
        none = np.zeros((self.replicates, self.classes))
        order = np.tile(np.arange(self.classes), (self.replicates, 1))
        return Shown(order, np.zeros(self.replicates, dtype=np.intp), none, none)
