"""LambdaRank with regression trees, by LightGBM where it is installed: today's usual choice, for comparison."""

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Line
from learners.boosting.learning_to_rank.gradient_trees import GradientTrees


@dataclass(kw_only=True)
class LambdaRank(GradientTrees):
    """LightGBM's gradient boosting of regression trees on LambdaRank's gradients; a tree a round.

    Source: C. Burges, R. Ragno and Q. V. Le, Learning to rank with nonsmooth cost functions, NIPS 2006; LightGBM's
    objective lambdarank. [V] §3.2 discusses it.
    """

    objective: ClassVar[str] = "lambdarank"
    id: ClassVar[str] = "lambdarank"
    title: ClassVar[str] = "LambdaRank (LightGBM)"
    short: ClassVar[str] = "LambdaRank"
    summary: ClassVar[str] = (
        "Gradient boosting of regression trees, as LightGBM does it: each pair of documents pulls by how much NDCG "
        "would change if they changed places. Not from the dissertation; it shows what is usual today. Needs LightGBM."
    )
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§3.2 (discussed); Burges, Ragno and Le, NIPS 2006"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $F \leftarrow 0$", "The scores F of all documents are 0 at first."),
        Line(
            "observe",
            r"$\lambda_i \leftarrow \sum_{j: r_i > r_j} |\Delta \mathrm{NDCG}_{ij}| / (1 + \exp(F_i - F_j)) - "
            r"\sum_{j: r_j > r_i} |\Delta \mathrm{NDCG}_{ij}| / (1 + \exp(F_j - F_i))$",
            "λ says how hard a document should be pushed. Each pair pushes the better document up and the other "
            "down, and the harder, the more NDCG would change if they changed places.",
        ),
        Line(
            "predict",
            r"Fit a regression tree $f$ to the $\lambda_i$, with a Newton step in each leaf",
            "A regression tree f learns to predict these pushes.",
        ),
        Line(
            "update", r"$F \leftarrow F + \nu f$", "The scores F move by the predictions of the tree, times the rate ν."
        ),
    )
