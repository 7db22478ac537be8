"""Pairwise learning with ε-greedy exploration (Hofmann, Whiteson & de Rijke 2013, Algorithm 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import real
from learners.base import Array, Line
from learners.compiled import compiled
from learners.ranking.base import RankingLearner, Shown
from learners.ranking.from_clicks.pairwise_differentiable import follow_pull
from learners.ranking.step.page import Page
from learners.ranking.step.rankings import rank
from learners.ranking.step.work import Work, rows_of


@compiled
def mix_lists(page: Page, epsilon: float) -> float:
    """Present a list each place of which takes, with probability ε, a random document that is left, else the best."""
    n = page.shown.shape[0]
    for i in range(n):
        page.tried[i] = page.draws[n + i]
    rank(page, page.tried, page.slots, page.partner)
    for i in range(n):
        page.key[i] = 0.0
    a = b = 0  # how far it is through the best and the random list
    for place in range(n):
        page.marks[place] = place < page.slots and page.draws[place] < epsilon
        if page.marks[place]:
            while page.key[page.partner[b]] > 0.0:
                b += 1
            picked = page.partner[b]
        else:
            while page.key[page.predicted[a]] > 0.0:
                a += 1
            picked = page.predicted[a]
        page.shown[place] = picked
        page.key[picked] = 1.0
    return 0.0


@dataclass(frozen=True)
class Mixed(Shown):
    """A list in which some places hold random documents. at_random : (R, n) bool, these places."""

    at_random: Array | None = None


@dataclass(kw_only=True)
class PairwiseGreedy(RankingLearner):
    """Shows random documents at a share ε of the places, and learns from clicks below documents that were skipped.

    A clicked document should score higher than each document above it that was not clicked, by 1 at least. Each pair
    for which this is not so moves w by η. The pairs of a step are all compared with the same w; the paper takes
    them one after the other, which makes no difference that matters for small η. A user who hands back an improved
    ranking counts as clicking the documents put on top. With a single slot there are no pairs, and it learns nothing.

    Source: [HWR13] §4. η = 0.01 and ε = 0.8 are the values that later work, [OR18] among it, takes for this baseline.

    >>> from learners import Simulation
    >>> sim = Simulation("pairwise-greedy", "web-search", "dependent-click", replicates=4, seed=0)
    >>> sim.advance(steps=1000)
    >>> ndcg = sim.history["ndcg@5-predicted"].mean(axis=1)
    >>> bool(ndcg[-200:].mean() > ndcg[:200].mean() + 0.05)
    True
    """

    id: ClassVar[str] = "pairwise-greedy"
    title: ClassVar[str] = "Pairwise ε-greedy"
    needs: ClassVar[str] = "clicks, or an improved ranking"
    summary: ClassVar[str] = (
        "Puts random documents at some places of the list, and lowers each document that the user skipped above a "
        "click. It learns fast, but what it shows while it learns is poor, since it goes on exploring however sure "
        "it is."
    )
    paper: ClassVar[str] = "HWR13"
    works: ClassVar[Mapping[str, str]] = {
        "HWR13": "Hofmann, Whiteson & de Rijke. Balancing Exploration and Exploitation in Listwise and Pairwise Online"
        " Learning to Rank for Information Retrieval. Information Retrieval 16, 2013."
    }
    section: ClassVar[str] = "§4, pairwise learning with balanced exploration"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_1 \leftarrow 0$"),
        Line("observe", r"Observe $x_t$"),
        Line("predict", r"Compute $\hat y_t \leftarrow \mathrm{argmax}_{y}\, w_t^\top \phi(x_t, y)$",
             "It scores each document by its weights w. The order by falling score, ŷ, is the ranking it believes "
             "best."),
        Line(
            "perturb",
            r"Present $y_t$: each place takes a random document with probability $\epsilon$, else the best of "
            r"$\hat y_t$ that is left",
            "At each place a coin decides whether a random document is shown or the best one that is left.",
        ),
        Line(
            "feedback",
            r"Obtain clicks. $i \succ j$ if $i$ was clicked and $j$, above it, was not",
            "A clicked document is preferred to each document that stood above it and was skipped.",
        ),
        Line(
            "update",
            r"For each $i \succ j$ with $w_t^\top (x_{t,i} - x_{t,j}) < 1$: add $\eta\,(x_{t,i} - x_{t,j})$ to $w$",
            "Where the preferred document does not score higher by 1, the weights w move towards its features and "
            "away from those of the other, by the learning rate η.",
        ),
    )  # fmt: skip

    epsilon: float = real(
        0.8, 0, 1, symbol="ε", step=0.05, named=True,
        help="Probability that a place shows a random document. 0 only shows what it believes best. Try 0.2.",
    )  # fmt: skip
    eta: float = real(
        0.01, 1e-6, 100, symbol="η", step=0.01, named=True,
        help="Learning rate: how far each preference moves the weights. Only its size relative to the features "
        "matters.",
    )  # fmt: skip

    listing: ClassVar[str] = "Coins filled some places with random documents,"
    rule_to_present: ClassVar[Any] = staticmethod(mix_lists)
    rule_to_learn: ClassVar[Any] = staticmethod(follow_pull)

    @property
    def reading(self) -> str:
        return "skipped"

    def draws(self, n: int, steps: int) -> Array:
        return rows_of(self.rng.random, steps, 2 * n)

    def seen(self, work: Work, draws: Array) -> Shown:
        page = work.page
        return Mixed(page.shown, page.predicted, page.scores, draws=draws, at_random=page.marks)
