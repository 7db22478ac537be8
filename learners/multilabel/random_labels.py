"""A baseline that shows random labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Array, Line
from learners.compiled import compiled
from learners.multilabel.base import MultilabelLearner
from learners.multilabel.page import Page, forget
from learners.random import EACH
from learners.vectors import rank


@compiled
def present(page: Page) -> int:
    """Give every label a random score, and show the S labels with the highest."""
    for i in range(len(page.draws)):
        page.probability[i], page.estimate[i] = page.draws[i], 0.5
    rank(page.probability, page.order)
    return page.cap


@dataclass(kw_only=True)
class RandomLabels(MultilabelLearner):
    """Shows S different labels, or all if there are fewer, with every order equally likely.

    >>> import numpy as np
    >>> from learners.base import Shape
    >>> from learners.multilabel.base import Context
    >>> learner = RandomLabels(size=2)
    >>> learner.reset(Shape(features=1, classes=5), replicates=3, rng=np.random.default_rng(0))
    >>> shown = learner.present(Context(np.ones((3, 1))))
    >>> shown.size, shown.order.shape
    (array([2, 2, 2]), (3, 5))
    """

    id: ClassVar[str] = "random-labels"
    title: ClassVar[str] = "Random labels"
    needs: ClassVar[str] = "nothing"
    summary: ClassVar[str] = (
        "Shows S labels drawn at random and learns nothing. It shows what a set of this size costs without any "
        "knowledge."
    )
    paper: ClassVar[str] = "G"
    section: ClassVar[str] = "(a baseline, not in the paper)"
    hears: ClassVar[str] = "nothing"
    rules = present, forget
    lines: ClassVar[tuple[Line, ...]] = (
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$"),
        Line(
            "predict",
            r"$\hat Y_t \leftarrow$ $S$ labels drawn at random, in random order",
            "It draws S labels at random. It is the yardstick for those that learn.",
        ),
        Line("feedback", r"Show $\hat Y_t$", "It shows them, and hears nothing."),
    )

    def draws(self, steps: int) -> Array:
        return self.rng.random((steps, EACH, self.classes))
