"""A judge who grades documents drawn at random, as people have rated some movies and not others."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import integer
from learners.base import Array
from learners.boosting.refinement.judges.base import Judge


@dataclass(kw_only=True)
class RaterJudge(Judge):
    """Grade documents of the query drawn at random, by their true grades.

    All documents are put in a random order and the first of it are graded: with more of them the same ones come first.

    >>> rater = RaterJudge(judged=2)
    >>> grades = np.array([3.0, 1.0, 4.0, 1.0])
    >>> documents, said = rater.judge(np.arange(4), grades, np.arange(5.0), np.random.default_rng(0))
    >>> len(documents), bool((said == grades[documents]).all())
    (2, True)
    """

    id: ClassVar[str] = "rater"
    title: ClassVar[str] = "Rates documents at random"
    summary: ClassVar[str] = (
        "Says how relevant a few documents are that were drawn at random, wherever they are ranked."
    )
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§4.4.5"

    judged: int = integer(
        10, 1, 100, named=True, help="How many documents are judged; the dissertation tries 5 to 25 movies."
    )

    def judge(self, ranking: Array, grades: Array, levels: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        some = rng.random(len(grades)).argsort(kind="stable")[: self.judged]
        return some, grades[some]
