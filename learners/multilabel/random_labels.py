"""A baseline that shows random labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Line
from learners.multilabel.base import Context, MultilabelLearner, Shown
from learners.random import EACH


@dataclass(kw_only=True)
class RandomLabels(MultilabelLearner):
    """Shows S different labels, or all if there are fewer, with every order equally likely.

    >>> from learners.base import Shape
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
    lines: ClassVar[tuple[Line, ...]] = (
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$"),
        Line("predict", r"$\hat Y_t \leftarrow$ $S$ labels drawn at random, in random order"),
        Line("feedback", r"Show $\hat Y_t$"),
    )

    def present(self, context: Context) -> Shown:
        score = self.rng.random((EACH, self.classes))
        order = np.argsort(-score, axis=1, kind="stable")
        size = np.broadcast_to(np.minimum(self.size, self.classes), (self.replicates,)).copy()
        return Shown(order, size, score, np.full(score.shape, 0.5))
