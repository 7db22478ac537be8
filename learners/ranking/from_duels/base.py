"""The base class of the contextual dueling bandits."""

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Line, Shape
from learners.ranking.base import RankingLearner


@dataclass(kw_only=True)
class ContextualDuel(RankingLearner):
    """Base of the learners that rank by weights and compare the two documents on top, in random order.

    Of clicks, the one of both that is clicked alone has won; of an improved ranking, the one that stands higher. A list
    of one place has no pair, and teaches nothing.
    """

    needs: ClassVar[str] = "clicks, or an improved ranking"
    compares: ClassVar[bool] = True
    reads: ClassVar[bool] = True
    compare: ClassVar[Line] = Line(
        "feedback",
        r"Observe which of the two is preferred; $z_t \leftarrow x_\text{won} - x_\text{lost}$",
        "The user prefers one of the two, by a click or by putting it higher.",
    )

    def memory(self, shape: Shape, replicates: int) -> int:
        return 8 * replicates * (self.remembered(shape) + shape.features)
