"""One list of graded documents, in the order in which a ranker in use lists them."""

from dataclasses import dataclass

import numpy as np

from datasets.base import Array
from datasets.parameters import integer, real
from datasets.ranking import RankingData, RankingDataset, Size

TOP_GRADE = 4


@dataclass(kw_only=True)
class GradedList(RankingDataset):
    """One query with documents d₁ … d_n of the grades 0 … 4, numbered as a ranker in use lists them.

    A tenth has grade 4, and the lower the grade, the more documents have it. The ranker sorts by grade plus normal
    noise with the standard deviation `disorder`. Each document is a feature of its own, so w* are the grades, and
    learners with weights start from this list, as all scores are 0.

    >>> data = GradedList(disorder=0.0).build()
    >>> data.grades[0].tolist()
    [4.0, 3.0, 3.0, 2.0, 2.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    """

    id = "graded-list"
    order = 12
    title = "One list of graded documents"
    summary = (
        "The same list of documents again and again, graded from 0 to 4, in the order in which a ranker in use lists "
        "them. You choose how well it does. Learners can compare with it, or learn from the clicks that it got."
    )
    paper = "after Joachims, Swaminathan and Schnabel, Unbiased Learning-to-Rank with Biased Feedback, WSDM 2017"
    section = "a ranker in use and its users, in small"
    fixed_candidates = True

    documents: int = integer(
        10, 2, 100, symbol="n", help="Documents to rank; with more of them, the last are hardly seen."
    )
    disorder: float = real(
        2.0, 0, 100, step=0.5,
        help="Standard deviation of the noise in the scores of the ranker in use; grades go from 0 to 4. At 0 its list "
        "is the best one. Try 0.5.",
    )  # fmt: skip
    data_seed: int = integer(0, 0, 2**31 - 1, rare=True, help="Seed of the data; another seed gives another list.")

    def size(self) -> Size:
        n = self.documents
        return Size(queries=1, documents=n, features=n, bytes=8 * (n * n + n + 2))

    def build(self) -> RankingData:
        n = self.documents
        grades = self._grades()
        noise = np.random.default_rng(self.data_seed).standard_normal(n)
        grades = grades[np.argsort(-(grades + self.disorder * noise), kind="stable")]
        return RankingData(
            id=self.id,
            params=self.params,
            features=np.eye(n),
            starts=np.array([0, n]),
            grades=grades[None],
            weights=grades[None].copy(),
            top_grade=TOP_GRADE,
            fixed_candidates=self.fixed_candidates,
        )

    def _grades(self) -> Array:
        """Return the grades, falling: ⌊5 (1 − x)^1.5⌋ at the share x of the list."""
        n = self.documents
        found: Array = np.floor((TOP_GRADE + 1) * (1 - (np.arange(n) + 0.5) / n) ** 1.5)
        return found
