"""The base class of the learners that refine a ranking, and the judged documents that each is given."""

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Array, Shape
from learners.boosting.base import Booster


@dataclass(frozen=True)
class Judged:
    """The documents of one query. n: documents, d: features, m: judged documents.

    features : (n, d). base : (n,) scores of the base ranker. judged : (m,) which documents were judged.
    grades : (m,) the grades they were given.
    """

    features: Array
    base: Array
    judged: Array
    grades: Array


@dataclass(kw_only=True)
class Refiner(Booster):
    """Learn from a `Judged`. Documents are ranked by the falling sum of votes, ties by the base ranker's scores."""

    family: ClassVar[str] = "refinement"
    needs: ClassVar[str] = "a base ranker, and judgements of a few documents"

    def memory(self, shape: Shape, replicates: int) -> int:
        n = shape.examples or shape.documents  # W of all pairs, which the environment needs for any of them
        return 8 * replicates * n * (n + 2 * shape.features)

    def decision_function(self, features: Array, base: Array | None = None) -> Array:
        """Return the scores (m,) of rows (m, d), the sum of all votes.

        base : (m,) the base ranker's scores of the rows. Only linear references look at it, and they only need it for
        documents other than the query's own.
        """
        return super().decision_function(features)
