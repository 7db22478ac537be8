"""The base ranker as it is: the reference that every refinement has to beat."""

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Line
from learners.boosting.base import Round
from learners.boosting.refinement.base import Refiner


@dataclass(kw_only=True)
class BaseRanker(Refiner):
    """Change nothing.

    >>> import numpy as np
    >>> from learners.boosting.refinement.base import Judged
    >>> learner = BaseRanker()
    >>> learner.reset(Judged(np.eye(2), np.array([1.0, 2.0]), np.array([0]), np.array([3.0])), np.random.default_rng(0))
    >>> learner.round().stopped, learner.vote(np.eye(2))
    ('The base ranker learns nothing.', array([0., 0.]))
    """

    boosts: ClassVar[bool] = False
    id: ClassVar[str] = "base-ranker"
    title: ClassVar[str] = "Base ranker"
    needs: ClassVar[str] = "a base ranker"
    summary: ClassVar[str] = "Leaves the ranking of the base ranker as it is and ignores the judgements."
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§4.4.1"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Rank by the base ranker's scores $g$", "It leaves the ranking as it was."),
    )

    def learn(self) -> Round:
        return Round(stopped="The base ranker learns nothing.")
