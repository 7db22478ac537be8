"""Judged documents in their place and nothing else: what re-ordering alone gains."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array, Line
from learners.boosting.base import Round
from learners.boosting.refinement.base import Refiner
from learners.boosting.refinement.rocchio import least_parameter


@dataclass(kw_only=True)
class JudgedFirst(Refiner):
    """Rank first the relevant judged documents, by falling grade, then the unjudged, then the irrelevant ones.

    Within a grade, and among the unjudged, the base ranker's order stays. It learns nothing about documents that nobody
    judged: its gain on them is 0. Apart from the query's documents as a whole, it knows a document by its features.

    >>> from learners.boosting.refinement.base import Judged
    >>> problem = Judged(np.eye(4), np.array([4.0, 3.0, 2.0, 1.0]), np.array([0, 1, 2]), np.array([0.0, 1.0, 2.0]))
    >>> learner = JudgedFirst()
    >>> learner.reset(problem, np.random.default_rng(0))
    >>> _ = learner.round()
    >>> learner.vote(np.eye(4))  # ranks 2, 1, 3, 0
    array([0. , 1. , 2. , 0.5])
    """

    boosts: ClassVar[bool] = False
    id: ClassVar[str] = "judged-first"
    title: ClassVar[str] = "Judged first"
    summary: ClassVar[str] = (
        "Puts the documents that were judged relevant first and those judged irrelevant last, and leaves all others as "
        "they are. What is gained without learning anything."
    )
    needs: ClassVar[str] = "a base ranker, and judgements of a few documents"
    finds: ClassVar[str] = "judged documents went to the front or to the back by their grades, and all others stayed"
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "(a reference, not in the paper)"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"$F_i \leftarrow$ the grade of $i$ if it was judged, else the least relevant grade $- \frac12$",
            "Judged documents are scored by their grade. The others come before the irrelevant ones and behind the "
            "rest.",
        ),
        Line(
            "update",
            r"Rank by $F$, ties by $g$",
            "It learns nothing of the unjudged documents, so that it is the yardstick for those that do.",
        ),
    )

    least: float = least_parameter()

    def learn(self) -> Round:
        self.grades: Array = np.full(len(self.problem.base), self.least - 0.5)
        self.grades[self.problem.judged] = self.problem.grades
        self.add(1.0, self.grade)
        return Round(step=1.0, answers=self.grades)

    def grade(self, features: Array) -> Array:
        """Return the grade (m,) of rows (m, d) that were judged, and the least relevant one − ½ of all others."""
        if np.array_equal(features, self.problem.features):  # two documents may have the same features
            return self.grades
        known = {row.tobytes(): grade for row, grade in zip(self.problem.features, self.grades, strict=True)}
        rows = np.asarray(features, dtype=float)
        return np.array([known.get(row.tobytes(), self.least - 0.5) for row in rows])
