"""The base class of the learners of rankings, and the queries that each is given."""

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Array
from learners.boosting.base import Booster


@dataclass(frozen=True)
class Queries:
    """The training queries of one run. n: documents of all queries, one query after the other; d: features.

    features : (n, d). starts : (Q + 1,) where each query begins and the last ends. grades : (n,) relevance.
    """

    features: Array
    starts: Array
    grades: Array


@dataclass(kw_only=True)
class RankBooster(Booster):
    """Learn from `Queries`. A weak hypothesis scores rows (n, d); documents are ranked by the falling sum of votes."""

    family: ClassVar[str] = "learning-to-rank"
    needs: ClassVar[str] = "graded documents of whole queries"
