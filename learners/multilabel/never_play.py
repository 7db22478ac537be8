"""A baseline that shows no labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Line
from learners.multilabel.base import Context, MultilabelLearner, Shown


@dataclass(kw_only=True)
class NeverPlay(MultilabelLearner):
    """Shows nothing and so misses every right label; its loss is a |Y|.

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
        "Never shows a label. Since few labels are right, this costs little, and a learner must find good labels "
        "before it does better."
    )
    paper: ClassVar[str] = "G"
    section: ClassVar[str] = "(a baseline, not in the paper)"
    hears: ClassVar[str] = "nothing"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$"),
        Line("predict", r"$\hat Y_t \leftarrow \emptyset$"),
    )

    def present(self, context: Context) -> Shown:
        none = np.zeros((self.replicates, self.classes))
        order = np.tile(np.arange(self.classes), (self.replicates, 1))
        return Shown(order, np.zeros(self.replicates, dtype=np.intp), none, none)
