"""Versatile-DB, two bandits that play against each other (Saha & Gaillard, ICML 2022)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array, Line, Shape
from learners.compiled import compiled
from learners.ranking.fixed_list.base import TabularLearner, rank_shuffled
from learners.ranking.fixed_list.duel import show_pair, winner
from learners.ranking.fixed_list.tsallis import draw, weigh
from learners.ranking.step.page import Page
from learners.ranking.step.work import rows_of


@compiled
def draw_both(page: Page, scale: float) -> float:
    """Let each bandit draw a document. If it is the same one, the second place is for the likeliest other."""
    n, eta = page.shown.shape[0], scale / np.sqrt(page.t)
    for i in range(n):
        page.key[i] = -page.memory[i] - page.memory[n + i]
    rank_shuffled(page, page.key, page.draws, page.predicted)
    weigh(page.memory[:n], eta, page.key)
    first = draw(page.key, page.draws[n])
    page.memory[2 * n], page.memory[2 * n + 1] = first, page.key[first]
    weigh(page.memory[n : 2 * n], eta, page.key)
    second = draw(page.key, page.draws[n + 1])
    page.memory[2 * n + 2], page.memory[2 * n + 3] = second, page.key[second]
    other = second
    if first == second:
        other = page.predicted[1] if page.predicted[0] == first else page.predicted[0]
    show_pair(page, first, other, page.draws[n + 2])
    return 0.0


@compiled
def learn_losses(page: Page, w: Array, difference: Array, change: float, heard: int) -> None:
    """Add the loss of each bandit, over its chance, to that of its document: 1 if the other won, ½ if nobody did."""
    n = page.shown.shape[0]
    first, second = int(page.memory[2 * n]), int(page.memory[2 * n + 2])
    won = winner(page, heard)
    lost = 0.5 if won < 0 or first == second else 0.0 if page.shown[won] == first else 1.0
    page.memory[first] += lost / page.memory[2 * n + 1]
    page.memory[n + second] += (1.0 - lost) / page.memory[2 * n + 3]


@dataclass(kw_only=True)
class VersatileDuel(TabularLearner):
    """Lets two bandits draw a document each; who loses the duel suffers a loss. Users may even change their minds.

    Each is Tsallis-INF (Zimmert and Seldin 2019), with losses over chances. The regret is logarithmic if users stay the
    same, and √T whatever they do: the best of both worlds, as the abstract says. The losses L of both (2, n) are the
    state. If both draw one document, each loses ½, as against itself on average, and the list shows another beside it,
    of which nothing is learned. The steps η = 2/√t are from memory.

    >>> from learners import Simulation
    >>> sim = Simulation("versatile-duel", "toy-ranking", "bradley-terry", replicates=3, seed=0)
    >>> sim.advance(steps=3000)
    >>> sim.history["rank-of-best-predicted"][-1].tolist()
    [1.0, 1.0, 1.0]
    """

    id: ClassVar[str] = "versatile-duel"
    title: ClassVar[str] = "Versatile dueling bandit"
    short: ClassVar[str] = "Versatile duel"
    summary: ClassVar[str] = (
        "Two bandits each put a document on top, and the one that is not chosen suffers a loss. It does well if users "
        "stay as they are and also if they change, and needs one fixed list."
    )
    paper: ClassVar[str] = "SG22"
    works: ClassVar[Mapping[str, str]] = {
        "SG22": "Saha & Gaillard. Versatile Dueling Bandits: Best-of-both-World Analyses for Online Learning from "
        "Preferences. ICML 2022."
    }
    section: ClassVar[str] = "Versatile-DB"
    cells: ClassVar[tuple[str, ...]] = ("d{j} loss 1", "d{j} loss 2")
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"$\hat L_{\pm} \leftarrow 0 \in \mathbb{R}^n$", "Both bandits begin without losses."),
        Line(
            "predict",
            r"$p_{\pm} \leftarrow \mathrm{argmin}_p\, \langle p, \hat L_\pm \rangle - \frac{4}{\eta_t} \sum_i "
            r"\sqrt{p_i}$ with $\eta_t = s/\sqrt t$",
            "Each turns its losses into chances; the smaller the loss of a document, the likelier it is drawn.",
        ),
        Line(
            "perturb",
            r"Draw $k_+ \sim p_+$ and $k_- \sim p_-$; show both on top, in random order",
            "Each draws a document, and these two are shown on top.",
        ),
        Line("feedback", r"Observe which of the two is clicked"),
        Line(
            "update",
            r"$\hat L_{\pm}(k_\pm) \leftarrow \hat L_\pm(k_\pm) + \frac{\mathbf 1[k_\pm \text{ lost}]}{p_\pm(k_\pm)}$",
            "The document that lost gets a loss of 1 over its chance, with the bandit that drew it.",
        ),
    )

    scale: float = real(2.0, 0.01, 100, symbol="s", step=0.5, named=True, help="Length of the steps, s/√t.")

    compares: ClassVar[bool] = True
    rule_to_present: ClassVar[Any] = staticmethod(draw_both)
    rule_to_learn: ClassVar[Any] = staticmethod(learn_losses)

    def remembered(self, shape: Shape) -> int:
        return 2 * shape.documents + 4

    def draws(self, n: int, steps: int) -> Array:
        return rows_of(self.rng.random, steps, n + 3)
