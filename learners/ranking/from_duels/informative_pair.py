"""MaxInP, the most informative pair among the documents that may be best (Saha, NeurIPS 2021)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import choice, real
from learners.base import Array, Line, Shape, column
from learners.compiled import compiled
from learners.random import Source
from learners.ranking.fixed_list.duel import show_pair
from learners.ranking.from_duels.base import ContextualDuel
from learners.ranking.from_duels.one_pass import learn, rule_out, spread
from learners.ranking.from_duels.pair import offered
from learners.ranking.step.page import Page
from learners.ranking.step.work import rows_of


@compiled
def choose_pair(page: Page, width: float, pair: int) -> float:
    """Show the two documents on top, of those that may be best, of whose order least is known."""
    n, first, second, most = page.scores.shape[0], page.predicted[0], -1, -1.0
    rule_out(page, width)
    if pair == 0:
        for i in range(n):
            for j in range(i + 1, n):
                if page.key[i] > 0.0 and page.key[j] > 0.0 and spread(page, i, j) > most:
                    first, second, most = i, j, spread(page, i, j)
    if second < 0:  # the best, and the one that may be ahead of it by most
        most = -np.inf
        for j in range(n):
            ahead = page.scores[j] + width * spread(page, first, j) if offered(page, j) else -np.inf
            if j != first and ahead > most:
                second, most = j, ahead
    show_pair(page, first, second, page.draws[0])
    return 0.0


@dataclass(kw_only=True)
class InformativePair(ContextualDuel):
    """Compares two documents that may both be best, and of these the two of whose order it knows least.

    Each comparison moves weights and matrix by one step ([LQZZ25], "online mirror descent with a tailored local norm",
    for the same model), where [S21] fits all of them anew. If no other document may be best, the second is the one that
    may be ahead by most; with `pair` leader it always is, as in CoLSTIM, but for its noise. The abstract of [S21] has
    regret d√T for the simpler of two algorithms, this one. A public program quotes its rule, the most uncertain of the
    pairs that are promising, and that its fit is plain, after a phase of exploring. The width is practical.

    >>> from learners import Simulation
    >>> sim = Simulation("informative-pair", "web-search", "bradley-terry", replicates=3, seed=0)
    >>> sim.advance(steps=600)
    >>> ndcg = sim.history["ndcg@5-predicted"].mean(axis=1)
    >>> bool(ndcg[-100:].mean() > ndcg[:100].mean() + 0.1)
    True
    """

    id: ClassVar[str] = "informative-pair"
    title: ClassVar[str] = "Most informative pair (MaxInP)"
    short: ClassVar[str] = "MaxInP"
    summary: ClassVar[str] = (
        "Rules out documents that are surely not the best, and compares the two others of whose order it knows least."
    )
    paper: ClassVar[str] = "S21"
    works: ClassVar[Mapping[str, str]] = {
        "S21": "Saha. Optimal Algorithms for Stochastic Contextual Preference Bandits. NeurIPS 2021.",
        "LQZZ25": "Li, Qian, Zhao & Zhou. Provably Efficient Online RLHF with One-Pass Reward Modeling. NeurIPS 2025.",
    }
    section: ClassVar[str] = "the maximum-informative pair, with the one-pass estimate of [LQZZ25]"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_1 \leftarrow 0$, $H \leftarrow \lambda I$", "H will say what has been compared."),
        Line("observe", r"Observe $x_t$"),
        Line(
            "predict",
            r"$\mathcal C \leftarrow \{i : w_t \cdot (x_i - x_j) + \beta \|x_i - x_j\|_{H^{-1}} \geq 0\ \forall j\}$",
            "C are the documents that no other surely beats. What was seldom compared has a wide margin.",
        ),
        Line(
            "perturb",
            r"Show $\mathrm{argmax}_{i, j \in \mathcal C}\, \|x_i - x_j\|_{H^{-1}}$ on top, in random order",
            "Of these it shows the two whose difference it knows least about.",
        ),
        ContextualDuel.compare,
        Line(
            "update",
            r"$w_{t+1} \leftarrow w_t + \eta\,\sigma(-w_t \cdot z_t)\,(H + \eta\,\sigma'(w_t \cdot z_t) z_t "
            r"z_t^\top)^{-1} z_t$; $H \leftarrow H + \sigma'(w_{t+1} \cdot z_t)\, z_t z_t^\top$",
            "The weights move towards the document that won, less in directions that were often compared.",
        ),
    )  # fmt: skip

    width: float = real(1.0, 0, 1e3, symbol="β", step=0.25, named=True, help="How sure it must be to rule one out.")
    pair: str = choice("informative", ("informative", "leader"), named=True, help="Whether the best is always shown.")
    ridge: float = real(1.0, 1e-6, 1e6, symbol="λ", help="How strongly the weights are held at 0 in the beginning.")
    rate: float = real(1.0, 1e-3, 100, symbol="η", help="Length of the steps. At 1 it is a step of Newton's method.")
    at_start: ClassVar[tuple[str, ...]] = ("ridge",)

    listing: ClassVar[str] = "The two documents to compare stand on top, in random order,"
    rule_to_present: ClassVar[Any] = staticmethod(choose_pair)
    rule_to_learn: ClassVar[Any] = staticmethod(learn)

    def remembered(self, shape: Shape) -> int:
        return shape.features * (shape.features + shape.documents)

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        d = shape.features
        self.tally[:, : d * d : d + 1] = 1.0 / column(self.ridge)  # H⁻¹

    def effort(self, n: int, d: int) -> float:
        return float(n * d * d + n * n * d)

    def draws(self, n: int, steps: int) -> Array:
        return rows_of(self.rng.random, steps, 1)
