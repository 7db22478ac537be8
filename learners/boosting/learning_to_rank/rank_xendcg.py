"""XE-NDCG, a cross entropy that bounds NDCG, by LightGBM (Bruch 2021)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from learners.base import Line
from learners.boosting.learning_to_rank.gradient_trees import GradientTrees


@dataclass(kw_only=True)
class RankXENDCG(GradientTrees):
    """LightGBM's gradient boosting of regression trees on the cross entropy XE-NDCG; a tree a round.

    Where LambdaRank weighs all pairs of documents, this compares two distributions over the documents of a query: that
    of the scores, and one made of the grades with fresh random numbers in every round. Its gradient takes time linear
    in the documents. As LightGBM has it, Newton steps use the first three terms of the paper's approximation of
    the inverse curvature.

    Source: [B21], in LightGBM's objective rank_xendcg.
    """

    id: ClassVar[str] = "rank-xendcg"
    objective: ClassVar[str] = "rank_xendcg"
    title: ClassVar[str] = "XE-NDCG (LightGBM)"
    short: ClassVar[str] = "XE-NDCG"
    summary: ClassVar[str] = (
        "Gradient boosting of regression trees, as LightGBM does it, on a cross entropy instead of pairs: the scores "
        "of a query should be spread as its grades are. A bound on NDCG that came after LambdaRank and is as good and "
        "faster. Needs LightGBM."
    )
    paper: ClassVar[str] = "B21"
    works: ClassVar[Mapping[str, str]] = {
        "B21": "Bruch. An Alternative Cross Entropy Loss for Learning-to-Rank. WWW 2021."
    }
    section: ClassVar[str] = "§3"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $F \leftarrow 0$", "The scores F of all documents are 0 at first."),
        Line(
            "observe",
            r"Draw $\gamma_i \sim U(0, 1)$; $\phi_i \leftarrow (2^{r_i} - \gamma_i) / \sum_j (2^{r_j} - \gamma_j)$, "
            r"$\rho_i \leftarrow e^{F_i} / \sum_j e^{F_j}$",
            "The grades r of a query become a distribution φ over its documents, with a little chance γ in it. The "
            "scores F become another one, ρ.",
        ),
        Line(
            "predict",
            r"Fit a regression tree $f$ to $\phi_i - \rho_i$, with a Newton step in each leaf",
            "A regression tree f learns to predict by how much each document falls short of its share.",
        ),
        Line(
            "update", r"$F \leftarrow F + \nu f$", "The scores F move by the predictions of the tree, times the rate ν."
        ),
    )
