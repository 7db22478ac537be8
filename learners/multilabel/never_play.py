"""A baseline that shows no labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Line
from learners.compiled import compiled
from learners.multilabel.base import MultilabelLearner
from learners.multilabel.page import Page, forget
from learners.vectors import rank


@compiled
def present(page: Page) -> int:
    """Show nothing."""
    for i in range(len(page.probability)):
        page.probability[i] = page.estimate[i] = 0.0
    rank(page.probability, page.order)
    return 0


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
    short: ClassVar[str] = "Nothing shown"
    needs: ClassVar[str] = "nothing"
    summary: ClassVar[str] = (
        "Never shows a label. Since few labels are right, this costs little, and a learner must find good labels "
        "before it does better."
    )
    paper: ClassVar[str] = "G"
    section: ClassVar[str] = "(a baseline, not in the paper)"
    hears: ClassVar[str] = "nothing"
    rules = present, forget
    lines: ClassVar[tuple[Line, ...]] = (
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$"),
        Line("predict", r"$\hat Y_t \leftarrow \emptyset$", "It shows no label at all."),
    )
