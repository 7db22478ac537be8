"""The base of judges, who look at a few documents of a query and say how relevant they are."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import Declared, choice, integer
from learners.base import Array

BASES = ("best", "medium", "worst")


@dataclass(kw_only=True)
class Judge(Declared):
    """A judge, and what it is asked about: the query, and the base ranker whose ranking it sees.

    `rng` is the judges' own stream, so that raced learners hear the same judgements. Numbers among the parameters may
    be arrays with one value a replicate.
    """

    circumstance: ClassVar[bool] = True
    family: ClassVar[str] = "refinement"

    judged: int = integer(
        20, 1, 100, named=True, help="How many documents are judged; the dissertation takes 20. Try 5."
    )
    base: str = choice(
        "best", BASES,
        help="The base ranker is a single feature: the one that ranks best on average over all queries, the one in the "
        "middle, or the one that ranks worst. Data that bring a base ranker of their own use that one.",
    )  # fmt: skip
    query: int = integer(
        0, 0, 100_000,
        help="The number of the query that every run gets. With 0 each run gets another one, among those with "
        "documents of different grades.",
    )  # fmt: skip

    def judge(self, ranking: Array, grades: Array, levels: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        """Judge some documents of one query.

        ranking : (n,) documents as the base ranker ranks them. grades : (n,) true grades. levels : (L,) the grades that
        occur in the data, rising. Return the judged documents (m,) and the grades given to them (m,), 1 ≤ m ≤ n.
        """
        raise NotImplementedError
