"""The papers' toy problem: one relevant document among many, on which the preference perceptron oscillates."""

from dataclasses import dataclass

import numpy as np

from datasets.parameters import integer, vector
from datasets.ranking import RankingData, RankingDataset, Size


@dataclass(kw_only=True)
class ToyRanking(RankingDataset):
    """One query with documents d₁ … d_n, of which only d₁ is relevant.

    Features are [1, 0] for d₁ and [0, 1] for all others. w* = [1, −1], so the utilities are exactly
    +1 and −1; the grades are 1 and 0. Learners start at `initial_weights`, which by default already rank d₁
    first: the point is to see how they lose it.

    Source: K. Raman, T. Joachims, P. Shivaswamy and T. Schnabel, Stable Coactive Learning via
    Perturbation, ICML 2013, §4.2.

    >>> data = ToyRanking(documents=3).build()
    >>> data.features
    array([[1., 0.],
           [0., 1.],
           [0., 1.]])
    >>> data.utility, data.initial_weights
    (array([[ 1., -1., -1.]]), array([ 1., -1.]))
    """

    id = "toy-ranking"
    order = 10
    title = "Toy: one relevant document"
    summary = (
        "The same list of documents again and again, of which only the first is relevant. A user who misjudges "
        "one document in five makes the preference perceptron push the relevant document to the bottom; the "
        "perturbed perceptron is the cure."
    )
    paper = "Raman et al., Stable Coactive Learning via Perturbation, ICML 2013"
    section = "§4.2"
    fixed_candidates = True

    documents: int = integer(10, 2, 100, symbol="n", help="Documents to rank; with more of them, a flip lasts longer.")
    initial_weights: tuple[float, ...] = vector(
        (1.0, -1.0),
        -100,
        100,
        symbol="w₁",
        help="Weights at which learning starts; try -1,1, which ranks the relevant document last.",
    )

    def size(self) -> Size:
        n = self.documents
        return Size(queries=1, documents=n, features=2, bytes=8 * (2 * n + n + 2))

    def build(self) -> RankingData:
        n = self.documents
        wanted = np.arange(n) == 0
        return RankingData(
            id=self.id,
            params=self.params,
            features=np.stack([wanted, ~wanted], axis=1).astype(float),
            starts=np.array([0, n]),
            grades=wanted[None].astype(float),
            weights=np.array([[1.0, -1.0]]),
            initial_weights=np.array(self.initial_weights),
            task_names=("finds document 1",),
            top_grade=1,
            fixed_candidates=self.fixed_candidates,
        )
