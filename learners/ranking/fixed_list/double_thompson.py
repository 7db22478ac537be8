"""Double Thompson sampling, a dueling bandit that draws both documents of a duel (Wu & Liu, NIPS 2016)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array, Line, Shape
from learners.compiled import compiled
from learners.ranking.fixed_list.base import TabularLearner
from learners.ranking.fixed_list.duel import beta, highest, learn_winner, rank_by_wins, show_pair
from learners.ranking.step.page import Page
from learners.ranking.step.work import rows_of


@compiled
def reach(page: Page, i: int, j: int, alpha: float, side: float) -> float:
    """Return the upper (side = 1) or lower (−1) confidence bound of the chance that i beats j; 1 or 0 before a duel."""
    n = page.shown.shape[0]
    won, lost = page.memory[i * n + j], page.memory[j * n + i]
    if won + lost == 0.0:
        return 0.5 + 0.5 * side
    return float(won / (won + lost) + side * np.sqrt(alpha * np.log(page.t) / (won + lost)))


@compiled
def draw_both(page: Page, alpha: float) -> float:
    """Draw the first document from those that may beat the most, the second from those that may beat the first."""
    n = page.shown.shape[0]
    coin, seed = page.draws[n], page.draws[n + 1]
    rank_by_wins(page)
    most = 0.0
    for i in range(n):
        page.key[i] = 0.0  # how many others it may beat
        for j in range(n):
            page.key[i] += i != j and reach(page, i, j, alpha, 1.0) > 0.5
        most = max(most, page.key[i])
    for i in range(n):
        page.key[i] = 0.0 if page.key[i] == most else -float(n)
    for i in range(n):
        for j in range(i + 1, n):
            i_wins = beta(page.memory[i * n + j], page.memory[j * n + i], seed, i * n + j) > 0.5
            page.key[i if i_wins else j] += 1.0
    first = highest(page, page.key)
    for i in range(n):
        chance = beta(page.memory[i * n + first], page.memory[first * n + i], seed, n * n + i)
        page.key[i] = chance if reach(page, i, first, alpha, -1.0) <= 0.5 else chance - 1.0
    page.key[first] = -2.0
    show_pair(page, first, highest(page, page.key), coin)
    return 0.0


@dataclass(kw_only=True)
class DoubleThompson(TabularLearner):
    """Keeps how often each document beat each other, and draws the two of a duel from what may be true after that.

    The first is the one that beats the most others by a draw of all chances, among those that beat the most by their
    upper bounds; the second beats the first by the largest chance in another draw, among those that may. B (n, n), the
    wins, is the state. The paper lets a document meet itself once it is sure; a list cannot show one twice, so the
    second is the best of all others. Ties are broken at random. Written from memory, and from the abstract.

    >>> from learners import Simulation
    >>> sim = Simulation("double-thompson", "toy-ranking", "bradley-terry", replicates=3, seed=0)
    >>> sim.advance(steps=2000)
    >>> sim.history["rank-of-best-predicted"][-1].tolist()
    [1.0, 1.0, 1.0]
    """

    id: ClassVar[str] = "double-thompson"
    title: ClassVar[str] = "Double Thompson sampling"
    short: ClassVar[str] = "Double Thompson"
    summary: ClassVar[str] = (
        "Compares two documents a step, which it draws by how likely they are to win. It needs no utilities, only that "
        "one document beats more others than the rest do, and one fixed list."
    )
    paper: ClassVar[str] = "WL16"
    works: ClassVar[Mapping[str, str]] = {"WL16": "Wu & Liu. Double Thompson Sampling for Dueling Bandits. NIPS 2016."}
    section: ClassVar[str] = "Algorithm 1"
    cells: ClassVar[tuple[str, ...]] = ("d{i} ≻ d{j}",)
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"$B_{ij} \leftarrow 0$", "B counts how often document i has beaten j."),
        Line(
            "predict",
            r"$\mathcal C \leftarrow \mathrm{argmax}_i\, |\{j : u_{ij} > \frac12\}|$ with $u_{ij}, l_{ij} = "
            r"\frac{B_{ij}}{B_{ij} + B_{ji}} \pm \sqrt{\frac{\alpha \log t}{B_{ij} + B_{ji}}}$",
            "The highest and lowest chance, within reason, that i beats j are u and l. C are the documents that may "
            "beat the most others.",
        ),
        Line(
            "perturb",
            r"Draw $\theta_{ij} \sim \mathrm{Beta}(B_{ij} + 1, B_{ji} + 1)$, $\theta_{ji} = 1 - \theta_{ij}$; "
            r"$a \leftarrow \mathrm{argmax}_{i \in \mathcal C}\, |\{j : \theta_{ij} > \frac12\}|$",
            "It draws how likely each is to beat each other, and takes the one that beats the most.",
        ),
        Line(
            "perturb",
            r"Draw $\theta_{ia}$ anew; $b \leftarrow \mathrm{argmax}_{i \neq a,\, l_{ia} \leq 1/2}\, \theta_{ia}$; "
            r"show $a$ and $b$ on top, in random order",
            "The second is the one most likely to beat the first in another draw.",
        ),
        Line("feedback", r"Observe which of the two is clicked"),
        Line("update", r"$B_{ab} \leftarrow B_{ab} + 1$ if $a$ won, $B_{ba} \leftarrow B_{ba} + 1$ if $b$ did"),
    )

    alpha: float = real(0.5, 0.01, 10, symbol="α", step=0.1, named=True, help="Width of the bounds. The paper has ½.")

    compares: ClassVar[bool] = True
    rule_to_present: ClassVar[Any] = staticmethod(draw_both)
    rule_to_learn: ClassVar[Any] = staticmethod(learn_winner)

    def remembered(self, shape: Shape) -> int:
        return shape.documents**2

    def draws(self, n: int, steps: int) -> Array:
        return rows_of(self.rng.random, steps, n + 2)
