"""A person at the page who clicks the relevant documents."""

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import integer, text
from learners.base import Array
from learners.boosting.refinement.judges.base import Judge


@dataclass(kw_only=True)
class PersonJudge(Judge):
    """Judge the first documents of the base ranking: those at the named positions are relevant, the others are not.

    Relevant means the highest grade of the data, irrelevant the lowest. Positions beyond the documents looked at are
    ignored.

    Raises
    ------
    ValueError : for a text that is no list of positions, in one sentence.

    >>> person, levels = PersonJudge(relevant="1, 3", judged=3), np.array([0.0, 1.0, 4.0])
    >>> person.judge(np.array([2, 0, 1, 3]), np.zeros(4), levels, np.random.default_rng(0))
    (array([2, 0, 1]), array([4., 0., 4.]))
    >>> PersonJudge(relevant="first")
    Traceback (most recent call last):
    ValueError: relevant must be positions from 1 with commas between, such as 1,4,7, got 'first'
    """

    id: ClassVar[str] = "person"
    title: ClassVar[str] = "You"
    summary: ClassVar[str] = "You look at the first documents of the base ranker and mark those that are relevant."
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§4.4.1 (with a person in place of the true grades)"

    query: int = integer(1, 1, 100_000, help="The number of the query that you judge.")
    relevant: str = text(help="Positions in the base ranking, from 1, of what is relevant, such as 1,4,7.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.relevant.strip() and not re.fullmatch(r"\s*[1-9][0-9]{0,5}(\s*,\s*[1-9][0-9]{0,5})*\s*", self.relevant):
            shown = self.relevant if len(self.relevant) <= 60 else self.relevant[:60] + "…"
            raise ValueError(f"relevant must be positions from 1 with commas between, such as 1,4,7, got {shown!r}")

    @property
    def positions(self) -> tuple[int, ...]:
        """Return the positions that were marked, from 1, rising."""
        return tuple(sorted({int(p) for p in self.relevant.split(",") if p.strip()}))

    def judge(self, ranking: Array, grades: Array, levels: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        first = ranking[: self.judged]
        marked = np.isin(np.arange(1, len(first) + 1), self.positions)
        return first, np.where(marked, levels[-1], levels[0])
