"""PDGD, pairwise differentiable gradient descent (Oosterhuis & de Rijke 2018, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array, Line
from learners.compiled import compiled
from learners.ranking.base import RankingLearner
from learners.ranking.step.page import NOTHING, Page
from learners.ranking.step.rankings import rank
from learners.ranking.step.work import rows_of


@compiled
def draw_list(page: Page) -> float:
    """Present a list drawn by Plackett and Luce: the documents by falling s + g, with g from Gumbel's distribution."""
    for i in range(page.tried.shape[0]):
        page.tried[i] = page.scores[i] - np.log(-np.log(max(page.draws[i], 1e-300)))
    rank(page, page.tried, page.slots, page.shown)
    return 0.0


@compiled
def follow_pull(page: Page, w: Array, delta: Array, change: float, heard: int, eta: float) -> None:
    """Update w ← w + η Σ ρ e^(s_i + s_j) / (e^s_i + e^s_j)² (x_i − x_j), over the pairs with i preferred to j."""
    if heard != NOTHING:
        for j in range(delta.shape[0]):
            w[0, j] += eta * delta[j]


@dataclass(kw_only=True)
class PairwiseDifferentiable(RankingLearner):
    """Draws its lists from a distribution over rankings, and makes each preference in the clicks more probable.

    The list is drawn without replacement by the softmax of the scores, so that it explores where it is not sure and
    less where it is. A user who hands back an improved ranking counts as clicking the documents put on top. Documents
    below the page are not seen. With a single slot there are no pairs, and it learns nothing.

    Source: [OR18] §4. The default of η is that of the paper's experiments, 0.1, for features between 0 and 1.

    >>> from learners import Simulation
    >>> sim = Simulation("pairwise-differentiable", "web-search", "dependent-click", replicates=4, seed=0)
    >>> sim.advance(steps=1000)
    >>> ndcg = sim.history["ndcg@5-predicted"].mean(axis=1)
    >>> bool(ndcg[-200:].mean() > ndcg[:200].mean() + 0.1)
    True
    """

    id: ClassVar[str] = "pairwise-differentiable"
    title: ClassVar[str] = "Pairwise differentiable gradient descent (PDGD)"
    short: ClassVar[str] = "PDGD"
    needs: ClassVar[str] = "clicks, or an improved ranking"
    summary: ClassVar[str] = (
        "Draws each list by chance, the better documents more often above. From the clicks it reads which documents "
        "are preferred to which, and moves its weights so that these preferences become more probable. It corrects "
        "for the places at which the documents happened to stand. The usual choice for learning to rank from clicks "
        "since 2018."
    )
    paper: ClassVar[str] = "OR18"
    works: ClassVar[Mapping[str, str]] = {
        "OR18": "Oosterhuis & de Rijke. Differentiable Unbiased Online Learning to Rank. CIKM 2018."
    }
    section: ClassVar[str] = "§4, Algorithm 1"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_1 \leftarrow 0$"),
        Line("observe", r"Observe $x_t$"),
        Line(
            "predict",
            r"Compute the scores $s_i \leftarrow w_t^\top x_{t,i}$",
            "It scores each document i by its weights w.",
        ),
        Line(
            "perturb",
            r"Present $y_t$, whose places are filled one after the other: document $i$ with probability "
            r"$e^{s_i} / \sum_{j \text{ left}} e^{s_j}$",
            "Each place of the list y is filled by a draw among the documents that are left. A document with a higher "
            "score s is more likely to be drawn.",
        ),
        Line(
            "feedback",
            r"Obtain clicks. $i \succ j$ if $i$ was clicked, and $j$ was not but stands above the last click or just "
            r"below it, on the page",
            "A clicked document is preferred to each one that was looked at and not clicked. The user surely looked "
            "at all documents above the last click, and perhaps at the next one, if the page has one.",
        ),
        Line(
            "update",
            r"Compute $\rho_{ij} \leftarrow P(y_t') / (P(y_t) + P(y_t'))$, where $y_t'$ is $y_t$ with $i$ and $j$ "
            r"exchanged",
            "The weight ρ of a pair corrects for its places. It is large if the list with both documents exchanged "
            "was likely to be drawn, since the user might then as well have seen them the other way round.",
        ),
        Line(
            "update",
            r"Update $w_{t+1} \leftarrow w_t + \eta \sum_{i \succ j} \rho_{ij}\, "
            r"\frac{e^{s_i} e^{s_j}}{(e^{s_i} + e^{s_j})^2}\, (x_{t,i} - x_{t,j})$",
            "Each preference moves the weights w towards the features of the preferred document and away from those "
            "of the other. A pair counts most while both scores are alike.",
        ),
    )

    eta: float = real(
        0.1, 1e-6, 100, symbol="η", step=0.05, named=True,
        help="Learning rate: how far each preference moves the weights. Try 0.01 with a noisy user.",
    )  # fmt: skip

    listing: ClassVar[str] = "The list was drawn by chance, better scores more often first,"
    rule_to_present: ClassVar[Any] = staticmethod(draw_list)
    rule_to_learn: ClassVar[Any] = staticmethod(follow_pull)

    @property
    def reading(self) -> str:
        return "drawn"

    def draws(self, n: int, steps: int) -> Array:
        return rows_of(self.rng.random, steps, n)
