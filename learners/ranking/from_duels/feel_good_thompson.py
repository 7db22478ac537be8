"""FGTS.CDB, feel-good Thompson sampling for contextual dueling bandits (Li, Zhao & Gu, ICML 2024)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import integer, real
from learners.base import Array, Line, Shape
from learners.compiled import compiled
from learners.random import EACH, Source
from learners.ranking.fixed_list.duel import show_pair
from learners.ranking.from_duels.base import ContextualDuel
from learners.ranking.from_duels.langevin import QUERIES, VECTORS, at, room, sample_again
from learners.ranking.from_duels.pair import best_but
from learners.ranking.step.page import Page


@compiled
def choose_two(page: Page) -> float:
    """Show the best document by θ¹ and the best other by θ² on top, in random order."""
    first = best_but(page, page.memory[at(page, 0) : at(page, 1)], -1)
    second = best_but(page, page.memory[at(page, 1) : at(page, 2)], first)
    show_pair(page, first, second, page.draws[0])
    return 0.0


@dataclass(kw_only=True)
class FeelGoodThompson(ContextualDuel):
    """Draws weights twice from what the comparisons so far leave likely, and compares the favourites of both.

    The posterior is that of the Bradley–Terry model with a normal prior, times e^(μ Σ max_a θ·(x_a − x_other)), which
    favours weights that promise more than what the other sample showed. Langevin's steps follow it; their length ε is δ
    over the largest curvature there can be. No document meets itself: if both samples have one favourite, θ² sends its
    second.

    The abstract has the term "specifically tailored for dueling bandits", which "leverages the independence of the two
    selected arms", and regret d√T. A public program quotes the rest: two draws from p₀(θ) e^(−Σ L), L = η log(1 +
    e^(−y θ·z)) − μ max_a θ·(x_a − x_other), by Langevin's steps. There η is ¼ and a document may meet itself; here η is
    1. That only the last `window` comparisons and 16 queries are kept (`langevin`) is ours.

    >>> from learners import Simulation
    >>> sim = Simulation("feel-good-thompson", "web-search", "bradley-terry", replicates=3, seed=0)
    >>> sim.advance(steps=600)
    >>> ndcg = sim.history["ndcg@5-predicted"].mean(axis=1)
    >>> bool(ndcg[-100:].mean() > ndcg[:100].mean() + 0.1)
    True
    """

    id: ClassVar[str] = "feel-good-thompson"
    title: ClassVar[str] = "Feel-good Thompson sampling (FGTS.CDB)"
    short: ClassVar[str] = "FGTS.CDB"
    summary: ClassVar[str] = (
        "Draws two weight vectors by how likely they are after all comparisons, and puts the favourite of each on top. "
        "Which of the two the user prefers is all it learns from."
    )
    paper: ClassVar[str] = "LZG24"
    works: ClassVar[Mapping[str, str]] = {
        "LZG24": "Li, Zhao & Gu. Feel-Good Thompson Sampling for Contextual Dueling Bandits. ICML 2024."
    }
    section: ClassVar[str] = "Algorithm 1 (as others quote it), by Langevin's steps"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $\theta^1, \theta^2 \leftarrow 0$", "Both weight vectors begin at 0."),
        Line("observe", r"Observe $x_t$"),
        Line(
            "predict",
            r"$a^1 \leftarrow \mathrm{argmax}_a\, \theta^1 \cdot x_{t,a}$; $a^2 \leftarrow \mathrm{argmax}_{a \neq a^1}"
            r"\, \theta^2 \cdot x_{t,a}$; show both on top, in random order",
            "Each of the two weight vectors chooses its best document, and these two are shown on top.",
        ),
        ContextualDuel.compare,
        Line(
            "update",
            r"$\nabla \leftarrow \theta^j / s^2 - \sum_i \sigma(-\theta^j \cdot z_i)\, z_i - \mu \sum_i (x_{i, \hat a}"
            r" - x_{i, a^{3-j}})$, where $\hat a$ is the best of query $i$ by $\theta^j$",
            "The gradient points to weights that explain better what was preferred. By the feel-good term μ they also "
            "promise more than the document that the other vector had shown.",
        ),
        Line(
            "update",
            r"$M$ times: $\theta^j \leftarrow \theta^j - \epsilon \nabla + \sqrt{2 \epsilon}\, \xi$ with $\xi \sim "
            r"\mathcal N(0, I)$; $w_{t+1} \leftarrow (\theta^1 + \theta^2) / 2$",
            "Both vectors go a step that way and are shaken by noise ξ, so that they wander where weights are likely.",
        ),
    )  # fmt: skip

    optimism: float = real(0.01, 0, 10, symbol="μ", step=0.01, named=True, help="Weight of the feel-good term.")
    step: float = real(0.2, 1e-4, 2, symbol="δ", step=0.1, help="Length of Langevin's steps. Above 1 they are rough.")
    moves: int = integer(2, 1, 20, symbol="M", shapes_state=True, help="Langevin's steps of each vector at a time.")
    prior: float = real(1.0, 1e-3, 1e3, symbol="s", help="How long the weights are expected to be, in each direction.")
    window: int = integer(1000, 1, 10_000, shapes_state=True, help="How many of the last comparisons it keeps.")

    listing: ClassVar[str] = "Two draws of the weights chose the two documents on top,"
    rule_to_present: ClassVar[Any] = staticmethod(choose_two)
    rule_to_learn: ClassVar[Any] = staticmethod(sample_again)

    def remembered(self, shape: Shape) -> int:
        return room(shape.documents, shape.features, int(self.window))

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.tally[:, VECTORS : VECTORS + 2 * shape.features] = np.tile(self.state[:, 0], 2)

    def effort(self, n: int, d: int) -> float:
        return 2.0 * self.moves * (3 * self.window + QUERIES * n) * d

    def draws(self, n: int, steps: int) -> Array:
        found = np.empty((steps, self.rng.replicates, 2 + 2 * int(self.moves) * self.state.shape[2]))
        for row in found:  # coins and noise take turns, as they would step by step
            row[:, :2] = self.rng.random((EACH, 2))
            row[:, 2:] = self.rng.standard_normal((EACH, row.shape[1] - 2))
        return found
