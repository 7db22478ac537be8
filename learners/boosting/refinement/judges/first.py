"""The judge of [V] §4.4.1, who grades the first documents of the base ranker."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array
from learners.boosting.refinement.judges.base import Judge


@dataclass(kw_only=True)
class FirstJudge(Judge):
    """Grade the first documents of the base ranker by their true grades, now and then at random.

    The noise is drawn for every document of the query, in an amount that depends on nothing else.

    >>> judge, grades = FirstJudge(judged=2), np.array([0.0, 2.0, 1.0])
    >>> judge.judge(np.array([1, 2, 0]), grades, np.array([0.0, 1.0, 2.0]), np.random.default_rng(0))
    (array([1, 2]), array([2., 1.]))
    """

    id: ClassVar[str] = "judge"
    title: ClassVar[str] = "Judges the first documents"
    summary: ClassVar[str] = "Looks at the first documents of the base ranker and says how relevant each of them is."
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§4.4.1"

    noise: float = real(
        0.0, 0, 1, step=0.05,
        help="Chance that a judgement is replaced by a grade drawn at random from those that occur in the data; try "
        "0.2.",
    )  # fmt: skip

    def judge(self, ranking: Array, grades: Array, levels: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        first = ranking[: self.judged]
        said = np.where(rng.random(len(grades)) < self.noise, rng.choice(levels, len(grades)), grades)
        return first, said[first]
