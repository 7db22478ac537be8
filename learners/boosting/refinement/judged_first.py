"""Judged documents put in their place, nothing else: what mere re-ordering gains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from learners.base import Array, Line
from learners.boosting.refinement.base import Judged
from learners.boosting.refinement.once import Once
from learners.boosting.refinement.rocchio import least_parameter


@dataclass(kw_only=True)
class JudgedFirst(Once):
    """First the judged documents that are relevant, by falling grade, then the unjudged ones, then the irrelevant ones.

    Within a grade, and among the unjudged, the base ranker's order stays. It learns nothing about documents that nobody judged: its gain on them is 0.

    >>> problem = Judged(np.eye(4), np.array([4.0, 3.0, 2.0, 1.0]), np.array([0, 1, 2]), np.array([0.0, 1.0, 2.0]))
    >>> learner = JudgedFirst()
    >>> learner.reset(problem, np.random.default_rng(0))
    >>> _ = learner.round()
    >>> learner.vote(np.eye(4))  # ranks 2, 1, 3, 0
    array([0. , 1. , 2. , 0.5])
    """

    id: ClassVar[str] = "judged-first"
    title: ClassVar[str] = "Judged first"
    summary: ClassVar[str] = (
        "Puts the documents that were judged relevant first and those judged irrelevant last, and leaves all others as "
        "they are. What is gained without learning anything."
    )
    needs: ClassVar[str] = "a base ranker, and judgements of a few documents"
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "(a reference, not in the paper)"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"$F_i \leftarrow$ the grade of $i$ if it was judged, else the least relevant grade $- \frac12$"),
        Line("update", r"Rank by $F$, ties by $g$"),
    )

    least: float = least_parameter()

    def scores(self, problem: Judged) -> tuple[Array | None, str]:
        found = np.full(len(problem.base), self.least - 0.5)
        found[problem.judged] = problem.grades
        return found, ""
